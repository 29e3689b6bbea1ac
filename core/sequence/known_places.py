# SPDX-License-Identifier: GPL-3.0-or-later
"""`KnownPlaces`: at how many places pairs meet, counted anew only for those that were asked anew."""
import numpy as np

from ..arrays import first_of_each, starts_of
from ..places import MOST_COUNTED_CONTACTS, count_places, places
from ..report import Report
from .rows import coded


class KnownPlaces:
    """Of the pairs of the last report. A place is one of a single pair: which others there are makes no difference."""

    def __init__(self):
        self.forget()

    def forget(self) -> None:
        """Count all anew the next time."""
        self._codes: np.ndarray | None = None   # (k,) int64, of the pairs, in any order; None: nothing is known
        self._count = self._first = np.zeros(0, np.int64)   # (k,) int64: places of each, and where its contacts begin
        self._within = np.zeros(0, np.int32)    # (contacts,) int32: the place of each, from 0 in its pair

    def take(self, report: Report, numbers: np.ndarray, rests: np.ndarray) -> None:
        """Tell a report its places. numbers: (n,) int64, of its objects; rests: (n,) bool, those of which all pairs of
        two are as in the report before."""
        pairs, contacts = report.pairs, report.contacts
        if len(contacts) > MOST_COUNTED_CONTACTS:
            self.forget()
            return
        codes = coded(numbers[pairs["a"]], numbers[pairs["b"]])
        kept, rows = self._known(codes, rests[pairs["a"]] & rests[pairs["b"]])
        is_new = ~kept[contacts.pair]
        new = contacts.take(is_new)
        label = places(new)
        count = count_places(label, new.pair, len(pairs))
        within = np.empty(len(contacts), np.int32)
        within[is_new] = label - starts_of(count)[:-1][new.pair]
        within[~is_new] = self._within[first_of_each(self._first[rows], pairs["contacts"][kept].astype(np.int64))]
        count[kept] = self._count[rows]
        report.know_places((starts_of(count)[:-1][contacts.pair] + within).astype(np.int32), count.copy())
        self._codes, self._count, self._first, self._within = codes, count, pairs["contact_start"].copy(), within

    def _known(self, codes: np.ndarray, rests: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(kept, rows): (k,) bool, which pairs are known, and the rows of these in what is. codes: (k,) int64; rests:
        (k,) bool, pairs of two objects that rest."""
        if self._codes is None or len(self._codes) == 0:
            return np.zeros(len(codes), bool), np.zeros(0, np.int64)
        order = np.argsort(self._codes)
        rows = order[np.minimum(np.searchsorted(self._codes, codes, sorter=order), len(order) - 1)]
        kept = rests & (self._codes[rows] == codes)
        return kept, rows[kept]
