# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles every kernel of the core in a process of its own. Run by kernels.py with Blender's Python, never imported.

    python -I precompile_script.py PART ROOT PACKAGE CACHE PATH...

PART is "all", or "depths", which the process for "all" has another one compile where there are several cores. ROOT is
the extension's folder, PACKAGE its full name in Blender, CACHE the folder for machine code, PATH Blender's sys.path, so
that numba and numpy are the same. What Detect calls comes first. Prints the fraction done as it goes, and a line when
Detect is ready.

It puts modules and paths where imports find them. That happens in this process only, which ends with the compiling;
inside Blender the extension system does the same.
"""
import gc
import importlib
import importlib.util
import os
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

MOST_TOLD = 0.99    # of the work: the end is told by the end of this process


def import_as(root: str, package: str) -> None:
    """Import the tree under its full name, with empty parents in place of Blender's own packages."""
    parents = package.split(".")[:-1]
    for length in range(1, len(parents) + 1):
        name = ".".join(parents[:length])
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = []
    spec = importlib.util.spec_from_file_location(package, Path(root, "__init__.py"), submodule_search_locations=[root])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[package] = module
    spec.loader.exec_module(module)


def report_progress(jit: types.ModuleType) -> None:
    """In a thread: the fraction of the kernels that are compiled, each as much as another."""
    while True:
        time.sleep(0.3)
        if jit.KERNELS:
            done = sum(bool(jit.signatures(each)) for each in jit.KERNELS)
            # More kernels come with modules that are not imported yet.
            print(f"{min(done / len(jit.KERNELS), MOST_TOLD):.3f}", flush=True)


def start_helper() -> subprocess.Popen | None:
    """A process that compiles the kernels of depths, and ends when this one does; None on a single core."""
    if (os.cpu_count() or 1) == 1:
        return None
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    return subprocess.Popen([sys.executable, "-I", __file__, "depths", *sys.argv[2:]], stdin=subprocess.PIPE,
                            creationflags=flags)


def end_with_parent() -> None:
    """In a thread of the helper: nobody writes there, and the end comes with that of the other process."""
    sys.stdin.read()
    os._exit(1)


def compile_all(jit: types.ModuleType, warm_up: types.ModuleType) -> None:
    helper = start_helper()
    threading.Thread(target=report_progress, args=(jit,), daemon=True).start()
    warm_up.load_for_detect(join=helper.wait if helper else lambda: None)
    print("detect is ready", flush=True)
    warm_up.warm_up()


def main(part: str, root: str, package: str, cache: str, *path: str) -> None:
    if hasattr(os, "nice"):
        os.nice(5)          # on Windows the priority is set by who starts this process
    sys.path[:] = path
    import_as(root, package)
    jit = importlib.import_module(f"{package}.core.machine_code.jit")
    jit.set_cache_folder(cache)
    warm_up = importlib.import_module(f"{package}.core.warm_up")
    gc.set_threshold(20_000, 20, 100)       # what numba makes while it compiles mostly stays: looking costs a tenth
    if part == "depths":
        threading.Thread(target=end_with_parent, daemon=True).start()
        warm_up.depths_alone()
    elif not warm_up.is_warm():
        compile_all(jit, warm_up)


if __name__ == "__main__":
    main(*sys.argv[1:])
