# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a source speaks of a method by its id.

Most ids mean nothing else, so every string that is one counts. Two are words as well: the default's is the name of the
package, "exact" is what a method may promise. Those count where a method is meant: given to a parameter, an argument, a
variable or a command-line option that is called method or reference; compared with one; beside another id in a list.
"""
import ast
from collections.abc import Iterator

WORDS = ("touchpoint", "exact")
MEANT = ("method", "methods", "reference", "id")                # names of what holds an id
ASKED = {"detect": 1, "load": 0, "declaration": 0}              # functions whose argument here is an id


def ids_in(tree: ast.Module, ids: set[str]) -> list[tuple[int, str]]:
    """(line, id) of each use, in order."""
    found = {(node.lineno, node.col_offset, node.value) for node in ast.walk(tree)
             if _is_id(node, ids) and node.value not in WORDS}
    for node in _meant(tree, ids):
        if _is_id(node, ids):
            found.add((node.lineno, node.col_offset, node.value))
    return [(line, value) for line, _, value in sorted(found)]


def _is_id(node, ids: set[str]) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ids


def _meant(tree: ast.Module, ids: set[str]) -> Iterator[ast.expr]:
    """Expressions in the place of an id."""
    positions = dict(ASKED)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
            for place in (names.index(name) for name in MEANT if name in names):
                positions[node.name] = place
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            plain = [*node.posonlyargs, *node.args]
            defaults = [*zip(plain[len(plain) - len(node.defaults):], node.defaults), *zip(node.kwonlyargs,
                                                                                          node.kw_defaults)]
            yield from (default for each, default in defaults if each.arg in MEANT)
        elif isinstance(node, ast.Call):
            yield from _in_call(node, positions)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_name(side) in MEANT for side in sides):
                yield from (each for side in sides for each in ast.walk(side))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value is not None and any(_holds_an_id(_name(target)) for target in targets):
                yield from ast.walk(node.value)
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            if sum(_is_id(each, ids) for each in node.elts) > 1:
                yield from node.elts


def _in_call(node: ast.Call, positions: dict[str, int]) -> Iterator[ast.expr]:
    yield from (each.value for each in node.keywords if each.arg in MEANT)
    place = positions.get(_name(node.func))
    if place is not None and place < len(node.args):
        yield node.args[place]
    options = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if any(option.lstrip("-") in MEANT for option in options if option.startswith("--")):
        yield from (each.value for each in node.keywords if each.arg == "default")


def _holds_an_id(name: str) -> bool:
    return any(word in MEANT or word == "default" for word in name.lower().split("_"))


def _name(node) -> str:
    """The last part of a name, "" for other expressions."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
