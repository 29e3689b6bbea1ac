# SPDX-License-Identifier: GPL-3.0-or-later
"""`Latest`: what the last frame found. Of it a frame takes over what is said of pairs that rest."""
from collections.abc import Callable
from dataclasses import fields

import numpy as np

from ..arrays import starts_of
from ..contacts import Contacts
from ..findings import PAIR_DTYPE
from ..report import Report
from ..rules.applied import NO_RULE
from ..rules.outcome import TAKEN_DTYPE, Outcome
from .contact_store import ContactStore


class FrameReport(Report):
    """A Report whose contacts are put together when somebody asks for them."""

    _contacts: Contacts | Callable[[], Contacts]

    @property
    def contacts(self) -> Contacts:         # type: ignore[override]
        if callable(self._contacts):
            self._contacts = self._contacts()
        return self._contacts

    @contacts.setter
    def contacts(self, contacts) -> None:
        """contacts: Contacts, or what makes them."""
        self._contacts = contacts


class Latest:
    """The pairs of a frame that are not clear, and those that rules took away; objects by their numbers."""

    def __init__(self):
        self._store = ContactStore()
        self._pairs = np.zeros(0, PAIR_DTYPE)           # contact_start: in the store
        self._rules = np.zeros(0, np.int32)             # which concerns each, or NO_RULE
        self._taken = np.zeros(0, TAKEN_DTYPE)

    def joined(self, report: Report, rules: np.ndarray, numbers: np.ndarray, rests: np.ndarray) -> Report:
        """The report of the whole frame: what was tested now, and what is as it was.

        report: of pairs that were tested. rules: (k,) int32, which concerns each of these, or NO_RULE. numbers: (n,)
        int64, of the scene's objects; rests: (n,) bool, objects of which a pair of two was not tested.
        """
        tested = report.pairs.copy()
        tested["contact_start"] += self._store.add(report.contacts)
        pairs, kept = self._carried(self._pairs, numbers, rests)
        taken, _ = self._carried(self._taken, numbers, rests)
        if report.rules is not None:
            report.rules = _outcome(report.rules, taken, self._rules[kept])
        order = slice(None)
        if len(pairs):
            pairs = np.concatenate([pairs, tested])
            order = np.lexsort((pairs["b"], pairs["a"]))
            pairs = pairs[order]
        else:
            pairs = tested
        self._store.tidy(pairs)
        if len(pairs) > len(tested):
            listed = pairs.copy()
            listed["contact_start"] = starts_of(pairs["contacts"])[:-1]
            report = FrameReport(**{each.name: getattr(report, each.name) for each in fields(report) if each.init})
            report.pairs, report.contacts = listed, self._store.view(pairs)
        self._pairs, self._rules = pairs, np.concatenate([self._rules[kept], rules])[order]
        self._taken = np.zeros(0, TAKEN_DTYPE) if report.rules is None else report.rules.taken.copy()
        for rows in (self._pairs, self._taken):
            rows["a"], rows["b"] = numbers[rows["a"]], numbers[rows["b"]]
        return report

    @staticmethod
    def _carried(rows: np.ndarray, numbers: np.ndarray, rests: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(rows, which): those of pairs whose objects rest, by the scene's indices now, and which of all they are."""
        index = np.full(1 + max(numbers.max(initial=0), rows["a"].max(initial=0), rows["b"].max(initial=0)), -1)
        still = rests.nonzero()[0]
        index[numbers[still]] = still
        which = ((index[rows["a"]] >= 0) & (index[rows["b"]] >= 0)).nonzero()[0]
        rows = rows[which]
        rows["a"], rows["b"] = index[rows["a"]], index[rows["b"]]
        return rows, which


def _outcome(fresh: Outcome, taken: np.ndarray, kept_by: np.ndarray) -> Outcome:
    """With what rules did to pairs that rest. taken: (k,) of TAKEN_DTYPE; kept_by: (m,) int32, the rule of each pair
    that stays listed, or NO_RULE."""
    taken = np.concatenate([fresh.taken, taken])
    kept = fresh.kept + np.bincount(kept_by[kept_by != NO_RULE], minlength=len(fresh.kept))
    return Outcome(fresh.rules, taken[np.lexsort((taken["b"], taken["a"]))], kept)
