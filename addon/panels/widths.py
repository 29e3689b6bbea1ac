# SPDX-License-Identifier: GPL-3.0-or-later
"""How a row of the list shares the width of the sidebar, in pixels at scale 1, and what of two names fits."""
from collections.abc import Callable
from typing import NamedTuple

LETTER = 6.2            # about what one takes in a sentence,
NAME_LETTER = 6.3       # and in names, with their capitals and ellipses,
NARROW_LETTER = 4.0     # of which few have so little
BESIDE_PANEL = 50.0     # tabs of the sidebar, and margins of the panel
BESIDE_LIST = 66.0      # the same, and margins of the list
LIST_MARGIN = 6.0       # at its right
SCROLL_BAR = 18.0       # of a list that has more lines than it shows
SQUARE = 31.0           # before the name, with the margins of both: 30 in Blender 5.2
VERDICT, SHORT_VERDICT = 70.0, 42.0      # the longest word, and the longest short form
ICON = 14.0             # in the place of a figure
VERDICT_TITLE, FIGURE_TITLE = 50.0, 38.0
BESIDE_FIGURE = 10.0    # margins of the widest figure
SPLIT_GAP = 8.0         # between two columns: Blender takes it off before it shares the row out
LEAST_NAMES = 115.0     # two names that are cut; where these have less, verdict and figure have their short forms,
FEWEST_NAMES = 90.0     # and where they have even less, no figure stands beside them: the tooltip and the lines below
                        # the list have it. Some six letters of each
TIMES = " × "
ELLIPSIS = "…"
STOP = "."
FEWEST_LETTERS = 9      # of `fitted`
TAIL = 4                # of a name that is cut: ".001" tells it from others
FEW_LETTERS = 7         # of one name


class Columns(NamedTuple):
    """Shares of the row: of the names with their square, and of the verdict in what that leaves; how many pixels, and
    about how many letters, the names have room for; and whether there is room for the verdict's whole word, and for a
    figure."""

    names: float
    verdict: float
    pixels: float
    letters: int
    has_word: bool
    has_figure: bool


def columns(width: float, widest: float, widest_short: float, widest_names: float, scrolls: bool) -> Columns:
    """The columns of a list in a sidebar that is so wide, in pixels at scale 1. widest: of the figures; widest_short:
    of their short forms, beside those of the verdicts; widest_names: of two names that are not cut; scrolls: the list
    has a scroll bar."""
    room = max(width - BESIDE_LIST - SCROLL_BAR * scrolls, 2.0 * SQUARE + VERDICT_TITLE)
    figure, short = (max(each, FIGURE_TITLE) + BESIDE_FIGURE for each in (widest, widest_short))
    for verdict, beside, least in ((VERDICT, figure, LEAST_NAMES), (SHORT_VERDICT, short, FEWEST_NAMES),
                                   (VERDICT, 0.0, LEAST_NAMES), (VERDICT_TITLE, 0.0, 0.0)):
        names = room - SQUARE - verdict - beside
        share = (SQUARE + names) / room
        pixels = names - SPLIT_GAP * share
        if names >= least or pixels >= widest_names:
            break
    return Columns(share, verdict / (verdict + beside), pixels, int(pixels / NAME_LETTER), verdict == VERDICT,
                   beside > 0.0)


def share_of_title(found: Columns) -> float:
    """Of what the names leave, for the title "Verdict". The title of the figures may begin before their column, as
    these end at the right."""
    if not found.has_figure:
        return found.verdict
    return VERDICT_TITLE * found.verdict / (VERDICT if found.has_word else SHORT_VERDICT)


def share_of_rows(width: float, scrolls: bool) -> float:
    """How much of the panel's width the rows of the list have, where titles stand over the columns."""
    return max(0.5, 1.0 - (LIST_MARGIN + SCROLL_BAR * scrolls) / max(width - BESIDE_PANEL, 1.0))


def fitted(a: str, b: str, letters: int) -> str:
    """`A × B` in at most so many letters, but never less than a few of each: the longer name is cut first, in its
    middle."""
    room = letters - len(TIMES)
    if len(a) + len(b) > room:
        keep = max(room - len(b), room // 2)
        a = cut(a, keep)
        b = cut(b, room - len(a))
    return f"{a}{TIMES}{b}"


def fitted_in(a: str, b: str, room: float, width_of: Callable[[str], float]) -> str:
    """The same in so many pixels, as far as it can be. width_of: how wide a text is drawn."""
    letters = int(room / NARROW_LETTER)
    shown = fitted(a, b, letters)
    while width_of(shown) > room and letters > FEWEST_LETTERS:
        letters -= 1
        shown = fitted(a, b, letters)
    return shown


def cut(name: str, letters: int) -> str:
    """A name in at most so many letters, at least three, an ellipsis in the place of its middle. Where few letters are
    left its end goes, and a stop says so, which needs less room; a number that tells it from others stays."""
    letters = max(letters, 3)
    if len(name) <= letters:
        return name
    tail = min(TAIL, (letters - 1) // 2) if letters > FEW_LETTERS or name[-1].isdigit() else 0
    if not tail:
        return f"{name[:letters - 1].rstrip()}{STOP}"
    return f"{name[:letters - 1 - tail]}{ELLIPSIS}{name[len(name) - tail:]}"
