# SPDX-License-Identifier: GPL-3.0-or-later
"""Where to look at a pair: the place of its contacts, and how much around them to show."""
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...core.report import Report

CONTACTS_AT_ONCE = 1 << 17
CLOSE_UP = 2.5      # how many times larger one object must be to be only partly shown: a floor under a chair, a heating
# pipe at its boiler, whose place of contact was a speck in the view of both
CLOSE_UP_APART = 4.0        # … where they have no place of contact: what contains the other is seen whole


@dataclass(frozen=True)
class View:
    """A sphere to show. close_up: it does not show both objects whole, so it is not simply what is selected."""

    centre: np.ndarray      # (3,)
    radius: float
    close_up: bool


class Bounds:
    """World boxes of the objects of a Snapshot."""

    def __init__(self, boxes: np.ndarray, fixed: bool = True):
        """boxes: (objects,6) float64, lo x y z hi x y z. fixed: False where the objects move, so that their boxes tell
        no more than how large they are."""
        self.boxes, self.fixed = boxes.reshape(-1, 2, 3), fixed


def views_of_pairs(bounds: Bounds, report: "Report", rows: np.ndarray, extents: tuple[np.ndarray, np.ndarray] | None
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How to show rows (n,) of Report.pairs: both objects, or the smaller one and the contacts or the gap. extents: of
    all pairs, as `extents_of` has them; None where bounds are fixed, as contacts lie in the boxes of both objects then.
    Returns centres (n,3), radii (n,), and close_up (n,) bool, as in View."""
    pairs = report.pairs        # of a row, few columns are asked for
    low, high = np.full((2, len(rows), 3), np.nan) if extents is None else (each[rows] for each in extents)
    meets, apart = pairs["contacts"][rows] > 0, np.flatnonzero(pairs["gap"][rows] > 0.0)
    points = pairs["gap_points"][rows[apart]]
    low[apart], high[apart], meets[apart] = points.min(axis=1), points.max(axis=1), True
    return _views(bounds, pairs["a"][rows], pairs["b"][rows], low, high, meets)


def view_of_pair(bounds: Bounds, report: "Report", row: int) -> View:
    """How to show one row of Report.pairs."""
    points = report.pairs["gap_points"][row] if report.is_apart(row) else report.contacts_of(row).point.reshape(-1, 3)
    return view_of(bounds, int(report.pairs["a"][row]), int(report.pairs["b"][row]), points)


def extents_of(report: "Report") -> Generator[None, None, tuple[np.ndarray, np.ndarray]]:
    """Lowest and highest corners (pairs,3) of the contacts of each pair of a report, in pieces; NaN for none."""
    point, start, count = report.contacts.point, report.pairs["contact_start"], report.pairs["contacts"]
    low, high = np.full((2, len(start), 3), np.nan)
    some = np.flatnonzero(count)
    for rows in np.split(some, np.flatnonzero(np.diff(start[some] // CONTACTS_AT_ONCE)) + 1):
        if len(rows):
            first = start[rows[0]]
            ends = point[first:start[rows[-1]] + count[rows[-1]]]
            for axis in range(3):
                one, other = ends[:, 0, axis], ends[:, 1, axis]
                low[rows, axis] = np.minimum.reduceat(np.minimum(one, other), start[rows] - first)
                high[rows, axis] = np.maximum.reduceat(np.maximum(one, other), start[rows] - first)
        yield
    return low, high


def view_of(bounds: Bounds, a: int, b: int, points: np.ndarray | None) -> View:
    """How to show two objects, or, where one is much larger, the other one and the places (n,3) where they meet."""
    low, high = np.full((2, 1, 3), np.nan)
    if points is not None and len(points):
        low[0], high[0] = points.min(axis=0), points.max(axis=0)
    centres, radii, close_up = _views(bounds, np.array([a]), np.array([b]), low, high, ~np.isnan(low).any(axis=1))
    return View(centres[0], float(radii[0]), bool(close_up[0]))


def _views(bounds: Bounds, a: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray,
           meets: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As `views_of_pairs`. a, b: (n,) objects; low, high: (n,3) of the places where they meet, or come closest, NaN
    where these need not be told; meets: (n,) bool, whether there are any."""
    boxes = bounds.boxes[np.stack([a, b])]      # (2 objects,n,2 corners,3)
    if not bounds.fixed:
        middle = (0.5 * boxes[:, :, 0] + 0.5 * boxes[:, :, 1])[:, :, None]
        moved = boxes - middle + (0.5 * low + 0.5 * high)[:, None]
        boxes = np.where(np.isnan(moved), boxes, moved)
    size_a, size_b = diagonals(boxes)
    times = np.where(meets, CLOSE_UP, CLOSE_UP_APART)
    close_up = np.maximum(size_a, size_b) > times * np.minimum(size_a, size_b)
    larger = np.where(size_b > size_a, 1, 0)
    boxes[larger[close_up], np.flatnonzero(close_up)] = np.nan
    low = np.fmin(np.fmin(boxes[0, :, 0], boxes[1, :, 0]), low)
    high = np.fmax(np.fmax(boxes[0, :, 1], boxes[1, :, 1]), high)
    return 0.5 * low + 0.5 * high, 0.5 * _lengths(high - low), close_up


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """(…,) of vectors (…,3); of tens of thousands numpy's own norm takes several times as long."""
    return np.sqrt(np.einsum("...i,...i", vectors, vectors))


def diagonals(boxes: np.ndarray) -> np.ndarray:
    """(…,) lengths of the diagonals of boxes (…,2,3)."""
    return _lengths(boxes[..., 1, :] - boxes[..., 0, :])
