# SPDX-License-Identifier: GPL-3.0-or-later
"""The point where a segment meets a plane, or a line in a plane, from the heights of its ends."""
from ..machine_code.jit import kernel


@kernel
def add_between(P, p, q, weight_p, weight_q, points, n):
    """Add the point that divides pq by two weights of opposite sign, signed distances of p and q. Returns n + 1."""
    t = weight_p / (weight_p - weight_q)
    # From the nearer end, so that the larger share of the coordinate is exact.
    if t <= 0.5:
        for x in range(3):
            points[n, x] = P[p, x] + t * (P[q, x] - P[p, x])
    else:
        t = weight_q / (weight_q - weight_p)
        for x in range(3):
            points[n, x] = P[q, x] + t * (P[p, x] - P[q, x])
    return n + 1
