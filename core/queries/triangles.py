# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles, N at a time."""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_numbers
from ..contacts import Contacts
from ..narrow_phase.triangle_filter import PROPER
from ..narrow_phase.triangle_pairs import BUFFER, CandidateFilter, contacts_at, corners_of_pairs
from ..parallel import run_chunks, thread_count
from ..records import Corners

TRIANGLE_PAIRS_AT_ONCE = 1 << 17    # in one piece of work: some milliseconds, some megabytes


def triangles_intersect(A: ArrayLike, B: ArrayLike) -> np.ndarray:
    """(N,) bool: triangle A[i] meets triangle B[i]. A, B: (N,3,3) float64, finite. Raises ValueError otherwise."""
    A, B = _checked(A, B)
    hit = np.zeros(len(A), bool)

    def chunk(start, hits, sure, sides):
        hit[start + hits[sure, 0]] = True
        hit[start + _contacts(hits[~sure], sides).pair] = True

    _filter(A, B, chunk)
    return hit


def triangle_intersections(A: ArrayLike, B: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """What triangle A[i] and triangle B[i] share: kind (N,) int8 and points (N,2,3) float64.

    kind: 0 nothing, 1 a point, 2 a segment, 3 a coplanar area. points: the ends of the segment, the point twice, the
    two farthest corners of the area; NaN where there is nothing. A, B: (N,3,3) float64, finite. Raises ValueError
    otherwise.
    """
    A, B = _checked(A, B)
    kind = np.zeros(len(A), np.int8)
    points = np.full((len(A), 2, 3), np.nan)

    def chunk(start, hits, sure, sides):
        found = _contacts(hits, sides)
        kind[start + found.pair] = found.kind
        points[start + found.pair] = found.point

    _filter(A, B, chunk)
    return kind, points


def _filter(A: np.ndarray, B: np.ndarray, use) -> None:
    """Call use(start, hits, sure, (a, b, corners)) for each chunk of the pairs, on several threads.

    hits: (n,3) int32, pairs from `start` on that the float filter does not tell apart; sure: (n,) bool, those of them
    of which it knows that they meet.
    """
    def work(number):
        start = number * TRIANGLE_PAIRS_AT_ONCE
        sides = corners_of_pairs(A[start:start + TRIANGLE_PAIRS_AT_ONCE], B[start:start + TRIANGLE_PAIRS_AT_ONCE])
        candidate_filter, n = CandidateFilter(), len(sides[0])
        for first in range(0, n, BUFFER):
            count = min(BUFFER, n - first)
            candidate_filter.candidates[:count, 0] = np.arange(first, first + count)
            candidate_filter.candidates[:count, 1:] = 0
            kept = candidate_filter.keep(count, *sides)
            if kept:
                use(start, candidate_filter.candidates[:kept].copy(), candidate_filter.result[:kept] == PROPER, sides)

    run_chunks(work, -(-len(A) // TRIANGLE_PAIRS_AT_ONCE), thread_count(None), no_tick)


def _contacts(hits: np.ndarray, sides: tuple[np.ndarray, np.ndarray, Corners]) -> Contacts:
    """The contacts of hits (n,3), on this thread. sides: as `corners_of_pairs` gives them."""
    a, b, corners = sides
    return contacts_at(hits, np.arange(len(hits), dtype=np.int32), a, b, corners, 1, no_tick)


def no_tick(*_) -> None:
    """Nobody watches a query."""


def _checked(A, B) -> tuple[np.ndarray, np.ndarray]:
    """Both sides as (N,3,3) float64, C order. Raises ValueError for other shapes or numbers that are not finite."""
    A, B = as_numbers(A, "A"), as_numbers(B, "B")
    A, B = (side if side.size else np.zeros((0, 3, 3)) for side in (A, B))
    if A.shape != B.shape or A.ndim != 3 or A.shape[1:] != (3, 3):
        raise ValueError(f"A and B must have the shape (N, 3, 3), not {A.shape} and {B.shape}")
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        raise ValueError("A and B must be finite")
    return A, B
