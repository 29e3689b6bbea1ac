# SPDX-License-Identifier: GPL-3.0-or-later
"""What the timeline shows of a result, as rectangles and names. How they look is seen in tests/window."""
from types import SimpleNamespace

import numpy as np
import pytest
from touchpoint.addon.animation import strip_drawing
from touchpoint.addon.animation.strips import (
    LEAST,
    LINE_HEIGHT,
    MOST,
    RULER,
    TALL,
    THIN,
    View,
    picture,
    strips_of,
    together,
)
from touchpoint.addon.style import VERDICT_COLOURS, Style

LARGE = View(width=1000, height=600, first=0.0, last=100.0)
CROSSING, TOUCHING = VERDICT_COLOURS["crossing"], VERDICT_COLOURS["touching"]


def settings(*rows, active=-1, shown="ALL"):
    """Settings of a scene with a result. rows: (name, verdict, (start, end[, verdict of it])…) each."""
    pairs = [SimpleNamespace(name=name, verdict=verdict, spells=[
        SimpleNamespace(start=each[0], end=each[1], verdict=each[2] if len(each) > 2 else verdict) for each in spans])
        for name, verdict, *spans in rows]
    return SimpleNamespace(result=SimpleNamespace(pairs=pairs), pair_index=active, show_verdict=shown)


def drawn(asked, view=LARGE, style=None):
    style = style or Style()
    found = strips_of(asked, style)
    return picture(found, together(found), asked.pair_index, view, style)


def boxes(shown, colour, alpha=None):
    """Boxes of one colour, as lists."""
    same = np.isclose(shown.colours[:, :3], colour).all(axis=1)
    if alpha is not None:
        same &= np.isclose(shown.colours[:, 3], alpha)
    return shown.boxes[same].tolist()


def test_a_line_for_all_and_a_row_for_each():
    shown = drawn(settings(("A × B", "crossing", (10, 20)), ("A × C", "contained", (15, 30), (50, 60, "crossing"))))
    line = [each for each in boxes(shown, CROSSING, 1.0)]
    assert [each[::2] for each in line] == [[100.0, 200.0], [500.0, 600.0]]
    assert {(each[1], each[3]) for each in line} == {(600.0 - RULER - LINE_HEIGHT, 600.0 - RULER)}
    assert [name for name, *_ in shown.names] == ["A × B", "A × C"]
    rows = [each for each in boxes(shown, CROSSING) if each not in line]
    assert [each[::2] for each in rows] == [[100.0, 200.0], [500.0, 600.0]] and rows[0][1] >= rows[1][3]
    assert [each[::2] for each in boxes(shown, VERDICT_COLOURS["contained"])] == 2 * [[150.0, 300.0]]
    assert all(name[2] > LARGE.floor for name in shown.names)


def test_the_worst_lies_above():
    shown = drawn(settings(("A × B", "crossing", (10, 20)), ("A × C", "near", (0, 100))))
    line = shown.boxes[:, 3] == 600 - RULER
    assert np.allclose(shown.colours[line][-1, :3], CROSSING) and np.allclose(shown.colours[line][0, :3],
                                                                              VERDICT_COLOURS["near"])


def test_touches_where_they_are_coloured_or_asked_for():
    rows = ("A × B", "crossing", (10, 20, "touching"), (20, 30)), ("A × C", "touching", (5, 6))
    assert [each.name for each in strips_of(settings(*rows), Style())] == ["A × B"]
    assert strips_of(settings(*rows), Style())[0].spans.tolist() == [[20.0, 30.0]]
    coloured = strips_of(settings(*rows), Style(show_touching=True))
    assert [len(each.spans) for each in coloured] == [2, 1]
    assert [each.row for each in strips_of(settings(*rows, shown="touching"), Style())] == [1]
    assert [each.row for each in strips_of(settings(*rows, shown="crossing"), Style())] == [0]
    assert strips_of(settings(rows[1]), Style()) == []


def test_one_frame_can_be_seen_and_what_is_out_of_view_is_left_out():
    shown = drawn(settings(("A × B", "crossing", (50, 50), (-20, -10), (120, 130), (-5, 5), (99, 200))))
    line = sorted(each[::2] for each in boxes(shown, CROSSING, 1.0))
    assert line == [[0.0, 50.0], [498.0, 498.0 + LEAST], [990.0, 1000.0]]


def test_a_thousand_intervals_in_a_pixel_are_one():
    shown = drawn(settings(("A × B", "crossing", *(2 * (50 + 1e-5 * number,) for number in range(1000)))))
    assert len(boxes(shown, CROSSING)) <= 4


def test_the_active_row_is_framed_and_always_there():
    many = [(f"{number}", "crossing", (number, number + 1)) for number in range(MOST + 20)]
    shown = drawn(settings(*many))
    assert len(shown.names) == MOST and boxes(shown, (1, 1, 1)) == [] and not any(each[3] for each in shown.names)
    shown = drawn(settings(*many, active=MOST + 5))
    assert [each[0] for each in shown.names] == [*(str(number) for number in range(MOST - 1)), str(MOST + 5)]
    assert [each[3] for each in shown.names] == (MOST - 1) * [False] + [True] and len(boxes(shown, (1, 1, 1))) == 4
    shown = drawn(settings(*many, active=3))
    assert [each[3] for each in shown.names].index(True) == 3 and len(shown.names) == MOST


@pytest.mark.parametrize("height", range(20, 200, 5))
def test_scarce_room(height):
    """Rows become thin, then fewer; keys, ruler and markers keep their room."""
    view = View(width=1000, height=height, first=0.0, last=100.0, markers=True)
    many = [(f"{number}", "crossing", (number, number + 1)) for number in range(MOST)]
    shown = drawn(settings(*many, active=7), view)
    rows = shown.boxes[shown.boxes[:, 3] < height - RULER - LINE_HEIGHT]
    assert [name for name, *_ in shown.names] == (["7"] if view.room > TALL + 1 else [])
    assert len(rows) == 0 or rows[:, 1].min() >= view.floor and rows[:, 3].max() <= view.floor + view.room + 1
    assert len(boxes(shown, CROSSING)) == MOST + (len(rows) - 5 if len(rows) else 0)
    if view.room > TALL + 5 * (THIN + 1) + 1:
        assert len(rows) > 5


def test_an_interface_of_twice_the_size():
    small = drawn(settings(("A × B", "crossing", (10, 20)), active=0))
    large = drawn(settings(("A × B", "crossing", (10, 20)), active=0),
                  View(width=2000, height=1200, first=0.0, last=100.0, scale=2.0))
    assert np.allclose(2.0 * small.boxes[:-4], large.boxes[:-4])        # but for the frame
    assert np.allclose(2.0 * np.array(small.names[0][1:3]), large.names[0][1:3], atol=1.0)


def test_nothing_is_drawn_without_a_window(registered):
    assert strip_drawing._handle is None
