# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules as JSON: docs/rules.schema.json describes it. Lengths are in metres. The same rules give the same bytes."""
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..errors import Refused
from ..files import replaced
from .rule import COLLECTIONS, KINDS, PAIRS, Ref, Rule
from .strict_json import bytes_of, check_keys, items_of, list_in, plain_ref, ref_in, text_in, text_of

WHAT, VERSION_KEY = "rules", "touchpoint_rules"
FORMAT = 1                  # raised when a reader of the JSON would have to change
COMMON = ("kind", "reason", "enabled", "allowed_depth")
OWN = {PAIRS: ("pairs",), COLLECTIONS: ("a", "b")}


def read_rules(path, unit_scale: float = 1.0) -> list[Rule]:
    """The rules of a file, with lengths in units of unit_scale metres. Raises OSError where it cannot be read, Refused
    with the place of the fault where it is not what docs/rules.schema.json says."""
    path = Path(path)
    raw = bytes_of(path, WHAT)
    try:
        return [scaled(rule, 1.0 / unit_scale) for rule in parse_rules(raw)]
    except Refused as error:
        raise Refused(f"{path}: {error}") from None


def write_rules(rules: Iterable[Rule], path, unit_scale: float = 1.0) -> None:
    """Write rules as JSON. Raises OSError where the file cannot be written; an older one is then kept."""
    text = text_of(plain_rules(rules, unit_scale), WHAT, VERSION_KEY, FORMAT)
    with replaced(path) as file:
        file.write(text)


def scaled(rule: Rule, factor: float) -> Rule:
    """The rule with its length in another unit."""
    return rule if rule.allowed_depth is None else replace(rule, allowed_depth=rule.allowed_depth * factor)


def parse_rules(raw: bytes) -> list[Rule]:
    """The rules of a JSON text, lengths in metres. Raises Refused with the place of the fault."""
    return rules_in(items_of(raw, WHAT, VERSION_KEY, FORMAT), WHAT)


def rules_in(given: list, where: str) -> list[Rule]:
    """The rules of a list in JSON, lengths in metres. Raises Refused with the place of the fault, which begins with
    where."""
    rules: dict[Rule, int] = {}
    for number, each in enumerate(given):
        rule = _rule(each, f"{where}[{number}]")
        if rule in rules:
            raise Refused(f"{where}[{number}] is the same as {where}[{rules[rule]}].")
        rules[rule] = number
    return list(rules)


def plain_rules(rules: Iterable[Rule], unit_scale: float = 1.0) -> list[dict]:
    """What `rules_in` reads. rules: with lengths in units of unit_scale metres."""
    return [_plain(scaled(rule, unit_scale)) for rule in rules]


def _rule(given, where: str) -> Rule:
    check_keys(given, None, where)
    kind = text_in(given.get("kind"), f"{where}.kind")
    if kind not in KINDS:
        raise Refused(f'{where}.kind must be one of {", ".join(KINDS)}, not "{kind[:40]}".')
    check_keys(given, COMMON + OWN.get(kind, ()), where)
    enabled, depth = given.get("enabled", True), given.get("allowed_depth")
    if not isinstance(enabled, bool):
        raise Refused(f"{where}.enabled must be true or false.")
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, (int, float))):
        raise Refused(f"{where}.allowed_depth must be a length in metres, or null.")
    own: dict = {}
    if kind == COLLECTIONS:
        own = {side: ref_in(given.get(side), f"{where}.{side}", instances=False) for side in "ab"}
    if kind == PAIRS:
        own = {"pairs": tuple(_pair(each, f"{where}.pairs[{i}]")
                              for i, each in enumerate(list_in(given.get("pairs"), f"{where}.pairs")))}
    try:
        depth = None if depth is None else float(depth)
        return Rule(kind, text_in(given.get("reason", ""), f"{where}.reason"), enabled, depth, **own)
    except OverflowError:
        raise Refused(f"{where}.allowed_depth is too large.") from None
    except Refused as error:
        raise Refused(f"{where}: {error}") from None


def _pair(given, where: str) -> tuple[Ref, Ref]:
    sides = list_in(given, where)
    if len(sides) != 2:
        raise Refused(f"{where} must name two objects, not {len(sides)}.")
    return ref_in(sides[0], f"{where}[0]"), ref_in(sides[1], f"{where}[1]")


def _plain(rule: Rule) -> dict:
    made: dict = {"kind": rule.kind, "reason": rule.reason, "enabled": rule.enabled}
    if rule.allowed_depth is not None and math.isfinite(rule.allowed_depth):
        made["allowed_depth"] = rule.allowed_depth
    if rule.a is not None and rule.b is not None:
        made["a"], made["b"] = plain_ref(rule.a), plain_ref(rule.b)
    if rule.pairs:
        made["pairs"] = [[plain_ref(a), plain_ref(b)] for a, b in rule.pairs]
    return made
