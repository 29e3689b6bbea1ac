# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows in groups: what a room contains is one row that unfolds, and a menu puts rows below headings."""
import bpy
from harness import context, find_property, log, picture, run, until, view3d, xdotool
from touchpoint_panel import detect_by_mouse, result, scene


def settings():
    return scene().touchpoint


def place_count():
    """How many lines the list shows."""
    window = bpy.context.window_manager.touchpoint
    return sum(each.line != "" for each in window.listed)


def redraw():
    """What a click does by itself."""
    view3d()[0].tag_redraw()


def add_copies(cube):
    chairs = [(f"Chair {i}", (4.0 * i - 8.0, 0, 0), 0.4) for i in range(5)]
    pipes = [(f"Pipe {i}", (60.0 + 4.0 * i, 0, 0), 0.5) for i in range(6)]
    others = [("Room", (0, 0, 0), 20.0), ("Wall", (70.0, 0.3, 0.2), 26.0), ("Bolt", (30.0, 0, 0), 0.5),
              ("Nut", (30.3, 0.2, 0.1), 0.5)]
    for name, place, size in (*chairs, *pipes, *others):
        each = bpy.data.objects.new(name, cube.data)
        each.location, each.scale = place, (0.5 * size, *(2 * (0.2 if name == "Wall" else 0.5 * size,)))
        scene().collection.objects.link(each)
    bpy.data.objects.remove(cube)
    with context():
        bpy.ops.ed.undo_push(message="Cubes")       # what a session does is no undo step by itself


def session():
    add_copies(next(each for each in scene().objects if each.type == "MESH"))
    yield 0.5
    yield from detect_by_mouse()
    found = len(result().pairs)
    log([row.name for row in result().pairs])
    yield 1.0
    folded = place_count()
    picture("groups_contained.png")
    assert folded == found - 4, (folded, found)
    with context("UI"):
        bpy.ops.touchpoint.fold_group(group=folded - 1, unfold=True)
    redraw()
    yield from until(lambda: place_count() == found + 1, 20)
    picture("groups_unfolded.png")
    bpy.context.window_manager.touchpoint.group_by = "object"
    redraw()
    yield 1.0
    picture("groups_by_object.png")
    assert place_count() == 3, place_count()
    place = yield from find_property("pair_index")
    xdotool("mousemove", *place, "sleep", "0.2", "click", "1")
    yield from until(lambda: settings().pair_index >= 0 and place_count() == 3, 20)
    yield 1.0
    picture("groups_chosen.png")


run(session)
