# SPDX-License-Identifier: GPL-3.0-or-later
"""From the rules that are kept with a scene to those of the core, and back."""
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import bpy

from ...core.rules import Ref, Rule, read_rules
from ...core.rules.rule import COLLECTIONS, PAIRS
from ...core.shown import escaped
from ..method_properties import as_typed
from ..scene_read import metres_per_unit
from ..scene_read.relations import ref_of
from .properties import KIND_ITEMS, mark_outdated


def kept_rules(scene: bpy.types.Scene) -> list[Rule]:
    """The rules of a scene, as `rules_of_list` has them. [] where the add-on is not enabled."""
    settings = getattr(scene, "touchpoint", None)
    return rules_of_list(settings) if settings else []


def rules_of_list(holder: Any) -> list[Rule]:
    """The rules of a scene's settings, or of a test, in the order of the list, lengths in Blender units. Those that are
    not finished, as they name no collection or no pair yet, are left out."""
    return [as_rule(item) for item in holder.rules if not unfinished(item)]


def chosen_rules(given: Sequence[Rule] | str | Path | None, scene: bpy.types.Scene) -> list[Rule]:
    """The rules of a run as `api.detect` takes them: None, a path, or rules. Raises Refused or OSError for a file that
    cannot be used."""
    if given is None:
        return kept_rules(scene)
    if isinstance(given, (str, os.PathLike)):
        return read_rules(given, metres_per_unit(scene))
    return list(given)


def unfinished(item: Any) -> str:
    """What a rule of the list still needs, "" where nothing is missing."""
    if item.kind == COLLECTIONS and None in (_collection(item, "a"), _collection(item, "b")):
        return "Choose two collections, or the same one twice"
    if item.kind == PAIRS and not any(_pair(each) for each in item.pairs):
        return "It has no pairs"
    return ""


def described(item: Any) -> str:
    """What a rule, or a pair of one, concerns: `Bolts × Plates`, `3 pairs of objects`, `Joints`. Cheap: drawn."""
    if not hasattr(item, "kind"):
        a, b = (_name(item, "object", side) for side in "ab")
        return f"{a} × {b}"
    if item.kind == COLLECTIONS and not unfinished(item):
        a, b = (_name(item, "collection", side) for side in "ab")
        return f"Within {a}" if item.collection_a == item.collection_b and a == b else f"{a} × {b}"
    if item.kind == PAIRS and item.pairs:
        return described(item.pairs[0]) if len(item.pairs) == 1 else f"{len(item.pairs):,} pairs of objects"
    return next(title for kind, title, *_ in KIND_ITEMS if kind == item.kind)


def _name(item, what: str, side: str) -> str:
    ref = _side(item, what, side)
    if ref is None:
        return "?"
    instance = getattr(item, f"instance_{side}", "")
    return escaped(str(Ref(ref.name, ref.library, instance or None)))


def as_rule(item: Any) -> Rule:
    """A rule of the list, which must be finished."""
    own: dict = {}
    if item.kind == COLLECTIONS:
        own = {"a": _collection(item, "a"), "b": _collection(item, "b")}
    if item.kind == PAIRS:
        own = {"pairs": tuple(pair for pair in map(_pair, item.pairs) if pair)}
    return Rule(item.kind, item.name, item.enabled, as_typed(item.allowed_depth) if item.is_tested else None, **own)


def new_rule(holder: Any, kind: str) -> Any:
    """Append a rule of a kind to the list of a scene's settings, or of a test, make it the active one, and return it.
    """
    item = holder.rules.add()
    item.kind = kind
    holder.rule_index = len(holder.rules) - 1
    mark_outdated(holder)
    return item


def add_rules(holder: Any, rules: Iterable[Rule]) -> None:
    """Append rules to the list of a scene's settings, or of a test; the last one becomes the active one."""
    objects = {ref_of(each): each for each in bpy.data.objects}
    collections = {ref_of(each): each for each in (*bpy.data.collections, holder.id_data.collection)}
    for rule in rules:
        item = new_rule(holder, rule.kind)
        item.name, item.enabled = escaped(rule.reason), rule.enabled
        item.is_tested, item.allowed_depth = rule.allowed_depth is not None, rule.allowed_depth or 0.0
        for side, ref in (("a", rule.a), ("b", rule.b)):
            if ref is not None:
                _write_side(item, "collection", side, ref, collections)
        for pair in rule.pairs:
            each = item.pairs.add()
            for side, ref in zip("ab", pair):
                _write_side(each, "object", side, ref, objects)
                setattr(each, f"instance_{side}", escaped(ref.instance or ""))
                setattr(each, f"alone_{side}", ref.instance == "")


def _write_side(item, kind: str, side: str, ref: Ref, known: dict) -> None:
    found = known.get(Ref(ref.name, ref.library))
    # The collection of a whole scene is no data-block of its own: nothing can point to it.
    if found is not None and not getattr(found, "is_embedded_data", False):
        setattr(item, f"{kind}_{side}", found)
    setattr(item, f"name_{side}", escaped(ref.name))
    setattr(item, f"library_{side}", escaped(ref.library or ""))


def _side(item, kind: str, side: str) -> Ref | None:
    found, name = getattr(item, f"{kind}_{side}"), getattr(item, f"name_{side}")
    if found is not None:
        return ref_of(found)
    return Ref(name, getattr(item, f"library_{side}") or None) if name else None


def _collection(item, side: str) -> Ref | None:
    return _side(item, "collection", side)


def _pair(item) -> tuple[Ref, Ref] | None:
    """None where one of the two is not chosen."""
    a, b = (_side(item, "object", side) for side in "ab")
    if a is None or b is None:
        return None
    return _of_it(a, item.instance_a, item.alone_a), _of_it(b, item.instance_b, item.alone_b)


def _of_it(ref: Ref, instance: str, alone: bool) -> Ref:
    """One instance of an object, the object alone, or all of it."""
    return Ref(ref.name, ref.library, "" if alone else instance or None)
