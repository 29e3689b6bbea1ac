# SPDX-License-Identifier: GPL-3.0-or-later
"""The volume that two meshes share, in rational numbers: a mesh is the sum of the tetrahedra from the origin to its
triangles, with the sign of their turn, and two tetrahedra share what is left of one inside the faces of the other."""
from fractions import Fraction


def shared_volume(one, other) -> Fraction:
    """Exact, of two meshes (vertices, triangles) whose winding numbers are 0 or 1 everywhere."""
    total = Fraction(0)
    ours, theirs = (list(_cones(*mesh)) for mesh in (one, other))
    for first in ours:
        for second in theirs:
            if _boxes_meet(first, second):
                total += _sign(first) * _sign(second) * _shared(first, second)
    return total


def volume_of(mesh) -> Fraction:
    """Exact, of one such mesh."""
    return sum((_six_volumes(cone) for cone in _cones(*mesh)), Fraction(0)) / 6


def _cones(vertices, triangles):
    apex = (Fraction(0),) * 3
    for triangle in triangles:
        cone = [apex, *(tuple(Fraction(float(x)) for x in vertices[corner]) for corner in triangle)]
        if _six_volumes(cone) != 0:
            yield cone


def _boxes_meet(first, second) -> bool:
    return all(min(p[axis] for p in first) < max(p[axis] for p in second)
               and min(p[axis] for p in second) < max(p[axis] for p in first) for axis in range(3))


def _shared(first, second) -> Fraction:
    """The volume that two tetrahedra share."""
    pieces = [first]
    for corner in range(4):
        face = [second[k] for k in range(4) if k != corner]
        inner = _six_volumes([*face, second[corner]])
        pieces = [part for piece in pieces
                  for part in _cut(piece, [_six_volumes([*face, point]) * (1 if inner > 0 else -1) for point in piece])]
    return sum((abs(_six_volumes(piece)) for piece in pieces), Fraction(0)) / 6


def _cut(piece, height):
    """Tetrahedra that make up the part of one where its height is not negative. height: of its four corners."""
    inside = [k for k in range(4) if height[k] >= 0]
    outside = [k for k in range(4) if height[k] < 0]
    if not outside:
        return [piece]

    def between(i, o):
        share = height[i] / (height[i] - height[o])
        return tuple(p + share * (q - p) for p, q in zip(piece[i], piece[o]))

    if len(inside) == 1:
        return [[piece[inside[0]], *(between(inside[0], o) for o in outside)]]
    if len(inside) == 3:
        lower, upper = [piece[i] for i in inside], [between(i, outside[0]) for i in inside]
    elif len(inside) == 2:
        lower, upper = ([piece[i], *(between(i, o) for o in outside)] for i in inside)
    else:
        return []
    return [[lower[0], lower[1], lower[2], upper[2]], [lower[0], lower[1], upper[1], upper[2]],
            [lower[0], upper[0], upper[1], upper[2]]]


def _six_volumes(corners) -> Fraction:
    (a, b, c, d) = corners
    u, v, w = ([q - p for p, q in zip(a, corner)] for corner in (b, c, d))
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
            + u[2] * (v[0] * w[1] - v[1] * w[0]))


def _sign(cone) -> int:
    return 1 if _six_volumes(cone) > 0 else -1
