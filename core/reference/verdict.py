# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two surfaces that meet pass through each other.

They do where two triangles pass through each other (`SharedPart.proper`). But a wall that goes through a floor exactly
along the lines of its grid has no such triangles. There the surfaces meet along edges, and what counts is on which
sides the triangles at the edge, its wings, lie. Two triangles are wings of one edge where they share its two vertices,
by index or, in a mesh that is not closed, by place. docs/decisions/0005 gives the reasons, also for the rule of more
than two wings.
"""
from functools import cmp_to_key
from itertools import accumulate, combinations, product

from ..contacts import POINT, SEGMENT, Contacts
from .inside import ORIENTED
from .rational import cross, dot, minus, sign
from .surface import Surface
from .triangle_pair import exact_point, on_border, shared_part

EDGE_AND_THIRD = ((0, 1, 2), (1, 2, 0), (2, 0, 1))  # two corners that make an edge, and the third one


def crosses(one: Surface, other: Surface, contacts: Contacts) -> bool:
    """True where the surfaces pass through each other, False where they only touch.

    contacts: all of this pair, triangle_a being of `one`.
    """
    if contacts.proper.any():
        return True
    along = contacts.take(contacts.kind != POINT)
    if len(along) == 0:
        return False
    a, b = Edges(one), Edges(other)
    return any(edge_passes_face(b, tb, a.corners(ta)) or edge_passes_face(a, ta, b.corners(tb))
               or edge_passes_edge(a, ta, b, tb) for ta, tb in zip(along.triangle_a, along.triangle_b))


class Edges:
    """World coordinates of the triangles of a surface, and which of them share an edge."""

    def __init__(self, surface: Surface):
        self.vertices = [exact_point(point) for point in surface.vertices.tolist()]
        assert surface.joined is not None
        self.triangles = surface.joined.tolist()
        self.closed = surface.closed
        # The two vertices of an edge, the smaller first -> (third vertex, whether it runs from the first to the second)
        # of the triangles there.
        self.wings: dict[tuple, list[tuple]] = {}
        for triangle in self.triangles:
            for i, j, k in EDGE_AND_THIRD:
                edge = tuple(sorted((triangle[i], triangle[j])))
                self.wings.setdefault(edge, []).append((triangle[k], triangle[i] == edge[0]))

    def corners(self, triangle: int) -> list[tuple]:
        """The three corners of a triangle."""
        return [self.vertices[vertex] for vertex in self.triangles[triangle]]

    def edges(self, triangle: int):
        """Yield (start, end, wings): the ends of each edge, and of all triangles at it the third corner and whether it
        runs from start to end."""
        corners = self.triangles[triangle]
        for i, j, _ in EDGE_AND_THIRD:
            edge = tuple(sorted((corners[i], corners[j])))
            yield (*(self.vertices[vertex] for vertex in edge),
                   [(self.vertices[vertex], up) for vertex, up in self.wings[edge]])


def edge_passes_face(surface: Edges, triangle: int, face) -> bool:
    """True where an edge of this triangle runs inside the face, its wings strictly on both sides of the face."""
    return any(runs_inside(start, end, face) and any(parted(face, u, v) for (u, _), (v, _) in combinations(wings, 2))
               for start, end, wings in surface.edges(triangle))


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


def edge_passes_edge(a: Edges, triangle_a: int, b: Edges, triangle_b: int) -> bool:
    """True where edges of the two triangles share a piece of positive length and, seen along it, wings of the one lie
    strictly within different regions between the wings of the other."""
    for (start, end, wings_a), (start_b, end_b, wings_b) in product(a.edges(triangle_a), b.edges(triangle_b)):
        if shared_part((start, end, end), (start_b, end_b, end_b)).kind != SEGMENT:
            continue
        fans = [Fan(start, end, wings, surface.closed) for wings, surface in ((wings_a, a), (wings_b, b))]
        if any(len({one.region_of(way) for way in other.ways} - {None}) > 1 for one, other in (fans, fans[::-1])):
            return True
    return False


class Fan:
    """The directions of the wings around an edge, in order of their angle, and the regions between them.

    Between two directions there are two regions. Between more of them, those of the same winding number are one where
    the mesh is ORIENTED and its triangles run along the edge one way as often as the other; else those of the same
    parity where the number of triangles is even; else all are different.
    """

    def __init__(self, start, end, wings, closed: int):
        self.axis = minus(end, start)
        self.ways: list = []            # one direction per angle
        turns: list[list[int]] = []     # of the triangles in each of these directions
        for third, up in wings:
            way = minus(third, start)
            if not any(cross(self.axis, way)):      # no direction: the triangle has no area
                continue
            row = next((i for i, known in enumerate(self.ways) if self.angle(known, way) == 0), len(self.ways))
            if row == len(self.ways):
                self.ways.append(way)
                turns.append([])
            turns[row].append(1 if up else -1)
        def compare(i: int, j: int) -> int:
            return (self.angle(self.ways[0], self.ways[i]) - self.angle(self.ways[0], self.ways[j])
                    or self.turn(self.ways[j], self.ways[i]))

        order = sorted(range(len(self.ways)), key=cmp_to_key(compare))
        self.ways, turns = [self.ways[i] for i in order], [turns[i] for i in order]
        every = sum(turns, [])
        if len(self.ways) < 3 or len(every) % 2:
            self.regions = list(range(len(self.ways)))      # region i begins at direction i
        elif sum(every) == 0 and closed == ORIENTED:
            self.regions = list(accumulate(map(sum, turns)))
        else:
            self.regions = [number % 2 for number in accumulate(map(len, turns))]

    def turn(self, u, v) -> int:
        """1 where v is less than half a turn from u, the positive way round, -1 the other way, 0 along one line."""
        return sign(dot(self.axis, cross(u, v)))

    def angle(self, u, v) -> int:
        """From u to v the positive way round: 0 the same, 1 less than half a turn, 2 half a turn, 3 more."""
        side = self.turn(u, v)
        if side == 0:
            return 0 if dot(cross(self.axis, u), cross(self.axis, v)) > 0 else 2
        return 1 if side > 0 else 3

    def region_of(self, way) -> int | None:
        """The region that a direction lies strictly within; None where it is one of the directions."""
        if not self.ways or any(self.angle(known, way) == 0 for known in self.ways):
            return None
        first = self.ways[0]
        before = [i for i, known in enumerate(self.ways) if self.angle(first, known) < self.angle(first, way)
                  or (self.angle(first, known) == self.angle(first, way) and self.turn(known, way) > 0)]
        return self.regions[before[-1]]
