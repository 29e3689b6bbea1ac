# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of a mesh in order, each with the triangles at it: its wings. Sorted by counting, in linear time."""
import numpy as np

from ..arrays import starts_of
from ..machine_code.jit import kernel
from ..records import MeshEdges

HIGH_END, THIRD, DIRECTION_COLUMN = range(3)    # columns of MeshEdges.wings


def edges_of(triangles: np.ndarray, count: int) -> MeshEdges:
    """The edges of triangles (m,3) int32 of the vertices 0 … count-1."""
    start = np.zeros(count + 1, np.int64)
    wings = np.empty((3 * len(triangles), 3), np.int32)
    number = sort_edges(triangles, start, np.zeros(count + 1, np.int64), np.empty((3 * len(triangles), 4), np.int32),
                        wings)
    return MeshEdges(start, wings[:number])


def join_edges(each: list[MeshEdges]) -> MeshEdges:
    """The edges of several meshes, whose vertices are numbered one mesh after another."""
    first_vertex = starts_of([len(edges.start) - 1 for edges in each])
    first_wing = starts_of([len(edges.wings) for edges in each])
    wings = np.concatenate([edges.wings for edges in each])
    wings[:, [HIGH_END, THIRD]] += np.repeat(first_vertex[:-1], np.diff(first_wing)).astype(np.int32)[:, None]
    start = [edges.start[:-1] + first for edges, first in zip(each, first_wing)]
    return MeshEdges(np.concatenate([*start, first_wing[-1:]]), wings)


@kernel
def sort_edges(triangles, start, row_of, by_high, wings):
    """Write `start` and `wings` of MeshEdges; returns the number of wings.

    start, row_of: (count+1,) int64, zero; by_high: (3m,4) int32; row_of and by_high are scratch.
    """
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = triangles[t, i]
            q = triangles[t, (i + 1) % 3]
            if p != q:
                row_of[max(p, q) + 1] += 1
                start[min(p, q) + 1] += 1
    for vertex in range(start.shape[0] - 1):
        row_of[vertex + 1] += row_of[vertex]
        start[vertex + 1] += start[vertex]
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = triangles[t, i]
            q = triangles[t, (i + 1) % 3]
            if p != q:
                row = row_of[max(p, q)]
                row_of[max(p, q)] += 1
                by_high[row, 0] = min(p, q)
                by_high[row, 1] = max(p, q)
                by_high[row, 2] = triangles[t, (i + 2) % 3]
                by_high[row, 3] = 1 if p < q else -1
    number = start[start.shape[0] - 1]
    for vertex in range(start.shape[0]):
        row_of[vertex] = start[vertex]
    for k in range(number):
        row = row_of[by_high[k, 0]]
        row_of[by_high[k, 0]] += 1
        for column in range(3):
            wings[row, column] = by_high[k, column + 1]
    return number


@kernel
def wings_at(edges, p, q):
    """(first, end): the rows in `wings` of the triangles at the edge of two vertices. edges: MeshEdges."""
    start = edges.start
    wings = edges.wings
    low = min(p, q)
    high = max(p, q)
    first = start[low]
    last = start[low + 1]
    while first < last:
        middle = (first + last) >> 1
        if wings[middle, HIGH_END] < high:
            first = middle + 1
        else:
            last = middle
    while last < start[low + 1] and wings[last, HIGH_END] == high:
        last += 1
    return first, last
