# SPDX-License-Identifier: GPL-3.0-or-later
"""What two small closed solids are to each other, in Fractions: the second oracle of verdicts, which the product never
calls.

Space is cut into slices across a line that is parallel to no edge, and to no line that two faces share. Between two
slices that are next to each other stands a corner of a mesh, or a point where an edge of the one passes through a face
of the other. So every part of space that is inside one of the solids, or inside both, is met by a slice. In a slice the
surfaces are line segments. Around each end of a segment, and each point where segments of the two meet, the plane falls
into sectors. A point in each says whether it is inside the one and inside the other. Every part of the slice has such a
sector. The surfaces pass through each other where one point has sectors of all four sorts around it.

core/reference cuts triangles by half-spaces, and lines by triangles; there is nothing of that here.
"""
from collections import Counter
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, count, product
from math import gcd, lcm

from touchpoint.core.codes import A_IN_B, B_IN_A, CLEAR, CONTAINED, CROSSING, NEITHER, OVERLAP, TOUCHING

from .basic_solutions import common_points

INSIDE_BOTH, ONLY_A, ONLY_B = (True, True), (True, False), (False, True)


def verdict(a, b) -> tuple[int, int]:
    """(verdict, inner), codes of core/codes.py, of two closed meshes that do not pass through themselves: (n,3) finite
    floats, (m,3) corners."""
    a, b = in_common_units([mesh[0].tolist() for mesh in (a, b)], [mesh[1].tolist() for mesh in (a, b)])
    states, crossing = states_in_slices(*tilted(a, b))
    if crossing:
        return CROSSING, NEITHER
    if INSIDE_BOTH not in states:
        return (TOUCHING if meet(a, b) else CLEAR), NEITHER
    if (ONLY_A in states) == (ONLY_B in states):
        return OVERLAP, NEITHER         # each has something of its own, or they are the same
    return CONTAINED, B_IN_A if ONLY_A in states else A_IN_B


def side(point, mesh) -> int:
    """1 where a point of three finite floats is inside a closed mesh, 0 on its surface, -1 outside."""
    both = in_common_units([mesh[0].tolist(), [point]], [mesh[1].tolist(), [[0, 0, 0]]])
    (faces, numbers), ([[at, _, _]], _) = tilted(*both)
    if meet(*both):
        return 0
    # At a corner's x the segments are those of the slice just before it, which is as good for a point off the surface.
    return 1 if is_inside(at[1:], segments_at(at[0], faces), not turns_cancel(numbers)) else -1


def in_common_units(vertices, triangles):
    """Meshes as lists of triangles of three whole numbers each, and of triangles by the numbers of their corners. Each
    axis has a unit of its own, which changes nothing that is asked."""
    columns = []
    for axis in range(3):
        values = [[Fraction(point[axis]) for point in points] for points in vertices]
        scale = lcm(*(value.denominator for side in values for value in side))
        whole = [[int(value * scale) for value in side] for side in values]
        divisor = gcd(*(value for side in whole for value in side)) or 1
        columns.append([[value // divisor for value in side] for side in whole])
    return [([[points[corner] for corner in face] for face in faces], faces)
            for points, faces in zip((list(zip(*(column[side] for column in columns))) for side in (0, 1)), triangles)]


def meet(a, b) -> bool:
    """True where some triangles have a point in common."""
    def box(triangle):
        return [(min(values), max(values)) for values in zip(*triangle)]

    return any(all(low <= top and bottom <= high for (low, high), (bottom, top) in zip(box(p), box(q)))
               and common_points(p, q) for p, q in product(a[0], b[0]))


def tilted(a, b):
    """The meshes with other x: none of their edges is across it, and no line that two of their planes share."""
    directions = [edge for faces, _ in (a, b) for p, q, r in faces for edge in (minus(q, p), minus(r, q), minus(p, r))]
    normals = {cross(minus(q, p), minus(r, p)) for faces, _ in (a, b) for p, q, r in faces}
    directions += [cross(u, v) for u, v in combinations(normals, 2)]
    directions = [direction for direction in directions if any(direction)]
    tilt = next((k, k * k + 1) for k in count(1)
                if all(x + k * y + (k * k + 1) * z for x, y, z in directions))
    return [([[(x + tilt[0] * y + tilt[1] * z, y, z) for x, y, z in face] for face in faces], numbers)
            for faces, numbers in (a, b)]


def states_in_slices(a, b) -> tuple[set[tuple[bool, bool]], bool]:
    """All (inside a, inside b) that there are, but for that of far away; whether the surfaces pass through each
    other."""
    events = {point[0] for faces, _ in (a, b) for face in faces for point in face}
    for (edges, _), (faces, _) in ((a, b), (b, a)):
        events |= {x for edge_of, face in product(edges, faces) for x in piercings(edge_of, face)}
    events = sorted(events)
    parity = [not turns_cancel(numbers) for _, numbers in (a, b)]
    states: set[tuple[bool, bool]] = set()
    for low, high in zip(events, events[1:]):
        sides = [segments_at(Fraction(low + high) / 2, faces) for faces, _ in (a, b)]
        for point in corners_of(*sides):
            around = {tuple(is_inside(sample, side, odd) for side, odd in zip(sides, parity))
                      for sample in samples_around(point, sides[0] + sides[1])}
            states |= around
            if len(around) == 4:
                return states, True
    return states, False


def piercings(triangle, face):
    """x where sides of the triangle pass through the face. Others that pass its plane only do no harm."""
    p, q, r = face
    normal = cross(minus(q, p), minus(r, p))
    heights = [dot(normal, minus(corner, p)) for corner in triangle]
    for i in range(3):
        h, k = heights[i - 1], heights[i]
        if h * k < 0:
            point = [x + (y - x) * Fraction(h, h - k) for x, y in zip(triangle[i - 1], triangle[i])]
            turns = [dot(normal, cross(minus(v, u), minus(point, u))) for u, v in ((p, q), (q, r), (r, p))]
            if min(turns) >= 0:
                yield point[0]


def turns_cancel(triangles) -> bool:
    """True where every edge is used as often in one direction as in the other."""
    uses = Counter((face[i - 1], face[i]) for face in triangles for i in range(3))
    return all(number == uses[q, p] for (p, q), number in uses.items())


def segments_at(x, faces) -> list[tuple]:
    """(start, end) of what a slice has of each face, points (y, z), turned the same way round as the face."""
    found = []
    for face in faces:
        ends = {}
        for i in range(3):
            p, q = face[i - 1], face[i]
            if (p[0] < x) != (q[0] < x):
                share = (x - p[0]) / (q[0] - p[0])
                ends[p[0] < x] = tuple(u + (v - u) * share for u, v in zip(p[1:], q[1:]))
        if ends and ends[True] != ends[False]:
            found.append((ends[False], ends[True]))
    return found


def corners_of(a, b) -> set[tuple]:
    """The ends of all segments, and the points where one of a passes one of b."""
    points = {end for segment in a + b for end in segment}
    for (p, q), (r, s) in product(a, b):
        along, other = minus2(q, p), minus2(s, r)
        whole = turn(along, other)
        if whole:
            t, u = turn(minus2(r, p), other) / whole, turn(minus2(r, p), along) / whole
            if 0 <= t <= 1 and 0 <= u <= 1:
                points.add(tuple(x + t * d for x, d in zip(p, along)))
    return points


def samples_around(point, segments):
    """A point in each sector between the segments around a point, nearer than any other segment."""
    ways, others = [], []
    for p, q in segments:
        u, v = minus2(p, point), minus2(q, point)
        if turn(u, v) == 0 and u[0] * v[0] + u[1] * v[1] <= 0:
            ways += [way for way in (u, v) if any(way)]
        else:
            others.append((u, v))
    ways = sorted(ways, key=cmp_to_key(by_angle))
    ways = [way for i, way in enumerate(ways) if i == 0 or by_angle(ways[i - 1], way)]
    for u, v in zip(ways, ways[1:] + ways[:1]):
        side = turn(u, v)
        way = (u[0] + v[0], u[1] + v[1]) if side > 0 else (-u[0] - v[0], -u[1] - v[1]) if side < 0 else (-u[1], u[0])
        yield tuple(x + d * nearest(way, others) / 2 for x, d in zip(point, way))


def by_angle(u, v) -> int:
    """Less than, equal to or more than 0: the order of directions all the way round."""
    halves = [way < (0, 0) for way in (u, v)]
    return halves[0] - halves[1] or (turn(v, u) > 0) - (turn(v, u) < 0)


def nearest(way, segments) -> Fraction:
    """How many steps from the origin there is a segment, at most one."""
    found = Fraction(1)
    for u, v in segments:
        along = minus2(v, u)
        whole = turn(way, along)
        if whole:
            t, s = turn(u, along) / whole, turn(u, way) / whole
            if 0 < t < found and 0 <= s <= 1:
                found = t
        elif turn(way, u) == 0:
            steps = [Fraction(x[0] * way[0] + x[1] * way[1]) / (way[0] ** 2 + way[1] ** 2) for x in (u, v)]
            found = min([found, *(t for t in steps if t > 0)])
    return found


def is_inside(point, segments, by_parity: bool) -> bool:
    """True where a point on no segment is inside the curves that they make: where the winding number is not zero, or
    where a ray along z passes an odd number of them."""
    turns = []
    for p, q in segments:
        side = turn(minus2(q, p), minus2(point, p))
        if p[0] <= point[0] < q[0] and side < 0:
            turns.append(1)
        elif q[0] <= point[0] < p[0] and side > 0:
            turns.append(-1)
    return len(turns) % 2 == 1 if by_parity else sum(turns) != 0


def minus(u, v):
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


def cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def minus2(u, v):
    return u[0] - v[0], u[1] - v[1]


def turn(u, v):
    return u[0] * v[1] - u[1] * v[0]
