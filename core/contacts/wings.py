# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangles at an edge: its wings. Looked up only for the few edges that a verdict hangs on."""
from typing import NamedTuple

import numpy as np

from ..jit import kernel


class Wings(NamedTuple):
    """Third vertices of all triangles at some edges. Vertices are numbered through all meshes."""

    key: np.ndarray         # (edges,) int64, sorted: lower vertex · vertex count + higher vertex
    start: np.ndarray       # (edges+1,) int64 into third
    third: np.ndarray       # (wings,) int64


def wings_at(needed: np.ndarray, meshes, count: np.int64) -> Wings:
    """The wings of every edge of the needed triangles.

    needed: (k,3) int64 vertices of triangles; meshes: list of ((m,3) int32 triangles, number of their first vertex),
    all meshes that the needed triangles belong to; count: number of vertices of all of them.
    """
    ends = np.sort(np.concatenate([needed[:, [0, 1]], needed[:, [1, 2]], needed[:, [2, 0]]]), axis=1)
    key = np.unique(ends[:, 0] * count + ends[:, 1])
    number = np.zeros(len(key) + 1, np.int64)
    nothing = np.empty(0, np.int64)
    for triangles, first in meshes:
        gather_wings(triangles, first, count, key, number, nothing)
    start = np.concatenate([[0], np.cumsum(number[:-1])])
    third = np.empty(start[-1], np.int64)
    place = start.copy()
    for triangles, first in meshes:
        gather_wings(triangles, first, count, key, place, third)
    return Wings(key, start, third)


@kernel
def gather_wings(triangles, first, count, key, place, third):
    """Count, scan, fill: advance place[edge] for each wing, and write the wing there where `third` has room."""
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = first + triangles[t, i]
            q = first + triangles[t, (i + 1) % 3]
            edge = find_edge(key, min(p, q) * count + max(p, q))
            if edge >= 0:
                if third.shape[0] > 0:
                    third[place[edge]] = first + triangles[t, (i + 2) % 3]
                place[edge] += 1


@kernel
def find_edge(key, wanted):
    """Row of the key, -1 where it is not there."""
    low = 0
    high = key.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if key[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < key.shape[0] and key[low] == wanted else -1
