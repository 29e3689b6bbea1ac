# SPDX-License-Identifier: GPL-3.0-or-later
"""A method from the list, its options, what it says; Compare: the table, a missed pair that a click shows, undo."""
import bpy
from harness import (
    choose_from_list,
    click,
    context,
    find_property,
    key,
    log,
    open_sidebar,
    picture,
    press_button,
    run,
    type_into,
    until,
    window,
)
from touchpoint_panel import (
    add_box,
    detect_by_mouse,
    from_last,
    open_compare_panel,
    open_method_panel,
    result,
    running,
    scene,
    scroll_down,
)

COMPARED = ("touchpoint", "rapid", "hybrid", "tsgo")


def comparison():
    return scene().touchpoint.comparison


def selected():
    return sorted(each.name for each in window().view_layer.objects if each.select_get())


def add_what_published_cells_lose():
    """A needle in a plate, where none of the plate's diagonals passes; two crumbs make the scene's cube 8 long."""
    for each in list(scene().objects):
        bpy.data.objects.remove(each)
    add_box("Plate", (0.1, 2.1, 0.4), (7.9, 5.9, 0.6))
    add_box("Needle", (3.4, 2.3, 0.1), (3.6, 2.5, 0.9))
    add_box("Crumb", (0.0, 0.0, 0.0), (0.01, 0.01, 0.01))
    add_box("Other Crumb", (7.99, 7.99, 7.99), (8.0, 8.0, 8.0))
    with context():
        bpy.ops.view3d.view_all()
        bpy.ops.ed.undo_push(message="Boxes")       # what a session does is no undo step by itself


def choose_method():
    settings = scene().touchpoint
    yield from choose_from_list(".method", from_last(settings, "method", "tsgo"), "methods.png")
    yield from until(lambda: settings.method == "tsgo", 10)
    yield from open_method_panel()
    yield from choose_from_list(".cells", from_last(settings.options.tsgo, "cells", "diagonals"), "cells.png")
    yield from until(lambda: settings.options.tsgo.cells == "diagonals", 10)
    yield from type_into(".depth", "3", lambda: settings.options.tsgo.depth == 3)
    click((yield from find_property(".split")))
    yield from until(lambda: not settings.options.tsgo.split, 10)


def session():
    bpy.context.preferences.view.ui_scale = 0.9
    add_what_published_cells_lose()
    with context():
        bpy.ops.screen.screen_full_area()
    yield 1.0
    yield from open_sidebar("Touchpoint")
    yield from choose_method()

    yield from detect_by_mouse()
    picture("published.png")
    log(result().headline, "|", result().tested, "|", result().notes)
    assert result().headline == "No collisions" and "may be missing" in result().notes

    for each in scene().touchpoint.compared_methods.bl_rna.properties:
        if each.type == "BOOLEAN":
            setattr(scene().touchpoint.compared_methods, each.identifier, each.identifier in COMPARED)
    with context():
        bpy.ops.ed.undo_push(message="Chosen")
    yield from open_compare_panel()
    yield from press_button("touchpoint.compare")
    yield 0.05
    yield from until(lambda: not running() and comparison().run_id, 400)
    yield 1.0
    picture("compared.png")
    rows = {row.name: row for row in comparison().rows}
    log(comparison().headline, "|", {name: (row.seconds, row.found) for name, row in rows.items()})
    assert len(rows) == len(COMPARED)
    missing = [number for number, row in enumerate(comparison().rows) if row.pairs]
    assert len(missing) == 1 and comparison().rows[missing[0]].found == "1 missed", rows.keys()

    scene().touchpoint.comparison_index = missing[0]
    with context():
        bpy.ops.ed.undo_push(message="Row")
    scroll_down()
    yield 1.0
    picture("table.png")
    place = yield from find_property("compared_pair_index")
    click(place)                # the upper edge of the list: its first row
    yield from until(lambda: comparison().rows[missing[0]].pair_index == 0, 10)
    yield 1.0
    assert selected() == ["Needle", "Plate"], selected()
    picture("missed.png")
    scroll_down()               # it has grown by what is known of the pair
    yield 1.0
    picture("stages.png")

    for _ in range(5):          # what the session chose by itself is a step, too
        if comparison().run_id:
            key("ctrl+z")
            yield 1.0
    assert comparison().run_id == ""
    assert result().run_id, "the result went with the comparison"


run(session)
