# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact verdicts, gaps and depths → verdicts with a tolerance. Where nothing is proved, the exact verdict stays."""
import numpy as np

from ..codes import CLEAR, CONTAINED, CROSSING, NEAR, OVERLAP, TOUCHING
from ..distance.asked import Clearance
from ..distance.gaps import within
from ..method import Method
from ..pair_table import PairTable
from ..run import Run
from .asked import Tolerance

COLLIDES = np.isin(np.arange(1 << 7), (CONTAINED, OVERLAP, CROSSING))       # by verdict


def judge_gaps_and_moves(recipe: Method, objects, table: PairTable, near: Clearance, tolerance: Tolerance,
                         run: Run) -> None:
    """Call touching what is no farther apart than is tolerated, and what a move that is no longer frees: of these the
    depth need not be measured, and that of others no closer than to say that it is no more. `table.exact` keeps what
    pairs were called before.

    Needs the column gap; pairs are near up to `table.reach`.
    """
    limits, gap = tolerance.of_pairs(table.a, table.b), table.measured["gap"]
    table.put({"tolerance": limits})
    table.enough = limits
    apart = table.verdict == NEAR
    if near.is_asked:
        table.verdict[apart & (gap > within(near.of_pairs(table.a, table.b)))] = CLEAR
    else:
        table.verdict[apart] = CLEAR
    table.exact, table.verdict = table.verdict, table.verdict.copy()
    table.verdict[apart & (gap <= within(limits))] = TOUCHING
    rows = (COLLIDES[table.exact] & table.finished).nonzero()[0]
    table.moves = np.full(len(table), np.inf)
    if len(rows):
        table.moves[rows] = run.call(recipe, "moves", objects, table, rows)
    table.verdict[table.moves <= limits] = TOUCHING


def judge_depths(recipe: Method, objects, table: PairTable, run: Run) -> None:
    """Call touching what is proved to be no deeper than is tolerated. Needs the columns of the depths; pairs that a
    move frees are no deeper than it is long. Depths of what collides all the same are measured closely."""
    assert table.moves is not None
    upper, before = table.measured["depth_upper"], table.verdict.copy()
    rows = (COLLIDES[table.verdict] & (upper <= table.measured["tolerance"])).nonzero()[0]
    if len(rows):
        asked, which = table.alike(rows)
        table.verdict[rows[run.call(recipe, "shallow", objects, table, asked)[which]]] = TOUCHING
    freed = (table.verdict == TOUCHING) & np.isfinite(table.moves) & (table.moves <= table.measured["tolerance"])
    upper[freed] = table.moves[freed]
    _measure_closely(recipe, objects, table, before, run)


def _measure_closely(recipe: Method, objects, table: PairTable, before: np.ndarray, run: Run) -> None:
    """Measure those pairs without an end at `table.enough` that are no deeper, and are no touch for all that, such as
    thin sheets. before: (pairs,) int8, the verdicts by which depths were measured."""
    assert table.enough is not None
    rows = (COLLIDES[table.verdict] & (table.measured["depth_upper"] <= table.enough)).nonzero()[0]
    if not len(rows) or run.stopped():
        return
    judged, enough = table.verdict, table.enough.copy()
    enough[rows] = 0.0
    table.verdict, table.enough = before, enough        # the depths of all others are kept
    for name, column in run.call(recipe.depths, "columns", objects, table).items():
        table.measured[name][rows] = column[rows]
    table.verdict = judged
