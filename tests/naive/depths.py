# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep a surface reaches into a solid, in Fractions: the oracle of core/depth, which the product never calls.

Triangles of the surface are quartered, the deepest bound first. A quarter is no deeper than its corners are far from
any one triangle of the solid, as that distance is convex. It is left out where its middle is outside, farther from the
solid than from its own corners. Middles and corners that are inside bound the depth from below. Distances are exact
squares, and the side of a point is that of a line through it which meets no border.
"""
import heapq
from fractions import Fraction
from itertools import count

import numpy as np


def depth_bounds(surface, solid, steps, within=Fraction(1, 10 ** 6)):
    """(lower, upper) squares of the depth of a surface in a solid, after so many steps, or where the squares are no
    farther apart than `within`.

    surface, solid: (vertices (n,3), triangles (m,3)) of finite floats; the solid is closed.
    """
    pieces = [[exact(surface[0][corner]) for corner in face] for face in surface[1].tolist()]
    walls = Walls(solid)
    number = count()
    waiting: list = []
    lower = Fraction(0)

    def add(piece):
        nonlocal lower
        middle = tuple(sum(values) / 3 for values in zip(*piece))
        near = walls.near(middle)
        far = min(squared_distance(middle, face) for face in near)
        bound = min(max(squared_distance(corner, face) for corner in piece) for face in near)
        if bound <= lower:
            return
        if walls.hold(middle):
            lower = max(lower, far)
        elif far > max(squared(minus(corner, middle)) for corner in piece):
            return
        heapq.heappush(waiting, (-bound, next(number), piece))

    for piece in pieces:
        for corner in piece:
            far = walls.squared_distance(corner)
            if far > lower and walls.hold(corner):
                lower = far
        add(piece)
    for _ in range(steps):
        if not waiting or -waiting[0][0] <= lower + within:
            break
        p, q, r = heapq.heappop(waiting)[2]
        pq, qr, rp = (tuple((x + y) / 2 for x, y in zip(*side)) for side in ((p, q), (q, r), (r, p)))
        for piece in ((p, pq, rp), (pq, q, qr), (rp, qr, r), (pq, qr, rp)):
            add(piece)
    return lower, max(lower, -waiting[0][0] if waiting else lower)


def depth_of_point(point, solid):
    """(squared distance to a solid's surface, whether the point is inside): exact."""
    walls, point = Walls(solid), exact(point)
    far = walls.squared_distance(point)
    return far, far > 0 and walls.hold(point)


def distance_from(point, mesh):
    """The squared distance of a point to a surface, exact."""
    return Walls(mesh).squared_distance(exact(point))


class Walls:
    """The triangles of a mesh. Floats choose those that are worth an exact look, by far more than they err."""

    def __init__(self, mesh):
        vertices, triangles = mesh
        self.faces = [[exact(vertices[corner]) for corner in face] for face in triangles.tolist()]
        self.parity = not turns_cancel(triangles.tolist())
        self.size = float(np.ptp(vertices, axis=0).max())
        self.origin = vertices[0]
        self.corners = (vertices[triangles] - self.origin) / self.size

    def near(self, point):
        """The faces of which one is the nearest to a point."""
        apart = distances(self._scaled(point), self.corners)
        return [self.faces[i] for i in np.flatnonzero(apart <= apart.min() + 1e-6 * (1.0 + apart.min()))]

    def about(self, point) -> float:
        """The distance of a point (3,) to the mesh, in float64."""
        return float(distances((point - self.origin) / self.size, self.corners).min() * self.size)

    def squared_distance(self, point):
        """The exact square of a point's distance to the mesh."""
        return min(squared_distance(point, face) for face in self.near(point))

    def hold(self, point) -> bool:
        """True where a point, which is not on the surface, is inside."""
        return is_inside(point, self.faces, self.parity, self.corners - self._scaled(point))

    def _scaled(self, point):
        return np.array([float((x - Fraction(float(o))) / Fraction(self.size)) for x, o in zip(point, self.origin)])


def distances(point, corners):
    """(m,) float64 distances of a point (3,) to triangles (m,3,3), by the foot on the plane and on the sides."""
    found = []
    for i in range(3):
        start, along = corners[:, i], corners[:, (i + 1) % 3] - corners[:, i]
        share = np.einsum("ij,ij->i", point - start, along) / np.maximum(np.einsum("ij,ij->i", along, along), 1e-300)
        found.append(np.linalg.norm(point - start - np.clip(share, 0, 1)[:, None] * along, axis=1))
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    inner = np.all([np.einsum("ij,ij->i", normal, np.cross(corners[:, (i + 1) % 3] - corners[:, i],
                                                          point - corners[:, i])) >= 0 for i in range(3)], axis=0)
    height = np.abs(np.einsum("ij,ij->i", normal, point - corners[:, 0]))
    return np.minimum(np.min(found, axis=0), np.where(inner, height, np.inf))


def turns_cancel(faces) -> bool:
    """True where every edge is used as often in one direction as in the other."""
    balance: dict = {}
    for face in faces:
        for p, q in zip(face, face[1:] + face[:1]):
            balance[p, q] = balance.get((p, q), 0) + 1
            balance[q, p] = balance.get((q, p), 0) - 1
    return not any(balance.values())


def is_inside(point, faces, parity, seen) -> bool:
    """True where a point, which is not on the surface, is inside. parity: count crossings without their direction;
    seen: (m,3,3) float64, about the faces from the point, in any unit near their size."""
    for k in count(1):
        direction = (Fraction(k * k + 1), Fraction(7 * k + 2, 3), Fraction(1, k + 1) - k)
        along = np.array([float(x) for x in direction])
        volumes = np.stack([np.cross(seen[:, i], seen[:, (i + 1) % 3]) @ along for i in range(3)])
        missed = (volumes.max(axis=0) > 1e-9) & (volumes.min(axis=0) < -1e-9)
        crossings = [crossing(point, direction, faces[i]) for i in np.flatnonzero(~missed)]
        if None not in crossings:
            return sum(crossings) != 0 if not parity else sum(map(abs, crossings)) % 2 == 1
    raise AssertionError


def crossing(point, direction, face):
    """1 or -1 where the ray passes the inner part of a triangle, 0 where it misses it, None where it meets a border."""
    p, q, r = (minus(corner, point) for corner in face)
    normal = cross(minus(q, p), minus(r, p))
    if not any(normal):
        return 0
    volumes = [dot(direction, cross(u, v)) for u, v in ((p, q), (q, r), (r, p))]
    along = dot(normal, direction)
    if along == 0:
        return 0 if dot(normal, p) != 0 else None
    if dot(normal, p) / along <= 0:
        return 0
    if 0 in volumes:
        signs = {volume > 0 for volume in volumes if volume != 0}
        return None if len(signs) <= 1 else 0
    if len({volume > 0 for volume in volumes}) > 1:
        return 0
    return 1 if along > 0 else -1


def squared_distance(point, face) -> Fraction:
    """The least of the squared distances to a triangle's corners, to its sides and to its plane, where the foot is on
    them."""
    p, q, r = face
    found = [squared(minus(point, corner)) for corner in face]
    for start, end in ((p, q), (q, r), (r, p)):
        along, to = minus(end, start), minus(point, start)
        if 0 < dot(along, to) < squared(along):
            found.append(squared(to) - dot(along, to) ** 2 / squared(along))
    normal, to = cross(minus(q, p), minus(r, p)), minus(point, p)
    if any(normal) and all(dot(normal, cross(minus(end, start), minus(point, start))) >= 0
                           for start, end in ((p, q), (q, r), (r, p))):
        found.append(dot(normal, to) ** 2 / squared(normal))
    return min(found)


def exact(point):
    return tuple(Fraction(float(x)) for x in point)


def minus(p, q):
    return tuple(x - y for x, y in zip(p, q))


def dot(p, q):
    return sum(x * y for x, y in zip(p, q))


def squared(p):
    return dot(p, p)


def cross(p, q):
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]
