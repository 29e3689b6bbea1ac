# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two linear BVHs at once, to the pairs of triangles whose boxes overlap.

A task is (pair of objects, code of a node of a, code of a node of b); trees/bvh/nodes.py explains codes. The kernel
stops when the output is nearly full or when it has worked off `max_tasks`, and can be called again. So memory stays
bounded however many candidates there are, and between two calls the run can be cancelled or the rest shared with other
threads.
"""
import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..machine_code.prefetch import prefetch
from ..trees.bvh.node_overlap import MASK_COLUMN, MASK_ROW, lowest_bit, node_overlap_16
from ..trees.bvh.nodes import CHILD_PAIRS, NODE_FLOATS, is_leaf, node_of
from .thin_objects import beside_cores, cores_help, cores_part

MAX_TASKS_PER_CALL = 1 << 16    # of the kernel: some milliseconds


@kernel
def add_candidates(pair, row_a, row_b, mask, children, candidates, count):
    """The new number of candidates, with the triangles of two leaf nodes whose bits are set. row_a, row_b: of the nodes
    in `children`."""
    while mask != 0:
        k = lowest_bit(mask)
        mask &= mask - np.uint32(1)
        to = unsigned(count)
        candidates[to, 0] = pair
        candidates[to, 1] = children[row_a, unsigned(k >> 2)]
        candidates[to, 2] = children[row_b, unsigned(k & 3)]
        count += 1
    return count


@kernel
def folded(mask, leaf_a, leaf_b):
    """The bits of the tasks below a task. A leaf waits whole while the other side descends: once for each child that it
    overlaps."""
    if leaf_a:
        mask |= mask >> np.uint32(8)
        mask = (mask | mask >> np.uint32(4)) & MASK_ROW
    elif leaf_b:
        mask |= mask >> np.uint32(2)
        mask = (mask | mask >> np.uint32(1)) & MASK_COLUMN
    return mask


@kernel
def descend(pairs, trees, thin, stack, depth, max_tasks, candidates, stats):
    """Work off at most `max_tasks` of the tasks in stack[:depth]; returns (depth, number of candidates).

    pairs: ObjectPairs, whose tasks are dropped where it is done; trees: PlacedTrees; thin: ThinObjects. stack: (≥ depth
    + CHILD_PAIRS, 3) int32; candidates: (…,3) int32 rows of pair, slot of a, slot of b; stats: (1,) int64, counts the
    tasks.
    """
    object_a, object_b, done = pairs.a, pairs.b, pairs.done
    node_start = trees.node_start
    box_start = trees.box_start
    children = trees.children
    boxes = trees.boxes
    count = 0
    limit = candidates.shape[0] - CHILD_PAIRS
    capacity = stack.shape[0] - CHILD_PAIRS
    tasks = 0
    current = -1
    nodes_a = nodes_b = boxes_a = boxes_b = np.int64(0)
    is_thin = False
    while depth > 0 and count <= limit and depth <= capacity and tasks < max_tasks:
        depth -= 1
        top = unsigned(depth)           # signed indices are tested for being negative
        pair = stack[top, 0]
        i = np.int64(stack[top, 1])
        j = np.int64(stack[top, 2])
        if done[unsigned(pair)]:
            continue
        if pair != current:
            a = np.int64(object_a[pair])
            b = np.int64(object_b[pair])
            is_thin = cores_help(a, b, i, j, thin)
            if is_thin and cores_part(a, b, thin):
                current = -1
                continue
            current = pair
            nodes_a = node_start[a]
            nodes_b = node_start[b]
            boxes_a = box_start[a]
            boxes_b = box_start[b]
        tasks += 1
        node_a = node_of(i)
        node_b = node_of(j)
        row_a = unsigned(nodes_a + node_a)
        row_b = unsigned(nodes_b + node_b)
        mask = node_overlap_16(boxes, boxes_a + node_a, boxes, boxes_b + node_b)
        if is_thin:
            mask = beside_cores(mask, object_a[pair], object_b[pair], thin, boxes, boxes_a + node_a, boxes_b + node_b)
        if is_leaf(i) and is_leaf(j):
            count = add_candidates(pair, row_a, row_b, mask, children, candidates, count)
            continue
        mask = folded(mask, is_leaf(i), is_leaf(j))
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            top = unsigned(depth)
            stack[top, 0] = pair
            stack[top, 1] = i
            stack[top, 2] = j
            if not is_leaf(i):
                child = np.int64(children[row_a, unsigned(k >> 2)])
                prefetch(boxes, (boxes_a + node_of(child)) * NODE_FLOATS)
                stack[top, 1] = child
            if not is_leaf(j):
                child = np.int64(children[row_b, unsigned(k & 3)])
                prefetch(boxes, (boxes_b + node_of(child)) * NODE_FLOATS)
                stack[top, 2] = child
            depth += 1
    stats[0] += tasks
    return depth, count


@kernel
def divide_tasks(pairs, trees, queue, tail, wanted):
    """Replace tasks in queue[:tail] by those below them, first come, first served, until `wanted` tasks wait; returns
    (first waiting, tail).

    One big pair becomes many tasks that threads can share. Tasks at leaves stay as they are. queue: (…,3) int32; other
    arguments as for `descend`.
    """
    node_start = trees.node_start
    box_start = trees.box_start
    children = trees.children
    boxes = trees.boxes
    head = 0
    while head < tail and tail - head < wanted and tail + CHILD_PAIRS <= queue.shape[0]:
        pair = queue[head, 0]
        i = np.int64(queue[head, 1])
        j = np.int64(queue[head, 2])
        if is_leaf(i) or is_leaf(j):
            break
        head += 1
        a = pairs.a[pair]
        b = pairs.b[pair]
        mask = node_overlap_16(boxes, box_start[a] + i, boxes, box_start[b] + j)
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            queue[tail, 0] = pair
            queue[tail, 1] = children[node_start[a] + i, k >> 2]
            queue[tail, 2] = children[node_start[b] + j, k & 3]
            tail += 1
    return head, tail
