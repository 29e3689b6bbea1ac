# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles, by slot → contacts: filter, exact decision, rational decision, in this order."""
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Corners
from ..contacts import Contacts
from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.triangle_triangle import MOST_POINTS
from ..parallel import run_chunks
from ..reference.triangle_pair import shared_part
from .triangle_contacts import RATIONAL, classify, locate
from .triangle_filter import BLOCK, ROWS

BUFFER = 1 << 14            # candidates at a time
CHUNK = 1 << 12             # contacts that are worth a thread: four tenths of a millisecond


@dataclass(eq=False)
class CandidateFilter:
    """The float filter with its buffers; one per thread."""

    candidates: np.ndarray = field(default_factory=lambda: np.empty((BUFFER, 3), np.int32))
    result: np.ndarray = field(default_factory=lambda: np.empty(BUFFER, np.uint8))
    at: np.ndarray = field(default_factory=lambda: np.empty((BLOCK, 6), np.int64))
    S: np.ndarray = field(default_factory=lambda: np.empty(ROWS * BLOCK))
    block: np.ndarray = field(default_factory=lambda: np.empty(BLOCK, np.uint8))
    undecided: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))

    def keep(self, count: int, a: np.ndarray, b: np.ndarray, corners: Corners) -> int:
        """Move those of candidates[:count] that meet, or may meet, to the front; returns how many they are.

        candidates: rows of pair, slot of a, slot of b; a, b: (pairs,) int32, objects of each pair.
        """
        return classify(self.candidates, count, a, b, corners.triangle_start, corners.triangles, corners.world_start,
                        corners.world, self.at, self.S, self.block, self.result, self.undecided)


def contacts_at(hits: np.ndarray, rows: np.ndarray, a: np.ndarray, b: np.ndarray, corners: Corners, threads: int,
                tick) -> Contacts:
    """The contacts of hits[rows], in that order, of those that meet.

    hits: (n,3) int32 rows of pair, slot of a, slot of b; rows: (n,) int32; tick(fraction done): may raise Cancelled.
    """
    n = len(rows)
    found = Contacts.unset(n)
    chunks = (n + CHUNK - 1) // CHUNK

    def work(number):
        locate(hits, rows, number * CHUNK, min(n, (number + 1) * CHUNK), a, b, *corners,
               np.empty((BLOCK, 6, 3)), np.empty(ROWS * BLOCK), np.empty(BLOCK, np.uint8), np.empty(6, np.int64),
               np.empty(6), np.empty((3, 3)), np.empty((MOST_POINTS, 3)),
               np.empty(EXPANSION_SIZE), found.pair, found.triangle_a, found.triangle_b, found.kind, found.proper,
               found.point, found.normal, found.status)

    run_chunks(work, chunks, threads, lambda done: tick(done / max(1, chunks)))
    for row in np.flatnonzero(found.status == RATIONAL).tolist():
        _decide_rationally(found, row, hits[rows[row]], a, b, corners)
    return found if found.kind.all() else found.take(found.kind > 0)


def corners_of_pairs(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray, Corners]:
    """(a, b, corners): each triangle an object of its own, A[i] and B[i] being pair i. A, B: (N,3,3) float64."""
    n = len(A)
    corners = Corners(np.zeros(2 * n, np.int64), np.arange(3, dtype=np.int32).reshape(1, 3), np.zeros(1, np.int32),
                      3 * np.arange(2 * n, dtype=np.int64), np.concatenate([A.reshape(-1, 3), B.reshape(-1, 3)]))
    return np.arange(n, dtype=np.int32), np.arange(n, 2 * n, dtype=np.int32), corners


def _decide_rationally(found: Contacts, row: int, hit: np.ndarray, a, b, corners: Corners) -> None:
    """Fill in a contact whose numbers span more than the exact kernels take: slow and very rare."""
    triangle_b = corners.of(b[hit[0]], hit[2])
    shared = shared_part(corners.of(a[hit[0]], hit[1]), triangle_b)
    found.kind[row] = shared.kind
    if shared.kind:
        found.proper[row] = shared.proper
        found.point[row] = [[float(x) for x in end] for end in shared.ends()]
        found.normal[row] = _unit_normal(triangle_b)


def _unit_normal(triangle: np.ndarray) -> np.ndarray:
    size = np.abs(triangle).max()
    edges = triangle[1:] / size - triangle[0] / size if size > 0 else np.zeros((2, 3))
    normal = np.cross(*edges)
    length = np.linalg.norm(normal)
    return normal / length if length > 0 else np.zeros(3)
