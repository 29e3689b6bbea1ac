# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts → verdicts, exactly: what every exact method says of its pairs.

Kernels decide by exact signs. What their numbers leave UNDECIDED is asked of core/reference, pair by pair, in the order
of pairs (docs/decisions/0008).
"""
import numpy as np

from ..codes import A_IN_B, CANNOT_TELL, CLEAR, CROSSING, NEITHER, NOT_CLOSED, NOT_SURE, OK, TOUCHING
from ..errors import Cancelled
from ..geometry.undecided import UNDECIDED
from ..pair_table import Cut, PairTable
from ..reference import last_resort
from ..run import Run
from ..trees.bvh.forest import Forest
from .beside_boxes import beside_boxes
from .containment import containment, side_by_side
from .coplanar_overlap import SAMPLED_CONTACTS, Evidence, shared_volume, twins_that_overlap
from .edge_crossing import YES
from .mesh_topology import MeshTopology
from .surface_verdicts import crossings_at_edges, first_verdicts
from .winding import winding_of_pairs


def verdicts(forest: Forest, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """The stage `verdicts` of `Method`. table.a, table.b: positions in the forest."""
    a, b, contacts = table.a, table.b, table.contacts
    assert contacts is not None
    verdict = first_verdicts(table)
    status, inner = np.zeros(len(a), np.uint8), np.zeros(len(a), np.int8)
    if np.count_nonzero(verdict == CROSSING) == len(a):
        return {"verdict": verdict}
    topology, undecided = MeshTopology(forest.scene, run.weld, run.tick), np.zeros(len(a), bool)
    apart, touching = ((verdict == code) & table.finished for code in (CLEAR, TOUCHING))
    like = table.like
    asked = touching if like is None else touching & (like == np.arange(len(table)))
    try:
        deep = asked
        if np.count_nonzero(asked):
            deep = deep & ~side_by_side(forest, a, b, deep)
            deep = deep & ~beside_boxes(forest, topology, a, b, deep)
        if table.cut is not None:
            _judge_whole(forest, table.cut, np.flatnonzero(deep), verdict, status, inner, run)
        elif np.count_nonzero(deep):
            verdict[_cross_at_edges(forest, topology, table, deep, run)] = CROSSING
            rows = np.flatnonzero(deep & (verdict == TOUCHING))
            rows = rows[~twins_that_overlap(forest, topology, table, rows, verdict, run.tick)]
            shared_volume(forest, topology, a, b, contacts, rows, verdict, inner, undecided, run.tick)
        containment(forest, topology, a, b, apart.nonzero()[0], verdict, status, inner, undecided, run.tick)
    except Cancelled:
        table.finished[apart | touching] = False
    if topology.welded:
        many = len(topology.welded)
        run.note(f"{many:,} {'object counts' if many == 1 else 'objects count'} as closed, by the weld distance.")
    rows = undecided.nonzero()[0]
    for done, row in enumerate(rows.tolist()):
        if _stopped(run):                   # a pair may take seconds
            table.finished[rows[done:]] = False
            break
        run.count(exact_decisions=1)
        verdict[row], status[row], inner[row] = last_resort.verdict(
            *_surfaces(forest, table, row), contacts.take(contacts.pair == row))
    if like is not None:
        again = np.flatnonzero(touching & ~asked)
        for column in (verdict, status, inner, table.finished):
            column[again] = column[like[again]]
    columns = {"verdict": verdict, "status": status, "inner": inner}
    leaky = ((status == NOT_CLOSED) & table.finished).nonzero()[0]
    return {**columns, "winding": _windings(forest, topology, table, leaky, inner)} if len(leaky) else columns


def _windings(forest: Forest, topology: MeshTopology, table: PairTable, rows: np.ndarray,
              inner: np.ndarray) -> np.ndarray:
    """(pairs,) float64: of these rows the winding number of the object that seems to hold the other one; else NaN."""
    winding, a_inside = np.full(len(table), np.nan), inner[rows] == A_IN_B
    a, b = table.a[rows], table.b[rows]
    for batch in forest.batches(a, b):
        held, holding = (np.where(a_inside[batch], *pair) for pair in ((a[batch], b[batch]), (b[batch], a[batch])))
        winding[rows[batch]] = winding_of_pairs(forest, topology, held, holding)
    return winding


def _judge_whole(forest: Forest, cut: Cut, rows: np.ndarray, verdict: np.ndarray, status: np.ndarray, inner: np.ndarray,
                 run: Run) -> None:
    """Set the verdicts of pairs that touch, some of whose contacts are not listed, by all of their contacts.

    rows: (k,) int64, ascending; verdict, status, inner: (pairs,). Raises Cancelled.
    """
    pieces: _Pieces | None = None
    for here, part in cut.whole(rows):
        if part.piece is not None:
            pieces = pieces or _Pieces(forest, part, run)
            pieces.add(part)
            if part.last_piece:
                verdict[here], status[here], inner[here] = pieces.judged()
                pieces = None
            continue
        columns = verdicts(forest, part, run)
        verdict[here] = columns["verdict"]
        status[here], inner[here] = columns.get("status", 0), columns.get("inner", 0)
    if run.cancelled:                       # a part has swallowed it, and some pairs were not judged
        raise Cancelled


class _Pieces:
    """Judges one pair that touches and whose contacts come in pieces."""

    def __init__(self, forest: Forest, part: PairTable, run: Run):
        """part: any of the pieces."""
        self.forest, self.run, self.topology = forest, run, MeshTopology(forest.scene, run.weld, run.tick)
        self.crosses, self.evidence = False, Evidence(forest, self.topology, part.a, part.b)

    def add(self, part: PairTable) -> None:
        """Look at a piece. Raises Cancelled."""
        if self.crosses or not len(part.contacts or ()):
            return
        assert part.contacts is not None
        for _ in self.forest.batches(part.a, part.b):       # places the two objects
            self.crosses = bool(_cross_at_edges(self.forest, self.topology, part, np.ones(1, bool), self.run)[0])
            for start in () if self.crosses else range(0, len(part.contacts), SAMPLED_CONTACTS):
                some = part.contacts.take(slice(start, start + SAMPLED_CONTACTS))
                self.evidence.know_common(some.pair, some)
                self.evidence.add(some.pair, some)
                self.run.tick()

    def judged(self) -> tuple[int, int, int]:
        """(verdict, status, inner). What exact signs cannot say stays open: rational arithmetic would need all contacts
        at once."""
        if self.crosses:
            return CROSSING, OK, NEITHER
        for _ in self.forest.batches(self.evidence.a, self.evidence.b):
            verdict, inner, undecided = (int(column[0]) for column in self.evidence.judged())
        return (CANNOT_TELL, NOT_SURE, NEITHER) if undecided else (verdict, OK, inner)


def _cross_at_edges(forest: Forest, topology: MeshTopology, table: PairTable, asked: np.ndarray,
                    run: Run) -> np.ndarray:
    """(pairs,) bool: the surfaces pass through each other along edges; False for pairs that are not asked, (pairs,)
    bool. Raises Cancelled."""
    contacts = table.contacts
    assert contacts is not None
    answer = crossings_at_edges(topology, forest.objects, table.a, table.b, contacts, asked, run.tick)
    for row in np.flatnonzero(answer == UNDECIDED).tolist():
        run.tick()
        run.count(exact_decisions=1)
        answer[row] = last_resort.crosses(*_surfaces(forest, table, row), contacts.take(contacts.pair == row))
    return answer == YES


def _surfaces(forest: Forest, table: PairTable, row: int) -> tuple[last_resort.Surface, last_resort.Surface]:
    """The two surfaces of a pair."""
    a, b = (last_resort.Surface.of(forest.scene, forest.objects[side[row]]) for side in (table.a, table.b))
    return a, b


def _stopped(run: Run) -> bool:
    """Report progress. True where the user has asked to stop."""
    try:
        run.tick()
    except Cancelled:
        pass
    return run.cancelled
