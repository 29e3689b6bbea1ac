# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles every kernel for the Python that runs this, in two processes; machine code is kept where tests look for it.

Without it, each process of a test run compiles what it comes upon, mostly the same as its neighbours. Fails where a
kernel was compiled for more than one signature: each further one costs those who use it up to a second. Fails, too,
where nothing was there before and a kernel was forgotten: that one is compiled while the user waits.

    python -m tools.precompile
"""
import gc
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import conftest  # noqa: E402, F401  (gives the checkout its name)
from touchpoint.core import warm_up  # noqa: E402
from touchpoint.core.machine_code import jit  # noqa: E402

FORWARDS, BACKWARDS = "forwards", "backwards"


def steps_of(direction: str) -> list[Callable[[], None]]:
    """All steps of `warm_up`, so that two processes meet in the middle and hardly compile the same kernels."""
    steps = list(warm_up.steps().values())
    return steps if direction == FORWARDS else [warm_up.depths_alone, *reversed(steps)]


def compile_in(direction: str) -> None:
    """Compile, and print each kernel with the signatures that this process has."""
    gc.set_threshold(20_000, 20, 100)       # what numba makes while it compiles mostly stays: looking costs a tenth
    for step in steps_of(direction):
        step()
    print(json.dumps([[f"{each.py_func.__module__}.{each.py_func.__name__}", list(map(str, jit.signatures(each)))]
                      for each in jit.KERNELS]))


def compile_all() -> dict[str, set[str]]:
    """The signatures of each kernel, as both processes together compiled or loaded them. Raises
    subprocess.CalledProcessError."""
    started = [subprocess.Popen([sys.executable, "-m", "tools.precompile", direction], cwd=ROOT, text=True,
                                stdout=subprocess.PIPE) for direction in (FORWARDS, BACKWARDS)]
    signatures: dict[str, set[str]] = {}
    for process, (printed, _) in [(each, each.communicate()) for each in started]:
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        for name, own in json.loads(printed.splitlines()[-1]):
            signatures.setdefault(name, set()).update(own)
    return signatures


def main() -> int:
    if warm_up.is_warm():
        return 0
    # A kernel that is on disk already hides those that it calls.
    least = 0 if jit.cache_folder().exists() else 1
    wrong = {name: own for name, own in compile_all().items() if not least <= len(own) <= 1}
    for name, own in wrong.items():
        print(f"{name} is compiled for {len(own)} signatures:", *sorted(own), sep="\n    ")
    if wrong:
        return 1
    warm_up.warm_up()       # loads all, and says that all is there
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compile_in(sys.argv[1])
    else:
        sys.exit(main())
