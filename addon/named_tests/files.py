# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests as JSON: docs/named-tests.schema.json describes it. Lengths are in metres. The same tests give the same bytes.
"""
import math
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ...core.declarations import declaration
from ...core.errors import Refused
from ...core.files import replaced
from ...core.methods import DEFAULT
from ...core.rules import Ref, Rule
from ...core.rules.files import plain_rules, rules_in, scaled
from ...core.rules.strict_json import bytes_of, check_keys, items_of, name_in, plain_ref, ref_in, text_in, text_of
from ...core.tolerance import AUTOMATIC
from ..method_properties import as_typed, options_of
from ..rules.kept import add_rules, rules_of_list
from ..scene_read import metres_per_unit
from ..scene_read.relations import ref_of
from ..tolerance_properties import tolerance_of
from .named_test import frames_of
from .properties import COLLECTIONS, OF_SCENE, OWN_RULES, VISIBLE, WITHOUT_RULES

WHAT, VERSION_KEY = "tests", "touchpoint_named_tests"
FORMAT = 1                  # raised when a reader of the JSON would have to change
TEST_KEYS = ("name", "a", "b", "clearance", "tolerance", "weld", "self_collisions", "method", "options", "rules",
             "frames")


class Description(NamedTuple):
    """A test of a file. a, b: collections, None for all visible objects. Lengths in metres. options: those that are
    named. rules: whether those of the scene are asked, or those that are asked instead of them."""

    name: str
    a: Ref | None
    b: Ref | None
    clearance: float
    tolerance: float | str
    weld: float
    self_collisions: bool
    method: str
    options: dict
    rules: bool | list[Rule]
    frames: str


def read_tests(path: str | Path) -> list[Description]:
    """The tests of a file. Raises OSError where it cannot be read, Refused with the place of the fault where it is not
    what docs/named-tests.schema.json says."""
    path = Path(path)
    raw = bytes_of(path, WHAT)
    try:
        tests = [_description(each, f"tests[{number}]")
                 for number, each in enumerate(items_of(raw, WHAT, VERSION_KEY, FORMAT))]
        names = [each.name for each in tests]
        for number, name in enumerate(names):
            if names.index(name) < number:
                raise Refused(f"tests[{number}] has the name of tests[{names.index(name)}].")
        return tests
    except Refused as error:
        raise Refused(f"{path}: {error}") from None


def write_tests(scene: bpy.types.Scene, path: str | Path) -> None:
    """Write the tests of a scene as JSON. Raises OSError where the file cannot be written; an older one is then kept.
    Raises Refused for a test of two collections that lacks one: no file describes it."""
    text = text_of([_plain(item, metres_per_unit(scene)) for item in scene.touchpoint.tests], WHAT, VERSION_KEY, FORMAT)
    with replaced(path) as file:
        file.write(text)


def add_tests(scene: bpy.types.Scene, tests: list[Description]) -> None:
    """Append tests to the list of a scene; a name that is taken gets a number. Raises Refused, and adds none, where a
    collection is not in the open file."""
    known: dict[Ref | None, Any] = {ref_of(each): each for each in bpy.data.collections}
    for each in tests:
        for ref in (each.a, each.b):
            if ref is not None and ref not in known:
                raise Refused(f'The test "{each.name}" names the collection {ref}, which is not in this file.')
    settings, metres = scene.touchpoint, metres_per_unit(scene)
    for each in tests:
        item = settings.tests.add()
        item.scope = VISIBLE if each.a is None else COLLECTIONS
        item.collection_a, item.collection_b = known.get(each.a), known.get(each.b)
        item.clearance, item.weld = each.clearance / metres, each.weld / metres
        if each.tolerance == AUTOMATIC:
            item.tolerance_kind = "AUTOMATIC"
        else:
            item.tolerance_kind = "LENGTH" if each.tolerance else "EXACT"
            item.tolerance = float(each.tolerance) / metres
        item.self_collisions, item.method = each.self_collisions, each.method
        for name, value in each.options.items():
            setattr(getattr(item.options, each.method), name, value)
        if isinstance(each.rules, bool):
            item.asked_rules = OF_SCENE if each.rules else WITHOUT_RULES
        else:
            item.asked_rules = OWN_RULES
            add_rules(item, [scaled(rule, 1.0 / metres) for rule in each.rules])
        item.frames, item.name = each.frames, each.name
        settings.test_index = len(settings.tests) - 1


def _description(given, where: str) -> Description:
    check_keys(given, TEST_KEYS, where)
    name = name_in(given.get("name"), f"{where}.name")
    if ("a" in given) != ("b" in given):
        raise Refused(f"{where} must name two collections, a and b, or none.")
    a, b = (ref_in(given[side], f"{where}.{side}", instances=False) if side in given else None for side in "ab")
    lengths = {key: _length(given.get(key, 0.0), f"{where}.{key}") for key in ("clearance", "weld")}
    tolerance = given.get("tolerance", AUTOMATIC)
    if tolerance != AUTOMATIC:
        tolerance = _length(tolerance, f"{where}.tolerance")
    method = text_in(given.get("method", DEFAULT), f"{where}.method")
    frames = text_in(given.get("frames", ""), f"{where}.frames")
    try:
        options = _options(method, given.get("options", {}), f"{where}.options")
        frames_of(frames)
    except Refused as error:
        raise Refused(f"{where}: {error}") from None
    return Description(name, a, b, lengths["clearance"], tolerance, lengths["weld"],
                       _switch(given.get("self_collisions", False), f"{where}.self_collisions"), method, options,
                       _rules(given.get("rules", True), f"{where}.rules"), frames)


def _options(method: str, given, where: str) -> dict:
    """Those that are named, checked. Raises Refused for an unknown method or option and for a wrong value."""
    known = {option.name: option for option in declaration(method).options}
    check_keys(given, tuple(known), where)
    return {name: known[name].checked(value) for name, value in given.items()}


def _length(given, where: str) -> float:
    number = given if isinstance(given, (int, float)) and not isinstance(given, bool) else math.nan
    if not 0.0 <= number <= 1e30:
        raise Refused(f"{where} must be a length of zero or more, in metres.")
    return float(number)


def _switch(given, where: str) -> bool:
    if not isinstance(given, bool):
        raise Refused(f"{where} must be true or false.")
    return given


def _rules(given, where: str) -> bool | list[Rule]:
    if isinstance(given, list):
        return rules_in(given, where)
    if not isinstance(given, bool):
        raise Refused(f"{where} must be true or false, or a list of rules.")
    return given


def _plain(item, metres: float) -> dict:
    """A test of the list as JSON."""
    made: dict[str, Any] = {"name": item.name}
    if item.scope == COLLECTIONS:
        if item.collection_a is None or item.collection_b is None:
            raise Refused(f'The test "{item.name}" is of two collections, of which one is missing.')
        made["a"], made["b"] = plain_ref(ref_of(item.collection_a)), plain_ref(ref_of(item.collection_b))
    tolerance = tolerance_of(item)
    made["clearance"], made["weld"] = as_typed(item.clearance) * metres, as_typed(item.weld) * metres
    made["tolerance"] = tolerance if isinstance(tolerance, str) else tolerance * metres
    options = options_of(item, item.method)
    return {**made, "self_collisions": item.self_collisions, "method": item.method,
            **({"options": options} if options else {}), "rules": _plain_rules(item, metres), "frames": item.frames}


def _plain_rules(item, metres: float) -> bool | list[dict]:
    """What `_rules` reads."""
    if item.asked_rules == OWN_RULES:
        return plain_rules(dict.fromkeys(rules_of_list(item)), metres)      # a file has each rule once
    return item.asked_rules == OF_SCENE
