# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a mesh enclose space, and of how many connected parts is it?"""
import numpy as np

from ..jit import kernel

OPEN, EVEN, ORIENTED = 0, 1, 2


def closedness(vertices: np.ndarray, triangles: np.ndarray) -> int:
    """ORIENTED: every edge is used as often in one direction as in the other, so winding numbers are whole numbers.
    EVEN: every edge is used an even number of times, so that in and out alternate along a ray. Else OPEN.

    vertices (n,3) float64, triangles (m,3) int32. Vertices at exactly the same place count as one where the mesh is
    not closed by its indices alone (split normals and seams of imported files).
    """
    found = _closed_by_index(triangles.astype(np.int64), len(vertices))
    if found == OPEN:
        places, number = np.unique(vertices + 0.0, axis=0, return_inverse=True)     # + 0.0: -0 is 0
        if len(places) < len(vertices):
            found = _closed_by_index(number.reshape(-1)[triangles], len(places))
    return found


def _closed_by_index(triangles: np.ndarray, count: int) -> int:
    p, q = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    p, q = p[p != q], q[p != q]
    if np.array_equal(np.sort(p * count + q), np.sort(q * count + p)):
        return ORIENTED
    uses = np.unique(np.minimum(p, q) * count + np.maximum(p, q), return_counts=True)[1]
    return OPEN if (uses % 2).any() else EVEN


def part_triangles(triangles: np.ndarray, vertex_count: int) -> np.ndarray:
    """(parts,) int64: the first triangle of each part that is connected by shared vertices."""
    parent = np.arange(vertex_count, dtype=np.int32)
    join_parts(triangles, parent)
    part = parent[triangles[:, 0]]
    while not np.array_equal(part, parent[part]):
        part = parent[part]
    return np.unique(part, return_index=True)[1]


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
