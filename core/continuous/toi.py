# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of linear motions → times of impact: float filter over chunks on threads, then exact arithmetic."""
import numpy as np

from ..geometry.undecided import UNDECIDED
from ..parallel import run_chunks, thread_count
from ..records import Impacts, Motions, PointRows
from .ends import HIT_AT_END, exact_scratch, touching_at_ends
from .exact import EDGE_EDGE, VERTEX_FACE, first_contact
from .first_contact import INVALID, MAX_PIECES_WAITING, PIECE_COLUMNS, first_contacts

QUERIES_PER_CHUNK = 1 << 13     # 0.2 ms where all are far away, 1.5 ms where all are hits
POINT_SIDES = {VERTEX_FACE: [0, 0, 1, 2, 3], EDGE_EDGE: [0, 1, 2, 3, 3]}
POINT_VECTORS = {VERTEX_FACE: [[2, 1], [3, 1], [0, 1]], EDGE_EDGE: [[1, 0], [2, 3], [2, 0]]}
POINT_TRIANGLES = {VERTEX_FACE: [0, 0, 0, 1, 2, 3], EDGE_EDGE: [0, 1, 1, 2, 3, 3]}
POINT_ROWS = {kind: PointRows(*(np.array(rows[kind], np.int64)
                                for rows in (POINT_SIDES, POINT_VECTORS, POINT_TRIANGLES)))
              for kind in (VERTEX_FACE, EDGE_EDGE)}


def times_of_impact(X0: np.ndarray, X1: np.ndarray, kind: int,
                    threads: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(N,) float64, time of first contact, inf where there is none; and (N,) bool, decided by exact arithmetic.

    X0, X1: (N,4,3) float64, C order: the points at t = 0 and 1. kind: VERTEX_FACE or EDGE_EDGE. Raises ValueError
    where a number is not finite.
    """
    toi, status = filtered(X0, X1, kind, thread_count(threads))
    for row in np.flatnonzero(status == UNDECIDED):
        time = first_contact(X0[row].tolist(), X1[row].tolist(), kind)
        toi[row] = np.inf if time is None else time
    return toi, (status == UNDECIDED) | (status == HIT_AT_END)


def filtered(X0: np.ndarray, X1: np.ndarray, kind: int, threads: int) -> Impacts:
    """What floats and exact signs at the ends say: MISS, HIT, HIT_AT_END or UNDECIDED. Arguments as in
    `times_of_impact`. Raises ValueError where a number is not finite."""
    n = len(X0)
    motions, rows, impacts = Motions(X0, X1), POINT_ROWS[kind], Impacts(np.empty(n), np.empty(n, np.uint8))

    def decide_chunk(number: int) -> None:
        start = number * QUERIES_PER_CHUNK
        end = min(start + QUERIES_PER_CHUNK, n)
        face = 1.0 if kind == VERTEX_FACE else 0.0
        if first_contacts(motions, start, end, rows, face, np.empty((6, 3)),
                          np.empty((MAX_PIECES_WAITING, PIECE_COLUMNS)), impacts):
            touching_at_ends(motions, start, end, rows, np.empty((6, 3)), exact_scratch(), impacts)

    run_chunks(decide_chunk, -(-n // QUERIES_PER_CHUNK), threads, lambda done: None)
    if (impacts.status == INVALID).any():
        raise ValueError("moving points must be finite")
    return impacts
