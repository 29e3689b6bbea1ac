# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart two triangles or two meshes are, and where: rational arithmetic, every pair of features.

Triangles that do not meet are nearest at a corner of the one and the other triangle, or at an edge of each. Triangles
without area are the segments and points that they are.
"""
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from .rational import cross, dot, minus, to_integers
from .triangle_pair import DISJOINT, shared_part

CORNER_PAIRS = ((0, 1), (1, 2), (2, 0))


@dataclass(frozen=True)
class Gap:
    """squared: the squared distance. on_a, on_b: points of the two that are so far apart."""

    squared: Fraction
    on_a: tuple[Fraction, ...]
    on_b: tuple[Fraction, ...]


@dataclass(frozen=True)
class MeshGap:
    """Rows of the lists of triangles that are nearest, the first ones of equally near ones, and their gap."""

    triangle_a: int
    triangle_b: int
    gap: Gap


def triangle_gap(a, b) -> Gap:
    """The distance of two triangles, each (3,3) finite floats or Fractions, both closed sets."""
    meeting = shared_part(a, b)
    if meeting.kind != DISJOINT:
        point = meeting.corners[0]
        return Gap(Fraction(0), point, point)
    corners, scale = to_integers([*map(tuple, a), *map(tuple, b)])
    a, b = corners[:3], corners[3:]
    edges_a, edges_b = ([(corners[i], corners[j]) for i, j in CORNER_PAIRS] for corners in (a, b))
    pairs = [(whole(corner), nearest_on(corner, *edge)) for corner in a for edge in edges_b]
    pairs += [(nearest_on(corner, *edge), whole(corner)) for corner in b for edge in edges_a]
    pairs += [points for p, q in product(edges_a, edges_b) for points in across(*p, *q)]
    pairs += [(whole(corner), foot) for corner in a for foot in foot_inside(corner, b)]
    pairs += [(foot, whole(corner)) for corner in b for foot in foot_inside(corner, a)]
    nearest, least = [pairs[0]], squared_distance(*pairs[0])
    for pair in pairs[1:]:
        square = squared_distance(*pair)
        more = square[0] * least[1] - least[0] * square[1]
        if more < 0:
            nearest, least = [pair], square
        elif more == 0:
            nearest.append(pair)
    # Of equally near points the first ones, whichever way round triangles and corners are given.
    found = [tuple(tuple(Fraction(x, point[3] * scale) for x in point[:3]) for point in pair) for pair in nearest]
    on_a, on_b = min(found, key=sorted) if len(found) > 1 else found[0]
    return Gap(Fraction(least[0], least[1] * scale ** 2), on_a, on_b)


# A point is (x, y, z, w) for (x/w, y/w, z/w), w > 0, in whole numbers, whatever divisors these have in common: to find
# the greatest one costs more than all else.

def whole(corner):
    return *corner, 1


def towards(point, direction, share, of):
    """From a point of whole numbers on the share / of in a direction."""
    return *(of * x + share * d for x, d in zip(point, direction)), of


def squared_distance(p, q):
    """Numerator and denominator of that of two points."""
    apart = [x * q[3] - y * p[3] for x, y in zip(p[:3], q[:3])]
    return dot(apart, apart), (p[3] * q[3]) ** 2


def across(p, q, r, s) -> list:
    """The points in which the common normal meets the segments p q and r s, where it meets both; else nothing."""
    along, other, between = minus(q, p), minus(s, r), minus(r, p)
    normal = cross(along, other)
    square = dot(normal, normal)
    u, v = (dot(cross(between, side), normal) for side in (other, along))
    if not square or not 0 <= u <= square or not 0 <= v <= square:
        return []
    return [(towards(p, along, u, square), towards(r, other, v, square))]


def nearest_on(point, start, end):
    """The point of a segment nearest to a point."""
    along = minus(end, start)
    square = dot(along, along) or 1
    return towards(start, along, min(max(dot(along, minus(point, start)), 0), square), square)


def foot_inside(point, corners) -> list:
    """The foot of the normal through a point on a triangle with area, where it lies inside; else nothing."""
    a, b, c = (minus(corner, point) for corner in corners)
    normal = cross(minus(b, a), minus(c, a))
    if not any(normal) or any(dot(cross(p, q), normal) < 0 for p, q in ((a, b), (b, c), (c, a))):
        return []
    return [towards(point, normal, dot(a, normal), dot(normal, normal))]


def mesh_gap(corners_a: np.ndarray, corners_b: np.ndarray, within: Fraction | None = None) -> MeshGap | None:
    """The nearest triangles of two lists (m,3,3) and (k,3,3) of finite float64, of every pair that can be nearest.

    within: a squared distance; None is the answer where no triangles are as near as that, and for empty lists.
    """
    best: MeshGap | None = None
    bounds, unit = squared_box_gaps(corners_a, corners_b)
    for row in np.argsort(bounds, axis=None, kind="stable"):
        i, j = (int(index) for index in divmod(row, bounds.shape[1]))
        limit = best.gap.squared if best else within
        if limit is not None and Fraction(bounds[i, j]) * unit > limit:
            break
        gap = triangle_gap(corners_a[i].tolist(), corners_b[j].tolist())
        if limit is not None and gap.squared > limit:
            continue
        if best is None or (gap.squared, i, j) < (best.gap.squared, best.triangle_a, best.triangle_b):
            best = MeshGap(i, j, gap)
    return best


def squared_box_gaps(corners_a: np.ndarray, corners_b: np.ndarray) -> tuple[np.ndarray, Fraction]:
    """(m,k) float64 and a number; times it, each is at most the squared distance of the boxes of two triangles,
    whatever was rounded."""
    if not corners_a.size or not corners_b.size:
        return np.zeros((len(corners_a), len(corners_b))), Fraction(1)
    _, exponent = np.frexp(max(np.abs(corners_a).max(), np.abs(corners_b).max()))
    a, b = (np.ldexp(corners, -exponent) for corners in (corners_a, corners_b))
    gaps = np.maximum(a.min(axis=1)[:, None] - b.max(axis=1)[None], b.min(axis=1)[None] - a.max(axis=1)[:, None])
    squared = (np.maximum(gaps, 0) ** 2).sum(axis=2) * (1 - 1e-14)
    return np.where(squared > 1e-290, squared, 0), Fraction(4) ** int(exponent)
