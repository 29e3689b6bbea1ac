# SPDX-License-Identifier: GPL-3.0-or-later
"""How the sources stand: figures of where a reader stumbles, measured on syntax trees, and by name what they count.

    python3.11 tools/house_figures.py                       of this checkout
    python3.11 tools/house_figures.py --checkout PATH       of another one
    python3.11 tools/house_figures.py --limits              exit status 1 where a limit is broken, which is named

The limits: no function of core takes more than 12 arguments; no import leads to nothing, or upward; no two modules
import each other, directly or not; no id of a method stands outside core/methods/; no file has more than 400 lines, and
no function more than 60; the core does not import bpy; a constant's name has one value in all of core, and one in all
of addon; what float64 cannot decide has one word; public functions of addon have all type hints. What breaks one and is
right stands in house_exceptions.toml, with the reason.
"""
import argparse
import ast
import statistics
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from method_ids import ids_in
from source_tree import FUNCTIONS, Module, Tree

ROOT = Path(__file__).resolve().parents[1]
EXCEPTIONS = "tools/house_exceptions.toml"
SHIPPED = ("core", "addon")
CHECKED = (*SHIPPED, "benchmarks", "sample_scenes", "tests", "tools")
MOST_ARGUMENTS, MOST_LINES, SCREEN = 12, 400, 60
# Words that say the same: float64 could not decide, exact arithmetic will.
UNDECIDED_WORDS = ("UNDECIDED", "UNKNOWN", "OUT_OF_RANGE", "RATIONAL", "UNTOLD", "UNSURE")
DECLARED_PER_FILE = ("METHOD", "CLASSES")       # what each file of a folder declares under one name


@dataclass
class Figure:
    """One line of the table. broken: it has a limit, which is not kept."""

    name: str
    value: str
    items: list[str] = field(default_factory=list)
    broken: bool = False


def counted(name: str, items: list[str], limited: bool = False) -> Figure:
    return Figure(name, str(len(items)), items, limited and bool(items))


def arguments_of(function: ast.FunctionDef) -> list[ast.arg]:
    """All but a leading self or cls."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    return every[1:] if every and every[0].arg in ("self", "cls") else every


def is_kernel(function: ast.FunctionDef) -> bool:
    """Decorated with @kernel, @jit.kernel or @kernel(…)."""
    for each in function.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if getattr(called, "id", getattr(called, "attr", "")) == "kernel":
            return True
    return False


def arguments_of_kernels(tree: Tree) -> list[Figure]:
    sizes = {f"{module.name}.{function.name}": len(arguments_of(function)) for module in tree.below("core")
             for function in module.functions if is_kernel(function)}
    many = sorted((-size, name) for name, size in sizes.items() if size > MOST_ARGUMENTS)
    return [Figure("kernels", str(len(sizes))),
            Figure("arguments of a kernel: median", f"{statistics.median(sizes.values() or [0]):g}"),
            Figure("arguments of a kernel: most", str(max(sizes.values(), default=0))),
            counted(f"kernels with more than {MOST_ARGUMENTS} arguments",
                    [f"{-size}  {name}" for size, name in many], limited=True)]


def arguments_of_functions(tree: Tree) -> list[Figure]:
    found = [(-len(arguments_of(function)), f"{module.name}.{function.name}") for module in tree.below("core")
             for function in module.functions if len(arguments_of(function)) > MOST_ARGUMENTS
             and not is_kernel(function)]
    return [counted(f"other functions of core with more than {MOST_ARGUMENTS} arguments",
                    [f"{-size}  {name}" for size, name in sorted(found)], limited=True)]


def imports(tree: Tree) -> list[Figure]:
    circles = [f"{len(group)} modules: {', '.join(group[:8])}{' …' if len(group) > 8 else ''}"
               for group in tree.circles(SHIPPED)]
    upward = [f"{importer} imports {imported}" for importer, imported in tree.upward()]
    bpy = [f"{module.name} imports {name}" for module in tree.below("core") for name in module.imported()
           if name.partition(".")[0] in ("bpy", "mathutils", "gpu", "bmesh")]
    return [counted("imports of modules that are not there", [" imports ".join(each) for each in tree.missing()],
                    limited=True),
            counted("upward imports", upward, limited=True),
            counted("circles of imports in core and addon", circles, limited=True),
            counted("imports of bpy in core", bpy, limited=True)]


def ids_outside(tree: Tree) -> list[Figure]:
    ids = {name.removeprefix("core.methods.") for name in tree.modules if name.startswith("core.methods.")}
    found = [f"{module.relative}:{line}  {value}" for module in tree.below(*SHIPPED)
             if not module.name.startswith("core.methods") for line, value in ids_in(module.tree, ids)]
    return [counted("ids of methods outside core/methods", found, limited=True)]


def sizes(tree: Tree) -> list[Figure]:
    long_files = [f"{module.lines}  {module.relative}" for module in tree.modules.values() if module.lines > MOST_LINES]
    functions = [(function.end_lineno - function.lineno + 1, f"{module.name}.{function.name}")
                 for module in tree.modules.values() for function in module.functions]
    return [counted(f"files of more than {MOST_LINES} lines", sorted(long_files), limited=True),
            counted(f"functions of more than {SCREEN} lines",
                    [f"{lines}  {name}" for lines, name in sorted(functions, reverse=True) if lines > SCREEN],
                    limited=True)]


def hints(tree: Tree) -> list[Figure]:
    public = [(f"{module.name}.{function.name}", hinted(function)) for module in tree.below("addon")
              for function in public_functions(module)]
    bare = [name for name, full in public if not full]
    share = f"{len(public) - len(bare)} of {len(public)}"
    run = [f"{module.name}.{function.name}" for module in tree.below("core") for function in module.functions
           for each in arguments_of(function) if each.arg == "run" and each.annotation is None]
    return [Figure("public functions of addon with all type hints", share, bare, broken=bool(bare)),
            counted("arguments run of core without a type hint", run)]


def public_functions(module: Module) -> list[ast.FunctionDef]:
    """Of the module and of its public classes; those whose names begin with _ are its own."""
    found = []
    for node in module.tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        found += [each for each in inside if isinstance(each, FUNCTIONS) and not each.name.startswith("_")]
    return found


def hinted(function: ast.FunctionDef) -> bool:
    return function.returns is not None and all(each.annotation for each in arguments_of(function))


def constants(tree: Tree) -> list[Figure]:
    words = {node.id for module in tree.below("core") for node in ast.walk(module.tree)
             if isinstance(node, ast.Name)} & set(UNDECIDED_WORDS)
    return [*(counted(f"constants of one name with several values in {top}", several_values(tree, top), limited=True)
              for top in SHIPPED),
            Figure("words for what float64 cannot decide in core", str(len(words)), sorted(words),
                   broken=len(words) > 1)]


def several_values(tree: Tree, top: str) -> list[str]:
    """Names of constants with more than one value below a folder; a constant that is imported is not assigned."""
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for module in tree.below(top):
        for name in module.constants:
            if name.isupper() and not name.startswith("_") and name not in DECLARED_PER_FILE:
                values[name][value_of(name, module, tree)].append(module.name)
    return [f"{name}: " + "; ".join(f"{shortened(value)} in {', '.join(names)}" for value, names in found.items())
            for name, found in sorted(values.items()) if len(found) > 1]


def value_of(name: str, module: Module, tree: Tree) -> str:
    """2.0 ** -20, 1 << 12 and 144.0 * UNIT as numbers, everything else as it is written."""
    value = module.constants[name]
    if all(isinstance(node, COMPUTED) for node in ast.walk(value)):
        try:
            return repr(_computed(value, module, tree))
        except LookupError:         # a name that is no constant
            pass
    return f"{ast.unparse(value)} of {module.name}" if isinstance(value, ast.Name) else ast.unparse(value)


COMPUTED = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Name, ast.Load)


def _computed(value: ast.expr, module: Module, tree: Tree):
    """The value of literals, operators, and names of constants of this module and of those it imports from."""
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    known = {}
    for name in names:
        source = module if name in module.constants else tree.modules[module.imports_from[name]]
        known[name] = _computed(source.constants[name], source, tree)
    return eval(ast.unparse(value), {"__builtins__": {}}, known)


def shortened(text: str) -> str:
    return text if len(text) < 60 else text[:57] + "…"


def tests(tree: Tree) -> list[Figure]:
    """A module of core that nothing shipped, measured or built leads to is there for tests alone."""
    reached: set[str] = set()
    waiting = [module.name for module in tree.below("addon", "benchmarks", "sample_scenes", "tools")]
    waiting += [name for name in tree.modules if name in ("core", "core.queries") or name.startswith("core.methods")]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [*tree.imports[name], *_packages_above(name, tree)]
    only = [module for module in tree.below("core") if module.name not in reached]
    flat = [module.relative.name for module in tree.below("tests") if len(module.relative.parts) == 2
            and module.relative.name.startswith("test_")]
    return [Figure("lines of core that only tests import", str(sum(module.lines for module in only)),
                   [f"{module.lines}  {module.relative}" for module in only]),
            Figure("tests that lie flat in tests/", str(len(flat)))]


def _packages_above(name: str, tree: Tree) -> list[str]:
    """Importing a module imports the __init__.py of its folders."""
    parts = name.split(".")
    return [above for above in (".".join(parts[:i]) for i in range(1, len(parts))) if above in tree.modules]


FIGURES: tuple[Callable[[Tree], list[Figure]], ...] = (
    arguments_of_kernels, arguments_of_functions, imports, ids_outside, sizes, hints, constants, tests)


def figures(root: Path) -> list[Figure]:
    """All of them, in the table's order."""
    tree, path = Tree(root, CHECKED), root / EXCEPTIONS
    found = [figure for measure in FIGURES for figure in measure(tree)]
    return excused(found, tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {})


def excused(found: list[Figure], exceptions: dict[str, dict]) -> list[Figure]:
    """The same figures, in which exceptions break no limit, and say why; with one more, of exceptions to nothing.
    exceptions: figure → name → reason, or [the most that is right, reason]."""
    idle = {(figure, name) for figure, names in exceptions.items() for name in names}
    for figure in found:
        names, broken = exceptions.get(figure.name, {}), False
        for number, item in enumerate(figure.items):
            first, second, *_ = [*item.split(), ""]
            name = second if first.isdigit() else first
            known = names.get(name)
            most, reason = known if isinstance(known, list) else (0, known)
            idle.discard((figure.name, name))
            if reason is None or (first.isdigit() and int(first) > most):
                broken = True
            else:
                figure.items[number] += f": {reason}"
        if names:
            figure.broken = broken
    return [*found, counted("exceptions to nothing", [f"{name}, {figure}" for figure, name in sorted(idle)],
                            limited=True)]


def table(found: list[Figure]) -> str:
    width = max(len(figure.name) for figure in found)
    lines = [f"{figure.name:{width}}  {figure.value}" for figure in found]
    for figure in found:
        if figure.items:
            lines += ["", f"{figure.name}: {figure.value}", *(f"    {item}" for item in figure.items)]
    return "\n".join(lines)


def limits(found: list[Figure]) -> str:
    """What is broken, "" where nothing is."""
    return "\n".join(line for figure in found if figure.broken
                     for line in (f"{figure.name}: {figure.value}", *(f"    {item}" for item in figure.items)))


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, default=ROOT, help="default: this one")
    parser.add_argument("--limits", action="store_true", help="only what breaks a limit")
    options = parser.parse_args(arguments)
    found = figures(options.checkout.resolve())
    if not options.limits:
        print(table(found))
        return 0
    broken = limits(found)
    print(broken or "All limits are kept.")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
