# SPDX-License-Identifier: GPL-3.0-or-later
"""The faces of the set of differences of two bodies, and where a ray of the origin enters and leaves them: kernels.

D = {p − q}. Its faces are those of the first body, those of the second one turned round, and parallelograms: of an edge
of each, where the arcs between the normals at both edges cross on the sphere (Gauss map).
"""
import math

from ...machine_code.jit import kernel
from .axes import forget, remember, unit_normal, unit_product

MOST_OBSTACLE_EDGE_PAIRS = 1 << 18  # a millisecond; beyond it only faces of the bodies are looked at


@kernel
def clipped(a, b, hulls, scratch):
    """`chosen` = into the face of D that the ray of the origin enters last; `leaving` = out of the one that it leaves
    first, zero where it leaves none.

    The two are placed. The ray is the way that the first corner of b goes against that of a until the end of the
    interval: that of all of them where both only glide.
    """
    forget(scratch)
    p = scratch.now_p
    q = scratch.now_q
    first = hulls.starts[a]
    other = hulls.starts[b]
    ray = scratch.gjk.nearest
    for x in range(3):
        ray[x] = (hulls.end[first, x] - hulls.end[other, x]) - (p.points[0, x] - q.points[0, x])
    _outward_normals(p, hulls, a, 1.0, scratch.later_p, scratch.axis)
    _outward_normals(q, hulls, b, -1.0, scratch.later_q, scratch.axis)
    for face in range(hulls.face_counts[a, 0]):
        corner = hulls.faces[hulls.face_starts[a] + face, 0]
        _clip_by_face(p.points, corner, q, scratch.later_p, face, 1.0, ray, scratch)
    for face in range(hulls.face_counts[b, 0]):
        corner = hulls.faces[hulls.face_starts[b] + face, 0]
        _clip_by_face(q.points, corner, p, scratch.later_q, face, -1.0, ray, scratch)
    if hulls.edge_counts[a, 0] * hulls.edge_counts[b, 0] <= MOST_OBSTACLE_EDGE_PAIRS:
        _clip_by_edges(a, b, hulls, scratch, ray)


@kernel
def _outward_normals(hull, hulls, obj, sign, normals, axis):
    """normals (…,3) = the unit normals of an object's faces, out of it where sign is 1; zero where there is none."""
    points = hull.points
    first = hulls.face_starts[obj]
    centre_x = 0.0
    centre_y = 0.0
    centre_z = 0.0
    for k in range(hull.counts[0]):
        centre_x += (points[k, 0] - points[0, 0]) / hull.counts[0]
        centre_y += (points[k, 1] - points[0, 1]) / hull.counts[0]
        centre_z += (points[k, 2] - points[0, 2]) / hull.counts[0]
    for face in range(hulls.face_counts[obj, 0]):
        there = unit_normal(points, hulls.faces, first + face, axis)
        corner = hulls.faces[first + face, 0]
        height = (axis[0] * (points[corner, 0] - points[0, 0] - centre_x)
                  + axis[1] * (points[corner, 1] - points[0, 1] - centre_y)
                  + axis[2] * (points[corner, 2] - points[0, 2] - centre_z))
        for x in range(3):
            normals[face, x] = 0.0 if not there else sign * axis[x] if height > 0.0 else -sign * axis[x]


@kernel
def _clip_by_face(points, corner, other, normals, face, sign, ray, scratch):
    """Clip the ray by the face of D that is made of a body's face and the corner of the other body, a Hulls, that is
    lowest over it. sign: 1 for faces of the first body, -1 for those of the second one, as `normals` has them."""
    axis = scratch.axis
    for x in range(3):
        axis[x] = normals[face, x]
    low = math.inf
    others = other.points
    for k in range(other.counts[0]):
        height = 0.0
        for x in range(3):
            height += axis[x] * (others[k, x] - points[corner, x])
        low = min(low, sign * height)
    _clip(low, ray, scratch)


@kernel
def _clip(away, ray, scratch):
    """Clip the ray by the plane of a face of D. axis: its outward normal; away: of the origin above it.

    The direction that parts the two leads from b to a, into D.
    """
    axis = scratch.axis
    scratch.stats[1] += 1
    towards = axis[0] * ray[0] + axis[1] * ray[1] + axis[2] * ray[2]
    remember(away, away - towards, -1.0, scratch)


@kernel
def _clip_by_edges(a, b, hulls, scratch, ray):
    """Clip the ray by the faces of D that are made of an edge of each body."""
    P = scratch.now_p.points
    Q = scratch.now_q.points
    normals = scratch.later_p
    others = scratch.later_q
    for i in range(hulls.edge_starts[a], hulls.edge_starts[a] + hulls.edge_counts[a, 0]):
        m = hulls.edges[i, 2]
        n = hulls.edges[i, 3]
        if m == n:
            continue
        for j in range(hulls.edge_starts[b], hulls.edge_starts[b] + hulls.edge_counts[b, 0]):
            r = hulls.edges[j, 2]
            s = hulls.edges[j, 3]
            if r == s or not _arcs_cross(normals, m, n, others, r, s):
                continue
            if not unit_product(P, Q, hulls.edges, i, j, scratch.axis):
                continue
            axis = scratch.axis
            outward = 0.0
            away = 0.0
            for x in range(3):
                outward += axis[x] * (normals[m, x] + normals[n, x])
                away += axis[x] * (Q[hulls.edges[j, 0], x] - P[hulls.edges[i, 0], x])
            if outward < 0.0:
                away = -away
                for x in range(3):
                    axis[x] = -axis[x]
            _clip(away, ray, scratch)


@kernel
def _arcs_cross(P, m, n, Q, r, s):
    """True where the arc between two unit vectors of P crosses that between two of Q, on the sphere."""
    ux = P[m, 1] * P[n, 2] - P[m, 2] * P[n, 1]
    uy = P[m, 2] * P[n, 0] - P[m, 0] * P[n, 2]
    uz = P[m, 0] * P[n, 1] - P[m, 1] * P[n, 0]
    first = Q[r, 0] * ux + Q[r, 1] * uy + Q[r, 2] * uz
    second = Q[s, 0] * ux + Q[s, 1] * uy + Q[s, 2] * uz
    if not first * second < 0.0:
        return False
    vx = Q[r, 1] * Q[s, 2] - Q[r, 2] * Q[s, 1]
    vy = Q[r, 2] * Q[s, 0] - Q[r, 0] * Q[s, 2]
    vz = Q[r, 0] * Q[s, 1] - Q[r, 1] * Q[s, 0]
    third = P[m, 0] * vx + P[m, 1] * vy + P[m, 2] * vz
    fourth = P[n, 0] * vx + P[n, 1] * vy + P[n, 2] * vz
    return third * fourth < 0.0 and first * fourth > 0.0
