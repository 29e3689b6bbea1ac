# SPDX-License-Identifier: GPL-3.0-or-later
"""A linear BVH against itself, each pair of triangles once.

To open a node is to compare its four children with each other. Two children whose boxes overlap are a task for
mid_phase/descend.py, as if they belonged to two trees. Each child that is an inner node or a leaf is opened later. So
every pair of triangles is met at the one node whose children part it.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..trees.bvh.node_overlap import lowest_bit, node_overlap_16
from ..trees.bvh.nodes import EMPTY, is_leaf, node_of

CHILDREN, PAIRS_OF_CHILDREN = 4, 6              # of a node
UPPER = np.uint32(0b0000_1000_1100_1110)        # bits 4·p + q of the mask with p < q


@kernel
def open_nodes(pairs, trees, nodes, depth, tasks, waiting, candidates):
    """Open the nodes in nodes[:depth], the last one first, until none is left or one of the arrays is full; returns
    (depth, waiting, number of candidates).

    pairs: ObjectPairs with a equal to b, whose nodes are dropped where it is done; trees: PlacedTrees. nodes:
    (≥ depth + CHILDREN, 2) int32, rows of pair, code of a node; tasks: (…,3) int32, of which `waiting` are there, as
    `descend` takes them; candidates: (…,3) int32 rows of pair, slot, slot.
    """
    count = 0
    while (depth > 0 and depth + CHILDREN <= nodes.shape[0] and waiting + PAIRS_OF_CHILDREN <= tasks.shape[0]
           and count + PAIRS_OF_CHILDREN <= candidates.shape[0]):
        depth -= 1
        pair = nodes[depth, 0]
        code = np.int64(nodes[depth, 1])
        if not pairs.done[pair]:
            depth, waiting, count = _open(trees, pairs.a[pair], pair, code, nodes, depth, tasks, waiting, candidates,
                                          count)
    return depth, waiting, count


@kernel
def divide_nodes(pairs, trees, nodes, tail, wanted, tasks, candidates):
    """Open nodes[:tail], first come, first served, until `wanted` nodes wait, a leaf comes or one of the arrays is
    full; returns (first waiting, tail, number of tasks). Arguments as for `open_nodes`.

    One big tree becomes many nodes and tasks that threads can share.
    """
    head = 0
    waiting = 0
    while (head < tail and tail - head < wanted and tail + CHILDREN <= nodes.shape[0]
           and waiting + PAIRS_OF_CHILDREN <= tasks.shape[0]):
        pair = nodes[head, 0]
        code = np.int64(nodes[head, 1])
        if is_leaf(code):
            break
        head += 1
        tail, waiting, _ = _open(trees, pairs.a[pair], pair, code, nodes, tail, tasks, waiting, candidates, 0)
    return head, tail, waiting


@kernel
def _open(trees, obj, pair, code, nodes, depth, tasks, waiting, candidates, count):
    """Open one node of an object; returns (depth, waiting, count)."""
    node = node_of(code)
    row = trees.node_start[obj] + node
    box = trees.box_start[obj] + node
    children = trees.children
    mask = node_overlap_16(trees.boxes, box, trees.boxes, box) & UPPER
    while mask != 0:
        k = lowest_bit(mask)
        mask &= mask - np.uint32(1)
        one = children[row, k >> 2]
        other = children[row, k & 3]
        if is_leaf(code):
            candidates[count, 0] = pair
            candidates[count, 1] = one
            candidates[count, 2] = other
            count += 1
        else:
            tasks[waiting, 0] = pair
            tasks[waiting, 1] = one
            tasks[waiting, 2] = other
            waiting += 1
    if not is_leaf(code):
        for p in range(CHILDREN):
            if children[row, p] != EMPTY:
                nodes[depth, 0] = pair
                nodes[depth, 1] = children[row, p]
                depth += 1
    return depth, waiting, count
