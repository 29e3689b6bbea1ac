# SPDX-License-Identifier: GPL-3.0-or-later
"""`Latest`: what the last frame found. Of it a frame takes over what is said of pairs that rest."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..arrays import starts_of
from ..codes import CANNOT_TELL, CONTAINED, NEAR, TOUCHING
from ..contacts import Contacts
from ..findings import PAIR_DTYPE
from ..report import Report
from ..rules.applied import NO_RULE
from ..rules.outcome import TAKEN_DTYPE, Outcome
from .asking import NO_QUESTIONS, Asking
from .contact_store import ContactStore
from .rows import coded, copied, joined

GONE = -1
NONE_TAKEN = np.zeros(0, TAKEN_DTYPE)


class FrameReport(Report):
    """A Report whose contacts are put together when somebody asks for them."""

    _contacts: Contacts | Callable[[], Contacts]

    @property
    def contacts(self) -> Contacts:
        if callable(self._contacts):
            self._contacts = self._contacts()
        return self._contacts

    @contacts.setter
    def contacts(self, contacts) -> None:
        """contacts: Contacts, or what makes them."""
        self._contacts = contacts

    @classmethod
    def of(cls, report: Report, pairs: np.ndarray, contacts: Callable[[], Contacts]) -> "FrameReport":
        """The report with other pairs and contacts; it is not to be used any more itself."""
        made = object.__new__(cls)
        made.__dict__.update(report.__dict__, pairs=pairs, _contacts=contacts)
        made.__dict__.pop("contacts", None)     # this is a property here
        return made


class Latest:
    """The pairs of a frame that are not clear, and those that rules took away; objects by their numbers."""

    def __init__(self):
        self._store = ContactStore()
        self._pairs = np.zeros(0, PAIR_DTYPE)           # contact_start: in the store
        self._rules = np.zeros(0, np.int32)             # which concerns each, or NO_RULE
        self._taken = NONE_TAKEN

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Its pairs, and what rules took away, objects by their numbers. Not to be written into."""
        return self._pairs, self._taken

    def joined(self, report: Report, rules: np.ndarray, numbers: np.ndarray, rests: np.ndarray,
               asking: Asking = NO_QUESTIONS) -> Report:
        """The report of the whole frame: what was tested now, and what is as it was.

        report: of pairs that were tested. rules: (k,) int32, which concerns each of these, or NO_RULE. numbers: (n,)
        int64, of the scene's objects; rests: (n,) bool, objects of which a pair of two was not tested. asking: as in
        `ContactStore.tidy`.
        """
        kept, taken, kept_by = self._carried_over(numbers, rests)
        if report.rules is not None:
            report = _copied(report, rules=_outcome(report.rules, taken, kept_by))
        if len(kept) == 0:
            self._store = ContactStore()        # what it holds belongs to no pair any more
            if len(report.pairs) == 0 and report.rules is None:
                self._pairs, self._rules, self._taken = report.pairs, rules, NONE_TAKEN
                return report
        pairs, start = copied(report.pairs), self._store.add(report.contacts)
        if len(kept):
            pairs["contact_start"] += start
            pairs, rules = joined(kept, pairs), np.concatenate([kept_by, rules])
            order = np.argsort(coded(pairs["a"], pairs["b"]))
            pairs, rules = pairs.take(order), rules[order]
        self._store.tidy(pairs, asking)
        if len(kept):
            listed = copied(pairs)
            listed["contact_start"] = starts_of(pairs["contacts"])[:-1]
            report = FrameReport.of(report, listed, self._store.view(pairs))
        self._pairs, self._rules = pairs, rules
        self._taken = NONE_TAKEN if report.rules is None else copied(report.rules.taken)
        for rows in (self._pairs, self._taken):
            if len(rows):
                rows["a"], rows["b"] = numbers[rows["a"]], numbers[rows["b"]]
        return report

    def _carried_over(self, numbers: np.ndarray, rests: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(pairs, taken, rules): those pairs of the frame before whose objects rest, by their indices now, those of
        them that rules took away, and (k,) int32, the rule of each of the first."""
        if len(self._pairs) + len(self._taken) == 0 or not np.count_nonzero(rests):
            return self._pairs[:0], NONE_TAKEN, self._rules[:0]
        index = np.full(1 + numbers.max(initial=0), GONE)
        index[numbers[rests]] = rests.nonzero()[0]
        pairs, which = _carried(self._pairs, index)
        return pairs, _carried(self._taken, index)[0], self._rules[which]


class Met(NamedTuple):
    """Which pairs meet in a frame: codes, (k,) int64 each, ascending."""

    codes: np.ndarray       # worse than near, also where a rule took them away as no deeper than it allows
    inside: np.ndarray      # of these: contained, or it cannot be told: surfaces may be apart
    contained: np.ndarray   # of these: contained
    worse: np.ndarray       # of all: worse than touching


NONE_MET = Met(*np.zeros((4, 0), np.int64))


def met_in(frames: list[tuple[np.ndarray, np.ndarray]], numbers: np.ndarray | None = None, to_next: int = 0) -> Met:
    """Which pairs meet in some frames, of each of which there are its pairs, (k,) of PAIR_DTYPE, and what rules took
    away in it, (m,) of TAKEN_DTYPE. numbers: of the objects that these rows speak of; None: they speak of numbers.
    to_next: how much larger a code is where it is that of the next frame.

    Of what was taken away untested nobody knows whether it meets, and what was only near may pass through the other one
    before it is again."""
    if not any(len(rows) for frame in frames for rows in frame):
        return NONE_MET
    frames = [(pairs, taken[taken["tested"] & (taken["verdict"] != NEAR)] if len(taken) else taken)
              for pairs, taken in frames]
    sides = [np.concatenate([rows[side] for frame in frames for rows in frame]) for side in "ab"]
    codes = coded(*(sides if numbers is None else (numbers[side] for side in sides)))
    if len(frames) > 1:
        codes += to_next * np.repeat(np.arange(len(frames)), [len(pairs) + len(taken) for pairs, taken in frames])
    verdict = np.concatenate([each for pairs, taken in frames
                              for each in (pairs["verdict"], np.full(len(taken), TOUCHING, np.int8))])
    order = codes.argsort()
    codes, verdict = codes[order], verdict[order]
    met = verdict != NEAR
    return Met(codes[met], codes[(verdict == CONTAINED) | (verdict == CANNOT_TELL)], codes[verdict == CONTAINED],
               codes[met & (verdict != TOUCHING)])


def _carried(rows: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(rows, which): those of pairs whose objects rest, with their indices, and which of all they are. index:
    (numbers,) int64, of objects by their numbers, GONE for others than those that rest."""
    if len(rows) == 0:
        return rows, np.zeros(0, np.int64)
    index = np.append(index, GONE)
    a, b = index.take(rows["a"], mode="clip"), index.take(rows["b"], mode="clip")
    which = ((a | b) >= 0).nonzero()[0]         # GONE has all bits
    rows = rows.take(which)
    rows["a"], rows["b"] = a[which], b[which]
    return rows, which


def _copied(report: Report, **others) -> Report:
    """The same with other attributes, in a tenth of the time that `replace` takes."""
    made = object.__new__(type(report))
    made.__dict__.update(report.__dict__, **others)
    return made


def _outcome(fresh: Outcome, taken: np.ndarray, kept_by: np.ndarray) -> Outcome:
    """With what rules did to pairs that rest. taken: (k,) of TAKEN_DTYPE; kept_by: (m,) int32, the rule of each pair
    that stays listed, or NO_RULE."""
    taken = joined(fresh.taken, taken)
    kept = fresh.kept + np.bincount(kept_by[kept_by != NO_RULE], minlength=len(fresh.kept))
    return Outcome(fresh.rules, taken[np.lexsort((taken["b"], taken["a"]))], kept)
