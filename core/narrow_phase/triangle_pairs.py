# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles, by slot → contacts: float filter, exact kernels, rational arithmetic, in this order."""
import threading
from dataclasses import dataclass, field

import numpy as np

from ..contacts import Contacts
from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.parted import COLUMNS, PARTED_ROWS
from ..geometry.triangle_triangle import MOST_COMMON_POINTS
from ..geometry.undecided import UNDECIDED
from ..parallel import run_chunks
from ..records import ContactScratch, Corners, ExactScratch, FilterScratch
from ..reference import last_resort
from .triangle_contacts import classify, close_up, locate
from .triangle_filter import BLOCK, COLUMN_SIZE

BUFFER = 1 << 14            # candidates at a time
CONTACTS_AT_ONCE = 1 << 12  # worth a thread: four tenths of a millisecond


def filter_scratch() -> FilterScratch:
    """Memory of one thread for `classify`."""
    return FilterScratch(np.empty((BLOCK, 6), np.int64), np.zeros(COLUMN_SIZE * BLOCK), np.empty(BLOCK, np.uint8))


def exact_scratch() -> ExactScratch:
    """Memory of one thread for `exact_contact`."""
    return ExactScratch(np.empty(6, np.int64), np.empty(6), np.empty((6, 3)), np.empty((MOST_COMMON_POINTS, 3)),
                        np.empty(EXPANSION_SIZE))


def contact_scratch() -> ContactScratch:
    """Memory of one thread for `locate`."""
    return ContactScratch(np.empty((BLOCK, 6, 3)), filter_scratch(), np.zeros(PARTED_ROWS * COLUMNS), np.empty(COLUMNS),
                          exact_scratch())


_own = threading.local()    # `contact_scratch` of this thread: making it takes longer than to place some contacts


@dataclass(eq=False)
class CandidateFilter:
    """The float filter with its buffers; one per thread."""

    candidates: np.ndarray = field(default_factory=lambda: np.empty((BUFFER, 3), np.int32))
    result: np.ndarray = field(default_factory=lambda: np.empty(BUFFER, np.uint8))
    scratch: FilterScratch = field(default_factory=filter_scratch)
    undecided: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))

    def keep(self, count: int, a: np.ndarray, b: np.ndarray, corners: Corners) -> int:
        """Move those of candidates[:count] that meet, or may meet, to the front; returns how many they are.

        candidates: rows of pair, slot of a, slot of b; a, b: (pairs,) int32, objects of each pair.
        """
        return classify(self.candidates, count, a, b, corners, self.scratch, self.result, self.undecided)


def contacts_at(hits: np.ndarray, rows: np.ndarray, a: np.ndarray, b: np.ndarray, corners: Corners, threads: int,
                tick) -> Contacts:
    """The contacts of hits[rows], in that order, of those that meet.

    hits: (n,3) int32 rows of pair, slot of a, slot of b; rows: (n,) int32; tick(fraction done): may raise Cancelled.
    """
    n = len(rows)
    found = Contacts.unset(n)
    columns, chunks = found.columns, -(-n // CONTACTS_AT_ONCE)

    def work(number):
        if not hasattr(_own, "scratch"):
            _own.scratch = contact_scratch()
        locate(hits, rows, number * CONTACTS_AT_ONCE, min(n, (number + 1) * CONTACTS_AT_ONCE), a, b, corners,
               _own.scratch, columns)

    run_chunks(work, chunks, threads, lambda done: tick(done / max(1, chunks)))
    undecided = found.status == UNDECIDED
    for row in np.flatnonzero(undecided).tolist() if undecided.any() else ():
        pair, slot_a, slot_b = hits[rows[row]].tolist()
        last_resort.contact(found, row, corners.of(a[pair], slot_a), corners.of(b[pair], slot_b))
    if found.kind.all():
        return found
    left = found.take(slice(close_up(columns)))
    return left if 2 * len(left) > n else left.copied()     # else most of the memory would be held for nothing


def corners_of_pairs(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray, Corners]:
    """(a, b, corners): each triangle an object of its own, A[i] and B[i] being pair i. A, B: (N,3,3) float64."""
    n = len(A)
    corners = Corners(np.zeros(2 * n, np.int64), np.arange(3, dtype=np.int32).reshape(1, 3), np.zeros(1, np.int32),
                      3 * np.arange(2 * n, dtype=np.int64), np.concatenate([A.reshape(-1, 3), B.reshape(-1, 3)]))
    return np.arange(n, dtype=np.int32), np.arange(n, 2 * n, dtype=np.int32), corners
