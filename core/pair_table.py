# SPDX-License-Identifier: GPL-3.0-or-later
"""`PairTable`: what a run knows of each pair of objects, from the broad phase to the report."""
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .codes import CANCELLED, CANNOT_TELL, CROSSING, NEITHER
from .contacts import Contacts

BYTES_PER_PAIR = 200        # of a pair whose boxes meet: its code while codes are sorted, its row in the table
BYTES_PER_FOUND = 340       # more of one that is not clear: what is measured of it, its row in the report


@dataclass(eq=False)
class Cut:
    """What is known of the pairs of a table that were found to have more contacts than are listed."""

    found: np.ndarray           # (pairs,) int64, contacts of each
    # whole(rows) yields some of the rows (k,), ascending, and a table of these pairs with all their contacts; a
    # pair whose contacts do not fit comes several times, in pieces
    whole: Callable[[np.ndarray], Iterator[tuple[np.ndarray, "PairTable"]]]


class PairTable:
    """One row per pair of objects that the broad phase kept, ordered by (a, b); a column per number.

    Stages read the table and return new columns, which the pipeline puts in. A column of `measured` that has the name
    of a field of `findings.PAIR_DTYPE` goes to the report as it is.
    """

    def __init__(self, a: np.ndarray, b: np.ndarray):
        """a, b: (pairs,) int32 positions in the selection, a < b."""
        self.a, self.b = a, b
        self.finished = np.zeros(len(a), bool)      # False: the run was cancelled before the pair was judged
        self.crossing = np.zeros(len(a), bool)      # known to cross, whether contacts say so or not
        self.contacts: Contacts | None = None       # of all pairs, ordered by row; None: not searched, or dropped
        self.cut: Cut | None = None                 # there are too many contacts: `contacts` has only some of them
        self.rows: np.ndarray | None = None         # (pairs,) rows of the table that this one is a part of
        self.piece: tuple[int, int] | None = None   # of its one pair: contacts of these triangles of a only; None: all
        self.last_piece = True                      # no other piece of the pair follows
        self.twins: Callable[[], np.ndarray] | None = None      # see scene/twins.py; None: no object has one
        self.triangle_count: Callable[[int], int] | None = None     # triangles of the object at a position
        self.verdict = np.zeros(len(a), np.int8)    # code of codes.VERDICTS
        self.status = np.zeros(len(a), np.uint8)    # code of codes.STATUSES
        self.inner = np.zeros(len(a), np.int8)      # codes.NEITHER, A_IN_B or B_IN_A
        self.exact: np.ndarray | None = None        # `verdict` without a tolerance; None: the run has none
        self.moves: np.ndarray | None = None        # (pairs,) float64: see `Method.moves`, infinity where not asked
        self.enough: np.ndarray | None = None       # (pairs,) float64: of a depth up to it no more need be known
        self.coincide = np.zeros(len(a), bool)      # see `Method.coincide`, of pairs that a rule allows a depth
        self.reach = np.zeros(len(a))               # (pairs,) float64: gaps up to it are asked for
        self.regions: np.ndarray | None = None      # of findings.REGION_DTYPE, by row; None: not asked for
        self.measured: dict[str, np.ndarray] = {}   # (pairs, …) float64 by name, NaN where not measured

    def __len__(self) -> int:
        return len(self.a)

    def part(self, rows: np.ndarray) -> "PairTable":
        """A table of some of the pairs, of which nothing is found yet. rows: (k,) int64, ascending."""
        part = PairTable(self.a[rows], self.b[rows])
        part.rows = rows
        return part

    @property
    def twin_of(self) -> np.ndarray | None:
        """(objects,) int64, what `twins` says; None where no object of the table has a twin."""
        return None if self.twins is None else self._twin_of

    @property
    def like(self) -> np.ndarray | None:
        """(pairs,) int64: of each row, the first row that is like it. Its objects have the same shapes and stand in the
        same places, so it has the same contacts and the same verdict. None where no two rows are alike."""
        return None if self.twins is None else self._like

    @cached_property
    def _twin_of(self) -> np.ndarray | None:
        assert self.twins is not None
        twin_of = self.twins()
        return None if (twin_of == np.arange(len(twin_of))).all() else twin_of

    @cached_property
    def _like(self) -> np.ndarray | None:
        if self.twin_of is None:
            return None
        codes = self.twin_of[self.a] * len(self.twin_of) + self.twin_of[self.b]
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        return first[which] if len(first) < len(self) else None

    def alike(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(some, which): those of the rows (k,), ascending, that are like none of them before, and (k,) int64 the place
        in `some` of the row that each is like."""
        if self.like is None:
            return rows, np.arange(len(rows))
        _, first, which = np.unique(self.like[rows], return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return rows[first[order]], place[which]

    def own_tasks(self, tasks: np.ndarray) -> np.ndarray:
        """Those tasks that are of this table's pairs. tasks: (k,…) int32, beginning with a row of the whole table."""
        if self.rows is None:
            return tasks
        place = np.searchsorted(self.rows, tasks[:, 0])
        own = self.rows[np.minimum(place, len(self.rows) - 1)] == tasks[:, 0]
        tasks = tasks[own]
        tasks[:, 0] = place[own]
        return tasks

    def put(self, columns: dict[str, np.ndarray]) -> None:
        """Take over the columns that a stage returns, each with as many rows as there are pairs."""
        for name, column in columns.items():
            if name in ("verdict", "status", "inner"):
                setattr(self, name, column)
            else:
                self.measured[name] = column

    def mark_unfinished(self) -> None:
        """Say of pairs that are not finished that the run was cancelled, unless they are known to cross."""
        if np.count_nonzero(self.finished) < len(self):
            unfinished = ~self.finished & (self.verdict != CROSSING)
            self.verdict[unfinished], self.status[unfinished], self.inner[unfinished] = CANNOT_TELL, CANCELLED, NEITHER

    def drop(self) -> None:
        """Forget all that was found: the run was cancelled between stages."""
        self.contacts, self.cut, self.regions, self.measured = None, None, None, {}
        self.verdict[:], self.status[:], self.inner[:] = CANNOT_TELL, CANCELLED, 0
