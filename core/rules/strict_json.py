# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON from strangers, read strictly: what is not as described is refused with the place of the fault."""
import json
from pathlib import Path

from ..errors import Refused
from .rule import Ref

MOST_BYTES = 1 << 26        # of a file: a million learned pairs
MOST_NAME = 4096            # letters of a name or a path


def bytes_of(path: Path, what: str) -> bytes:
    """All of a file. what: is in it, "rules". Raises OSError where it cannot be read, Refused where it is too large."""
    with open(path, "rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise Refused(f"{path} is no file of {what}: it has more than {MOST_BYTES >> 20} MB.")
    return raw


def items_of(raw: bytes, what: str, version_key: str, version: int) -> list:
    """The list `what` of a JSON text whose only other key is its version. Raises Refused with the place of the fault.
    """
    try:
        text = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Refused("it is no text in UTF-8.") from None
    except json.JSONDecodeError as error:
        raise Refused(f"it is no JSON: {error.msg} in line {error.lineno}.") from None
    except (RecursionError, ValueError):
        raise Refused(f"no {what} can be in it: it is too deep, or has numbers that are too long.") from None
    check_keys(text, (version_key, what), "the file")
    if text.get(version_key) != version or isinstance(text[version_key], (bool, float)):
        raise Refused(f'"{version_key}", the version of the format, must be {version}.')
    return list_in(text.get(what), what)


def text_of(items: list[dict], what: str, version_key: str, version: int) -> bytes:
    """The JSON text that `items_of` reads, a line per item."""
    lines = ",\n    ".join(json.dumps(each, ensure_ascii=False) for each in items)
    block = f"\n    {lines}\n  " if lines else ""
    return f'{{\n  "{version_key}": {version},\n  "{what}": [{block}]\n}}\n'.encode("utf-8", "backslashreplace")


def ref_in(given, where: str, instances: bool = True) -> Ref:
    """What is named: a name, or an object with name and what tells it from others of that name."""
    if isinstance(given, str):
        return Ref(name_in(given, where))
    check_keys(given, ("name", "library", "instance") if instances else ("name", "library"), where)
    library, instance = given.get("library"), given.get("instance")
    return Ref(name_in(given.get("name"), f"{where}.name"),
               None if library is None else name_in(library, f"{where}.library"),
               instance if instance in (None, "") else name_in(instance, f"{where}.instance"))


def name_in(given, where: str) -> str:
    """The same text, which must be a name."""
    text = text_in(given, where)
    if not 0 < len(text) <= MOST_NAME:
        raise Refused(f"{where} must have 1 to {MOST_NAME:,} letters, not {len(text):,}.")
    return text


def text_in(given, where: str) -> str:
    """The same text, which must be one."""
    if not isinstance(given, str):
        raise Refused(f"{where} must be a text.")
    return given


def list_in(given, where: str) -> list:
    """The same list, which must be one."""
    if not isinstance(given, list):
        raise Refused(f"{where} must be a list.")
    return given


def check_keys(given, keys: tuple[str, ...] | None, where: str) -> None:
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


def plain_ref(ref: Ref) -> str | dict:
    """What `ref_in` reads."""
    more = {key: value for key, value in (("library", ref.library), ("instance", ref.instance)) if value is not None}
    return {"name": ref.name, **more} if more else ref.name
