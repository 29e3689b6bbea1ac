# SPDX-License-Identifier: GPL-3.0-or-later
"""`Ruling`: which rule concerns which pair of a scene that goes on."""
from typing import Any

import numpy as np

from ..rules import RuleSet
from ..rules.applied import NO_RULE, Applied
from ..scene.scene import Layout

NOTHING_DECIDED = np.zeros(0, np.int32), np.zeros(0)


class Ruling:
    """Remembers what rules say of a scene's objects, as long as both are the same ones."""

    def __init__(self):
        self._known: tuple = (None, None, None)     # layout, rules, and what these say of it

    def applied(self, rules: Any, layout: Layout) -> Applied | None:
        """What the rules say of the objects, None where there are none. rules: as in `detect`."""
        if self._known[0] is not layout or self._known[1] is not rules:
            applied = RuleSet.of(rules).applied(layout.names, layout.group, layout.groups)
            self._known = layout, rules, applied
        return self._known[2]

    def deciding(self, rules: Any, layout: Layout, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(k,) int32 and (k,) float64: which rule concerns pairs of objects, or NO_RULE, and the depth that it allows.
        a, b: (k,) indices."""
        if len(a) == 0:
            return NOTHING_DECIDED
        known, allowed = None if rules is None else self.applied(rules, layout), np.full(len(a), np.nan)
        if known is None:
            return np.full(len(a), NO_RULE, np.int32), allowed
        rule = known.deciding(a, b)
        some = rule != NO_RULE
        allowed[some] = [known.rules[each].allowed_depth for each in rule[some].tolist()]
        return rule, allowed
