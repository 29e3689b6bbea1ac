# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors of three double-doubles: three rows of D (n,2) float64 each, named by the first of them."""
from ..machine_code.jit import kernel
from .expansion import dd_add, dd_product, two_sum


@kernel
def subtract(P, i, j, D, row):
    """D[row:row + 3] = P[i] − P[j], exactly."""
    for k in range(3):
        D[row + k, 0], D[row + k, 1] = two_sum(P[i, k], -P[j, k])


@kernel
def dot(D, first, second):
    """Dot product of two vectors, rounded to float64 at the end. Errs by less than 2^-99 of the product of their
    lengths besides."""
    total, total_low = dd_product(D[first, 0], D[first, 1], D[second, 0], D[second, 1])
    for k in range(1, 3):
        p, p_low = dd_product(D[first + k, 0], D[first + k, 1], D[second + k, 0], D[second + k, 1])
        total, total_low = dd_add(total, total_low, p, p_low)
    return total + total_low


@kernel
def cross(D, first, second, row):
    """D[row:row + 3] = the cross product of two other vectors. A component errs by less than 2^-100 of the product of
    their lengths."""
    for k in range(3):
        y = (k + 1) % 3
        z = (k + 2) % 3
        p, p_low = dd_product(D[first + y, 0], D[first + y, 1], D[second + z, 0], D[second + z, 1])
        q, q_low = dd_product(D[first + z, 0], D[first + z, 1], D[second + y, 0], D[second + y, 1])
        D[row + k, 0], D[row + k, 1] = dd_add(p, p_low, -q, -q_low)
