# SPDX-License-Identifier: GPL-3.0-or-later
"""`PairTable`: what a run knows of each pair of objects, from the broad phase to the report."""
import numpy as np

from .codes import CANCELLED, CANNOT_TELL, CROSSING
from .contacts import Contacts


class PairTable:
    """One row per pair of objects that the broad phase kept, ordered by (a, b); a column per number.

    Stages read the table and return new columns, which the pipeline puts in. A column of `measured` that has the name
    of a field of `findings.PAIR_DTYPE` goes to the report as it is.
    """

    def __init__(self, a: np.ndarray, b: np.ndarray):
        """a, b: (pairs,) int32 positions in the selection, a < b."""
        self.a, self.b = a, b
        self.finished = np.zeros(len(a), bool)      # False: the run was cancelled before the pair was judged
        self.crossing = np.zeros(len(a), bool)      # known to cross, where the run wants no contacts
        self.contacts: Contacts | None = None       # of all pairs, ordered by row; None: not searched, or dropped
        self.verdict = np.zeros(len(a), np.int8)    # code of codes.VERDICTS
        self.status = np.zeros(len(a), np.uint8)    # code of codes.STATUSES
        self.inner = np.zeros(len(a), np.int8)      # codes.NEITHER, A_IN_B or B_IN_A
        self.measured: dict[str, np.ndarray] = {}   # (pairs, …) float64 by name, NaN where not measured

    def __len__(self) -> int:
        return len(self.a)

    def put(self, columns: dict[str, np.ndarray]) -> None:
        """Take over the columns that a stage returns, each with as many rows as there are pairs."""
        for name, column in columns.items():
            if name in ("verdict", "status", "inner"):
                setattr(self, name, column)
            else:
                self.measured[name] = column

    def mark_unfinished(self) -> None:
        """Say of pairs that are not finished that the run was cancelled, unless they are known to cross."""
        if not self.finished.all():
            unfinished = ~self.finished & (self.verdict != CROSSING)
            self.verdict[unfinished], self.status[unfinished] = CANNOT_TELL, CANCELLED

    def drop(self) -> None:
        """Forget all that was found: the run was cancelled between stages."""
        self.contacts, self.measured = None, {}
        self.verdict[:], self.status[:], self.inner[:] = CANNOT_TELL, CANCELLED, 0
