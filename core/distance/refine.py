# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two triangles again, in double-double, where float64 cannot tell it well enough: a gap of less than
some thousandths of the triangles' size, or needles.

The feature that float64 found is kept and its two numbers are improved: residuals in double-double, corrections in
float64 (iterative refinement, Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 12). Then the same
two bounds as in triangles.py are taken.
"""
import math

from ..geometry.expansion import dd_add, dd_product, two_product, two_sum
from ..machine_code.jit import kernel
from .triangles import FACE_OF_B, PARALLEL, rows_of

ROUNDS = 5
ROUNDING_DD = 2.0 ** -98    # of both bounds together, relative to the size of the triangles


@kernel
def refine(P, size, feature, x, y, D):
    """Returns (lower bound, distance, x, y): the distance is no less than the one and no more than the other.

    P: (6,3) float64, corners of A and of B; size: largest difference of two coordinates, within a factor of two;
    D: (15,2) scratch. Rows of three: from B to A at the first corners; the two edges; from B to A where x and y say;
    the second edge less its part along the first.
    """
    i, j, e, f = rows_of(feature)
    _subtract(P, i, j, D, 0)
    if feature < FACE_OF_B:
        _subtract(P, e, i, D, 3)
        _subtract(P, j, f, D, 6)
    elif feature < FACE_OF_B + 3:
        _subtract(P, j, e, D, 3)
        _subtract(P, j, f, D, 6)
    else:
        _subtract(P, e, i, D, 3)
        _subtract(P, f, i, D, 6)
    x, x_low, y, y_low = _improve(D, feature, x, y)
    s, s_low = two_sum(x, y)
    if feature >= FACE_OF_B and (s - 1.0) + (s_low + x_low + y_low) > 0.0:
        return -1.0, 1.0, x, y      # beyond the face's second edge: another feature is nearer
    square = _dot(D, 9, 9)
    length = math.sqrt(square)
    width = math.inf
    for i in range(3):
        for j in range(3, 6):
            _subtract(P, i, j, D, 0)
            width = min(width, _dot(D, 0, 9))
    lower = width / length - ROUNDING_DD * size if length > 0.0 else 0.0
    return lower, length, x, y


@kernel
def _improve(D, feature, x, y):
    """The two numbers in double-double. One at an end of its range stays there; one that leaves its range is put back
    to the end, and the other is improved once more."""
    is_face = feature >= FACE_OF_B
    free_x = is_face or (x > 0.0 and x < 1.0)
    free_y = is_face or (y > 0.0 and y < 1.0)
    x_low = 0.0
    y_low = 0.0
    for _ in range(3):
        x, x_low, y, y_low = _solve(D, free_x, free_y, x, x_low, y, y_low)
        left_x = free_x and (x + x_low < 0.0 or (x - 1.0) + x_low > 0.0)
        left_y = free_y and (y + y_low < 0.0 or (y - 1.0) + y_low > 0.0)
        if not (left_x or left_y):
            break
        if left_x:
            x = min(max(x, 0.0), 1.0)
            x_low = 0.0
            free_x = False
        if left_y:
            y = min(max(y, 0.0), 1.0)
            y_low = 0.0
            free_y = False
    return x, x_low, y, y_low


@kernel
def _solve(D, free_x, free_y, x, x_low, y, y_low):
    """x and y such that the vector in D[9:12], which is written, stands upright on the edges of those that are free.

    The second edge is first made upright on the other one, so that nearly parallel edges do not slow it down.
    """
    ee = _dot(D, 3, 3)
    ff = _dot(D, 6, 6)
    slope = _dot(D, 3, 6) / ee if free_x and ee > 0.0 else 0.0
    for k in range(3):
        p, p_low = dd_product(D[3 + k, 0], D[3 + k, 1], slope, 0.0)
        D[12 + k, 0], D[12 + k, 1] = dd_add(D[6 + k, 0], D[6 + k, 1], -p, -p_low)
    upright = _dot(D, 12, 12)
    if upright <= PARALLEL * ff:        # parallel, or no edge at all: one of the two will do
        free_y = False
    for turn in range(ROUNDS):
        _reach(D, x, x_low, y, y_low)
        dx = -_dot(D, 3, 9) / ee if free_x and ee > 0.0 else 0.0
        dy = -_dot(D, 12, 9) / upright if free_y else 0.0
        if turn == ROUNDS - 1:          # what is less than the last digit of x and y still turns a short vector
            _turn(D, dx, dy)
            break
        y, y_low = dd_add(y, y_low, dy, 0.0)
        p, p_low = two_product(slope, dy)
        x, x_low = dd_add(x, x_low, -p, -p_low)
        x, x_low = dd_add(x, x_low, dx, 0.0)
    return x, x_low, y, y_low


@kernel
def _reach(D, x, x_low, y, y_low):
    """D[9:12] = D[0:3] + x·D[3:6] + y·D[6:9]."""
    for k in range(3):
        p, p_low = dd_product(D[3 + k, 0], D[3 + k, 1], x, x_low)
        q, q_low = dd_product(D[6 + k, 0], D[6 + k, 1], y, y_low)
        p, p_low = dd_add(p, p_low, q, q_low)
        D[9 + k, 0], D[9 + k, 1] = dd_add(p, p_low, D[k, 0], D[k, 1])


@kernel
def _turn(D, dx, dy):
    """D[9:12] += dx·D[3:6] + dy·D[12:15]."""
    for k in range(3):
        p, p_low = dd_product(D[3 + k, 0], D[3 + k, 1], dx, 0.0)
        q, q_low = dd_product(D[12 + k, 0], D[12 + k, 1], dy, 0.0)
        p, p_low = dd_add(p, p_low, q, q_low)
        D[9 + k, 0], D[9 + k, 1] = dd_add(D[9 + k, 0], D[9 + k, 1], p, p_low)


@kernel
def _dot(D, first, second):
    """Dot product of two vectors, rounded to float64 at the end."""
    total = 0.0
    total_low = 0.0
    for k in range(3):
        p, p_low = dd_product(D[first + k, 0], D[first + k, 1], D[second + k, 0], D[second + k, 1])
        total, total_low = dd_add(total, total_low, p, p_low)
    return total + total_low


@kernel
def _subtract(P, i, j, D, row):
    """D[row:row + 3] = P[i] − P[j], exactly."""
    for k in range(3):
        D[row + k, 0], D[row + k, 1] = two_sum(P[i, k], -P[j, k])
