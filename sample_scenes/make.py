# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the .blend files of this folder again: `python -m touchpoint.sample_scenes.make [--out FOLDER] [NAME …]`.

Needs Touchpoint and the bpy module. The committed files were made with bpy 4.2, the oldest Blender that is supported,
so that every later one opens them without a warning.
"""
import argparse
from pathlib import Path

from . import (
    building,
    bullets_scene,
    dominoes_scene,
    judged,
    mine_scene,
    ramp_ball_scene,
    random_scenes,
    robot_cell_scene,
    swarm_scene,
    walk_scene,
    workshop_scene,
)

HERE = Path(__file__).resolve().parent
NOTED = {"mine": mine_scene.build, "dominoes": dominoes_scene.build, "workshop": workshop_scene.build,
         "bullets": bullets_scene.build, "ramp_ball": ramp_ball_scene.build}
# Their objects lie at random: what must be found is what rational arithmetic finds.
JUDGED = {build.__name__: build for build in (random_scenes.fifteen_objects, random_scenes.close_shells,
                                              random_scenes.equal_tori, random_scenes.mixed_tori)}
# These are asked of rational arithmetic in every frame, and between frames so many times less one.
JUDGED_OVER_TIME = {"walk": (walk_scene.build, 8), "robot_cell": (robot_cell_scene.build, 4),
                    "swarm": (swarm_scene.build, 16)}
SCENES = NOTED | JUDGED | {name: build for name, (build, _) in JUDGED_OVER_TIME.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], help="default: all")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the files, default: this one")
    options = parser.parse_args()
    for name in options.scenes or SCENES:
        make(name, options.out.resolve() / f"{name}.blend")


def make(name: str, path: Path) -> None:
    """The scene and, beside it, what a detector must find in it, where that is known."""
    building.empty_file()
    expected = SCENES[name]()
    building.show_through_camera()
    building.save(path)
    if name in JUDGED:
        building.open_file(path)
        expected = judged.by_reference()
    if name in JUDGED_OVER_TIME:
        expected = judged.over_time(JUDGED_OVER_TIME[name][1])
    if expected:
        expected.write(path.with_suffix(".expected.json"))
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
