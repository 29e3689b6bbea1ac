# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels for other kernels: linked, kept, found again, and made numba's own way where numba is another one."""
import importlib.util
import sys

import pytest
from touchpoint.core.machine_code import jit, parts, shipped_kernels

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is compiled")

SOURCE = """
from touchpoint.core.machine_code.jit import kernel

@kernel
def innermost(x):
    return x + 1

@kernel
def inner(x):
    return 10 * innermost(x)

@kernel
def outer(x):
    return innermost(x) + inner(x)
"""


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Call it for the three kernels, as a new session has them; machine code is kept below tmp_path/cache."""
    monkeypatch.setattr(jit, "_folder", tmp_path / "cache")
    monkeypatch.setattr(jit, "KERNELS", [])
    monkeypatch.setattr(shipped_kernels, "archive", lambda: None)
    (tmp_path / "three.py").write_text(SOURCE)

    def load():
        spec = importlib.util.spec_from_file_location("touchpoint.core.three", tmp_path / "three.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "touchpoint.core.three", module)
        spec.loader.exec_module(module)
        return module

    return load


def libraries(kernel):
    return [result.library for result in kernel.part().overloads.values()]


def test_parts_are_not_made_into_machine_code(fresh):
    three = fresh()
    assert three.outer(1) == 22
    for each in (three.inner, three.innermost):
        [library] = libraries(each)
        assert isinstance(library, parts.PartLibrary) and library.get_pointer_to_function(library.name) == 0


def test_parts_are_found_again(fresh, tmp_path):
    """As after a session that was ended before it had compiled all."""
    assert fresh().outer(1) == 22
    [whole] = (tmp_path / "cache").glob("*/whole/*")
    whole.unlink()
    three = fresh()
    assert three.outer(2) == 33
    assert [sum(each.part().stats.cache_hits.values()) for each in (three.innermost, three.inner)] == [1, 1]
    assert sum(three.outer.stats.cache_misses.values()) == 1
    assert three.inner(4) == 50         # and by itself, from Python


def test_another_numba(fresh, monkeypatch):
    monkeypatch.setattr(parts, "KNOWN", (0, 0))
    three = fresh()
    assert three.outer(1) == 22
    assert not any(isinstance(library, parts.PartLibrary) for library in libraries(three.inner))
    again = fresh()
    assert again.outer(2) == 33 and sum(again.outer.stats.cache_hits.values()) == 1
