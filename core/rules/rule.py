# SPDX-License-Identifier: GPL-3.0-or-later
"""`Rule`: which pairs are normal, and why."""
import math
from dataclasses import dataclass

from ..errors import Refused

PAIRS, COLLECTIONS, PARENTS, ASSEMBLY, JOINTS = "pairs", "collections", "parents", "assembly", "joints"
# What a kind of rule concerns, for people; also the reason where nobody gave one.
KINDS = {
    PAIRS: "Pairs of objects",
    COLLECTIONS: "Two collections, or one within itself",
    PARENTS: "Parents and children",
    ASSEMBLY: "Members of one rig or assembly",
    JOINTS: "Links that a bone, an empty or a constraint joins",
}
MOST_REASON = 1000      # letters


@dataclass(frozen=True, slots=True)
class Ref:
    """What a rule calls an object or a collection. library: path of the file it is linked from, None for this file.
    instance: one of the instances that the object makes, as reports name it ("Tree #12"); "": the object itself,
    without those that it makes; None: all of it."""

    name: str
    library: str | None = None
    instance: str | None = None

    def __str__(self) -> str:
        return f"{self.name} ▸ {self.instance}" if self.instance else self.name


@dataclass(frozen=True)
class Rule:
    """Pairs that are normal. `a`, `b`: of the kind "collections", the same twice for one within itself; `pairs`: of the
    kind "pairs".

    allowed_depth: None: the pairs are not tested. A length of zero or more: they are tested, and only those that
    reach no deeper into each other are taken away; in units of the scene.
    Raises Refused for what makes no sense.
    """

    kind: str
    reason: str = ""
    enabled: bool = True
    allowed_depth: float | None = None
    a: Ref | None = None
    b: Ref | None = None
    pairs: tuple[tuple[Ref, Ref], ...] = ()

    def __post_init__(self):
        if self.kind not in KINDS:
            raise Refused(f"There is no kind of rule {self.kind!r}. The kinds are: {', '.join(KINDS)}.")
        if (self.kind == COLLECTIONS) != (self.a is not None and self.b is not None):
            raise Refused("A rule about collections names two of them, or the same one twice; no other rule does.")
        if (self.kind == PAIRS) != bool(self.pairs):
            raise Refused("A rule about pairs names at least one pair; no other rule does.")
        if self.allowed_depth is not None and not (math.isfinite(self.allowed_depth) and self.allowed_depth >= 0.0):
            raise Refused(f"An allowed depth is a length of zero or more, not {self.allowed_depth}.")
        if len(self.reason) > MOST_REASON:
            raise Refused(f"The reason of a rule has at most {MOST_REASON:,} letters, not {len(self.reason):,}.")

    @property
    def title(self) -> str:
        """The reason, or what the rule concerns."""
        if self.reason:
            return self.reason
        if self.kind == PAIRS and len(self.pairs) == 1:
            return " × ".join(map(str, self.pairs[0]))
        if self.kind == COLLECTIONS:
            return f"Within {self.a}" if self.a == self.b else f"{self.a} × {self.b}"
        return KINDS[self.kind]
