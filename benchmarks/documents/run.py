# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the cases of a table that a results file does not hold yet."""
from collections.abc import Iterator

from ...core.version import version
from ...core.warm_up import warm_up
from ..run import OtherResults, machine
from .steps import Case


def run(table: str, cases: list[Case], results: dict, quick: bool) -> Iterator[tuple[Case, dict]]:
    """Yield each case with its entry, which has been added to the results.

    results: {} or what an earlier run has left; one of another table, machine or size raises OtherResults.
    """
    made = {"table": table, "machine": machine(), "versions": {"touchpoint": version()}, "quick": quick}
    if results and results["made"] != made:
        raise OtherResults("they are another table's, or were measured on another machine or at another size")
    results.setdefault("made", made)
    entries = results.setdefault("cases", {})
    if any(case.id not in entries for case in cases):
        warm_up()
    for case in cases:
        if case.id not in entries:
            entries[case.id] = {"title": case.title, **case.measure(quick)}
        yield case, entries[case.id]
