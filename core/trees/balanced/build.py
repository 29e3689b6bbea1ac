# SPDX-License-Identifier: GPL-3.0-or-later
"""Balanced trees of boxes: binary, split where a penalty for unequal halves and for crossed triangles is least.

Fan, "Real-time collision detection" (thesis, 2003), section 4.3.2: a box is cut by the plane across one of its three
axes that minimises f(p) = |n_left − n_right| + λ·n_crossing (equations 4-1 and 4-2). f changes only where a triangle
begins or ends, so the minimum over all p is found exactly, in one sweep along each axis.

A triangle that the plane crosses goes to one child only, that of its middle, and boxes are fitted around whole
triangles: no pair of triangles is met twice. docs/methods/parallel.md.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...machine_code.jit import kernel

LEAF = 10                       # fewer triangles than this are not divided (section 4.3.2, step 3)
WEIGHT = 1.0                    # λ; the document names no value
NEARLY = 0.9                    # of a parent's triangles in one child: such a split is of no use
PATIENCE = 1 << 19              # items in one call of the kernel: some tens of milliseconds
DEEPEST = 80                    # more than depth_limit gives for any number of triangles


@dataclass(eq=False)
class Tree:
    """A tree over n items, without places: node 0 is the root, and children come after their parents."""

    children: np.ndarray        # (nodes,2) int32, left and right; -1: a leaf
    span: np.ndarray            # (nodes,2) int32, first and count: a node's items are slots[first : first + count]
    slots: np.ndarray           # (n,) int32, numbers of items


def depth_limit(count: int) -> int:
    """The deepest level of a tree over so many items, twice what halving takes and a little more; the root is 0."""
    return 4 + 2 * int(count).bit_length()


def build(boxes: np.ndarray, pause: Callable[[], None] = lambda: None) -> Tree:
    """The tree over n ≥ 1 items. boxes: (n,6) float64, finite, lo x y z hi x y z.

    pause is called some times a second; where it raises, nothing is left behind.
    """
    n = len(boxes)
    ends = np.ascontiguousarray(boxes.T)
    orders = np.empty(ends.shape, np.int32)
    for row in range(6):
        orders[row] = np.argsort(ends[row], kind="stable")
        pause()
    children, span = np.empty((2 * n, 2), np.int32), np.empty((2 * n, 2), np.int32)
    side, scratch = np.empty(n, np.uint8), np.empty(n, np.int32)
    stack, state = np.zeros((DEEPEST, 4), np.int64), np.array([1, 0], np.int64)
    stack[0] = 0, n, -1, 0
    while state[0]:
        grow(ends, orders, WEIGHT, depth_limit(n), children, span, side, scratch, stack, state, PATIENCE)
        pause()
    return Tree(children[:state[1]].copy(), span[:state[1]].copy(), orders[0].copy())


@kernel
def grow(ends, orders, weight, deepest, children, span, side, scratch, stack, state, patience):
    """Fill children and span, and leave the items of each leaf together in `orders`, until all is done or more than
    `patience` items have been looked at.

    ends: (6,n) float64, rows lo x y z hi x y z; orders: (6,n) int32, the items by each of these rows; side (n,) uint8
    and scratch (n,) int32; stack: (DEEPEST,4) int64: range, parent and level of the nodes to be made; state: (2,)
    int64, how many these are and how many are made.
    """
    waiting = state[0]
    node = state[1]
    seen = 0
    while waiting > 0 and seen <= patience:
        waiting -= 1
        first = stack[waiting, 0]
        last = stack[waiting, 1]
        parent = stack[waiting, 2]
        level = stack[waiting, 3]
        if parent >= 0:             # the code of a parent is 2·number, plus 1 for its right child
            children[parent >> 1, parent & 1] = node
        seen += last - first
        span[node, 0] = first
        span[node, 1] = last - first
        children[node, 0] = -1
        children[node, 1] = -1
        if last - first >= LEAF and level < deepest:
            middle = divide(ends, orders, first, last, weight, side, scratch)
            if middle > first:
                for right in range(1, -1, -1):
                    stack[waiting, 0] = middle if right else first
                    stack[waiting, 1] = last if right else middle
                    stack[waiting, 2] = 2 * node + right
                    stack[waiting, 3] = level + 1
                    waiting += 1
        node += 1
    state[0] = waiting
    state[1] = node


@kernel
def divide(ends, orders, first, last, weight, side, scratch):
    """Divide the items in the range [first, last) of all orders; returns where the right ones begin, or `first` where
    no plane is of use.

    The plane of least penalty may leave nearly all in one child, as where all triangles meet in one point. Then the
    mean of the middles is tried, along the axis where they spread most.
    """
    axis = 0
    least, plane = best_plane(ends, orders, first, last, 0, weight)
    for x in range(1, 3):
        penalty, place = best_plane(ends, orders, first, last, x, weight)
        if penalty < least:
            axis, least, plane = x, penalty, place
    left = mark(ends, orders, first, last, axis, plane, side)
    most = np.int64(NEARLY * (last - first))
    if max(left, last - first - left) > most:
        axis, plane = mean_plane(ends, orders, first, last)
        left = mark(ends, orders, first, last, axis, plane, side)
        if max(left, last - first - left) > most:
            return first
    for row in range(6):            # each order stays one
        behind = 0
        place = first
        for k in range(first, last):
            item = orders[row, k]
            scratch[behind] = item
            orders[row, place] = item
            place += int(side[item])
            behind += 1 - int(side[item])
        for k in range(behind):
            orders[row, place + k] = scratch[k]
    return first + left


@kernel
def best_plane(ends, orders, first, last, axis, weight):
    """(f(p), p) of the plane across `axis` with the least penalty, the lowest one of several.

    Left of p are items that end at or before it, right of it those that begin at or after it, and the others are
    crossed. The ends of items are swept in order: f is tried at each of them, and between it and the next.
    """
    n = last - first
    begun = first                   # how far the sweep is in the order of low ends
    ended = first                   # and of high ends
    least = np.inf
    plane = 0.0
    here = ends[axis, orders[axis, first]]
    while True:
        right = last - begun        # these begin at or after this place
        while begun < last and ends[axis, orders[axis, begun]] == here:
            right -= ends[3 + axis, orders[axis, begun]] == here        # flat: left of it already
            begun += 1
        while ended < last and ends[3 + axis, orders[3 + axis, ended]] == here:
            ended += 1
        left = ended - first
        penalty = abs(left - right) + weight * (n - left - right)
        if penalty < least:
            least, plane = penalty, here
        if ended == last:
            return least, plane
        beyond = ends[3 + axis, orders[3 + axis, ended]]
        if begun < last:
            beyond = min(beyond, ends[axis, orders[axis, begun]])
        right = last - begun
        penalty = abs(left - right) + weight * (n - left - right)
        if penalty < least:
            least, plane = penalty, 0.5 * here + 0.5 * beyond
        here = beyond


@kernel
def mean_plane(ends, orders, first, last):
    """(axis, p): the mean of the items' middles, along the axis where they spread most."""
    axis = 0
    widest = -1.0
    plane = 0.0
    for x in range(3):
        low = np.inf
        high = -np.inf
        mean = 0.0
        for k in range(first, last):
            item = orders[0, k]
            middle = 0.5 * ends[x, item] + 0.5 * ends[3 + x, item]
            low = min(low, middle)
            high = max(high, middle)
            mean += middle / (last - first)
        if high - low > widest:
            axis, widest, plane = x, high - low, mean
    return axis, plane


@kernel
def mark(ends, orders, first, last, axis, plane, side):
    """side = 1 for items left of the plane, and for those that it crosses whose middle is left of it, else 0; returns
    how many are left."""
    left = 0
    for k in range(first, last):
        item = orders[0, k]
        high = ends[3 + axis, item]
        side[item] = (high <= plane) | (0.5 * ends[axis, item] + 0.5 * high < plane)
        left += int(side[item])
    return left
