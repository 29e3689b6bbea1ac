# SPDX-License-Identifier: GPL-3.0-or-later
"""A result that says what has changed, a click on a row that is no step of undo, an example that is framed in a
viewport without colours, and the menu."""
import os

import bpy
from harness import (
    OUT,
    click,
    context,
    find_property,
    key,
    log,
    open_sidebar,
    picture,
    run,
    until,
    view3d,
    window,
    xdotool,
)
from touchpoint_panel import add_box, detect_by_mouse, made_by_touchpoint, result, scene, shows_object_colours


def staleness():
    import sys

    return next(module for name, module in list(sys.modules.items()) if name.endswith("touchpoint.addon.staleness"))


def changes():
    return staleness().sentences(result())


def box_scene():
    for each in list(bpy.data.objects):
        bpy.data.objects.remove(each)
    add_box("Slab", (-3, -3, -1), (3, 3, 0))
    add_box("Post", (-1, -1, -0.5), (0, 0, 2))
    add_box("Crate", (1, 0, 0), (2, 1, 1))
    with context():
        bpy.ops.ed.undo_push(message="Boxes")       # what a session does is no undo step by itself


def session():
    box_scene()
    yield 0.5
    view3d()[0].spaces.active.region_3d.view_distance = 40.0
    yield from detect_by_mouse()
    picture("answer.png")
    assert changes() == []
    yield from click_a_row()
    yield from look_at_a_part()
    yield from move_and_undo()
    yield from open_again()
    yield from undo_past_clicks()
    yield from open_the_menu()
    yield from open_an_example()


def click_a_row():
    place = yield from find_property("touchpoint.pair_index")
    click(place)
    yield from until(lambda: scene().touchpoint.pair_index >= 0, 10)
    yield 1.0
    picture("row.png")
    log("row", scene().touchpoint.pair_index, [each.name for each in bpy.context.view_layer.objects.selected])


def look_at_a_part():
    """A local view changes nothing, though it hides the Crate in this viewport."""
    for each in scene().objects:
        each.select_set(each.name in ("Slab", "Post"))
    for name in ("local_view.png", "whole_view.png"):
        with context():
            bpy.ops.view3d.localview(frame_selected=False)
        yield 1.5
        picture(name)
        assert changes() == [], changes()


def move_and_undo():
    bpy.data.objects["Post"].location.z += 0.25
    with context():
        bpy.ops.ed.undo_push(message="Move")
    yield 1.0
    picture("moved.png")
    assert changes() == ["Since then: Post moved"], changes()
    key("ctrl+z")
    yield from until(lambda: bpy.data.objects["Post"].location.z == 0.0, 20)
    yield 1.0
    assert result().run_id and changes() == [], changes()
    key("ctrl+shift+z")
    yield from until(lambda: bpy.data.objects["Post"].location.z == 0.25, 20)
    yield 1.0
    assert changes() == ["Since then: Post moved"], changes()


def open_again():
    """The file says what had changed when it was saved."""
    path = os.path.join(OUT, "moved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    yield 2.0
    assert changes() == ["Since then: Post moved"], changes()
    yield from open_sidebar("Touchpoint")
    yield from detect_by_mouse()
    assert changes() == []


def undo_past_clicks():
    """Two clicks on rows, and one undo that takes the result away."""
    run_id = result().run_id
    place = yield from find_property("touchpoint.pair_index")
    for row in range(2):
        xdotool("mousemove", place[0], place[1] + 22 * row)
        yield 1.0
        xdotool("click", "1")
        yield from until(lambda: scene().touchpoint.pair_index == row, 10)  # noqa: B023
        yield 0.5
    key("ctrl+z")
    yield from until(lambda: result().run_id != run_id, 20)


def open_the_menu():
    with context():
        bpy.ops.wm.call_menu(name="TOUCHPOINT_MT_object")
    yield 1.5
    picture("menu.png")
    key("Escape")
    yield 0.5


def open_an_example():
    """It is framed, and without the colours and the result of the scene before."""
    yield from detect_by_mouse()
    assert shows_object_colours()
    view = view3d()[0].spaces.active.region_3d
    view.view_location, view.view_distance = (500.0, 0.0, 0.0), 7.0
    with context():
        bpy.ops.touchpoint.open_example(name="dominoes")
    yield from until(lambda: "Slab" not in bpy.data.objects, 30)
    yield from until(lambda: view3d()[0].spaces.active.region_3d.view_distance != 7.0, 20)
    yield 2.0
    picture("example.png")
    assert not shows_object_colours() and made_by_touchpoint() == []
    view = view3d()[0].spaces.active.region_3d
    log("framed", tuple(view.view_location), view.view_distance)
    assert view.view_location.length < 100.0 and view.view_distance != 7.0
    assert window().scene.touchpoint.result.run_id == ""
    framed = view.view_distance
    with context():
        bpy.ops.view3d.view_all()       # with the lamp and the camera
    yield from until(lambda: view.view_distance > 1.05 * framed, 20)


run(session)
