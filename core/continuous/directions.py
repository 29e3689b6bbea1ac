# SPDX-License-Identifier: GPL-3.0-or-later
"""Directions that keep points apart: kernels."""
import math

from ..machine_code.jit import kernel

DOT_ROUNDING = 2.0 ** -49       # of a gap along a unit vector, relative to the points' distances: 2^-50 suffices
SHORTEST_DIRECTION, LONGEST_DIRECTION = 1e-150, 1e150   # vectors whose direction is certain


@kernel
def gap_along(P, first_p, count_p, Q, first_q, count_q, direction, rounding):
    """The points of P are certainly farther along a unit vector than those of Q, by this much.

    P, Q: (…,3) float64, of which the rows from `first` on count. rounding: a length that is taken off.
    """
    x = direction[0]
    y = direction[1]
    z = direction[2]
    ox = Q[first_q, 0]
    oy = Q[first_q, 1]
    oz = Q[first_q, 2]
    low = math.inf
    high = 0.0
    size = 0.0
    for k in range(first_p, first_p + count_p):
        u = P[k, 0] - ox
        v = P[k, 1] - oy
        w = P[k, 2] - oz
        size = max(size, abs(u) + abs(v) + abs(w))
        low = min(low, x * u + y * v + z * w)
    for k in range(first_q + 1, first_q + count_q):
        u = Q[k, 0] - ox
        v = Q[k, 1] - oy
        w = Q[k, 2] - oz
        size = max(size, abs(u) + abs(v) + abs(w))
        high = max(high, x * u + y * v + z * w)
    return (low - high) - DOT_ROUNDING * size - rounding


@kernel
def normal_towards(points, p, q, r, v, sign, direction):
    """direction (3,) = the unit normal of the triangle of rows p, q and r of `points` (…,3), to the side on which row v
    is, times `sign`. False where it has none."""
    ux = points[q, 0] - points[p, 0]
    uy = points[q, 1] - points[p, 1]
    uz = points[q, 2] - points[p, 2]
    vx = points[r, 0] - points[p, 0]
    vy = points[r, 1] - points[p, 1]
    vz = points[r, 2] - points[p, 2]
    x = uy * vz - uz * vy
    y = uz * vx - ux * vz
    z = ux * vy - uy * vx
    length = math.sqrt(x * x + y * y + z * z)
    if not (length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION):
        return False
    side = x * (points[v, 0] - points[p, 0]) + y * (points[v, 1] - points[p, 1]) + z * (points[v, 2] - points[p, 2])
    inverse = (sign if side > 0.0 else -sign) / length
    direction[0] = x * inverse
    direction[1] = y * inverse
    direction[2] = z * inverse
    return True
