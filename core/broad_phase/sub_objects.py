# SPDX-License-Identifier: GPL-3.0-or-later
"""Large objects in parts (TSGO 2017, §2.3): the subtrees of an OBB tree that are about as large as a cell.

A part stands for all triangles of its node, and the parts of an object for all of its triangles: going down from the
root, a node is cut off where its box has no edge as long as a cell's, or where it is a leaf.
"""
import numpy as np

from ..machine_code.jit import kernel


def root_edges(trees) -> np.ndarray:
    """(n,) float64: the longest edge of each object's root box in the world."""
    with np.errstate(over="ignore"):
        return 2.0 * np.ldexp(trees.size * trees.half[trees.root].max(axis=1) + trees.margin, -trees.shift)


def parts_of(trees, obj: int, edge: float) -> np.ndarray:
    """(k,) int32: nodes of an object's tree, each either a leaf or with all edges of its world box shorter than `edge`.
    """
    limit = (np.ldexp(0.5 * edge, trees.shift) - trees.margin[obj]) / trees.size[obj]      # in the tree's own unit
    root = trees.root[obj]
    nodes = np.empty(trees.count[root], np.int32)       # as many as triangles, at most
    return nodes[:cut_off(root, trees.left, trees.right, trees.half, float(limit), nodes)]


@kernel
def cut_off(root, left, right, half, limit, nodes):
    """Fill nodes from its beginning with those cut off, returns their number; nodes that wait stand at its end. Those
    at both ends have no triangle in common, so that room for as many as triangles is enough."""
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
