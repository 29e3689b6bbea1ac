# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels ask for no operation that machine code does in another way than the Python that they are written in."""
import ast
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"
# Rounded once by both, exact, or asked of the same library of the system by both.
ALIKE = {"math": {"sqrt", "floor", "ceil", "ldexp", "frexp", "copysign", "isnan", "isinf", "isfinite", "sin", "cos",
                  "atan2", "exp", "exp2"},
         "np": {"sqrt", "floor", "float32", "float64", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}}


def kernels(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)
            and any(isinstance(each, ast.Name) and each.id == "kernel" for each in node.decorator_list)]


def is_known(node: ast.AST) -> bool:
    """True for a power of two numbers, which is known before anything runs."""
    return not any(isinstance(each, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) for each in ast.walk(node))


def odd_operations(kernel: ast.FunctionDef) -> list[str]:
    """Those that may be rounded otherwise."""
    found = []
    for node in ast.walk(kernel):
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Pow) and not is_known(node):
            found.append(ast.unparse(node))
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if function.attr not in ALIKE.get(function.value.id, {function.attr}):
                found.append(ast.unparse(function))
    return found


def test_every_kernel_is_rounded_as_it_is_written():
    """x ** 2 is `pow` in Python, which may be off by more than a rounding, and a product in machine code: times of
    impact were others in one film of 200."""
    found = {f"{path.relative_to(CORE)} {each.name}": odd_operations(each) for path in sorted(CORE.rglob("*.py"))
             for each in kernels(path.read_text(encoding="utf-8"))}
    assert len(found) > 500
    assert {name: odd for name, odd in found.items() if odd} == {}


@pytest.mark.parametrize("written, odd", [
    ("x * x", []), ("x ** 2", ["x ** 2"]), ("x * 2.0 ** -20", []), ("math.sqrt(x)", []),
    ("math.hypot(x, x)", ["math.hypot"]), ("np.sum(x)", ["np.sum"])])
def test_what_is_odd(written, odd):
    one, = kernels(f"@kernel\ndef one(x):\n    return {written}\n\n\ndef other(x):\n    return x ** 2\n")
    assert odd_operations(one) == odd
