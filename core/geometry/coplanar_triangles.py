# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles with area share that lie in one plane, or a triangle and an edge of another one in its plane, seen
along an axis: by eighteen signs, of each corner against each edge of the other triangle, or by nine."""
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
    x, y, turn = _facing(P, 0, expansion)
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
def edge_in_plane(P, p, q, face, signs, points, expansion):
    """How many corners the shared part of an edge and a triangle has, which go to points in the order of
    `contact_in_plane`: corners of the first triangle, of the second one, crossings of edges, each position once.

    The edge from row p to row q, which are different points, lies in the plane of the triangle with area in rows
    face … face+2 and is one of the other triangle's; other arguments as for `contact_in_plane`. Rows of signs: p and q
    against the edges of the triangle, positive inside, and its corners against the edge.
    """
    x, y, turn = _facing(P, face, expansion)
    for k in range(3):
        for end in range(2):
            sign = orientation2(P, face + k, face + (k + 1) % 3, p if end == 0 else q, x, y, 0, expansion)
            signs[end, k] = -sign if turn < 0.0 else sign
        if signs[0, k] < 0.0 and signs[1, k] < 0.0:
            return 0
    for k in range(3):
        signs[2, k] = orientation2(P, p, q, face + k, x, y, 0, expansion)
    if one_sided(signs[2], 0):
        return 0
    n = 0
    for first in range(0, 6, 3):
        for i in range(first, first + 3):
            if face == first:
                corner = signs[2, i - face] == 0.0 and _in_range(P, i, p, q)
            else:
                end = 0 if i == p else 1
                corner = (i == p or i == q) and signs[end, 0] >= 0.0 and signs[end, 1] >= 0.0 and signs[end, 2] >= 0.0
            if corner and not (first == 3 and _is_listed(P, i, points, n)):
                for c in range(3):
                    points[n, c] = P[i, c]
                n += 1
    for k in range(3):
        r = face + k
        s = face + (k + 1) % 3
        if _opposite(signs[0, k], signs[1, k]) and _opposite(signs[2, k], signs[2, (k + 1) % 3]):
            if face == 3:
                n = add_between(P, p, q, orientation2(P, r, s, p, x, y, 1, expansion),
                                orientation2(P, r, s, q, x, y, 1, expansion), points, n)
            else:
                n = add_between(P, r, s, orientation2(P, p, q, r, x, y, 1, expansion),
                                orientation2(P, p, q, s, x, y, 1, expansion), points, n)
    return n


@kernel
def one_sided(side, first):
    """True where three vertices lie strictly on one side of a plane, or of a line. side: signs, from `first`."""
    return ((side[first] > 0.0 and side[first + 1] > 0.0 and side[first + 2] > 0.0)
            or (side[first] < 0.0 and side[first + 1] < 0.0 and side[first + 2] < 0.0))


@kernel
def _in_range(P, i, p, q):
    """True where row i, which lies on the line pq, lies between p and q, or is one of them."""
    for c in range(3):
        if P[i, c] < min(P[p, c], P[q, c]) or P[i, c] > max(P[p, c], P[q, c]):
            return False
    return True


@kernel
def _is_listed(P, i, points, n):
    """True where row i is one of the first n points."""
    for k in range(n):
        if P[i, 0] == points[k, 0] and P[i, 1] == points[k, 1] and P[i, 2] == points[k, 2]:
            return True
    return False


@kernel
def _facing(P, first, expansion):
    """(x, y, turn): two columns in which the triangle in rows first … first+2 has area, and its sign there."""
    for axis in range(3):
        turn = orientation2(P, first, first + 1, first + 2, (axis + 1) % 3, (axis + 2) % 3, 0, expansion)
        if turn != 0.0:
            return (axis + 1) % 3, (axis + 2) % 3, turn
    return 0, 1, 0.0


@kernel
def _opposite(p, q):
    """True where one number is above 0 and the other one below."""
    return (p > 0.0 and q < 0.0) or (p < 0.0 and q > 0.0)
