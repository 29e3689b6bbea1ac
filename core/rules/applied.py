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

    def forget(self) -> None:
        """Begin anew: nothing is taken away yet."""
        self._taken: list[np.ndarray] = []
        self._kept = np.zeros(len(self.rules), np.int64)

    def deciding(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) int32, the rule that decides about each pair, or NO_RULE. a, b: (k,) indices of objects."""
        decided, left = np.full(len(a), NO_RULE, np.int32), np.arange(len(a))
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
                  measured: dict[str, np.ndarray]) -> np.ndarray:
        """Mask of the tested pairs that are no deeper than their rule allows; they are taken down.

        a, b: (k,) positions in objects; verdict: (k,) codes; measured: columns of the `PairTable`.
        """
        rows = np.flatnonzero((verdict != CLEAR) & (a != b))        # no rule is about an object with itself
        decided = self.deciding(objects[a[rows]], objects[b[rows]])
        rows, decided = rows[decided != NO_RULE], decided[decided != NO_RULE]
        unmeasured = np.full(len(a), np.nan)
        depth, upper = (measured.get(name, unmeasured)[rows] for name in ("depth", "depth_upper"))
        shallow = (verdict[rows] == NEAR) | (verdict[rows] == TOUCHING)     # also where only a tolerance says so
        within = (shallow | (upper <= self._allowed[decided])) & (verdict[rows] != CANNOT_TELL)
        self._kept = np.bincount(decided[~within], minlength=len(self.rules))
        taken = _rows(objects[a[rows[within]]], objects[b[rows[within]]], decided[within])
        taken["tested"], taken["verdict"] = True, verdict[rows[within]]
        taken["depth"], taken["depth_upper"] = depth[within], upper[within]
        self._taken.append(taken)
        mask = np.zeros(len(a), bool)
        mask[rows[within]] = True
        return mask

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
