# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact copies: objects with the same triangles at the same place, closed or not.

A triangle is the set of its corners, and a surface is the collection of its triangles, in any order. So it does not
matter how vertices and triangles are numbered and turned, and with which poses the objects came to lie on each other.
"""
from collections.abc import Callable
from hashlib import blake2b

import numpy as np

from ..codes import CLEAR
from ..geometry.placed import placed_vertices
from ..pair_table import PairTable
from ..scene import Scene
from ..scene.select import Selection

SAME_BOX = 1e-9     # of its size: boxes of copies that got there with different poses differ by roundings
FEW_ROWS = 4        # are compared one by one in less time than numpy takes to be asked


def exact_copies(scene: Scene, selection: Selection, table: PairTable,
                 tick: Callable[[], None] = lambda: None) -> dict[str, np.ndarray]:
    """The column `copy`, (pairs,) bool: the two objects are copies of each other. {} where none are.

    Triangles are compared of pairs only that meet and have the same box: of few. tick(): may raise Cancelled.
    """
    rows = (table.verdict != CLEAR).nonzero()[0]
    if len(rows):
        rows = _same_boxes(selection.bounds, table, rows, tick)
    if len(rows) == 0:
        return {}
    a, b = table.a[rows], table.b[rows]
    if table.twin_of is not None:
        tick()
        a, b = table.twin_of[a], table.twin_of[b]
    same = a == b
    others = (~same).nonzero()[0]
    if len(others):
        same[others] = _same_triangles(scene, selection.objects, a[others], b[others], tick)
    copy = np.zeros(len(table), bool)
    copy[rows] = same
    return {"copy": copy} if same.any() else {}


def _same_triangles(scene: Scene, objects: np.ndarray, a: np.ndarray, b: np.ndarray,
                    tick: Callable[[], None]) -> np.ndarray:
    """(k,) bool: the objects at the positions a[i] and b[i] have the same triangles. objects: (n,) int32."""
    used, number = np.unique(np.concatenate([a, b]), return_inverse=True)
    known: dict[bytes, int] = {}
    kind = np.empty(len(used), np.int64)
    for place, position in enumerate(used.tolist()):
        tick()
        kind[place] = known.setdefault(_digest(scene, objects[position]), place)
    number = kind[number.reshape(-1)]
    return number[:len(a)] == number[len(a):]


def _same_boxes(bounds: np.ndarray, table: PairTable, rows: np.ndarray, tick: Callable[[], None]) -> np.ndarray:
    """Those rows of the table, (k,) int64, whose two objects have the same box. bounds: (n,6) float64."""
    if len(rows) <= FEW_ROWS:
        a, b = bounds[table.a[rows]].tolist(), bounds[table.b[rows]].tolist()
        same = [all(abs(x - y) <= SAME_BOX * (abs(one[side - 3] - x) + abs(x))
                    for side, (x, y) in enumerate(zip(one, other))) for one, other in zip(a, b)]
        return rows[same] if any(same) else rows[:0]
    for side in range(6):
        tick()
        here, opposite = bounds[:, side], bounds[:, side - 3]
        a = table.a[rows]
        x = here[a]
        rows = rows[abs(x - here[table.b[rows]]) <= SAME_BOX * (abs(opposite[a] - x) + abs(x))]
        if len(rows) == 0:
            break
    return rows


def _digest(scene: Scene, index: int) -> bytes:
    """The same bytes for objects with the same triangles in the world, and for no others."""
    mesh, pose = scene.meshes[scene.layout.mesh[index]], scene.poses[index]
    world = placed_vertices(mesh.vertices, pose) + 0.0      # −0 is 0
    corners = world[mesh.triangles]
    order = np.lexsort(corners.transpose(2, 0, 1)[::-1], axis=-1)
    rows = np.take_along_axis(corners, order[..., None], axis=1).reshape(-1, 9)
    return blake2b(np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])]).data).digest()
