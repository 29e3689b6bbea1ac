# SPDX-License-Identifier: GPL-3.0-or-later
"""The box of what two surfaces have inside each other's solid, where the pair's contacts are known.

Two links of a chain that meet at one place have a large box in common, with many triangles in it, and a small one with
all that is inside. Triangles without contacts that hang together by vertices are inside or outside as a whole; of those
with contacts, what is inside lies in the hull of the contacts and of the corners that are inside (docs/depth.md).
"""
import math

import numpy as np

from ..contacts import AREA
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..verdicts.components import root_of
from ..verdicts.rays import ON, locate_point
from .features import LENGTH_UNIT
from .local_parts import MOST_LISTED
from .local_triangles import MOST_NEAR, MOST_TRIANGLES, UNASKED, slots_in_box
from .nearest_surface import INSIDE, OUTSIDE

MOST_RAYS = 64              # of a side: with more, hardly any triangles hang together
PADDED = 2.0 ** -30         # of the larger object: more than the ends of contacts may err by
NO_PARENT = -1
NOT_HERE, HAS_CONTACT, HAS_AREA = -1, -2, -3     # of LocalPair.triangle_of, which is NOT_HERE before and after


@kernel
def shrink_common(row, low, high, contacts, pairs, trees, local, scratch):
    """True where low and high, (3,) float64, are corners of a smaller box now. Before and after, all that either
    surface of a pair has inside the other solid is in it. contacts: ContactColumns."""
    first = pairs.contact_first[row]
    last = pairs.contact_last[row]
    if last - first > MOST_LISTED:
        return False
    box = local.inner
    for x in range(3):
        box[x] = math.inf
        box[HIGH + x] = -math.inf
    for contact in range(first, last):
        widen(box, contacts.point[contact], 0)
        widen(box, contacts.point[contact], 1)
    for side in range(2):       # where contacts alone have too many triangles around, the rest is for nothing
        obj = np.int64(pairs.a[row] if side == 0 else pairs.b[row])
        if slots_in_box(obj, box[:HIGH], box[HIGH:], MOST_TRIANGLES, trees, local.near[0], scratch) > MOST_TRIANGLES:
            return False
    for side in range(2):
        obj = np.int64(pairs.a[row] if side == 0 else pairs.b[row])
        solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
        if pairs.decides[solid] != 0:
            mark(side, first, last, True, contacts, local)
            known = add_inner_parts(side, obj, solid, low, high, pairs, trees, local, scratch)
            mark(side, first, last, False, contacts, local)
            if not known:
                return False
    smaller = False
    pad = PADDED / scratch.numbers[LENGTH_UNIT]
    for x in range(3):
        smaller = smaller or box[x] - pad > low[x] or box[HIGH + x] + pad < high[x]
        low[x] = max(low[x], box[x] - pad)
        high[x] = min(high[x], box[HIGH + x] + pad)
    return smaller


@kernel
def widen(box, points, row):
    """Let a box (6,) have points[row], (n,3) float64."""
    for x in range(3):
        box[x] = min(box[x], points[row, x])
        box[HIGH + x] = max(box[HIGH + x], points[row, x])


@kernel
def mark(side, first, last, here, contacts, local):
    """Mark the triangles of a side that have contacts, or take the marks away."""
    for contact in range(first, last):
        triangle = contacts.triangle_a[contact] if side == 0 else contacts.triangle_b[contact]
        if not here:
            local.triangle_of[side, triangle] = NOT_HERE
        elif contacts.kind[contact] == AREA:        # its two ends do not say all
            local.triangle_of[side, triangle] = HAS_AREA
        elif local.triangle_of[side, triangle] == NOT_HERE:
            local.triangle_of[side, triangle] = HAS_CONTACT


@kernel
def add_inner_parts(side, obj, solid, low, high, pairs, trees, local, scratch):
    """Let local.inner have all corners of a surface that are in the solid, and triangles that lie in its surface. True
    where these are known. All that is inside is between low and high, (3,); triangles with contacts are marked."""
    corners = trees.corners
    start = corners.world_start[obj]
    count = slots_in_box(obj, low, high, MOST_NEAR, trees, local.near[side], scratch)
    if count > MOST_NEAR:
        return False
    join_triangles(side, obj, solid, count, pairs, corners, local)
    rays = 0
    for k in range(count):
        triangle = corners.triangle_start[obj] + local.near[side, k]
        for i in range(3):
            vertex = np.int64(corners.triangles[triangle, i])
            stands = root_of(local.parent, vertex)
            if local.side_of[stands] == UNASKED:
                rays += 1
                if rays > MOST_RAYS:
                    return False
                bits = np.int64(locate_point(corners.world, start + stands, solid, trees, scratch.rays))
                inside = bits & (UNDECIDED | ON | np.int64(pairs.decides[solid]))
                local.side_of[stands] = INSIDE if inside else OUTSIDE
            if local.side_of[stands] == INSIDE:
                widen(local.inner, corners.world, start + vertex)
        if local.triangle_of[side, corners.order[triangle]] == HAS_AREA:
            add_in_common(start, corners.triangles[triangle], low, high, corners.world, local.inner)
    return True


@kernel
def join_triangles(side, obj, solid, count, pairs, corners, local):
    """Put the vertices of the first `count` triangles in local.near[side] into groups that are on one side of the
    solid's surface, and mark those groups OUTSIDE that have a vertex outside its box, the others UNASKED."""
    start = corners.world_start[obj]
    for k in range(count):
        for i in range(3):
            local.parent[corners.triangles[corners.triangle_start[obj] + local.near[side, k], i]] = NO_PARENT
    for k in range(count):
        for i in range(3):
            vertex = corners.triangles[corners.triangle_start[obj] + local.near[side, k], i]
            if local.parent[vertex] == NO_PARENT:       # most are corners of six triangles
                local.parent[vertex] = vertex
                outside = is_outside(pairs.bounds[solid], corners.world, start + vertex)
                local.side_of[vertex] = OUTSIDE if outside else UNASKED
    for k in range(count):
        triangle = corners.triangle_start[obj] + local.near[side, k]
        if local.triangle_of[side, corners.order[triangle]] == NOT_HERE:
            stands = root_of(local.parent, np.int64(corners.triangles[triangle, 0]))
            for i in range(1, 3):
                other = root_of(local.parent, np.int64(corners.triangles[triangle, i]))
                local.parent[other] = stands
                if local.side_of[other] == OUTSIDE:
                    local.side_of[stands] = OUTSIDE


@kernel
def is_outside(box, points, row):
    """True where points[row], (n,3) float64, is outside a box (6,)."""
    for x in range(3):
        if points[row, x] < box[x] or points[row, x] > box[HIGH + x]:
            return True
    return False


@kernel
def add_in_common(start, vertices, low, high, world, box):
    """Let a box (6,) have what the box of a triangle has between low and high, (3,). vertices: (3,) int32."""
    for x in range(3):
        least = min(world[start + vertices[0], x], min(world[start + vertices[1], x], world[start + vertices[2], x]))
        most = max(world[start + vertices[0], x], max(world[start + vertices[1], x], world[start + vertices[2], x]))
        box[x] = min(box[x], max(least, low[x]))
        box[HIGH + x] = max(box[HIGH + x], min(most, high[x]))
