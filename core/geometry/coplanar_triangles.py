# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles with area share that lie in one plane, seen along an axis: by eighteen signs, of each corner
against each edge of the other triangle."""
from ..machine_code.jit import kernel
from .between import add_between
from .common_corners import same_point
from .orientation import orientation2


@kernel
def contact_in_plane(P, signs, points, expansion):
    """How many corners the shared part of two triangles has, which go to points: corners of the first triangle, of the
    second one, crossings of edges, each position once.

    P: (6,3) float64, both triangles, scaled; points: (MOST_COMMON_POINTS,3); signs: (6,3) float64 and expansion are
    scratch. Row i of signs: the corner i of P against the edges of the other triangle, positive inside.
    """
    x, y, turn = _facing(P, expansion)
    other = orientation2(P, 3, 4, 5, x, y, 0, expansion)
    for first in range(0, 6, 3):            # of the corners; the edges are the other triangle's
        flip = (other if first == 0 else turn) < 0.0
        for k in range(3):
            low = 3 - first + k
            high = 3 - first + (k + 1) % 3
            beyond = 0
            for i in range(first, first + 3):
                sign = orientation2(P, low, high, i, x, y, 0, expansion)
                signs[i, k] = -sign if flip else sign
                beyond += signs[i, k] < 0.0
            if beyond == 3:
                return 0
    n = 0
    for i in range(6):
        if (signs[i, 0] >= 0.0 and signs[i, 1] >= 0.0 and signs[i, 2] >= 0.0
                and not (i >= 3 and (same_point(P, i, 0) or same_point(P, i, 1) or same_point(P, i, 2)))):
            for c in range(3):
                points[n, c] = P[i, c]
            n += 1
    for i in range(3):
        q = (i + 1) % 3
        for j in range(3):
            s = (j + 1) % 3
            if _opposite(signs[3 + j, i], signs[3 + s, i]) and _opposite(signs[i, j], signs[q, j]):
                n = add_between(P, i, q, orientation2(P, 3 + j, 3 + s, i, x, y, 1, expansion),
                                orientation2(P, 3 + j, 3 + s, q, x, y, 1, expansion), points, n)
    return n


@kernel
def _facing(P, expansion):
    """(x, y, turn): two columns in which the first triangle has area, and its sign there."""
    for axis in range(3):
        turn = orientation2(P, 0, 1, 2, (axis + 1) % 3, (axis + 2) % 3, 0, expansion)
        if turn != 0.0:
            return (axis + 1) % 3, (axis + 2) % 3, turn
    return 0, 1, 0.0


@kernel
def _opposite(p, q):
    """True where one number is above 0 and the other one below."""
    return (p > 0.0 and q < 0.0) or (p < 0.0 and q > 0.0)
