# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends of contacts: which are one, how far they may be off, and what is clear of that."""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel, unsigned
from .local_triangles import IN_DOUBT, LOCAL_STRIDE, LONGEST_EDGE, NORMAL, TO_SECOND, TO_THIRD, height

SAME_END = 2.0 ** -40       # ends that are nearer are one
MUCH_LONGER = 4.0           # times as long as the other triangle's, a longest edge: ends of contacts are seldom on it
# Ends of contacts are rounded as well: by no more than local.end_doubt, which is what counts far from the origin.
PLACED = 2.0 ** -39         # of an edge: twice as much as the end of a contact may err along it
CLEARLY = 2.0 ** -35        # farther than this from a plane or a line is not in doubt
END_DOUBTS = 4.0            # so many roundings of an end more
FOOT_ROUNDED = 2.0 ** -48   # of a point's distance from a line or a plane: more than they can be
HEIGHT_OVER = 2.0           # times the longest edge of a triangle, a point on it is from its corners, and more
LEAST_COSINE_ACROSS = 2.0 ** -10    # of an edge and a normal: an edge that is nearer to the plane tells nothing


@kernel
def same_end(first, end, P):
    """The last of some points that is where the point `end` behind them is; else that one."""
    x = P[end, 0]
    for same in range(end - 1, first - 1, -1):      # contacts of triangles that are listed together mostly meet
        if abs(P[same, 0] - x) <= SAME_END and (squared(P[same, 0] - x) + squared(P[same, 1] - P[end, 1])
                                                + squared(P[same, 2] - P[end, 2])) <= SAME_END * SAME_END:
            return same
    return end


@kernel
def end_slack(side, k, contact, x, y, z, contacts, local):
    """How far the end x, y, z of a contact of triangle k of a side may be off, along the edge that it is on."""
    triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
    other = np.int64(local.triangle_of[1 - side, triangle])
    at = unsigned(LONGEST_EDGE) * LOCAL_STRIDE
    own = local.columns[side, at + unsigned(k)]
    beside = local.columns[1 - side, at + unsigned(other)]
    longest = max(own, beside)
    shortest = min(own, beside)
    # Hardly any is on the edges of a large floor, say: they are on those of the small thing that stands there.
    if longest > MUCH_LONGER * shortest:
        longer = side if own > beside else 1 - side
        large, small = (k, other) if longer == side else (other, k)
        if is_within(local.columns[longer], large, x, y, z, local):
            longest = shortest
        else:
            across = off_edges(longer, large, small, x, y, z, local)
            return min(PLACED * longest, max(PLACED * shortest, across)) + local.end_doubt[0]
    return PLACED * longest + local.end_doubt[0]


@kernel
def off_edges(longer, large, small, x, y, z, local):
    """How far a point is at most from where an edge of triangle `large` of a side passes the plane of triangle `small`
    of the other one, of those edges that it may be on."""
    C = local.columns[longer]
    D = local.columns[1 - longer]
    at = unsigned(small)
    turned = D[unsigned(IN_DOUBT) * LOCAL_STRIDE + at]
    around = HEIGHT_OVER * D[unsigned(LONGEST_EDGE) * LOCAL_STRIDE + at]
    up = abs(height(D, small, x, y, z)) + around * turned + FOOT_ROUNDED + local.end_doubt[0]
    at += unsigned(NORMAL) * LOCAL_STRIDE
    nx, ny, nz = D[at], D[at + LOCAL_STRIDE], D[at + LOCAL_STRIDE + LOCAL_STRIDE]
    (wx, wy, wz), (ux, uy, uz), (vx, vy, vz) = from_first_corner(C, large, x, y, z)
    most = 0.0
    for i in range(3):
        ex, ey, ez = ux, uy, uz
        if i == 1:
            ex, ey, ez = vx, vy, vz
        elif i == 2:
            wx, wy, wz, ex, ey, ez = wx - ux, wy - uy, wz - uz, vx - ux, vy - uy, vz - uz
        beside = from_line(wx, wy, wz, ex, ey, ez)
        if beside > clear_of_ends(local):
            continue
        beside += FOOT_ROUNDED + local.end_doubt[0]
        cosine = abs(nx * ex + ny * ey + nz * ez) / math.sqrt(ex * ex + ey * ey + ez * ez) - turned
        most = max(most, beside + (up + beside) / cosine) if cosine > LEAST_COSINE_ACROSS else math.inf
    return most


@kernel
def is_within(C, k, x, y, z, local):
    """True where a point in triangle k of the columns C is clearly not on one of its edges."""
    (wx, wy, wz), (ux, uy, uz), (vx, vy, vz) = from_first_corner(C, k, x, y, z)
    clearly = clear_of_ends(local)
    return (from_line(wx, wy, wz, ux, uy, uz) > clearly and from_line(wx, wy, wz, vx, vy, vz) > clearly
            and from_line(wx - ux, wy - uy, wz - uz, vx - ux, vy - uy, vz - uz) > clearly)


@kernel
def from_first_corner(C, k, x, y, z):
    """Where a point, the second and the third corner of triangle k of the columns C are, from its first corner: three
    (x, y, z)."""
    at = unsigned(k)
    point = x - C[at], y - C[at + LOCAL_STRIDE], z - C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    at += unsigned(TO_SECOND) * LOCAL_STRIDE
    second = C[at], C[at + LOCAL_STRIDE], C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    at += unsigned(TO_THIRD - TO_SECOND) * LOCAL_STRIDE
    return point, second, (C[at], C[at + LOCAL_STRIDE], C[at + LOCAL_STRIDE + LOCAL_STRIDE])


@kernel
def from_line(wx, wy, wz, ex, ey, ez):
    """How far a point w is from the line through the origin along e, whose length is not 0."""
    x, y, z = wy * ez - wz * ey, wz * ex - wx * ez, wx * ey - wy * ex
    return math.sqrt((x * x + y * y + z * z) / (ex * ex + ey * ey + ez * ez))


@kernel
def clear_of_ends(local):
    """What is farther from a plane or a line is not in doubt, also where the ends of contacts are rounded."""
    return CLEARLY + END_DOUBTS * local.end_doubt[0]
