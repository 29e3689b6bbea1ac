# SPDX-License-Identifier: GPL-3.0-or-later
"""One picture of all verdicts that a pair can have, each as two objects. Started by tools/screenshots.py."""
import math

import bmesh
import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from harness import context, run, view3d, window, xdotool
from mathutils import Quaternion, Vector
from shots import convert, cut
from touchpoint_panel import add_box, detect_by_mouse, result, scene

TURN = 0.45         # radians, of the view about the vertical
EDGE = 4            # pixels, of the next area's border
STEP = Vector((2.6 * math.cos(TURN), 2.6 * math.sin(TURN), 0.0))    # from pair to pair: to the right, as it is seen
# What two boxes make: the verdict, and the corners of both.
PAIRS = (
    ("crossing", ((-0.6, -0.5, 0.0), (0.6, 0.5, 0.6)), ((-0.2, -0.2, 0.3), (0.2, 0.2, 1.2))),
    ("overlap", ((-0.9, -0.4, 0.0), (0.3, 0.4, 0.8)), ((-0.3, -0.4, 0.0), (0.9, 0.4, 0.8))),
    ("contained", ((-0.7, -0.5, 0.0), (0.7, 0.5, 1.0)), ((-0.3, -0.2, 0.3), (0.3, 0.2, 0.7))),
    ("touching", ((-0.7, -0.5, 0.0), (0.7, 0.5, 0.5)), ((-0.3, -0.3, 0.5), (0.3, 0.3, 1.0))),
    ("near", ((-0.7, -0.5, 0.0), (0.7, 0.5, 0.5)), ((-0.3, -0.3, 0.58), (0.3, 0.3, 1.0))),
    ("cannot tell", ((-0.7, -0.5, 0.0), (0.7, 0.5, 1.0)), ((-0.3, -0.2, 0.3), (0.3, 0.2, 0.7))),
)


def build():
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    for number, (verdict, *boxes) in enumerate(PAIRS):
        for name, (low, high) in zip("AB", boxes):
            add_box(f"{verdict} {name}", *(Vector(corner) + number * STEP for corner in (low, high)))
    open_corner(bpy.data.objects["cannot tell A"].data)


def open_corner(mesh):
    """Cut a small hole into a box, so that nobody can say what is inside it."""
    cut_up = bmesh.new()
    cut_up.from_mesh(mesh)
    bmesh.ops.subdivide_edges(cut_up, edges=cut_up.edges[:], cuts=4, use_grid_fill=True)
    bmesh.ops.delete(cut_up, geom=[max(cut_up.faces, key=lambda face: face.calc_center_median().dot((1, -1, 1)))],
                     context="FACES")
    cut_up.to_mesh(mesh)
    cut_up.free()


def session():
    build()
    scene().touchpoint.clearance = 0.1
    scene().touchpoint.show_touching = True
    scene().touchpoint.empties = 0
    scene().touchpoint.show_points = False
    yield 0.5
    yield from detect_by_mouse()
    found = {row.object_a.rsplit(" ", 1)[0]: row.verdict for row in result().pairs}
    assert found == {verdict: verdict for verdict, *_ in PAIRS}, found

    # The faces that make the two an overlap lie in one plane, where a view cannot tell which is before the other.
    bpy.data.objects["overlap B"].scale = (1.0, 1.002, 1.002)
    area, region = view3d()
    view = area.spaces.active
    view.show_region_ui = view.show_region_toolbar = view.show_gizmo = view.show_region_header = False
    view.overlay.show_overlays = False
    view.shading.light = "FLAT"         # others make the colours of what is seen through muddy
    view.shading.show_xray, view.shading.xray_alpha = True, 0.6
    view.shading.show_object_outline = True
    view.shading.background_type, view.shading.background_color = "VIEWPORT", (0.9, 0.9, 0.9)
    view.region_3d.view_perspective = "ORTHO"
    view.region_3d.view_rotation = Quaternion((0.0, 0.0, 1.0), TURN) @ Quaternion((1.0, 0.0, 0.0), 1.1)
    view.region_3d.view_location = STEP * (len(PAIRS) - 1) / 2
    view.region_3d.view_distance = 11.0
    with context():
        bpy.ops.object.select_all(action="DESELECT")
    xdotool("mousemove", 20, window().height - 20)
    yield 2.0
    cut("all.png", 256, region)
    labels = []
    for number, (verdict, *_) in enumerate(PAIRS):
        x, y = location_3d_to_region_2d(region, view.region_3d, number * STEP - Vector((0.0, 0.0, 0.75)))
        labels += ["-draw", f"text-anchor middle text {x:.0f},{region.height - y:.0f} '{verdict}'"]     # on one line
    _, top = location_3d_to_region_2d(region, view.region_3d, (0.0, 0.0, 2.0))
    _, low = location_3d_to_region_2d(region, view.region_3d, (0.0, 0.0, -1.2))
    convert("all.png", "-font", "DejaVu-Sans", "-pointsize", 20, "-fill", "#222", *labels, "-crop",
            f"{region.width - EDGE}x{top - low:.0f}+0+{region.height - top:.0f}", "+repage", "verdicts.png")


run(session)
