# SPDX-License-Identifier: GPL-3.0-or-later
"""A clearance in the panel: near objects are named with their gap, coloured, and framed by a click on their row."""
import bpy
from harness import context, log, picture, run
from touchpoint_panel import check_nothing_is_left, coloured, colours, detect_by_mouse, press_undo, result, scene


def session():
    cube = next(each for each in scene().objects if each.type == "MESH")
    near, far = (bpy.data.objects.new(name, cube.data) for name in ("Near", "Far"))
    near.location, far.location = (2.25, 0.0, 0.0), (0.0, 4.0, 0.0)
    for each in (near, far):
        scene().collection.objects.link(each)
    scene().touchpoint.clearance = 0.3
    with context():
        bpy.ops.ed.undo_push(message="Cubes")       # what a session does is no undo step by itself
    before = colours()
    yield 0.5
    yield from detect_by_mouse()
    picture("near.png")
    rows = [row.name for row in result().pairs]
    log(result().headline, "|", result().tested, "|", rows)
    assert len(rows) == 1 and "Near" in rows[0], rows
    assert coloured() == {cube.name, "Near"}
    scene().touchpoint.pair_index = 0
    yield 1.0
    picture("near_framed.png")
    yield from press_undo()
    check_nothing_is_left(before)


run(session)
