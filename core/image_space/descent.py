# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees of convex pieces, breadth first: pairs of pieces whose boxes meet, and pictures of these."""
from collections.abc import Callable

import numpy as np

from ..machine_code.jit import kernel
from ..mid_phase.obb_overlap import separating_axis
from ..trees.obb.nodes import HALF_AT
from .pictures import meet
from .placed_pieces import PlacedHulls
from .port import Raster

NODE_PAIRS_AT_ONCE = 1 << 14    # pairs of nodes that are looked at before somebody asks whether a run is cancelled


def pictured(hulls: PlacedHulls, a: np.ndarray, b: np.ndarray, raster: Raster, side: int, hand_over: Callable,
             tick: Callable[[], None], found: np.ndarray) -> int:
    """Set found[i], bool, where the pictures say that objects a[i] and b[i] meet. Returns how many pairs of pieces were
    drawn. tick(): called now and then, may raise."""
    drawn = 0
    trees = hulls.trees
    rows = np.flatnonzero((trees.root[a] >= 0) & (trees.root[b] >= 0))
    waiting = [np.stack([rows, trees.root[a[rows]], trees.root[b[rows]]], axis=1)]
    while waiting:
        tick()
        tasks = waiting.pop()
        tasks = tasks[~found[tasks[:, 0]]]
        if len(tasks) > NODE_PAIRS_AT_ONCE:
            waiting += [tasks[NODE_PAIRS_AT_ONCE:]]
            tasks = tasks[:NODE_PAIRS_AT_ONCE]
        following, leaves = np.empty((2 * len(tasks), 3), np.int64), np.empty((len(tasks), 3), np.int64)
        count, number = descend(tasks, trees, np.empty((4, 3)), following, leaves)
        if count:
            waiting.append(following[:count])
        drawn += _draw(hulls, leaves[:number], raster, side, hand_over, tick, found)
    return drawn


def _draw(hulls: PlacedHulls, leaves: np.ndarray, raster: Raster, side: int, hand_over: Callable,
          tick: Callable[[], None], found: np.ndarray) -> int:
    """Ask about pairs of pieces, (k,3) int64 rows of pair of objects, piece, piece: of each pair of objects one after
    the other, until one of them meets. Returns how many were drawn."""
    leaves = leaves[np.argsort(leaves[:, 0], kind="stable")]
    first = np.searchsorted(leaves[:, 0], leaves[:, 0])
    leaves = leaves[np.argsort(np.arange(len(leaves)) - first, kind="stable")]
    drawn = 0
    while len(leaves):
        tick()
        some, leaves = leaves[:raster.cells(side)], leaves[raster.cells(side):]
        hits = meet(hulls.pieces, some[:, 1], some[:, 2], raster, side, hand_over)
        drawn += len(some)
        found[some[hits, 0]] = True
        leaves = leaves[~found[leaves[:, 0]]]
    return drawn


@kernel
def descend(tasks, trees, cosines, following, leaves):
    """One level down: returns (count, number), the rows written to `following`, pairs of nodes, and to `leaves`, pairs
    of pieces. tasks: (k,3) int64 rows of pair of objects, node, node. cosines: scratch of `separating_axis`."""
    count = 0
    number = 0
    for k in range(tasks.shape[0]):
        i = tasks[k, 1]
        j = tasks[k, 2]
        if separating_axis(trees.boxes[i], trees.boxes[j], cosines) != 0:
            continue
        leaf_i = trees.children[i, 1] < 0
        leaf_j = trees.children[j, 1] < 0
        if leaf_i and leaf_j:
            leaves[number, 0] = tasks[k, 0]
            leaves[number, 1] = trees.children[i, 0]
            leaves[number, 2] = trees.children[j, 0]
            number += 1
            continue
        divide_i = leaf_j or (not leaf_i and half_sizes(trees, i) >= half_sizes(trees, j))
        for side in range(2):
            following[count, 0] = tasks[k, 0]
            following[count, 1] = trees.children[i, side] if divide_i else i
            following[count, 2] = j if divide_i else trees.children[j, side]
            count += 1
    return count, number


@kernel
def half_sizes(trees, node):
    """The sum of half the sizes of a box."""
    return trees.boxes[node, HALF_AT] + trees.boxes[node, HALF_AT + 1] + trees.boxes[node, HALF_AT + 2]
