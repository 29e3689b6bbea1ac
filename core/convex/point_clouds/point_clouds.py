# SPDX-License-Identifier: GPL-3.0-or-later
"""Point clouds by their convex hulls: do two hulls meet, do they share more than borders, which points of one lie in
the other. All answers are exact for the points as given (docs/methods/hull_points.md).

After Tang, Jiang, Song and Su, "Collision detection for objects of dense point sets by convex hulls", Computer
Engineering and Applications 44(16), 2008, as quoted among the related work of Liu (2014): extremes first, then hulls,
then the points in both.
"""
from collections.abc import Callable
from functools import partial

import numpy as np

from ...geometry.undecided import UNDECIDED
from ...records import Hulls
from ..gjk.gjk import MEET
from ..pairs import NOT_WANTED, Search, closest, deepest, meeting, quiet
from .extremes import Extremes
from .points_in_hull import ManyCorners

HULL_PAIRS_AT_ONCE = 1 << 12
MANY_CORNERS = 1 << 9       # from which on a point is not compared with each of them
NO_POINT_SHARED, BORDER, VOLUME = 0, 1, 2   # what two hulls share: no point; points of their borders only; more


class PointClouds:
    """Some clouds of points, whose extremes and boxes are found once, at the start."""

    def __init__(self, count: int, cloud: Callable[[int], np.ndarray], threads: int = 1,
                 tick: Callable[[float], None] = lambda fraction: None):
        """cloud(k): the points of one of `count` clouds, (n,3) float64. tick: called with the fraction done; may raise
        Cancelled."""
        self.points = cloud
        self.threads = threads
        self._many: dict[int, ManyCorners] = {}     # of large hulls, by cloud
        self.extremes = []
        self.box = np.empty((count, 2, 3))          # lowest and highest coordinates, exact
        for k in range(count):
            self.extremes.append(Extremes(cloud(k), threads, partial(tick, k / count)))
            corners = cloud(k)[self.extremes[k].corners]
            self.box[k] = corners.min(axis=0), corners.max(axis=0)
        corners_of = [self.points(k)[each.corners] for k, each in enumerate(self.extremes)]
        counts = np.array([len(corners) for corners in corners_of], np.int64)
        corners = np.concatenate([np.zeros((0, 3)), *corners_of])
        self._hulls = Hulls(np.ascontiguousarray(corners), np.cumsum(counts) - counts, counts)

    def boxes_meet(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(n,) bool: False where the exact boxes of clouds a[i] and b[i] are apart. a, b: (n,) numbers of clouds."""
        return ((self.box[a, 0] <= self.box[b, 1]) & (self.box[b, 0] <= self.box[a, 1])).all(axis=1)

    def shared(self, a: np.ndarray, b: np.ndarray, tick=quiet) -> tuple[np.ndarray, int]:
        """(n,) int8 NO_POINT_SHARED, BORDER or VOLUME for the hulls of clouds a[i] and b[i], and how many of these
        needed exact arithmetic. VOLUME includes a flat hull that another one passes through: see `convex_penetration`.
        tick(): may raise Cancelled."""
        P, Q = self._hulls_of(a), self._hulls_of(b)
        answer, strict = self._first_look(P, Q, tick)
        result = np.where(answer == MEET, BORDER, NO_POINT_SHARED).astype(np.int8)
        rows = np.flatnonzero(answer == UNDECIDED)
        meet, exact = meeting(_rows(P, rows), _rows(Q, rows), None, self.threads, tick)
        result[rows[meet]] = BORDER
        rows = np.flatnonzero((result == BORDER) & ~strict)
        depth, _, more = deepest(_rows(P, rows), _rows(Q, rows), self.threads, tick)
        result[rows[depth > 0.0]] = VOLUME
        result[strict] = VOLUME
        return result, exact + more

    def gaps(self, a: np.ndarray, b: np.ndarray, tick=quiet) -> tuple[np.ndarray, np.ndarray]:
        """(n,) float64 distances of the hulls of clouds a[i] and b[i], 0 where they meet, and (n,2,3) points of each
        that are so close. tick(): may raise Cancelled."""
        distance, p, q, _ = closest(self._hulls_of(a), self._hulls_of(b), None, self.threads, tick)
        return distance, np.stack([p, q], axis=1)

    def inside(self, points: np.ndarray, k: int, tick=quiet) -> np.ndarray:
        """(n,) bool: which of the points (n,3) float64 lie in the hull of cloud k or on its border. tick(): may raise
        Cancelled."""
        extremes = self.extremes[k]
        inside = np.zeros(len(points), bool)
        rows = np.flatnonzero(((points >= self.box[k, 0]) & (points <= self.box[k, 1])).all(axis=1))
        surely = extremes.certainly_inside(points[rows], self.threads, tick)
        inside[rows[surely]] = True
        rows = rows[~surely]
        rows = rows[~extremes.certainly_outside(points[rows], tick)]
        few = self.points(k)[extremes.extreme]
        if len(few) < len(extremes.corners):        # most are in what the extremes alone span
            surely = self._meet(points[rows], _hull(few), True, tick)
            inside[rows[surely]] = True
            rows = rows[~surely]
        if len(extremes.corners) <= MANY_CORNERS:
            inside[rows] = self._meet(points[rows], _rows(self._hulls, np.array([k])), False, tick)
        elif len(rows):
            if k not in self._many:
                self._many[k] = ManyCorners(extremes, self.points(k)[extremes.corners], tick)
            inside[rows] = self._many[k].holds(points[rows], self.threads, tick)
        return inside

    def _meet(self, points: np.ndarray, hull: Hulls, if_sure: bool, tick) -> np.ndarray:
        """(n,) bool: points in one hull; with if_sure only those that float64 is sure of."""
        points, row = np.unique(points + 0.0, axis=0, return_inverse=True)
        found = np.zeros(len(points), bool)
        for first in range(0, len(points), HULL_PAIRS_AT_ONCE):
            chunk = np.ascontiguousarray(points[first:first + HULL_PAIRS_AT_ONCE])
            n = len(chunk)
            P = Hulls(chunk, np.arange(n, dtype=np.int64), np.ones(n, np.int64))
            Q = Hulls(hull.points, np.repeat(hull.starts, n), np.repeat(hull.counts, n))
            if if_sure:
                found[first:first + HULL_PAIRS_AT_ONCE] = self._first_look(P, Q, tick)[0] == MEET
            else:
                found[first:first + HULL_PAIRS_AT_ONCE] = meeting(P, Q, None, self.threads, tick)[0]
        return found[row.reshape(-1)]

    def _first_look(self, P: Hulls, Q: Hulls, tick) -> tuple[np.ndarray, np.ndarray]:
        """(N,) APART, MEET or UNDECIDED in float64; (N,) bool, the origin is certainly inside a tetrahedron of
        differences, so that the hulls share more than borders."""
        search = Search(P, Q, None, tick)
        search.in_chunks(lambda start, stop: search.approach(start, stop, search.scratch(), NOT_WANTED), self.threads)
        answer, corners = search.found
        return answer, (answer == MEET) & (corners[:, 6] >= 0)

    def _hulls_of(self, which: np.ndarray) -> Hulls:
        return _rows(self._hulls, which)


def _rows(hulls: Hulls, which: np.ndarray) -> Hulls:
    """Some of the hulls, in that order."""
    return Hulls(hulls.points, np.ascontiguousarray(hulls.starts[which]), np.ascontiguousarray(hulls.counts[which]))


def _hull(points: np.ndarray) -> Hulls:
    """One hull."""
    return Hulls(np.ascontiguousarray(points), np.zeros(1, np.int64), np.array([len(points)], np.int64))
