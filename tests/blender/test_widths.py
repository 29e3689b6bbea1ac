# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in a sidebar of any width: what is cut, and who gives way."""
import numpy as np
import pytest
from touchpoint.addon.panels.results import DEPTH_OR_GAP, NARROW_DEPTH_OR_GAP, width_of
from touchpoint.addon.panels.widths import (
    BESIDE_FIGURE,
    BESIDE_LIST,
    FIGURE_TITLE,
    LEAST_NAMES,
    NAME_LETTER,
    SCROLL_BAR,
    SHORT_VERDICT,
    SPLIT_GAP,
    SQUARE,
    VERDICT,
    VERDICT_TITLE,
    columns,
    cut,
    fitted,
    fitted_in,
    share_of_rows,
    share_of_title,
)
from touchpoint.addon.phrases import SHORT_TITLES, VERDICT_TITLES
from touchpoint.addon.rows.table import ROW_DTYPE, SPAN_DTYPE, Rows, Side
from touchpoint.core.codes import CROSSING

USUAL, LONG, FIRST = 45.0, 75.0, 34.0       # widths of "3.52 cm", of "101-250 +3" and of "101.25"
MANY = 200.0            # of two names with many letters


@pytest.mark.parametrize("widest", [14.0, USUAL, LONG])
@pytest.mark.parametrize("names", [50.0, 90.0, MANY])
@pytest.mark.parametrize("scrolls", [False, True])
@pytest.mark.parametrize("width", range(60, 1200, 19))
def test_names_have_the_room_that_is_left(width, scrolls, names, widest):
    short = min(widest, FIRST)
    found, wider = (columns(each, widest, short, names, scrolls) for each in (width, width + 300))
    room = max(width - BESIDE_LIST - SCROLL_BAR * scrolls, 2.0 * SQUARE + VERDICT_TITLE)
    assert 0.0 < found.names < 1.0 and 0.0 < found.verdict <= 1.0
    assert found.letters * NAME_LETTER <= found.pixels + 1e-9
    assert found.pixels == pytest.approx(found.names * (room - SPLIT_GAP) - SQUARE) and found.pixels >= 20.0
    assert wider.letters > found.letters and wider.has_word >= found.has_word and wider.has_figure >= found.has_figure
    verdict = room * (1.0 - found.names) * found.verdict
    assert verdict == pytest.approx(
        VERDICT if found.has_word else SHORT_VERDICT if found.has_figure else VERDICT_TITLE)
    assert found.pixels >= min(names, 80.0) or not (found.has_word or found.has_figure)
    assert room * (1.0 - found.names) - verdict == pytest.approx(
        (max(widest if found.has_word else short, FIGURE_TITLE) + BESIDE_FIGURE) * found.has_figure)


def test_the_verdict_is_always_a_word():
    """In the sidebar as Blender opens it, which is 280 pixels wide, in its short form."""
    usual, wide = (columns(width, USUAL, USUAL, MANY, True) for width in (280, 400))
    assert (usual.has_word, usual.has_figure) == (False, False)
    assert (wide.has_word, wide.has_figure) == (True, True) and wide.letters >= 23
    assert SHORT_TITLES.keys() == VERDICT_TITLES.keys() and len({*SHORT_TITLES.values()}) == len(SHORT_TITLES)
    assert all(VERDICT_TITLES[verdict].replace("Cannot", "Can't").startswith(short)
               for verdict, short in SHORT_TITLES.items())
    assert max(map(width_of, SHORT_TITLES.values())) < SHORT_VERDICT - 3.0
    assert max(map(width_of, VERDICT_TITLES.values())) < VERDICT - 3.0


@pytest.mark.parametrize(("a", "b", "shown"), [
    ("Boiler", "Heating Pipe", "Boiler × Heati…Pipe"), ("slab.005", "slab.001", "slab.005 × slab.001"),
    ("Left hand.017", "Stuck Bullet", "Lef…017 × Stuc…let")])
def test_names_can_be_read_in_the_usual_sidebar(a, b, shown):
    """They read "Boi. × Heat." and "sl…5 × sl…1" beside their depth, which gives way to them now."""
    found = columns(280.0, USUAL, USUAL, width_of(f"{a} × {b}"), True)
    assert not found.has_figure and found.pixels > 0.9 * LEAST_NAMES
    assert fitted_in(a, b, found.pixels, width_of) == shown


def test_a_figure_stands_beside_names_that_need_little_room():
    for a, b in (("Lid", "Wall"), ("Cup", "Nut")):
        found = columns(280.0, USUAL, USUAL, width_of(f"{a} × {b}"), True)
        assert found.has_figure and fitted_in(a, b, found.pixels, width_of) == f"{a} × {b}"


def test_an_animation_shows_first_moments_in_the_usual_sidebar():
    """All of its frames where there is room."""
    spans = np.array([(24.2, 27.0, CROSSING), (101.25, 102.75, CROSSING)], SPAN_DTYPE)
    table = np.zeros(2, ROW_DTYPE)
    table["spans"], table["first_contact"], table["depth"] = (2, 0), (24.2, 0.0), (0.0, 0.5)
    rows = Rows([Side("A", "A", "", "", 1), Side("B", "B", "", "", 2)], table, spans)
    assert (rows[0].figure, rows[0].short_figure) == ("24.2-27 +1", "24.2")
    assert rows[1].figure == rows[1].short_figure != ""

    widest, short = width_of("101.25-102.75 +30"), width_of("101.25")
    usual, wide = (columns(width, widest, short, width_of("Slug × Wall"), True) for width in (280.0, 500.0))
    assert (usual.has_word, usual.has_figure) == (False, True) and (wide.has_word, wide.has_figure) == (True, True)
    assert fitted_in("Slug", "Wall", usual.pixels, width_of) == "Slug × Wall"
    few = columns(280.0, widest, short, MANY, False)        # rows, so that none are out of sight
    assert few.has_figure and fitted_in("Stuck Bullet", "Wall", few.pixels, width_of) == "Stuc…llet × Wall"


def test_titles_stand_over_the_columns():
    """The list of Blender 5.2 in a sidebar of 280 pixels ends 205 and its panel 228 behind where that begins."""
    assert share_of_rows(280.0, True) * 228.0 == pytest.approx(205.0, abs=3.0)
    assert share_of_rows(280.0, False) * 228.0 == pytest.approx(223.0, abs=3.0)
    for found in (columns(width, widest, widest, 50.0, True) for width in (280.0, 400.0) for widest in (USUAL, 14.0)):
        rest = (VERDICT if found.has_word else SHORT_VERDICT) / found.verdict
        last = max(map(width_of, ("Depth", "Gap", "Frames", DEPTH_OR_GAP) if found.has_word else (
            "Depth", "Gap", NARROW_DEPTH_OR_GAP, "First")))
        assert width_of("Verdict") + 4.0 < share_of_title(found) * rest < rest - last - 4.0     # else it is cut
    assert share_of_rows(20.0, True) == 0.5 and 0.9 < share_of_rows(600.0, True) < 1.0


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
    assert cut("abcdefg8", 3) == "a…8" and cut("abc", 1) == "abc" and cut("Ä\u0308" * 9, 5)[0] == "Ä"


def test_of_few_letters_the_first_ones_tell_most():
    assert cut("Heating Pipe", 5) == "Heat." and cut("Heating Pipe", 8) == "Heat…ipe"
    assert cut("Cube.001", 5) == "Cu…01"
    assert fitted("Heating Pipe", "Radiator", 12) == "Hea. × Radi."
