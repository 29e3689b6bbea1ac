# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the README: a result in the window, and one pair close up. Started by tools/screenshots.py."""
import os
import subprocess

import bpy
from harness import OUT, context, picture, run, view3d, window, xdotool
from touchpoint_panel import detect_by_mouse, result, scene


def cut(name, colours=128):
    """Save the 3D view with few colours, so that the file is small."""
    area, _ = view3d()
    top = window().height - area.y - area.height
    picture("screen.png")
    subprocess.run(["convert", os.path.join(OUT, "screen.png"), "-crop", f"{area.width}x{area.height}+{area.x}+{top}",
                    "+repage", "-dither", "none", "-colors", str(colours), os.path.join(OUT, name)],
                   check=True, timeout=60)


def session():
    view = view3d()[0].spaces.active
    view.region_3d.view_perspective = "CAMERA"
    view.show_gizmo = False
    with context():
        bpy.ops.view3d.view_center_camera()
    yield from detect_by_mouse()
    xdotool("mousemove", 20, window().height - 20)
    yield 2.0
    cut("result.png")

    names = [row.name for row in result().pairs]
    scene().touchpoint.pair_index = next(i for i, name in enumerate(names) if "Mug" in name)
    yield 2.0
    cut("pair.png")


run(session)
