# SPDX-License-Identifier: GPL-3.0-or-later
"""What a timeline shows of an animation's result: spells in the colours of their verdicts, in a line for all pairs
and a row for each. Rectangles and names only; `strip_drawing.py` draws them."""
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..style import COLOURED, Style

MOST = 12       # rows; more of them hide the keys
NO_ROW = -1
SHARE = 0.4     # of the room between ruler and markers, at most
# Lengths in pixels at Blender's usual size of the interface.
RULER = 24      # with the numbers of frames, at the top
MARKERS_HEIGHT = 40    # at the bottom, where the scene has some
SCROLLER = 10   # there otherwise
TALL = 14       # row with room for its name
THIN = 5        # row without
GAP = 1         # below each row
LINE_HEIGHT = 4        # the line of all pairs
LEAST = 3       # width of an interval, else one of a single frame would not be seen
INDENT = 6      # of names
BITS = 20       # that a place in pixels has at most

ROW_ALPHA = 0.7     # of rows beside the active one
GROUND = 0.55   # of what lies behind the rows


@dataclass(frozen=True)
class View:
    """The part of time that a region shows."""

    width: int          # in pixels
    height: int
    first: float        # frame at its left border
    last: float         # and at its right one
    scale: float = 1.0  # of the interface
    markers: bool = False       # are there, at the bottom

    @property
    def floor(self) -> float:
        """Pixels at the bottom that are not ours."""
        return self.scale * (MARKERS_HEIGHT if self.markers else SCROLLER)

    @property
    def room(self) -> float:
        """Height that rows may have together, in pixels."""
        return SHARE * (self.height - self.scale * RULER - self.floor)

    def places(self, frames: np.ndarray) -> np.ndarray:
        """Pixels from the left, of frames."""
        return (frames - self.first) * (self.width / (self.last - self.first))


@dataclass(eq=False)
class Strip:
    """The spells of one pair, or of several: what they are, and when."""

    name: str
    row: int                # of the list
    spans: np.ndarray       # (k,2) float64, start and end of each spell
    ranks: np.ndarray       # (k,) int64, of its verdict, place in COLOURED


@dataclass(eq=False)
class Picture:
    """What is to be drawn, the first one first; x to the right and y upward, in pixels."""

    boxes: np.ndarray       # (n,4) float32, left, bottom, right, top
    colours: np.ndarray     # (n,4) float32, linear red, green, blue, and alpha
    names: list[tuple[str, float, float, bool]]     # text, x, y of its line, of the active row

    @classmethod
    def empty(cls) -> "Picture":
        return cls(np.zeros((0, 4), np.float32), np.zeros((0, 4), np.float32), [])

    def add(self, boxes: np.ndarray, colours: list) -> None:
        """Draw these above the others. boxes: (k,4); colours: k of four numbers."""
        self.boxes = np.concatenate([self.boxes, boxes.astype(np.float32)])
        self.colours = np.concatenate([self.colours, np.array(colours, np.float32).reshape(-1, 4)])


def strips_of(settings: Any, style: Style) -> list[Strip]:
    """One for each pair of a scene's list that has an interval to show, in the order of the list. Touches are shown
    where they are coloured, or where the list shows nothing else. settings: `Scene.touchpoint`."""
    found = []
    wanted = settings.show_verdict
    every = wanted not in COLOURED
    for row, pair in enumerate(settings.result.pairs):
        if not (every or pair.verdict == wanted):
            continue
        spans = [(each.start, each.end, COLOURED.index(each.verdict)) for each in pair.spells
                 if style.is_shown(each.verdict) or each.verdict == wanted]
        if spans:
            table = np.array(spans, np.float64)
            found.append(Strip(pair.name, row, table[:, :2], table[:, 2].astype(np.int64)))
    return found


def together(strips: list[Strip]) -> Strip:
    """All of their intervals in one."""
    return Strip("", NO_ROW, np.concatenate([each.spans for each in strips]),
                 np.concatenate([each.ranks for each in strips]))


def picture(strips: list[Strip], every: Strip, active: int, view: View, style: Style) -> Picture:
    """A line below the ruler that says when anything meets, and above what Blender has at the bottom as many rows as
    there is room for, the first one on top. every: `together(strips)`. active: a row of the list."""
    shown = Picture.empty()
    under_ruler = round(view.height - view.scale * RULER)
    _add_spans(shown, every, under_ruler - round(view.scale * LINE_HEIGHT), under_ruler, view, style, 1.0)
    rows = _fitting(_chosen(strips, active), active, view)
    bottom = round(view.floor)
    top = bottom + round(sum(height for _, height in rows))
    if rows:
        shown.add(np.array([[0.0, bottom, view.width, top]]), [(0.0, 0.0, 0.0, GROUND)])
    for strip, height in rows:
        low, high = round(top - height), round(top - view.scale * GAP)
        is_active = strip.row == active
        _add_spans(shown, strip, low, high, view, style, 1.0 if is_active else ROW_ALPHA)
        if height >= view.scale * TALL:
            shown.names.append((strip.name, view.scale * INDENT, low + 0.25 * height, is_active))
        if is_active:
            shown.add(_frame(low, high, view.width, max(1, round(view.scale))), 4 * [(1.0, 1.0, 1.0, 1.0)])
        top = low
    return shown


def _chosen(strips: list[Strip], active: int) -> list[Strip]:
    """The first MOST; where the active one is none of them, it is the last."""
    first = strips[:MOST]
    late = [each for each in strips[MOST:] if each.row == active]
    return first[:MOST - len(late)] + late


def _fitting(strips: list[Strip], active: int, view: View) -> list[tuple[Strip, float]]:
    """(row, its height in pixels) of as many as there is room for. Where that is scarce, only the active one has room
    for its name."""
    tall, thin = view.scale * (TALL + GAP), view.scale * (THIN + GAP)
    if tall * len(strips) <= view.room:
        return [(each, tall) for each in strips]
    left = view.room - tall * any(each.row == active for each in strips)
    fitting = max(0, int(left // thin))
    others = [each.row for each in strips if each.row != active][:fitting]
    return [(each, tall if each.row == active else thin) for each in strips
            if each.row in others or each.row == active and left >= 0.0]


def _add_spans(shown: Picture, strip: Strip, low: float, high: float, view: View, style: Style, alpha: float) -> None:
    """Add the intervals that are in view, in whole pixels; those that look alike once, the worst one above others."""
    left, right = np.floor(view.places(strip.spans[:, 0])), np.ceil(view.places(strip.spans[:, 1]))
    least = round(LEAST * view.scale)
    narrow = right - left < least
    left[narrow] = np.floor(0.5 * (left + right - least)[narrow])
    right[narrow] = left[narrow] + least
    seen = (right > 0.0) & (left < view.width)
    left, right = left[seen].clip(0.0), right[seen].clip(None, view.width)
    # All three in one number, as NumPy takes much longer to find rows that are unique.
    alike = np.unique((len(COLOURED) - strip.ranks[seen]) << 2 * BITS | left.astype(np.int64) << BITS
                      | right.astype(np.int64))
    ranks = len(COLOURED) - (alike >> 2 * BITS)
    across = np.stack([alike >> BITS, alike], axis=1) & (1 << BITS) - 1
    boxes = np.insert(across, [1, 2], [[low, high]], axis=1)
    shown.add(boxes, [(*style.colours[COLOURED[rank]], alpha) for rank in ranks.tolist()])


def _frame(low: float, high: float, width: float, thick: int) -> np.ndarray:
    """(4,4) float64: the sides of a box around a row."""
    return np.array([[0.0, low, width, low + thick], [0.0, high - thick, width, high],
                     [0.0, low, thick, high], [width - thick, low, width, high]], np.float64)
