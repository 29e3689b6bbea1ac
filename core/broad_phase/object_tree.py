# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects whose world boxes overlap, by a tree over the objects run against itself.

The same tree as over triangles, built anew for each call: cheaper than keeping one up to date, and it does not mind
objects of very different sizes (measured against sweep and prune and a uniform grid). Of a few objects each is tested
against each: that takes less time than a tree's arrays do.
"""
import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..radix_sort import in_order
from ..trees.bvh.build import build
from ..trees.bvh.node_overlap import COLUMN, ROW, lowest_bit, node_overlap_16
from ..trees.bvh.refit import fit_boxes, round_down, round_up, unfitted

UPPER = np.uint32(0b1000_1100_1110_1111)    # bits p ≤ q: a node against itself
FAN = 16
CHUNK = 1 << 16
FEW = 64                                    # two thousand tests: two microseconds


def overlapping_pairs(bounds: np.ndarray, frame: np.ndarray, tick, count=lambda tests: None):
    """(a, b) int32 arrays, a < b, ordered: objects whose boxes overlap (closed; rounded outward to float32).

    bounds: (n,6) float64; frame: (4,) float64, see trees/bvh/refit.py; tick(pairs found): may raise Cancelled.
    count(tests): told how many tests of two boxes were made, sixteen for two nodes.
    """
    n = len(bounds)
    if n <= FEW:
        a, b = np.empty((2, n * (n - 1) // 2), np.int32)
        meeting = overlaps_of_few(bounds, frame, np.empty((n, 6), np.float32), a, b)
        count(len(a))
        tick(meeting)
        return a[:meeting], b[:meeting]
    tree = build(0.5 * bounds[:, :3] + 0.5 * bounds[:, 3:])
    boxes = unfitted(len(tree.children))
    fit_boxes(tree.children, tree.bottom, bounds[tree.order], frame, boxes)
    stack = np.empty((4096, 2), np.int32)
    stack[0] = tree.root
    visited = np.zeros(1, np.int64)
    bits = n.bit_length()
    depth, found = 1, []
    while depth:
        slots = np.empty((CHUNK, 2), np.int32)
        depth, pairs = self_overlaps(tree.children, boxes, stack, depth, slots, visited)
        found.append(np.empty(pairs, np.int64))
        pack_pairs(slots, pairs, tree.order, bits, found[-1])
        tick(sum(map(len, found)))
    count(FAN * int(visited[0]))
    keys = np.empty((2, sum(map(len, found))), np.int64)
    np.concatenate(found, out=keys[0])
    keys = in_order(keys, 2 * bits)
    a, b = np.empty(len(keys), np.int32), np.empty(len(keys), np.int32)
    unpack_pairs(keys, bits, a, b)
    return a, b


@kernel
def overlaps_of_few(bounds, frame, boxes, a, b):
    """All pairs by testing each; returns their number. boxes: (n,6) float32, scratch; a, b: (n·(n-1)/2,) int32."""
    for i in range(bounds.shape[0]):
        for x in range(3):
            boxes[i, x] = round_down((bounds[i, x] - frame[x]) * frame[3])
            boxes[i, 3 + x] = round_up((bounds[i, 3 + x] - frame[x]) * frame[3])
    count = 0
    for i in range(bounds.shape[0]):
        for j in range(i + 1, bounds.shape[0]):
            overlap = True
            for x in range(3):
                overlap = overlap & (boxes[i, x] <= boxes[j, 3 + x]) & (boxes[j, x] <= boxes[i, 3 + x])
            if overlap:
                a[count] = i
                b[count] = j
                count += 1
    return count


@kernel
def pack_pairs(slots, count, order, bits, keys):
    """keys[k] = both items of slots[k] as one number, the lower one first."""
    for k in range(count):
        i = np.int64(order[slots[k, 0]])
        j = np.int64(order[slots[k, 1]])
        keys[k] = (min(i, j) << bits) | max(i, j)


@kernel
def unpack_pairs(keys, bits, a, b):
    """The opposite."""
    for k in range(keys.shape[0]):
        a[k] = keys[k] >> bits
        b[k] = keys[k] & ((1 << bits) - 1)


@kernel
def self_overlaps(children, boxes, stack, depth, slots, visited):
    """Each unordered pair of overlapping items once; returns (depth, pairs written), to be called until depth is 0.
    visited: (1,) int64, counts pairs of nodes."""
    count = 0
    limit = slots.shape[0] - FAN
    while depth > 0 and count <= limit:
        depth -= 1
        top = unsigned(depth)           # signed indices are tested for being negative
        i = np.int64(stack[top, 0])
        j = np.int64(stack[top, 1])
        leaf_i = i < 0
        leaf_j = j < 0
        visited[0] += 1
        node_a = i ^ (i >> 63)          # i, or ~i where it is negative
        node_b = j ^ (j >> 63)
        row_a = unsigned(node_a)
        row_b = unsigned(node_b)
        mask = node_overlap_16(boxes, node_a, boxes, node_b)
        if node_a == node_b:
            mask &= UPPER
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            p = k >> 2
            q = k & 3
            if leaf_i and leaf_j:
                if node_a != node_b or p != q:
                    to = unsigned(count)
                    slots[to, 0] = children[row_a, unsigned(p)]
                    slots[to, 1] = children[row_b, unsigned(q)]
                    count += 1
                continue
            # A bottom node waits whole while the other side descends: once for each child that it overlaps.
            if leaf_i:
                mask &= ~(COLUMN << np.uint32(q))
            elif leaf_j:
                mask &= ~(ROW << np.uint32(4 * p))
            top = unsigned(depth)
            stack[top, 0] = i if leaf_i else children[row_a, unsigned(p)]
            stack[top, 1] = j if leaf_j else children[row_b, unsigned(q)]
            depth += 1
    return depth, count
