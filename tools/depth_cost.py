# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the table of docs/depth.md: what depths cost beside contacts.

    .venvs/core/bin/python tools/depth_cost.py              all scenes, half a minute on a quiet machine
    .venvs/core/bin/python tools/depth_cost.py W3 W9-nested those whose name has one of these words
    .venvs/bpy-4.2/bin/python tools/depth_cost.py workshop  a .blend of sample_scenes/, which needs bpy

One thread, processor time of each stage, the least of many runs, with trees that are there and placed objects that are
placed. The last columns say how many points were measured, and how far the bounds of any pair are apart, as a share of
its smaller object.
"""
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
for folder in (ROOT, ROOT / "tests"):
    sys.path.insert(0, str(folder))
import conftest  # noqa: F401, E402  (lets the checkout be imported as `touchpoint`)
from naive.self_meshes import torus  # noqa: E402
from naive.shapes import ball, box, bundle, circle, joined, moved, pipe, prism, studs, table  # noqa: E402
from naive.thin import cloth, cup, lump  # noqa: E402
from touchpoint.benchmarks.cases import CASES  # noqa: E402
from touchpoint.benchmarks.peers.ours import scene_of, two_meshes  # noqa: E402
from touchpoint.benchmarks.questions import Pair  # noqa: E402
from touchpoint.core import Scene, detect  # noqa: E402
from touchpoint.core.depth.kept_depths import KEPT_DEPTHS  # noqa: E402

FROM_BENCH = ("W2-knot-20k", "W2-knot-200k", "W2-shell-20k", "W1-mine-50", "W1-mine-600", "W3-130x230", "W3-2000x48",
              "W9-tunnel-500", "W9-room-500", "W9-nested-60")
SECONDS_PER_SCENE = 2.0
LEAST_RUNS = 5


def scene_from(*meshes) -> Scene:
    scene = Scene()
    for mesh in meshes:
        scene.add_object(scene.add_mesh(*mesh))
    return scene


def chain() -> Scene:
    """Rings of 2,304 triangles, every second one upright; neighbours reach into each other by 0.01."""
    lying, triangles = torus(48, 24, 1.0, 0.3)
    upright = lying[:, [0, 2, 1]] * (1, 1, -1)
    return scene_from(*(((upright if k % 2 else lying) + (1.41 * k, 0, 0), triangles) for k in range(60)))


def dome() -> Scene:
    """Balls of 552 triangles in a ball of 4,000."""
    small, places = ball(24, 12), np.random.default_rng(0).uniform(-50, 50, (400, 3))
    return scene_from(ball(64, 32, 100.0), *(moved(small, place) for place in places))


def bubble() -> Scene:
    """Balls of 60 triangles in one of 20,000."""
    small, places = ball(8, 5, 0.1), np.random.default_rng(0).uniform(-20, 20, (500, 3))
    return scene_from(ball(142, 71, 40.0), *(moved(small, place) for place in places))


def on_a_floor(body) -> Scene:
    """Twenty of a body, 1 mm deep in a floor of two triangles that is 160 m wide."""
    corners, places = 80.0 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0.0)]), np.random.default_rng(0)
    low = body[0][:, 2].min()
    return scene_from((corners, np.array([(0, 1, 2), (0, 2, 3)], np.int32)),
                      *(moved(body, (*places.uniform(-70, 70, 2), -0.001 - low)) for _ in range(20)))


def bars_in_a_plate() -> Scene:
    """Fifty bars, as one mesh, through a plate: 400 equally deep places."""
    bars = joined(*(moved(box((-0.05, -0.05, -1), (0.05, 0.05, 1)), (0.25 * k, 0, 0)) for k in range(50)))
    return scene_from(box((-1, -1, -0.1), (14, 1, 0.1)), bars)


def pegs_in_a_plate(sides: int) -> Scene:
    """Ten round pegs, as one mesh, through a plate, some of them across the edge between its triangles."""
    pegs = joined(*(moved(prism(circle(sides, 0.1), 1.0), (x, 0.31 * x + 0.02, -0.45 + 0.01 * x))
                    for x in np.linspace(-2.7, 2.7, 10)))
    return scene_from(box((-3, -1, -0.1), (3, 1, 0.1)), pegs)


def grids() -> Scene:
    """Two grids of thirty bars, turned against each other, whose bars pass through one another all over."""
    across = [box((0, k, -0.1), (15, k + 0.1, 0.1)) for k in range(15)]
    grid = joined(*across, *((vertices[:, [1, 0, 2]], faces[:, ::-1]) for vertices, faces in across))
    c, s = np.cos(0.3), np.sin(0.3)
    return scene_from(grid, moved((grid[0] @ np.array([(c, s, 0), (-s, c, 0), (0, 0, 1)]), grid[1]), (2, -2, 0.05)))


def among_studs() -> Scene:
    """Twenty walls around the studs of a plate, a millionth deep in it."""
    square, plate = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float), studs(7)
    wall = pipe(3.5 + 3.05 * square, 3.5 + 3.45 * square, 1.0 - 1e-6, 3.0)
    return scene_from(*(moved(mesh, (10.0 * k, 0, 0)) for k in range(20) for mesh in (plate, wall)))


def press_fits() -> Scene:
    """Rods of 64 sides in rings whose holes are 2 % thinner, flush at both ends."""
    turned = np.array([(np.cos(0.03), np.sin(0.03)), (-np.sin(0.03), np.cos(0.03))])
    rod, ring = prism(circle(64, 1.02) @ turned, 1.0), pipe(circle(64, 1.0), circle(64, 2.0), 0.0, 1.0)
    return scene_from(*(moved(mesh, (5.0 * k, 0, 0)) for k in range(20) for mesh in (rod, ring)))


def rooms() -> list:
    """Hollow boxes, each of which reaches into the walls of the next larger one."""
    rng = np.random.default_rng(0)
    low, high, made = np.zeros(3), np.array([10.0, 8.0, 6.0]), []
    for _ in range(12):
        thick = 0.05 * (high - low).min()
        inner, faces = box(low + thick, high - thick)
        made.append(joined(box(low, high), (inner, faces[:, ::-1])))
        low, high = low + thick * rng.uniform(0.3, 0.7, 3), high - thick * rng.uniform(0.3, 0.7, 3)
    return made


def nested() -> list:
    """Balls of 2,208 triangles, each in all larger ones, beside their middles."""
    rng = np.random.default_rng(3)
    return [moved(ball(48, 24, 0.8 ** k), rng.uniform(-0.03, 0.03, 3) * 0.8 ** k) for k in range(6)]


def cups() -> Scene:
    """Cups of 8,448 triangles, each 5 mm in the wall of the one below, if they were 2 m high."""
    shape = cup(64, 32, 0.04)
    return scene_from(*(moved(shape, (0, 0, 0.35 * k)) for k in range(10)))


def layers() -> Scene:
    """Sheets of 14,396 triangles, waved differently, that pass through each other all over."""
    return scene_from(*(moved(cloth(60, 0.02, seed=k), (0.03 * k, 0.02 * k, 0.04 * k)) for k in range(4)))


def upright(mesh):
    """The same mesh turned by a right angle about the first axis, nearly."""
    vertices, faces = mesh
    return vertices @ np.array([(1, 0, 0), (0, 0.1, 0.995), (0, -0.995, 0.1)]), faces


def scene_of_case(name: str) -> Scene:
    """A case of `touchpoint bench`, objects where they are in its first step."""
    question = next(each for each in CASES if each.id == name).make()
    if isinstance(question, Pair):
        return two_meshes(question)
    scene, moving = scene_of(question)
    scene.set_poses(moving, question.poses_at(0))
    return scene


def scene_of_file(path: Path) -> Scene:
    import bpy
    from touchpoint.addon import api

    bpy.ops.wm.open_mainfile(filepath=str(path))
    return api.read_scene().core


def scenes() -> Iterator[tuple[str, Callable[[], Scene]]]:
    """(name, what makes it) of each row."""
    yield "a box in a table", lambda: scene_from(box((0, 0, -0.1), (1, 1, 1)), box((-4, -4, -1), (4, 4, 0)))
    yield "two boxes, corner in corner", lambda: scene_from(box(), box((0.7, 0.6, 0.5), (1.7, 1.6, 1.5)))
    for around, title in ((72, "5,000"), (318, "100,000")):
        sphere = ball(around, around // 2)
        yield (f"two spheres of {title} triangles",
               lambda sphere=sphere: scene_from(sphere, moved(sphere, (1.6, 0.5, 0.3))))
    yield "60 links of a chain", chain
    yield "400 balls under a dome", dome
    yield "500 balls in one of 20,000", bubble
    yield "20 rods pressed into rings", press_fits
    yield "20 walls around studs", among_studs
    yield "20 boxes on a large floor", lambda: on_a_floor(box())
    yield "20 tables on a large floor", lambda: on_a_floor(table())
    yield "20 pipes on a large floor", lambda: on_a_floor(pipe(circle(64, 0.5), circle(64, 0.6), 0.0, 1.0))
    yield "20 balls on a large floor", lambda: on_a_floor(ball(12, 8, 0.3))
    yield "20 tori on a large floor", lambda: on_a_floor(torus(48, 24, 1.0, 0.3))
    yield "50 joined bars in a plate", bars_in_a_plate
    yield "10 pegs in a plate", lambda: pegs_in_a_plate(12)
    yield "the same, finely divided", lambda: pegs_in_a_plate(32)
    yield "two grids of bars", grids
    yield "12 rooms whose walls meet", lambda: scene_from(*rooms())
    yield "6 balls one in another", lambda: scene_from(*nested())
    yield "9 cables side by side", lambda: scene_from(*bundle(9, 60, 12))
    yield "9 cables, finely divided", lambda: scene_from(*bundle(9, 120, 16, seed=1))
    yield "10 cups in one another", cups
    yield "4 layers of cloth", layers
    yield "two sheets across each other", lambda: scene_from(cloth(60, 0.02), upright(cloth(60, 0.02, seed=1)))
    yield "a shape in other triangles", lambda: scene_from(lump(100, 70), lump(103, 71))
    yield "a shape in few triangles", lambda: scene_from(lump(200, 140), lump(40, 28))
    for name in FROM_BENCH:
        yield name, lambda name=name: scene_of_case(name)
    for path in sorted((ROOT / "sample_scenes").glob("*.blend")):
        yield path.stem, lambda path=path: scene_of_file(path)


def measure(scene: Scene) -> tuple[dict[str, float], "object"]:
    """(least processor seconds of each stage, the last report)."""
    least: dict[str, float] = {}
    marks: list[tuple[str, float]] = []

    def progress(stage: str, _fraction: float) -> bool:
        if not marks or marks[-1][0] != stage:
            marks.append((stage, time.process_time()))
        return True

    runs, end = 0, time.perf_counter() + SECONDS_PER_SCENE
    while runs < LEAST_RUNS or time.perf_counter() < end:
        marks.clear()
        scene.cache.pop(KEPT_DEPTHS, None)     # nothing moves between the runs, but all of it is to be measured
        report = detect(scene, depth=True, threads=1, progress=progress)
        marks.append(("", time.process_time()))
        for (stage, start), (_, stop) in zip(marks, marks[1:]):
            least[stage] = min(least.get(stage, np.inf), stop - start)
        runs += 1
    return least, report


def widest(scene: Scene, report) -> float:
    """How far the bounds of any pair are apart, as a share of its smaller object."""
    size = [np.ptp(scene.meshes[mesh].vertices @ pose[:3, :3].T, axis=0).max()
            for mesh, pose in zip(scene.layout.mesh.tolist(), scene.poses)]
    pairs = report.pairs
    smaller = np.minimum(np.array(size)[pairs["a"]], np.array(size)[pairs["b"]])
    return float(np.nanmax((pairs["depth_upper"] - pairs["depth"]) / smaller, initial=0.0))


def main(words: list[str]) -> None:
    print("| scene | pairs | contacts | depths | ratio | points | bounds apart |\n|---|---|---|---|---|---|---|")
    for name, make in scenes():
        if any(word in name for word in words) or not words and not (ROOT / "sample_scenes" / f"{name}.blend").exists():
            scene = make()
            seconds, report = measure(scene)
            contacts, depths = (1e3 * seconds[stage] for stage in ("contacts", "depths"))
            count = int(np.count_nonzero(report.pairs["depth"] > 0.0))
            print(f"| {name} | {count:,} | {contacts:.3g} ms | {depths:.3g} ms | {depths / contacts:.2g} | "
                  f"{report.counts['depth_tests']:,} | {widest(scene, report):.1e} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
