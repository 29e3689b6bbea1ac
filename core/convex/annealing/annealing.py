# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of two convex hulls as a program with constraints, solved by simulated annealing and a genetic search.

    minimise |Σ λᵢpᵢ − Σ μⱼqⱼ|²   where Σλᵢ = Σμⱼ = 1, λᵢ ≥ 0, μⱼ ≥ 0

After Xia and Zhao, "Collision detection between convex polyhedra by simulated annealing and a genetic algorithm"
(2008), as quoted among the related work of Liu (2014): the rule of annealing decides which mutations and which children
stay (docs/methods/saga.md). Slow: a reference beside GJK, with which it shares no code. It proves what it finds: any
weights give a distance that is not too small, any direction one that is not too large.
"""
import zlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...records import Population
from .evolve import STATE_COLUMNS, best_of, evolve, narrow, shallowest

INDIVIDUALS = 12
MOVES = 32                  # mutations of each individual between two cross-overs
FROZEN_MOVES = 256          # between two looks at the bounds
MAX_LOOKS = 1000            # at the bounds
LOOKS_PER_CALL = 20         # between two questions whether to stop, at most, and
POINTS_PER_CALL = 1 << 26   # that are looked at between them: a tenth of a second
SAMPLED_DIRECTIONS = 256    # looked at for the depth
DESCENTS = 12               # from the best of these directions,
DESCENT_STEPS = 400         # with so many steps each
COLD_DESCENTS = 4           # from the best of those,
COLD_STEPS = 4000           # with so many steps downhill only
WARM = 0.01                 # of the size: by so much a depth may rise at first
DEFAULT_TOLERANCE = 1e-6    # a share of the size


class Found(NamedTuple):
    """What is known of a pair of hulls. Their true distance lies between `lower` and `distance`."""

    distance: float
    lower: float
    p: np.ndarray           # (3,) float64, in the hull of P
    q: np.ndarray           # (3,) float64, in the hull of Q, `distance` away from p
    size: float             # the longest edge of the box around both, which the tolerance is a share of


def distance(P, Q, tolerance: float = DEFAULT_TOLERANCE) -> Found:
    """The distance of the hulls of P (n,3) and Q (m,3), known to the tolerance, a share of the size of both, unless
    MAX_LOOKS were too few: `distance − lower` says which. The same for any order of the points.

    Raises ValueError for other shapes, no points, NaN or infinity.
    """
    pair = Program(P, Q)
    return pair.distance(tolerance * pair.size, 0.0)


class Program:
    """Two hulls, ready to be asked: without repeated points, in an order of their own, and of a size about 1."""

    def __init__(self, P, Q):
        sides = [_as_points(P), _as_points(Q)]
        self.swapped = sides[0].tobytes() > sides[1].tobytes()
        if self.swapped:
            sides.reverse()
        points = np.concatenate(sides)
        self.n = len(sides[0])
        self.origin = points[0]
        with np.errstate(over="ignore"):
            largest = np.abs(points - self.origin).max()
        # In two steps, since a difference of two of the largest floats is none.
        first = 0 if np.isfinite(largest) else 2
        local = np.ldexp(points, -first) - np.ldexp(self.origin, -first)
        exponent = int(np.frexp(np.abs(local).max())[1])
        self.exponent = exponent + first
        self.points = np.ldexp(local, -exponent)
        self.extent = float(np.ptp(self.points, axis=0).max())
        self.state = np.array([zlib.crc32(points.tobytes(), seed) % 2147483000 + 1 for seed in (1, 2)], np.int64)

    @property
    def size(self) -> float:
        """The longest edge of the box around both."""
        return self._length(self.extent)

    def distance(self, gap: float, meeting: float, beyond: float = np.inf,
                 stop: Callable[[], bool] = lambda: False) -> Found:
        """The distance, known to `gap`, or known to be no more than `meeting` or more than `beyond` (lengths), or as
        far as it is known when stop() says True or MAX_LOOKS are done."""
        weights, ends = np.zeros((INDIVIDUALS + 1, len(self.points))), np.zeros(2)
        weights[:INDIVIDUALS] = self._first_weights()
        people = Population(self.points, self.n, weights, np.empty((INDIVIDUALS + 1, STATE_COLUMNS)), self.state)
        schedule, most = np.zeros(3), max(1, POINTS_PER_CALL // (MOVES * len(self.points)))
        while not evolve(people, MOVES, schedule, most) and not stop():
            pass
        best = best_of(people, schedule[1])
        looks = max(1, min(LOOKS_PER_CALL, POINTS_PER_CALL // (FROZEN_MOVES * len(self.points))))
        for _ in range(0, MAX_LOOKS, looks):
            if narrow(people, best, self._local(gap), self._local(meeting), self._local(beyond), FROZEN_MOVES,
                      looks, ends) or stop():
                break
        p, q = (np.ldexp(weights[best, rows] @ self.points[rows], self.exponent) + self.origin
                for rows in (slice(0, self.n), slice(self.n, None)))
        if self.swapped:
            p, q = q, p
        return Found(self._length(ends[1]), self._length(ends[0]), p, q, self.size)

    def depth(self, stop: Callable[[], bool] = lambda: False) -> float:
        """The shortest length found by which one hull can move until they share at most their borders. Never less than
        the shortest there is, up to rounding. When stop() says True, nothing in particular."""
        starts = _directions(SAMPLED_DIRECTIONS)
        heights = self.points @ starts.T
        widths = heights[self.n:].max(axis=0) - heights[:self.n].min(axis=0)
        found = []
        for start in np.argsort(widths, kind="stable")[:DESCENTS]:
            direction = np.stack([starts[start]] * 2)
            found.append((self._shallowest(direction, DESCENT_STEPS, WARM, stop), direction))
        found.sort(key=lambda each: each[0])
        best = min(self._shallowest(direction, COLD_STEPS, 0.0, stop) for _, direction in found[:COLD_DESCENTS])
        return max(0.0, self._length(best))

    def _shallowest(self, direction: np.ndarray, steps: int, warm: float, stop: Callable[[], bool]) -> float:
        """`evolve.shallowest`, with a question whether to stop now and then."""
        lengths, most = np.zeros(2), max(1, POINTS_PER_CALL // len(self.points))
        for first in range(0, steps, most):
            shallowest(self.points, self.n, direction, steps, warm, self.state, first, min(steps, first + most),
                       lengths)
            if stop():
                break
        return float(lengths[0])

    def _first_weights(self) -> np.ndarray:
        """(INDIVIDUALS, points): one point of each hull each, in turn."""
        weights = np.zeros((INDIVIDUALS, len(self.points)))
        m = len(self.points) - self.n
        for k in range(INDIVIDUALS):
            weights[k, k * self.n // INDIVIDUALS] = 1.0
            weights[k, self.n + (5 * k % INDIVIDUALS) * m // INDIVIDUALS] = 1.0
        return weights

    def _length(self, local: float) -> float:
        with np.errstate(over="ignore"):
            return float(np.ldexp(local, self.exponent))

    def _local(self, length: float) -> float:
        return float(np.ldexp(length, -self.exponent))


def _directions(count: int) -> np.ndarray:
    """(count + 6, 3) unit vectors: along the axes, and a spiral all over the sphere."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    angle = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    across = np.sqrt(1.0 - z * z)
    return np.concatenate([np.eye(3), -np.eye(3), np.stack([across * np.cos(angle), across * np.sin(angle), z], 1)])


def _as_points(given) -> np.ndarray:
    """(n,3) float64, each point once, ordered by coordinates. Raises ValueError as `distance` does."""
    points = np.asarray(given, np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) == 0:
        raise ValueError(f"the points of a hull must have the shape (n, 3) with n ≥ 1, not {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError("the points of hulls must be finite")
    return np.unique(points + 0.0, axis=0)
