# SPDX-License-Identifier: GPL-3.0-or-later
"""Points against one mesh: inside, outside or on the surface, by one ray each through its tree and exact signs."""
import numpy as np

from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..records import RayScratch
from ..trees.bounds import HIGH
from ..trees.bvh.node_overlap import MASK_ROW, lowest_bit, node_overlap_16
from ..trees.bvh.nodes import is_leaf, node_of
from ..trees.bvh.refit import EMPTY_BOX_EDGE, round_down, round_up
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from .rays import ODD, ON, STACK_SIZE, START, WOUND, start_at


def point_scratch() -> RayScratch:
    """Memory for the rays of one thread."""
    ray = np.empty((1, 6, 4), np.float32)
    ray[:, :HIGH], ray[:, HIGH:] = EMPTY_BOX_EDGE, -EMPTY_BOX_EDGE
    return RayScratch(np.empty((START + 1, 3)), np.empty(EXPANSION_SIZE), ray, np.empty(STACK_SIZE, np.int32))


@kernel
def locate_points(points, first, last, trees, scratch, answer):
    """answer[k] = ON, or else ODD and WOUND for the crossings of the ray from points[k] to larger x, first ≤ k < last;
    UNDECIDED where numbers span too much for exact signs.

    points: (n,3) float64; trees: PlacedTrees, whose first object is the mesh; scratch: RayScratch; answer: (n,) uint8.
    """
    P = scratch.P
    expansion = scratch.expansion
    ray = scratch.ray
    stack = scratch.stack
    boxes = trees.boxes
    children = trees.children
    quantization = trees.quantization
    triangles = trees.corners.triangles
    world = trees.corners.world
    for k in range(first, last):
        for x in range(3):
            P[START, x] = points[k, x]
            ray[0, x, 0] = round_down((points[k, x] - quantization[x]) * quantization[3])
            ray[0, HIGH + x, 0] = round_up((points[k, x] - quantization[x]) * quantization[3])
        near = ray[0, HIGH, 0]
        ray[0, HIGH, 0] = EMPTY_BOX_EDGE
        bits = 0
        crossings = 0
        winding = 0
        stack[0] = trees.root[0]
        depth = 1
        while depth > 0:
            depth -= 1
            code = np.int64(stack[depth])
            node = node_of(code)
            mask = node_overlap_16(ray, 0, boxes, node) & MASK_ROW
            while mask != 0:
                q = lowest_bit(mask)
                mask &= mask - np.uint32(1)
                child = children[node, q]
                if not is_leaf(code):
                    stack[depth] = child
                    depth += 1
                    continue
                for i in range(3):
                    for x in range(3):
                        P[i, x] = world[triangles[child, i], x]
                exponent = scale_exponent(P)
                if exponent == NO_EXPONENT:
                    bits |= UNDECIDED
                    continue
                scale_rows(P, exponent)
                if boxes[node, 0, q] <= near and _is_on(P, expansion):
                    bits |= ON
                turn = _crossing(P, expansion)
                scale_rows(P, -exponent)
                winding += turn
                crossings += turn != 0
        if bits == 0:
            bits = (ODD if crossings & 1 else 0) | (WOUND if winding != 0 else 0)
        answer[k] = ON if bits & ON else bits


@kernel
def is_on_surface(points, row, obj, trees, scratch):
    """True where points[row], (n,3) float64, lies on a triangle of an object. scratch: RayScratch of `ray_scratch`."""
    P = scratch.P
    corners = trees.corners
    start_at(points, row, P)
    for x in range(3):
        set_box(scratch.ray, x, points[row, x], points[row, x], trees.quantization)
    at = before_first(obj, trees, scratch.stack)
    while True:
        slot, at = next_triangle(scratch.ray, trees, scratch.stack, at)
        if slot == NO_TRIANGLE:
            return False
        for i in range(3):
            corner = corners.world_start[obj] + corners.triangles[corners.triangle_start[obj] + slot, i]
            for x in range(3):
                P[i, x] = corners.world[corner, x]
        exponent = scale_exponent(P)
        if exponent != NO_EXPONENT:
            scale_rows(P, exponent)
            on = _is_on(P, scratch.expansion)
            scale_rows(P, -exponent)
            if on:
                return True


@kernel
def _is_on(P, expansion):
    """True where the point lies on the triangle in rows 0 … 2, which may be a segment or a point."""
    for x in range(3):
        if (P[START, x] < min(P[0, x], min(P[1, x], P[2, x]))
                or P[START, x] > max(P[0, x], max(P[1, x], P[2, x]))):
            return False
    if orientation3(P, 0, 1, 2, START, 0, expansion) != 0.0:
        return False
    # In the plane: along no axis may the point be seen off the triangle's shadow. Where the triangle has an area, one
    # axis decides. A segment's shadow has no area, but three shadows and the box leave only the segment's points.
    for axis in range(3):
        y = (axis + 1) % 3
        z = (axis + 2) % 3
        left = False
        right = False
        for i in range(3):
            side = orientation2(P, i, (i + 1) % 3, START, y, z, 0, expansion)
            left = left or side > 0.0
            right = right or side < 0.0
        if left and right:
            return False
    return True


@kernel
def _crossing(P, expansion):
    """1 or -1 where the ray from the point along x leaves or enters through the triangle, else 0.

    This is the winding number of the triangle's shadow along x around the point. An edge counts where it passes the
    height of the point on z beyond it on y. An edge through the point itself does not count, for all triangles that
    share it, as if the point were shifted a little.
    """
    turn = 0
    for i in range(3):
        j = (i + 1) % 3
        i_below = P[i, 2] <= P[START, 2]
        j_below = P[j, 2] <= P[START, 2]
        if i_below != j_below:
            side = orientation2(P, i, j, START, 1, 2, 0, expansion)
            turn += i_below and side > 0.0
            turn -= j_below and side < 0.0
    if turn == 0:
        return 0
    return turn if orientation3(P, 0, 1, 2, START, 0, expansion) * turn > 0.0 else 0
