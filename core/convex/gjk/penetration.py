# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep two hulls overlap: the expanding polytope of van den Bergen (2001), with bounds on both sides.

A closed surface of triangles between corners of the set of differences D encloses the origin, and is pushed outwards
where its planes are closest to the origin. Every direction gives an upper bound of the depth, and the closest plane a
lower one, whatever shape the surface takes (docs/convex.md); the search ends when the two agree.
"""
import math

import numpy as np

from ...machine_code.jit import kernel
from .gjk import CORNER_NOISE, HULL_NOISE, MEET, UNDECIDED
from .support import LANES, farthest, pack

MOST_CORNERS = 2048
MOST_FACES = 8192
AGREE = 2.0 ** -31          # of the depth: how far the bounds may be apart
PLANE_NOISE = 2.0 ** -50    # see `_make_face`
TILT_X, TILT_Y, TILT_Z = 3.5e-7, 6.8e-7, -5.6e-7    # aside of a normal, where only extreme points are farthest
# Columns of planes: unit normal 0–2, height 3, lower bound of the distance 4 (inf: no such face), relative noise 5,
# Σ|Y| of the corner that height is taken at 6.
HEIGHT, LOWER, NOISE, REACH = 3, 4, 5, 6


@kernel
def depths(P, first_p, count_p, Q, first_q, count_q, start, stop, A, B, corners, Y, number, faces, planes, edges,
           balance, answer, depth, direction):
    """depth (N,) of pairs that MEET, and the unit direction (N,3) in which Q has to go so far; else UNDECIDED.

    corners, answer: as `approach` leaves them; A, B: scratch of `support.pack`. Y (MOST_CORNERS,3), number
    (MOST_CORNERS,2) int64: corners of D and their points of P and Q; faces (MOST_FACES,3) int64: their corners,
    counterclockwise from outside; planes (MOST_FACES,7); edges (3·MOST_FACES,2) int64; balance
    (MOST_CORNERS,MOST_CORNERS) int8, zeros: scratch.
    """
    for k in range(start, stop):
        direction[k, 0] = 0.0
        direction[k, 1] = 0.0
        direction[k, 2] = 0.0
        depth[k] = 0.0
        if answer[k] == MEET:
            answer[k] = UNDECIDED
            if corners[k, 6] >= 0:
                _, size_p = pack(P, first_p[k], count_p[k], A, 0.0, 0.0, 0.0)
                _, size_q = pack(Q, first_q[k], count_q[k], B, 0.0, 0.0, 0.0)
                for c in range(4):
                    _take_corner(P, first_p[k], Q, first_q[k], np.int64(corners[k, 2 * c]),
                                 np.int64(corners[k, 2 * c + 1]), Y, number, c)
                answer[k] = _expand(P, first_p[k], count_p[k], Q, first_q[k], count_q[k], A, B, size_p + size_q, Y,
                                    number, faces, planes, edges, balance, depth, direction, k)


@kernel
def _expand(P, first_p, count_p, Q, first_q, count_q, A, B, size, Y, number, faces, planes, edges, balance, depth,
            direction, k):
    """From the tetrahedron of the first four corners, which holds the origin: MEET, or UNDECIDED."""
    blocks_p = (count_p + LANES - 1) // LANES
    blocks_q = (count_q + LANES - 1) // LANES
    noise = HULL_NOISE * size
    made = _first_faces(P, first_p, Q, first_q, Y, number, faces, planes)
    upper = math.inf
    for corners in range(4, MOST_CORNERS):
        face = 0
        for f in range(1, made):
            if planes[f, LOWER] < planes[face, LOWER]:
                face = f
        lower = planes[face, LOWER]
        x = planes[face, 0]
        y = planes[face, 1]
        z = planes[face, 2]
        if not lower > 0.0:
            return UNDECIDED
        i = min(farthest(A, blocks_p, x, y, z), count_p - 1)
        j = min(farthest(B, blocks_q, -x, -y, -z), count_q - 1)
        _take_corner(P, first_p, Q, first_q, i, j, Y, number, corners)
        reach = x * Y[corners, 0] + y * Y[corners, 1] + z * Y[corners, 2] + noise * (abs(x) + abs(y) + abs(z)) + (
            CORNER_NOISE * (abs(x * Y[corners, 0]) + abs(y * Y[corners, 1]) + abs(z * Y[corners, 2])))
        if reach < upper:
            upper = reach
            direction[k, 0] = x
            direction[k, 1] = y
            direction[k, 2] = z
        if upper - lower <= AGREE * lower:
            depth[k] = upper
            return MEET
        s = min(farthest(A, blocks_p, x + TILT_X, y + TILT_Y, z + TILT_Z), count_p - 1)
        t = min(farthest(B, blocks_q, -x - TILT_X, -y - TILT_Y, -z - TILT_Z), count_q - 1)
        _take_corner(P, first_p, Q, first_q, s, t, Y, number, corners)
        if not _sees(planes, face, Y, corners):
            _take_corner(P, first_p, Q, first_q, i, j, Y, number, corners)
            if not _sees(planes, face, Y, corners):
                return UNDECIDED
        made = _push_out(P, first_p, Q, first_q, corners, made, Y, number, faces, planes, edges, balance)
        if made == 0:
            return UNDECIDED
    return UNDECIDED


@kernel
def _take_corner(P, first_p, Q, first_q, i, j, Y, number, n):
    for axis in range(3):
        Y[n, axis] = P[first_p + i, axis] - Q[first_q + j, axis]
    number[n, 0] = i
    number[n, 1] = j


@kernel
def _sees(planes, face, Y, n):
    """Corner n certainly lies beyond the plane of the face."""
    height = planes[face, 0] * Y[n, 0] + planes[face, 1] * Y[n, 1] + planes[face, 2] * Y[n, 2]
    reach = abs(Y[n, 0]) + abs(Y[n, 1]) + abs(Y[n, 2]) + planes[face, REACH]
    return height - planes[face, HEIGHT] > planes[face, NOISE] * reach


@kernel
def _first_faces(P, first_p, Q, first_q, Y, number, faces, planes):
    for f in range(4):
        a = (f + 1) & 3
        b = (f + 2) & 3
        c = (f + 3) & 3
        _make_face(P, first_p, Q, first_q, Y, number, f, a, b, c, faces, planes)
        if planes[f, 0] * Y[f, 0] + planes[f, 1] * Y[f, 1] + planes[f, 2] * Y[f, 2] > planes[f, HEIGHT]:
            _make_face(P, first_p, Q, first_q, Y, number, f, a, c, b, faces, planes)
    return 4


@kernel
def _make_face(P, first_p, Q, first_q, Y, number, f, a, b, c, faces, planes):
    """The edges are taken from the points of P and Q, as corners far away have lost the digits of a short edge."""
    faces[f, 0] = a
    faces[f, 1] = b
    faces[f, 2] = c
    E = planes[f]
    permanent = 0.0
    for axis in range(3):
        y = (axis + 1) % 3
        z = (axis + 2) % 3
        uy, uy_size = _edge(P, first_p, Q, first_q, number, a, b, y)
        uz, uz_size = _edge(P, first_p, Q, first_q, number, a, b, z)
        vy, vy_size = _edge(P, first_p, Q, first_q, number, a, c, y)
        vz, vz_size = _edge(P, first_p, Q, first_q, number, a, c, z)
        E[axis] = uy * vz - uz * vy
        permanent += uy_size * vz_size + uz_size * vy_size
    length = math.sqrt(E[0] * E[0] + E[1] * E[1] + E[2] * E[2])
    E[REACH] = abs(Y[a, 0]) + abs(Y[a, 1]) + abs(Y[a, 2])
    if length == 0.0:
        E[LOWER] = -math.inf
        E[NOISE] = math.inf
        return
    for axis in range(3):
        E[axis] /= length
    E[HEIGHT] = E[0] * Y[a, 0] + E[1] * Y[a, 1] + E[2] * Y[a, 2]
    E[NOISE] = PLANE_NOISE * (permanent / length + 2.0)
    E[LOWER] = E[HEIGHT] - E[NOISE] * E[REACH]


@kernel
def _edge(P, first_p, Q, first_q, number, a, b, axis):
    """A coordinate of the edge from corner a to corner b of D, and the size of what it is the difference of."""
    p = P[first_p + number[b, 0], axis] - P[first_p + number[a, 0], axis]
    q = Q[first_q + number[b, 1], axis] - Q[first_q + number[a, 1], axis]
    return p - q, abs(p) + abs(q)


@kernel
def _push_out(P, first_p, Q, first_q, corner, made, Y, number, faces, planes, edges, balance):
    """Replace the faces that the corner certainly sees by those from it to their outline; their number, 0: too many.

    balance[a, b]: how often more the seen faces have the edge from a to b than the one from b to a.
    """
    outline = 0
    for f in range(made):
        if planes[f, LOWER] < math.inf and _sees(planes, f, Y, corner):
            planes[f, LOWER] = math.inf
            for e in range(3):
                a = faces[f, e]
                b = faces[f, (e + 1) % 3]
                balance[a, b] += 1
                balance[b, a] -= 1
                edges[outline, 0] = a
                edges[outline, 1] = b
                outline += 1
    slot = 0
    for e in range(outline):
        a = edges[e, 0]
        b = edges[e, 1]
        if balance[a, b] > 0:
            balance[a, b] -= 1
            balance[b, a] += 1
            while slot < made and planes[slot, LOWER] < math.inf:
                slot += 1
            if slot < MOST_FACES:
                _make_face(P, first_p, Q, first_q, Y, number, slot, a, b, corner, faces, planes)
            made = max(made, slot + 1)
    return made if made <= MOST_FACES else 0
