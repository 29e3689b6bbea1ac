# SPDX-License-Identifier: GPL-3.0-or-later
"""`Outcome`: what the rules of a run took away."""
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..codes import VERDICTS
from .rule import Rule

TAKEN_DTYPE = np.dtype([
    ("a", np.int32), ("b", np.int32),       # objects, a < b
    ("rule", np.int32),                     # which one took it away, row of Outcome.rules
    ("tested", bool),                       # False: nothing of the pair is known but that their boxes meet
    ("verdict", np.int8),                   # code of VERDICTS; of a pair that was not tested 0, which means nothing
    ("depth", np.float64), ("depth_upper", np.float64),     # as in Report.pairs
])


@dataclass(eq=False)
class Outcome:
    """The rules that were asked, and the pairs that they took away.

    rules: those that are on, in their order. taken: structured array of TAKEN_DTYPE, ordered by (a, b). A pair is here
    where its boxes meet (within the clearance); what is farther apart is clear, whatever a rule says.
    kept: (rules,) int64: pairs that a rule with an allowed depth concerns, and that stay in Report.pairs, because they
    are deeper, or because their depth could not be measured.
    """

    rules: list[Rule]
    taken: np.ndarray
    kept: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """(rules,) int64: how many pairs each took away."""
        return np.bincount(self.taken["rule"], minlength=len(self.rules))

    def listed_rules(self, unit_scale: float) -> list[dict]:
        """What reports say of each rule, lengths in metres."""
        return [{"kind": rule.kind, "reason": rule.title,
                 "allowed_depth": None if rule.allowed_depth is None else rule.allowed_depth * unit_scale,
                 "taken_away": taken, "kept": kept}
                for rule, taken, kept in zip(self.rules, self.counts.tolist(), self.kept.tolist())]

    def listed_pairs(self, names: dict[int, str], unit_scale: float) -> Iterator[dict]:
        """What reports say of each pair that was taken away, lengths in metres. names: of the objects, by index."""
        titles = [rule.title for rule in self.rules]
        for a, b, rule, tested, verdict, depth, upper in self.taken.tolist():
            yield {"a": names[a], "b": names[b], "rule": rule, "tested": tested,
                   "verdict": VERDICTS[verdict] if tested else None, "depth": _length(depth * unit_scale),
                   "depth_upper": _length(upper * unit_scale), "reason": titles[rule]}


def _length(metres: float) -> float | None:
    """None for what was not measured, as JSON has no NaN."""
    return metres if math.isfinite(metres) else None
