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
    pairs = [between_segments(a[i], a[j], b[k], b[m]) for (i, j), (k, m) in product(CORNER_PAIRS, CORNER_PAIRS)]
    pairs += [(corner, foot) for corner in a for foot in foot_inside(corner, b)]
    pairs += [(foot, corner) for corner in b for foot in foot_inside(corner, a)]
    on_a, on_b = min(pairs, key=lambda pair: squared_length(minus(*pair)))
    gap = minus(on_a, on_b)
    return Gap(Fraction(dot(gap, gap)) / scale ** 2, *(tuple(Fraction(x) / scale for x in p) for p in (on_a, on_b)))


def between_segments(p, q, r, s):
    """The nearest points of the segments p q and r s: at an end of one of them, or where the common normal meets
    both."""
    pairs = [(p, nearest_on(p, r, s)), (q, nearest_on(q, r, s)), (nearest_on(r, p, q), r), (nearest_on(s, p, q), s)]
    along, other, between = minus(q, p), minus(s, r), minus(r, p)
    normal = cross(along, other)
    whole = dot(normal, normal)
    u, v = (dot(cross(between, side), normal) for side in (other, along))
    if whole and 0 <= u <= whole and 0 <= v <= whole:
        pairs.append((towards(p, along, Fraction(u, whole)), towards(r, other, Fraction(v, whole))))
    return min(pairs, key=lambda pair: squared_length(minus(*pair)))


def nearest_on(point, start, end):
    """The point of a segment nearest to a point."""
    along = minus(end, start)
    share = Fraction(dot(along, minus(point, start)), dot(along, along) or 1)
    return towards(start, along, min(max(share, 0), 1))


def foot_inside(point, corners) -> list:
    """The foot of the normal through a point on a triangle with area, where it lies inside; else nothing."""
    a, b, c = (minus(corner, point) for corner in corners)
    normal = cross(minus(b, a), minus(c, a))
    if not any(normal) or any(dot(cross(p, q), normal) < 0 for p, q in ((a, b), (b, c), (c, a))):
        return []
    return [towards(point, normal, Fraction(dot(a, normal), dot(normal, normal)))]


def towards(point, direction, share):
    return tuple(x + share * d for x, d in zip(point, direction))


def squared_length(v):
    return dot(v, v)


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
