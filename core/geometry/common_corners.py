# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that have corners in common, as those of copies, of flush tiles and of pieces that fit together have: is
that all that they share?

Seen along an axis, a line through a common corner is a plane in space. Where one triangle lies on one side of it and
the other one on the other side, they share no more than what both have on it. That needs a few signs, where the general
answer needs some fifty. What is not seen so is left to that.
"""
from ..machine_code.jit import kernel
from .orientation import orientation2, orientation3


@kernel
def same_point(P, i, j):
    """True where rows i and j are the same point."""
    return P[i, 0] == P[j, 0] and P[i, 1] == P[j, 1] and P[i, 2] == P[j, 2]


@kernel
def is_corner(P, i, first):
    """True where row i is the same point as one of the rows first … first+2."""
    return same_point(P, i, first) or same_point(P, i, first + 1) or same_point(P, i, first + 2)


@kernel
def common_corners(P, rows, expansion):
    """How many corners of the first triangle are also corners of the second one, if that is all that the two share, or
    if they are the same triangle; else 0. These corners go to rows[0], rows[1], …, in their order.

    P: (6,3) float64, both triangles, as `exact_contact` takes them; rows: (6,) int64; expansion: scratch.
    """
    common = 0          # rows[5], rows[4], …: the other corners of the first triangle
    other = 0           # bits of the common corners of the second one
    for i in range(3):
        match = 0
        for j in range(3):
            if same_point(P, i, 3 + j):
                match |= 1 << j
        if match != 0:
            rows[common] = i
            common += 1
        else:
            rows[5 - (i - common)] = i
        other |= match
    if common == 0 or common != (other & 1) + (other >> 1 & 1) + (other >> 2):      # some corner is there twice
        return 0
    if common == 3:
        alone = has_area(P, 0, expansion)
    elif common == 2:
        alone = _on_both_sides_of_edge(P, rows[0], rows[1], rows[5], 3 + (other == 5) + 2 * (other == 3), expansion)
    else:
        b = 3 + (other == 1)
        alone = _apart_but_for_corner(P, rows[0], rows[5], rows[4], b, 12 - b - (3 + (other >> 1)), expansion)
    return common if alone else 0


@kernel
def has_area(P, first, expansion):
    """True where the triangle in rows first … first+2 is more than a segment."""
    for axis in range(3):
        if orientation2(P, first, first + 1, first + 2, (axis + 1) % 3, (axis + 2) % 3, 0, expansion) != 0.0:
            return True
    return False


@kernel
def _on_both_sides_of_edge(P, p, q, u, v, expansion):
    """True where the triangles pqu and pqv are seen to share the edge pq, and nothing else."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        turn = orientation2(P, p, q, u, x, y, 0, expansion)
        other = orientation2(P, p, q, v, x, y, 0, expansion)
        if (turn > 0.0 and other < 0.0) or (turn < 0.0 and other > 0.0):
            return True
    return orientation3(P, p, q, u, v, 0, expansion) != 0.0


@kernel
def _apart_but_for_corner(P, w, a, b, c, d, expansion):
    """True where the triangles wab and wcd are seen to share the corner w, and nothing else."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        ab = orientation2(P, w, a, b, x, y, 0, expansion)
        cd = orientation2(P, w, c, d, x, y, 0, expansion)
        if ab == 0.0 and cd == 0.0:
            continue
        ac = orientation2(P, w, a, c, x, y, 0, expansion)
        ad = orientation2(P, w, a, d, x, y, 0, expansion)
        bc = orientation2(P, w, b, c, x, y, 0, expansion)
        bd = orientation2(P, w, b, d, x, y, 0, expansion)
        if (_is_beyond(P, w, a, c, d, ab, ac, ad, x, y) or _is_beyond(P, w, b, c, d, -ab, bc, bd, x, y)
                or _is_beyond(P, w, c, a, b, cd, -ac, -bc, x, y) or _is_beyond(P, w, d, a, b, -cd, -ad, -bd, x, y)):
            return True
    return (_same_sign(orientation3(P, w, a, b, c, 0, expansion), orientation3(P, w, a, b, d, 0, expansion))
            or _same_sign(orientation3(P, w, c, d, a, 0, expansion), orientation3(P, w, c, d, b, 0, expansion)))


@kernel
def _is_beyond(P, w, a, c, d, inner, at_c, at_d, x, y):
    """True where c and d, seen along an axis, lie beyond the line wa, or on it on the other side of w. inner, at_c,
    at_d: signs of the third corner of the triangle at wa, of c and of d against the line."""
    if inner > 0.0:
        at_c = -at_c
        at_d = -at_d
    return (inner != 0.0 and at_c >= 0.0 and at_d >= 0.0
            and (at_c != 0.0 or _is_between(P, w, a, c, x, y)) and (at_d != 0.0 or _is_between(P, w, a, d, x, y)))


@kernel
def _is_between(P, w, a, c, x, y):
    """True where w lies between a and c, all three being on a line in the columns x and y."""
    return ((P[a, x] < P[w, x] and P[w, x] < P[c, x]) or (P[c, x] < P[w, x] and P[w, x] < P[a, x])
            or (P[a, y] < P[w, y] and P[w, y] < P[c, y]) or (P[c, y] < P[w, y] and P[w, y] < P[a, y]))


@kernel
def _same_sign(p, q):
    """True where both numbers are above 0, or both below."""
    return (p > 0.0 and q > 0.0) or (p < 0.0 and q < 0.0)
