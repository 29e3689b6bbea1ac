# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles, N at a time."""
import numpy as np

from ..arrays import Corners, as_numbers
from ..contacts import Contacts
from ..narrow_phase.triangle_filter import CROSSING
from ..narrow_phase.triangle_pairs import BUFFER, CandidateFilter, contacts_at, corners_of_pairs
from ..parallel import run_chunks, thread_count

PART = 1 << 17              # pairs in one piece of work: some milliseconds, some megabytes


def triangles_intersect(A, B) -> np.ndarray:
    """(N,) bool: triangle A[i] meets triangle B[i]. A, B: (N,3,3) float64, finite. Raises ValueError otherwise."""
    A, B = _checked(A, B)
    hit = np.zeros(len(A), bool)

    def part(start, hits, crossing, sides):
        hit[start + hits[crossing, 0]] = True
        open_ = hits[~crossing]
        hit[start + _contacts(open_, sides).pair] = True

    _sift(A, B, part)
    return hit


def triangle_intersections(A, B) -> tuple[np.ndarray, np.ndarray]:
    """What triangle A[i] and triangle B[i] share: kind (N,) int8 and points (N,2,3) float64.

    kind: 0 nothing, 1 a point, 2 a segment, 3 a coplanar area. points: the ends of the segment, twice the point, the
    two farthest corners of the area; NaN where there is nothing. Raises ValueError for other shapes or NaN.
    """
    A, B = _checked(A, B)
    kind = np.zeros(len(A), np.int8)
    points = np.full((len(A), 2, 3), np.nan)

    def part(start, hits, crossing, sides):
        found = _contacts(hits, sides)
        kind[start + found.pair] = found.kind
        points[start + found.pair] = found.point

    _sift(A, B, part)
    return kind, points


def _sift(A: np.ndarray, B: np.ndarray, use) -> None:
    """Call use(start, hits, crossing, (a, b, corners)) for each part of the pairs, on several threads: the hits are
    what the float filter leaves, `crossing` those of them of which it is sure."""
    def work(number):
        start = number * PART
        sides = corners_of_pairs(A[start:start + PART], B[start:start + PART])
        candidate_filter, n = CandidateFilter(), len(sides[0])
        for first in range(0, n, BUFFER):
            count = min(BUFFER, n - first)
            candidate_filter.candidates[:count, 0] = np.arange(first, first + count)
            candidate_filter.candidates[:count, 1:] = 0
            kept = candidate_filter.keep(count, *sides)
            if kept:
                use(start, candidate_filter.candidates[:kept].copy(), candidate_filter.result[:kept] == CROSSING, sides)

    run_chunks(work, (len(A) + PART - 1) // PART, thread_count(None), _no_tick)


def _contacts(hits: np.ndarray, sides: tuple[np.ndarray, np.ndarray, Corners]) -> Contacts:
    a, b, corners = sides
    return contacts_at(hits, np.arange(len(hits), dtype=np.int32), a, b, corners, 1, _no_tick)


def _no_tick(done) -> None:
    pass


def _checked(A, B) -> tuple[np.ndarray, np.ndarray]:
    A, B = as_numbers(A, "A"), as_numbers(B, "B")
    A, B = (side if side.size else np.zeros((0, 3, 3)) for side in (A, B))
    if A.shape != B.shape or A.ndim != 3 or A.shape[1:] != (3, 3):
        raise ValueError(f"A and B must have the shape (N, 3, 3), not {A.shape} and {B.shape}")
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        raise ValueError("A and B must be finite")
    return A, B
