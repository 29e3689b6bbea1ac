# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a mesh enclose space?"""
from collections.abc import Callable

import numpy as np

from ..machine_code.jit import kernel
from ..records import MeshEdges
from .edges import DIRECTION_COLUMN, HIGH_END, edges_of

OPEN, EVEN, ORIENTED = 0, 1, 2


def closedness(vertices: np.ndarray, triangles: np.ndarray, edges: Callable[[], MeshEdges] | None = None,
               tick=None, places: Callable[[], np.ndarray | None] | None = None) -> int:
    """ORIENTED where every edge is used as often in one direction as in the other: winding numbers are whole numbers.
    EVEN where every edge is used an even number of times: in and out alternate along a ray. Else OPEN.

    vertices: (n,3) float64; triangles: (m,3) int32; edges: gives the edges of the triangles, where they are kept; tick:
    called now and then in large meshes, may raise; places: gives `first_at_place`, where that is kept. Where the mesh
    is not closed by its indices, vertices at exactly the same position count as one: imported files split vertices at
    seams.
    """
    count = len(vertices)
    found = OPEN if surely_open(triangles) else closed_by(edges() if edges else edges_of(triangles, count, tick))
    if found == OPEN and count:
        first = places() if places else first_at_place(vertices)
        if first is not None:
            merged = first[triangles]
            found = OPEN if surely_open(merged) else closed_by(edges_of(merged, count, tick))
    return found


@kernel
def closed_by(edges):
    """ORIENTED, EVEN or OPEN, by the wings of each edge. edges: MeshEdges."""
    start = edges.start
    wings = edges.wings
    oriented = True
    for vertex in range(start.shape[0] - 1):
        row = start[vertex]
        while row < start[vertex + 1]:
            high = wings[row, HIGH_END]
            number = 0
            balance = 0
            while row < start[vertex + 1] and wings[row, HIGH_END] == high:
                balance += wings[row, DIRECTION_COLUMN]
                number += 1
                row += 1
            if number & 1:
                return OPEN
            oriented = oriented and balance == 0
    return ORIENTED if oriented else EVEN


def positions_of(vertices: np.ndarray) -> tuple[np.ndarray, int]:
    """(n,) int32 number of the position of each vertex, the same for vertices at one position, and how many positions
    there are. vertices: (n,3) float64."""
    number = np.empty(len(vertices), np.int32)
    table = np.full(4 << len(vertices).bit_length(), -1, np.int32)
    return number, number_positions((vertices + 0.0).view(np.uint64), table, number)       # + 0.0: -0 is 0


def first_at_place(vertices: np.ndarray) -> np.ndarray | None:
    """(n,) int32: the first vertex at the position of each vertex; None where each has one of its own. vertices: (n,3)
    float64."""
    number, positions = positions_of(vertices)
    if positions == len(vertices):
        return None
    first, last = np.empty(positions, np.int32), len(vertices) - 1
    first[number[::-1]] = np.arange(last, -1, -1, dtype=np.int32)       # of several, the last one stays
    return first[number]


@kernel
def number_positions(bits, table, number):
    """number[v] = number of the position of vertex v, the same for vertices at one position. Returns how many positions
    there are.

    bits: (n,3) uint64, the coordinates; table: at least 2n entries of -1, a power of two; number: (n,) int32.
    """
    positions = 0
    for v in range(bits.shape[0]):
        slot = _hash(_hash(bits[v, 0], bits[v, 1]), bits[v, 2]) & np.uint64(table.shape[0] - 1)
        while table[slot] >= 0:
            other = table[slot]
            if bits[other, 0] == bits[v, 0] and bits[other, 1] == bits[v, 1] and bits[other, 2] == bits[v, 2]:
                break
            slot = (slot + np.uint64(1)) & np.uint64(table.shape[0] - 1)
        if table[slot] >= 0:
            number[v] = number[table[slot]]
        else:
            table[slot] = v
            number[v] = positions
            positions += 1
    return positions


@kernel
def surely_open(triangles):
    """True only where a mesh is OPEN by its indices, in one pass without its edges: their hashes do not cancel, neither
    in a sum with their direction nor in an exclusive-or without it."""
    balance = np.uint64(0)
    parity = np.uint64(0)
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = np.uint64(triangles[t, i])
            q = np.uint64(triangles[t, (i + 1) % 3])
            if p != q:
                balance += _hash(p, q) - _hash(q, p)
                parity ^= _hash(min(p, q), max(p, q))
    return balance != np.uint64(0) and parity != np.uint64(0)


@kernel
def _hash(p, q):
    """A hash of two uint64 in their order."""
    h = (p * np.uint64(0x9E3779B97F4A7C15)) ^ q
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))
