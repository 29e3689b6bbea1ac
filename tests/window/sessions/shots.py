# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the 3D view for the documentation, with ImageMagick."""
import os
import subprocess

from harness import OUT, picture, view3d, window, xdotool


def convert(*arguments):
    """ImageMagick, in the folder of the session's pictures."""
    subprocess.run(["convert", *map(str, arguments)], cwd=OUT, check=True, timeout=240)


def widen_sidebar(pixels):
    """Drag the edge of the open sidebar with the mouse, so that names in it are not cut. Takes a moment."""
    _, region = view3d("UI")
    y = window().height - region.y - region.height // 2
    for action in (("mousemove", region.x, y), ("mousedown", "1"), ("mousemove", region.x - pixels // 2, y),
                   ("mousemove", region.x - pixels, y), ("mouseup", "1")):
        xdotool(*action)
        yield 0.3


def cut(name, colours=128, region=None):
    """Save the area of the 3D view, or one of its regions, with few colours, so that the file is small."""
    area, _ = view3d()
    part = region or area
    top = window().height - part.y - part.height
    picture("screen.png")
    convert("screen.png", "-crop", f"{part.width}x{part.height}+{part.x}+{top}", "+repage", "-dither", "none",
            "-colors", colours, name)
    os.remove(os.path.join(OUT, "screen.png"))
