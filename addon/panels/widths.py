# SPDX-License-Identifier: GPL-3.0-or-later
"""How a row of the list shares the width of the sidebar, in pixels at scale 1, and what of two names fits."""
from typing import NamedTuple

LETTER = 6.2            # about what one takes in a sentence,
NAME_LETTER = 6.8       # and in names, with their capitals and ellipses
BESIDE_LIST = 50.0      # margins of the panel and of the list, and its scroll bar
SQUARE = 22.0           # before the name
VERDICT, FIGURE = 70.0, 64.0    # the longest of each
LEAST_NAMES = 130.0     # two names; where these have less, the square alone says the verdict
TIMES = " × "
ELLIPSIS = "…"
TAIL = 4                # of a name that is cut: ".001" tells it from others


class Columns(NamedTuple):
    """Shares of the row: of the names with their square, and of the verdict in what that leaves, 0.0 for none; and how
    many letters the names have room for."""

    names: float
    verdict: float
    letters: int


def columns(width: float) -> Columns:
    """The columns of a list in a sidebar that is so wide, in pixels at scale 1."""
    room = max(width - BESIDE_LIST, SQUARE + FIGURE)
    names = room - SQUARE - FIGURE - VERDICT
    verdict = VERDICT
    if names < LEAST_NAMES:
        names, verdict = max(room - SQUARE - FIGURE, 0.5 * room - SQUARE), 0.0
    return Columns((SQUARE + names) / room, verdict / (verdict + FIGURE), int(names / NAME_LETTER))


def fitted(a: str, b: str, letters: int) -> str:
    """`A × B` in at most so many letters, but never less than a few of each: the longer name is cut first, in its
    middle."""
    room = letters - len(TIMES)
    if len(a) + len(b) > room:
        keep = max(room - len(b), room // 2)
        a = cut(a, keep)
        b = cut(b, room - len(a))
    return f"{a}{TIMES}{b}"


def cut(name: str, letters: int) -> str:
    """A name in at most so many letters, at least three, an ellipsis in the place of its middle."""
    letters = max(letters, 3)
    if len(name) <= letters:
        return name
    tail = min(TAIL, (letters - 1) // 2)
    return f"{name[:letters - 1 - tail]}{ELLIPSIS}{name[-tail:]}"
