# SPDX-License-Identifier: GPL-3.0-or-later
"""`NamedTest`: one question that is kept with a scene, as plain arguments of a run."""
import math
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import Refused
from ...core.rules import Rule
from ..animation.frames import DECIMALS
from ..question_properties import how_asked
from ..rules.kept import rules_of_list
from .properties import COLLECTIONS, OWN_RULES, WITHOUT_RULES

MOST_FRAMES = 100_000


@dataclass(frozen=True)
class NamedTest:
    """where: what is tested, as arguments of `api.detect`; how: method, options, self_collisions, clearance, weld and
    tolerance in Blender units. frames: () for the current one. rules: that take pairs away. rules_of: the name of the
    test where these are its own, else ""."""

    name: str
    where: dict
    how: dict
    frames: tuple[float, ...] = ()
    rules: list[Rule] = field(default_factory=list)
    rules_of: str = ""

    @classmethod
    def of(cls, item: Any, rules: list[Rule]) -> "NamedTest":
        """A test of the list of a scene. rules: those that it asks where it asks those of the scene. Raises Refused
        where its frames are none, or a collection is missing."""
        where: dict = {"scope": item.scope}
        if item.scope == COLLECTIONS:
            if item.collection_a is None or item.collection_b is None:
                raise Refused("It is of two collections, of which one is missing.")
            where.update(collection_a=item.collection_a, collection_b=item.collection_b)
        how = how_asked(item)
        if item.asked_rules == OWN_RULES:
            return cls(item.name, where, how, frames_of(item.frames), rules_of_list(item), item.name)
        return cls(item.name, where, how, frames_of(item.frames), [] if item.asked_rules == WITHOUT_RULES else rules)


def frames_of(text: str) -> tuple[float, ...]:
    """The frames that a text names, each once, in its order: `1, 12.5, 20:40, 1:250:10`. Raises Refused."""
    frames: dict[float, None] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            numbers = [float(each) for each in part.split(":")]
        except ValueError:
            numbers = []
        if not 1 <= len(numbers) <= 3 or not all(map(math.isfinite, numbers)):
            raise Refused(f'"{part[:40]}" is no frame: write 1, 12.5, 20:40 or 1:250:10.')
        first, last, step = numbers[0], numbers[-1 if len(numbers) < 3 else 1], numbers[2] if len(numbers) == 3 else 1.0
        count = (last - first) / step + 1.0 if step > 0.0 else math.inf
        if count < 1.0 or len(frames) + count > MOST_FRAMES:
            raise Refused(f'"{part[:40]}" names no frames, or more than {MOST_FRAMES:,}.')
        frames.update((round(first + step * number, DECIMALS), None) for number in range(math.floor(count + 1e-9)))
    return tuple(frames)
