# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of hulls, in chunks on a pool of threads: float64 first, whole numbers for what that leaves undecided."""
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np

from ..geometry.undecided import UNDECIDED
from ..memory import refuse_beyond
from ..parallel.pool import run_chunks, thread_count
from ..records import HullAnswers, Hulls, HullScratch, Parallelepipeds
from .boxes import box_scratch, overlaps
from .gjk.exact_simplex import SIMPLEX_TERMS, find_touching
from .gjk.gjk import APART, MEET, approach, witnesses
from .gjk.penetration import depths, polytope_scratch
from .gjk.rational import closest_points, whole_numbers
from .gjk.rational_penetration import least_move
from .gjk.support import LANES

POINTS_PER_CHUNK = 1 << 16      # about a tenth of a millisecond of work
BOXES_PER_CHUNK = 1 << 11
BYTES_PER_WHOLE_POINT = 700     # of a point while it is made into whole numbers
NOT_WANTED = np.empty((0, 3))   # the nearest points, where only the answer is asked for


def quiet() -> None:
    """Nobody watches, nobody cancels."""


def meeting(P: Hulls, Q: Hulls, warm: np.ndarray | None, threads: int | None,
            tick: Callable[[], None] = quiet) -> tuple[np.ndarray, int]:
    """(N,) bool: the hulls meet; and how many pairs were decided in whole numbers.

    warm: (N,8) int32, the corners that the last search ended with, updated in place; None: begin anew. tick(), here and
    below: called between chunks of pairs; may raise Cancelled.
    """
    search = Search(P, Q, warm, tick)
    search.in_chunks(lambda start, stop: search.decide(start, stop, search.scratch(), NOT_WANTED), threads)
    undecided = search.undecided()
    for k in undecided:
        tick()
        p, q, _ = _in_whole_numbers(P, Q, k, tick)
        search.found.answer[k] = MEET if closest_points(p, q, search.last_simplex(k), pause=tick).meet else APART
    return search.found.answer == MEET, len(undecided)


def closest(P: Hulls, Q: Hulls, warm: np.ndarray | None, threads: int | None,
            tick: Callable[[], None] = quiet) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """distance (N,), points p and q (N,3) of P and Q that are so far apart, and how many pairs were decided in whole
    numbers."""
    search = Search(P, Q, warm, tick)
    n = len(P.starts)
    distance, p, q = np.empty(n), np.empty((n, 3)), np.empty((n, 3))

    def chunk(start: int, stop: int) -> None:
        scratch = search.scratch()
        search.decide(start, stop, scratch, p)
        witnesses(P, Q, start, stop, scratch, search.found, distance, p, q)

    search.in_chunks(chunk, threads)
    undecided = search.undecided()
    for k in undecided:
        tick()
        hull_p, hull_q, e = _in_whole_numbers(P, Q, k, tick)
        best = closest_points(hull_p, hull_q, search.last_simplex(k), pause=tick)
        p[k], q[k] = best.point(hull_p, 0, e), best.point(hull_q, 1, e)
        distance[k] = best.distance(e)
    return distance, p, q, len(undecided)


def deepest(P: Hulls, Q: Hulls, threads: int | None,
            tick: Callable[[], None] = quiet) -> tuple[np.ndarray, np.ndarray, int]:
    """depth (N,), unit direction (N,3) in which Q has to go so far, and how many pairs were decided in whole
    numbers."""
    search = Search(P, Q, None, tick)
    n = len(P.starts)
    depth, direction = np.empty(n), np.empty((n, 3))

    def chunk(start: int, stop: int) -> None:
        scratch = search.scratch()
        search.decide(start, stop, scratch, NOT_WANTED)
        depths(P, Q, start, stop, scratch, polytope_scratch(), search.found, depth, direction)

    search.in_chunks(chunk, threads)
    undecided = search.undecided()
    for k in undecided:
        tick()
        hull_p, hull_q, e = _in_whole_numbers(P, Q, k, tick)
        depth[k], direction[k] = least_move(hull_p, hull_q, e, tick)
    return depth, direction, len(undecided)


def _in_whole_numbers(P: Hulls, Q: Hulls, k: int, tick: Callable[[], None]) -> tuple[list, list, int]:
    """Pair k of the hulls as `whole_numbers`. Raises TooLarge where that takes more memory than is free."""
    refuse_beyond(BYTES_PER_WHOLE_POINT * int(P.counts[k] + Q.counts[k]), "The points of two hulls in whole numbers")
    (p, q), e = whole_numbers(P.of(k), Q.of(k), pause=tick)
    return p, q, e


class Search:
    """One search for all pairs of hulls: what it finds, and how threads share it."""

    def __init__(self, P: Hulls, Q: Hulls, warm: np.ndarray | None, tick: Callable[[], None] = quiet):
        """warm, tick: as for `meeting`."""
        n = len(P.starts)
        self.P, self.Q = P, Q
        self.warm = warm is not None
        self._tick = tick
        self.found = HullAnswers(np.empty(n, np.uint8), np.empty((n, 8), np.int32) if warm is None else warm)

    def scratch(self) -> HullScratch:
        """Memory for one thread."""
        capacity = [3 * (int(hulls.counts.max()) + LANES) for hulls in (self.P, self.Q)]
        return HullScratch(np.empty(capacity[0]), np.empty(capacity[1]), np.empty((6, 5)), np.empty(3), np.empty(4),
                           np.empty(SIMPLEX_TERMS))

    def approach(self, start: int, stop: int, scratch: HullScratch, nearest: np.ndarray) -> int:
        """Decide pairs in float64; returns how many are left. nearest: (N,3), written, or NOT_WANTED."""
        return approach(self.P, self.Q, start, stop, len(nearest) == 0, self.warm, scratch, nearest,
                        self.found)

    def decide(self, start: int, stop: int, scratch: HullScratch, nearest: np.ndarray) -> None:
        """Decide pairs in float64, then by exact signs. nearest: as for `approach`."""
        if self.approach(start, stop, scratch, nearest):
            find_touching(self.P, self.Q, start, stop, scratch, self.found)

    def in_chunks(self, work: Callable[[int, int], object], threads: int | None) -> None:
        """Call work(start, stop) for all pairs, in chunks."""
        n = len(self.found.answer)
        if n:
            step = max(1, POINTS_PER_CHUNK // int(self.P.counts.max() + self.Q.counts.max() + 16))
            run_chunks(lambda number: work(number * step, min(n, (number + 1) * step)), -(-n // step),
                       thread_count(threads), lambda done: self._tick())

    def last_simplex(self, k: int) -> list[list[int]]:
        """Numbers (i, j) of the points of P and Q whose differences are its corners."""
        return [corner for corner in self.found.corners[k].reshape(4, 2).tolist() if corner[0] >= 0]

    def undecided(self) -> list[int]:
        """Numbers of the pairs that are."""
        return np.flatnonzero(self.found.answer == UNDECIDED).tolist()


def overlapping(first: Parallelepipeds, second: Parallelepipeds, threads: int | None) -> tuple[np.ndarray, int]:
    """(N,) bool: box i of one side meets box i of the other; and how many pairs were decided in whole numbers."""
    n = len(first.centres)
    answer = np.empty(n, np.uint8)

    def chunk(number: int) -> None:
        overlaps(first, second, number * BOXES_PER_CHUNK, min(n, (number + 1) * BOXES_PER_CHUNK), box_scratch(), answer)

    run_chunks(chunk, -(-n // BOXES_PER_CHUNK), thread_count(threads), lambda done: None)
    undecided = np.flatnonzero(answer == UNDECIDED).tolist()
    for k in undecided:
        (p, q), _ = whole_numbers(*(_corners(*(array[k].tolist() for array in boxes)) for boxes in (first, second)))
        answer[k] = MEET if closest_points(p, q).meet else APART
    return answer == MEET, len(undecided)


def _corners(centre, axes, half_sizes) -> list[list[Fraction]]:
    """The eight corners of a box of floats, exactly."""
    sides = [[Fraction(row[i]) * Fraction(half_sizes[i]) for row in axes] for i in range(3)]
    return [[Fraction(middle) + sum(sign * side[x] for sign, side in zip(signs, sides)) for x, middle in
             enumerate(centre)] for signs in product((-1, 1), repeat=3)]
