# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of a mesh, each once, with the triangles that it belongs to, in the order of a tree's leaves."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...radix_sort import order_of


class EdgeSet(NamedTuple):
    """The edges of one mesh; two triangles share an edge where they name the same two vertices.

    Every triangle has three edges, with their own ends even where those are one vertex: nothing of it is left out.
    """

    ends: np.ndarray            # (edges,2) int32, vertices of the mesh
    owner_start: np.ndarray     # (edges+1,) int64, into
    owners: np.ndarray          # (3m,) int32: 3·triangle + k, the edge from corner k to corner k + 1 of it
    sides: np.ndarray           # (3m,) int32: the edge at place 3·triangle + k
    begin: np.ndarray           # (m+1,) int32: the edges begin[s] … begin[s+1]-1 belong to slot s and to none before


def edge_set(triangles: np.ndarray, slots: np.ndarray, pause: Callable[[], None] = lambda: None) -> EdgeSet:
    """triangles: (m,3) int32, m ≥ 1; slots: (m,) int32, the triangles in the order of a tree's leaves; pause: called
    now and then, may raise.

    An edge stands where the first slot names it, so that the triangles of a node, which are neighbours in `slots`,
    have neighbouring edges; those that an earlier slot also has stand there.
    """
    sides = triangles[slots][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    low, high = sides.min(axis=1).astype(np.int64), sides.max(axis=1).astype(np.int64)
    by_ends = _order(low * (int(high.max()) + 1) + high)
    pause()
    new = np.ones(len(sides), bool)
    new[1:] = (low[by_ends[1:]] != low[by_ends[:-1]]) | (high[by_ends[1:]] != high[by_ends[:-1]])
    first = by_ends[new]                                    # the sort is stable: the first row of each edge
    edge_of_first = _order(first.astype(np.int64))
    pause()
    number = np.empty(len(first), np.int64)
    number[edge_of_first] = np.arange(len(first))           # of each edge, by its place in by_ends
    edge = np.empty(len(sides), np.int64)
    edge[by_ends] = number[np.cumsum(new) - 1]
    pause()
    rows = _order(edge.copy())
    pause()
    owners = (3 * slots.astype(np.int64)[rows // 3] + rows % 3).astype(np.int32)
    owner_start = np.concatenate([[0], np.cumsum(np.bincount(edge, minlength=len(first)))]).astype(np.int64)
    firsts = np.sort(first) // 3                            # the slot that names each edge first, ascending
    begin = np.searchsorted(firsts, np.arange(len(slots) + 1)).astype(np.int32)
    of_side = np.empty(len(sides), np.int32)
    of_side[(3 * slots[:, None] + np.arange(3)).ravel()] = edge
    return EdgeSet(np.ascontiguousarray(sides[np.sort(first)]), owner_start, owners, of_side, begin)


def _order(keys: np.ndarray) -> np.ndarray:
    """(n,) int32: the stable order of whole numbers of zero and more."""
    rows = np.empty((2, len(keys)), np.int64)
    rows[0] = keys
    return order_of(rows, int(keys.max()).bit_length())
