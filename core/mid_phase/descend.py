# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees at once, to the pairs of triangles whose boxes overlap.

A task is (pair of objects, node of a, node of b), a node in the code of trees/: number, or ~number for a bottom node.
The kernel stops when the output is nearly full, or its patience ends, and can be called again: memory stays bounded
however many candidates there are, and between two calls the run can be cancelled or the rest shared with other threads.
"""
import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..machine_code.prefetch import prefetch
from ..trees.bvh.node_overlap import COLUMN, ROW, lowest_bit, node_overlap_16

FAN = 16                    # most tasks or candidates that one task gives
NODE_ITEMS = 24             # float32 numbers in the boxes of a node


@kernel
def descend(object_a, object_b, box_start, node_start, children, boxes, done, stack, depth, patience, candidates,
            tally):
    """Work off at most `patience` of the tasks in stack[:depth]; returns (depth, number of candidates).

    object_a, object_b: (pairs,) int32; box_start, node_start: (objects,) int64, where an object's nodes begin in
    boxes (…,6,4) and in children (…,4); done: (pairs,) uint8, tasks of a pair marked there are dropped.
    stack: (≥ depth + FAN, 3) int32; candidates: (…, 3) int32 rows of pair, slot of a, slot of b; tally: (1,) int64,
    counts the tasks.
    """
    count = 0
    limit = candidates.shape[0] - FAN
    room = stack.shape[0] - FAN
    tasks = 0
    current = -1
    nodes_a = nodes_b = boxes_a = boxes_b = np.int64(0)
    while depth > 0 and count <= limit and depth <= room and tasks < patience:
        depth -= 1
        top = unsigned(depth)           # signed indices are tested for being negative
        pair = stack[top, 0]
        i = np.int64(stack[top, 1])
        j = np.int64(stack[top, 2])
        if done[unsigned(pair)]:
            continue
        if pair != current:
            current = pair
            nodes_a = node_start[object_a[pair]]
            nodes_b = node_start[object_b[pair]]
            boxes_a = box_start[object_a[pair]]
            boxes_b = box_start[object_b[pair]]
        tasks += 1
        node_a = i ^ (i >> 63)          # i, or ~i where it is negative
        node_b = j ^ (j >> 63)
        row_a = unsigned(nodes_a + node_a)
        row_b = unsigned(nodes_b + node_b)
        mask = node_overlap_16(boxes, boxes_a + node_a, boxes, boxes_b + node_b)
        if i < 0 and j < 0:
            while mask != 0:
                k = lowest_bit(mask)
                mask &= mask - np.uint32(1)
                to = unsigned(count)
                candidates[to, 0] = pair
                candidates[to, 1] = children[row_a, unsigned(k >> 2)]
                candidates[to, 2] = children[row_b, unsigned(k & 3)]
                count += 1
            continue
        # A bottom node waits whole while the other side descends: once for each child that it overlaps.
        if i < 0:
            mask |= mask >> np.uint32(8)
            mask = (mask | mask >> np.uint32(4)) & ROW
        elif j < 0:
            mask |= mask >> np.uint32(2)
            mask = (mask | mask >> np.uint32(1)) & COLUMN
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            top = unsigned(depth)
            stack[top, 0] = pair
            stack[top, 1] = i
            stack[top, 2] = j
            if i >= 0:
                child = np.int64(children[row_a, unsigned(k >> 2)])
                prefetch(boxes, (boxes_a + (child ^ (child >> 63))) * NODE_ITEMS)
                stack[top, 1] = child
            if j >= 0:
                child = np.int64(children[row_b, unsigned(k & 3)])
                prefetch(boxes, (boxes_b + (child ^ (child >> 63))) * NODE_ITEMS)
                stack[top, 2] = child
            depth += 1
    tally[0] += tasks
    return depth, count


@kernel
def spread(object_a, object_b, box_start, node_start, children, boxes, queue, tail, wanted):
    """Breadth first from queue[:tail] until `wanted` tasks wait; returns (first waiting, tail).

    One big pair becomes many tasks that threads can share. Tasks at bottom nodes are left as they are.
    """
    head = 0
    while head < tail and tail - head < wanted and tail + FAN <= queue.shape[0]:
        pair = queue[head, 0]
        i = np.int64(queue[head, 1])
        j = np.int64(queue[head, 2])
        if i < 0 or j < 0:
            break
        head += 1
        a = object_a[pair]
        b = object_b[pair]
        mask = node_overlap_16(boxes, box_start[a] + i, boxes, box_start[b] + j)
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            queue[tail, 0] = pair
            queue[tail, 1] = children[node_start[a] + i, k >> 2]
            queue[tail, 2] = children[node_start[b] + j, k & 3]
            tail += 1
    return head, tail
