# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the 3D view for the documentation, with ImageMagick."""
import os
import subprocess

from harness import OUT, picture, view3d, window


def convert(*arguments):
    """ImageMagick, in the folder of the session's pictures."""
    subprocess.run(["convert", *map(str, arguments)], cwd=OUT, check=True, timeout=240)


def cut(name, colours=128, region=None):
    """Save the area of the 3D view, or one of its regions, with few colours, so that the file is small."""
    area, _ = view3d()
    part = region or area
    top = window().height - part.y - part.height
    picture("screen.png")
    convert("screen.png", "-crop", f"{part.width}x{part.height}+{part.x}+{top}", "+repage", "-dither", "none",
            "-colors", colours, name)
    os.remove(os.path.join(OUT, "screen.png"))
