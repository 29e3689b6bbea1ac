# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a new user: the tab is there, a click on Detect, the result, undo, redo, a row of the list, Clear."""
from harness import click, find_property, log, picture, press_button, run, until, window
from touchpoint_panel import (
    check_nothing_is_left,
    check_result_is_there,
    colours,
    detect_by_mouse,
    has_result,
    press_redo,
    press_undo,
    result,
    scene,
)


def session():
    before = colours()
    # Without shipped kernels all of them are compiled first.
    yield from detect_by_mouse("first click after installation", seconds=480.0)
    log(result().headline, "|", result().tested)
    check_result_is_there()
    picture("result.png")

    yield from press_undo()
    check_nothing_is_left(before)
    picture("undone.png")
    yield from press_redo()
    check_result_is_there()

    place = yield from find_property(".pair_index")
    click(place)            # the upper edge of the list: its first row
    yield from until(lambda: scene().touchpoint.pair_index == 0, 10)
    yield 1.0
    row = result().pairs[0]
    selected = {each.name for each in window().view_layer.objects if each.select_get()}
    assert selected == {row.object_a, row.object_b}, (selected, row.name)
    picture("row.png")

    yield from press_button("touchpoint.clear")
    yield from until(lambda: not has_result(), 10)
    yield 0.5
    check_nothing_is_left(before)


run(session)
