# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects as sub-objects (TSGO 2017, §2.3): subtrees of their OBB trees that are about as large as a cell.

On the way down from the root, a node is cut off where its box has no edge as long as a cell's, or where it is a leaf. A
sub-object stands for all triangles of its node, and together they stand for all triangles of the object.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..trees.obb.trees import ObbTrees


def root_edges(trees: ObbTrees) -> np.ndarray:
    """(n,) float64: the longest edge of each object's root box in the world."""
    with np.errstate(over="ignore"):
        return 2.0 * np.ldexp(trees.size * trees.half[trees.root].max(axis=1) + trees.margin, -trees.shift)


def sub_objects(trees: ObbTrees, obj: int, edge: float) -> np.ndarray:
    """(k,) int32: nodes of an object's tree, each either a leaf or with all edges of its world box shorter than `edge`.
    """
    limit = (np.ldexp(0.5 * edge, trees.shift) - trees.margin[obj]) / trees.size[obj]      # in the tree's own unit
    root = trees.root[obj]
    nodes = np.empty(trees.count[root], np.int32)       # as many as triangles, at most
    return nodes[:cut_off(root, trees.left, trees.right, trees.half, float(limit), nodes)]


@kernel
def cut_off(root, left, right, half, limit, nodes):
    """nodes = those cut off; returns their number. limit: no half size is as long, in the tree's own unit.

    Nodes that wait stand at the end of the array. Those at both ends have no triangle in common, so that an array as
    long as there are triangles is enough.
    """
    count = 0
    waiting = nodes.shape[0] - 1
    nodes[waiting] = root
    while waiting < nodes.shape[0]:
        node = nodes[waiting]
        longest = max(half[node, 0], max(half[node, 1], half[node, 2]))
        if longest < limit or left[node] < 0:
            nodes[count] = node
            count += 1
            waiting += 1
        else:
            nodes[waiting] = left[node]
            waiting -= 1
            nodes[waiting] = right[node]
    return count
