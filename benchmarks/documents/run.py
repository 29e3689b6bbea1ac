# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the cases of a table that a results file does not hold yet."""
from collections.abc import Iterator

from ...core.version import version
from ...core.warm_up import warm_up
from ..run import OtherResults, machine
from .steps import Case


def run(table: str, cases: list[Case], results: dict, quick: bool, gpu=None) -> Iterator[tuple[Case, dict]]:
    """Yield each case with its entry, which has been added to the results.

    results: {} or what an earlier run has left; one of another table, machine or size raises OtherResults. gpu: None
    for tables that ask for none, else as in `detect`: a GPU, or the sentence that says why there is none.
    """
    made: dict = {"table": table, "machine": machine(), "versions": {"touchpoint": version()}, "quick": quick}
    if gpu is not None:
        made["machine"]["graphics"] = drawn_by(gpu)
    if results and results["made"] != made:
        raise OtherResults("they are another table's, or were measured on another machine or at another size")
    results.setdefault("made", made)
    entries = results.setdefault("cases", {})
    if any(case.id not in entries for case in cases):
        warm_up()
    for case in cases:
        if case.id not in entries:
            measured = case.measure(quick) if gpu is None else case.measure(quick, gpu)
            entries[case.id] = {"title": case.title, **measured}
        yield case, entries[case.id]


def drawn_by(gpu) -> str:
    """The renderer that figures were measured with; what is none says why."""
    if isinstance(gpu, str):
        return f"none ({gpu.rstrip('.')})"
    return f"{gpu.renderer}, {gpu.library}{', software: the processor does its work' if gpu.software else ''}"
