# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles share, in rational arithmetic.

A triangle is the convex hull of its corners: a segment or a point where it has no area. Such a hull is also the
common part of some closed half-spaces. So what two triangles share is the hull of the one, cut by the half-spaces
of the other, and no case needs a treatment of its own.
"""
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from ..contacts import AREA, SEGMENT
from .rational import cross, cut, dot, minus, sign, to_integers

DISJOINT = 0    # a kind beside those of contacts: the triangles share nothing


@dataclass(frozen=True)
class SharedPart:
    """kind: DISJOINT, POINT, SEGMENT or AREA. corners: as many points of three Fractions (three or more for AREA, in
    order around the polygon). proper: each triangle passes through the other along a segment."""

    kind: int
    corners: tuple[tuple[Fraction, ...], ...]
    proper: bool

    def ends(self) -> tuple:
        """The point twice, the ends of the segment, or the two farthest corners of the area; () for DISJOINT.

        The smaller one in the order of coordinates comes first, and of equally far ones the smallest are taken.
        """
        pairs = combinations_with_replacement(sorted(self.corners), 2)
        return max(pairs, key=lambda pair: squared_length(minus(*pair)), default=())


def shared_part(a, b) -> SharedPart:
    """What the triangles a and b, each (3,3) finite floats, have in common. Both are closed sets."""
    corners, scale = to_integers([*a, *b])
    a, b = corners[:3], corners[3:]
    points = [(*corner, 1) for corner in hull(a)]
    for normal, offset in half_spaces(b):
        points = cut(points, normal, offset)
        if not points:
            return SharedPart(DISJOINT, (), False)
    kind = min(len(points), AREA)
    exact = tuple(tuple(Fraction(value, w * scale) for value in xyz) for *xyz, w in points)
    return SharedPart(kind, exact, kind == SEGMENT and passes_through(a, b) and passes_through(b, a))


def beyond_common_vertices(a, b) -> SharedPart:
    """What two triangles of one mesh share, as `shared_part`; of kind DISJOINT where that is in the hull of the
    vertices that they have in common, and has no area. Corners with equal coordinates are one vertex."""
    shared, common = shared_part(a, b), sorted({tuple(p) for p in a} & {tuple(p) for p in b})
    if common and shared.kind != AREA:
        known = common[0], common[-1], common[-1]
        if all(shared_part([corner] * 3, known).kind != DISJOINT for corner in shared.corners):
            return SharedPart(DISJOINT, (), False)
    return shared


def hull(corners):
    """The corners of a triangle with area; the two ends, or the one point, of a triangle without."""
    if cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])) != (0, 0, 0):
        return list(corners)
    return list(dict.fromkeys((min(corners), max(corners))))    # along a line, tuples compare in order


def half_spaces(corners):
    """Pairs (normal, offset): the triangle is where normal·x ≤ offset for all of them. Its plane comes first."""
    points = hull(corners)
    if len(points) == 3:
        p, q, r = points
        normal = cross(minus(q, p), minus(r, p))
        outward = [(cross(minus(end, start), normal), start) for start, end in ((p, q), (q, r), (r, p))]
        return on_plane(normal, p) + [(side, dot(side, start)) for side, start in outward]
    if len(points) == 2:
        p, q = points
        x, y, z = along = minus(q, p)
        on_line = [on_plane(normal, p) for normal in ((0, -z, y), (z, 0, -x), (-y, x, 0))]
        return sum(on_line, []) + [(along, dot(along, q)), negative(along, dot(along, p))]
    return sum((on_plane(normal, points[0]) for normal in ((1, 0, 0), (0, 1, 0), (0, 0, 1))), [])


def on_plane(normal, point):
    """The two half-spaces whose common part is the plane through the point."""
    offset = dot(normal, point)
    return [(normal, offset), negative(normal, offset)]


def negative(normal, offset):
    return (-normal[0], -normal[1], -normal[2]), -offset


def passes_through(a, b) -> bool:
    """True where a has corners strictly on both sides of the plane of b, which must have an area."""
    normal = cross(minus(b[1], b[0]), minus(b[2], b[0]))
    sides = [sign(dot(normal, minus(corner, b[0]))) for corner in a]
    return min(sides) < 0 < max(sides)


def on_border(point, corners) -> bool:
    """True where a point of the plane of a triangle with area, all in exact numbers, lies on the line of a side."""
    sides = zip(corners, (*corners[1:], corners[0]))
    return any(cross(minus(q, p), minus(point, p)) == (0, 0, 0) for p, q in sides)


def exact_point(point) -> tuple[Fraction, ...]:
    """The same three floats as Fractions."""
    return tuple(map(Fraction, point))


def squared_length(v):
    return dot(v, v)
