# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of a mesh in order, each with the triangles at it: its wings. Sorted by counting, in linear time."""
from typing import NamedTuple

import numpy as np

from ..machine_code.jit import kernel

HIGH, THIRD, TURN = range(3)        # columns of Edges.wings


class Edges(NamedTuple):
    """One row per side of a triangle whose ends differ, ordered by its ends. Vertices are those of the mesh."""

    start: np.ndarray       # (vertices+1,) int64: where the edges begin whose lower end is this vertex
    wings: np.ndarray       # (k,3) int32: higher end, third corner, 1 where the triangle runs up the edge or -1


def edges_of(triangles: np.ndarray, count: int) -> Edges:
    """triangles: (m,3) int32, of vertices 0 … count-1."""
    start = np.zeros(count + 1, np.int64)
    wings = np.empty((3 * len(triangles), 3), np.int32)
    number = sort_edges(triangles, start, np.zeros(count + 1, np.int64), np.empty((3 * len(triangles), 4), np.int32),
                        wings)
    return Edges(start, wings[:number])


def join_edges(each: list[Edges]) -> Edges:
    """Edges of several meshes, whose vertices are numbered one mesh after the other."""
    first_vertex = np.cumsum([0] + [len(edges.start) - 1 for edges in each])
    first_wing = np.cumsum([0] + [len(edges.wings) for edges in each])
    wings = np.concatenate([edges.wings for edges in each])
    wings[:, [HIGH, THIRD]] += np.repeat(first_vertex[:-1], np.diff(first_wing)).astype(np.int32)[:, None]
    start = [edges.start[:-1] + first for edges, first in zip(each, first_wing)]
    return Edges(np.concatenate([*start, first_wing[-1:]]), wings)


@kernel
def sort_edges(triangles, start, place, by_high, wings):
    """Fill `start` and `wings` of Edges; returns the number of wings. start, place: (count+1,) int64, zero; by_high
    (3m,4) int32: scratch."""
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = triangles[t, i]
            q = triangles[t, (i + 1) % 3]
            if p != q:
                place[max(p, q) + 1] += 1
                start[min(p, q) + 1] += 1
    for vertex in range(start.shape[0] - 1):
        place[vertex + 1] += place[vertex]
        start[vertex + 1] += start[vertex]
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = triangles[t, i]
            q = triangles[t, (i + 1) % 3]
            if p != q:
                row = place[max(p, q)]
                place[max(p, q)] += 1
                by_high[row, 0] = min(p, q)
                by_high[row, 1] = max(p, q)
                by_high[row, 2] = triangles[t, (i + 2) % 3]
                by_high[row, 3] = 1 if p < q else -1
    number = start[start.shape[0] - 1]
    for vertex in range(start.shape[0]):
        place[vertex] = start[vertex]
    for k in range(number):
        row = place[by_high[k, 0]]
        place[by_high[k, 0]] += 1
        for column in range(3):
            wings[row, column] = by_high[k, column + 1]
    return number


@kernel
def wings_at(start, wings, p, q):
    """(first, end): rows in `wings` of the triangles at the edge of two vertices."""
    low = min(p, q)
    high = max(p, q)
    first = start[low]
    last = start[low + 1]
    while first < last:
        middle = (first + last) >> 1
        if wings[middle, HIGH] < high:
            first = middle + 1
        else:
            last = middle
    while last < start[low + 1] and wings[last, HIGH] == high:
        last += 1
    return first, last
