# SPDX-License-Identifier: GPL-3.0-or-later
"""Work off the cases of a table, one after the other; what a results file already holds is not measured again."""
import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.files import replaced
from . import peers
from .cases import MOTIONS, Case
from .measure import MOST_RUNS, core_count, on_cores, take_turns
from .questions import compare, judge

BUDGET = 1.5            # seconds per side, case and number of cores


class OtherResults(Exception):
    """A results file that cannot be gone on with."""


def select(cases: tuple[Case, ...], only: list[str]) -> list[Case]:
    """The cases whose id is, or begins with, one of `only` (all where it is empty). Raises KeyError for others."""
    for wanted in only:
        if not any(_belongs(case, wanted) for case in cases):
            raise KeyError(wanted)
    return [case for case in cases if not only or any(_belongs(case, wanted) for wanted in only)]


def _belongs(case: Case, wanted: str) -> bool:
    return case.id == wanted or case.id.startswith(f"{wanted}-")


def steps_at_once(question, asks: str) -> int:
    """How many steps a run consists of. Frames may be tested later, many at once, and so may what is between them: what
    a single step takes says nothing there."""
    if asks == "animation":
        return question.count
    return question.count - 1 if asks in MOTIONS else 1


def measure(case: Case, modules: dict, quick: bool) -> dict:
    """Everything about one case, as it stands in the results file. Times in seconds."""
    question: Any = case.quick() if quick else case.make()
    sides, left_out = {}, {}
    for name, module in modules.items():
        if case.asks not in module.SIDES:
            continue
        if name in case.without and not quick:
            left_out[name] = "takes minutes"
            continue
        sides[name] = module.SIDES[case.asks](question)
    result: dict = {"title": case.title, "asks": case.asks, "left out": left_out, "cores": {}, "agreement": {}}
    at_once = steps_at_once(question, case.asks)
    for cores in sorted({1, core_count()}):
        with on_cores(cores):
            times, answers = take_turns(sides, BUDGET, 1 if quick else MOST_RUNS, at_once)
        result["cores"][str(cores)] = {name: each.as_dict() for name, each in times.items()}
    ours = answers.pop(peers.OURS)
    result["agreement"] = {name: compare(ours, answer) for name, answer in answers.items()}
    if case.asks != "near":     # about objects, not triangles
        for name, answer in answers.items():
            result["agreement"][name] |= judge(question, ours, answer)
    return result


def run(cases: list[Case], results: dict, quick: bool = False, names=peers.MODULES) -> Iterator[tuple[Case, dict]]:
    """Measure what `results` does not hold yet, yielding each case with its entry, which has been added to it.

    results: {} or what an earlier run has left; one that was made elsewhere or with other versions raises
    OtherResults.
    """
    modules, missing = peers.load(names)
    made = {"machine": machine(), "versions": peers.versions(modules), "quick": quick}
    if results and results["made"] != made:
        raise OtherResults("they were measured on another machine, with other versions or at another size")
    results.setdefault("made", made)
    results["missing"] = missing
    entries = results.setdefault("cases", {})
    if any(case.id not in entries for case in cases):
        peers.prepare(modules)
    for case in cases:
        if case.id not in entries:
            entries[case.id] = measure(case, modules, quick)
        yield case, entries[case.id]


def load(path: Path) -> dict:
    """What an earlier run has left; {} where there is no such file. Raises OtherResults for another file."""
    if not path.exists():
        return {}
    try:
        results = json.loads(path.read_text())
    except ValueError:
        results = None
    if not (isinstance(results, dict) and all(isinstance(results.get(key), dict) for key in ("made", "cases"))):
        raise OtherResults("the file holds something else")
    return results


def save(results: dict, path: Path) -> None:
    """Replace the file at once, so that a run that is killed leaves the last whole state."""
    with replaced(path) as file:
        file.write((json.dumps(results, indent=1) + "\n").encode())


def machine() -> dict:
    """What the figures depend on, besides the libraries."""
    import llvmlite
    import numba
    import numpy

    return {"processor": _processor(), "cores": core_count(), "system": platform.platform(terse=True),
            "python": platform.python_version(), "numpy": numpy.__version__, "numba": numba.__version__,
            "llvmlite": llvmlite.__version__}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")),
                platform.machine())
