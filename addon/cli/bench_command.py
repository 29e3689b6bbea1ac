# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint bench`: the same questions to other libraries and to this one, or to our methods, side by side."""
import importlib.util
from argparse import Namespace

from ...core.errors import Refused, TouchpointError
from .output import say, say_all

PEERS = "peers"


def run(arguments: Namespace) -> int:
    """Returns 0. Raises Refused for an unknown table or case, TouchpointError where the benchmarks are not there."""
    try:
        from ...benchmarks import documents
        from ...benchmarks import run as runner
    except ImportError as error:
        raise TouchpointError(f"The benchmarks are not part of the extension: run this command from a checkout or an "
                              f"installed package ({error}).") from None
    if arguments.table != PEERS and arguments.table not in documents.TABLES:
        known = ", ".join((PEERS, *documents.TABLES))
        raise Refused(f'There is no table "{arguments.table}". The tables are: {known}.')
    if arguments.plots:
        _check_plots(arguments.table)
    try:
        (_peers if arguments.table == PEERS else _document)(arguments)
    except runner.OtherResults as error:
        raise Refused(f"The results in {arguments.json} cannot be continued: {error}. Choose another file.") from None
    return 0


def _peers(arguments: Namespace) -> None:
    """Other libraries beside this one."""
    from ...benchmarks import run as runner
    from ...benchmarks import tables
    from ...benchmarks.cases import CASES

    cases = _cases(runner, CASES, arguments.only)
    results = runner.load(arguments.json) if arguments.json else {}
    for case, entry in runner.run(cases, results, arguments.quick):
        say_all(tables.text(case, entry))
        say()
        if arguments.json:
            runner.save(results, arguments.json)
    for name, reason in results["missing"].items():
        say(f"{name}: {reason}")
    if arguments.markdown:
        tables.write_markdown(arguments.markdown, cases, results)
        say(f"Wrote {arguments.markdown}")


def _document(arguments: Namespace) -> None:
    """Our methods beside each other, and beside the figures that their document has."""
    from ...benchmarks import documents
    from ...benchmarks import run as runner
    from ...benchmarks.documents import page
    from ...benchmarks.documents.run import run as measured

    table = documents.load(arguments.table)
    results = runner.load(arguments.json) if arguments.json else {}
    cases, gpu = _cases(runner, table.CASES, arguments.only), _gpu() if hasattr(table, "ON_GPU") else None
    for case, entry in measured(arguments.table, cases, results, arguments.quick, gpu):
        say_all(page.case_text(table, case, entry))
        say()
        if arguments.json:
            runner.save(results, arguments.json)
    say_all(page.chapters_text(table, results))
    if arguments.markdown:
        page.write_markdown(arguments.markdown, arguments.table, table, results)
        say(f"Wrote {arguments.markdown}")
    if arguments.plots:
        from ...benchmarks.documents.plots import write_plots

        for path in write_plots(arguments.plots, table.plots(results)):
            say(f"Wrote {path}")


def _gpu():
    """What `core.detect` takes as gpu, or the sentence that says why there is none."""
    if importlib.util.find_spec("bpy") is None:
        return "Blender is not here, which draws."
    from .. import gpu_backend

    return gpu_backend.obtain()


def _check_plots(table: str) -> None:
    """Before the work, not after it."""
    from ...benchmarks import documents
    from ...benchmarks.documents.plots import check_packages

    if table == PEERS or not hasattr(documents.load(table), "plots"):
        raise Refused(f"The table {table} has no plots.")
    check_packages()


def _cases(runner, cases, only: list[str]) -> list:
    try:
        return runner.select(cases, only)
    except KeyError as unknown:
        known = ", ".join(sorted({case.workload for case in cases}))
        raise Refused(f"There is no case {unknown}. The workloads are {known}.") from None
