# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules as JSON: docs/rules.schema.json describes it. Lengths are in metres. The same rules give the same bytes."""
import json
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..errors import Refused
from ..files import replaced
from .rule import COLLECTIONS, KINDS, PAIRS, Ref, Rule

FORMAT = 1                  # raised when a reader of the JSON would have to change
MOST_BYTES = 1 << 26        # of a file: a million learned pairs
MOST_NAME = 4096            # letters of a name or a path
COMMON = ("kind", "reason", "enabled", "allowed_depth")
OWN = {PAIRS: ("pairs",), COLLECTIONS: ("a", "b")}


def read_rules(path, unit_scale: float = 1.0) -> list[Rule]:
    """The rules of a file, with lengths in units of unit_scale metres. Raises OSError where it cannot be read, Refused
    with the place of the fault where it is not what docs/rules.schema.json says."""
    path = Path(path)
    with open(path, "rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise Refused(f"{path} is no file of rules: it has more than {MOST_BYTES >> 20} MB.")
    try:
        return [scaled(rule, 1.0 / unit_scale) for rule in parse_rules(raw)]
    except Refused as error:
        raise Refused(f"{path}: {error}") from None


def write_rules(rules: Iterable[Rule], path, unit_scale: float = 1.0) -> None:
    """Write rules as JSON. Raises OSError where the file cannot be written; an older one is then kept."""
    lines = ",\n    ".join(json.dumps(_plain(scaled(rule, unit_scale)), ensure_ascii=False) for rule in rules)
    text = f'{{\n  "touchpoint_rules": {FORMAT},\n  "rules": [{_block(lines)}]\n}}\n'
    with replaced(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def scaled(rule: Rule, factor: float) -> Rule:
    """The rule with its length in another unit."""
    return rule if rule.allowed_depth is None else replace(rule, allowed_depth=rule.allowed_depth * factor)


def parse_rules(raw: bytes) -> list[Rule]:
    """The rules of a JSON text, lengths in metres. Raises Refused with the place of the fault."""
    try:
        text = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Refused("it is no text in UTF-8.") from None
    except json.JSONDecodeError as error:
        raise Refused(f"it is no JSON: {error.msg} in line {error.lineno}.") from None
    except (RecursionError, ValueError):
        raise Refused("no rules can be in it: it is too deep, or has numbers that are too long.") from None
    _known(text, ("touchpoint_rules", "rules"), "the file")
    if text.get("touchpoint_rules") != FORMAT or isinstance(text["touchpoint_rules"], (bool, float)):
        raise Refused(f'"touchpoint_rules", the version of the format, must be {FORMAT}.')
    rules: dict[Rule, int] = {}
    for number, each in enumerate(_list(text.get("rules"), "rules")):
        rule = _rule(each, f"rules[{number}]")
        if rule in rules:
            raise Refused(f"rules[{number}] is the same as rules[{rules[rule]}].")
        rules[rule] = number
    return list(rules)


def _rule(given, where: str) -> Rule:
    _known(given, None, where)
    kind = _text(given.get("kind"), f"{where}.kind")
    if kind not in KINDS:
        raise Refused(f'{where}.kind must be one of {", ".join(KINDS)}, not "{kind[:40]}".')
    _known(given, COMMON + OWN.get(kind, ()), where)
    enabled, depth = given.get("enabled", True), given.get("allowed_depth")
    if not isinstance(enabled, bool):
        raise Refused(f"{where}.enabled must be true or false.")
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, (int, float))):
        raise Refused(f"{where}.allowed_depth must be a length in metres, or null.")
    own: dict = {}
    if kind == COLLECTIONS:
        own = {side: _ref(given.get(side), f"{where}.{side}", instances=False) for side in "ab"}
    if kind == PAIRS:
        own = {"pairs": tuple(_pair(each, f"{where}.pairs[{i}]")
                              for i, each in enumerate(_list(given.get("pairs"), f"{where}.pairs")))}
    try:
        depth = None if depth is None else float(depth)
        return Rule(kind, _text(given.get("reason", ""), f"{where}.reason"), enabled, depth, **own)
    except OverflowError:
        raise Refused(f"{where}.allowed_depth is too large.") from None
    except Refused as error:
        raise Refused(f"{where}: {error}") from None


def _pair(given, where: str) -> tuple[Ref, Ref]:
    sides = _list(given, where)
    if len(sides) != 2:
        raise Refused(f"{where} must name two objects, not {len(sides)}.")
    return _ref(sides[0], f"{where}[0]"), _ref(sides[1], f"{where}[1]")


def _ref(given, where: str, instances: bool = True) -> Ref:
    """A name, or an object with name and what tells it from others of that name."""
    if isinstance(given, str):
        return Ref(_name(given, where))
    _known(given, ("name", "library", "instance") if instances else ("name", "library"), where)
    optional = {key: None if given.get(key) is None else _name(given[key], f"{where}.{key}")
                for key in ("library", "instance")}
    return Ref(_name(given.get("name"), f"{where}.name"), **optional)


def _name(given, where: str) -> str:
    text = _text(given, where)
    if not 0 < len(text) <= MOST_NAME:
        raise Refused(f"{where} must have 1 to {MOST_NAME:,} letters, not {len(text):,}.")
    return text


def _text(given, where: str) -> str:
    if not isinstance(given, str):
        raise Refused(f"{where} must be a text.")
    return given


def _list(given, where: str) -> list:
    if not isinstance(given, list):
        raise Refused(f"{where} must be a list.")
    return given


def _known(given, keys: tuple[str, ...] | None, where: str) -> None:
    """Raise Refused for what is no JSON object, or has other keys than these."""
    if not isinstance(given, dict):
        raise Refused(f"{where} must be an object, as in {{\"name\": …}}.")
    for key in given if keys is not None else ():
        if key not in (keys or ()):
            raise Refused(f'{where} has an unknown key "{key[:40]}". It may have: {", ".join(keys or ())}.')


def _unique(pairs: list[tuple[str, object]]) -> dict:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise Refused(f'the key "{next(each for each in names if names.count(each) > 1)[:40]}" comes twice.')
    return made


def _no_number(word: str):
    raise Refused(f"{word} is no number in JSON.")


def _plain(rule: Rule) -> dict:
    made: dict = {"kind": rule.kind, "reason": rule.reason, "enabled": rule.enabled}
    if rule.allowed_depth is not None and math.isfinite(rule.allowed_depth):
        made["allowed_depth"] = rule.allowed_depth
    if rule.a is not None and rule.b is not None:
        made["a"], made["b"] = _plain_ref(rule.a), _plain_ref(rule.b)
    if rule.pairs:
        made["pairs"] = [[_plain_ref(a), _plain_ref(b)] for a, b in rule.pairs]
    return made


def _plain_ref(ref: Ref) -> str | dict:
    more = {key: value for key, value in (("library", ref.library), ("instance", ref.instance)) if value is not None}
    return {"name": ref.name, **more} if more else ref.name


def _block(lines: str) -> str:
    return f"\n    {lines}\n  " if lines else ""
