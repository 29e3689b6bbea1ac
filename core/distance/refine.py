# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two triangles in double-double, for what float64 cannot prove: gaps below some thousandths of the
triangles' size, and needles.

The feature that float64 found is kept, and its two numbers are improved: residuals in double-double, corrections in
float64 (iterative refinement, Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 12). Then come the
same two bounds as in triangles.py.

D (15,2) float64, or longer, holds five vectors of `dd_vectors`, from the rows that are named below.
"""
import math

from ..geometry.dd_vectors import dot, subtract
from ..geometry.expansion import dd_add, dd_product, two_product, two_sum
from ..machine_code.jit import kernel
from .triangles import FACE_OF_A, FACE_OF_B, PARALLEL_SINE_SQUARED, rows_of

CORRECTIONS = 5
ROUNDING_DD = 2.0 ** -98    # of both bounds together, relative to the size of the triangles
# From B to A at the first corners; the two edges; from B to A where x and y say; the second edge less its part along
# the first one.
BETWEEN_CORNERS, EDGE_1, EDGE_2, BETWEEN, UPRIGHT = 0, 3, 6, 9, 12


@kernel
def refine(P, size, feature, x, y, D):
    """(lower bound, upper bound, x, y) of the distance of two triangles, for one feature and its two numbers.

    P: (6,3) float64, corners of A and of B; size: largest difference of two coordinates, within a factor of two;
    D: scratch. Where another feature is nearer, the bounds are -1 and 1.
    """
    i, j, e, f = rows_of(feature)
    subtract(P, i, j, D, BETWEEN_CORNERS)
    if feature < FACE_OF_B:
        subtract(P, e, i, D, EDGE_1)
        subtract(P, j, f, D, EDGE_2)
    elif feature < FACE_OF_A:
        subtract(P, j, e, D, EDGE_1)
        subtract(P, j, f, D, EDGE_2)
    else:
        subtract(P, e, i, D, EDGE_1)
        subtract(P, f, i, D, EDGE_2)
    x, x_low, y, y_low = _improve(D, feature, x, y)
    s, s_low = two_sum(x, y)
    if feature >= FACE_OF_B and (s - 1.0) + (s_low + x_low + y_low) > 0.0:
        return -1.0, 1.0, x, y      # beyond the face's second edge: another feature is nearer
    square = dot(D, BETWEEN, BETWEEN)
    length = math.sqrt(square)
    width = math.inf
    for i in range(3):
        for j in range(3, 6):
            subtract(P, i, j, D, BETWEEN_CORNERS)
            width = min(width, dot(D, BETWEEN_CORNERS, BETWEEN))
    lower = width / length - ROUNDING_DD * size if length > 0.0 else 0.0
    return lower, length, x, y


@kernel
def _improve(D, feature, x, y):
    """(x, x_low, y, y_low), the two numbers in double-double.

    One at an end of its range stays there. One that leaves its range is put back to the end, and the other is improved
    once more.
    """
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
    """(x, x_low, y, y_low) that make the vector BETWEEN, which is written, upright on the edges that are free.

    First the second edge is made upright on the other one, so that nearly parallel edges do not slow it down.
    """
    ee = dot(D, EDGE_1, EDGE_1)
    ff = dot(D, EDGE_2, EDGE_2)
    slope = dot(D, EDGE_1, EDGE_2) / ee if free_x and ee > 0.0 else 0.0
    for k in range(3):
        p, p_low = dd_product(D[EDGE_1 + k, 0], D[EDGE_1 + k, 1], slope, 0.0)
        D[UPRIGHT + k, 0], D[UPRIGHT + k, 1] = dd_add(D[EDGE_2 + k, 0], D[EDGE_2 + k, 1], -p, -p_low)
    upright = dot(D, UPRIGHT, UPRIGHT)
    if upright <= PARALLEL_SINE_SQUARED * ff:   # parallel, or no edge at all: one of the two will do
        free_y = False
    for correction in range(CORRECTIONS):
        _place_between(D, x, x_low, y, y_low)
        dx = -dot(D, EDGE_1, BETWEEN) / ee if free_x and ee > 0.0 else 0.0
        dy = -dot(D, UPRIGHT, BETWEEN) / upright if free_y else 0.0
        if correction == CORRECTIONS - 1:       # less than the last digit of x and y still changes a short vector
            _correct_between(D, dx, dy)
            break
        y, y_low = dd_add(y, y_low, dy, 0.0)
        p, p_low = two_product(slope, dy)
        x, x_low = dd_add(x, x_low, -p, -p_low)
        x, x_low = dd_add(x, x_low, dx, 0.0)
    return x, x_low, y, y_low


@kernel
def _place_between(D, x, x_low, y, y_low):
    """BETWEEN = BETWEEN_CORNERS + x·EDGE_1 + y·EDGE_2."""
    for k in range(3):
        p, p_low = dd_product(D[EDGE_1 + k, 0], D[EDGE_1 + k, 1], x, x_low)
        q, q_low = dd_product(D[EDGE_2 + k, 0], D[EDGE_2 + k, 1], y, y_low)
        p, p_low = dd_add(p, p_low, q, q_low)
        D[BETWEEN + k, 0], D[BETWEEN + k, 1] = dd_add(p, p_low, D[BETWEEN_CORNERS + k, 0], D[BETWEEN_CORNERS + k, 1])


@kernel
def _correct_between(D, dx, dy):
    """BETWEEN += dx·EDGE_1 + dy·UPRIGHT."""
    for k in range(3):
        p, p_low = dd_product(D[EDGE_1 + k, 0], D[EDGE_1 + k, 1], dx, 0.0)
        q, q_low = dd_product(D[UPRIGHT + k, 0], D[UPRIGHT + k, 1], dy, 0.0)
        p, p_low = dd_add(p, p_low, q, q_low)
        D[BETWEEN + k, 0], D[BETWEEN + k, 1] = dd_add(D[BETWEEN + k, 0], D[BETWEEN + k, 1], p, p_low)
