# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code on disk: found again, and never in the way when its files are damaged or cannot be written."""
import importlib.util
import shutil

import pytest
from touchpoint.core import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is kept on disk without compilation")

SOURCE = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
def add_one(tmp_path, monkeypatch):
    """Call it for a kernel that no earlier call has loaded; its cache lies below tmp_path/cache."""
    monkeypatch.setattr(jit, "_folder", tmp_path / "cache")
    monkeypatch.setattr(jit, "KERNELS", [])
    (tmp_path / "add_one.py").write_text(SOURCE)

    def fresh_kernel():
        spec = importlib.util.spec_from_file_location("add_one", tmp_path / "add_one.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return jit.kernel(module.add_one)

    return fresh_kernel


def loaded_from_disk(kernel):
    return sum(kernel.stats.cache_hits.values()) == 1


def cut_in_half(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])


def empty(path):
    path.write_bytes(b"")


def fill_with_garbage(path):
    path.write_bytes(b"\x80\x05garbage" * 10)


def test_code_is_found_again(add_one):
    assert add_one()(1) == 2
    again = add_one()
    assert again(2) == 3 and loaded_from_disk(again)


@pytest.mark.parametrize("damage", [cut_in_half, empty, fill_with_garbage])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_file_is_replaced(add_one, tmp_path, damage, ending):
    add_one()(1)
    files = list((tmp_path / "cache").rglob(f"*.{ending}"))
    assert files
    for path in files:
        damage(path)
    repairing = add_one()
    assert repairing(1) == 2 and not loaded_from_disk(repairing)
    after = add_one()
    assert after(1) == 2 and loaded_from_disk(after)


def test_folder_that_vanishes(add_one, tmp_path):
    kernel = add_one()
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    assert kernel(1) == 2


def test_folder_that_cannot_be_written(add_one, tmp_path):
    kernel = add_one()
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    (tmp_path / "cache").write_text("a file in its place")
    assert kernel(1) == 2


def test_stamp_follows_imports(tmp_path):
    def stamps():
        for remembered in (jit._source, jit._imported, jit.stamp):
            remembered.cache_clear()
        return [jit.stamp(tmp_path / "core" / name) for name in ("top.py", "far/low.py", "other.py")]

    (tmp_path / "core" / "far").mkdir(parents=True)
    (tmp_path / "core" / "far" / "__init__.py").write_text("from .low import (\n    one,\n    two)\n")
    (tmp_path / "core" / "far" / "low.py").write_text("one = two = 1\n")
    (tmp_path / "core" / "top.py").write_text("def f():\n    from .far import one, two\n")
    (tmp_path / "core" / "other.py").write_text("import numpy\n")
    top, low, other = stamps()
    (tmp_path / "core" / "far" / "low.py").write_text("one = two = 2\n")
    changed = stamps()
    assert changed[0] != top and changed[1] != low and changed[2] == other
