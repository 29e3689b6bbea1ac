# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells of a triangle, by numpy alone: the oracle of `touchpoint.core.depth.triangle_cells`."""
from typing import NamedTuple

import numpy as np

MOST_DIVIDING = 1 << 10     # contacts of a triangle that is divided: strips times contacts are looked at
STRIP_TURNS = 8             # directions in which strips may run; the one is taken that no contact is nearly along
OPENED = 8.0                # times what ends may err across a line: wider than this is no crack of rounding
SLACK = 3.0                 # times a crack: what is left out is no farther from the rest, or from a contact
TINY = 2.0 ** -20           # height of a triangle that counts as flat, and the least share, for short
NO_CONTACT = -1             # in place of a contact's number: a side of the triangle


class Cells(NamedTuple):
    """The cells of a triangle, and what they touch. Numbers of contacts are those of the segments given."""

    trapezoids: np.ndarray  # (t,4,3) float64, corners the way round
    cell: np.ndarray        # (t,) int64, the cell of each
    middle: np.ndarray      # (cells,3) float64, a point of each cell, NaN where it is too narrow for one
    contacts: np.ndarray    # (k,2) int64: a cell, and a contact on its border or in it
    corners: np.ndarray     # (k,2) int64: a cell, and the corner of the triangle that it has
    close: np.ndarray       # (k,2) int64: contacts with nothing but a crack between them
    slack: float            # how far a point of a cell and the trapezoids' nearest one may be from each other


def divide(triangle: np.ndarray, segments: np.ndarray, error: float) -> Cells | None:
    """The cells of a triangle; None where rounding leaves in doubt what they are.

    triangle: (3,3) float64; segments: (n,2,3) float64, what its contacts share with it, both ends the same for a point;
    error: how far their ends may be from where they should be.
    """
    axes = _axes(triangle)
    if axes is None or len(segments) > MOST_DIVIDING:
        return None
    corners, ends = (triangle - triangle[0]) @ axes.T, (segments - triangle[0]) @ axes.T
    walls = np.flatnonzero(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > OPENED * error)
    turn, share = _turn(np.concatenate([corners[[1, 2, 0]] - corners, ends[walls, 1] - ends[walls, 0]]))
    corners, ends, axes = corners @ turn.T, ends @ turn.T, turn @ axes
    lines = np.concatenate([np.stack([corners, corners[[1, 2, 0]]], axis=1), ends[walls]])
    number = np.concatenate([np.full(3, NO_CONTACT), walls])
    if np.abs(lines[:, 1, 0] - lines[:, 0, 0]).min() <= 4.0 * error:
        return None
    crack = OPENED * error / share      # upright, where lines are as steep as that
    strips = _Strips(lines, number, error, crack)
    if strips.is_doubtful:
        return None
    dots = np.setdiff1d(np.arange(len(segments)), walls)
    at_dots = strips.around(ends[dots].mean(axis=1))
    at_dots[:, 1] = dots[at_dots[:, 1]]
    return Cells(triangle[0] + strips.trapezoids() @ axes, strips.cell, triangle[0] + strips.middles() @ axes,
                 np.concatenate([strips.borders(), at_dots]), strips.around(corners), strips.close(), SLACK * crack)


def _axes(triangle: np.ndarray) -> np.ndarray | None:
    """(2,3) float64: two unit vectors in the plane of a triangle, at right angles; None where it is nearly a
    segment."""
    sides = triangle[[1, 2, 0]] - triangle
    start = int(np.argmax(np.linalg.norm(sides, axis=1)))
    longest, next_one = sides[start], sides[(start + 1) % 3]
    size = np.linalg.norm(longest)
    if not size > 0.0:
        return None
    along = longest / size
    across = next_one - (next_one @ along) * along
    height = np.linalg.norm(across)
    return np.stack([along, across / height]) if height > TINY * size else None


def _turn(vectors: np.ndarray) -> tuple[np.ndarray, float]:
    """(rotation, share): (2,2) float64, of those that are tried the one after which no vector, (n,2), is nearly
    upright; how wide each is then at least, as a share of its length."""
    angles = (0.37 + np.arange(STRIP_TURNS)) * (np.pi / STRIP_TURNS)
    width = np.abs(np.outer(np.cos(angles), vectors[:, 0]) - np.outer(np.sin(angles), vectors[:, 1]))
    share = (width / np.linalg.norm(vectors, axis=1)).min(axis=1)
    best = int(np.argmax(share))
    cosine, sine = np.cos(angles[best]), np.sin(angles[best])
    return np.array([[cosine, -sine], [sine, cosine]]), float(max(share[best], TINY))


class _Strips:
    """Trapezoids between lines, (n,2,2) float64, strip by strip from the least x on, in each the lowest first. number:
    (n,) int64, the contact that a line is."""

    def __init__(self, lines: np.ndarray, number: np.ndarray, error: float, crack: float):
        self.crack = crack
        crossings = _crossings(lines, crack)
        if len(crossings) > MOST_DIVIDING:
            self.is_doubtful = True
            return
        x = np.sort(np.append(lines[..., 0], crossings))
        self.x = x[np.append(True, np.diff(x) > error)]         # where strips begin and end
        place = np.searchsorted(self.x, lines[..., 0], "right") - 1
        self.is_doubtful = bool((place[:, 0] == place[:, 1]).any()
                                or (lines[..., 0] - self.x[place]).max() > 4.0 * error)
        if self.is_doubtful:
            return
        back = place[:, 0] > place[:, 1]
        lines, place = np.where(back[:, None, None], lines[:, ::-1], lines), np.sort(place, axis=1)
        left, right = self.x[place].T
        slope = (lines[:, 1, 1] - lines[:, 0, 1]) / (right - left)
        rows = []
        for strip in range(len(self.x) - 1):
            there = np.flatnonzero((place[:, 0] <= strip) & (place[:, 1] > strip))
            ends = lines[there, 0, 1] + slope[there] * (self.x[strip:strip + 2, None] - left[there])
            order = np.argsort(ends.sum(axis=0), kind="stable")
            ends, there = ends[:, order], there[order]
            rows.append((np.full(len(there) - 1, strip), number[there[:-1]], number[there[1:]],
                         np.stack([ends[:, :-1], ends[:, 1:]], axis=2).transpose(1, 2, 0)))
        strip, floor, ceiling, heights = (np.concatenate(each) for each in zip(*rows))
        is_open = (heights[:, 1] - heights[:, 0]).max(axis=1) > crack
        self._cracks = np.stack([floor, ceiling], axis=1)[~is_open]
        # A tip of the triangle that is left out must be tiny.
        tips = ~is_open & (floor == NO_CONTACT) & (ceiling == NO_CONTACT)
        self.is_doubtful = bool((np.diff(self.x)[strip[tips]] > crack).any()) or not is_open.any()
        self.strip, self.floor, self.ceiling = strip[is_open], floor[is_open], ceiling[is_open]
        self.low, self.high = heights[is_open, 0], heights[is_open, 1]      # (t,2) float64, at both ends of the strip
        self.cell = self._joined()

    def _joined(self) -> np.ndarray:
        """(t,) int64: the cell of each trapezoid, numbered from 0."""
        cell = np.arange(len(self.strip))
        start = np.searchsorted(self.strip, np.arange(len(self.x)))
        for strip in range(1, len(self.x) - 1):
            left, right = np.arange(start[strip - 1], start[strip]), np.arange(start[strip], start[strip + 1])
            shared = (np.minimum.outer(self.high[left, 1], self.high[right, 0])
                      - np.maximum.outer(self.low[left, 1], self.low[right, 0]))
            for one, other in np.argwhere(shared > self.crack).tolist():
                one, other = cell[left[one]], cell[right[other]]
                if one != other:
                    cell[cell == max(one, other)] = min(one, other)
        return np.unique(cell, return_inverse=True)[1]

    def trapezoids(self) -> np.ndarray:
        """(t,4,2) float64 corners."""
        x = np.stack([self.x[self.strip], self.x[self.strip + 1]], axis=1)
        return np.stack([np.stack([x[:, end], side[:, end]], axis=1)
                         for end, side in ((0, self.low), (1, self.low), (1, self.high), (0, self.high))], axis=1)

    def middles(self) -> np.ndarray:
        """(cells,2) float64: the middle of the widest trapezoid of each cell; NaN where it is hardly more than a
        crack."""
        height = (self.high - self.low).mean(axis=1)
        width = np.minimum(height, np.diff(self.x)[self.strip])
        order = np.lexsort((-width, self.cell))
        widest = order[np.unique(self.cell[order], return_index=True)[1]]
        middle = self.trapezoids()[widest].mean(axis=1)
        return np.where((width[widest] > 4.0 * self.crack)[:, None], middle, np.nan)

    def borders(self) -> np.ndarray:
        """(k,2) int64: a cell, and a contact that is floor or ceiling there."""
        found = np.concatenate([np.stack([self.cell, side], axis=1) for side in (self.floor, self.ceiling)])
        return np.unique(found[found[:, 1] != NO_CONTACT], axis=0)

    def around(self, points: np.ndarray) -> np.ndarray:
        """(k,2) int64: a cell, and a point (n,2) that it holds or nearly holds."""
        left, right = self.x[self.strip][:, None], self.x[self.strip + 1][:, None]
        share = np.clip((points[:, 0] - left) / (right - left), 0.0, 1.0)
        low, high = (side[:, :1] + share * (side[:, 1:] - side[:, :1]) for side in (self.low, self.high))
        near = ((points[:, 0] >= left - self.crack) & (points[:, 0] <= right + self.crack)
                & (points[:, 1] >= low - self.crack) & (points[:, 1] <= high + self.crack))
        trapezoid, point = np.nonzero(near)
        return np.unique(np.stack([self.cell[trapezoid], point], axis=1), axis=0)

    def close(self) -> np.ndarray:
        """(k,2) int64: contacts that are floor and ceiling of a crack."""
        return self._cracks[(self._cracks != NO_CONTACT).all(axis=1)]


def _crossings(lines: np.ndarray, crack: float) -> np.ndarray:
    """(k,) float64: the x at which two lines cross, by more than a crack on both sides. lines: as in `_Strips`."""
    lines = np.take_along_axis(lines, lines[..., :1].argsort(axis=1), axis=1)
    (x, y), ends = lines[:, 0].T, lines[:, 1, 0]
    slope = (lines[:, 1, 1] - y) / (ends - x)
    one, other = np.triu_indices(len(lines), 1)
    left, right = np.maximum(x[one], x[other]), np.minimum(ends[one], ends[other])
    above = [y[one] + slope[one] * (at - x[one]) - y[other] - slope[other] * (at - x[other]) for at in (left, right)]
    crosses = (left < right) & (above[0] * above[1] < 0.0) & (np.minimum(*np.abs(above)) > crack)
    share = above[0][crosses] / (above[0] - above[1])[crosses]
    return left[crosses] + share * (right - left)[crosses]
