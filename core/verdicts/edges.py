# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of a mesh in order, each with the triangles at it: its wings. Sorted by counting, in linear time."""
from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import starts_of
from ..machine_code.jit import kernel
from ..records import MeshEdges

ROWS_PER_PIECE = 1 << 19        # that nobody minds waiting for
HIGH_END, THIRD, DIRECTION_COLUMN = range(3)    # columns of MeshEdges.wings


def edges_of(triangles: np.ndarray, count: int, tick=None) -> MeshEdges:
    """The edges of triangles (m,3) int32 of the vertices 0 … count-1. tick: called now and then where there are many;
    may raise."""
    start, row_of = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    by_high = np.empty((3 * len(triangles), 4), np.int32)
    for piece in _pieces(len(triangles), tick):
        count_ends(triangles[piece], start, row_of)
    add_up(start)
    add_up(row_of)
    for piece in _pieces(len(triangles), tick):
        sort_by_high_end(triangles[piece], row_of, by_high)
    number, wings = start[-1], np.empty((start[-1], 3), np.int32)
    row_of[:] = start
    for piece in _pieces(number, tick):
        sort_by_low_end(by_high[piece], row_of, wings)
    return MeshEdges(start, wings)


def _pieces(count: int, tick) -> Iterator[slice]:
    """Rows 0 … count-1 in pieces of some hundredths of a second."""
    for first in range(0, count, ROWS_PER_PIECE):
        if first and tick is not None:
            tick()
        yield slice(first, min(count, first + ROWS_PER_PIECE))


def join_edges(each: Sequence[MeshEdges], tick=None) -> MeshEdges:
    """The edges of several meshes, whose vertices are numbered one mesh after another. tick: called now and then where
    there are many, may raise."""
    first_vertex = starts_of([len(edges.start) - 1 for edges in each])
    first_wing = starts_of([len(edges.wings) for edges in each])
    wings = np.concatenate([edges.wings for edges in each])
    shift = np.repeat(first_vertex[:-1].astype(np.int32), np.diff(first_wing))
    for rows in _pieces(len(wings), tick):
        wings[rows, HIGH_END] += shift[rows]
        wings[rows, THIRD] += shift[rows]
    start = [edges.start[:-1] + first for edges, first in zip(each, first_wing)]
    return MeshEdges(np.concatenate([*start, first_wing[-1:]]), wings)


@kernel
def count_ends(triangles, start, row_of):
    """Count the edges of some triangles (m,3): those with the lower end v in start[v + 1], with the higher
    end v in row_of[v + 1]. start, row_of: (vertices + 1,) int64."""
    for t in range(triangles.shape[0]):
        for i in range(3):
            p = triangles[t, i]
            q = triangles[t, (i + 1) % 3]
            if p != q:
                row_of[max(p, q) + 1] += 1
                start[min(p, q) + 1] += 1


@kernel
def add_up(counts):
    """Replace each count by the sum of those up to it."""
    for vertex in range(counts.shape[0] - 1):
        counts[vertex + 1] += counts[vertex]


@kernel
def sort_by_high_end(triangles, row_of, by_high):
    """Write low end, high end, opposite corner and direction of the next triangles' edges, in the order of high ends.

    row_of: (vertices + 1,) int64, the next row of each high end; by_high: (edges,4) int32.
    """
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


@kernel
def sort_by_low_end(by_high, row_of, wings):
    """Write the wings of the next edges of `sort_by_high_end`, by their low ends. row_of: (vertices + 1,) int64, the
    next row of each low end; wings: (edges,3) int32."""
    for k in range(by_high.shape[0]):
        row = row_of[by_high[k, 0]]
        row_of[by_high[k, 0]] += 1
        for column in range(3):
            wings[row, column] = by_high[k, column + 1]


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
