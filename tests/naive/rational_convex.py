# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of small sets of points in rational arithmetic: do two of them meet, how far apart or how deep are they?

Also boxes that are turned, as parallelepipeds. The hulls may be flat, segments or points; they are closed sets.
"""
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import gcd

from touchpoint.core.reference.rational import cross, dot, minus, to_integers


@dataclass(frozen=True)
class Nearest:
    """squared: the squared distance. on_p, on_q: points of the two hulls that are so far apart."""

    squared: Fraction
    on_p: tuple[Fraction, ...]
    on_q: tuple[Fraction, ...]


def hulls_meet(P, Q) -> bool:
    """Whether the convex hulls of two lists of points share a point. Points of three finite floats or Fractions."""
    return nearest_points(P, Q).squared == 0


def nearest_points(P, Q) -> Nearest:
    """The distance of the convex hulls of two lists of points, and where it is.

    Wolfe (1976), Finding the nearest point in a polytope, on the differences p - q. In exact arithmetic it ends, and
    the answer proves itself: no difference lies on the near side of the plane through the nearest one.
    """
    points, scale = to_integers([*map(tuple, P), *map(tuple, Q)])
    P, Q = points[:len(P)], points[len(P):]
    chosen, shares = [(P[0], Q[0])], [1]            # independent differences and their weights, all positive
    while True:
        whole = sum(shares)
        place = weighted([minus(p, q) for p, q in chosen], shares)      # times whole
        ahead = (min(P, key=lambda p: dot(place, p)), max(Q, key=lambda q: dot(place, q)))
        if whole * dot(place, minus(*ahead)) >= dot(place, place):
            break
        chosen, shares = nearest_inside([*chosen, ahead], [*shares, 0])
    on_p, on_q = (tuple(Fraction(value, whole * scale) for value in weighted(side, shares)) for side in zip(*chosen))
    return Nearest(Fraction(dot(place, place), (whole * scale) ** 2), on_p, on_q)


def nearest_inside(chosen, shares):
    """From a point of a simplex, given by its shares, to the nearest point of a smaller simplex that holds it.

    The nearest point of the plane through the corners is taken where it lies inside; else one goes towards it up to
    the border, leaves out a corner that has no share there, and tries again.
    """
    while True:
        wanted = plane_shares([minus(p, q) for p, q in chosen])
        if min(wanted) > 0:
            return chosen, wanted
        have = [Fraction(share, sum(shares)) for share in shares]
        want = [Fraction(share, sum(wanted)) for share in wanted]
        step = min(h / (h - w) for h, w in zip(have, want) if w <= 0)
        mixed = [h + step * (w - h) for h, w in zip(have, want)]
        chosen = [pair for pair, share in zip(chosen, mixed) if share]
        shares = to_whole([share for share in mixed if share])


def to_whole(shares) -> list[int]:
    """The same proportions in whole numbers."""
    (whole,), _ = to_integers([shares])
    return list(whole)


def plane_shares(corners) -> list[int]:
    """Weights of one to four independent points for the point nearest to the origin in the line, plane or space through
    them; their sum is positive."""
    if len(corners) == 1:
        return [1]
    if len(corners) == 2:
        a, b = corners
        return [dot(b, minus(b, a)), dot(a, minus(a, b))]
    if len(corners) == 3:
        a, b, c = corners
        normal = cross(minus(b, a), minus(c, a))
        return [dot(cross(p, q), normal) for p, q in ((b, c), (c, a), (a, b))]
    a, b, c, d = corners
    shares = [dot(b, cross(c, d)), -dot(a, cross(c, d)), dot(a, cross(b, d)), -dot(a, cross(b, c))]
    return shares if sum(shares) > 0 else [-share for share in shares]


def weighted(points, shares):
    """The sum of points times shares."""
    return tuple(sum(share * value for share, value in zip(shares, axis)) for axis in zip(*points))


def separating_move(P, Q) -> tuple[Fraction, tuple[Fraction, ...]]:
    """The squared length of the shortest move of P after which the hulls share at most their borders, and that move.

    0 where they do not meet, only touch, or are flat together. The shortest move is along the normal of a face of
    the differences p - q; such a normal is one of three points of P, or of Q, or of an edge of each. Any direction
    allows a separating move, so that all of them may be tried.
    """
    points, scale = to_integers([*map(tuple, P), *map(tuple, Q)])
    P, Q = list(dict.fromkeys(points[:len(P)])), list(dict.fromkeys(points[len(P):]))
    still = Fraction(0), (Fraction(0),) * 3
    best = None
    for normal in face_normals(P, Q):
        along_p, along_q = [dot(normal, p) for p in P], [dot(normal, q) for q in Q]
        for depth, sense in ((max(along_p) - min(along_q), -1), (max(along_q) - min(along_p), 1)):
            if depth <= 0:
                return still
            squared = dot(normal, normal)
            if best is None or depth * depth * best[1] < best[0] * best[0] * squared:
                best = depth, squared, normal, sense
    if best is None:                        # all differences on a line
        return still
    depth, squared, normal, sense = best
    move = tuple(Fraction(sense * depth * value, squared * scale) for value in normal)
    return Fraction(depth * depth, squared * scale * scale), move


def face_normals(P, Q) -> set:
    """Directions across which a face of the differences p - q can lie, each once up to its length and sense."""
    found = {cross(minus(b, a), minus(c, a)) for side in (P, Q) for a, b, c in combinations(side, 3)}
    edges_p, edges_q = (directions({minus(b, a) for a, b in combinations(side, 2)}) for side in (P, Q))
    return directions(found | {cross(p, q) for p, q in product(edges_p, edges_q)})


def directions(vectors) -> set:
    """The same vectors in lowest terms and one sense, without 0."""
    found = set()
    for vector in vectors:
        divisor = gcd(*vector)
        if divisor:
            divisor = divisor if vector > (0, 0, 0) else -divisor
            found.add(tuple(value // divisor for value in vector))
    return found


def box_corners(centre, axes, half) -> list[tuple[Fraction, ...]]:
    """The eight points centre + axes·(±half) without rounding. axes: (3,3), its columns are the directions."""
    centre, sides = [Fraction(value) for value in centre], box_sides(axes, half)
    return [tuple(c + sum(sign * side[i] for sign, side in zip(signs, sides)) for i, c in enumerate(centre))
            for signs in product((-1, 1), repeat=3)]


def box_sides(axes, half) -> list[tuple[Fraction, ...]]:
    """From the centre of a box to the middle of three of its faces."""
    return [tuple(Fraction(row[j]) * Fraction(half[j]) for row in axes) for j in range(3)]


def boxes_meet(centre_1, axes_1, half_1, centre_2, axes_2, half_2) -> bool:
    """Whether two boxes centre + axes·s, |s| <= half, share a point. The axes need not be at right angles, and a half
    may be 0.

    The differences are a body around the origin with six sides (a zonotope), moved by the difference of the centres.
    It is as wide along a direction as its sides together; faces of it lie along two sides. Where it is flat, the
    directions in its plane or line are needed too. More directions do no harm.
    """
    centres, unit = to_integers([tuple(centre_1), tuple(centre_2)])
    rows, unit_of_axes = to_integers([*map(tuple, axes_1), *map(tuple, axes_2)])
    halves, unit_of_halves = to_integers([tuple(half_1), tuple(half_2)])
    between = tuple((p - q) * unit_of_axes * unit_of_halves for p, q in zip(*centres))
    axes = [*zip(*rows[:3]), *zip(*rows[3:])]
    sides = [tuple(value * half * unit for value in axis) for axis, half in zip(axes, halves[0] + halves[1])]
    normals = directions(cross(p, q) for p, q in combinations(sides, 2))
    lines = directions(sides)
    tried = normals | {cross(n, s) for n, s in product(normals, lines)} | lines | {between} | {
        cross(s, cross(between, s)) for s in lines}
    return all(abs(dot(n, between)) <= sum(abs(dot(n, side)) for side in sides) for n in tried)
