# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up Blender as a Python module in .venvs/ and find the collisions of a sample scene.

    python3.11 tools/try_it.py [SCENE.blend]        default: sample_scenes/workshop.blend

Prints who collides and writes out/NAME.json and out/NAME.blend, the scene with the results in it. Ends as
`touchpoint detect` does: 1 when something collides, 0 when nothing does, 3 for an error.
"""
import subprocess
import sys
from pathlib import Path

import environments
from system_packages import SetupError


def main(scene=environments.ROOT / "sample_scenes" / "workshop.blend"):
    python = environments.ensure("try")
    output = environments.ROOT / "out"
    output.mkdir(exist_ok=True)
    name = Path(scene).stem
    return subprocess.run([python.parent / "touchpoint", "detect", scene, "--json", output / f"{name}.json",
                           "--save-as", output / f"{name}.blend"]).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:2]))
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(3)
