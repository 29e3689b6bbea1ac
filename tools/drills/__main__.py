# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m drills core|blender [--seed N] [--times F] [--only WORD]: what was tried, how often, and what was lost.

core needs no Blender, blender the bpy module. --times 100 tries each fault a hundred times as often as the short form.
The same seed tries the same faults; a fault that lost something is named by a number, and --first N begins with that
one. Exit status 1 where something was lost.
"""
import argparse
import importlib
import io
import sys
import tempfile
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
GROUPS = {
    "core": ("exit_codes", "files", "names", "kernels_on_disk", "threads", "door", "broken_scenes", "crowds",
             "interrupted", "polls"),
    "blender": ("exit_codes_of_detect", "exit_codes_of_all", "large_results", "attacked_data", "left_out", "changes",
                "films", "gpu_lost", "bent_files", "pages", "pictures", "random_calls"),
}
EXAMPLES = 3        # of what was lost that are shown


def run(drill, number: int, options) -> tuple[int, int]:
    """(tried, lost) of one drill."""
    times = max(1, round(drill.short * options.times))
    lost = 0
    for count in range(options.first, options.first + times):
        random = np.random.default_rng((options.seed, number, count))
        with tempfile.TemporaryDirectory(prefix="touchpoint-drill-", ignore_cleanup_errors=True) as folder:
            printed = io.StringIO()
            try:
                with redirect_stdout(printed), redirect_stderr(printed):
                    drill.attempt(random, Path(folder))
            except Exception:
                lost += 1
                if lost <= EXAMPLES:
                    print(f"lost: {drill.what}, number {count}\n{printed.getvalue()}{traceback.format_exc(limit=-4)}",
                          flush=True)
    return times, lost


def main() -> int:
    parser = argparse.ArgumentParser(prog="drills", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=GROUPS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="", help="a word of the group, the faults or what is tried")
    options = parser.parse_args()
    sys.path[:0] = [str(ROOT / "tests"), *([str(ROOT / "tests" / "blender")] if options.part == "blender" else [])]
    importlib.import_module("conftest")         # makes the checkout importable as `touchpoint`
    print("| faults | tried | survived | lost | seconds | what |\n|---|---|---|---|---|---|", flush=True)
    everything = tried_at_all = 0
    for group in GROUPS[options.part]:
        for number, drill in enumerate(importlib.import_module(f"drills.{group}").DRILLS):
            if options.only.lower() in f"{group} {drill.faults} {drill.what}".lower():
                start = time.perf_counter()
                tried, lost = run(drill, number, options)
                everything, tried_at_all = everything + lost, tried_at_all + tried
                print(f"| {drill.faults} | {tried:,} | {tried - lost:,} | {lost:,} | "
                      f"{time.perf_counter() - start:.1f} | {drill.what} |", flush=True)
    print(f"\n{tried_at_all:,} faults tried, {everything:,} lost something.", flush=True)
    return 1 if everything else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    if "bpy" in sys.modules:
        import os

        os._exit(code)      # the bpy module prints about its memory, or even crashes, when Python takes it down
    sys.exit(code)
