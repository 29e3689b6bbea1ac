# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles, by slot → contacts: filter, exact decision, rational decision, in this order."""
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Corners
from ..contacts import Contacts
from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.triangle_triangle import MOST_POINTS
from ..reference.triangle_pair import shared_part
from .triangle_contacts import RATIONAL, classify, locate
from .triangle_filter import BLOCK, ROWS

BUFFER = 1 << 14            # candidates at a time


@dataclass(eq=False)
class Buffers:
    """What one chunk of work needs; made per chunk, a fraction of a millisecond."""

    candidates: np.ndarray = field(default_factory=lambda: np.empty((BUFFER, 3), np.int32))
    result: np.ndarray = field(default_factory=lambda: np.empty(BUFFER, np.uint8))
    S: np.ndarray = field(default_factory=lambda: np.empty((ROWS, BLOCK)))
    block: np.ndarray = field(default_factory=lambda: np.empty(BLOCK, np.uint8))
    P: np.ndarray = field(default_factory=lambda: np.empty((6, 3)))
    rows: np.ndarray = field(default_factory=lambda: np.empty(6, np.int64))
    side: np.ndarray = field(default_factory=lambda: np.empty(6))
    edges: np.ndarray = field(default_factory=lambda: np.empty((3, 3)))
    points: np.ndarray = field(default_factory=lambda: np.empty((MOST_POINTS, 3)))
    expansion: np.ndarray = field(default_factory=lambda: np.empty(EXPANSION_SIZE))
    tasks: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    undecided: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))


def meeting_pairs(count: int, a: np.ndarray, b: np.ndarray, corners: Corners, use: Buffers) -> Contacts:
    """The contacts of use.candidates[:count], rows of (pair, slot of a, slot of b), in that order.

    a, b: (pairs,) int32, objects of each pair. The candidates are overwritten.
    """
    kept = classify(use.candidates, count, a, b, corners.triangle_start, corners.triangles, corners.world_start,
                    corners.world, use.S, use.block, use.result, use.undecided)
    part = Contacts.empty(kept)
    if kept:
        n = locate(use.candidates, use.result, kept, a, b, *corners, use.P, use.rows, use.side, use.edges,
                   use.points, use.expansion, part.pair, part.triangle_a, part.triangle_b, part.kind, part.proper,
                   part.point, part.normal, part.status)
        part = part.take(slice(0, n))
        if (part.status == RATIONAL).any():
            part = _decide_rationally(part, a, b, corners)
    return part


def contacts_of_pairs(A: np.ndarray, B: np.ndarray) -> Contacts:
    """Contacts of triangle A[i] with triangle B[i], `pair` being i. A, B: (N,3,3) float64, finite, C order."""
    n = len(A)
    corners = Corners(np.zeros(2 * n, np.int64), np.arange(3, dtype=np.int32).reshape(1, 3), np.zeros(1, np.int32),
                      3 * np.arange(2 * n, dtype=np.int64), np.concatenate([A.reshape(-1, 3), B.reshape(-1, 3)]))
    a = np.arange(n, dtype=np.int32)
    b = np.arange(n, 2 * n, dtype=np.int32)
    use, parts = Buffers(), []
    for start in range(0, n, BUFFER):
        count = min(BUFFER, n - start)
        use.candidates[:count, 0] = np.arange(start, start + count)
        use.candidates[:count, 1:] = 0
        parts.append(meeting_pairs(count, a, b, corners, use))
    return Contacts.join(parts)


def _decide_rationally(part: Contacts, a, b, corners: Corners) -> Contacts:
    """Contacts whose numbers span more than the exact kernels take, by rational arithmetic: slow and very rare.

    `locate` has left the slots, not the triangles, in their columns.
    """
    keep = np.ones(len(part), bool)
    for row in np.flatnonzero(part.status == RATIONAL):
        obj_a, obj_b = a[part.pair[row]], b[part.pair[row]]
        slot_a, slot_b = part.triangle_a[row], part.triangle_b[row]
        triangle_b = corners.of(obj_b, slot_b)
        shared = shared_part(corners.of(obj_a, slot_a), triangle_b)
        keep[row] = shared.kind != 0
        if keep[row]:
            part.triangle_a[row] = corners.order[corners.triangle_start[obj_a] + slot_a]
            part.triangle_b[row] = corners.order[corners.triangle_start[obj_b] + slot_b]
            part.kind[row] = shared.kind
            part.proper[row] = shared.proper
            part.point[row] = [[float(x) for x in end] for end in shared.ends()]
            part.normal[row] = _unit_normal(triangle_b)
    return part.take(keep)


def _unit_normal(triangle: np.ndarray) -> np.ndarray:
    size = np.abs(triangle).max()
    edges = triangle[1:] / size - triangle[0] / size if size > 0 else np.zeros((2, 3))
    normal = np.cross(*edges)
    length = np.linalg.norm(normal)
    return normal / length if length > 0 else np.zeros(3)
