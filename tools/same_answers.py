# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a change leave every answer as it was, to the last bit? Makes the answers of a checkout, and compares two.

    python3.11 tools/same_answers.py make FOLDER [--checkout PATH]      of this checkout, or of another one
    python3.11 tools/same_answers.py compare BEFORE NOW                 what differs, by name; exit status 1 if anything
    python3.11 tools/check.py answers -- BEFORE                         both: of this checkout, beside that folder

The questions: the sample scenes, and 300 fuzzed ones (tools/answers/families.py), each asked again after it moved and
after it was deformed, by every method that can take it and with each value of each option; batch queries. The answers:
every byte of JSON and CSV, every column of pairs and contacts, what was skipped, notes, and the counts of one thread.
What a checkout says on two threads must be the same; else `make` names it and ends with 1.

It takes some seven minutes on two cores, and one more where kernels must be compiled; TOUCHPOINT_CACHE says where their
machine code is kept. Make both folders in the same environments.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import environments
from system_packages import SetupError

ROOT = environments.ROOT
PARTS = 12
LINES = 60          # of differences that are printed


def make(folder: Path, checkout: Path, python, bpy_python) -> bool:
    """Ask everything, in as many processes as there are cores. Returns whether threads made no difference."""
    from answers.archive import clear

    clear(folder)
    tasks = [(bpy_python, "samples", str(ROOT / "sample_scenes")), (python, "queries"),
             *((python, "fuzzed", f"{part}/{PARTS}") for part in range(PARTS))]
    with tempfile.TemporaryDirectory() as names, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        Path(names, "touchpoint").symlink_to(checkout)
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join([names, str(ROOT / "tools")])}

        def work(task):
            call = [str(task[0]), "-m", "answers.child", str(folder), *task[1:]]
            return subprocess.run(call, cwd=names, env=variables).returncode

        codes = list(pool.map(work, tasks))
    if max(codes) > 1 or min(codes) < 0:
        failed = [" ".join(task[1:]) for task, code in zip(tasks, codes) if code not in (0, 1)]
        raise SetupError(f"These processes failed, with their reasons above: {', '.join(failed)}.")
    return not any(codes)


def compare(before: Path, now: Path) -> bool:
    """Print what differs. Returns whether nothing does."""
    from answers.archive import Reader
    from answers.compared import Comparison

    found = Comparison(Reader(before), Reader(now))
    lines = [f"{question}: {line}" for question, all_of_it in found.differences.items() for line in all_of_it]
    for line in lines[:LINES]:
        print(line if len(line) < 400 else line[:400] + " …")
    if len(lines) > LINES:
        print(f"… and {len(lines) - LINES:,} more lines")
    for name, times in sorted(found.added.items()):
        print(f"added: {name} (in {times:,} answers)")
    if found.only_second:
        print(f"asked the second time only: {len(found.only_second):,} questions, such as {found.only_second[0]}")
    print(f"{len(found.differences):,} of {found.compared:,} answers differ.")
    return not found.differences


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="ask a checkout everything")
    making.add_argument("folder", type=Path)
    making.add_argument("--checkout", type=Path, default=ROOT, help="default: this one")
    environments.add_arguments(making)
    comparing = commands.add_parser("compare", help="print what differs")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("now", type=Path)
    options = parser.parse_args(arguments)
    if options.command == "compare":
        return 0 if compare(options.before, options.now) else 1
    start = time.perf_counter()
    same = make(options.folder.resolve(), options.checkout.resolve(), *environments.chosen(options))
    print(f"made {options.folder} in {time.perf_counter() - start:.0f} s")
    return 0 if same else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (SetupError, FileNotFoundError) as error:
        sys.exit(f"error: {error}")
