# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of hulls, in chunks on a pool of threads: float64 first, whole numbers for what that leaves undecided."""
from fractions import Fraction
from itertools import product

import numpy as np

from ..parallel.pool import run_chunks, thread_count
from .boxes import TERMS, overlaps
from .gjk import APART, MEET, UNDECIDED, distances, meets
from .hulls import Hulls
from .penetration import MOST_CORNERS, MOST_FACES, depths
from .rational import closest_points, whole_numbers
from .rational_depth import least_move
from .support import LANES

POINTS_PER_CHUNK = 1 << 15      # about half a millisecond of work
BOXES_PER_CHUNK = 1 << 11


def meeting(P: Hulls, Q: Hulls, warm: np.ndarray, threads: int | None) -> tuple[np.ndarray, int]:
    """(N,) bool, and how many pairs were decided in whole numbers."""
    answer = np.empty(len(P.starts), np.uint8)
    _in_chunks(lambda start, stop, scratch: meets(*P, *Q, start, stop, warm, *scratch, answer), P, Q, threads)
    undecided = np.flatnonzero(answer == UNDECIDED).tolist()
    for k in undecided:
        (p, q), _ = whole_numbers(P.of(k), Q.of(k))
        answer[k] = MEET if closest_points(p, q).meet else APART
    return answer == MEET, len(undecided)


def closest(P: Hulls, Q: Hulls, warm: np.ndarray, threads: int | None):
    """distance (N,), p (N,3), q (N,3), and how many pairs were decided in whole numbers."""
    n = len(P.starts)
    answer = np.empty(n, np.uint8)
    distance, p, q = np.empty(n), np.empty((n, 3)), np.empty((n, 3))
    _in_chunks(lambda start, stop, scratch: distances(*P, *Q, start, stop, warm, *scratch, answer, distance, p, q),
               P, Q, threads)
    undecided = np.flatnonzero(answer == UNDECIDED).tolist()
    for k in undecided:
        (hull_p, hull_q), e = whole_numbers(P.of(k), Q.of(k))
        best = closest_points(hull_p, hull_q)
        p[k], q[k] = best.point(hull_p, 0, e), best.point(hull_q, 1, e)
        distance[k] = best.distance(e)
    return distance, p, q, len(undecided)


def deepest(P: Hulls, Q: Hulls, threads: int | None):
    """depth (N,), direction (N,3), and how many pairs were decided in whole numbers."""
    n = len(P.starts)
    answer = np.empty(n, np.uint8)
    depth, direction = np.empty(n), np.empty((n, 3))
    cold = np.empty((0, 8), np.int32)

    def part(start: int, stop: int, scratch) -> None:
        more = (np.empty((MOST_CORNERS, 3)), np.empty((MOST_CORNERS, 2), np.int64),
                np.empty((MOST_FACES, 3), np.int64), np.empty((MOST_FACES, 7)),
                np.empty((3 * MOST_FACES, 2), np.int64), np.zeros((MOST_CORNERS, MOST_CORNERS), np.int8))
        depths(*P, *Q, start, stop, cold, *scratch, *more, answer, depth, direction)

    _in_chunks(part, P, Q, threads)
    undecided = np.flatnonzero(answer == UNDECIDED).tolist()
    for k in undecided:
        (hull_p, hull_q), e = whole_numbers(P.of(k), Q.of(k))
        depth[k], direction[k] = least_move(hull_p, hull_q, e)
    return depth, direction, len(undecided)


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


def _in_chunks(work, P: Hulls, Q: Hulls, threads: int | None) -> None:
    """work(start, stop, scratch) for all pairs."""
    n = len(P.starts)
    if n == 0:
        return
    most_p, most_q = int(P.counts.max()), int(Q.counts.max())
    step = max(1, POINTS_PER_CHUNK // (most_p + most_q + 16))

    def chunk(number: int) -> None:
        scratch = (np.empty(3 * (most_p + LANES)), np.empty(3 * (most_q + LANES)), np.empty((4, 3)),
                   np.empty((4, 2), np.int64), np.empty(4), np.empty(4), np.empty(4))
        work(number * step, min(n, (number + 1) * step), scratch)

    run_chunks(chunk, -(-n // step), thread_count(threads), lambda done: None)
