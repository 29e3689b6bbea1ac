# SPDX-License-Identifier: GPL-3.0-or-later
"""Time several sides that take turns, so that whatever else the machine does slows all of them alike."""
import gc
import os
import statistics
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass

MOST_RUNS = 40
LEAST_RUNS = 3


@dataclass
class Times:
    """Seconds of the runs of one side: wall clock, and CPU of all threads of the process for the cheapest run."""

    runs: int
    best: float
    median: float
    lower: float        # quartiles
    upper: float
    cpu: float

    @classmethod
    def of(cls, wall: list[float], cpu: list[float]) -> "Times":
        lower, middle, upper = statistics.quantiles(wall, n=4, method="inclusive") if len(wall) > 1 else wall * 3
        return cls(len(wall), min(wall), middle, lower, upper, min(cpu))

    def as_dict(self) -> dict:
        return asdict(self)


def take_turns(sides: dict, budget: float, most: int = MOST_RUNS, at_once: int = 1) -> tuple[dict[str, Times], dict]:
    """Run every side in turn until each has used its budget.

    sides: name → object with run(step) and answer(result), and settle() where steps leave work for later. at_once:
    steps that a run consists of; times are those of one step, an equal share of the run. budget: seconds per side, not
    counting its first run, which warms up and is the one that is answered for. A side whose first run alone takes
    longer than the budget is not run again. Returns the times and the answers.
    """
    wall: dict[str, list[float]] = {name: [] for name in sides}
    cpu: dict[str, list[float]] = {name: [] for name in sides}
    answers = {}
    gc.collect()        # as of now only objects of the sides themselves can become garbage
    for name, side in sides.items():
        seconds, busy, result = _timed(side, range(at_once))
        answers[name] = side.answer(result)
        if seconds > budget:
            wall[name].append(seconds)
            cpu[name].append(busy)
    waiting = [name for name in sides if not wall[name]]
    for step in range(1, most + 1):
        for name in waiting:
            seconds, busy, _ = _timed(sides[name], range(step * at_once, (step + 1) * at_once))
            wall[name].append(seconds)
            cpu[name].append(busy)
        waiting = [name for name in waiting if step < LEAST_RUNS or sum(wall[name]) < budget]
    return {name: Times.of(*([seconds / at_once for seconds in each[name]] for each in (wall, cpu)))
            for name in sides}, answers


def _timed(side, steps: range):
    """(wall seconds, CPU seconds, result of the last step) of one run, undisturbed by Python's search for cycles."""
    gc.disable()
    try:
        busy, start = time.process_time(), time.perf_counter()
        for step in steps:
            result = side.run(step)
        if hasattr(side, "settle"):
            side.settle()
        return time.perf_counter() - start, time.process_time() - busy, result
    finally:
        gc.enable()


def core_count() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def on_cores(count: int):
    """Let all threads of the process, those of libraries too, use so many cores only. Linux; elsewhere no effect."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    _pin(set(sorted(allowed)[:count]))
    try:
        yield
    finally:
        _pin(allowed)


def _pin(cores: set[int]) -> None:
    for thread in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(thread), cores)
        except ProcessLookupError:      # it has ended meanwhile
            pass
