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
from ..scene.twins import MIXED

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
    same = np.arange(len(a))
    for summary in (_sum, _digest):     # a sum takes a tenth of the time, and parts nearly all that are not the same
        used, number = np.unique(np.concatenate([a[same], b[same]]), return_inverse=True)
        known: dict[int | bytes, int] = {}
        kind = np.empty(len(used), np.int64)
        for place, position in enumerate(used.tolist()):
            tick()
            kind[place] = known.setdefault(summary(scene, objects[position]), place)
        of_a, of_b = kind[number.reshape(2, -1)]
        same = same[of_a == of_b]
    answer = np.zeros(len(a), bool)
    answer[same] = True
    return answer


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


def _sum(scene: Scene, index: int) -> int:
    """The same number for objects with the same triangles in the world, and for hardly any others: a sum over the
    triangles, of sums over their corners."""
    world, triangles = _placed(scene, index)
    corners = _stirred(world.view(np.int64) @ MIXED[:3]).take(triangles)
    return int(_stirred(corners[:, 0] + corners[:, 1] + corners[:, 2]).sum())


def _stirred(numbers: np.ndarray) -> np.ndarray:
    """Numbers whose sums tell the given ones apart where their own sums do not. (n,) int64, which overflow."""
    return (numbers ^ (numbers >> 32)) * MIXED[3]


def _placed(scene: Scene, index: int) -> tuple[np.ndarray, np.ndarray]:
    """The vertices of an object in the world, in which no zero is negative, and its triangles."""
    mesh = scene.meshes[scene.layout.mesh[index]]
    return np.ascontiguousarray(placed_vertices(mesh.vertices, scene.poses[index]) + 0.0), mesh.triangles


def _digest(scene: Scene, index: int) -> bytes:
    """The same bytes for objects with the same triangles in the world, and for no others."""
    world, triangles = _placed(scene, index)
    corners = world[triangles]
    order = np.lexsort(corners.transpose(2, 0, 1)[::-1], axis=-1)
    rows = np.take_along_axis(corners, order[..., None], axis=1).reshape(-1, 9)
    return blake2b(np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])]).data).digest()
