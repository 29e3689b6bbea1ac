# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the .blend files of this folder again: `python sample_scenes/make.py [--out FOLDER] [mine dominoes workshop]`.

Needs the bpy module. The committed files were made with bpy 4.2, the oldest Blender that is supported, so that
every later one opens them without a warning.
"""
import argparse
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCENES = ("mine", "dominoes", "workshop")


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES], help="default: all")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the files, default: this one")
    options = parser.parse_args(argv)
    sys.path.insert(0, str(HERE.parent))
    building = importlib.import_module("sample_scenes.building")
    for name in options.scenes or SCENES:
        building.empty_file()
        expected = importlib.import_module(f"sample_scenes.{name}_scene").build()
        building.show_through_camera()
        path = options.out.resolve() / f"{name}.blend"
        building.save(path)
        if expected:
            expected.write(path.with_suffix(".expected.json"))
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
