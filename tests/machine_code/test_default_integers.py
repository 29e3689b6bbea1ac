# SPDX-License-Identifier: GPL-3.0-or-later
"""Integers of 32 bits by default, as numpy 1 has them on Windows, reach no kernel: it would be compiled a second time
while the user waits, and numbers beyond 2^31 would be wrong."""
import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
import touchpoint.core
from touchpoint.core.machine_code.jit import COMPILED

CORE = Path(touchpoint.core.__file__).parent

IN_32_BITS = """
import functools
import sys
import numba                # keeps the functions of numpy that it knows by name
import numpy as np

def by_default(function, place):
    @functools.wraps(function)
    def narrowed(*arguments, **options):
        given = options.get("dtype", arguments[place] if len(arguments) > place else None)
        result = function(*arguments, **options)
        named = given is not None and given is not int
        own = getattr(arguments[0], "dtype", None) if function in kept else None
        if named or getattr(result, "dtype", None) != np.int64 or own == np.int64:
            return result
        return result.astype(np.int32)
    return narrowed

def accumulated(function):
    @functools.wraps(function)
    def narrowed(values, *arguments, **options):
        result = function(values, *arguments, **options)
        wide = np.asarray(values).dtype == np.int64 and isinstance(values, np.ndarray)
        if wide or options.get("dtype") is not None or getattr(result, "dtype", None) != np.int64:
            return result
        return result.astype(np.int32)
    return narrowed

kept = {np.array, np.asarray, np.ascontiguousarray, np.require}      # of an array they keep its kind of number
for name, place in (("arange", 9), ("zeros", 1), ("ones", 1), ("empty", 1), ("full", 2), ("array", 1), ("asarray", 1),
                    ("ascontiguousarray", 1), ("require", 1)):
    setattr(np, name, by_default(getattr(np, name), place))
for name in ("cumsum", "sum", "prod"):
    setattr(np, name, accumulated(getattr(np, name)))
assert np.arange(3).dtype == np.zeros(3, int).dtype == np.array([1]).dtype == np.full(2, 7).dtype == np.int32
assert np.cumsum(np.arange(3)).dtype == np.int32 and np.array(np.zeros(3, np.int64)).dtype == np.int64
assert np.cumsum(np.zeros(3, np.int64)).dtype == np.arange(3, dtype=np.int64).dtype == np.int64

sys.path.insert(0, sys.argv[1])
import conftest
from naive.scenes import build, crowd, pose
from naive.shapes import ball
from touchpoint.core import detect, methods
from touchpoint.core.machine_code import jit
from touchpoint.core.method import without
from touchpoint.core.warm_up import warm_up

warm_up()
rng = np.random.default_rng(3)
meshes, objects = crowd(rng, 12)
meshes, objects = [*meshes, ball(24, 16)], [*objects, (len(meshes), pose(1.5)), (len(meshes), pose(1.5, (0.1, 0, 0)))]
for method in methods.ids():
    if method == "exact" or methods.load(method).follows:
        continue
    scene = build((meshes, objects))
    options = without(methods.load(method), "gpu")
    for clearance in (0.0, 0.2):
        detect(scene, method=method, clearance=clearance, threads=2, options=options)
        scene.set_vertices(1, rng.permutation(scene.meshes[1].vertices))
        scene.set_poses([0, 3], [pose(1.0, (0.5, 0.5, 0.5)), pose(2.0)])
print([(each.py_func.__name__, jit.signatures(each)) for each in jit.KERNELS if len(set(jit.signatures(each))) > 1])
"""


@pytest.mark.skipif(not COMPILED, reason="kernels take anything where they are not compiled")
def test_no_kernel_is_given_numbers_of_another_kind():
    run = subprocess.run([sys.executable, "-c", IN_32_BITS, str(Path(__file__).parents[1])], text=True,
                         capture_output=True, env=dict(os.environ))
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "[]"


def faults(source: str) -> list[int]:
    """Lines with integers of the default kind that no replaced function of numpy makes."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        names = [each.id for each in (*node.args, *(k.value for k in node.keywords if k.arg == "dtype"))
                 if isinstance(each, ast.Name)]
        whole = node.func.attr in ("astype", "view", "fromiter", "frombuffer") and "int" in names
        summed = node.func.attr == "cumsum" and getattr(node.func.value, "id", "") != "np" and not node.keywords
        if whole or summed:
            found.append(node.lineno)
    return found


def test_what_is_looked_for_is_found():
    assert faults("a.astype(int)\nb.cumsum()\nnp.fromiter(x, dtype=int)\na.astype(np.int64)\nnp.cumsum(a)") == [1, 2, 3]


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: str(path.relative_to(CORE)))
def test_no_array_is_made_of_default_integers_by_its_own_methods(path):
    assert faults(path.read_text(encoding="utf-8")) == []
