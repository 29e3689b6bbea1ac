# SPDX-License-Identifier: GPL-3.0-or-later
"""`Bonds`: how what was tested belongs together, as far as rules, collections with a clearance and collections A and B
ask. Nothing of it is told by a mesh or a pose."""
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import bpy

from ...core.rules import Relations, Rule
from ...core.rules.relations import IN_NONE
from ...core.rules.rule import COLLECTIONS, PAIRS
from ..own_properties import clearance_of
from .relations import ref_of, relate
from .reloaded import NAMELESS, renumbered
from .scope import collection_named

if TYPE_CHECKING:
    from .snapshot import Snapshot
    from .swept import Swept

IN_OTHERS, DIFFERENTLY = "in other collections", "attached differently"
Pair = tuple[int, int]


@dataclass(slots=True)
class Bonds:
    """Objects and collections by session_uid.

    holding: what each collection holds that a rule names, that asks for a clearance, or that is A or B; wishing: those
    that ask for a clearance. kinds: of the rules. parents: a child with its next ancestor. assembly, link: a number,
    the same one for what belongs together, none for what is in none. next_links: numbers of links that follow one
    another. joined: what a constraint joins.
    """

    holding: dict[int, frozenset[int]] = field(default_factory=dict)
    wishing: frozenset[int] = frozenset()
    kinds: frozenset[str] = frozenset()
    parents: frozenset[Pair] = frozenset()
    assembly: dict[int, int] = field(default_factory=dict)
    link: dict[int, int] = field(default_factory=dict)
    next_links: frozenset[Pair] = frozenset()
    joined: frozenset[Pair] = frozenset()

    @classmethod
    def of(cls, source: "Snapshot | Swept", scene: bpy.types.Scene) -> "Bonds":
        """As rules were told when it was read, or now where other processes have read it."""
        related = source.related
        rules = [rule for rule in related.rules if rule.enabled]
        held = source.held if source.held is not None else held_by(scene, rules, source.collections)
        wishing = frozenset(uid for uid, each in _collections(scene).items() if clearance_of(each) > 0.0) & held.keys()
        found = cls(dict(held), wishing, frozenset(rule.kind for rule in rules) - {COLLECTIONS, PAIRS})
        every = {row.session_uid for row in source.rows if row is not None}
        if related.relations is None:
            return replace(found.now(scene, every), holding=found.holding)
        uid = dict(zip(related.relations.thing.tolist(), related.uids))
        if found.kinds:
            found._take(related.relations, uid)
        # A Swept was told of the latest frame only, where others may have been hidden.
        if source.frame is None and not found.differing(found.now(scene, uid.values()), every):
            return found.now(scene, every)
        return found

    def now(self, scene: bpy.types.Scene, tested: Iterable[int]) -> "Bonds":
        """The same questions, asked of what is there now. tested: session_uid."""
        collections = _collections(scene)
        found = Bonds({uid: _held_by(collections[uid]) if uid in collections else frozenset() for uid in self.holding},
                      self.wishing, self.kinds)
        if self.kinds:
            objects = {each.session_uid: each for each in bpy.data.objects}
            things = [objects[uid] for uid in tested if uid in objects]
            relations = Relations.of_names([], [])
            relate(relations, self.kinds, scene, things)
            found._take(relations, {number: each.session_uid for number, each in enumerate(things)})
        return found

    def _take(self, relations: Relations, uid: dict[int, int]) -> None:
        def pairs_of(rows) -> frozenset[Pair]:
            return frozenset((uid[a], uid[b]) for a, b in rows.tolist())

        def numbers_of(numbers) -> dict[int, int]:
            return {} if numbers is None else {uid[thing]: each for thing, each in enumerate(numbers.tolist())
                                               if each != IN_NONE}

        self.parents, self.joined = pairs_of(relations.parents), pairs_of(relations.joined)
        self.assembly, self.link = numbers_of(relations.assembly), numbers_of(relations.link)
        self.next_links = frozenset(map(tuple, relations.next_links.tolist()))

    def renumbered(self, objects: Mapping[int, int], collections: Mapping[int, int]) -> "Bonds":
        """The same for what has another session_uid by now."""
        def paired(pairs) -> frozenset[Pair]:
            return frozenset((objects.get(a, a), objects.get(b, b)) for a, b in pairs)

        def numbered(numbers) -> dict[int, int]:
            return {objects.get(uid, uid): number for uid, number in numbers.items()}

        holding = {collections.get(uid, uid): frozenset(renumbered(held, objects))
                   for uid, held in self.holding.items()}
        return Bonds(holding, frozenset(renumbered(self.wishing, collections)), self.kinds, paired(self.parents),
                     numbered(self.assembly), numbered(self.link), self.next_links, paired(self.joined))

    def differing(self, now: "Bonds", tested: Container[int]) -> dict[int, str]:
        """What became of objects: of two that belong together otherwise, at least of one. tested: all others are only
        instanced."""
        found = dict.fromkeys(self._differently_attached(now), DIFFERENTLY)
        for collection, held in self.holding.items():
            for uid in held ^ now.holding[collection]:
                if uid in tested or collection in self.wishing:
                    found[uid] = IN_OTHERS
        return found

    def _differently_attached(self, now: "Bonds") -> set[int]:
        found = {child for child, _ in self.parents ^ now.parents} | {uid for pair in self.joined ^ now.joined
                                                                      for uid in pair}
        found |= _regrouped(self.assembly, now.assembly)[0]
        others, number = _regrouped(self.link, now.link)
        following = {(number.get(a), number.get(b)) for a, b in now.next_links}
        changed = {link for pair in following ^ self.next_links for link in pair}
        return found | others | {uid for uid, link in self.link.items() if link in changed}

    # What is saved with the file

    def as_data(self, place: dict[int, int], name: dict[int, Any]) -> list:
        """As JSON has it. place: number of each object, by session_uid; name: of each collection."""
        def placed(pairs) -> list:
            return [[place[a], place[b]] for a, b in pairs if a in place and b in place]

        def numbered(numbers) -> list:
            return [[place[uid], number] for uid, number in numbers.items() if uid in place]

        return [[[name.get(uid, NAMELESS), uid in self.wishing, [place[each] for each in held if each in place]]
                 for uid, held in self.holding.items()], sorted(self.kinds), placed(self.parents),
                numbered(self.assembly), numbered(self.link), sorted(self.next_links), placed(self.joined)]

    @classmethod
    def from_data(cls, data: list, uid: dict[int, int], collections: dict[Any, int]) -> "Bonds":
        """What `as_data` gave. uid: of the objects by number; collections: those of this file by what they are called.
        Raises ValueError, TypeError or KeyError for anything else."""
        held, kinds, parents, assembly, link, next_links, joined = data
        found = cls(kinds=frozenset(map(str, kinds)), next_links=frozenset((int(a), int(b)) for a, b in next_links))
        for name, is_wishing, places in held:
            collection = collections.get(tuple(name), 0)        # 0: one of those that are gone
            held_too = found.holding.get(collection, frozenset())
            found.holding[collection] = held_too | {uid[each] for each in places}
            found.wishing |= {collection} if is_wishing else set()
        found.parents, found.joined = (frozenset((uid[a], uid[b]) for a, b in pairs) for pairs in (parents, joined))
        found.assembly, found.link = ({uid[each]: int(number) for each, number in numbers}
                                      for numbers in (assembly, link))
        return found


def held_by(scene: bpy.types.Scene, rules: Iterable[Rule], names: Iterable[str]) -> dict[int, frozenset[int]]:
    """`Bonds.holding` of these rules now. names: of A and B."""
    collections = _collections(scene)
    named = {ref for rule in rules if rule.enabled for ref in (rule.a, rule.b)}
    asked = {uid for uid, each in collections.items() if clearance_of(each) > 0.0 or ref_of(each) in named}
    asked |= {side.session_uid for name in names if (side := collection_named(name, scene)) is not None}
    return {uid: _held_by(collections[uid]) for uid in asked if uid in collections}


def _collections(scene: bpy.types.Scene) -> dict[int, bpy.types.Collection]:
    return {each.session_uid: each for each in (*bpy.data.collections, scene.collection)}


def _held_by(collection: bpy.types.Collection) -> frozenset[int]:
    return frozenset(each.session_uid for each in collection.all_objects)


def _regrouped(before: dict[int, int], now: dict[int, int]) -> tuple[set[int], dict[int, int]]:
    """Objects such that all others are grouped as before, whatever the numbers of groups; and for numbers of now those
    of before. An object stayed where it was when more than half of its old group did, and more than half of its new one
    came from there: between two that both stayed, nothing is different."""
    both = before.keys() & now.keys()
    old_size, new_size = Counter(before[uid] for uid in both), Counter(now[uid] for uid in both)
    common = Counter((before[uid], now[uid]) for uid in both)
    same = {(old, new) for (old, new), count in common.items() if 2 * count > max(old_size[old], new_size[new])}
    moved = {uid for uid in both if (before[uid], now[uid]) not in same}
    return moved | (before.keys() ^ now.keys()), {new: old for old, new in same}
