# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of hulls, in chunks on a pool of threads: float64 first, whole numbers for what that leaves undecided."""
from fractions import Fraction
from itertools import product

import numpy as np

from ..parallel.pool import run_chunks, thread_count
from .boxes import TERMS, overlaps
from .gjk import exact_simplex
from .gjk.gjk import APART, MEET, UNDECIDED, approach, witnesses
from .gjk.penetration import MOST_CORNERS, MOST_FACES, depths
from .gjk.rational import closest_points, whole_numbers
from .gjk.rational_penetration import least_move
from .gjk.support import LANES
from .hulls.hulls import Hulls

POINTS_PER_CHUNK = 1 << 15      # about half a millisecond of work
BOXES_PER_CHUNK = 1 << 11


def quiet() -> None:
    """Nobody watches, nobody cancels."""


def meeting(P: Hulls, Q: Hulls, warm: np.ndarray | None, threads: int | None, tick=quiet) -> tuple[np.ndarray, int]:
    """(N,) bool, and how many pairs were decided in whole numbers. warm: (N,8) int32, see `gjk.approach`. tick(), here
    and below: called between chunks of pairs; may raise Cancelled."""
    search = Search(P, Q, warm, tick)
    search.run(lambda start, stop: search.approach(start, stop, np.empty((0, 3))), threads)
    undecided = search.undecided()
    for k in undecided:
        tick()
        (p, q), _ = whole_numbers(P.of(k), Q.of(k))
        search.answer[k] = MEET if closest_points(p, q, search.found(k)).meet else APART
    return search.answer == MEET, len(undecided)


def closest(P: Hulls, Q: Hulls, warm: np.ndarray | None, threads: int | None, tick=quiet):
    """distance (N,), p (N,3), q (N,3), and how many pairs were decided in whole numbers."""
    search = Search(P, Q, warm, tick)
    n = len(search.answer)
    distance, p, q = np.empty(n), np.empty((n, 3)), np.empty((n, 3))

    def part(start: int, stop: int) -> None:
        search.approach(start, stop, p)
        witnesses(*P, *Q, start, stop, np.empty((6, 5)), np.empty(3), np.empty(4), search.corners, search.answer,
                  distance, p, q)

    search.run(part, threads)
    undecided = search.undecided()
    for k in undecided:
        tick()
        (hull_p, hull_q), e = whole_numbers(P.of(k), Q.of(k))
        best = closest_points(hull_p, hull_q, search.found(k))
        p[k], q[k] = best.point(hull_p, 0, e), best.point(hull_q, 1, e)
        distance[k] = best.distance(e)
    return distance, p, q, len(undecided)


def deepest(P: Hulls, Q: Hulls, threads: int | None, tick=quiet):
    """depth (N,), direction (N,3), and how many pairs were decided in whole numbers."""
    search = Search(P, Q, None, tick)
    n = len(search.answer)
    depth, direction = np.empty(n), np.empty((n, 3))

    def part(start: int, stop: int) -> None:
        search.approach(start, stop, np.empty((0, 3)))
        depths(*P, *Q, start, stop, *search.packed(), search.corners, np.empty((MOST_CORNERS, 3)),
               np.empty((MOST_CORNERS, 2), np.int64), np.empty((MOST_FACES, 3), np.int64), np.empty((MOST_FACES, 7)),
               np.empty((3 * MOST_FACES, 2), np.int64), np.zeros((MOST_CORNERS, MOST_CORNERS), np.int8),
               search.answer, depth, direction)

    search.run(part, threads)
    undecided = search.undecided()
    for k in undecided:
        tick()
        (hull_p, hull_q), e = whole_numbers(P.of(k), Q.of(k))
        depth[k], direction[k] = least_move(hull_p, hull_q, e)
    return depth, direction, len(undecided)


class Search:
    """One search for all pairs of hulls: what it finds, and how it is shared by threads."""

    def __init__(self, P: Hulls, Q: Hulls, warm: np.ndarray | None, tick=quiet):
        n = len(P.starts)
        self.P, self.Q = P, Q
        self.warm = warm is not None
        self._tick = tick
        self.corners = np.empty((n, 8), np.int32) if warm is None else warm
        self.answer = np.empty(n, np.uint8)

    def packed(self) -> tuple[np.ndarray, np.ndarray]:
        """Scratch for the points of one hull of each side."""
        room = [3 * (int(hulls.counts.max()) + LANES) for hulls in (self.P, self.Q)]
        return np.empty(room[0]), np.empty(room[1])

    def approach(self, start: int, stop: int, nearest: np.ndarray) -> None:
        """nearest: (N,3), or (0,3) where only it is asked whether they meet."""
        approach(*self.P, *self.Q, start, stop, *self.packed(), np.empty((6, 5)), np.empty(4), len(nearest) == 0,
                 self.warm, self.corners, nearest, self.answer)
        exact_simplex.find_touching(self.P.points, self.P.starts, self.Q.points, self.Q.starts, start, stop,
                                    self.corners, np.empty((6, 5)), np.empty(exact_simplex.TERMS), self.answer)

    def run(self, part, threads: int | None) -> None:
        """part(start, stop) for all pairs, in chunks."""
        n = len(self.answer)
        if n:
            step = max(1, POINTS_PER_CHUNK // int(self.P.counts.max() + self.Q.counts.max() + 16))
            run_chunks(lambda number: part(number * step, min(n, (number + 1) * step)), -(-n // step),
                       thread_count(threads), lambda done: self._tick())

    def found(self, k: int) -> list[list[int]]:
        """The corners of the last simplex."""
        return [corner for corner in self.corners[k].reshape(4, 2).tolist() if corner[0] >= 0]

    def undecided(self) -> list[int]:
        return np.flatnonzero(self.answer == UNDECIDED).tolist()


def overlapping(boxes: tuple[np.ndarray, ...], threads: int | None) -> tuple[np.ndarray, int]:
    """(N,) bool for c1, R1, h1, c2, R2, h2, and how many pairs were decided in whole numbers."""
    n = len(boxes[0])
    answer = np.empty(n, np.uint8)

    def chunk(number: int) -> None:
        scratch = np.empty((6, 3)), np.empty((7, 3)), np.empty((3, 3)), np.empty(TERMS)
        overlaps(*boxes, number * BOXES_PER_CHUNK, min(n, (number + 1) * BOXES_PER_CHUNK), *scratch, answer)

    run_chunks(chunk, -(-n // BOXES_PER_CHUNK), thread_count(threads), lambda done: None)
    undecided = np.flatnonzero(answer == UNDECIDED).tolist()
    for k in undecided:
        (p, q), _ = whole_numbers(*(_corners(*(array[k].tolist() for array in box)) for box in (boxes[:3], boxes[3:])))
        answer[k] = MEET if closest_points(p, q).meet else APART
    return answer == MEET, len(undecided)


def _corners(centre, axes, half) -> list[list[Fraction]]:
    sides = [[Fraction(row[i]) * Fraction(half[i]) for row in axes] for i in range(3)]
    return [[Fraction(at) + sum(sign * side[x] for sign, side in zip(signs, sides)) for x, at in enumerate(centre)]
            for signs in product((-1, 1), repeat=3)]

