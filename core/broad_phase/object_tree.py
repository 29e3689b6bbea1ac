# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects whose world boxes overlap, by a tree over the objects run against itself.

The tree is a linear BVH, as over triangles, built anew for each call. That is cheaper than keeping one up to date, and
objects of very different sizes do no harm (measured against sweep and prune and a uniform grid). Of a few objects each
is tested against each, which takes less time than making a tree's arrays.
"""
import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..memory import refuse_beyond
from ..pair_table import BYTES_PER_PAIR
from ..trees.bounds import HIGH
from ..trees.bvh.build import build
from ..trees.bvh.node_overlap import MASK_COLUMN, MASK_ROW, lowest_bit, node_overlap_16
from ..trees.bvh.nodes import CHILD_PAIRS, is_leaf, node_of
from ..trees.bvh.refit import empty_boxes, fit_boxes, round_down, round_up
from .pair_order import bits_for, ordered_pairs

UPPER_TRIANGLE = np.uint32(0b1000_1100_1110_1111)       # bits p ≤ q of a mask: a node against itself
SLOT_PAIRS_PER_CALL = 1 << 16
FEW_OBJECTS = 64                            # two thousand tests: two microseconds
WANTED_PER_OBJECT = 64                      # given pairs; of more, a tree leaves most out
MOST_MOVER_TESTS = 1 << 16                  # of all objects with each that moves; more take as long as the tree


def overlapping_pairs(bounds: np.ndarray, quantization: np.ndarray, tick, count=lambda tests: None, moves=None):
    """(a, b) int32, a < b, ordered: objects whose boxes overlap. Boxes are closed, and rounded outward to float32.

    bounds: (n,6) float64; quantization: (4,) float64, see trees/bvh/refit.py; tick(pairs found): may raise Cancelled.
    count(tests): told how many tests of two boxes were made, sixteen for two nodes. moves: (n,) bool, pairs of two
    objects that do not move may be left out; None: no pair may. Raises TooLarge where there is no memory for so many
    pairs.
    """
    n = len(bounds)
    if n <= FEW_OBJECTS:
        a, b = np.empty((2, n * (n - 1) // 2), np.int32)
        meeting = overlaps_of_few(bounds, quantization, np.empty((n, 6), np.float32), a, b)
        count(len(a))
        tick(meeting)
        return a[:meeting], b[:meeting]
    if moves is not None and n * np.count_nonzero(moves) <= MOST_MOVER_TESTS:
        return pairs_of_movers(bounds, quantization, moves, tick, count)
    tree = build(0.5 * bounds[:, :HIGH] + 0.5 * bounds[:, HIGH:])
    boxes = empty_boxes(len(tree.children))
    fit_boxes(tree.children, tree.leaf, bounds[tree.order], quantization, boxes)
    stack = np.empty((4096, 2), np.int32)
    stack[0] = tree.root
    stats = np.zeros(1, np.int64)
    bits, depth, codes = bits_for(n), 1, []
    while depth:
        slots = np.empty((SLOT_PAIRS_PER_CALL, 2), np.int32)
        depth, pairs = self_overlaps(tree.children, boxes, stack, depth, slots, stats)
        codes.append(np.empty(pairs, np.int64))
        pack_slots(slots, pairs, tree.order, bits, codes[-1])
        found = sum(map(len, codes))
        refuse_beyond(BYTES_PER_PAIR * found, "The pairs of these objects")
        tick(found)
    count(CHILD_PAIRS * int(stats[0]))
    return ordered_pairs(codes, bits)


def overlapping_among(bounds: np.ndarray, quantization: np.ndarray, wanted: np.ndarray, tick, count):
    """As `overlapping_pairs`, of some pairs only: those with these codes a · n + b, (k,) int64, ascending."""
    a, b = (each.astype(np.int32) for each in np.divmod(wanted, len(bounds)))
    meeting = overlaps_of_wanted(bounds, quantization, np.empty((len(bounds), 6), np.float32), a, b)
    count(len(a))
    tick(meeting)
    return a[:meeting], b[:meeting]


def pairs_of_movers(bounds: np.ndarray, quantization: np.ndarray, moves: np.ndarray, tick, count):
    """As `overlapping_pairs`, those pairs of which an object moves: each object that does is tested against all.
    moves: (n,) bool."""
    n, movers = len(bounds), moves.nonzero()[0]
    boxes, room = np.empty((n, 6), np.float32), n
    a, b = np.empty((2, room), np.int32)
    meeting = overlaps_of_movers(bounds, quantization, moves, movers, boxes, a, b)
    if meeting > room:
        refuse_beyond(BYTES_PER_PAIR * meeting, "The pairs of these objects")
        a, b = np.empty((2, meeting), np.int32)
        overlaps_of_movers(bounds, quantization, moves, movers, boxes, a, b)
    count(n * len(movers))
    tick(meeting)
    return a[:meeting], b[:meeting]


@kernel
def overlaps_of_movers(bounds, quantization, moves, movers, boxes, a, b):
    """Write the pairs that overlap and of which an object moves to a and b, (room,) int32, ordered; returns their
    number, which may be more than there is room for. moves: (n,) bool; movers: (m,) int64, ascending, those that do;
    boxes: (n,6) float32, scratch."""
    round_boxes(bounds, quantization, boxes)
    count = 0
    later = 0                   # the first mover behind i
    for i in range(bounds.shape[0]):
        if later < movers.shape[0] and movers[later] == i:
            later += 1
        others = bounds.shape[0] - i - 1 if moves[i] else movers.shape[0] - later
        for k in range(others):
            j = i + 1 + k if moves[i] else movers[later + k]
            if boxes_meet(boxes, i, j):
                if count < a.shape[0]:
                    a[count] = i
                    b[count] = j
                count += 1
    return count


@kernel
def round_boxes(bounds, quantization, boxes):
    """boxes[i] = bounds[i], rounded outward. bounds: (n,6) float64; boxes: (n,6) float32."""
    scale = quantization[3]
    for i in range(bounds.shape[0]):
        for x in range(3):
            boxes[i, x] = round_down((bounds[i, x] - quantization[x]) * scale)
            boxes[i, HIGH + x] = round_up((bounds[i, HIGH + x] - quantization[x]) * scale)


@kernel
def boxes_meet(boxes, i, j):
    """True where the closed boxes i and j have a point in common."""
    overlap = True
    for x in range(3):
        overlap = overlap & (boxes[i, x] <= boxes[j, HIGH + x]) & (boxes[j, x] <= boxes[i, HIGH + x])
    return overlap


@kernel
def overlaps_of_few(bounds, quantization, boxes, a, b):
    """Test all pairs and write those that overlap to a and b, (n·(n-1)/2,) int32; returns their number. boxes: (n,6)
    float32, scratch."""
    round_boxes(bounds, quantization, boxes)
    count = 0
    for i in range(bounds.shape[0]):
        for j in range(i + 1, bounds.shape[0]):
            if boxes_meet(boxes, i, j):
                a[count] = i
                b[count] = j
                count += 1
    return count


@kernel
def overlaps_of_wanted(bounds, quantization, boxes, a, b):
    """Move the pairs (a[k], b[k]) of two objects that overlap to the front; returns their number. a, b: (k,) int32;
    boxes: (n,6) float32, scratch."""
    round_boxes(bounds, quantization, boxes)
    count = 0
    for k in range(a.shape[0]):
        if a[k] != b[k] and boxes_meet(boxes, np.int64(a[k]), np.int64(b[k])):
            a[count] = a[k]
            b[count] = b[k]
            count += 1
    return count


@kernel
def pack_slots(slots, count, order, bits, codes):
    """codes[k] = both items of slots[k] as one number (see pair_order.py)."""
    for k in range(count):
        i = np.int64(order[slots[k, 0]])
        j = np.int64(order[slots[k, 1]])
        codes[k] = (min(i, j) << bits) | max(i, j)


@kernel
def self_overlaps(children, boxes, stack, depth, slots, stats):
    """Write each unordered pair of overlapping items once, as slots; returns (depth, pairs written). To be called until
    depth is 0. stats: (1,) int64, counts pairs of nodes."""
    count = 0
    limit = slots.shape[0] - CHILD_PAIRS
    while depth > 0 and count <= limit:
        depth -= 1
        top = unsigned(depth)           # signed indices are tested for being negative
        i = np.int64(stack[top, 0])
        j = np.int64(stack[top, 1])
        leaf_i = is_leaf(i)
        leaf_j = is_leaf(j)
        stats[0] += 1
        node_a = node_of(i)
        node_b = node_of(j)
        row_a = unsigned(node_a)
        row_b = unsigned(node_b)
        mask = node_overlap_16(boxes, node_a, boxes, node_b)
        if node_a == node_b:
            mask &= UPPER_TRIANGLE
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
            # A leaf waits whole while the other side descends: once for each child that it overlaps.
            if leaf_i:
                mask &= ~(MASK_COLUMN << np.uint32(q))
            elif leaf_j:
                mask &= ~(MASK_ROW << np.uint32(4 * p))
            top = unsigned(depth)
            stack[top, 0] = i if leaf_i else children[row_a, unsigned(p)]
            stack[top, 1] = j if leaf_j else children[row_b, unsigned(q)]
            depth += 1
    return depth, count
