# SPDX-License-Identifier: GPL-3.0-or-later
"""Where trees are in the world: vertices moved, boxes fitted from the leaves up.

A world coordinate is, by definition, the float64 number `world_coordinate`. Boxes are float32 and rounded outward, so
that they hold their triangles. Their numbers are (world coordinate − origin) · scale, with one origin and one
power-of-two scale for all objects (the *quantization*): objects far from the origin, or of extreme size, are still told
apart.
"""
import numpy as np

from ...machine_code.jit import kernel, unsigned
from ..bounds import HIGH
from .nodes import EMPTY, node_of
from .refit_bounds import bound_nodes, bound_triangles

OUTWARD_RELATIVE = np.float32(1.2e-7)   # > 2^-23: two roundings to float32 cannot undo it
SUBNORMAL_OUTWARD = np.float32(1e-37)   # and the same for subnormal numbers
EMPTY_BOX_EDGE = np.float32(3e38)       # an empty box runs from EMPTY_BOX_EDGE to -EMPTY_BOX_EDGE


@kernel
def world_coordinate(m0, m1, m2, m3, x, y, z):
    """One world coordinate of the vertex (x, y, z), from a row of its object's pose."""
    return ((m0 * x + m1 * y) + m2 * z) + m3


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
        world[w, 0] = world_coordinate(m00, m01, m02, t0, x, y, z)
        world[w, 1] = world_coordinate(m10, m11, m12, t1, x, y, z)
        world[w, 2] = world_coordinate(m20, m21, m22, t2, x, y, z)


@kernel
def round_down(x):
    """A float32 number below x."""
    low = np.float32(x)
    return low - (abs(low) * OUTWARD_RELATIVE + SUBNORMAL_OUTWARD)


@kernel
def round_up(x):
    """A float32 number above x."""
    high = np.float32(x)
    return high + (abs(high) * OUTWARD_RELATIVE + SUBNORMAL_OUTWARD)


@kernel
def round_vertices(world, world_start, first, last, quantization, rounded):
    """rounded[i] = lo x y z · -hi x y z · of the float32 box around vertex i, for i in first … last-1.

    The least of some vertices' numbers are those of the box around them all. The last row stands for no vertex.
    rounded: (v+1, 8) for v vertices.
    """
    scale = quantization[3]
    for i in range(unsigned(first), unsigned(last)):
        w = unsigned(world_start) + i
        for x in range(3):
            value = (world[w, x] - quantization[x]) * scale
            rounded[i, x] = round_down(value)
            rounded[i, 4 + x] = round_down(-value)
        rounded[i, 3] = 0.0
        rounded[i, 7] = 0.0


@kernel
def fit_triangles(obj, first, last, placement, scratch):
    """Fit the boxes of the nodes first … last-1 of an object's tree to its rounded vertices.

    The last node comes first: children are fitted before their parent, and are still in the processor's cache then.
    placement: Placement; scratch: RefitScratch, of which `rounded` is filled. The last row of all boxes is empty.
    """
    trees = placement.trees
    children = trees.children
    boxes = trees.boxes
    triangles = trees.corners.triangles
    leaf = placement.leaf
    rounded = scratch.rounded
    rows = scratch.rows
    node_start = trees.node_start[obj]
    box_start = trees.box_start[obj]
    triangle_start = trees.corners.triangle_start[obj]
    nowhere = placement.vertex_count[obj]
    for i in range(last - 1, first - 1, -1):
        node = unsigned(node_start + i)
        if not leaf[node]:
            _fit_inner(children, node, i, boxes, box_start)
            continue
        for q in range(4):
            slot = children[node, q]
            triangle = unsigned(triangle_start + max(slot, 0))
            for corner in range(3):
                rows[3 * q + corner] = nowhere if slot < 0 else triangles[triangle, corner]
        bound_triangles(boxes, box_start + i, rounded, rows)


@kernel
def fit_boxes(children, leaf, items, quantization, boxes):
    """Fit all nodes of a tree to the boxes of its items. items: (n,6) float64 in leaf order, lo x y z hi x y z. The
    last row of `boxes` is empty."""
    scale = quantization[3]
    for i in range(children.shape[0] - 1, -1, -1):
        if not leaf[i]:
            _fit_inner(children, unsigned(i), i, boxes, 0)
            continue
        for q in range(4):
            slot = children[i, q]
            for x in range(3):
                low = (items[slot, x] - quantization[x]) * scale
                high = (items[slot, HIGH + x] - quantization[x]) * scale
                boxes[i, x, q] = EMPTY_BOX_EDGE if slot < 0 else round_down(low)
                boxes[i, HIGH + x, q] = -EMPTY_BOX_EDGE if slot < 0 else round_up(high)


def empty_boxes(nodes: int) -> np.ndarray:
    """(nodes + 1, 6, 4) float32: memory for the boxes of so many nodes, and behind them one that is empty and overlaps
    none."""
    boxes = np.empty((nodes + 1, 6, 4), np.float32)
    boxes[-1, :HIGH], boxes[-1, HIGH:] = EMPTY_BOX_EDGE, -EMPTY_BOX_EDGE
    return boxes


@kernel
def _fit_inner(children, row, i, boxes, box_start):
    """Fit inner node i to its children, which are in that row of `children`."""
    bound_nodes(boxes, box_start + i, _box_of(children[row, 0], boxes, box_start),
                _box_of(children[row, 1], boxes, box_start),
                _box_of(children[row, 2], boxes, box_start),
                _box_of(children[row, 3], boxes, box_start))


@kernel
def _box_of(child, boxes, box_start):
    """The row of a child's boxes: for a missing child the last one, which is empty."""
    if child == EMPTY:
        return boxes.shape[0] - 1
    return box_start + node_of(np.int64(child))
