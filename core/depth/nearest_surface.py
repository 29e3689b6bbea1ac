# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep a point is in a solid: its distance to the surface, by a search down the tree, and the side it is on.

A depth is positive inside and negative outside, in units of the pair (`unit`).
"""
import math

import numpy as np

from ..distance.nearest import box_limit
from ..distance.node_distance import box_distance_4
from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..trees.bvh.node_overlap import lowest_bit
from ..trees.bvh.nodes import EMPTY, is_leaf, node_of
from ..trees.bvh.refit import round_down, round_up
from ..verdicts.rays import ON, locate_point
from .point_triangle import corner_rows, to_triangle

INSIDE, OUTSIDE, ON_SURFACE = 1, -1, 0                         # sides that a point is on, beside UNDECIDED


@kernel
def distance_to(point, obj, slot, trees, unit, scratch):
    """The distance of a point (3,) to one triangle of a placed object. scratch: DepthScratch."""
    corner_rows(trees.corners, obj, slot, scratch.rows)
    return math.sqrt(to_triangle(point, trees.corners.world, scratch.rows, unit, math.inf)[0])


@kernel
def nearest_surface(obj, slot, trees, unit, scratch):
    """(distance, lower bound of it, slot of the nearest triangle) of the point scratch.points[0] to an object's
    surface. slot: of a triangle that may be near, -1: none. The lower bound leaves ROUNDING out.

    Where millions of triangles are equally near, as of the centre of a ball, it looks at all of them. Once scratch.stop
    is set, it ends at once, and what it says is worth nothing: infinitely far, which lets no search go on, and some
    triangle that there is."""
    children = trees.children
    boxes = trees.boxes
    stack = scratch.stack
    lower_bounds = scratch.lower_bounds
    rows = scratch.rows
    scale = trees.quantization[3]
    point = scratch.points[0]
    square = math.inf
    least = math.inf
    if slot >= 0:
        corner_rows(trees.corners, obj, slot, rows)
        square, _, _, doubt = to_triangle(point, trees.corners.world, rows, unit, math.inf)
        least = math.sqrt(square) - doubt
    for x in range(3):
        value = (point[x] - trees.quantization[x]) * scale
        scratch.box[0, x, 0] = round_down(value)
        scratch.box[0, HIGH + x, 0] = round_up(value)
    stack[0] = trees.root[obj]
    lower_bounds[0] = 0.0
    limit = box_limit(math.sqrt(square) / unit, scale)
    depth = 1
    while depth > 0:
        if scratch.stop[0] != 0:
            return math.inf, math.inf, max(slot, np.int64(0))
        depth -= 1
        if lower_bounds[depth] > limit:
            continue
        code = np.int64(stack[depth])
        node = node_of(code)
        row = trees.node_start[obj] + node
        mask = box_distance_4(scratch.box, boxes, trees.box_start[obj] + node, limit, scratch.apart)
        base = depth
        while mask != 0:
            q = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            child = np.int64(children[row, q])
            if is_leaf(code):
                if child >= 0 and child != slot:    # that one was measured
                    corner_rows(trees.corners, obj, child, rows)
                    other, _, _, doubt = to_triangle(point, trees.corners.world, rows, unit, square)
                    if other < square or doubt > 0.0:       # else it is no nearer, whatever is in doubt
                        least = min(least, math.sqrt(other) - doubt)
                    if other < square:
                        square = other
                        slot = child
                        limit = box_limit(math.sqrt(square) / unit, scale)
            elif child != EMPTY:
                depth = _push(stack, lower_bounds, base, depth, child, scratch.apart[q])
    return math.sqrt(square), least, slot


@kernel
def _push(stack, lower_bounds, base, depth, child, lower_bound):
    """The new depth of the stack with one node more: rows base … depth - 1 stay in order, the nearest on top."""
    k = depth
    while k > base and lower_bounds[k - 1] < lower_bound:
        lower_bounds[k] = lower_bounds[k - 1]
        stack[k] = stack[k - 1]
        k -= 1
    lower_bounds[k] = lower_bound
    stack[k] = child
    return depth + 1


@kernel
def side_of(obj, decides, distance, trees, unit, scratch):
    """The side of an object's surface on which the point scratch.points[0] is.

    decides: the bit of a ray that means "inside". A point is on the side of another point that is nearer to it than to
    the surface: scratch.known, (4,), is one, or has the depth 0.
    """
    depth = scratch.known[3]
    if depth != 0.0:
        square = 0.0
        for x in range(3):
            square += squared((scratch.points[0, x] - scratch.known[x]) * unit)
        if math.sqrt(square) < abs(depth):
            return np.int64(INSIDE if depth > 0.0 else OUTSIDE)
    if distance == 0.0:
        return np.int64(ON_SURFACE)
    bits = np.int64(locate_point(scratch.points, 0, obj, trees, scratch.rays))
    if bits & UNDECIDED:
        return np.int64(UNDECIDED)
    if bits & ON:
        return np.int64(ON_SURFACE)
    return np.int64(INSIDE if bits & decides else OUTSIDE)


@kernel
def nearest_point(obj, slot, trees, unit, scratch):
    """Write scratch.points[1], the point of one triangle that is nearest to scratch.points[0]."""
    rows = scratch.rows
    world = trees.corners.world
    corner_rows(trees.corners, obj, slot, rows)
    _, s, t, _ = to_triangle(scratch.points[0], world, rows, unit, math.inf)
    for x in range(3):
        origin = world[rows[0], x]
        scratch.points[1, x] = origin + (s * (world[rows[1], x] - origin) + t * (world[rows[2], x] - origin))
