# SPDX-License-Identifier: GPL-3.0-or-later
"""One order of the corners of two triangles, and of the two: then the points that are computed are the same to the last
bit, however corners and triangles were given."""
from ..machine_code.jit import kernel
from .common_corners import same_point


@kernel
def arrange(P):
    """Put the corners of each triangle, and the two triangles, in lexicographic order. Then the points that are
    computed are the same to the last bit, however the corners and the triangles were given."""
    for first in range(0, 6, 3):
        for turn in range(3):
            i = first + (turn & 1)
            if before(P, i + 1, i):
                _exchange(P, i, i + 1)
    for i in range(3):
        if not same_point(P, i, 3 + i):
            if before(P, 3 + i, i):
                for j in range(3):
                    _exchange(P, j, 3 + j)
            return


@kernel
def arranged(points, rows, P):
    """Write to P (6,3) what `arrange` makes of points[rows], (6,) int64, which are arranged, too. Nearly without a
    branch, as no processor can guess the order of corners."""
    _sort_corners(points, rows, 0)
    _sort_corners(points, rows, 3)
    shift = 0
    for i in range(3):
        if not same_point(points, rows[i], rows[3 + i]):
            shift = 3 * before(points, rows[3 + i], rows[i])
            break
    for i in range(3):
        for x in range(3):
            P[shift + i, x] = points[rows[i], x]
            P[3 - shift + i, x] = points[rows[3 + i], x]


@kernel
def _sort_corners(points, rows, first):
    """Put rows[first:first + 3] in the lexicographic order of these points."""
    i = rows[first]
    j = rows[first + 1]
    k = rows[first + 2]
    down = 1 * before(points, j, i)
    far_down = 1 * before(points, k, i)
    down_again = 1 * before(points, k, j)
    rows[first + down + far_down] = i
    rows[first + 1 - down + down_again] = j
    rows[first + 2 - far_down - down_again] = k


@kernel
def _exchange(P, i, j):
    for x in range(3):
        value = P[i, x]
        P[i, x] = P[j, x]
        P[j, x] = value


@kernel
def before(P, i, j):
    """True where row i comes before row j in lexicographic order."""
    return (P[i, 0] < P[j, 0]) | ((P[i, 0] == P[j, 0]) & (
        (P[i, 1] < P[j, 1]) | ((P[i, 1] == P[j, 1]) & (P[i, 2] < P[j, 2]))))
