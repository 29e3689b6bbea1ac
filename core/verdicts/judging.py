# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → verdicts, exactly: what every exact method says of its pairs."""
import numpy as np

from ..codes import CLEAR, CROSSING, TOUCHING
from ..errors import Cancelled
from ..pair_table import PairTable
from ..reference import Surface, judge
from ..run import Run
from ..trees.bvh.forest import Forest
from .containment import containment, side_by_side
from .coplanar_overlap import shared_volume
from .surface_verdicts import edge_crossing_verdicts, first_verdicts


def verdicts(forest: Forest, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """The stage `verdicts` of `Method`. table.a, table.b: positions in the forest."""
    a, b, contacts = table.a, table.b, table.contacts
    assert contacts is not None
    verdict = first_verdicts(table.crossing, contacts)
    status, inner = np.zeros(len(a), np.uint8), np.zeros(len(a), np.int8)
    if (verdict == CROSSING).all():
        return {"verdict": verdict}
    unsure = np.zeros(len(a), bool)
    apart, touching = ((verdict == code) & table.finished for code in (CLEAR, TOUCHING))
    try:
        deep = touching & ~side_by_side(forest, a, b, touching)
        edge_crossing_verdicts(forest.scene, forest.objects, a, b, contacts, deep, verdict)
        containment(forest, a, b, np.flatnonzero(apart), verdict, status, inner, unsure, run.tick)
        shared_volume(forest, a, b, contacts, np.flatnonzero(deep & (verdict == TOUCHING)), verdict, inner, unsure,
                      run.tick)
    except Cancelled:
        table.finished[apart | touching] = False
    rows = np.flatnonzero(unsure)           # coordinates made to span hundreds of orders of magnitude
    for done, row in enumerate(rows.tolist()):
        if _stopped(run):                   # a pair may take seconds
            table.finished[rows[done:]] = False
            break
        one, other = (Surface.of(forest.scene, forest.objects[side[row]]) for side in (a, b))
        verdict[row], status[row], inner[row] = judge(one, other, contacts.take(contacts.pair == row))
    return {"verdict": verdict, "status": status, "inner": inner}


def _stopped(run: Run) -> bool:
    """Report progress; True where the user has asked to stop."""
    try:
        run.tick()
    except Cancelled:
        pass
    return run.cancelled
