# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact verdicts, gaps and depths → verdicts with a tolerance."""
import numpy as np

from ..codes import CLEAR, CONTAINED, CROSSING, NEAR, OVERLAP, TOUCHING
from ..distance.gaps import within
from ..method import Method
from ..pair_table import PairTable
from ..run import Run
from .asked import Tolerance


def judge(recipe: Method, objects, table: PairTable, tolerance: Tolerance, run: Run) -> int:
    """Call touching what is no farther apart, and proved to be no deeper, than is tolerated; `table.exact` keeps what
    it was called before. Returns how many verdicts that changes.

    Needs the columns gap and those of the depths; pairs are near up to `table.reach`. Where nothing is proved, the
    exact verdict stays.
    """
    limits, gap = tolerance.of_pairs(table.a, table.b), table.measured["gap"]
    table.put({"tolerance": limits})
    apart = table.verdict == NEAR
    if run.clearance > 0.0:
        table.verdict[apart & (gap > within(run.clearance))] = CLEAR
    else:
        table.verdict[apart] = CLEAR
    table.exact, table.verdict = table.verdict, table.verdict.copy()
    table.verdict[apart & (gap <= within(limits))] = TOUCHING
    rows = np.flatnonzero(np.isin(table.exact, (CONTAINED, OVERLAP, CROSSING)) & table.finished)
    if len(rows):
        table.verdict[rows[run.call(recipe, "shallow", objects, table, rows)]] = TOUCHING
    return int(np.count_nonzero(table.verdict != table.exact))
