# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of a mesh that may meet a box. The rest need no tree."""
import numpy as np

from ..machine_code.jit import kernel
from ..trees.bounds import HIGH, bounds_of_points

MAX_SHARE = 0.5         # of a mesh's triangles that are worth being taken out of it


def near_parts(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]):
    """The triangles of two meshes that may meet the other mesh, judged by boxes; None where one mesh has none.

    For each mesh (vertices (n,3) float64, triangles (m,3) int32, their numbers (m,) int32 in the mesh, ascending). one,
    other: vertices and triangles of the meshes. What is left has a smaller box, so this is done again as long as it
    pays: of two links of a chain, little is left.
    """
    parts = [(*mesh, np.arange(len(mesh[1]), dtype=np.int32)) for mesh in (one, other)]
    boxes = [box_of(vertices) for vertices, _, _ in parts]
    shrinking = True
    while shrinking:
        shrinking = False
        for k in range(2):
            vertices, triangles, numbers = parts[k]
            rows = rows_within(vertices, triangles, boxes[1 - k])
            if len(rows) == 0:
                return None
            if len(rows) <= MAX_SHARE * len(triangles):
                vertices = vertices[triangles[rows]].reshape(-1, 3)
                triangles = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
                parts[k], boxes[k], shrinking = (vertices, triangles, numbers[rows]), box_of(vertices), True
    return parts


def box_of(vertices: np.ndarray) -> np.ndarray:
    """(6,) float64: lo x y z hi x y z of n ≥ 1 vertices (n,3) float64."""
    return np.array(bounds_of_points(vertices, 0, len(vertices)))


def rows_within(vertices: np.ndarray, triangles: np.ndarray, box: np.ndarray) -> np.ndarray:
    """(k,) int32, ascending: the triangles that may meet the box. The corners of the others are all beyond one side of
    it. vertices: (n,3) float64; triangles: (m,3) int32; box: (6,) float64."""
    code, rows = np.empty(len(vertices), np.uint8), np.empty(len(triangles), np.int32)
    beyond(vertices, box, code)
    return rows[:keep_rows(triangles, code, rows)]


@kernel
def beyond(vertices, box, code):
    """code[v] = the sides of the box that vertex v is beyond, a bit each. code: (n,) uint8."""
    for v in range(vertices.shape[0]):
        bits = 0
        for x in range(3):
            bits |= (vertices[v, x] < box[x]) << x
            bits |= (vertices[v, x] > box[HIGH + x]) << (HIGH + x)
        code[v] = bits


@kernel
def keep_rows(triangles, code, rows):
    """rows = the triangles whose corners are not all beyond one side; returns their number."""
    count = 0
    for t in range(triangles.shape[0]):
        rows[count] = t
        count += (code[triangles[t, 0]] & code[triangles[t, 1]] & code[triangles[t, 2]]) == 0
    return count
