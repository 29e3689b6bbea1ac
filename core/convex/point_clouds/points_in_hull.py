# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points lie in the hull of very many others, exactly, with a look at few of these (docs/methods/hull_points.md).

Each point is compared with the hull of a few corners. Where it lies outside, the direction between the two leads to the
corner that is highest in it. If that is lower than the point, the point is outside the whole hull; else that corner
joins the few. What float64 leaves undecided is asked in whole numbers in the same way.
"""
from collections.abc import Callable

import numpy as np

from ...geometry.undecided import UNDECIDED
from ...records import Hulls
from ..gjk.gjk import APART, MEET
from ..gjk.rational import Point, closest_points, dot
from ..pairs import Search
from .extremes import HEIGHT_NOISE, Extremes
from .support_tree import SupportTree

POINTS_AT_ONCE = 1 << 11
MAX_CORNERS = 48            # that one point is compared with before whole numbers are asked
WHOLE_NOISE = 2.0 ** -46    # of the size 1, 128 u: a height errs by less than 18 u, 6 u of it for the rounded direction


class ManyCorners:
    """The corners of one hull, ready for points."""

    def __init__(self, extremes: Extremes, corners: np.ndarray, tick: Callable[[], None] = lambda: None):
        """corners: (n,3) float64, all of them, finite. tick(): called some times a second, may raise."""
        self.extremes = extremes
        self.corners = corners
        self.tree = SupportTree(extremes.local(corners), tick)
        axes = np.concatenate([np.eye(3), -np.eye(3)])
        self._first = self.tree.highest(axes)[0]

    def holds(self, points: np.ndarray, threads: int, tick: Callable[[], None]) -> np.ndarray:
        """(n,) bool: which of the points (n,3), about as near as the corners, lie in the hull or on its border. tick():
        called some times a second, may raise."""
        answer = np.empty(len(points), np.int8)
        for first in range(0, len(points), POINTS_AT_ONCE):
            chunk = np.ascontiguousarray(points[first:first + POINTS_AT_ONCE])
            answer[first:first + POINTS_AT_ONCE] = self._look(chunk, threads, tick)
        for row in np.flatnonzero(answer == UNDECIDED).tolist():
            tick()
            answer[row] = MEET if self._holds_exactly(points[row]) else APART
        return answer == MEET

    def _look(self, points: np.ndarray, threads: int, tick) -> np.ndarray:
        """(n,) int8 APART, MEET or UNDECIDED, as far as float64 is certain."""
        n = len(points)
        local = self.extremes.local(points)
        answer = np.full(n, UNDECIDED, np.int8)
        few = np.full((n, MAX_CORNERS), -1, np.int64)
        few[:, :len(self._first)] = self._first
        few[:, len(self._first)] = self._towards(local, threads)[0]
        count = np.full(n, len(self._first) + 1, np.int64)
        hulls = np.zeros((n, MAX_CORNERS, 3))
        hulls[:, :count[0]] = self.corners[few[:, :count[0]]]
        simplex = np.full((n, 8), -1, np.int32)
        rows = np.arange(n)
        while len(rows):
            tick()
            nearest, meet = self._nearest(points[rows], hulls, rows, count[rows], simplex, threads)
            answer[rows[meet]] = MEET
            rows, nearest = rows[~meet], nearest[~meet]
            sure = _certain(nearest)
            rows, nearest = rows[sure], nearest[sure]
            direction = _unit(nearest)
            own = (direction * local[rows]).sum(axis=1)
            noise = HEIGHT_NOISE * (1.0 + np.abs(local[rows]).max(axis=1, initial=0.0))
            top, height = self.tree.highest(direction, threads, own - 4.0 * noise)
            outside = own - height > noise
            answer[rows[outside]] = APART
            answer[rows[(self.corners[top] == points[rows]).all(axis=1)]] = MEET      # a corner itself
            grows = (answer[rows] == UNDECIDED) & (few[rows] != top[:, None]).all(axis=1) & (count[rows] < MAX_CORNERS)
            rows, top = rows[grows], top[grows]
            few[rows, count[rows]] = top
            hulls[rows, count[rows]] = self.corners[top]
            count[rows] += 1
        return answer

    def _towards(self, directions: np.ndarray, threads: int) -> tuple[np.ndarray, np.ndarray]:
        """The highest corners, and how high they are in the coordinates of the extremes."""
        with np.errstate(over="ignore", invalid="ignore"):
            directions = np.nan_to_num(directions, nan=0.0, posinf=1.0, neginf=-1.0)
        return self.tree.highest(directions, threads)

    @staticmethod
    def _nearest(points, hulls, rows, count, simplex, threads) -> tuple[np.ndarray, np.ndarray]:
        """(k,3) each point less the closest point of the hull of its few corners; and (k,) bool, they meet."""
        k = len(rows)
        P = Hulls(np.ascontiguousarray(points), np.arange(k, dtype=np.int64), np.ones(k, np.int64))
        Q = Hulls(hulls.reshape(-1, 3), rows.astype(np.int64) * MAX_CORNERS, count)
        search = Search(P, Q, simplex[rows])
        nearest = np.zeros((k, 3))
        search.in_chunks(lambda start, stop: search.decide(start, stop, search.scratch(), nearest), threads)
        simplex[rows] = search.found.corners
        return nearest, search.found.answer == MEET

    def _holds_exactly(self, point: np.ndarray) -> bool:
        """True where the point lies in the hull, in whole numbers: the same search, with the corners that may be
        highest in each of its directions."""
        scale = _bits_below(self.corners, point)
        P = [_whole(point, scale)]
        Q = _Lazily(self.corners, scale)
        highest = self._towards(self.extremes.local(point[None]), 1)[0]
        return closest_points(P, Q, [(0, int(highest[0]))], self._lowest).meet

    def _lowest(self, P, Q, difference: Point) -> tuple[int, int]:
        """(0, j) as `rational.lowest_corner`: in float64 no corner that is exactly highest is lower than the highest
        one by more than the noise."""
        size = max(map(abs, difference))
        shift = max(0, size.bit_length() - 60)
        direction = np.array([float(x >> shift) for x in difference])
        direction /= np.abs(direction).max()
        height = float(self.tree.highest(direction[None])[1][0])
        rows = self.tree.above(direction, height - WHOLE_NOISE)
        return 0, max(rows.tolist(), key=lambda j: (dot(difference, Q[j]), Q[j]))


class _Lazily:
    """Corners in whole numbers, made when they are asked for."""

    def __init__(self, corners: np.ndarray, scale: int):
        self._corners, self._scale = corners, scale
        self._known: dict[int, Point] = {}

    def __getitem__(self, j: int) -> Point:
        if j not in self._known:
            self._known[j] = _whole(self._corners[j], self._scale)
        return self._known[j]


def _whole(point: np.ndarray, scale: int) -> Point:
    """A point times 2^scale, which makes whole numbers of it."""
    ratios = [number.as_integer_ratio() for number in point.tolist()]
    x, y, z = (above << scale - (below.bit_length() - 1) for above, below in ratios)
    return x, y, z


def _bits_below(corners: np.ndarray, point: np.ndarray) -> int:
    """Binary digits behind the point that are enough for all coordinates."""
    exponents = [np.frexp(each[each != 0.0])[1].min(initial=53) for each in (corners, point)]
    return max(0, 53 - int(min(exponents)))


def _certain(directions: np.ndarray) -> np.ndarray:
    """(n,) bool: finite and not zero."""
    size = np.abs(directions).max(axis=1, initial=0.0)
    return np.isfinite(size) & (size > 0.0)


def _unit(directions: np.ndarray) -> np.ndarray:
    """(n,3) unit up to rounding."""
    directions = directions / np.abs(directions).max(axis=1, keepdims=True, initial=0.0)
    return directions / np.sqrt((directions ** 2).sum(axis=1, keepdims=True))


