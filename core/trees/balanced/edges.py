# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of meshes, each once, with the triangles that they belong to, in the order of a tree's leaves."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import starts_of
from ...radix_sort import order_of
from ...records import EdgeArrays


@dataclass(frozen=True, eq=False)
class EdgeSet:
    """The edges of one mesh of m triangles. Two triangles share an edge where they name the same two vertices.

    Every triangle has three sides, even where their two ends are one vertex.
    """

    ends: np.ndarray            # (edges,2) int32, vertices of the mesh
    owner_start: np.ndarray     # (edges + 1,) int64, first row of `owners`
    owners: np.ndarray          # (3m,) int32: 3·t + k, the edge being side k of triangle t, from corner k to k + 1
    sides: np.ndarray           # (3m,) int32: the edge that is side k of triangle t, in row 3·t + k
    first_edge: np.ndarray      # (m + 1,) int32: edges first_edge[s] … first_edge[s + 1] - 1 occur first in slot s


def edge_set(triangles: np.ndarray, slots: np.ndarray, pause: Callable[[], None] = lambda: None) -> EdgeSet:
    """The edges of a mesh, ordered by the first slot that they occur in.

    The triangles of a node are neighbours in `slots`, so their edges are neighbours too, but for those that occur in an
    earlier slot. triangles: (m,3) int32, m ≥ 1; slots: (m,) int32, the triangles in the order of a tree's leaves;
    pause: called now and then, may raise.
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
    number[edge_of_first] = np.arange(len(first))           # of each edge, in the order of by_ends
    edge = np.empty(len(sides), np.int64)
    edge[by_ends] = number[np.cumsum(new) - 1]
    pause()
    rows = _order(edge.copy())
    pause()
    owners = (3 * slots.astype(np.int64)[rows // 3] + rows % 3).astype(np.int32)
    owner_start = np.concatenate([[0], np.cumsum(np.bincount(edge, minlength=len(first)))]).astype(np.int64)
    firsts = np.sort(first) // 3                            # the slot that each edge occurs in first, ascending
    first_edge = np.searchsorted(firsts, np.arange(len(slots) + 1)).astype(np.int32)
    of_side = np.empty(len(sides), np.int32)
    of_side[(3 * slots[:, None] + np.arange(3)).ravel()] = edge
    return EdgeSet(np.ascontiguousarray(sides[np.sort(first)]), owner_start, owners, of_side, first_edge)


def edge_arrays(sets: list[EdgeSet], mesh: np.ndarray) -> EdgeArrays:
    """The edges of all tested objects. sets: one per mesh; mesh: (n,) int64, the set of each object."""
    counts = np.array([len(each.ends) for each in sets], np.int64)
    owners = starts_of([len(each.owners) for each in sets])
    return EdgeArrays(
        starts_of(counts)[mesh], counts[mesh], np.concatenate([each.ends for each in sets]),
        np.concatenate([*(each.owner_start[:-1] + start for each, start in zip(sets, owners)), owners[-1:]]),
        np.concatenate([each.owners for each in sets]), np.concatenate([each.sides for each in sets]),
        starts_of([len(each.first_edge) for each in sets])[mesh], np.concatenate([each.first_edge for each in sets]))


def _order(keys: np.ndarray) -> np.ndarray:
    """(n,) int32: the stable order of whole numbers of zero and more."""
    rows = np.empty((2, len(keys)), np.int64)
    rows[0] = keys
    return order_of(rows, int(keys.max()).bit_length())
