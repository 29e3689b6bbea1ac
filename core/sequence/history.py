# SPDX-License-Identifier: GPL-3.0-or-later
"""`History`: what became of each pair over the frames. Only what happens in a frame costs time in it."""
from collections.abc import Callable

import numpy as np

from ..arrays import starts_of
from ..codes import CLEAR, NEAR
from ..contacts import Contacts
from ..findings import PAIR_DTYPE, Findings, badness
from ..search.contact_budget import first_of_each
from .contact_store import ContactStore
from .rows import Rows, with_rows

ROW_DTYPE = np.dtype([
    ("worst", PAIR_DTYPE),                  # as in the worst frame, objects by their numbers
    ("limit", np.float64, 5),               # of it: what is worse comes before this
    ("worst_frame", np.float64),
    ("first", np.float64),                  # the first frame in which it is not clear,
    ("met", np.float64),                    # and in which it is worse than near; NaN: never
    ("rule", np.int32),                     # that concerns it, or NO_RULE
    ("open", bool),                         # not clear in the frame before
    ("start", np.float64),                  # of the interval that is open,
    ("start_limit", np.float64, 5), ("start_verdict", np.int8),      # and of its worst frame
])
CLOSED_DTYPE = np.dtype([("row", np.int64), ("start", np.float64), ("end", np.float64), ("verdict", np.int8)])

class History:
    """Intervals of contact and worst frames of pairs. Objects are known by their numbers (`moment.Names`)."""

    def __init__(self):
        self._row_of = Rows()
        self._all = np.zeros(0, ROW_DTYPE)
        self._closed: list[np.ndarray] = []
        self._contacts = ContactStore()

    @property
    def rows(self) -> np.ndarray:
        """(pairs,) structured array of ROW_DTYPE, in the order in which pairs came up."""
        return self._all[:len(self._row_of)]

    def pass_between(self, found: Findings, moments: np.ndarray, rules: np.ndarray) -> None:
        """Pairs that met or were near between two frames, and how they were in the worst moment there; to be called
        before the later frame is added.

        found: as in `add`, each pair as in that moment. moments: (k,3) float64, see `Between.moments`.
        """
        rows = self._rows_of(found.pairs)
        opens, met, worst = moments.T
        self._open(rows, opens)
        self._met(rows, met)
        self.rows["rule"][rows] = rules
        self._worsen(rows, badness(found.pairs), found, worst)

    def _rows_of(self, pairs: np.ndarray) -> np.ndarray:
        rows = self._row_of.of(pairs["a"], pairs["b"])
        self._all = with_rows(self._all, len(self._row_of))
        return rows

    def add(self, frame: float, before: float, found: Findings, rules: np.ndarray, rests: np.ndarray,
            between: Callable | None = None, near: Callable | None = None) -> None:
        """Go on by a frame. before: the frame before it. found: the pairs that were tested and are not clear, with
        their contacts, objects by their numbers. rules: (k,) int32, which concerns each, or NO_RULE. rests: (numbers,)
        bool: pairs of two of these are as before. between, near: when pairs met, and were near, since the frame before,
        see `rows.times_of`."""
        pairs = found.pairs
        rows = self._rows_of(pairs)
        every = self.rows
        over = every["open"].copy()
        over[rows] = False
        over = over.nonzero()[0]
        worst = every["worst"]
        over = over[~(rests[worst["a"][over]] & rests[worst["b"][over]])]
        starts, ends = np.full(len(rows), frame), np.full(len(over), before)
        if between is not None:
            starts = np.fmin(starts, between(pairs["a"], pairs["b"])[0])
            ends = np.fmax(ends, between(worst["a"][over], worst["b"][over])[1])
        opens = starts
        if near is not None:
            opens = np.fmin(starts, near(pairs["a"], pairs["b"])[0])
            ends = np.fmax(ends, near(worst["a"][over], worst["b"][over])[1])
        if len(over):
            self._closed.append(self._intervals(over, ends))
        every["open"][over] = False
        self._open(rows, opens)
        every["rule"][rows] = rules
        self._worsen(rows, badness(pairs), found, np.full(len(rows), frame))
        worse = pairs["verdict"] != NEAR
        self._met(rows[worse], starts[worse])

    def _met(self, rows: np.ndarray, times: np.ndarray) -> None:
        self.rows["met"][rows] = np.fmin(self.rows["met"][rows], times)

    def _open(self, rows: np.ndarray, times: np.ndarray) -> None:
        """Begin intervals of these rows where none is open. times: (k,) float64, when they begin."""
        every = self.rows
        new = every["worst"]["verdict"][rows] == CLEAR              # no row of a pair ever is
        every["first"][rows[new]] = times[new]
        every["met"][rows[new]] = np.nan
        every["limit"][rows[new]] = np.inf
        begins = ~every["open"][rows]
        every["start"][rows[begins]] = times[begins]
        every["start_limit"][rows[begins]] = np.inf
        every["open"][rows] = True

    def _worsen(self, rows: np.ndarray, bad: np.ndarray, found: Findings, times: np.ndarray) -> None:
        """Take over what is worse than it ever was, of the pair and of its interval."""
        every, pairs = self.rows, found.pairs
        limit = limits(pairs, bad)
        here = precedes(bad, every["start_limit"][rows])
        every["start_limit"][rows[here]] = limit[here]
        every["start_verdict"][rows[here]] = pairs["verdict"][here]
        ever = precedes(bad, every["limit"][rows]).nonzero()[0]
        if len(ever) == 0:
            return
        rows, worst = rows[ever], pairs[ever]
        listed = worst["contacts"].astype(np.int64)
        start = self._contacts.add(found.contacts.take(first_of_each(worst["contact_start"], listed)))
        worst["contact_start"] = start + starts_of(listed)[:-1]
        every["worst"][rows], every["limit"][rows], every["worst_frame"][rows] = worst, limit[ever], times[ever]
        self._contacts.tidy(every["worst"])

    def _intervals(self, rows: np.ndarray, end) -> np.ndarray:
        """(k,) structured array of CLOSED_DTYPE: the open intervals of these rows, as if they ended then."""
        closed = np.zeros(len(rows), CLOSED_DTYPE)
        closed["row"], closed["end"] = rows, end
        closed["start"], closed["verdict"] = self.rows["start"][rows], self.rows["start_verdict"][rows]
        return closed

    def intervals(self, last: float) -> np.ndarray:
        """(k,) structured array of CLOSED_DTYPE: all intervals, ordered by row, then by time. last: the last frame."""
        still = self._intervals(self.rows["open"].nonzero()[0], last)
        every = np.concatenate([*self._closed, still])
        return every[np.argsort(every["row"], kind="stable")]

    def worst(self) -> tuple[np.ndarray, np.ndarray, Contacts]:
        """(rows, pairs, contacts): (pairs,) int64, all rows ordered by (a, b); of each the pair in its worst frame, as
        in a Report, and these contacts."""
        order = self._row_of.ordered()
        pairs = self.rows["worst"][order]
        contacts = self._contacts.view(pairs)()
        pairs["contact_start"] = starts_of(pairs["contacts"])[:-1]
        return order, pairs, contacts


def limits(pairs: np.ndarray, bad: np.ndarray) -> np.ndarray:
    """(k,5) float64: what the `badness` of a later frame must precede to be worse. Of two frames whose depths were
    measured the later one is worse only where it is deeper for certain: depths are known between bounds, and an object
    that slides along another one would else have its worst frame anywhere. pairs: (k,); bad: (k,5), their badness."""
    limit = bad.copy()
    measured = np.isfinite(bad[:, 1]).nonzero()[0]
    limit[measured, 1] = -np.fmax(pairs["depth"][measured], pairs["depth_upper"][measured])
    limit[measured, 2:] = -np.inf
    return limit


def precedes(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(k,) bool: rows of `one` that come before those of `other`, by the first column that differs. (k,m) float64."""
    rows = np.arange(len(one))
    first = (one != other).argmax(axis=1)
    return one[rows, first] < other[rows, first]
