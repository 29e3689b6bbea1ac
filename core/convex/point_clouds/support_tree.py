# SPDX-License-Identifier: GPL-3.0-or-later
"""The highest of very many points in a direction, without a look at all of them: boxes in a tree of the points.

A bound of a box and a height of a point are rounded alike: max(d·low, d·high) per axis, and the sums in the same order.
Rounding never reverses an order. So no point in a box has a larger computed height than the computed bound, and the
answer is exactly that of a look at all points.
"""
from collections.abc import Callable

import numpy as np

from ...machine_code.jit import kernel
from ...parallel import run_chunks
from ...radix_sort import order_of
from ...records import PointTree

POINTS_PER_LEAF = 16
MAX_WAITING = 64            # nodes: no more than there are levels
SUPPORTS_AT_ONCE = 1 << 10          # about ten milliseconds
CURVE_BITS = 10             # per axis, of the curve that points are sorted along


class SupportTree:
    """A tree of points that can be asked for the highest ones. `rows`: number of the point in each row of the tree."""

    def __init__(self, points: np.ndarray, tick: Callable[[], None] = lambda: None):
        """points: (n,3) float64, n ≥ 1, finite, as are their differences. tick(): called now and then, may raise."""
        keys = np.stack([_curve_positions(points), np.zeros(len(points), np.int64)])
        tick()
        order = order_of(keys, 3 * CURVE_BITS)
        tick()
        leaves = 1 << max(0, (len(points) - 1) // POINTS_PER_LEAF).bit_length()
        self.rows = np.full(leaves * POINTS_PER_LEAF, order[-1], np.int64)  # the last point fills up the last leaves
        self.rows[:len(order)] = order
        self.tree = PointTree(points[self.rows], np.empty((2 * leaves, 6)))
        tick()
        boxes = self.tree.boxes
        grouped = self.tree.points.reshape(leaves, POINTS_PER_LEAF, 3)
        low, high, first = grouped.min(axis=1), grouped.max(axis=1), leaves
        boxes[0] = 0.0
        while True:
            boxes[first:2 * first, :3], boxes[first:2 * first, 3:] = low, high
            if first == 1:
                break
            first >>= 1
            low, high = low.reshape(first, 2, 3).min(axis=1), high.reshape(first, 2, 3).max(axis=1)

    def highest(self, directions: np.ndarray, threads: int = 1,
                floor: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(m,) int64, the point that is highest in each direction (m,3), finite; and (m,) float64, how high that is:
        (x + y) + z.

        floor: (m,) float64; where no point is higher than that, the height is the floor, and the point is any.
        """
        top = np.empty(len(directions), np.int64)
        height = np.full(len(directions), -np.inf) if floor is None else floor.copy()
        directions = np.ascontiguousarray(directions)

        def work(number):
            stop = min(len(directions), (number + 1) * SUPPORTS_AT_ONCE)
            highest_points(self.tree, directions, number * SUPPORTS_AT_ONCE, stop, np.empty(MAX_WAITING, np.int64),
                           np.empty(MAX_WAITING), top, height)

        run_chunks(work, -(-len(directions) // SUPPORTS_AT_ONCE), threads, lambda done: None)
        return self.rows[top], height

    def above(self, direction: np.ndarray, floor: float) -> np.ndarray:
        """(k,) int64: all points that are at least as high as the floor. direction: (3,)."""
        capacity = 1024
        while True:
            found = np.empty(capacity, np.int64)
            count = points_above(self.tree, float(direction[0]), float(direction[1]), float(direction[2]), float(floor),
                                 np.empty(MAX_WAITING, np.int64), found)
            if count <= capacity:
                return np.unique(self.rows[found[:count]])
            capacity = count


def _curve_positions(points: np.ndarray) -> np.ndarray:
    """(n,) int64 positions along a Morton curve through the box around all, which fills its box on each axis."""
    low, high = points.min(axis=0), points.max(axis=0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        steps = np.nan_to_num((points - low) / (high - low) * (2 ** CURVE_BITS - 1)).astype(np.int64)
    return _spaced(steps[:, 0]) | _spaced(steps[:, 1]) << 1 | _spaced(steps[:, 2]) << 2


def _spaced(numbers: np.ndarray) -> np.ndarray:
    """Numbers of CURVE_BITS bits with two zeros before each bit."""
    for shift, mask in ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)):
        numbers = (numbers | numbers << shift) & mask
    return numbers


@kernel
def bound_of(box, x, y, z):
    """A height that no point in the box exceeds in the direction."""
    return (max(x * box[0], x * box[3]) + max(y * box[1], y * box[4])) + max(z * box[2], z * box[5])


@kernel
def highest_points(tree, directions, start, stop, stack, bounds, top, height):
    """Write top[k] and height[k], the highest point of a PointTree and its height, for the directions start ≤ k < stop.

    height: at first what is to be exceeded. stack (MAX_WAITING,) int64, bounds (MAX_WAITING,) float64: scratch.
    """
    points = tree.points
    boxes = tree.boxes
    leaves = boxes.shape[0] // 2
    size = points.shape[0] // leaves
    for k in range(start, stop):
        x = directions[k, 0]
        y = directions[k, 1]
        z = directions[k, 2]
        best = height[k]
        found = 0
        stack[0] = 1
        bounds[0] = np.inf
        depth = 1
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if bounds[depth] <= best:
                continue
            if node >= leaves:
                for p in range((node - leaves) * size, (node - leaves + 1) * size):
                    at = (x * points[p, 0] + y * points[p, 1]) + z * points[p, 2]
                    if at > best:
                        best = at
                        found = p
                continue
            left = bound_of(boxes[2 * node], x, y, z)
            right = bound_of(boxes[2 * node + 1], x, y, z)
            swap = np.int64(left > right)       # the higher one is looked at first
            stack[depth + swap] = 2 * node
            bounds[depth + swap] = left
            stack[depth + 1 - swap] = 2 * node + 1
            bounds[depth + 1 - swap] = right
            depth += 2
        top[k] = found
        height[k] = best


@kernel
def points_above(tree, x, y, z, floor, stack, found):
    """The number of points that are at least as high as the floor; `found` gets them, as many as it holds."""
    points = tree.points
    boxes = tree.boxes
    leaves = boxes.shape[0] // 2
    size = points.shape[0] // leaves
    count = 0
    stack[0] = 1
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bound_of(boxes[node], x, y, z) < floor:
            continue
        if node < leaves:
            stack[depth] = 2 * node
            stack[depth + 1] = 2 * node + 1
            depth += 2
            continue
        for p in range((node - leaves) * size, (node - leaves + 1) * size):
            if (x * points[p, 0] + y * points[p, 1]) + z * points[p, 2] >= floor:
                if count < found.shape[0]:
                    found[count] = p
                count += 1
    return count
