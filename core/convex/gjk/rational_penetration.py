# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest move that separates two hulls, in whole numbers: slow, always right.

A polytope of extreme points fills the set of differences from within. Its face closest to the origin is pushed outwards
until it lies on the border (van den Bergen 2001, without rounding). No three extreme points lie on a line, so no face
is degenerate.
"""
import heapq
import math
from collections.abc import Callable
from fractions import Fraction

from .rational import Point, cross, dot, lowest_corner, minus, root

UNIT_VECTORS: tuple[Point, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def least_move(P: list[Point], Q: list[Point], e: int,
               pause: Callable[[], object] = lambda: None) -> tuple[float, list[float]]:
    """Length and unit direction of the shortest move of Q that leaves only borders in common; 0 where there is none.

    P, Q: whole numbers, number = whole · 2^-e. The length is rounded upwards. pause(): called now and then, may raise.
    """
    def farthest(direction: Point) -> Point:
        pause()
        i, j = lowest_corner(P, Q, minus((0, 0, 0), direction), pause)
        return minus(P[i], Q[j])

    corners = _tetrahedron(farthest)
    if not corners:
        return 0.0, [0.0, 0.0, 0.0]
    faces: dict[tuple[Point, ...], tuple[Point, int]] = {}
    waiting: list[tuple[Fraction, tuple[Point, ...]]] = []
    for k in range(4):
        a, b, c, d = corners[k:] + corners[:k]
        outside = dot(cross(minus(b, a), minus(c, a)), minus(d, a)) < 0
        _add_face(faces, waiting, (a, b, c) if outside else (a, c, b))
    while True:
        square, face = heapq.heappop(waiting)
        if face not in faces:
            continue
        normal, height = faces[face]
        corner = farthest(normal)
        reached = dot(normal, corner)
        if reached <= 0:
            return 0.0, [0.0, 0.0, 0.0]
        if reached == height:
            longest = max(map(abs, normal))
            unit = [number / longest for number in normal]
            return _upwards(square / (1 << 2 * e)), [number / math.hypot(*unit) for number in unit]
        _expand(faces, waiting, corner)


def _tetrahedron(farthest) -> list[Point]:
    """Four extreme points that span a volume; an empty list where the set is flat."""
    corners = [farthest(UNIT_VECTORS[0])]
    for _ in range(3):
        corner = next((corner for direction in _new_directions(corners)
                       for corner in [farthest(direction)] if dot(direction, minus(corner, corners[0])) != 0), None)
        if corner is None:
            return []
        corners.append(corner)
    return corners


def _new_directions(corners: list[Point]) -> list[Point]:
    """Directions at right angles to the point, line or plane of the corners, enough of them to leave it if possible."""
    edges = [minus(corner, corners[0]) for corner in corners[1:]]
    across = (list(UNIT_VECTORS) if not edges
              else [cross(edges[0], axis) for axis in (UNIT_VECTORS if len(edges) == 1 else edges[1:])])
    return [sense for direction in across for sense in (direction, minus((0, 0, 0), direction))]


def _add_face(faces, waiting, face: tuple[Point, ...]) -> None:
    """Add a face, with its normal and height, and its squared distance with the sign of the height."""
    normal = cross(minus(face[1], face[0]), minus(face[2], face[0]))
    height = dot(normal, face[0])
    faces[face] = normal, height
    heapq.heappush(waiting, (Fraction(height * abs(height), dot(normal, normal)), face))


def _expand(faces, waiting, corner: Point) -> None:
    """Replace the faces that the corner sees by those from the corner to their outline."""
    seen = [face for face, (normal, height) in faces.items() if dot(normal, corner) > height]
    edges = {(face[k], face[(k + 1) % 3]) for face in seen for k in range(3)}
    for face in seen:
        del faces[face]
    for a, b in edges:
        if (b, a) not in edges:
            _add_face(faces, waiting, (a, b, corner))


def _upwards(square: Fraction) -> float:
    """The square root, rounded upwards."""
    length = root(square)
    while math.isfinite(length) and Fraction(length) ** 2 < square:
        length = math.nextafter(length, math.inf)
    return length
