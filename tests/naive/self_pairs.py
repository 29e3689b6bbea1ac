# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles of one mesh collide, in Fractions, all pairs: the definition of docs/self-collision.md, word by word.

What two triangles share comes from basic_solutions.py. Nothing of the product is called.
"""
from fractions import Fraction
from itertools import combinations

from .basic_solutions import shared_corners


def self_pairs(V, F) -> list[list[int]]:
    """The pairs i < j of triangles that share area, or a point off the hull of their common vertices, in order.

    V: (n,3) finite numbers; F: (m,3) whole numbers.
    """
    corners = [[tuple(map(Fraction, V[v])) for v in triangle] for triangle in F]
    return [[i, j] for (i, one), (j, other) in combinations(enumerate(corners), 2) if collide(one, other)]


def collide(one, other) -> bool:
    """one, other: three points of three Fractions each."""
    if any(max(p[x] for p in a) < min(p[x] for p in b) for a, b in ((one, other), (other, one)) for x in range(3)):
        return False
    shared, common = shared_corners(one, other), set(one) & set(other)
    return len(shared) > 2 or not all(in_hull(tuple(corner), common) for corner in shared)


def in_hull(point, vertices) -> bool:
    """True where a point is a convex combination of up to three vertices that lie on one line."""
    return point in vertices or any(between(point, p, q) for p, q in combinations(vertices, 2))


def between(point, p, q) -> bool:
    """True where point = p + t (q − p) with 0 ≤ t ≤ 1, p ≠ q."""
    x = next(x for x in range(3) if p[x] != q[x])
    t = (point[x] - p[x]) / (q[x] - p[x])
    return 0 <= t <= 1 and all(point[y] == p[y] + t * (q[y] - p[y]) for y in range(3))
