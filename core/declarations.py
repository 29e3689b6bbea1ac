# SPDX-License-Identifier: GPL-3.0-or-later
"""What methods declare of themselves, read from their sources without running them.

Blender asks for titles and options when the add-on is enabled; importing a method would bring numba and kernels, which
costs a fifth of a second and more, and fails where numba is missing. So a declaration is made of what can be read off:
literals, names given to them in the same file or imported by `from .place import NAME`, and sums of those.
"""
import ast
import functools
import math
from pathlib import Path
from typing import NamedTuple

from . import methods
from .errors import Refused
from .method import Option


class Declaration(NamedTuple):
    """The fields of a `Method` that are no stages."""

    id: str
    title: str
    document: str
    summary: str
    answer: str
    options: tuple[Option, ...] = ()
    needs: tuple[str, ...] = ()
    takes_points: bool = False
    compiled: bool = True
    slow: bool = False

    @property
    def follows(self) -> bool:
        """True where it follows objects during an interval."""
        return "interval" in self.needs

    @property
    def defaults(self) -> dict:
        return {option.name: option.default for option in self.options}


@functools.cache
def declarations() -> tuple[Declaration, ...]:
    """Of all methods, the default first."""
    return tuple(declaration(method) for method in methods.ids())


def usually_compared(frames: bool = False) -> tuple[str, ...]:
    """Ids of the methods to compare where nobody chooses: those that promise the exact answer, are not slow and need no
    GPU, and do not need an interval, unless frames are compared."""
    return tuple(each.id for each in declarations() if each.answer == "exact" and not each.slow
                 and "gpu" not in each.needs and (frames or not each.follows))


@functools.cache
def declaration(method: str) -> Declaration:
    """Of one method. Raises Refused for an unknown one, ValueError, saying why, where it cannot be read off."""
    if method not in methods.ids():
        raise Refused(f"There is no method {method!r}. The methods are: {', '.join(methods.ids())}.")
    source = _Source(Path(methods.__path__[0]) / f"{method}.py")
    call = source.node_of("METHOD")
    if not isinstance(call, ast.Call):
        raise ValueError(f"{source.path.name}: METHOD is not a call")
    given = {each.arg: each.value for each in call.keywords}
    read = {name: source.value(given[name]) for name in Declaration._fields if name in given}
    return Declaration(**read)


class _Source:
    """A file of core/ whose constants can be asked for."""

    def __init__(self, path: Path):
        self.path = path
        self._nodes: dict[str, ast.expr] = {}
        self._imports: dict[str, tuple[Path, str]] = {}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._assign(target, node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self._nodes[node.target.id] = node.value
            elif isinstance(node, ast.ImportFrom) and node.level:
                folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
                self._imports.update({each.asname or each.name: (file, each.name) for each in node.names})

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._nodes[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for name, each in zip(target.elts, value.elts):
                self._assign(name, each)

    def node_of(self, name: str) -> ast.expr:
        if name not in self._nodes:
            raise ValueError(f"{self.path.name}: {name} is not a constant of this file")
        return self._nodes[name]

    def value(self, node: ast.expr):
        """What an expression says; see the module's own words for what it may be."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Tuple, ast.List)):
            return tuple(self.value(each) for each in node.elts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.value(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.value(node.left) + self.value(node.right)
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "math.inf":
            return math.inf
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Option":
            named = {str(each.arg): self.value(each.value) for each in node.keywords}
            return Option(*map(self.value, node.args), **named)
        if isinstance(node, ast.Name) and node.id in self._imports:
            file, name = self._imports[node.id]
            return _Source(file).value(ast.Name(name))
        if isinstance(node, ast.Name):
            return self.value(self.node_of(node.id))
        raise ValueError(f"{self.path.name}, line {node.lineno}: {ast.unparse(node)} cannot be read off; write it out")
