# SPDX-License-Identifier: GPL-3.0-or-later
"""Balanced trees of boxes: binary, split where a penalty for unequal halves and for crossed triangles is least.

Fan, "Real-time collision detection" (thesis, 2003), section 4.3.2: a box is cut by the plane across one of its three
axes that minimises f(p) = |n_left − n_right| + λ·n_crossing (equations 4-1 and 4-2). f changes only where a triangle
begins or ends, so one sweep along each axis finds the minimum over all p exactly.

A triangle that the plane crosses goes to one child only, that of its middle, and boxes are fitted to whole triangles:
no pair of triangles is found twice. docs/methods/parallel.md.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...alike import ascending
from ...arrays import pieces
from ...machine_code.jit import kernel
from ...records import BalancedBuild
from ..bounds import HIGH

MIN_DIVIDED = 10                # fewer triangles than this are not divided (section 4.3.2, step 3)
CROSSING_WEIGHT = 1.0           # λ; the document names no value
USELESS_SHARE = 0.9             # of a parent's triangles in one child: such a split is of no use
MAX_ITEMS_PER_CALL = 1 << 19    # of the kernel: some tens of milliseconds
MAX_LEVELS = 80                 # more than depth_limit gives for any number of triangles


@dataclass(eq=False)
class Tree:
    """A tree over n items, wherever they are. Node 0 is the root, and children come after their parents."""

    children: np.ndarray        # (nodes,2) int32, left and right; -1: a leaf
    span: np.ndarray            # (nodes,2) int32, first and count: a node's items are slots[first : first + count]
    slots: np.ndarray           # (n,) int32, numbers of items


def depth_limit(count: int) -> int:
    """The deepest level of a tree over so many items: a little more than twice what halving takes. The root is 0."""
    return 4 + 2 * int(count).bit_length()


def build(boxes: np.ndarray, pause: Callable[[], None] = lambda: None) -> Tree:
    """The tree over n ≥ 1 items. boxes: (n,6) float64, finite, lo x y z hi x y z.

    pause is called some times a second, and may raise.
    """
    n = len(boxes)
    ends = np.empty((6, n))
    for some in pieces(n, pause):
        ends[:, some] = boxes[some].T
    orders = np.empty(ends.shape, np.int32)
    for row in range(6):
        orders[row] = ascending([ends[row]], n, pause)
        pause()
    tree = BalancedBuild(ends, orders, np.empty((2 * n, 2), np.int32), np.empty((2 * n, 2), np.int32),
                         np.empty(n, np.uint8), np.empty(n, np.int32), np.zeros((MAX_LEVELS, 4), np.int64),
                         np.array([1, 0], np.int64))
    tree.stack[0] = 0, n, -1, 0
    while tree.state[0]:
        build_nodes(tree, CROSSING_WEIGHT, depth_limit(n), MAX_ITEMS_PER_CALL)
        pause()
    nodes = tree.state[1]
    return Tree(tree.children[:nodes].copy(), tree.span[:nodes].copy(), orders[0].copy())


@kernel
def build_nodes(tree, weight, deepest, max_items):
    """Make nodes until none is left to be made, or until more than `max_items` items have been looked at.

    tree: BalancedBuild; the items of each node end side by side in its `orders`. weight: λ; deepest: level of the
    deepest leaves.
    """
    ends = tree.ends
    orders = tree.orders
    children = tree.children
    span = tree.span
    stack = tree.stack
    waiting = tree.state[0]
    node = tree.state[1]
    seen = 0
    while waiting > 0 and seen <= max_items:
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
        if last - first >= MIN_DIVIDED and level < deepest:
            middle = divide(ends, orders, first, last, weight, tree.side, tree.spare)
            if middle > first:
                for right in range(1, -1, -1):
                    stack[waiting, 0] = middle if right else first
                    stack[waiting, 1] = last if right else middle
                    stack[waiting, 2] = 2 * node + right
                    stack[waiting, 3] = level + 1
                    waiting += 1
        node += 1
    tree.state[0] = waiting
    tree.state[1] = node


@kernel
def divide(ends, orders, first, last, weight, side, spare):
    """Divide the items in the range [first, last) of all orders; returns where the right ones begin, or `first` where
    no plane is of use. side, spare: scratch, see BalancedBuild.

    The plane of least penalty may leave nearly all in one child, as where all triangles meet in one point. Then the
    mean of the middles is tried, along the axis of their largest extent.
    """
    axis = 0
    least, plane = best_plane(ends, orders, first, last, 0, weight)
    for x in range(1, 3):
        penalty, best = best_plane(ends, orders, first, last, x, weight)
        if penalty < least:
            axis, least, plane = x, penalty, best
    left = mark(ends, orders, first, last, axis, plane, side)
    most = np.int64(USELESS_SHARE * (last - first))
    if max(left, last - first - left) > most:
        axis, plane = mean_plane(ends, orders, first, last)
        left = mark(ends, orders, first, last, axis, plane, side)
        if max(left, last - first - left) > most:
            return first
    for row in range(6):            # each order stays one
        behind = 0
        to = first
        for k in range(first, last):
            item = orders[row, k]
            spare[behind] = item
            orders[row, to] = item
            to += int(side[item])
            behind += 1 - int(side[item])
        for k in range(behind):
            orders[row, to + k] = spare[k]
    return first + left


@kernel
def best_plane(ends, orders, first, last, axis, weight):
    """(f(p), p) of the plane across `axis` with the least penalty, the lowest of several such planes.

    Items that end at p or before it are left of the plane, those that begin at p or after it are right of it, and it
    crosses the others. The ends of items are swept in order: f is tried at each of them, and between it and the next.
    """
    n = last - first
    begun = first                   # how far the sweep is in the order of low ends
    ended = first                   # and of high ends
    least = np.inf
    plane = 0.0
    here = ends[axis, orders[axis, first]]
    while True:
        right = last - begun        # these begin here or later
        while begun < last and ends[axis, orders[axis, begun]] == here:
            right -= ends[HIGH + axis, orders[axis, begun]] == here     # flat: left of it already
            begun += 1
        while ended < last and ends[HIGH + axis, orders[HIGH + axis, ended]] == here:
            ended += 1
        left = ended - first
        penalty = abs(left - right) + weight * (n - left - right)
        if penalty < least:
            least, plane = penalty, here
        if ended == last:
            return least, plane
        beyond = ends[HIGH + axis, orders[HIGH + axis, ended]]
        if begun < last:
            beyond = min(beyond, ends[axis, orders[axis, begun]])
        right = last - begun
        penalty = abs(left - right) + weight * (n - left - right)
        if penalty < least:
            least, plane = penalty, 0.5 * here + 0.5 * beyond
        here = beyond


@kernel
def mean_plane(ends, orders, first, last):
    """(axis, p): the mean of the items' middles, along the axis of their largest extent."""
    axis = 0
    widest = -1.0
    plane = 0.0
    for x in range(3):
        low = np.inf
        high = -np.inf
        mean = 0.0
        for k in range(first, last):
            item = orders[0, k]
            middle = 0.5 * ends[x, item] + 0.5 * ends[HIGH + x, item]
            low = min(low, middle)
            high = max(high, middle)
            mean += middle / (last - first)
        if high - low > widest:
            axis, widest, plane = x, high - low, mean
    return axis, plane


@kernel
def mark(ends, orders, first, last, axis, plane, side):
    """side[item] = 1 for items left of the plane, and for those that it crosses whose middle is left of it, else 0;
    returns how many items are left."""
    left = 0
    for k in range(first, last):
        item = orders[0, k]
        high = ends[HIGH + axis, item]
        side[item] = (high <= plane) | (0.5 * ends[axis, item] + 0.5 * high < plane)
        left += int(side[item])
    return left
