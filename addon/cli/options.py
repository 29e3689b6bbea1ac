# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of methods as they are typed: `depth=3`, `tsgo.depth=3`, `tsgo:cells=diagonals`."""
from ...core.declarations import declaration, usually_compared
from ...core.errors import Refused
from ...core.methods import ids

ON_OFF = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


def options_of(method: str, texts: list[str]) -> dict:
    """{name: value} of `name=value` each. Whether the method has them is for `Method.chosen` to say, but for the
    words of what is on or off. Raises Refused for what is no `name=value`, and for an unknown method."""
    found = {}
    kinds = {option.name: type(option.default) for option in declaration(method).options}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign):
            raise Refused(f'An option is given as name=value, not "{text}".')
        if name in found:
            raise Refused(f"The option {name} is given twice.")
        found[name] = ON_OFF.get(value.lower(), value) if kinds.get(name) is bool else value
    return found


def entries_of(methods: str | None, texts: list[str]) -> list[tuple[str, dict]]:
    """[(id, options)] to be compared. methods: `a,b:name=value:name=value`, None for those usually compared; texts:
    `id.name=value` each, for every entry of that id that does not say otherwise itself."""
    shared: dict[str, list[str]] = {}
    for text in texts:
        method, dot, option = text.partition(".")
        if not dot or method not in ids():
            raise Refused(f'An option is given as METHOD.name=value, with one of {", ".join(ids())}, not "{text}".')
        shared.setdefault(method, []).append(option)
    words = usually_compared() if methods is None else methods.split(",")
    entries = []
    for word in words:
        method, *own = (part.strip() for part in word.split(":"))
        declaration(method)
        entries.append((method, {**options_of(method, shared.get(method, [])), **options_of(method, own)}))
    unused = set(shared) - {method for method, _ in entries}
    if unused:
        raise Refused(f"There are options for {', '.join(sorted(unused))}, which is not compared.")
    return entries
