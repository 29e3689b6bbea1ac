# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles every kernel for the Python that runs this, on two cores; machine code is kept where tests look for it.

Without it, each process of a test run compiles what it comes upon, mostly the same as its neighbours.

    python -m tools.precompile
"""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import conftest  # noqa: E402, F401  (gives the checkout its name)
from touchpoint.core.machine_code.jit import cache_folder  # noqa: E402

if __name__ == "__main__":
    script = ROOT / "addon" / "precompile_script.py"
    sys.exit(subprocess.run([sys.executable, "-I", str(script), "all", str(ROOT), "touchpoint",
                             str(cache_folder().parent), *sys.path], stdout=subprocess.DEVNULL).returncode)
