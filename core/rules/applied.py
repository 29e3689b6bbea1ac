# SPDX-License-Identifier: GPL-3.0-or-later
"""`Applied`: the rules of one run. It takes pairs away before they are tested, or after their depth was measured."""
import numpy as np

from ..codes import CANNOT_TELL, CLEAR, NEAR, TOUCHING
from .matching import matcher
from .outcome import TAKEN_DTYPE, Outcome
from .relations import Relations
from .rule import Rule

NO_RULE = -1


class Applied:
    """The first rule in the list that concerns a pair decides about it."""

    def __init__(self, rules: list[Rule], relations: Relations):
        """rules: those that are on. relations: of the scene's objects."""
        self.rules = rules
        self._matchers = [matcher(rule, relations) for rule in rules]
        self._is_tested = np.array([rule.allowed_depth is not None for rule in rules])
        self._allowed = np.array([rule.allowed_depth or 0.0 for rule in rules])
        self.forget()

    @property
    def needs_depths(self) -> bool:
        return bool(self._is_tested.any())

    @property
    def least_allowed(self) -> float:
        """The least depth that any rule allows; infinity where none does."""
        return float(self._allowed[self._is_tested].min(initial=np.inf))

    def forget(self) -> None:
        """Begin anew: nothing is taken away yet."""
        self._taken: list[np.ndarray] = []
        self._kept = np.zeros(len(self.rules), np.int64)

    def deciding(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) int32, the rule that decides about each pair, or NO_RULE, also for an object with itself. a, b: (k,)
        indices of objects."""
        decided, left = np.full(len(a), NO_RULE, np.int32), np.flatnonzero(a != b)
        for number, concerns in enumerate(self._matchers):
            if len(left) == 0:
                break
            mask = concerns(a[left], b[left])
            decided[left[mask]] = number
            left = left[~mask]
        return decided

    def left_to_test(self, objects: np.ndarray, bounds: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Mask of the pairs that are tested; the others are taken down where their boxes meet.

        objects: (n,) indices; bounds: (n,6) float64; a, b: (k,) positions in both, a < b.
        """
        decided = self.deciding(objects[a], objects[b])
        ignored = np.flatnonzero(decided != NO_RULE)
        ignored = ignored[~self._is_tested[decided[ignored]]]
        mask = np.ones(len(a), bool)
        mask[ignored] = False
        box_a, box_b = bounds[a[ignored]], bounds[b[ignored]]
        near = ignored[(box_a[:, :3] <= box_b[:, 3:]).all(axis=1) & (box_b[:, :3] <= box_a[:, 3:]).all(axis=1)]
        taken = _rows(objects[a[near]], objects[b[near]], decided[near])
        if len(taken):
            self._taken.append(taken)
        return mask

    def tolerated(self, objects: np.ndarray, a: np.ndarray, b: np.ndarray, verdict: np.ndarray,
                  measured: dict[str, np.ndarray], coincide: np.ndarray) -> np.ndarray:
        """Mask of the tested pairs that are no deeper than their rule allows; they are taken down.

        a, b: (k,) positions in objects; verdict: (k,) codes; measured: columns of the `PairTable`; coincide: (k,) bool,
        pairs whose depth says too little.
        """
        rows, decided, shallow, within = self._judged(objects, a, b, verdict, measured)
        within = (shallow | within & ~coincide[rows]) & (verdict[rows] != CANNOT_TELL)
        self._kept = np.bincount(decided[~within], minlength=len(self.rules))
        taken = _rows(objects[a[rows[within]]], objects[b[rows[within]]], decided[within])
        taken["tested"], taken["verdict"] = True, verdict[rows[within]]
        for name in ("depth", "depth_upper"):
            if name in measured:
                taken[name] = measured[name][rows[within]]
        self._taken.append(taken)
        mask = np.zeros(len(a), bool)
        mask[rows[within]] = True
        return mask

    def allowed_by_depth(self, objects: np.ndarray, a: np.ndarray, b: np.ndarray, verdict: np.ndarray,
                         measured: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """(rows, limits), (m,) int64 and (m,) float64: the tested pairs that collide and are no deeper than their rule
        allows, and what it allows. Arguments as in `tolerated`."""
        rows, decided, shallow, within = self._judged(objects, a, b, verdict, measured)
        some = within & ~shallow & (verdict[rows] != CANNOT_TELL)
        return rows[some], self._allowed[decided[some]]

    def _judged(self, objects: np.ndarray, a: np.ndarray, b: np.ndarray, verdict: np.ndarray,
                measured: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(rows, decided, shallow, within), (m,) each: the tested pairs that a rule concerns, which one; whether they
        are only near or touch; whether their depth is known to be no more than that allows."""
        rows = np.flatnonzero((verdict != CLEAR) & (a != b))        # no rule is about an object with itself
        decided = self.deciding(objects[a[rows]], objects[b[rows]])
        rows, decided = rows[decided != NO_RULE], decided[decided != NO_RULE]
        shallow = (verdict[rows] == NEAR) | (verdict[rows] == TOUCHING)     # also where only a tolerance says so
        upper = measured["depth_upper"][rows] if "depth_upper" in measured else np.full(len(rows), np.nan)
        return rows, decided, shallow, upper <= self._allowed[decided]

    def outcome(self) -> Outcome:
        """What was taken away until now."""
        taken = np.concatenate([_rows(*np.zeros((3, 0), np.int32)), *self._taken])
        return Outcome(self.rules, taken[np.lexsort((taken["b"], taken["a"]))], self._kept)


def _rows(a: np.ndarray, b: np.ndarray, rule: np.ndarray) -> np.ndarray:
    """Rows of pairs that are not tested."""
    rows = np.zeros(len(a), TAKEN_DTYPE)
    rows["a"], rows["b"], rows["rule"] = a, b, rule
    rows["depth"] = rows["depth_upper"] = np.nan
    return rows
