# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the README: a result in the window, and one pair close up. Started by tools/screenshots.py."""
import sys

import bpy
from harness import context, open_sidebar, run, view3d, window, xdotool
from shots import cut, still, widen_sidebar
from touchpoint_panel import detect_by_mouse, result, scene

SESSION = "bl_ext.user_default.touchpoint.addon.session"


def session():
    view = view3d()[0].spaces.active
    view.region_3d.view_perspective = "CAMERA"
    view.show_gizmo = False
    with context():
        bpy.ops.view3d.view_center_camera()
    yield from open_sidebar("Touchpoint")
    yield from widen_sidebar(130)
    yield from detect_by_mouse(seconds=800.0)      # kernels may have to be compiled first
    sys.modules[SESSION].reset()        # nothing is kept but kernels: the panel then says what a first run takes
    yield from detect_by_mouse()
    xdotool("mousemove", 20, window().height - 20)
    yield 2.0
    cut("result.png")

    names = [row.name for row in result().pairs]
    scene().touchpoint.pair_index = next(i for i, name in enumerate(names) if "Mug" in name)
    yield from still()
    cut("pair.png")


run(session)
