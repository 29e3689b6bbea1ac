# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m real_scenes [--robots FOLDER] [--cad] [--ifc] [--only WORD] [--seed N]: the tables of docs/real-scenes.md.

--robots names the folder robots/ of the PyPI package example-robot-data; --cad adds the gearbox, which needs the PyPI
packages build123d and bd_warehouse; --ifc the building, which needs ifcopenshell, and a second table, of the clashes
in its design. Without them only the scenes that are made by script are measured. Learned rules come from ten other
poses of a robot, and from a made scene without what is planted.
"""
import argparse
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
POSES = 10          # that rules are learned from
HEAD = ("| scene | parts | triangles | rows, exact | below 10 µm | rows, automatic | joints | learned | found | "
        "last row |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")


def scenes(robots: Path | None, cad: bool, ifc: bool, seed: int) -> Iterator[tuple[str, Callable]]:
    """(name, what makes (the model, the models that rules are learned from)) of each."""
    from real_scenes.engine import engine
    from real_scenes.made import office, plates
    from real_scenes.robots import URDF, Robot

    for make in (office, plates, engine):
        yield make.__name__, lambda make=make: (make(), [make()])
    if cad:
        from real_scenes.cad import gearbox

        yield "gearbox", lambda: (gearbox(), [gearbox()])
    if ifc:
        from real_scenes.building import building

        yield "building", lambda: (building()[0], [building()[0]])
    for path in URDF if robots is not None else ():
        yield path, lambda path=path: _robot(Robot(robots / path), np.random.default_rng(seed))


def _robot(robot, random):
    """The robot in one pose, and in those that rules are learned from."""
    shares = random.uniform(0.3, 0.7, (POSES + 1, 1000))
    poses = [robot.model(lambda joint, row=row: float(row[joint])) for row in shares]
    return poses[0], poses[1:]


def main() -> int:
    parser = argparse.ArgumentParser(prog="real_scenes", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", type=Path)
    parser.add_argument("--cad", action="store_true")
    parser.add_argument("--ifc", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests"))
    importlib.import_module("conftest")         # makes the checkout importable as `touchpoint`
    from real_scenes.parts import planted
    from real_scenes.rows import measured

    print(HEAD, flush=True)
    lost = 0
    for name, make in scenes(options.robots, options.cad, options.ifc, options.seed):
        if options.only.lower() in name.lower():
            model, reference = make()
            cubes = planted(model, options.seed)
            row = measured(model, cubes, reference)
            thin = f"{row.thin / row.deep:.0%} of {row.deep:,}" if row.deep else "–"
            joints = "–" if row.joints is None else f"{row.joints:,}"
            found = ", ".join(f"{each} of {len(cubes)}" for each in row.found)
            print(f"| {row.name} | {row.parts:,} | {row.triangles:,} | {row.exact:,} | {thin} | {row.automatic:,} | "
                  f"{joints} | {row.learned:,} | {found} | {', '.join(map(str, row.last))} |", flush=True)
            lost += sum(len(cubes) - each for each in row.found)
    return 1 if lost + (_print_designed() if options.ifc else 0) else 0


def _print_designed() -> int:
    """Print where the clashes of the building's own design stand, and return how many have no row."""
    from real_scenes.building import building
    from real_scenes.rows import designed

    print("\n| clash | designed | measured | row |\n|---|--:|--:|--:|")
    lost = 0
    for clash, place, depth in designed(*building(clashing=True)):
        print(f"| {clash.a} × {clash.b} | {1000 * clash.depth:g} mm | {1000 * depth:.3f} mm | {place or '–'} |")
        lost += not place
    return lost


if __name__ == "__main__":
    sys.exit(main())
