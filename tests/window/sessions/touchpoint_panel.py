# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sessions look at and do in Touchpoint's panel."""
import sys
import time

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from harness import (
    click,
    context,
    find_property,
    key,
    note,
    open_sidebar,
    press_button,
    until,
    view3d,
    window,
)

COMPARE_PANEL = "bl_ext.user_default.touchpoint.addon.panels.compare"
ROOM = "bl_ext.user_default.touchpoint.addon.overlay.room"
METHOD_PANEL = "bl_ext.user_default.touchpoint.addon.panels.method"
MARKER = "touchpoint_results"
COLOUR_BEFORE = "touchpoint_colour_before"


def scene():
    return window().scene


def result():
    return scene().touchpoint.result


def running():
    return bpy.context.window_manager.touchpoint.running


def has_result():
    return not running() and result().run_id != ""


def colours():
    """{name: object colour} of everything that is no result."""
    return {each.name: tuple(round(part, 4) for part in each.color) for each in scene().objects if MARKER not in each}


def coloured():
    """Names of the objects that have their colour from a result."""
    return {each.name for each in bpy.data.objects if COLOUR_BEFORE in each}


def made_by_touchpoint():
    """Everything in the file that carries Touchpoint's marker."""
    return [each for group in (bpy.data.objects, bpy.data.collections) for each in group if MARKER in each]


def shows_object_colours():
    area = next(area for area in window().screen.areas if area.type == "VIEW_3D")
    return area.spaces.active.shading.color_type == "OBJECT"


def detect_by_mouse(name=None, seconds=180.0):
    """Open the panel, click Detect, wait for the result. The time from the click on is noted under this name."""
    yield from open_sidebar("Touchpoint")
    before = result().run_id
    yield from press_button("touchpoint.detect")
    start = time.perf_counter()
    yield from until(lambda: has_result() and result().run_id != before, seconds, step=0.02)
    if name:
        note(name, time.perf_counter() - start)
    yield 0.5


def check_result_is_there():
    """The result is in the list, in the view and in one collection."""
    assert result().pairs_found > 0 and len(result().pairs) > 0, result().headline
    assert coloured(), "no object is coloured"
    assert shows_object_colours()
    collections = [each for each in bpy.data.collections if MARKER in each]
    assert len(collections) == 1 and collections[0].hide_render
    empties = [each for each in made_by_touchpoint() if isinstance(each, bpy.types.Object) and each.type == "EMPTY"]
    meshes = [each for each in made_by_touchpoint() if isinstance(each, bpy.types.Object) and each.type == "MESH"]
    assert empties and len(meshes) == 1
    assert len(meshes[0].data.vertices) >= len(empties)
    attributes = set(meshes[0].data.attributes.keys())
    assert {"pair", "kind"} <= attributes, attributes


def check_nothing_is_left(colours_before):
    assert made_by_touchpoint() == []
    assert coloured() == set()
    assert colours() == colours_before
    assert not shows_object_colours()
    assert result().run_id == ""


def press_undo():
    key("ctrl+z")
    yield from until(lambda: result().run_id == "", 20)
    yield 0.5


def press_redo():
    key("ctrl+shift+z")
    yield from until(lambda: result().run_id != "", 20)
    yield 0.5


def check_pair_is_in_sight(index):
    """The pair of a row stands where no sidebar covers the view, or each of the four of a quad view."""
    room = sys.modules[ROOM]
    pair, area = result().pairs[index], view3d()[0]
    regions = [each for each in area.regions if each.type == "WINDOW" and each.width > 1]
    for each in regions:
        left, right = room.room_of(area, each)
        x = location_3d_to_region_2d(each, each.data, pair.centre).x
        assert left < x < right, (pair.name, left, x, right)
    return len(regions)


def add_box(name, low, high):
    """A box between two corners."""
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    scene().collection.objects.link(bpy.data.objects.new(name, mesh))


def add_bolt_and_plate():
    """Two more cubes like the one of a new file: each meets the one before it."""
    cube = next(each for each in scene().objects if each.type == "MESH")
    for name, place in (("Bolt", (1.5, 0.25, 0.5)), ("Plate", (3.0, 0.5, 0.75))):
        each = bpy.data.objects.new(name, cube.data)
        each.location = place
        scene().collection.objects.link(each)


def open_method_panel():
    """Click the arrow at the left of the closed panel's head; the list fills the rest of it."""
    _, y = yield from find_property(".method")
    _, region = view3d("UI")
    arrow = region.x + round(34 * bpy.context.preferences.view.ui_scale)
    yield from _click_until_drawn(sys.modules[METHOD_PANEL].TOUCHPOINT_PT_method, arrow, [y])


def open_compare_panel():
    """Click from the end of the sidebar upward until the closed panel is drawn."""
    scroll_down()
    yield 0.5
    x, y = yield from find_property(".method")
    _, region = view3d("UI")
    bottom = window().height - region.y - 8
    yield from _click_until_drawn(sys.modules[COMPARE_PANEL].TOUCHPOINT_PT_compare, x - 60, range(bottom, y, -16))
    scroll_down()
    yield 0.5


def _click_until_drawn(panel, x, places):
    """Click at one height after the other. panel: the class of the panel that is to open.

    A second click would close what a busy Blender has not drawn yet, hence the patience."""
    draw, drawn = panel.draw, []
    panel.draw = lambda self, context: (drawn.append(True), draw(self, context))[-1]
    for y in places:
        click((x, y))
        try:
            yield from until(lambda: drawn, 1.5 if len(places) > 1 else 20.0)
        except TimeoutError:
            continue
        break
    panel.draw = draw
    assert drawn, f"{panel.__name__} did not open"


def from_last(group, name, wanted):
    """How far the wanted entry of a list is above its last one."""
    entries = [each.identifier for each in group.bl_rna.properties[name].enum_items]
    return len(entries) - 1 - entries.index(wanted)


def scroll_down():
    """To the end of the sidebar."""
    with context("UI"):
        for _ in range(40):
            bpy.ops.view2d.scroll_down()


def add_heavy_scene(count=24, segments=400):
    """Dense waves that all cross each other: a run of many seconds."""
    import numpy

    x, y = numpy.meshgrid(numpy.linspace(-1, 1, segments), numpy.linspace(-1, 1, segments))
    corner = (numpy.arange(segments - 1)[:, None] * segments + numpy.arange(segments - 1)).ravel()
    faces = numpy.stack([corner, corner + 1, corner + segments + 1, corner + segments], axis=1)
    for number in range(count):
        z = 0.05 * numpy.sin(40 * x + number) * numpy.cos(37 * y + 2 * number)
        mesh = bpy.data.meshes.new("Wave")
        mesh.from_pydata(numpy.stack([x.ravel(), y.ravel(), z.ravel()], axis=1).tolist(), [], faces.tolist())
        wave = bpy.data.objects.new(f"Wave {number}", mesh)
        wave.display_type = "BOUNDS"        # drawing millions of faces without a GPU would hold up everything
        scene().collection.objects.link(wave)
    with context():
        bpy.ops.ed.undo_push(message="Waves")       # what a session does is no undo step by itself


def start_detect():
    """Start a modal run as the button does."""
    with context():
        assert bpy.ops.touchpoint.detect("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
