# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two triangles certainly pass through each other? By the signs of float64 determinants that exceed their bounds.

What is in general position, and not nearer to a border than rounding, is told in a tenth of a microsecond. A search for
the distance, which is zero, would try all features in double-double in vain.
"""
from ..machine_code.jit import kernel
from .orientation import BOUND_3D

SURE_BOUND = 2.0 * BOUND_3D     # of a determinant, relative to its permanent: half of it suffices without underflow,
SMALLEST_PERMANENT = 1e-200     # which takes no more than 1e-222 off a product of numbers up to 1e100


@kernel
def surely_cross(P):
    """True where an edge of one of the two triangles in P (6,3) certainly passes through the other one. False says
    nothing. No number may be beyond 1e100."""
    for face in range(0, 6, 3):
        other = 3 - face
        p = other + 2
        side_p = sure_side(P, face, face + 1, face + 2, p)
        for q in range(other, other + 3):
            side_q = sure_side(P, face, face + 1, face + 2, q)
            if side_p * side_q < 0.0:
                turn = sure_side(P, p, q, face, face + 1)
                if (turn != 0.0 and sure_side(P, p, q, face + 1, face + 2) == turn
                        and sure_side(P, p, q, face + 2, face) == turn):
                    return True
            p = q
            side_p = side_q
    return False


@kernel
def sure_side(P, a, b, c, d):
    """1.0 or -1.0, the sign of the determinant of a−d, b−d, c−d, rows of P; 0.0 where float64 does not tell."""
    ax = P[a, 0] - P[d, 0]
    ay = P[a, 1] - P[d, 1]
    az = P[a, 2] - P[d, 2]
    bx = P[b, 0] - P[d, 0]
    by = P[b, 1] - P[d, 1]
    bz = P[b, 2] - P[d, 2]
    cx = P[c, 0] - P[d, 0]
    cy = P[c, 1] - P[d, 1]
    cz = P[c, 2] - P[d, 2]
    value = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    permanent = (abs(ax) * (abs(by * cz) + abs(bz * cy)) + abs(ay) * (abs(bz * cx) + abs(bx * cz))
                 + abs(az) * (abs(bx * cy) + abs(by * cx)))
    if not (permanent > SMALLEST_PERMANENT and abs(value) > SURE_BOUND * permanent):    # also beyond all numbers
        return 0.0
    return 1.0 if value > 0.0 else -1.0
