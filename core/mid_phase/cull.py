# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangles of a mesh that are not all beyond one side of a box: a tree over the others would be for nothing."""
import numpy as np

from ..machine_code.jit import kernel

MOST = 0.5          # of a mesh's triangles are worth being taken out of it


def near_parts(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]):
    """Of two meshes the triangles that can meet the other one, judged by boxes: for each a triple of vertices (n,3)
    float64, triangles (m,3) int32 and their numbers (m,) int32 in the mesh, ascending; or None where one has none.

    What is left has a smaller box, so that this is done again as long as it pays: two links of a chain soon let go.
    """
    parts = [(*mesh, np.arange(len(mesh[1]), dtype=np.int32)) for mesh in (one, other)]
    boxes = [fit(vertices) for vertices, _, _ in parts]
    shrinking = True
    while shrinking:
        shrinking = False
        for k in range(2):
            vertices, triangles, numbers = parts[k]
            rows = rows_within(vertices, triangles, boxes[1 - k])
            if len(rows) == 0:
                return None
            if len(rows) <= MOST * len(triangles):
                vertices = vertices[triangles[rows]].reshape(-1, 3)
                triangles = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
                parts[k], boxes[k], shrinking = (vertices, triangles, numbers[rows]), fit(vertices), True
    return parts


def fit(vertices: np.ndarray) -> np.ndarray:
    """(6,) float64, lo x y z hi x y z of n ≥ 1 vertices (n,3) float64."""
    box = np.empty(6)
    fit_vertices(vertices, box)
    return box


def rows_within(vertices: np.ndarray, triangles: np.ndarray, box: np.ndarray) -> np.ndarray:
    """(k,) int32, ascending: triangles (m,3) int32 not all of whose corners are beyond one side of the box (6,)."""
    code, rows = np.empty(len(vertices), np.uint8), np.empty(len(triangles), np.int32)
    beyond(vertices, box, code)
    return rows[:keep_rows(triangles, code, rows)]


@kernel
def fit_vertices(vertices, box):
    for x in range(3):
        box[x] = vertices[0, x]
        box[3 + x] = vertices[0, x]
    for v in range(vertices.shape[0]):
        for x in range(3):
            box[x] = min(box[x], vertices[v, x])
            box[3 + x] = max(box[3 + x], vertices[v, x])


@kernel
def beyond(vertices, box, code):
    """Bits of code[v] (n,) uint8: the sides of the box that the vertex is beyond."""
    for v in range(vertices.shape[0]):
        bits = 0
        for x in range(3):
            bits |= (vertices[v, x] < box[x]) << x
            bits |= (vertices[v, x] > box[3 + x]) << (3 + x)
        code[v] = bits


@kernel
def keep_rows(triangles, code, rows):
    """Write the triangles not all of whose corners are beyond one side; returns their number."""
    count = 0
    for t in range(triangles.shape[0]):
        rows[count] = t
        count += (code[triangles[t, 0]] & code[triangles[t, 1]] & code[triangles[t, 2]]) == 0
    return count
