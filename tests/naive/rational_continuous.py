# SPDX-License-Identifier: GPL-3.0-or-later
"""When a moving vertex first meets a moving face, or a moving edge another: exact, for corners that move straight and
evenly from t = 0 to t = 1.

Whether they meet at a time t depends on the signs of a few polynomials in t alone. Between two neighbouring roots of
these polynomials nothing changes, and the times of contact are a closed set, so the first of them is 0 or a root. All
roots are tried. A face without area, an edge without length, edges that are parallel or stay in one plane throughout
need no treatment of their own, be it for all times or for one.
"""
from abc import ABC, abstractmethod
from fractions import Fraction
from functools import cached_property

from touchpoint.core.reference.rational import cross, dot, minus, to_integers

from .rational_polynomial import Polynomial, Root, roots_from_0_to_1

BITS = 80


class Conditions(ABC):
    """Polynomials in t whose signs decide over contact, from four corners whose coordinates are polynomials."""

    def __init__(self, corners):
        self.corners = corners

    def all(self) -> set[tuple[int, ...]]:
        """The coefficients of every polynomial."""
        found = [self.flat, *self.normal, *self.sides]
        for zeros, inner in self.points:
            found += [*zeros, inner]
        return {p.primitive().coefficients for p in found if p}

    @property
    @abstractmethod
    def flat(self) -> Polynomial:
        """0 where the four corners lie in a plane, as they must."""

    @property
    @abstractmethod
    def normal(self) -> tuple[Polynomial, ...]:
        """All three 0 where the face has no area or the edges are parallel."""

    @property
    @abstractmethod
    def sides(self) -> tuple[Polynomial, ...]:
        """Where the normal is not 0, contact is where all of these are >= 0."""

    @property
    @abstractmethod
    def points(self) -> list:
        """Where the normal is 0, contact is where a corner lies on an edge: three polynomials 0 and a fourth <= 0."""


class VertexFace(Conditions):
    """The origin is moved to the vertex: does it lie in the triangle a b c?"""

    @cached_property
    def face(self):
        vertex, *face = self.corners
        return [minus(corner, vertex) for corner in face]

    @cached_property
    def flat(self):
        a, b, c = self.face
        return dot(a, cross(b, c))

    @cached_property
    def normal(self):
        a, b, c = self.face
        return cross(minus(b, a), minus(c, a))

    @cached_property
    def sides(self):
        a, b, c = self.face
        return tuple(dot(cross(p, q), self.normal) for p, q in ((a, b), (b, c), (c, a)))

    @cached_property
    def points(self):
        a, b, c = self.face
        return [on_edge(p, q) for p, q in ((a, b), (b, c), (c, a))]


class EdgeEdge(Conditions):
    """Is p + u·along the same point as r + v·other, with u and v from 0 to 1?"""

    @cached_property
    def directions(self):
        p, q, r, s = self.corners
        return minus(q, p), minus(s, r), minus(r, p)

    @cached_property
    def flat(self):
        return dot(self.directions[2], self.normal)

    @cached_property
    def normal(self):
        along, other, _ = self.directions
        return cross(along, other)

    @cached_property
    def sides(self):
        along, other, between = self.directions
        u, v, whole = (dot(w, self.normal) for w in (cross(between, other), cross(between, along), self.normal))
        return u, whole - u, v, whole - v

    @cached_property
    def points(self):
        p, q, r, s = self.corners
        return [on_edge(minus(start, point), minus(end, point))
                for point, start, end in ((p, r, s), (q, r, s), (r, p, q), (s, p, q))]


def on_edge(start, end):
    """The origin lies on the edge from start to end where they do not point to the same side along one line."""
    return cross(start, end), dot(start, end)


CONDITIONS = {"vertex_face": VertexFace, "edge_edge": EdgeEdge}


def first_contact(kind: str, X0, X1, bits: int = BITS) -> tuple[Fraction, Fraction] | None:
    """The first time 0 … 1 of contact as an interval (low, high) that holds it, or None where they never meet.

    kind: "vertex_face", rows of X0 and X1 (4,3) being the vertex and the corners of the face at t = 0 and t = 1, or
    "edge_edge", rows being the ends of the one edge and of the other. Finite floats or Fractions. Vertices, edges and
    faces are closed sets. The interval is at most 2**-bits long, and low = high wherever the time is a fraction whose
    denominator is at most 2**(bits / 2).
    """
    conditions = CONDITIONS[kind](moving_corners(X0, X1))
    start = Root(conditions.flat, exact=Fraction(0))
    if meets(conditions, start):
        return start.low, start.high
    tried = [conditions.flat] if conditions.flat else [Polynomial(values) for values in sorted(conditions.all())]
    firsts = [first for first in (first_meeting(conditions, p) for p in tried) if first]
    if not firsts:
        return None
    for root in firsts:
        root.refine(bits)
    return min(root.low for root in firsts), min(root.high for root in firsts)


def first_meeting(conditions: Conditions, p: Polynomial) -> Root | None:
    """The first root of a polynomial at which they meet."""
    return next((root for root in roots_from_0_to_1(p.primitive()) if meets(conditions, root)), None)


def meets(conditions: Conditions, root: Root) -> bool:
    """Whether they meet at that time."""
    if root.sign_of(conditions.flat):
        return False
    if any(map(root.sign_of, conditions.normal)):
        return all(root.sign_of(side) >= 0 for side in conditions.sides)
    return any(not any(map(root.sign_of, zeros)) and root.sign_of(inner) <= 0 for zeros, inner in conditions.points)


def moving_corners(X0, X1):
    """Four points whose coordinates are polynomials in t, all times one whole number."""
    corners, _ = to_integers([*map(tuple, X0), *map(tuple, X1)])
    return [tuple(Polynomial((start, end - start)) for start, end in zip(*ends)) for ends in zip(corners, corners[4:])]
