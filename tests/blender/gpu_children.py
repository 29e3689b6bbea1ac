# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts in processes of their own: a driver that fails takes its process with it."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN = f"""import importlib.util, os, sys
import bpy
spec = importlib.util.spec_from_file_location("touchpoint", {str(ROOT / '__init__.py')!r},
                                              submodule_search_locations=[{str(ROOT)!r}])
module = sys.modules["touchpoint"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
import numpy as np
from touchpoint.addon import gpu_backend
"""
END = """
gpu_backend.free()
sys.stdout.flush()
os._exit(0)
"""


def output_of(script: str, driver: bool = True, tmp_path=None) -> list[str]:
    """The lines that a script prints which begins with a `>`, without it. driver: there is one for OpenGL.

    The script finds bpy, np and gpu_backend imported."""
    environment = dict(os.environ)
    if not driver:
        empty = tmp_path / "no drivers"
        empty.mkdir()
        environment["__EGL_VENDOR_LIBRARY_DIRS"] = str(empty)
    ended = subprocess.run([sys.executable, "-c", BEGIN + script + END], capture_output=True, text=True, timeout=300,
                           env=environment)
    assert ended.returncode == 0, ended.stderr[-3000:]
    return [line[1:].strip() for line in ended.stdout.splitlines() if line.startswith(">")]
