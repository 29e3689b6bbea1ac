# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles cut finer where their edges ask for it, without gaps between neighbours. Nothing here knows Blender."""
import numpy as np


def edges_of(triangles: np.ndarray, vertex_count: int) -> tuple[np.ndarray, np.ndarray]:
    """(ends (e,2), edge_of (m,3)), int64: the edges of triangles (m,3), each once, and which one leads from corner k to
    the next one."""
    ends = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).astype(np.int64), axis=2)
    codes, edge_of = np.unique(ends[:, :, 0] * vertex_count + ends[:, :, 1], return_inverse=True)
    return np.stack(np.divmod(codes, max(vertex_count, 1)), axis=1), edge_of.reshape(triangles.shape)


def cut(triangles: np.ndarray, edge_of: np.ndarray, middle: np.ndarray, vertices: np.ndarray) -> np.ndarray:
    """(n,3) int32: triangles that take the place of (m,3), each cut at the middles of its marked edges.

    edge_of: as `edges_of` gives it. middle: (e,) int64, the number of the vertex in the middle of an edge, -1 where the
    edge is not marked. vertices: (v,3), with the new ones: of the two ways to cut a quadrilateral the shorter is taken.
    Neighbours see the same middles, so no gap opens.
    """
    found = middle[edge_of]
    marked = (found >= 0).sum(axis=1)
    parts = [triangles[marked == 0].astype(np.int64)]
    for count, first_side in ((1, found >= 0), (2, found < 0)):     # the marked side first; the side that is not, last
        rows = np.flatnonzero(marked == count)
        turn = (np.argmax(first_side[rows], axis=1) + (count == 2)) % 3
        columns = (turn[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(triangles[rows].astype(np.int64), columns, axis=1).T
        p, q, _ = np.take_along_axis(found[rows], columns, axis=1).T
        if count == 1:
            parts += [np.stack((a, p, c), axis=1), np.stack((p, b, c), axis=1)]
            continue
        parts.append(np.stack((p, b, q), axis=1))
        across = (np.linalg.norm(vertices[a] - vertices[q], axis=1)
                  <= np.linalg.norm(vertices[p] - vertices[c], axis=1))[:, None]
        parts += [np.where(across, np.stack((a, p, q), axis=1), np.stack((a, p, c), axis=1)),
                  np.where(across, np.stack((a, q, c), axis=1), np.stack((p, q, c), axis=1))]
    rows = np.flatnonzero(marked == 3)
    (a, b, c), (p, q, r) = triangles[rows].astype(np.int64).T, found[rows].T
    parts += [np.stack(corners, axis=1) for corners in ((a, p, r), (p, b, q), (r, q, c), (p, q, r))]
    return np.concatenate(parts).astype(np.int32)
