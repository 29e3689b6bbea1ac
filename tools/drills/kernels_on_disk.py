# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code on disk that is damaged, planted or cannot be kept: nothing of it is run, and the answer is the same."""
import contextlib
import hashlib
import importlib.util
import os
import pickle
import shutil
import sys
from unittest import mock

from touchpoint.core.machine_code import jit, shipped_kernels

from . import Drill, picked

SOURCE = "def add_one(x):\n    return x + 1\n"
CALLS = (("os", "system"), ("posix", "system"), ("subprocess", "getoutput"), ("builtins", "eval"),
         ("builtins", "exec"), ("numba.core.config", "os.system"), ("numba.cloudpickle", "loads"),
         ("numba.core.serialize", "_numba_unpickle"),
         ("numba.core.types.scalars", "Integer.__init__.__globals__"), ("numba.core.environment", "_rebuild_env"),
         ("touchpoint.core.arrays", "as_vertices"), ("copyreg", "_reconstructor"), ("builtins", "getattr"))


@contextlib.contextmanager
def a_kernel(folder):
    """A function that gives a kernel which no earlier call has loaded; its code is kept below folder/cache."""
    (folder / "add_one.py").write_text(SOURCE)
    name = "touchpoint.core.add_one"

    def fresh():
        spec = importlib.util.spec_from_file_location(name, folder / "add_one.py")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return jit.kernel(module.add_one)

    with mock.patch.object(jit, "_folder", folder / "cache"), mock.patch.object(jit, "KERNELS", []), \
            mock.patch.object(shipped_kernels, "archive", lambda: None):
        try:
            yield fresh
        finally:
            sys.modules.pop(name, None)


def kept(folder) -> list:
    return [path for path in (folder / "cache").rglob("*") if path.is_file()]


def damaged(random, folder):
    """Bits that flipped, ends that are missing, parts that are somebody else's: found out, and compiled anew."""
    with a_kernel(folder) as fresh:
        assert fresh()(1) == 2
        for path in kept(folder):
            data = bytearray(path.read_bytes())
            for _ in range(int(random.integers(1, 4))):
                at, end = sorted(int(place) for place in random.integers(0, len(data), 2))
                kind = picked(random, ("flip", "cut", "fill", "insert"))
                if kind == "flip":
                    data[at] ^= 1 << int(random.integers(8))
                elif kind == "cut" and end > at:
                    del data[at:end]
                elif kind == "fill":
                    data[at:end] = random.bytes(end - at)
                else:
                    data[at:at] = random.bytes(int(random.integers(1, 99)))
                if not data:
                    break
            path.write_bytes(data)
        assert fresh()(1) == 2
        assert fresh()(2) == 3


def planted(random, folder):
    """A pickle that would run a command, with a digest that fits: nothing is run."""
    target = folder / "planted"
    module, name = picked(random, CALLS)
    texts = [text.encode() for text in (module, name, f"touch {target}")]
    opcodes = [b"X" + len(text).to_bytes(4, "little") + text for text in texts]
    call = opcodes[0] + opcodes[1] + b"\x93(" + opcodes[2] + b"tR"
    if random.random() < 0.3:
        call = b"c" + texts[0] + b"\n" + texts[1] + b"\n(" + opcodes[2] + b"tR"
    before = picked(random, (b"", b"]", b"N", b"(", b"\x8c\x01a"))
    payload = picked(random, (b"\x80\x04", b"\x80\x02", b"")) + before + call + b"."
    if random.random() < 0.3:
        class Touch:
            def __reduce__(self):
                return os.system, (f"touch {target}",)

        payload = pickle.dumps(Touch(), protocol=int(random.integers(0, 6)))
    with a_kernel(folder) as fresh:
        assert fresh()(1) == 2
        for path in kept(folder):
            path.write_bytes(hashlib.sha256(payload).digest() + payload)
        assert fresh()(1) == 2
    assert not target.exists(), payload


def cannot_be_kept(random, folder):
    """A folder that is gone, is a file, is full, or cannot be written: compiled in this session, and right."""
    kind = picked(random, ("gone", "a file", "full", "no permission"))
    with a_kernel(folder) as fresh, contextlib.ExitStack() as stack:
        kernel = fresh()
        if kind == "gone":
            assert kernel(1) == 2
            shutil.rmtree(folder / "cache")
        elif kind == "a file":
            (folder / "cache").write_text("a file in its place")
        else:
            number = 28 if kind == "full" else 13
            error = OSError(number, os.strerror(number))
            stack.enter_context(mock.patch.object(os, "chmod", side_effect=error))
        assert fresh()(1) == 2 and kernel(3) == 4


DRILLS = [
    Drill("machine code, F13", "files of machine code that are damaged anywhere", damaged, 6),
    Drill("machine code", "planted files that would run a command", planted, 8),
    Drill("machine code, F12, F13", "no folder to keep machine code in, or a full disk", cannot_be_kept, 4),
] if jit.COMPILED else []
