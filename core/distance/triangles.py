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
COLUMNS, LANES = 12, 16     # of the scratch for these features
SMALLEST = 1e-300           # what is divided by: nothing is smaller but zero, see `scale_exponent`


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
def nearest_features(R, E, W, S):
    """The least of the fifteen distances; returns (feature, x, y), and the vector from B to A in W (3,).

    Edge with edge: x and y divide the two edges, 0 … 1. Vertex and face: the foot lies at x times the face's first
    edge and y times its third, backwards, from the face's first corner. S (COLUMNS, LANES): scratch.
    """
    for i in range(3):
        for j in range(3):
            k = 3 * i + j
            for x in range(3):
                S[x, k] = E[i, x]
                S[3 + x, k] = E[3 + j, x]
                S[6 + x, k] = R[i, x] - R[3 + j, x]
    edges_apart(S)
    feature = 0
    for k in range(1, FACE_OF_B):
        if S[11, k] < S[11, feature]:
            feature = k
    least = S[11, feature]
    best_x = S[9, feature]
    best_y = S[10, feature]
    for x in range(3):
        W[x] = S[6 + x, feature] + best_x * S[x, feature] - best_y * S[3 + x, feature]
    for k in range(6):
        face = 3 if k < 3 else 0
        for x in range(3):
            S[x, k] = E[face, x]
            S[3 + x, k] = -E[face + 2, x]
            S[6 + x, k] = R[k, x] - R[face, x]
    feet_inside(S)
    for k in range(6):
        if S[11, k] < least:
            least = S[11, k]
            feature = FACE_OF_B + k
            best_x = S[9, k]
            best_y = S[10, k]
            for x in range(3):
                W[x] = S[6 + x, k] - (best_x * S[x, k] + best_y * S[3 + x, k])
                if k >= 3:
                    W[x] = -W[x]
    return feature, best_x, best_y


@kernel
def edges_apart(S):
    """Columns of S: two edges in rows 0–2 and 3–5, and the vector between their beginnings in 6–8, to where they
    come nearest in 9 and 10, and the squared distance in 11. Free of branches, so that it becomes vector code."""
    u0, u1, u2, v0, v1, v2, w0, w1, w2 = S[0], S[1], S[2], S[3], S[4], S[5], S[6], S[7], S[8]
    along_u, along_v, square = S[9], S[10], S[11]
    for k in range(S.shape[1]):
        ux = u0[k]
        uy = u1[k]
        uz = u2[k]
        vx = v0[k]
        vy = v1[k]
        vz = v2[k]
        wx = w0[k]
        wy = w1[k]
        wz = w2[k]
        # By the common normal rather than by uu·vv − uv², which loses the angle of nearly parallel edges.
        nx = uy * vz - uz * vy
        ny = uz * vx - ux * vz
        nz = ux * vy - uy * vx
        s = (vy * wz - vz * wy) * nx + (vz * wx - vx * wz) * ny + (vx * wy - vy * wx) * nz
        s = min(max(s / max(nx * nx + ny * ny + nz * nz, SMALLEST), 0.0), 1.0)
        t = vx * (wx + s * ux) + vy * (wy + s * uy) + vz * (wz + s * uz)
        t = min(max(t / max(vx * vx + vy * vy + vz * vz, SMALLEST), 0.0), 1.0)
        s = -(ux * (wx - t * vx) + uy * (wy - t * vy) + uz * (wz - t * vz))
        s = min(max(s / max(ux * ux + uy * uy + uz * uz, SMALLEST), 0.0), 1.0)
        wx += s * ux - t * vx
        wy += s * uy - t * vy
        wz += s * uz - t * vz
        along_u[k] = s
        along_v[k] = t
        square[k] = wx * wx + wy * wy + wz * wz


@kernel
def feet_inside(S):
    """Columns of S: two edges of a face in rows 0–2 and 3–5, and the vector to a point in 6–8, to where its foot is
    in 9 and 10, and the squared distance in 11: infinite where the foot is not inside."""
    u0, u1, u2, v0, v1, v2, w0, w1, w2 = S[0], S[1], S[2], S[3], S[4], S[5], S[6], S[7], S[8]
    along_u, along_v, square = S[9], S[10], S[11]
    for k in range(S.shape[1] // 2):
        ux = u0[k]
        uy = u1[k]
        uz = u2[k]
        vx = v0[k]
        vy = v1[k]
        vz = v2[k]
        wx = w0[k]
        wy = w1[k]
        wz = w2[k]
        nx = uy * vz - uz * vy
        ny = uz * vx - ux * vz
        nz = ux * vy - uy * vx
        nn = nx * nx + ny * ny + nz * nz
        over = 1.0 / max(nn, SMALLEST)
        s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) * over
        t = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) * over
        wx -= s * ux + t * vx
        wy -= s * uy + t * vy
        wz -= s * uz + t * vz
        inside = (nn > SMALLEST) & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
        along_u[k] = s
        along_v[k] = t
        square[k] = wx * wx + wy * wy + wz * wz if inside else math.inf


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
