# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two oriented box trees at once, to the pairs of triangles whose boxes meet.

A task is (pair of objects, node of a, node of b), whose boxes meet. Its larger node gives way to its children, as in
RAPID; two leaves are a candidate. With order="leaf first", as the documents of 2017 (§3.2) and 2018 (§2.4) have it,
the whole of a stays against b's tree until a leaf of b is reached, and that leaf then goes down a's tree.

Boxes are compared in the coordinates of a's tree, turned only, from its place in the common frame of trees.obb. With
u = 2^-53 and τ the way from place to place there, getting there errs by 8 u |τ| + 16 u size_b, and turns that are
orthonormal only to 24 u by 48 u (|τ| + size_a + size_b): NOISE takes 128 u, in the margin of b's boxes.
"""
from collections.abc import Iterator

import numpy as np

from ..jit import kernel
from ..trees.obb import ObbTrees
from .obb_overlap import AXES, BOX, separating_axis

FAN = 2                         # most tasks that one task gives
PATIENCE = 1 << 14              # tasks in one call of the kernel: a millisecond or two
BLOCK = 1 << 13                 # pairs of objects at a time
NOISE = 2.0 ** -46
SAME = 16                       # numbers that a pair of objects shares: Q (9), τ (3), sizes, margins
ORDERS = ("larger first", "leaf first")


def search(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run, start: np.ndarray | None = None,
           order: str = "larger first"):
    """The search for narrow_phase.sift.contacts_of_pairs in the pairs of objects (a[i], b[i]).

    start: (k,3) int32 tasks to begin with instead of the roots, sorted by pair; their boxes need not meet. The
    returned function takes pairs, or tasks of its own, (k,3) int32. run: pipeline.Run, whose box_pairs grow.
    """
    leaf_first = ORDERS.index(order)

    def candidates(part: np.ndarray, buffer: np.ndarray, done: np.ndarray) -> Iterator[int]:
        tally, same, boxes = np.zeros(2, np.int64), np.empty(SAME), np.empty((3, BOX))
        C, T = np.empty((3, 3)), np.empty(3)
        where = (a, b, trees.turn, trees.place, trees.size, trees.margin, trees.centre, trees.axes, trees.half)
        try:
            for begin in range(0, len(part), BLOCK):
                tasks = _tasks(trees, a, b, part[begin:begin + BLOCK], start)
                depth = meeting_tasks(*where, done, tasks, same, boxes, C, T, tally)
                stack = np.concatenate([tasks[:depth][::-1], np.empty((1024, 3), np.int32)])
                while depth:
                    depth, count = descend(*where, trees.left, trees.right, trees.first, trees.slots, done, stack,
                                           depth, leaf_first, PATIENCE, buffer, same, boxes, C, T, tally)
                    yield count
                    if depth + FAN > len(stack):
                        stack = np.concatenate([stack, np.empty_like(stack)])
        finally:
            run.count(box_pairs=int(tally[0]))

    return candidates


def _tasks(trees: ObbTrees, a: np.ndarray, b: np.ndarray, part: np.ndarray, start: np.ndarray | None) -> np.ndarray:
    """(k,3) int32: the tasks that a part of the pairs begins with; a copy."""
    if part.ndim == 2:
        return part.copy()
    if start is None:
        return np.stack([part, trees.root[a[part]], trees.root[b[part]]], axis=1).astype(np.int32)
    first, last = (np.searchsorted(start[:, 0], part, side) for side in ("left", "right"))
    count = last - first
    rows = np.repeat(first - np.concatenate([[0], np.cumsum(count)[:-1]]), count) + np.arange(count.sum())
    return start[rows]


@kernel
def relate(a, b, turn, place, size, margin, same):
    """What boxes of objects a and b need to be compared: same[:9] = Q, a turn from b to a, same[9:12] = τ, the place
    of b, then size and margin of a, and those of b."""
    way = size[a] + size[b]
    for i in range(3):
        same[9 + i] = 0.0
        for x in range(3):
            same[9 + i] += turn[a, x, i] * (place[b, x] - place[a, x])
        way += abs(same[9 + i])
        for j in range(3):
            same[3 * i + j] = (turn[a, 0, i] * turn[b, 0, j] + turn[a, 1, i] * turn[b, 1, j]
                               + turn[a, 2, i] * turn[b, 2, j])
    same[12] = size[a]
    same[13] = margin[a]
    same[14] = size[b]
    same[15] = margin[b] + NOISE * way


@kernel
def box_of_a(same, centre, axes, half, node, box):
    """box (BOX,): a node of a's tree where pairs are compared."""
    for x in range(3):
        box[x] = same[12] * centre[node, x]
        box[12 + x] = same[12] * half[node, x] + same[13]
        for i in range(3):
            box[3 + 3 * i + x] = axes[node, i, x]


@kernel
def box_of_b(same, centre, axes, half, node, box):
    """box (BOX,): a node of b's tree where pairs are compared."""
    for x in range(3):
        p = same[3 * x]
        q = same[3 * x + 1]
        r = same[3 * x + 2]
        box[x] = same[9 + x] + same[14] * (p * centre[node, 0] + q * centre[node, 1] + r * centre[node, 2])
        box[12 + x] = same[14] * half[node, x] + same[15]
        for i in range(3):
            box[3 + 3 * i + x] = p * axes[node, i, 0] + q * axes[node, i, 1] + r * axes[node, i, 2]


@kernel
def meeting_tasks(object_a, object_b, turn, place, size, margin, centre, axes, half, done, tasks, same, boxes, C, T,
                  tally):
    """Move the tasks whose boxes meet to the front; returns how many they are. Arguments as in `descend`."""
    kept = 0
    current = -1
    for k in range(tasks.shape[0]):
        pair = tasks[k, 0]
        if done[pair]:
            continue
        if pair != current:
            current = pair
            relate(object_a[pair], object_b[pair], turn, place, size, margin, same)
        box_of_a(same, centre, axes, half, tasks[k, 1], boxes[0])
        box_of_b(same, centre, axes, half, tasks[k, 2], boxes[1])
        axis = separating_axis(boxes[0], boxes[1], C, T)
        tally[0] += 1
        tally[1] += axis if axis > 0 else AXES
        if axis == 0:
            for x in range(3):
                tasks[kept, x] = tasks[k, x]
            kept += 1
    return kept


@kernel
def descend(object_a, object_b, turn, place, size, margin, centre, axes, half, left, right, first, slots, done, stack,
            depth, leaf_first, patience, candidates, same, boxes, C, T, tally):
    """Work off at most `patience` of the tasks in stack[:depth]; returns (depth, number of candidates).

    object_a, object_b: (pairs,) int32; turn … slots: see trees.obb.ObbTrees; done: (pairs,) uint8, tasks of a pair
    marked there are dropped; stack: (≥ depth + FAN, 3) int32; candidates: (…,3) int32 rows of pair, slot of a, slot
    of b; leaf_first: 1 for that order; same (SAME,), boxes (3,BOX), C (3,3), T (3,): scratch; tally: (2,) int64, counts
    tests of boxes and of axes.
    """
    count = 0
    current = -1
    room = stack.shape[0] - FAN
    while depth > 0 and depth <= room and count < candidates.shape[0] and patience > 0:
        depth -= 1
        patience -= 1
        pair = stack[depth, 0]
        i = stack[depth, 1]
        j = stack[depth, 2]
        if done[pair]:
            continue
        if left[i] < 0 and left[j] < 0:
            candidates[count, 0] = pair
            candidates[count, 1] = slots[first[i]]
            candidates[count, 2] = slots[first[j]]
            count += 1
            continue
        if pair != current:
            current = pair
            relate(object_a[pair], object_b[pair], turn, place, size, margin, same)
        open_a = left[j] < 0
        if left[i] >= 0 and not open_a and leaf_first == 0:
            open_a = same[12] * half[i, 0] >= same[14] * half[j, 0]
        if open_a:
            box_of_b(same, centre, axes, half, j, boxes[2])
        else:
            box_of_a(same, centre, axes, half, i, boxes[2])
        for side in range(2):
            p = i
            q = j
            if open_a:
                p = right[i] if side == 0 else left[i]
                box_of_a(same, centre, axes, half, p, boxes[side])
            else:
                q = right[j] if side == 0 else left[j]
                box_of_b(same, centre, axes, half, q, boxes[side])
            axis = separating_axis(boxes[2], boxes[side], C, T)
            tally[0] += 1
            tally[1] += axis if axis > 0 else AXES
            if axis == 0:
                stack[depth, 0] = pair
                stack[depth, 1] = p
                stack[depth, 2] = q
                depth += 1
    return depth, count
