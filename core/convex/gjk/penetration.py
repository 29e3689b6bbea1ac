# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep two hulls overlap: the expanding polytope of van den Bergen (2001), with bounds on both sides.

A closed surface of triangles between corners of the set of differences D encloses the origin, and is pushed outwards
where its planes are closest to the origin. Every direction gives an upper bound of the depth, and the closest plane a
lower one, whatever shape the surface takes (docs/convex.md). The search ends when the two agree.

P and Q are the points of one hull each, (n,3) float64; `surface` is a PolytopeScratch.
"""
import math

import numpy as np

from ...geometry.undecided import UNDECIDED
from ...machine_code.jit import kernel
from ...records import PolytopeScratch
from .gjk import CORNER_NOISE, HULL_NOISE, MEET
from .support import LANES, farthest, pack

MOST_EPA_CORNERS = 2048
MOST_EPA_FACES = 8192
AGREE = 2.0 ** -31          # of the depth: how far the bounds may be apart
FACE_NOISE_RELATIVE = 2.0 ** -50    # see `_make_face`
TILT_X, TILT_Y, TILT_Z = 3.5e-7, 6.8e-7, -5.6e-7    # aside of a normal, where only extreme points are farthest
# Columns of planes: unit normal 0–2, its height over the origin, a lower bound of its distance (inf: no such face), its
# relative noise, and the sum of the absolute coordinates of the corner that the height is taken at.
FACE_HEIGHT, FACE_DISTANCE, FACE_NOISE, FACE_REACH, PLANE_COLUMNS = 3, 4, 5, 6, 7


def polytope_scratch() -> PolytopeScratch:
    """Memory for `depths`: some megabytes."""
    return PolytopeScratch(np.empty((MOST_EPA_CORNERS, 3)), np.empty((MOST_EPA_CORNERS, 2), np.int64),
                           np.empty((MOST_EPA_FACES, 3), np.int64), np.empty((MOST_EPA_FACES, PLANE_COLUMNS)),
                           np.empty((3 * MOST_EPA_FACES, 2), np.int64),
                           np.zeros((MOST_EPA_CORNERS, MOST_EPA_CORNERS), np.int8))


@kernel
def depths(hulls_p, hulls_q, start, stop, scratch, surface, found, depth, direction):
    """Write depth (N,) of the pairs start ≤ k < stop that MEET, and the unit direction (N,3) in which Q has to go so
    far; pairs whose bounds do not agree become UNDECIDED.

    hulls_p, hulls_q: Hulls; scratch: HullScratch; found: HullAnswers, as `approach` leaves it.
    """
    answer = found.answer
    corners = found.corners
    for k in range(start, stop):
        direction[k, 0] = 0.0
        direction[k, 1] = 0.0
        direction[k, 2] = 0.0
        depth[k] = 0.0
        if answer[k] == MEET:
            answer[k] = UNDECIDED
            if corners[k, 6] >= 0:
                first_p = hulls_p.starts[k]
                first_q = hulls_q.starts[k]
                count_p = hulls_p.counts[k]
                count_q = hulls_q.counts[k]
                P = hulls_p.points[first_p:first_p + count_p]
                Q = hulls_q.points[first_q:first_q + count_q]
                _, size_p = pack(hulls_p.points, first_p, count_p, scratch.packed_p, 0.0, 0.0, 0.0)
                _, size_q = pack(hulls_q.points, first_q, count_q, scratch.packed_q, 0.0, 0.0, 0.0)
                for c in range(4):
                    _take_corner(P, Q, np.int64(corners[k, 2 * c]), np.int64(corners[k, 2 * c + 1]), surface, c)
                answer[k], depth[k] = _expand(P, Q, size_p + size_q, scratch, surface, direction[k])


@kernel
def _expand(P, Q, size, scratch, surface, direction):
    """(MEET, depth), or (UNDECIDED, 0.0), from the tetrahedron of the first four corners, which holds the origin.

    size: of both hulls, which scratch has packed. direction: (3,) float64, written.
    """
    A = scratch.packed_p
    B = scratch.packed_q
    Y = surface.corners
    planes = surface.planes
    count_p = P.shape[0]
    count_q = Q.shape[0]
    blocks_p = (count_p + LANES - 1) // LANES
    blocks_q = (count_q + LANES - 1) // LANES
    noise = HULL_NOISE * size
    made = _first_faces(P, Q, surface)
    upper = math.inf
    for corners in range(4, MOST_EPA_CORNERS):
        face = 0
        for f in range(1, made):
            if planes[f, FACE_DISTANCE] < planes[face, FACE_DISTANCE]:
                face = f
        lower = planes[face, FACE_DISTANCE]
        x = planes[face, 0]
        y = planes[face, 1]
        z = planes[face, 2]
        if not lower > 0.0:
            return UNDECIDED, 0.0
        i = min(farthest(A, blocks_p, x, y, z), count_p - 1)
        j = min(farthest(B, blocks_q, -x, -y, -z), count_q - 1)
        _take_corner(P, Q, i, j, surface, corners)
        reach = x * Y[corners, 0] + y * Y[corners, 1] + z * Y[corners, 2] + noise * (abs(x) + abs(y) + abs(z)) + (
            CORNER_NOISE * (abs(x * Y[corners, 0]) + abs(y * Y[corners, 1]) + abs(z * Y[corners, 2])))
        if reach < upper:
            upper = reach
            direction[0] = x
            direction[1] = y
            direction[2] = z
        if upper - lower <= AGREE * lower:
            return MEET, upper
        s = min(farthest(A, blocks_p, x + TILT_X, y + TILT_Y, z + TILT_Z), count_p - 1)
        t = min(farthest(B, blocks_q, -x - TILT_X, -y - TILT_Y, -z - TILT_Z), count_q - 1)
        _take_corner(P, Q, s, t, surface, corners)
        if not _sees(planes, face, Y, corners):
            _take_corner(P, Q, i, j, surface, corners)
            if not _sees(planes, face, Y, corners):
                return UNDECIDED, 0.0
        made = _push_out(P, Q, corners, made, surface)
        if made == 0:
            return UNDECIDED, 0.0
    return UNDECIDED, 0.0


@kernel
def _take_corner(P, Q, i, j, surface, n):
    """Corner n of the surface is P[i] − Q[j]."""
    for axis in range(3):
        surface.corners[n, axis] = P[i, axis] - Q[j, axis]
    surface.numbers[n, 0] = i
    surface.numbers[n, 1] = j


@kernel
def _sees(planes, face, Y, n):
    """True where corner n certainly lies beyond the plane of the face."""
    height = planes[face, 0] * Y[n, 0] + planes[face, 1] * Y[n, 1] + planes[face, 2] * Y[n, 2]
    reach = abs(Y[n, 0]) + abs(Y[n, 1]) + abs(Y[n, 2]) + planes[face, FACE_REACH]
    return height - planes[face, FACE_HEIGHT] > planes[face, FACE_NOISE] * reach


@kernel
def _first_faces(P, Q, surface):
    """4, the number of faces of the tetrahedron of the first four corners, which are made."""
    Y = surface.corners
    planes = surface.planes
    for f in range(4):
        a = (f + 1) & 3
        b = (f + 2) & 3
        c = (f + 3) & 3
        _make_face(P, Q, surface, f, a, b, c)
        if planes[f, 0] * Y[f, 0] + planes[f, 1] * Y[f, 1] + planes[f, 2] * Y[f, 2] > planes[f, FACE_HEIGHT]:
            _make_face(P, Q, surface, f, a, c, b)
    return 4


@kernel
def _make_face(P, Q, surface, f, a, b, c):
    """Write face f between corners a, b and c. Its edges are taken from the points of P and Q, as corners far away have
    lost the digits of a short edge."""
    numbers = surface.numbers
    surface.faces[f, 0] = a
    surface.faces[f, 1] = b
    surface.faces[f, 2] = c
    Y = surface.corners[a]
    E = surface.planes[f]
    permanent = 0.0
    for axis in range(3):
        y = (axis + 1) % 3
        z = (axis + 2) % 3
        uy, uy_size = _edge(P, Q, numbers, a, b, y)
        uz, uz_size = _edge(P, Q, numbers, a, b, z)
        vy, vy_size = _edge(P, Q, numbers, a, c, y)
        vz, vz_size = _edge(P, Q, numbers, a, c, z)
        E[axis] = uy * vz - uz * vy
        permanent += uy_size * vz_size + uz_size * vy_size
    length = math.sqrt(E[0] * E[0] + E[1] * E[1] + E[2] * E[2])
    E[FACE_REACH] = abs(Y[0]) + abs(Y[1]) + abs(Y[2])
    if length == 0.0:
        E[FACE_DISTANCE] = -math.inf
        E[FACE_NOISE] = math.inf
        return
    for axis in range(3):
        E[axis] /= length
    E[FACE_HEIGHT] = E[0] * Y[0] + E[1] * Y[1] + E[2] * Y[2]
    E[FACE_NOISE] = FACE_NOISE_RELATIVE * (permanent / length + 2.0)
    E[FACE_DISTANCE] = E[FACE_HEIGHT] - E[FACE_NOISE] * E[FACE_REACH]


@kernel
def _edge(P, Q, numbers, a, b, axis):
    """(coordinate of the edge from corner a to corner b, size of what it is the difference of)."""
    p = P[numbers[b, 0], axis] - P[numbers[a, 0], axis]
    q = Q[numbers[b, 1], axis] - Q[numbers[a, 1], axis]
    return p - q, abs(p) + abs(q)


@kernel
def _push_out(P, Q, corner, made, surface):
    """The number of faces after those that the corner certainly sees are replaced by faces from it to their outline; 0
    where there are too many. made: faces so far.

    balance[a, b]: how often more the seen faces have the edge from a to b than the one from b to a.
    """
    faces = surface.faces
    planes = surface.planes
    edges = surface.edges
    balance = surface.balance
    outline = 0
    for f in range(made):
        if planes[f, FACE_DISTANCE] < math.inf and _sees(planes, f, surface.corners, corner):
            planes[f, FACE_DISTANCE] = math.inf
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
            while slot < made and planes[slot, FACE_DISTANCE] < math.inf:
                slot += 1
            if slot < MOST_EPA_FACES:
                _make_face(P, Q, surface, slot, a, b, corner)
            made = max(made, slot + 1)
    return made if made <= MOST_EPA_FACES else 0
