# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a surface lies inside another that it does not meet.

Each component of it then lies wholly inside or wholly outside, so it is enough to look at one vertex of each. A point
is inside where a straight line from it to a point beyond the other surface passes that surface more often outward than
inward, or an odd number of times. The line may end anywhere. Ends are tried until the line passes no border of a
triangle and lies in none, so that nothing needs to be counted twice or half.
"""
from collections import Counter
from fractions import Fraction
from itertools import count

import numpy as np

from ..contacts import POINT
from .openings import could_leave
from .rational import cross, dot, minus, sign
from .triangle_pair import DISJOINT, exact_point, on_border, shared_part

OPEN, EVEN, ORIENTED = range(3)
# Products of three floats are no finer than 2^-3222, nor beyond 2^3072. So a shift this small decides ties only, and
# its square only the ties that it leaves.
SHIFT = Fraction(1, 2 ** 6400)
SIGNED_AXES = [(axis, side) for axis in range(3) for side in (-1, 1)]


def closedness(vertices: np.ndarray, triangles: np.ndarray) -> int:
    """ORIENTED where every edge is used as often in one direction as in the other. EVEN where every edge is used an
    even number of times. Else OPEN.

    vertices (n,3), triangles (m,3). Where the indices alone do not close the mesh, vertices at one position are one.
    """
    positions = [tuple(position) for position in (vertices + 0.0).tolist()]     # + 0.0: -0.0 is 0.0
    by_index = edges_close([tuple(triangle) for triangle in triangles.tolist()])
    return by_index or edges_close([tuple(positions[vertex] for vertex in triangle) for triangle in triangles.tolist()])


def edges_close(triangles) -> int:
    """The closedness of triangles that are given by the names of their corners."""
    uses = Counter((p, q) for a, b, c in triangles for p, q in ((a, b), (b, c), (c, a)) if p != q)
    if all(number == uses[q, p] for (p, q), number in uses.items()):
        return ORIENTED
    return EVEN if all((number + uses[q, p]) % 2 == 0 for (p, q), number in uses.items()) else OPEN


def is_inside(point, corners: np.ndarray, closed: int) -> bool:
    """True where a point of three floats or Fractions is inside a surface (m,3,3) with this closedness. The point must
    not be on it."""
    total, number = winding(point, corners)
    return total != 0 if closed == ORIENTED else number % 2 == 1


def winding(point, corners: np.ndarray) -> tuple[int, int]:
    """(outward less inward, in all): how often a line from the point to the outside passes the triangles."""
    low, high = exact_point(corners.min(axis=(0, 1))), exact_point(corners.max(axis=(0, 1)))
    size = max(minus(high, low))
    away = (np.random.default_rng(seed).integers(2, 1000 + 1000 * seed, 3).tolist() for seed in count())
    ends = (tuple(x + step * size for x, step in zip(high, steps)) for steps in away)
    tries = (passings(exact_point(point), end, corners) for end in ends)
    turns = next(turns for turns in tries if turns is not None)
    return sum(turns), len(turns)


def passings(point, end, corners: np.ndarray) -> list[int] | None:
    """1 for each triangle with area that the line passes outward, -1 for each that it passes inward; None where it does
    so at a border."""
    turns = []
    for face in corners[ahead(point, corners)].tolist():
        p, q, r = face = [exact_point(corner) for corner in face]
        normal = cross(minus(q, p), minus(r, p))
        shared = shared_part((point, end, end), face)
        if not any(normal) or shared.kind == DISJOINT:
            continue
        if shared.kind != POINT or on_border(shared.corners[0], face):
            return None
        turns.append(sign(dot(normal, minus(end, point))))
    return turns


def ahead(point, corners: np.ndarray) -> np.ndarray:
    """(m,) bool: triangles that a line from the point to larger x, y and z can meet. Rounding may add others."""
    before = np.nextafter([float(value) for value in point], -np.inf)
    return (corners.max(axis=1) >= before).all(axis=1)


def components_inside(vertices: np.ndarray, triangles: np.ndarray, corners: np.ndarray, closed: int) -> set[bool]:
    """Whether the components of a surface are inside another one: {True} where all of them are, {True, False} where
    some are. The other surface must be closed and not meet this one.

    vertices: world coordinates (n,3), triangles: (m,3); corners (m,3,3) and closed: triangles and closedness of the
    other one.
    """
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    points = (vertices[vertex] for vertex in one_vertex_per_component(triangles.tolist()))
    return {bool(((low <= point) & (point <= high)).all() and is_inside(point, corners, closed)) for point in points}


def one_vertex_per_component(triangles) -> list[int]:
    """The number of a vertex of each component."""
    neighbours: dict[int, set[int]] = {}
    for triangle in triangles:
        for vertex in triangle:
            neighbours.setdefault(vertex, set()).update(triangle)
    seen: set[int] = set()
    first = []
    for vertex in neighbours:
        if vertex not in seen:
            first.append(vertex)
            waiting = [vertex]
            while waiting:
                here = waiting.pop()
                waiting += neighbours[here] - seen
                seen |= neighbours[here]
    return first


def seems_enclosed(vertices_a: np.ndarray, triangles_a: np.ndarray, vertices_b: np.ndarray,
                   triangles_b: np.ndarray) -> bool:
    """True where b's box holds a's box, a is too large for the openings of b, and rays from some vertex of a cross b in
    all six directions of the axes. Nobody can tell whether a is inside b, as b is not closed."""
    if could_leave(vertices_a[np.unique(triangles_a)], vertices_b, triangles_b):
        return False
    corners = vertices_b[triangles_b]
    points = points_within(vertices_a, triangles_a, corners)
    return len(points) == len(np.unique(triangles_a)) and any(
        all(ray_crosses(point, axis, side, corners) for axis, side in SIGNED_AXES) for point in points)


def ray_crosses(point: np.ndarray, axis: int, side: int, corners: np.ndarray) -> bool:
    """True where the ray from a point along an axis crosses one of the triangles (m,3,3).

    The ray starts beside the point by less than any of their numbers can tell. So it runs through no border and along
    no face, and what it would only graze does not count.
    """
    y, z = (axis + 1) % 3, (axis + 2) % 3
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = ((low[:, [y, z]] <= point[[y, z]]) & (point[[y, z]] <= high[:, [y, z]])).all(axis=1)
    start = list(exact_point(point))
    start[y] += SHIFT
    start[z] += SHIFT * SHIFT
    end = list(start)
    end[axis] = Fraction(corners[..., axis].max() if side > 0 else corners[..., axis].min())
    return any(shared_part((start, end, end), triangle).kind != DISJOINT for triangle in corners[near].tolist())


def points_within(vertices: np.ndarray, triangles: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(k,3): the vertices of these triangles that lie in the box of the other triangles. No other vertices can be
    inside."""
    points = vertices[np.unique(triangles)]
    return points[((corners.min(axis=(0, 1)) <= points) & (points <= corners.max(axis=(0, 1)))).all(axis=1)]
