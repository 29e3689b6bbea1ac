# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of a checkout as syntax trees, what they import, and what that says of their order."""
import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

TOPS = ("core", "sample_scenes", "benchmarks", "addon")     # each may import those before it
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Module:
    """One file of a checkout. name: with dots, from the root, "core.trees" for a folder's __init__.py."""

    def __init__(self, root: Path, path: Path):
        self.path, self.relative = path, path.relative_to(root)
        parts = self.relative.with_suffix("").parts
        self.is_package = parts[-1] == "__init__"
        self.name = ".".join(parts[:-1] if self.is_package else parts)
        self.text = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def folder(self) -> str:
        """Of the layout: the folder, and what lies in core/ or addon/ itself as a folder of its own."""
        parts = self.relative.parts
        return "/".join(parts[:-1] if len(parts) > 2 or self.is_package else parts)

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        """All, those in classes and in other functions included."""
        return [node for node in ast.walk(self.tree) if isinstance(node, FUNCTIONS)]

    @cached_property
    def constants(self) -> dict[str, ast.expr]:
        """Names that are assigned at the module's level, and what they are given first."""
        found: dict[str, ast.expr] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign):
                pairs = [pair for target in node.targets for pair in _paired(target, node.value)]
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                pairs = _paired(node.target, node.value)
            else:
                continue
            for name, value in pairs:
                found.setdefault(name, value)
        return found

    @cached_property
    def imports_from(self) -> dict[str, str]:
        """Name → the module that `from … import` takes it from, at the module's level; under its own name only."""
        return {alias.name: self.base_of(node) for node in self.tree.body if isinstance(node, ast.ImportFrom)
                for alias in node.names if alias.asname is None}

    def base_of(self, node: ast.ImportFrom) -> str:
        """The module that `from … import` names."""
        base = (node.module or "").split(".") if node.module else []
        if node.level:
            own = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
            base = own[:len(own) - node.level + 1] + base
        elif base and base[0] == "touchpoint":
            base = base[1:]
        return ".".join(base)

    def imported(self) -> Iterator[str]:
        """Names of modules, perhaps with a name in them at the end, of all imports anywhere in the file."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name.removeprefix("touchpoint.") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self.base_of(node)
                yield from (f"{base}.{alias.name}" if base else alias.name for alias in node.names)


def _paired(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """Names and what they are given; A, B = range(2) gives numbers."""
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    parts = getattr(value, "elts", None)
    if parts is None or len(parts) != len(target.elts):
        of_range = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "range" and len(value.args) == 1
        parts = [ast.Constant(i) if of_range else value for i in range(len(target.elts))]
    return [pair for each, part in zip(target.elts, parts) for pair in _paired(each, part)]


class Tree:
    """All modules of a checkout below some folders."""

    def __init__(self, root: Path, tops: tuple[str, ...]):
        self.modules = {module.name: module for top in tops for path in sorted((root / top).rglob("*.py"))
                        for module in [Module(root, path)]}

    def below(self, *tops: str) -> list[Module]:
        return [module for module in self.modules.values() if module.relative.parts[0] in tops]

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Module → modules of the checkout that it imports, inside functions, too."""
        return {name: self._known(module) - {name} for name, module in self.modules.items()}

    def _known(self, module: Module) -> set[str]:
        found = set()
        for name in module.imported():
            for known in (name, name.rpartition(".")[0]):
                if known in self.modules:
                    found.add(known)
                    break
        return found

    def missing(self) -> list[tuple[str, str]]:
        """(module, base) of `from base import …` that names no module of the checkout, though its top is one of it."""
        tops = {_top(name) for name in self.modules}
        ours = [(module, node) for module in self.modules.values() for node in ast.walk(module.tree)
                if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("touchpoint."))]
        bases = {(module.name, module.base_of(node)) for module, node in ours}
        return sorted({(name, base) for name, base in bases if _top(base) in tops and base not in self.modules
                       and not any(known.startswith(f"{base}.") for known in self.modules)})

    def circles(self, tops: tuple[str, ...]) -> list[list[str]]:
        """Modules that reach each other by their imports, in groups of two and more, the largest first."""
        inside = {module.name for module in self.below(*tops)}
        groups = strong_components({name: self.imports[name] & inside for name in inside})
        return sorted((sorted(group) for group in groups if len(group) > 1), key=lambda group: (-len(group), group))

    def upward(self) -> list[tuple[str, str]]:
        """Imports that point upward: those from one of TOPS to a later one, and within each the fewest that do so in
        whatever order its folders are put."""
        found = [(name, other) for name, others in self.imports.items() for other in sorted(others)
                 if _top(name) in TOPS and _top(other) in TOPS[TOPS.index(_top(name)) + 1:]]
        for top in TOPS:
            found += self._upward_within(top)
        return sorted(found)

    def _upward_within(self, top: str) -> list[tuple[str, str]]:
        edges: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for module in self.below(top):
            for other in self.imports[module.name]:
                ends = module.folder, self.modules[other].folder
                if _top(other) == top and ends[0] != ends[1] and not self._own_package(*ends):
                    edges[ends].append((module.name, other))
        against = fewest_against({ends: len(names) for ends, names in edges.items()})
        return [pair for ends in against for pair in edges[ends]]

    @staticmethod
    def _own_package(folder: str, other: str) -> bool:
        """Whatever is imported from the top's own __init__.py, or by it, says nothing of the order of its folders."""
        return "/" not in folder or "/" not in other


def _top(name: str) -> str:
    return name.partition(".")[0]


def strong_components(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of nodes that reach each other (Tarjan), every node in one of them."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found = []
    for start in sorted(graph):
        if start in number:
            continue
        number[start] = lowest[start] = len(number)
        waiting.append(start)
        work = [(start, iter(sorted(graph[start])))]
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    cut = waiting.index(node)
                    found.append(waiting[cut:])
                    del waiting[cut:]
            elif following not in number:
                number[following] = lowest[following] = len(number)
                waiting.append(following)
                work.append((following, iter(sorted(graph[following]))))
            elif following in waiting:
                lowest[node] = min(lowest[node], number[following])
    return found


def fewest_against(weights: dict[tuple[str, str], int], tries: int = 12) -> list[tuple[str, str]]:
    """Edges (importer, imported) that point upward in an order with the least weight of such edges. Found by moving
    one node at a time to its best place, from several orders: for graphs as small as folders are, the least."""
    graph: dict[str, set[str]] = {node: set() for edge in weights for node in edge}
    for importer, imported in weights:
        graph[importer].add(imported)
    against: list[tuple[str, str]] = []
    for group in strong_components(graph):
        edges = {edge: weight for edge, weight in weights.items() if set(edge) <= set(group)}
        if edges:
            starts = [random.Random(seed).sample(sorted(group), len(group)) for seed in range(tries)]
            orders = [_improved(order, edges) for order in starts]
            against += _against(min(orders, key=lambda order: _weight(order, edges)), edges)
    return sorted(against)


def _against(order: list[str], edges) -> list[tuple[str, str]]:
    place = {node: i for i, node in enumerate(order)}
    return [(importer, imported) for importer, imported in edges if place[imported] > place[importer]]


def _weight(order: list[str], edges: dict[tuple[str, str], int]) -> int:
    return sum(edges[edge] for edge in _against(order, edges))


def _improved(order: list[str], edges: dict[tuple[str, str], int]) -> list[str]:
    """Move nodes, one at a time, until none has a better place."""
    better = True
    while better:
        better = False
        for node in list(order):
            rest = [each for each in order if each != node]
            best = min((rest[:i] + [node] + rest[i:] for i in range(len(order))), key=lambda each: _weight(each, edges))
            if _weight(best, edges) < _weight(order, edges):
                order, better = best, True
    return order
