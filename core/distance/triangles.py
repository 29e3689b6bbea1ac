# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two triangles that do not meet, in float64, with bounds on both sides of it.

Triangles that do not meet come nearest at a vertex and a face or at two edges (Ericson, Real-Time Collision Detection,
2005, section 5.1.10): fifteen small problems, the least answer counts. That answer is the length of a vector between
two points of the triangles, so the distance is no more; and the triangles are no nearer than the slab between
them across that vector is wide, so it is no less than that. The two agree but for rounding where the answer is good.
"""
import math

from ..jit import kernel

ROUNDING = 2.0 ** -48       # of both bounds together, relative to the coordinates from a corner of the triangles
PARALLEL = 2.0 ** -66       # square of the angle below which two edges are taken as parallel
# Codes of features: 3·i + j is edge i of A and edge j of B, 9 + i vertex i of A and the face of B, 12 + j the reverse.
FACE_OF_B, FACE_OF_A, FEATURES = 9, 12, 15


@kernel
def relative_corners(P, R, E):
    """R = rows of P (6,3) from the first of them, E (6,3) = the edges: E[i] leads from corner i to the next one.

    Returns the largest coordinate of R.
    """
    size = 0.0
    for i in range(6):
        for x in range(3):
            R[i, x] = P[i, x] - P[0, x]
            size = max(size, abs(R[i, x]))
    for first in range(0, 6, 3):
        for i in range(3):
            for x in range(3):
                E[first + i, x] = R[first + (i + 1) % 3, x] - R[first + i, x]
    return size


@kernel
def nearest_features(R, E, W):
    """The least of the fifteen distances; returns (feature, x, y), and the vector from B to A in W (3,).

    Edge with edge: x and y divide the two edges, 0 … 1. Vertex and face: the foot lies at x times the face's first
    edge and y times its third, backwards, from the face's first corner.
    """
    least = math.inf
    feature = 0
    best_x = 0.0
    best_y = 0.0
    for i in range(3):
        ux = E[i, 0]
        uy = E[i, 1]
        uz = E[i, 2]
        uu = ux * ux + uy * uy + uz * uz
        over_uu = 1.0 / uu if uu > 0.0 else 0.0
        for j in range(3, 6):
            vx = E[j, 0]
            vy = E[j, 1]
            vz = E[j, 2]
            vv = vx * vx + vy * vy + vz * vz
            wx = R[i, 0] - R[j, 0]
            wy = R[i, 1] - R[j, 1]
            wz = R[i, 2] - R[j, 2]
            # By the common normal rather than by uu·vv − uv², which loses the angle of nearly parallel edges.
            nx = uy * vz - uz * vy
            ny = uz * vx - ux * vz
            nz = ux * vy - uy * vx
            nn = nx * nx + ny * ny + nz * nz
            s = 0.0
            if nn > 0.0:
                s = ((vy * wz - vz * wy) * nx + (vz * wx - vx * wz) * ny + (vx * wy - vy * wx) * nz) / nn
                s = min(max(s, 0.0), 1.0)
            t = 0.0
            if vv > 0.0:
                t = (vx * (wx + s * ux) + vy * (wy + s * uy) + vz * (wz + s * uz)) / vv
                t = min(max(t, 0.0), 1.0)
            s = -(ux * (wx - t * vx) + uy * (wy - t * vy) + uz * (wz - t * vz)) * over_uu
            s = min(max(s, 0.0), 1.0)
            wx = wx + s * ux - t * vx
            wy = wy + s * uy - t * vy
            wz = wz + s * uz - t * vz
            square = wx * wx + wy * wy + wz * wz
            if square < least:
                least = square
                feature = 3 * i + (j - 3)
                best_x = s
                best_y = t
                W[0] = wx
                W[1] = wy
                W[2] = wz
    for face in range(3, -1, -3):
        ux = E[face, 0]
        uy = E[face, 1]
        uz = E[face, 2]
        vx = -E[face + 2, 0]
        vy = -E[face + 2, 1]
        vz = -E[face + 2, 2]
        nx = uy * vz - uz * vy
        ny = uz * vx - ux * vz
        nz = ux * vy - uy * vx
        nn = nx * nx + ny * ny + nz * nz
        if nn > 0.0:
            for i in range(3 - face, 6 - face):
                wx = R[i, 0] - R[face, 0]
                wy = R[i, 1] - R[face, 1]
                wz = R[i, 2] - R[face, 2]
                s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn
                t = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / nn
                wx -= s * ux + t * vx
                wy -= s * uy + t * vy
                wz -= s * uz + t * vz
                square = wx * wx + wy * wy + wz * wz
                if (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & (square < least):
                    least = square
                    feature = 9 + i
                    best_x = s
                    best_y = t
                    sign = 1.0 if face else -1.0
                    W[0] = sign * wx
                    W[1] = sign * wy
                    W[2] = sign * wz
    return feature, best_x, best_y


@kernel
def across(E, feature, x, y, W, N):
    """N (3,) = the direction of W (3,), better: at right angles to the edges inside which the feature's points lie.

    W is the difference of two points and errs by a rounding of their coordinates, which is much for a small gap.
    """
    is_face = feature >= FACE_OF_B
    e = feature // 3
    f = 3 + feature % 3
    if is_face:
        e = 3 if feature < FACE_OF_A else 0
        f = e + 2
    inside_e = is_face or (x > 0.0 and x < 1.0)
    inside_f = is_face or (y > 0.0 and y < 1.0)
    N[0] = E[e, 1] * E[f, 2] - E[e, 2] * E[f, 1]
    N[1] = E[e, 2] * E[f, 0] - E[e, 0] * E[f, 2]
    N[2] = E[e, 0] * E[f, 1] - E[e, 1] * E[f, 0]
    ee = E[e, 0] * E[e, 0] + E[e, 1] * E[e, 1] + E[e, 2] * E[e, 2]
    ff = E[f, 0] * E[f, 0] + E[f, 1] * E[f, 1] + E[f, 2] * E[f, 2]
    if inside_e and inside_f and N[0] * N[0] + N[1] * N[1] + N[2] * N[2] > PARALLEL * (ee * ff):
        if N[0] * W[0] + N[1] * W[1] + N[2] * W[2] < 0.0:
            for k in range(3):
                N[k] = -N[k]
        return
    if not inside_e:
        e = f
        ee = ff
    step = 0.0
    if (inside_e or inside_f) and ee > 0.0:
        step = (E[e, 0] * W[0] + E[e, 1] * W[1] + E[e, 2] * W[2]) / ee
    for k in range(3):
        N[k] = W[k] - step * E[e, k]


@kernel
def width_across(R, N):
    """Width of the slab across N (3,) that parts the two triangles; negative or NaN if none does."""
    low = math.inf
    high = -math.inf
    for i in range(3):
        low = min(low, N[0] * R[i, 0] + N[1] * R[i, 1] + N[2] * R[i, 2])
        high = max(high, N[0] * R[3 + i, 0] + N[1] * R[3 + i, 1] + N[2] * R[3 + i, 2])
    return (low - high) / math.sqrt(N[0] * N[0] + N[1] * N[1] + N[2] * N[2])


@kernel
def nearest_points(P, feature, x, y, points):
    """points (2,3): where on A and on B the feature and its two numbers say that they come nearest."""
    i, j, e, f = rows_of(feature)
    for k in range(3):
        if feature < FACE_OF_B:
            points[0, k] = _between(P[i, k], P[e, k], x)
            points[1, k] = _between(P[j, k], P[f, k], y)
        elif feature < FACE_OF_A:
            points[0, k] = P[i, k]
            points[1, k] = P[j, k] + (x * (P[4, k] - P[j, k]) + y * (P[5, k] - P[j, k]))
        else:
            points[0, k] = P[i, k] + (x * (P[1, k] - P[i, k]) + y * (P[2, k] - P[i, k]))
            points[1, k] = P[j, k]


@kernel
def rows_of(feature):
    """(i, j, e, f): a corner of A, a corner of B, and the other ends of the two edges that x and y go along."""
    if feature < FACE_OF_B:
        i = feature // 3
        j = feature % 3
        return i, 3 + j, (i + 1) % 3, 3 + (j + 1) % 3
    if feature < FACE_OF_A:
        return feature - FACE_OF_B, 3, 4, 5
    return 0, feature - FACE_OF_B, 1, 2


@kernel
def _between(p, q, t):
    """The ends are met exactly."""
    return p + t * (q - p) if t < 0.5 else q + (1.0 - t) * (p - q)
