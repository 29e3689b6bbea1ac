# SPDX-License-Identifier: GPL-3.0-or-later
"""Where to look at a pair: the place of its contacts, and how much around them to show."""
from dataclasses import dataclass

import numpy as np

CLOSE_UP = 4.0      # how many times larger one object must be to be only partly shown: a floor under a chair


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
        self._boxes, self.fixed = boxes.reshape(-1, 2, 3), fixed

    def box(self, index: int) -> np.ndarray:
        """(2,3): lowest and highest corner; not always the tightest box."""
        return self._boxes[index]


def view_of_pair(bounds: Bounds, report, row: int) -> View:
    """How to show one row of Report.pairs: both objects, or the smaller one and the contacts or the gap."""
    points = report.contacts_of(row).point.reshape(-1, 3)
    if report.is_apart(row):
        points = report.pairs["gap_points"][row]
    return view_of(bounds, int(report.pairs["a"][row]), int(report.pairs["b"][row]), points)


def view_of(bounds: Bounds, a: int, b: int, points: np.ndarray | None) -> View:
    """How to show two objects, or, where one is much larger, the other one and the places (n,3) where they meet."""
    boxes = sorted((bounds.box(each) for each in (a, b)), key=diagonal)
    if not bounds.fixed and points is not None and len(points):
        middle = 0.5 * points.min(axis=0) + 0.5 * points.max(axis=0)
        boxes = [each - 0.5 * each[0] - 0.5 * each[1] + middle for each in boxes]
    close_up = diagonal(boxes[1]) > CLOSE_UP * diagonal(boxes[0])
    if points is not None and len(points):
        boxes.append(np.stack((points.min(axis=0), points.max(axis=0))))
    shown = np.concatenate([boxes[0], *boxes[2:]] if close_up else boxes)
    low, high = shown.min(axis=0), shown.max(axis=0)
    return View(0.5 * low + 0.5 * high, 0.5 * float(np.linalg.norm(high - low)), close_up)


def diagonal(box: np.ndarray) -> float:
    """Length of a box's diagonal. box: (2,3)."""
    return float(np.linalg.norm(box[1] - box[0]))
