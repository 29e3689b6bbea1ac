# SPDX-License-Identifier: GPL-3.0-or-later
"""Down one moving tree against itself, to the pairs of triangles whose boxes overlap at some time.

A task is (row, code of a node, code of a node); one whose nodes are the same compares the children of a node with each
other, as descend_within.py does at one time.
"""
import numpy as np

from ..continuous.moving_boxes import entries_16, sweeps_overlap_16
from ..machine_code.jit import kernel, unsigned
from ..mid_phase.descend import add_candidates, folded
from ..trees.bvh.node_overlap import lowest_bit
from ..trees.bvh.nodes import CHILD_PAIRS, EMPTY, is_leaf, node_of
from .descend_within import CHILDREN, UPPER

MOST_NEW_TASKS = CHILDREN + CHILD_PAIRS    # most tasks that one task gives


@kernel
def descend_moving(objects, swept, grow, until, tasks, depth, max_tasks, candidates, entries, stats):
    """Work off at most `max_tasks` of tasks[:depth], the last one first, until one of the arrays is nearly full;
    returns (depth, number of candidates).

    objects: (k,) int32, of each row; swept: SweptTrees; grow: (k,) float32, how far apart boxes of each may be, in
    their numbers; until: (k,) float32, a share of the time: what comes together later is left out; tasks:
    (≥ depth + MOST_NEW_TASKS, 3) int32; candidates: (…,3) int32 rows of row, slot, slot; entries: (16,) float32,
    scratch; stats: (1,) int64, counts the tasks.
    """
    trees = swept.before
    boxes = trees.boxes
    children = trees.children
    count = 0
    limit = candidates.shape[0] - CHILD_PAIRS
    capacity = tasks.shape[0] - MOST_NEW_TASKS
    while depth > 0 and count <= limit and depth <= capacity and max_tasks > 0:
        depth -= 1
        max_tasks -= 1
        stats[0] += 1
        top = unsigned(depth)
        row = tasks[top, 0]
        i = np.int64(tasks[top, 1])
        j = np.int64(tasks[top, 2])
        obj = np.int64(objects[row])
        node_a = node_of(i)
        node_b = node_of(j)
        row_a = unsigned(trees.node_start[obj] + node_a)
        row_b = unsigned(trees.node_start[obj] + node_b)
        first = trees.box_start[obj]
        last = swept.after.box_start[obj]
        mask = sweeps_overlap_16(boxes, first + node_a, last + node_a, first + node_b, last + node_b, grow[row])
        if i == j:
            mask = np.uint32(mask & UPPER)
        if mask != 0:
            mask = np.uint32(mask & entries_16(boxes, first + node_a, last + node_a, first + node_b, last + node_b,
                                               grow[row], until[row], entries))
        if is_leaf(i) and is_leaf(j):
            count = add_candidates(row, row_a, row_b, mask, children, candidates, count)
            continue
        if i == j:
            for p in range(CHILDREN):
                if children[row_a, p] != EMPTY:
                    depth = _push(tasks, depth, row, children[row_a, p], children[row_a, p])
        mask = folded(mask, is_leaf(i), is_leaf(j))
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            one = np.int32(i) if is_leaf(i) else children[row_a, unsigned(k >> 2)]
            other = np.int32(j) if is_leaf(j) else children[row_b, unsigned(k & 3)]
            depth = _push(tasks, depth, row, one, other)
    return depth, count


@kernel
def _push(tasks, depth, row, one, other):
    to = unsigned(depth)
    tasks[to, 0] = row
    tasks[to, 1] = one
    tasks[to, 2] = other
    return depth + 1
