# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code on disk: found again, and never in the way when its files are damaged or cannot be written."""
import errno
import importlib.util
import os
import shutil
import subprocess
import sys

import pytest
from checkout_path import ROOT, import_path
from touchpoint.core.machine_code import jit, kernel_cache, packed_kernel, shipped_kernels, source_stamp

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is kept on disk without compilation")

SOURCE = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
def add_one(tmp_path, monkeypatch):
    """Call it for a kernel that no earlier call has loaded; its code is kept below tmp_path/cache."""
    monkeypatch.setattr(jit, "_folder", tmp_path / "cache")
    monkeypatch.setattr(jit, "KERNELS", [])
    monkeypatch.setattr(shipped_kernels, "archive", lambda: None)
    (tmp_path / "add_one.py").write_text(SOURCE)

    def fresh_kernel():
        spec = importlib.util.spec_from_file_location("touchpoint.core.add_one", tmp_path / "add_one.py")
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "touchpoint.core.add_one", module)
        spec.loader.exec_module(module)
        return jit.kernel(module.add_one)

    return fresh_kernel


def loaded_from_disk(kernel):
    return sum(kernel.stats.cache_hits.values()) == 1


def entries(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def cut_in_half(data):
    return data[:len(data) // 2]


def empty(data):
    return b""


def fill_with_garbage(data):
    return b"\x80\x05garbage" * 10


def another_digest(data):
    return bytes(32) + data[32:]


def flip(share):
    def flip_a_bit(data):
        at = min(int(len(data) * share), len(data) - 1)
        return data[:at] + bytes([data[at] ^ 4]) + data[at + 1:]
    return flip_a_bit


DAMAGES = [cut_in_half, empty, fill_with_garbage, another_digest, *map(flip, (0.0, 0.02, 0.3, 0.6, 1.0))]


def test_code_is_found_again(add_one):
    assert add_one()(1) == 2
    again = add_one()
    assert again(2) == 3 and loaded_from_disk(again)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_replaced(add_one, tmp_path, damage):
    add_one()(1)
    [path] = entries(tmp_path / "cache")
    path.write_bytes(damage(path.read_bytes()))
    repairing = add_one()
    assert repairing(1) == 2 and not loaded_from_disk(repairing)
    after = add_one()
    assert after(1) == 2 and loaded_from_disk(after)


def test_code_for_other_arguments_in_its_place(add_one, tmp_path):
    add_one()(1)
    [of_integers] = entries(tmp_path / "cache")
    add_one()(1.5)
    [of_floats] = set(entries(tmp_path / "cache")) - {of_integers}
    shutil.copy(of_floats, of_integers)
    assert add_one()(1) == 2


def test_folder_that_vanishes(add_one, tmp_path):
    kernel = add_one()
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    assert kernel(1) == 2


def test_folder_that_cannot_be_written(add_one, tmp_path):
    kernel = add_one()
    (tmp_path / "cache").write_text("a file in its place")
    assert kernel(1) == 2


def test_full_disk(add_one, tmp_path, monkeypatch):
    def full(descriptor, mode):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "chmod", full)      # once the file is there
    assert add_one()(1) == 2
    assert entries(tmp_path / "cache") == []


def test_numba_whose_inside_is_unknown(add_one, monkeypatch):
    """Another extension may bring a newer numba: then everything is compiled in each session, and right."""
    monkeypatch.setitem(sys.modules, packed_kernel.__name__, None)
    kernel = add_one()
    assert kernel(1) == 2 and not loaded_from_disk(kernel)
    again = add_one()
    assert again(1) == 2 and not loaded_from_disk(again)


def test_processes_that_share_the_folder(tmp_path):
    """Four at once find it empty, with one file damaged meanwhile; all are right, and it is whole in the end."""
    code = ("import numpy as np; from touchpoint.core.geometry import expansion;"
            "e = np.zeros(9); print([expansion.grow(e, 0, 1.5), float(e[0]), *expansion.two_product(3.0, 7.0)])")
    environment = {**os.environ, "TOUCHPOINT_CACHE": str(tmp_path), "PYTHONPATH": str(import_path(tmp_path))}
    call = [sys.executable, "-c", code]

    def four():
        processes = [subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        return [process.communicate()[0].strip() for process in processes]

    assert set(four()) == {"[1, 1.5, 21.0, 0.0]"}
    kept = [path for path in entries(tmp_path) if "expansion." in path.name]
    assert len(kept) == 3 and not [path for path in entries(tmp_path) if path.suffix == ".tmp"]
    kept[0].write_bytes(cut_in_half(kept[0].read_bytes()))
    assert set(four()) == {"[1, 1.5, 21.0, 0.0]"}


@pytest.fixture
def sources(tmp_path):
    """Sources of which top imports far/low, in two steps; `stamps()` reads them anew."""
    (tmp_path / "core" / "far").mkdir(parents=True)
    (tmp_path / "core" / "far" / "__init__.py").write_text("from .low import (\n    one,\n    two)\n")
    (tmp_path / "core" / "far" / "low.py").write_text("one = two = 1\n")
    (tmp_path / "core" / "top.py").write_text("def f():\n    from .far import one, two\n")
    (tmp_path / "core" / "other.py").write_text("import numpy\n")
    yield tmp_path / "core"
    forget_sources()


def forget_sources():
    for remembered in (source_stamp._source, source_stamp._digest, source_stamp._files, source_stamp._imported,
                       source_stamp.stamp):
        remembered.cache_clear()


def stamps(core):
    forget_sources()
    return [source_stamp.stamp(core / name) for name in ("top.py", "far/low.py", "other.py")]


def test_stamp_follows_imports(sources):
    top, low, other = stamps(sources)
    (sources / "far" / "low.py").write_text("one = two = 2\n")
    changed = stamps(sources)
    assert changed[0] != top and changed[1] != low and changed[2] == other


def test_stamp_of_a_kernel_leaves_out_what_only_calls_it():
    """A kernel's code depends on what it imports and on what makes kernels, and on nothing above these."""
    reached, waiting = set(), [ROOT / "core" / "geometry" / "expansion.py"]
    while waiting:
        path = waiting.pop()
        reached.add(path)
        waiting += source_stamp._imported(path) - reached
    assert {path.relative_to(ROOT / "core").parts[0] for path in reached} == {"geometry", "machine_code", "records"}


def test_folder_says_what_the_code_is_for(monkeypatch):
    here = jit.cache_folder()
    monkeypatch.setattr(kernel_cache.config, "BOUNDSCHECK", 1)
    checked = jit.cache_folder()
    monkeypatch.undo()
    monkeypatch.setattr(kernel_cache.config, "CPU_NAME", "generic")
    assert len({here, checked, jit.cache_folder()}) == 3
