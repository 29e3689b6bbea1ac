# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of depths by the planes of a solid's triangles, in the columns of local_triangles.py.

Where the foot of a part of surface on a plane a little outside of a triangle is outside the solid as a whole, no inner
point of the part is deeper than it is far from that plane (features.py). A plane is asked once per pair for a point of
it that is outside and for the triangles that pass through it. A foot that these leave alone, together with that point,
is outside.
"""
import math

import numpy as np

from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..trees.bounds import HIGH
from ..verdicts.rays import ON, locate_point
from .features import DEPTH_MARGIN, LENGTH_UNIT
from .local_triangles import IN_DOUBT, LOCAL_STRIDE, NORMAL, PLANE_NOT_ASKED, TRIANGLE_COUNT, height
from .point_triangle import POINT_ROUNDING

MOST_ABOVE = 6              # triangles that are not below a plane, before it is too dear to ask all of them
# Of LocalPair.plane: which way a triangle's normal points; the plane serves nobody.
FACES_OUTWARD, FACES_INWARD, REFUSED = 0, 1, 2


@kernel
def lift_of(side, k, local, numbers):
    """How far outside its triangle a plane is: eight times as much as heights over it, or points, are in doubt."""
    return 8.0 * (local.columns[side, unsigned(IN_DOUBT) * LOCAL_STRIDE + unsigned(k)]
                  + (numbers[DEPTH_MARGIN] - 2.0 * POINT_ROUNDING))


@kernel
def plane_bound(side, k, count, enough, solid, decides, trees, local, scratch):
    """How deep the hull of the first `count` corners of local.ring has inner points at most, by the plane of triangle k
    of the solid, which is on this side; infinity where that does not serve, or is more than `enough`."""
    C = local.columns[side]
    P = local.corner_points
    low = high = 0.0
    for i in range(count):
        c = local.ring[i]
        local.away[i] = height(C, k, P[c, 0], P[c, 1], P[c, 2])
        low = min(low, local.away[i] - local.corner_slack[c])
        high = max(high, local.away[i] + local.corner_slack[c])
    lift = lift_of(side, k, local, scratch.numbers)
    state = local.plane[side, k]
    bound = max(high, -low) + lift
    if state == REFUSED or bound > enough or not is_foot_known(side, k, count, lift, local):
        return math.inf
    if state == PLANE_NOT_ASKED:
        state = ask_plane(side, k, local.ring[0], solid, decides, trees, local, scratch)
        local.plane[side, k] = state
        if state == REFUSED:
            return math.inf
    for i in range(count):
        local.away[i] = (lift if state == FACES_OUTWARD else -lift) - local.away[i]
    for i in range(local.above_count[side, k]):
        if not passes_by(side, k, np.int64(local.above[side, k, i]), count, local, scratch.numbers):
            return math.inf
    return bound


@kernel
def is_foot_known(side, k, count, lift, local):
    """True where all triangles of the solid are here that the foot of the first `count` corners of local.ring on the
    plane of triangle k may meet. local.away: how far above the plane they are."""
    C = local.columns[side]
    P = local.corner_points
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    for i in range(count):
        c = local.ring[i]
        slack = local.corner_slack[c] + 2.0 * lift
        for x in range(3):
            value = P[c, x] - local.away[i] * C[at + unsigned(x) * LOCAL_STRIDE]
            if value - slack < local.known[side, x] or value + slack > local.known[side, HIGH + x]:
                return False
    return True


@kernel
def passes_by(side, k, other, count, local, numbers):
    """True where the foot of the first `count` corners of local.ring on the plane of triangle k, together with the
    plane's outer point, is on one side of another triangle's plane, or beside that triangle along an axis."""
    C = local.columns[side]
    P = local.corner_points
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    doubt = lift_of(side, other, local, numbers)
    low = high = height(C, other, local.outer[side, k, 0], local.outer[side, k, 1], local.outer[side, k, 2])
    for i in range(count):
        c = local.ring[i]
        up = height(C, other, P[c, 0] + local.away[i] * C[at], P[c, 1] + local.away[i] * C[at + LOCAL_STRIDE],
                    P[c, 2] + local.away[i] * C[at + LOCAL_STRIDE + LOCAL_STRIDE])
        low = min(low, up - local.corner_slack[c])
        high = max(high, up + local.corner_slack[c])
    if low > doubt or high < -doubt:
        return True
    points = local.points[side]
    p = local.corners[side, other, 0]
    q = local.corners[side, other, 1]
    r = local.corners[side, other, 2]
    for x in range(3):
        low = high = local.outer[side, k, x]
        for i in range(count):
            c = local.ring[i]
            value = P[c, x] + local.away[i] * C[at + unsigned(x) * LOCAL_STRIDE]
            low = min(low, value - local.corner_slack[c])
            high = max(high, value + local.corner_slack[c])
        if (low - doubt > max(points[p, x], max(points[q, x], points[r, x]))
                or high + doubt < min(points[p, x], min(points[q, x], points[r, x]))):
            return True
    return False


@kernel
def ask_plane(side, k, corner, solid, decides, trees, local, scratch):
    """FACES_OUTWARD, FACES_INWARD or REFUSED: whether the foot of a corner on the plane of triangle k is outside the
    solid, to which side of the triangle. That foot becomes the plane's outer point."""
    C = local.columns[side]
    P = local.corner_points
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    up = height(C, k, P[corner, 0], P[corner, 1], P[corner, 2])
    lift = lift_of(side, k, local, scratch.numbers)
    for way in range(2):
        if not list_above(side, k, way, lift, local):
            continue
        move = (lift if way == FACES_OUTWARD else -lift) - up
        for x in range(3):
            local.outer[side, k, x] = P[corner, x] + move * C[at + unsigned(x) * LOCAL_STRIDE]
            scratch.points[0, x] = local.origin[x] + local.outer[side, k, x] / scratch.numbers[LENGTH_UNIT]
        bits = np.int64(locate_point(scratch.points, 0, solid, trees, scratch.rays))
        if not bits & (UNDECIDED | ON | decides):
            return np.int64(way)
    return np.int64(REFUSED)


@kernel
def list_above(side, k, way, lift, local):
    """True where the triangles of a side that are not all below a plane are few, and listed."""
    C = local.columns[side]
    turn = 1.0 if way == FACES_OUTWARD else -1.0
    count = 0
    for other in range(local.sizes[side, TRIANGLE_COUNT]):
        for i in range(3):
            corner = local.corners[side, other, i]
            if turn * height(C, k, local.points[side, corner, 0], local.points[side, corner, 1],
                             local.points[side, corner, 2]) > 0.5 * lift:
                if count == MOST_ABOVE:
                    return False
                local.above[side, k, count] = other
                count += 1
                break
    local.above_count[side, k] = count
    return True
