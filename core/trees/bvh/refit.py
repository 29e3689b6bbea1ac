# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a tree's boxes are in the world: vertices moved, boxes refitted from the bottom up.

Boxes are float32 and rounded outward, relative to a common frame (origin and power-of-two scale), so that scenes far
from the origin or of extreme size are still told apart. World coordinates are, by definition, the float64 numbers
((m0·x + m1·y) + m2·z) + m3, in this order of operations (DESIGN §4); a box always holds them.
"""
import numpy as np

from ...machine_code.jit import kernel, unsigned
from .refit_bounds import around_nodes, around_triangles

OUTWARD = np.float32(1.2e-7)    # > 2^-23: two roundings to float32 cannot undo it
TINY = np.float32(1e-37)        # and the same for subnormal numbers
FAR = np.float32(3e38)          # an empty box runs from FAR to -FAR


@kernel
def move_vertices(poses, k, vertices, start, count, world, world_start):
    """world[world_start + i] = poses[k] · vertices[start + i]. poses: (n,3,4) float64."""
    m00 = poses[k, 0, 0]
    m01 = poses[k, 0, 1]
    m02 = poses[k, 0, 2]
    m10 = poses[k, 1, 0]
    m11 = poses[k, 1, 1]
    m12 = poses[k, 1, 2]
    m20 = poses[k, 2, 0]
    m21 = poses[k, 2, 1]
    m22 = poses[k, 2, 2]
    t0 = poses[k, 0, 3]
    t1 = poses[k, 1, 3]
    t2 = poses[k, 2, 3]
    for i in range(unsigned(count)):        # signed indices are tested for being negative
        v = unsigned(start) + i
        w = unsigned(world_start) + i
        x = vertices[v, 0]
        y = vertices[v, 1]
        z = vertices[v, 2]
        world[w, 0] = ((m00 * x + m01 * y) + m02 * z) + t0
        world[w, 1] = ((m10 * x + m11 * y) + m12 * z) + t1
        world[w, 2] = ((m20 * x + m21 * y) + m22 * z) + t2


@kernel
def round_down(x):
    low = np.float32(x)
    return low - (abs(low) * OUTWARD + TINY)


@kernel
def round_up(x):
    high = np.float32(x)
    return high + (abs(high) * OUTWARD + TINY)


@kernel
def round_vertices(world, world_start, first, last, frame, rounded):
    """rounded[i] = lo x y z · -hi x y z · of the float32 box around one vertex, for i in first … last-1: the least of
    some vertices' numbers are those of the box around them all. The last row stands for no vertex. rounded: (v+1, 8)
    for v vertices."""
    scale = frame[3]
    for i in range(unsigned(first), unsigned(last)):
        w = unsigned(world_start) + i
        for x in range(3):
            value = (world[w, x] - frame[x]) * scale
            rounded[i, x] = round_down(value)
            rounded[i, 4 + x] = round_down(-value)
        rounded[i, 3] = 0.0
        rounded[i, 7] = 0.0


@kernel
def fit_triangles(children, bottom, node_start, first, last, triangles, triangle_start, vertices, rounded, at, boxes,
                  box_start):
    """Boxes of the nodes first … last-1 of a tree over triangles, last node first: children are fitted before their
    parent, and are still in the processor's cache. vertices: their number; rounded: see `round_vertices`; at: (12,)
    int64, scratch; the last of the boxes is empty."""
    for i in range(last - 1, first - 1, -1):
        node = unsigned(node_start + i)
        if not bottom[node]:
            _fit_inner(children, node, i, boxes, box_start)
            continue
        for q in range(4):
            slot = children[node, q]
            row = unsigned(triangle_start + max(slot, 0))
            for corner in range(3):
                at[3 * q + corner] = vertices if slot < 0 else triangles[row, corner]
        around_triangles(boxes, box_start + i, rounded, at)


@kernel
def fit_boxes(children, bottom, items, frame, boxes):
    """Boxes of all nodes of a tree over boxes. items: (n,6) float64 in leaf order, lo x y z hi x y z; the last of the
    boxes is empty."""
    scale = frame[3]
    for i in range(children.shape[0] - 1, -1, -1):
        if not bottom[i]:
            _fit_inner(children, unsigned(i), i, boxes, 0)
            continue
        for q in range(4):
            slot = children[i, q]
            for x in range(3):
                boxes[i, x, q] = FAR if slot < 0 else round_down((items[slot, x] - frame[x]) * scale)
                boxes[i, 3 + x, q] = -FAR if slot < 0 else round_up((items[slot, 3 + x] - frame[x]) * scale)


def unfitted(nodes: int) -> np.ndarray:
    """Room for the boxes of so many nodes, and behind them one that is empty and overlaps none."""
    boxes = np.empty((nodes + 1, 6, 4), np.float32)
    boxes[-1, :3], boxes[-1, 3:] = FAR, -FAR
    return boxes


@kernel
def _fit_inner(children, row, i, boxes, box_start):
    """Boxes of an inner node from those of its children, which are in that row."""
    around_nodes(boxes, box_start + i, _box_of(children[row, 0], boxes, box_start),
                 _box_of(children[row, 1], boxes, box_start),
                 _box_of(children[row, 2], boxes, box_start),
                 _box_of(children[row, 3], boxes, box_start))


@kernel
def _box_of(child, boxes, box_start):
    """Where the boxes of a child are; those of one that is missing are empty."""
    if child == 0:
        return boxes.shape[0] - 1
    return box_start + (~child if child < 0 else child)
