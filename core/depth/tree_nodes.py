# SPDX-License-Identifier: GPL-3.0-or-later
"""A node of the surface that is searched: the bounds of its children, and the triangles of leaves as first pieces."""
import math

import numpy as np

from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..trees.bvh.nodes import EMPTY, is_leaf, node_of
from .cutting import clip_to_box, sticks_out
from .features import BEST, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT
from .items import ITEM_FEATURES, NODE, SIDE, push
from .measuring import bound_by_known, remember
from .nearest_surface import INSIDE, distance_to, nearest_surface, side_of
from .pieces import push_piece, too_shallow


@kernel
def open_node(item, code, bound, surface, solid, pairs, trees, items, scratch):
    """Make items of the children of a node of the object `surface` that may be deepest in the object `solid`. item:
    the node's row; bound: its own."""
    node = node_of(code)
    side = np.int64(items.kind[item, SIDE])
    near = np.int64(items.features[item, 0])
    for x in range(4):
        scratch.known[x] = items.known[item, x]
    known = scratch.known[0], scratch.known[1], scratch.known[2], scratch.known[3]
    for q in range(4):
        child = np.int64(trees.children[trees.node_start[surface] + node, q])
        for x in range(4):
            scratch.known[x] = known[x]
        if is_leaf(code):
            if child >= 0:
                open_triangle(child, side, near, bound, surface, solid, pairs, trees, items, scratch)
        elif child != EMPTY and common_box(trees, surface, node, q, pairs.bounds[solid], scratch):
            own, nearest = child_bound(bound, near, solid, pairs, trees, scratch)
            if not too_shallow(own, scratch.numbers[LEEWAY], scratch.numbers):
                new = push(items, own)
                items.kind[new, SIDE] = side
                items.kind[new, NODE] = child
                items.features[new, 0] = nearest
                for x in range(4):
                    items.known[new, x] = scratch.known[x]


@kernel
def common_box(trees, surface, node, q, bounds, scratch):
    """True where the box of child q of a node meets the box `bounds` (6,); scratch.polygons[0, 0:2] is then what they
    have in common, lowest and highest corner."""
    row = trees.box_start[surface] + node
    margin = scratch.numbers[DEPTH_MARGIN] / scratch.numbers[LENGTH_UNIT]
    P = scratch.polygons[0]
    for x in range(3):
        low = np.float64(trees.boxes[row, x, q]) / trees.quantization[3] + trees.quantization[x]
        high = np.float64(trees.boxes[row, HIGH + x, q]) / trees.quantization[3] + trees.quantization[x]
        P[0, x] = max(low, bounds[x]) - margin
        P[1, x] = min(high, bounds[HIGH + x]) + margin
        if P[0, x] > P[1, x]:
            return False
    return True


@kernel
def child_bound(bound, near, solid, pairs, trees, scratch):
    """(bound, slot of the nearest triangle) of the box in scratch.polygons[0, 0:2]. bound: of the parent; near: the
    slot of a triangle that may be near, -1: none."""
    numbers = scratch.numbers
    unit = numbers[LENGTH_UNIT]
    P = scratch.polygons[0]
    if near >= 0:
        bound = min(bound, farthest_corner(bound, near, solid, trees, scratch))
        if bound <= numbers[BEST] + numbers[LEEWAY]:
            return bound, near
    square = 0.0
    for x in range(3):
        scratch.points[0, x] = 0.5 * P[0, x] + 0.5 * P[1, x]
        square += squared((P[1, x] - P[0, x]) * unit)
    radius = 0.5 * math.sqrt(square)
    distance, least, nearest = nearest_surface(solid, near, trees, unit, scratch)
    scratch.tests[0] += 1
    bound = min(bound, distance + radius)
    if nearest != near:
        bound = min(bound, farthest_corner(bound, nearest, solid, trees, scratch))
    if bound <= numbers[BEST] + numbers[LEEWAY]:
        return bound, nearest
    where = side_of(solid, pairs.decides[solid], distance, trees, unit, scratch)
    if where != INSIDE and where != UNDECIDED:
        bound = min(bound, radius - least)
    remember(where, least - numbers[DEPTH_MARGIN], scratch)
    return bound, nearest


@kernel
def farthest_corner(limit, slot, solid, trees, scratch):
    """The largest distance of a corner of the box in scratch.polygons[0, 0:2] to a triangle, or one beyond `limit`."""
    P = scratch.polygons[0]
    farthest = 0.0
    for corner in range(8):
        if farthest < limit:
            for x in range(3):
                scratch.points[1, x] = P[(corner >> x) & 1, x]
            distance = distance_to(scratch.points[1], solid, slot, trees, scratch.numbers[LENGTH_UNIT], scratch)
            farthest = max(farthest, distance)
    return farthest


@kernel
def open_triangle(slot, side, near, bound, surface, solid, pairs, trees, items, scratch):
    """Make pieces of what a triangle has in the box of the solid."""
    numbers = scratch.numbers
    corners = trees.corners
    box = pairs.bounds[solid]
    P = scratch.polygons[0]
    for i in range(3):
        vertex = corners.world_start[surface] + corners.triangles[corners.triangle_start[surface] + slot, i]
        for x in range(3):
            P[i, x] = corners.world[vertex, x]
    margin = numbers[DEPTH_MARGIN] / numbers[LENGTH_UNIT]
    for x in range(3):
        if (max(P[0, x], max(P[1, x], P[2, x])) < box[x] - margin
                or min(P[0, x], min(P[1, x], P[2, x])) > box[HIGH + x] + margin):
            return
    bound = bound_by_known(P, bound, scratch)
    if too_shallow(bound, numbers[LEEWAY], numbers):
        return
    if near >= 0:
        farthest = 0.0
        for i in range(3):
            farthest = max(farthest, distance_to(P[i], solid, near, trees, numbers[LENGTH_UNIT], scratch))
        if too_shallow(min(bound, farthest), numbers[LEEWAY], numbers):
            return
        if farthest < bound:
            bound = farthest
    count = 3
    if sticks_out(P, box):
        count = clip_to_box(box, margin, scratch.polygons, scratch.heights)
    scratch.features[0] = near
    for k in range(1, ITEM_FEATURES):
        scratch.features[k] = -1
    for i in range(1, count - 1):
        for x in range(3):
            scratch.base[0, x] = P[0, x]
            scratch.base[1, x] = P[i, x]
            scratch.base[2, x] = P[i + 1, x]
            for corner in range(3):
                scratch.shares[corner, x] = 1.0 if corner == x else 0.0
        for corner in range(3 if near >= 0 else 0):
            scratch.distances[0, corner] = distance_to(scratch.base[corner], solid, near, trees, numbers[LENGTH_UNIT],
                                                       scratch)
        push_piece(side, bound, -1, 0, 1, 2, items, scratch)
