# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two surfaces that meet pass through each other.

They do where two triangles pass through each other (`SharedPart.proper`). But a wall that goes through a floor
exactly along the lines of its grid has no such triangles: there the surfaces meet along edges, and what counts is
on which sides the triangles at the edge, its wings, lie. Two triangles are wings of one edge where they share its
two vertices by index.
"""
from itertools import combinations, product

import numpy as np

from ..contacts import Contacts
from .rational import cross, dot, minus, sign
from .triangle_pair import POINT, SEGMENT, exact_point, on_border, shared_part

SIDES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))      # two corners that make an edge, and the third one


def crosses(vertices_a: np.ndarray, triangles_a: np.ndarray, vertices_b: np.ndarray, triangles_b: np.ndarray,
            contacts: Contacts) -> bool:
    """True where the surfaces pass through each other, False where they only touch.

    vertices: world coordinates (n,3) float64, triangles: (m,3) int; contacts: all of this pair.
    """
    if contacts.proper.any():
        return True
    along = contacts.take(contacts.kind != POINT)
    a, b = Surface(vertices_a, triangles_a), Surface(vertices_b, triangles_b)
    return any(edge_passes_face(b, tb, a.corners(ta)) or edge_passes_face(a, ta, b.corners(tb))
               or edge_passes_edge(a, ta, b, tb) for ta, tb in zip(along.triangle_a, along.triangle_b))


class Surface:
    """World coordinates of triangles, and which of them share an edge."""

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray):
        self.vertices = [exact_point(point) for point in vertices.tolist()]
        self.triangles = triangles.tolist()
        self.wings = {}     # the two vertices of an edge, the smaller first -> third vertices of the triangles there
        for triangle in self.triangles:
            for i, j, k in SIDES:
                edge = tuple(sorted((triangle[i], triangle[j])))
                self.wings.setdefault(edge, []).append(triangle[k])

    def corners(self, triangle: int) -> list[tuple]:
        return [self.vertices[vertex] for vertex in self.triangles[triangle]]

    def edges(self, triangle: int):
        """Yield (start, end, thirds): the ends of each edge and the third corners of all triangles at it."""
        corners = self.triangles[triangle]
        for i, j, _ in SIDES:
            edge = tuple(sorted((corners[i], corners[j])))
            yield (*(self.vertices[vertex] for vertex in edge), [self.vertices[vertex] for vertex in self.wings[edge]])


def edge_passes_face(surface: Surface, triangle: int, face) -> bool:
    """True where an edge of this triangle runs inside the face, its wings strictly on both sides of the face."""
    return any(runs_inside(start, end, face) and any(parted(face, *pair) for pair in combinations(thirds, 2))
               for start, end, thirds in surface.edges(triangle))


def runs_inside(start, end, face) -> bool:
    """True where a piece of positive length of the edge lies in the face and not along its border."""
    shared = shared_part((start, end, end), face)
    if shared.kind != SEGMENT:
        return False
    return not on_border([(p + q) / 2 for p, q in zip(*shared.corners)], face)


def parted(face, u, v) -> bool:
    """True where u and v lie strictly on opposite sides of the plane of the face."""
    normal = cross(minus(face[1], face[0]), minus(face[2], face[0]))
    return sign(dot(normal, minus(u, face[0]))) * sign(dot(normal, minus(v, face[0]))) < 0


def edge_passes_edge(a: Surface, triangle_a: int, b: Surface, triangle_b: int) -> bool:
    """True where edges of the two triangles share a piece of positive length and wings alternate around it:
    going round the edge one meets a wing of a, one of b, the other of a, the other of b."""
    for (start, end, thirds_a), (start_b, end_b, thirds_b) in product(a.edges(triangle_a), b.edges(triangle_b)):
        if shared_part((start, end, end), (start_b, end_b, end_b)).kind != SEGMENT:
            continue
        axis = minus(end, start)
        wings_a, wings_b = ([minus(third, start) for third in thirds] for thirds in (thirds_a, thirds_b))
        if any(alternate(axis, pair_a, pair_b)
               for pair_a, pair_b in product(combinations(wings_a, 2), combinations(wings_b, 2))):
            return True
    return False


def alternate(axis, pair_a, pair_b) -> bool:
    """True where, seen along the axis, the directions a, b, a, b follow each other, no two of them the same."""
    between = [[strictly_between(axis, p, q, wing) for wing in pair_b] for p, q in (pair_a, pair_a[::-1])]
    return between in ([[True, False], [False, True]], [[False, True], [True, False]])


def strictly_between(axis, p, q, wing) -> bool:
    """True where turning about the axis from p to q, the positive way round, passes the direction of wing.
    False where two of the directions are the same or one of them has none."""
    def turn(u, v):
        return sign(dot(axis, cross(u, v)))

    def same(u, v):
        return turn(u, v) == 0 and dot(cross(axis, u), cross(axis, v)) >= 0

    if same(p, q) or same(p, wing) or same(q, wing):
        return False
    if turn(p, q) > 0:
        return turn(p, wing) > 0 and turn(wing, q) > 0
    if turn(p, q) < 0:
        return not (turn(q, wing) > 0 and turn(wing, p) > 0)
    return turn(p, wing) > 0
