# SPDX-License-Identifier: GPL-3.0-or-later
"""`touchpoint bench`: the same questions to other libraries and to this one, side by side."""
from argparse import Namespace

from ...core.errors import Refused, TouchpointError
from .output import say

TABLES = ("peers",)


def run(arguments: Namespace) -> int:
    """Returns 0. Raises Refused for an unknown table or case, TouchpointError where the benchmarks are not there."""
    if arguments.table not in TABLES:
        raise Refused(f'There is no table "{arguments.table}". The tables are: {", ".join(TABLES)}.')
    try:
        from ...benchmarks import run as runner
        from ...benchmarks import tables
        from ...benchmarks.cases import CASES
    except ImportError as error:
        raise TouchpointError(f"The benchmarks are not part of the extension: run this command from a checkout or an "
                              f"installed package ({error}).") from None
    try:
        cases = runner.select(CASES, arguments.only)
    except KeyError as unknown:
        known = ", ".join(sorted({case.workload for case in CASES}))
        raise Refused(f"There is no case {unknown}. The workloads are {known}.") from None
    try:
        results = runner.load(arguments.json) if arguments.json else {}
        for case, entry in runner.run(cases, results, arguments.quick):
            say(tables.text(case, entry) + "\n")
            if arguments.json:
                runner.save(results, arguments.json)
    except runner.OtherResults as error:
        raise Refused(f"The results in {arguments.json} cannot be continued: {error}. Choose another file.") from None
    for name, reason in results["missing"].items():
        say(f"{name}: {reason}")
    if arguments.markdown:
        tables.write_markdown(arguments.markdown, cases, results)
        say(f"Wrote {arguments.markdown}")
    return 0
