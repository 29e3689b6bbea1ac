# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many pairs of objects a rule concerns: by labels and sorted codes, without a loop over pairs."""
from collections.abc import Callable

import numpy as np

from .relations import IN_NONE, Relations
from .rule import ASSEMBLY, COLLECTIONS, JOINTS, PARENTS, Ref, Rule

Matcher = Callable[[np.ndarray, np.ndarray], np.ndarray]     # (k,) and (k,) int64, objects → (k,) bool


def matcher(rule: Rule, relations: Relations) -> Matcher:
    """What tells the pairs that the rule concerns."""
    if rule.kind == COLLECTIONS:
        return _of_sides(*(_members(each, relations) for each in (rule.a, rule.b)))
    if rule.kind == PARENTS:
        return _of_things(relations.parents, relations)
    if rule.kind == ASSEMBLY:
        return _of_assemblies(relations)
    if rule.kind == JOINTS:
        return _of_joints(relations)
    return _of_keys(_keys_of_pairs(rule.pairs, relations), relations)


def _members(collection: Ref | None, relations: Relations) -> np.ndarray:
    """(objects,) bool: the objects in a collection."""
    inside = np.zeros(len(relations.things), bool)
    if collection in relations.collections:
        inside[relations.collections[collection]] = True
    return inside[relations.thing]


def _of_sides(in_a: np.ndarray, in_b: np.ndarray) -> Matcher:
    return lambda a, b: (in_a[a] & in_b[b]) | (in_b[a] & in_a[b])


def _of_things(pairs: np.ndarray, relations: Relations) -> Matcher:
    codes, count, thing = _codes(pairs, len(relations.things)), len(relations.things), relations.thing
    return lambda a, b: _contains(codes, _code(thing[a], thing[b], count))


def _of_assemblies(relations: Relations) -> Matcher:
    if relations.assembly is None:
        return _nothing
    thing, label = relations.thing, relations.assembly[relations.thing]
    whole = np.zeros(len(relations.things), bool) if relations.whole is None else relations.whole
    return lambda a, b: (label[a] == label[b]) & (label[a] != IN_NONE) & ((thing[a] != thing[b]) | whole[thing[a]])


def _of_joints(relations: Relations) -> Matcher:
    joined = _of_things(relations.joined, relations)
    if relations.link is None:
        return joined
    thing, link = relations.thing, relations.link[relations.thing]
    count = max(int(link.max(initial=0)), int(relations.next_links.max(initial=0))) + 1
    codes = _codes(relations.next_links, count)

    def concerns(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        linked = (link[a] != IN_NONE) & (link[b] != IN_NONE)
        follow = (link[a] == link[b]) | _contains(codes, _code(link[a], link[b], count))
        return (thing[a] != thing[b]) & ((linked & follow) | joined(a, b))

    return concerns


def _of_keys(codes: np.ndarray, relations: Relations) -> Matcher:
    """codes: of pairs of keys. An object answers to two keys: that of its thing, and one of its own."""
    count = len(relations.things) + len(relations.thing)
    if len(codes) == 0:
        return _nothing
    of_thing, of_object = relations.thing, len(relations.things) + np.arange(len(relations.thing))

    def concerns(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        mask = np.zeros(len(a), bool)
        for key_a in (of_thing[a], of_object[a]):
            for key_b in (of_thing[b], of_object[b]):
                mask |= _contains(codes, _code(key_a, key_b, count))
        return mask

    return concerns


def _keys_of_pairs(pairs: tuple[tuple[Ref, Ref], ...], relations: Relations) -> np.ndarray:
    """Sorted codes of the keys that the pairs name; names that nothing has are passed over."""
    keys = {ref: number for number, ref in enumerate(relations.things)}
    for number, (name, instance) in enumerate(zip(relations.names, relations.instances), len(relations.things)):
        thing = relations.things[relations.thing[number - len(relations.things)]]
        keys[Ref(thing.name, thing.library, instance or "")] = number
        keys.setdefault(Ref(name), number)      # what a report calls it
    named = [(keys[a], keys[b]) for a, b in pairs if a in keys and b in keys]
    return _codes(np.array(named, np.int64).reshape(-1, 2), len(relations.things) + len(relations.thing))


def _codes(pairs: np.ndarray, count: int) -> np.ndarray:
    """Sorted codes of (k,2) pairs of numbers below `count`."""
    return np.unique(_code(pairs[:, 0], pairs[:, 1], count))


def _code(a: np.ndarray, b: np.ndarray, count: int) -> np.ndarray:
    """One number for two, whichever comes first."""
    return np.minimum(a, b).astype(np.int64) * count + np.maximum(a, b)


def _contains(codes: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Mask of `wanted` that are among the sorted codes."""
    if len(codes) == 0:
        return np.zeros(len(wanted), bool)
    return codes[np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)] == wanted


def _nothing(a: np.ndarray, _b: np.ndarray) -> np.ndarray:
    return np.zeros(len(a), bool)
