# SPDX-License-Identifier: GPL-3.0-or-later
"""After an update in a running Blender, both versions' machine code is in the process. Where each version had been
compiled in a process of its own, the new version's callers ran the old version's callees: silently wrong numbers."""
import os
import subprocess
import sys
from pathlib import Path

import pytest
from touchpoint.core.machine_code import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="nothing is linked without compilation")

ROOT = Path(__file__).resolve().parents[2]
KERNELS = """
from touchpoint.core.machine_code.jit import kernel

@kernel
def inner(x):
    s = 0.0
    for i in range(int(x)):                 # too much to be compiled into its caller
        s += x ** {version}.0 if s < 100.0 else s * {version}
        for j in range(int(s) % 7):
            s += x * {version}
            if s == 12345.0:
                print(s)
    return s * {version}

@kernel
def outer(x):
    return inner(x) + inner(x + 1.0) + {version}
"""
PROGRAM = """
import importlib, sys
for folder in sys.argv[1:]:
    sys.path.insert(0, folder)
    sys.modules.pop("updated", None)
    importlib.invalidate_caches()
    outer = importlib.import_module("updated").outer
    print(outer(3.0), outer.py_func(3.0))
"""


def test_each_version_calls_its_own(tmp_path):
    (tmp_path / "touchpoint").symlink_to(ROOT)
    environment = {**os.environ, "TOUCHPOINT_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    folders = []
    for version in ("1", "2"):
        folders.append(str(tmp_path / version))
        Path(folders[-1]).mkdir()
        Path(folders[-1], "updated.py").write_text(KERNELS.format(version=version))

    def run(*used):
        done = subprocess.run([sys.executable, "-c", PROGRAM, *used], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [line.split() for line in done.stdout.splitlines()]

    [[old, expected]], [[new, expected_new]] = run(folders[0]), run(folders[1])
    assert old == expected and new == expected_new and old != new
    assert run(*folders) == [[old, old], [new, new]]
    assert run(*reversed(folders)) == [[new, new], [old, old]]
