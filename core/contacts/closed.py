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
    found = _closed_by_index(triangles, len(vertices))
    if found == OPEN and _any_twice(vertices):
        number = np.unique(vertices + 0.0, axis=0, return_inverse=True)[1]      # + 0.0: -0 is 0
        found = _closed_by_index(number.reshape(-1).astype(np.int32)[triangles], len(vertices))
    return found


def _closed_by_index(triangles: np.ndarray, count: int) -> int:
    if _surely_open(triangles):
        return OPEN
    triangles = triangles.astype(np.int64)
    p, q = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    p, q = p[p != q], q[p != q]
    if np.array_equal(np.sort(p * count + q), np.sort(q * count + p)):
        return ORIENTED
    uses = np.unique(np.minimum(p, q) * count + np.maximum(p, q), return_counts=True)[1]
    return OPEN if (uses % 2).any() else EVEN


def _any_twice(vertices: np.ndarray) -> bool:
    """Two vertices may be at one place: a quick look at hashes before the slow one at places."""
    bits = (vertices + 0.0).view(np.uint64)
    with np.errstate(over="ignore"):
        hashes = np.sort(bits[:, 0] * np.uint64(0x9E3779B97F4A7C15) ^ bits[:, 1] * np.uint64(0xC2B2AE3D27D4EB4F)
                         ^ bits[:, 2] * np.uint64(0x165667B19E3779F9))
    return bool((hashes[1:] == hashes[:-1]).any())


@kernel
def _surely_open(triangles):
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
    h = (p << np.uint64(32)) | q
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


def parts(triangles: np.ndarray, vertex_count: int) -> tuple[np.ndarray, np.ndarray]:
    """Parts that are connected by shared vertices: the first triangle of each (parts,), the part of each triangle
    (m,)."""
    parent = np.arange(vertex_count, dtype=np.int32)
    join_parts(triangles, parent)
    part = parent[triangles[:, 0]]
    while not np.array_equal(part, parent[part]):
        part = parent[part]
    return np.unique(part, return_index=True, return_inverse=True)[1:]


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
