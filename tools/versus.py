# SPDX-License-Identifier: GPL-3.0-or-later
"""Is a change slower? Measures an old commit and a new one in turns, and prints their ratios.

    python3.11 tools/versus.py OLD NEW          each a git revision or the folder of a checkout
    python3.11 tools/versus.py OLD . --only W1,W2-knot
    python3.11 tools/check.py versus -- OLD     this checkout beside an old revision

The cases are those of `touchpoint bench`, W1 to W8, Touchpoint alone, on one core and on all. Each side has processes
and a kernel cache of its own, and answers the questions of its own benchmarks/. The two take turns: ten for each case,
five of them in a second pair of processes; both do the same steps, now one first, now the other. A ratio is new over
old. Of the ten, the median and the quartiles are shown, then the ratio of the best times and that of CPU times. Cases
more than 3 % slower are marked, with a question mark where the quartiles are on both sides of 1, which may be noise.
Exit status 1: some are slower without question mark.

Then what all kernels take to compile (once, CPU seconds); what a new process takes from its first import to its first
answer where all kernels are kept (ten turns); the size of the extension's zip for this system and Python 3.11. All of
it takes some twelve minutes on two quiet cores.
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import environments
from system_packages import SetupError

ROOT = environments.ROOT
TURNS, ROUNDS = 10, 2
SECONDS = 0.1           # of one side in one turn, or one step where that takes longer
MOST_STEPS = 1000
SLOWER = 1.03
CHILD = Path(__file__).with_name("versus_side.py")
NOT_COPIED = (".*", "__pycache__", "*.egg-info", "dist", "wheels", "out")
# The side's own build, with the Python that is given instead of an environment of its own, for this processor only.
BUILD = """
import sys
sys.path.insert(0, "tools")
import environments, build_extension, machine_code
environments.ensure = lambda name: sys.argv[1]
build_extension.WHEELS.mkdir(exist_ok=True)
print(build_extension.build([machine_code.this_platform()], ["3.11"], build_extension.ROOT / "dist", for_tests=True)[0])
"""


@dataclass
class Side:
    """One of the two."""

    name: str
    folder: Path            # of its checkout
    python: Path
    place: Path             # for its name, its cache and what it builds

    def __post_init__(self):
        (self.place / "names").mkdir(parents=True)
        (self.place / "names" / "touchpoint").symlink_to(self.folder)

    @property
    def variables(self) -> dict[str, str]:
        """Of its processes, which keep compiled Python, as an installed extension does, whatever the shell says."""
        return {**{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
                "PYTHONPATH": str(self.place / "names"), "TOUCHPOINT_CACHE": str(self.place / "cache"),
                "PYTHONPYCACHEPREFIX": str(self.place / "bytecode")}

    def ask(self, what: str):
        """What a new process answers."""
        call = [str(self.python), str(CHILD), what]
        done = subprocess.run(call, env=self.variables, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise SetupError(f"The {self.name} side failed to measure: {what}. Its reason is above.")
        return json.loads(done.stdout.splitlines()[-1])


class Process:
    """A process of a side that answers one request after the other."""

    def __init__(self, side: Side):
        self.side = side
        self.process = subprocess.Popen([str(side.python), str(CHILD), "cases"], env=side.variables, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._line()

    def ask(self, do: str, **request):
        self.begin(do, **request)
        return self.end()

    def begin(self, do: str, **request) -> None:
        print(json.dumps({"do": do, **request}), file=self.process.stdin, flush=True)

    def end(self):
        return json.loads(self._line())

    def _line(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            raise SetupError(f"The {self.side.name} side ended; its reason is above.")
        return line


@contextmanager
def process_of(side: Side) -> Iterator[Process]:
    """Ends with the block."""
    started = Process(side)
    try:
        yield started
    finally:
        started.process.stdin.close()
        started.process.wait()


@dataclass
class Figures:
    """What was measured of one case on so many cores, a number per turn."""

    wall: dict[str, list[float]] = field(default_factory=lambda: {"old": [], "new": []})    # seconds per step
    cpu: dict[str, list[float]] = field(default_factory=lambda: {"old": [], "new": []})

    def ratios(self, times: dict[str, list[float]]) -> list[float]:
        """New over old, turn by turn."""
        return [new / old for old, new in zip(times["old"], times["new"]) if old > 0.0]

    def mark(self) -> str:
        """"slower" where it is, with a question mark where that may be noise."""
        lower, middle, _ = quartiles(self.ratios(self.wall))
        return "" if middle <= SLOWER else "slower" if lower > 1.0 else "slower?"


def quartiles(numbers: list[float]) -> tuple[float, float, float]:
    return tuple(statistics.quantiles(numbers, n=4, method="inclusive")) if len(numbers) > 1 else (numbers[0],) * 3


@contextmanager
def checkout(which: str) -> Iterator[Path]:
    """The folder of a checkout: one that is there, or one made for a revision, which is removed again."""
    if Path(which).is_dir():
        yield Path(which).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "checkout")
        git = ["git", "-C", str(ROOT), "worktree"]
        if subprocess.run([*git, "add", "--quiet", "--detach", str(made), which]).returncode:
            raise SetupError(f"There is neither a folder nor a revision {which}.")
        try:
            yield made
        finally:
            subprocess.run([*git, "remove", "--force", str(made)], check=True)


def measure_cases(sides: list[Side], only: list[str], quick: bool = False) -> dict[tuple[str, int], Figures]:
    """(case, cores) → figures, of the cases that both sides have and that begin with one of `only`."""
    found: dict[tuple[str, int], Figures] = {}
    cores = sorted({1, len(os.sched_getaffinity(0))})
    for half in range(ROUNDS):
        with ExitStack() as stack:
            processes = [stack.enter_context(process_of(side)) for side in sides]
            known = [process.ask("list") for process in processes]
            cases = [each for each in known[0] if each in known[1] and belongs(each, only)]
            if not cases:
                raise SetupError(f"No case of both sides is, or begins with, {' or '.join(only)}.")
            for case in cases:
                say(f"round {half + 1} of {ROUNDS}: {case}")
                for process in processes:           # at the same time: that is not measured
                    process.begin("make", case=case, quick=quick)
                for process in processes:
                    process.end()
                for count in cores:
                    take_turns(processes, count, half, found.setdefault((case, count), Figures()))
    return found


def belongs(case: str, only: list[str]) -> bool:
    return not only or any(case == wanted or case.startswith(f"{wanted}-") for wanted in only)


def take_turns(processes: list[Process], cores: int, half: int, figures: Figures) -> None:
    """The turns of one round. How many steps make a turn, the old side's first step says."""
    seconds = [process.ask("run", cores=cores, first=1, count=1)[0] for process in processes]
    steps = max(1, min(MOST_STEPS, round(SECONDS / max(seconds[0], 1e-9))))
    for turn in range(TURNS // ROUNDS):
        for process in processes if (turn + half) % 2 == 0 else processes[::-1]:
            wall, cpu = process.ask("run", cores=cores, first=turn * steps, count=steps)
            figures.wall[process.side.name].append(wall / steps)
            figures.cpu[process.side.name].append(cpu / steps)


def measure_sessions(sides: list[Side]) -> Figures:
    """A new process each, first one that is not counted."""
    figures = Figures()
    for turn in range(-1, TURNS):
        for side in sides if turn % 2 == 0 else sides[::-1]:
            wall, cpu = side.ask("session")
            if turn >= 0:
                figures.wall[side.name].append(wall)
                figures.cpu[side.name].append(cpu)
    return figures


def measure_zip(side: Side, bpy_python: Path) -> int | str:
    """Bytes of the extension's zip as the side's own tools build it from a copy, or why they could not."""
    copy = side.place / "build" / "touchpoint"
    shutil.copytree(side.folder, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
    done = subprocess.run([str(bpy_python), "-c", BUILD, str(side.python)], cwd=copy, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(copy.parent)})
    if done.returncode:
        return f"not built: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
    return Path(done.stdout.splitlines()[-1]).stat().st_size


def lines_of_cases(found: dict[tuple[str, int], Figures]) -> Iterator[str]:
    yield line("case", "cores", "old ms", "new ms", "new/old", "quartiles", "best", "CPU")
    for (case, cores), figures in found.items():
        yield line_of(case, cores, figures)
    slower = [f"{case} on {cores}" for (case, cores), figures in found.items() if figures.mark() == "slower"]
    middle = statistics.median(quartiles(figures.ratios(figures.wall))[1] for figures in found.values())
    yield ""
    yield f"Median of all: {middle:.3f}. More than 3 % slower: {', '.join(slower) or 'none'}."


def line_of(case: str, cores, figures: Figures) -> str:
    """best: the least time over the least time. CPU: the median of its ratios."""
    lower, middle, upper = quartiles(figures.ratios(figures.wall))
    old, new = (f"{1e3 * statistics.median(figures.wall[name]):.4g}" for name in ("old", "new"))
    busy = figures.ratios(figures.cpu)
    best = min(figures.wall["new"]) / min(figures.wall["old"])
    return line(case, cores, old, new, f"{middle:.3f}", f"{lower:.3f} – {upper:.3f}", f"{best:.3f}",
                f"{statistics.median(busy):.3f}" if busy else "", figures.mark())


def line(case, cores, old, new, ratio, spread, best, cpu, mark="") -> str:
    return f"{case:33}{cores:>5}{old:>10}{new:>10}{ratio:>9}{spread:>16}{best:>8}{cpu:>8}  {mark}".rstrip()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], metavar="W1,W2-knot",
                        help="only these workloads or cases, and nothing else")
    environments.add_arguments(parser)
    options = parser.parse_args(arguments)
    python, bpy_python = environments.chosen(options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))       # leaves no worktree behind
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sides = [Side(name, stack.enter_context(checkout(which)), python, place / name)
                 for name, which in (("old", options.old), ("new", options.new))]
        say("compiling all kernels of the old side, then of the new one")
        compiled = [side.ask("compile") for side in sides]
        found = measure_cases(sides, options.only)
        print("\n".join(lines_of_cases(found)), flush=True)
        if not options.only:
            print_rest(sides, compiled, bpy_python)
    return 1 if any(figures.mark() == "slower" for figures in found.values()) else 0


def print_rest(sides: list[Side], compiled: list[float], bpy_python: Path) -> None:
    say("starts of sessions")
    print(line_of("start of a session, kernels kept", "", measure_sessions(sides)))
    print(f"all kernels compiled: {compiled[0]:.1f} s of CPU, now {compiled[1]:.1f} s, "
          f"ratio {compiled[1] / compiled[0]:.3f}", flush=True)
    say("building both zips")
    with ThreadPoolExecutor(2) as pool:
        sizes = list(pool.map(lambda side: measure_zip(side, bpy_python), sides))
    told = [f"{size / 1e6:.3f} MB" if isinstance(size, int) else size for size in sizes]
    print(f"zip of the extension: {told[0]}, now {told[1]}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        sys.exit(f"error: {error}")
