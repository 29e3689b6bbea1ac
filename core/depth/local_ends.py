# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends of contacts: which are one, how far they may be off, and what is clear of that."""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel, unsigned
from .local_triangles import LOCAL_STRIDE, LONGEST_EDGE, TO_SECOND, TO_THIRD

SAME_END = 2.0 ** -40       # ends that are nearer are one
MUCH_LONGER = 4.0           # times as long as the other triangle's, a longest edge: ends of contacts are seldom on it
# Ends of contacts are rounded as well: by no more than local.end_doubt, which is what counts far from the origin.
PLACED = 2.0 ** -39         # of an edge: twice as much as the end of a contact may err along it
CLEARLY = 2.0 ** -35        # farther than this from a plane or a line is not in doubt
END_DOUBTS = 4.0            # so many roundings of an end more


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
    # Hardly any is on the edges of a large floor, say: they are on those of the small thing that stands there.
    if longest > MUCH_LONGER * min(own, beside):
        longer = side if own > beside else 1 - side
        if is_within(local.columns[longer], k if longer == side else other, x, y, z, local):
            longest = min(own, beside)
    return PLACED * longest + local.end_doubt[0]


@kernel
def is_within(C, k, x, y, z, local):
    """True where a point in triangle k of the columns C is clearly not on one of its edges."""
    at = unsigned(k)
    wx, wy, wz = x - C[at], y - C[at + LOCAL_STRIDE], z - C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    at += unsigned(TO_SECOND) * LOCAL_STRIDE
    ux, uy, uz = C[at], C[at + LOCAL_STRIDE], C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    at += unsigned(TO_THIRD - TO_SECOND) * LOCAL_STRIDE
    vx, vy, vz = C[at], C[at + LOCAL_STRIDE], C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    clearly = clear_of_ends(local)
    return (from_line(wx, wy, wz, ux, uy, uz) > clearly and from_line(wx, wy, wz, vx, vy, vz) > clearly
            and from_line(wx - ux, wy - uy, wz - uz, vx - ux, vy - uy, vz - uz) > clearly)


@kernel
def from_line(wx, wy, wz, ex, ey, ez):
    """How far a point w is from the line through the origin along e, whose length is not 0."""
    x, y, z = wy * ez - wz * ey, wz * ex - wx * ez, wx * ey - wy * ex
    return math.sqrt((x * x + y * y + z * z) / (ex * ex + ey * ey + ez * ez))


@kernel
def clear_of_ends(local):
    """What is farther from a plane or a line is not in doubt, also where the ends of contacts are rounded."""
    return CLEARLY + END_DOUBTS * local.end_doubt[0]
