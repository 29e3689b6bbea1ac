# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the first Detect takes after installing the extension, and in later sessions, beyond the work itself.

    python3.11 tools/build_extension.py --platform linux-x64
    python3.11 tools/first_detect.py [--bpy bpy-4.5] [--repeat 5]

Unpacks the built zip where Blender would install it, in a new user's folder, and detects in the workshop in new
processes: with nothing kept from earlier sessions (as after installing), and with what that session has kept. Measured
from the call to the answer; Blender's own start and reading the file come before. The second Detect of a process is the
work itself. Prints medians in seconds, of the wall clock and of CPU time.
"""
import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import environments
from system_packages import SetupError

ROOT = environments.ROOT
PACKAGE = "bl_ext.user_default.touchpoint"


def in_blender(scene):
    """In a process with bpy: enable the installed extension, load a file, detect twice, print what it took as JSON."""
    import time

    import bpy

    bpy.ops.wm.open_mainfile(filepath=scene)
    importlib.import_module("addon_utils").enable(PACKAGE)      # found once bpy is imported
    figures = {}
    for name in ("first", "second"):
        wall, cpu = time.perf_counter(), time.process_time()
        report = importlib.import_module(PACKAGE + ".addon.api").detect()
        figures[name] = time.perf_counter() - wall, time.process_time() - cpu
        figures["pairs"] = len(report.pairs)
    jit = sys.modules[PACKAGE + ".core.machine_code.jit"]
    figures["compiled"] = sorted(kernel.py_func.__name__ for kernel in jit.KERNELS if kernel.stats.cache_misses)
    figures["loaded"] = sum(bool(kernel.stats.cache_hits) for kernel in jit.KERNELS)
    print("FIGURES", json.dumps(figures), flush=True)
    os._exit(0)


def session(python, user):
    """The figures of one new process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TOUCHPOINT", "NUMBA"))}
    environment |= {"BLENDER_USER_RESOURCES": str(user), "XDG_CACHE_HOME": str(user / "cache")}
    call = [python, __file__, "--inside", str(ROOT / "sample_scenes" / "workshop.blend")]
    done = subprocess.run(call, env=environment, stdout=subprocess.PIPE, text=True, cwd=user)
    lines = [line.removeprefix("FIGURES ") for line in done.stdout.splitlines() if line.startswith("FIGURES ")]
    if not lines:
        raise SetupError(f"The session failed:\n{done.stdout}")
    return json.loads(lines[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bpy", default="bpy-4.5", choices=environments.BPY_TESTS)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--zip", type=Path, help="default: the newest in dist/")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        in_blender(options.inside)
    archive = options.zip or max(ROOT.glob("dist/*linux_x64.zip"), key=os.path.getmtime)
    python = environments.ensure(options.bpy)
    results = {"after installing": [], "next session": []}
    for _ in range(options.repeat):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "extensions", "user_default", "touchpoint")
            with zipfile.ZipFile(archive) as contents:
                contents.extractall(place, [name for name in contents.namelist() if not name.startswith("wheels/")])
            for name in results:
                results[name].append(session(python, Path(folder)))
            shutil.rmtree(place)
    for name, sessions in results.items():
        for kind, index in (("wall", 0), ("CPU", 1)):
            first, second = ([each[key][index] for each in sessions] for key in ("first", "second"))
            beyond = statistics.median(a - b for a, b in zip(first, second))
            print(f"{name:16} {kind:4}  first {statistics.median(first):6.2f}  second {statistics.median(second):6.2f}"
                  f"  beyond the work {beyond:6.2f}")
        print(f"{'':16} loaded {sessions[0]['loaded']} kernels, compiled {len(sessions[0]['compiled'])}"
              f" {sessions[0]['compiled']}; {sessions[0]['pairs']} pairs")


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        sys.exit(f"error: {error}")
