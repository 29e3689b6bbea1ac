# SPDX-License-Identifier: GPL-3.0-or-later
"""The heat map of a chosen pair: its button, its colours and legend, and that another row, a move and undo end it."""
import sys

import bmesh
import bpy
from harness import context, key, log, picture, press_button, run, until, view3d
from overlay_pixels import in_view_where
from touchpoint_panel import add_box, detect_by_mouse, result, scene, scroll_down

SESSION = "bl_ext.user_default.touchpoint.addon.session"


def add_ball(name, place, radius):
    mesh, made = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=48, v_segments=24, radius=radius)
    made.to_mesh(mesh)
    made.free()
    scene().collection.objects.link(bpy.data.objects.new(name, mesh))
    bpy.data.objects[name].location = place


def heat_map():
    return sys.modules[SESSION].heat_map()


def choose(names):
    scene().touchpoint.pair_index = next(number for number, pair in enumerate(result().pairs)
                                         if {pair.object_a, pair.object_b} == names)
    yield 1.5


def seen(name):
    """(orange, blue) pixels of the 3D view: of what is deep inside, and far outside."""
    view3d()[0].tag_redraw()
    yield 1.0
    picture(name)
    found = in_view_where(name, lambda red, green, blue: (red > 1.3 * green) & (green > 1.2 * blue) & (red > 0.4),
                          lambda red, green, blue: (blue > 1.15 * green) & (green > 1.15 * red) & (blue > 0.3))
    log(name, found)
    return found


def switched_on(name):
    scroll_down()
    yield 0.5
    yield from press_button("touchpoint.heat_map")
    yield from until(lambda: heat_map() is not None and heat_map().found is not None, 60)
    return (yield from seen(name))


def session():
    bpy.context.preferences.view.ui_scale = 0.9
    with context():
        bpy.ops.screen.screen_full_area()
    yield 1.0
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    add_box("Slab", (-3, -3, -1), (3, 3, 0))
    add_ball("Ball", (0, 0, 0.5), 1.0)
    add_box("Crate", (2.3, -2, 0.1), (2.9, -1, 1))
    scene().touchpoint.clearance = 0.3
    yield 0.5
    yield from detect_by_mouse()
    log([(pair.name, pair.verdict) for pair in result().pairs])
    with context():
        bpy.ops.ed.undo_push(message="Detected")
    yield from choose({"Slab", "Ball"})
    without = yield from seen("off.png")
    orange, blue = yield from switched_on("crossing.png")
    assert orange > without[0] + 300 and blue > 300, (orange, blue, without)
    log(heat_map().found.end, [len(side.vertices) for side in heat_map().found.sides])
    yield from press_button("touchpoint.heat_map")          # off
    yield from until(lambda: heat_map() is None, 20)
    assert (yield from seen("off_again.png"))[0] <= without[0] + 50

    yield from choose({"Slab", "Crate"})
    orange, blue = yield from switched_on("near.png")
    assert blue > 300 and orange < 0.01 * blue, (orange, blue)      # the frame around what is selected is orange
    yield from choose({"Slab", "Ball"})
    assert heat_map() is None
    _, blue = yield from switched_on("again.png")
    bpy.data.objects["Ball"].location.x = 0.5
    yield 0.5
    assert (yield from seen("moved.png"))[1] < 0.2 * blue
    with context():
        bpy.ops.ed.undo_push(message="Moved")
    key("ctrl+z")
    yield from until(lambda: bpy.data.objects["Ball"].location.x == 0.0, 20)
    assert heat_map() is None


run(session)
