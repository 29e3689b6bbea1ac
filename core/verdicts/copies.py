# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact copies: objects with the same triangles at the same place, closed or not.

A triangle is the set of its corners, and a surface is the collection of its triangles, in any order. So it does not
matter how vertices and triangles are numbered and turned, and with which poses the objects came to lie on each other.
"""
from hashlib import blake2b

import numpy as np

from ..codes import CLEAR
from ..geometry.placed import placed_vertices
from ..pair_table import PairTable
from ..scene import Scene
from ..scene.select import Selection

SAME_BOX = 1e-9     # of its size: boxes of copies that got there with different poses differ by roundings
FEW_ROWS = 4        # are compared one by one in less time than numpy takes to be asked


def exact_copies(scene: Scene, selection: Selection, table: PairTable) -> dict[str, np.ndarray]:
    """The column `copy`, (pairs,) bool: the two objects are copies of each other. {} where none are.

    Triangles are compared of pairs only that meet and have the same box: of few.
    """
    rows = (table.verdict != CLEAR).nonzero()[0]
    if len(rows):
        rows = _same_boxes(selection.bounds, table, rows)
    if len(rows) == 0:
        return {}
    first = np.arange(len(selection.objects)) if table.twin_of is None else table.twin_of
    pairs = list(zip(first[table.a[rows]].tolist(), first[table.b[rows]].tolist()))
    digests = {i: _digest(scene, selection.objects[i]) for i in {i for a, b in pairs if a != b for i in (a, b)}}
    same = [a == b or digests[a] == digests[b] for a, b in pairs]
    copy = np.zeros(len(table), bool)
    copy[rows] = same
    return {"copy": copy} if any(same) else {}


def _same_boxes(bounds: np.ndarray, table: PairTable, rows: np.ndarray) -> np.ndarray:
    """Those rows of the table, (k,) int64, whose two objects have the same box. bounds: (n,6) float64."""
    if len(rows) <= FEW_ROWS:
        a, b = bounds[table.a[rows]].tolist(), bounds[table.b[rows]].tolist()
        same = [all(abs(x - y) <= SAME_BOX * (abs(one[side - 3] - x) + abs(x))
                    for side, (x, y) in enumerate(zip(one, other))) for one, other in zip(a, b)]
        return rows[same] if any(same) else rows[:0]
    for side in range(6):
        here, opposite = bounds[:, side], bounds[:, side - 3]
        a = table.a[rows]
        x = here[a]
        rows = rows[abs(x - here[table.b[rows]]) <= SAME_BOX * (abs(opposite[a] - x) + abs(x))]
        if len(rows) == 0:
            break
    return rows


def _digest(scene: Scene, index: int) -> bytes:
    """The same bytes for objects with the same triangles in the world, and for no others."""
    mesh, pose = scene.meshes[scene.objects[index].mesh], scene.poses[index]
    world = placed_vertices(mesh.vertices, pose) + 0.0      # −0 is 0
    corners = world[mesh.triangles]
    order = np.lexsort(corners.transpose(2, 0, 1)[::-1], axis=-1)
    rows = np.take_along_axis(corners, order[..., None], axis=1).reshape(-1, 9)
    return blake2b(np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])]).data).digest()
