# SPDX-License-Identifier: GPL-3.0-or-later
"""`RuleSet`: what `detect(rules=…)` takes."""
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .applied import Applied
from .relations import Relations
from .rule import Rule


@dataclass(eq=False)
class RuleSet:
    """What limits which pairs of a scene are tested, and which are named.

    rules: in the order of the list. relations: what the rules ask about the scene's objects, one entry per object; None
    for a scene made in Python, whose objects have names and groups only. groups: pairs of group names; where they are
    given, only these are tested against each other.
    """

    rules: Iterable[Rule] = ()
    relations: Relations | None = None
    groups: Iterable[tuple[str | None, str | None]] | None = None

    def __post_init__(self):
        self.rules = tuple(self.rules)      # asked in each frame
        self.groups = None if self.groups is None else list(self.groups)

    @classmethod
    def of(cls, rules) -> "RuleSet":
        """`rules` as `detect` takes them: a RuleSet, pairs of group names, or None."""
        return rules if isinstance(rules, cls) else cls(groups=rules)

    def applied(self, names: list[str], group: np.ndarray, groups: list[str | None]) -> Applied | None:
        """The rules that are on, for the objects of a scene; None where there are none. Raises ValueError where the
        relations are those of another scene. names, group, groups: as in `scene.Layout`."""
        rules = [rule for rule in self.rules if rule.enabled]
        if not rules:
            return None
        relations = self.relations or Relations.of_names(names, [groups[each] for each in group.tolist()])
        if len(relations.thing) != len(names):
            raise ValueError(f"relations of {len(relations.thing)} objects, but the scene has {len(names)}")
        return Applied(rules, relations)
