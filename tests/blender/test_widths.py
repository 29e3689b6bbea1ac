# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in a sidebar of any width: what is cut, and who gives way."""
import pytest
from touchpoint.addon.panels.results import width_of
from touchpoint.addon.panels.widths import (
    BESIDE_LIST,
    FIGURE,
    FRAME_FIGURE,
    ICON,
    NAME_LETTER,
    SQUARE,
    columns,
    cut,
    fitted,
    fitted_in,
    share_of_rows,
    spread,
)


@pytest.mark.parametrize("width", range(60, 1200, 7))
def test_names_have_the_room_that_is_left(width):
    found, wider = columns(width), columns(width + 300)
    room = max(width - BESIDE_LIST, SQUARE + 2.0 * ICON)
    assert 0.0 < found.names < 1.0 and 0.0 <= found.verdict < 1.0
    assert found.letters * NAME_LETTER <= found.pixels + 1e-9
    assert found.pixels == pytest.approx(found.names * room - SQUARE)
    assert wider.letters > found.letters and wider.verdict >= found.verdict
    assert room * (1.0 - found.names) >= (FIGURE if found.has_figure else ICON) - 1e-9
    assert found.has_figure or width < 256


def test_frames_are_wider_than_lengths():
    less = columns(300).names - columns(300, FRAME_FIGURE).names
    assert 0.0 < less <= (FRAME_FIGURE - FIGURE) / (300 - BESIDE_LIST) + 1e-9
    assert not columns(200, FRAME_FIGURE).has_figure and columns(280, FRAME_FIGURE).has_figure


@pytest.mark.parametrize("width", range(60, 1200, 7))
def test_names_without_a_figure_have_more_room(width):
    found, usual = spread(width), columns(width)
    room = max(width - BESIDE_LIST, SQUARE + 2.0 * ICON)
    assert found.letters >= usual.letters and room * (1.0 - found.names) == pytest.approx(ICON)
    assert found.letters * NAME_LETTER <= found.names * room - SQUARE + 1e-9


def test_titles_stand_over_the_columns():
    """The list of Blender 5.2 in a sidebar of 280 pixels ends 197 and its panel 228 behind where both begin."""
    assert share_of_rows(280.0) * 230.0 == pytest.approx(197.0, abs=10.0) and columns(280.0).verdict == 0.0
    assert share_of_rows(20.0) == 0.5 and 0.9 < share_of_rows(600.0) < 1.0


def test_a_narrow_sidebar_says_the_verdict_by_its_square():
    assert columns(220).verdict == 0.0 and columns(220).letters >= 12
    assert columns(400).verdict > 0.5 and columns(400).letters >= 23


@pytest.mark.parametrize(("letters", "expected"), [
    (40, "Cylinder.001 × Left hand.017"), (28, "Cylinder.001 × Left hand.017"), (27, "Cylinder.001 × Left ha….017"),
    (22, "Cyli….001 × Left ….017"), (13, "C….001 × Le….017"), (0, "C…1 × L…7")])
def test_both_names_are_told_apart(letters, expected):
    shown = fitted("Cylinder.001", "Left hand.017", letters)
    assert len(shown) <= max(letters, 9)
    if letters >= 20 or not letters:
        assert shown == expected


def test_as_much_of_two_names_is_shown_as_there_is_room_for():
    """Digits and small letters need less than capitals and ellipses."""
    def wide(text):
        return sum(10.0 if letter in "W…" else 5.0 for letter in text)

    assert fitted_in("bolt 0", "bolt 1", 75.0, wide) == "bolt 0 × bolt 1"
    shown = fitted_in("WWWW.001", "WWWW.002", 100.0, wide)
    assert shown.endswith("02") and "01 ×" in shown and 85.0 < wide(shown) <= 100.0
    assert fitted_in("WWWW.001", "WWWW.002", 1.0, wide) == "W…1 × W…2"


def test_names_are_measured_as_blender_draws_them():
    assert 0.0 < width_of("iii") < 0.5 * width_of("WWW") and width_of("Hea…pe × Rad…or") > 15 * 5.5


def test_the_shorter_name_stays():
    assert fitted("Floor", "Chair leg, front left.002", 25) == "Floor × Chair leg, f….002"
    assert fitted("Chair leg, front left.002", "Floor", 25) == "Chair leg, f….002 × Floor"
    assert cut("abcdefgh", 3) == "a…h" and cut("abc", 1) == "abc" and cut("Ä\u0308" * 9, 5)[0] == "Ä"
