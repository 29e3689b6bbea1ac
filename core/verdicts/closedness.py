# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a mesh enclose space, and of how many connected parts is it?"""
import numpy as np

from ..machine_code.jit import kernel
from .edges import DIRECTION, HIGH_END, edges_of

OPEN, EVEN, ORIENTED = 0, 1, 2


def closedness(vertices: np.ndarray, triangles: np.ndarray, edges=None) -> int:
    """ORIENTED: every edge is used as often in one direction as in the other, so winding numbers are whole numbers.
    EVEN: every edge is used an even number of times, so that in and out alternate along a ray. Else OPEN.

    vertices (n,3) float64, triangles (m,3) int32; edges: a function that gives their Edges, where they are kept.
    Vertices at exactly the same place count as one where the mesh is not closed by its indices alone (split normals
    and seams of imported files).
    """
    count = len(vertices)
    found = OPEN if surely_open(triangles) else closed_by(edges() if edges else edges_of(triangles, count))
    if found == OPEN and count:
        number = np.empty(count, np.int32)
        table = np.full(4 << count.bit_length(), -1, np.int32)
        places = number_places((vertices + 0.0).view(np.uint64), table, number)     # + 0.0: -0 is 0
        if places < count:
            merged = number[triangles]
            found = OPEN if surely_open(merged) else closed_by(edges_of(merged, places))
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
                balance += wings[row, DIRECTION]
                number += 1
                row += 1
            if number & 1:
                return OPEN
            oriented = oriented and balance == 0
    return ORIENTED if oriented else EVEN


@kernel
def number_places(bits, table, number):
    """number[v] = number of the place of vertex v, the same for vertices at one place; returns how many there are.

    bits: (n,3) uint64, the coordinates; table: at least 2n entries of -1, a power of two; number: (n,) int32.
    """
    places = 0
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
            number[v] = places
            places += 1
    return places


@kernel
def surely_open(triangles):
    """Edges do not cancel, neither with nor without their direction, in a sum and an exclusive-or of hashes."""
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
    h = (p * np.uint64(0x9E3779B97F4A7C15)) ^ q
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


def parts(triangles: np.ndarray, vertex_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Parts that are connected by shared vertices: the first triangle of each (parts,), the part of each triangle
    (m,), int32."""
    first, part = np.empty(len(triangles), np.int32), np.empty(len(triangles), np.int32)
    count = number_parts(triangles, np.arange(vertex_count, dtype=np.int32), np.full(vertex_count, -1, np.int32), first,
                         part)
    return first[:count].copy(), part


@kernel
def number_parts(triangles, parent, number, first, part):
    """Fill `first` and `part`; returns the number of parts. parent: (n,) int32, each vertex its own; number: (n,) int32
    of -1: scratch."""
    join_parts(triangles, parent)
    count = 0
    for t in range(triangles.shape[0]):
        root = _root(parent, triangles[t, 0])
        if number[root] < 0:
            number[root] = count
            first[count] = t
            count += 1
        part[t] = number[root]
    return count


@kernel
def vertex_per_part(places, vertex_count, triangle_start, triangles, parent, start, count, found):
    """A vertex of each part of several meshes: found[start[k]:start[k]+count[k]] of mesh places[k]; returns how many.

    vertex_count, triangle_start, triangles: of `MeshTrees`, all of whose vertices are in use; parent: (v,) int32 for
    the largest of them: scratch; start, count: (meshes,) int64; found: (all vertices,) int64.
    """
    end = 0
    for k in range(places.shape[0]):
        i = places[k]
        for vertex in range(vertex_count[i]):
            parent[vertex] = vertex
        join_parts(triangles[triangle_start[i]:triangle_start[i + 1]], parent)
        start[k] = end
        for vertex in range(vertex_count[i]):
            if parent[vertex] == vertex:
                found[end] = vertex
                end += 1
        count[k] = end - start[k]
    return end


@kernel
def join_parts(triangles, parent):
    """Union-find: afterwards the vertices that are their own parent stand for one part each."""
    for t in range(triangles.shape[0]):
        root = _root(parent, triangles[t, 0])
        for i in range(1, 3):
            other = _root(parent, triangles[t, i])
            if other != root:
                parent[max(root, other)] = min(root, other)
                root = min(root, other)


@kernel
def _root(parent, vertex):
    while parent[vertex] != vertex:
        parent[vertex] = parent[parent[vertex]]
        vertex = parent[vertex]
    return vertex
