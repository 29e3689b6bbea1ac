# SPDX-License-Identifier: GPL-3.0-or-later
"""The distances of some pairs of triangles that do not meet, in float64, with bounds on both sides of each.

Triangles that do not meet come nearest at a vertex and a face or at two edges (Ericson, Real-Time Collision Detection,
2005, section 5.1.10): fifteen small problems, of which the least answer counts. That answer is the length of a vector
between two points of the triangles, so the distance is no more. The triangles are no nearer than the slab between them
across that vector is wide, so the distance is no less. The two agree but for rounding where the answer is good.

Pairs stand in columns, LANES of them next to each other. No loop over columns has a branch, so that each becomes vector
code; for that, T and F, `given` and `found` of TriangleColumns, are different arrays, and indices are unsigned.
"""
import math

from ..geometry.parted import COLUMNS, STRIDE
from ..machine_code.jit import kernel, unsigned

# Rows of T: the corners of A and of B, the same from the first of them, the edges (from corner 0 to 1, 1 to 2, 2 to 0),
# the inverse squares of their lengths, and for either face two vectors whose products with one from the face's first
# corner give its foot.
RELATIVE, EDGE, INVERSE, FOOT, GIVEN_ROWS = 18, 36, 54, 60, 72
# Rows of F: the nearest feature and its two numbers, the square of its distance, the vector from B to A; then the
# distance, a bound below it, and the largest relative coordinate.
FEATURE, X, Y, SQUARE, ACROSS, LENGTH, LOWER, SIZE, FOUND_ROWS = 0, 1, 2, 3, 4, 7, 8, 9, 10
BOUNDS_ROUNDING = 2.0 ** -48  # of both bounds together, relative to the coordinates from a corner of the triangles
PARALLEL_SINE_SQUARED = 2.0 ** -66  # square of the angle below which two edges are taken as parallel
# Codes of features: 3·i + j is edge i of A and edge j of B, 9 + i vertex i of A and the face of B, 12 + j the reverse.
FACE_OF_B, FACE_OF_A, FEATURES = 9, 12, 15
USUAL_SIZE = 2.0 ** 190     # between its inverse and this no square overflows or underflows, see `scale_exponent`
SMALLEST_DIVISOR = 1e-300   # what is divided by: nothing is smaller but zero, see `scale_exponent`


@kernel
def nearest_features(T, F, columns):
    """Fill all rows of F for so many columns, best a multiple of LANES, of T, whose rows 0 to 17 hold three corners of
    A and three of B.

    Edge with edge: x and y divide the two edges, 0 … 1. Vertex and face: the foot lies at x times the face's first
    edge and y times its third, backwards, from the face's first corner. The lower bound is NaN where the points are
    the same, and for corners beyond USUAL_SIZE.
    """
    relative_corners(T, F, columns)
    feet_of_faces(T, columns)
    for i in range(3):
        for j in range(3):
            edges_apart(T, F, columns, i, j)
    for i in range(3):
        foot_inside(T, F, columns, i, 1, 1.0)
    for i in range(3):
        foot_inside(T, F, columns, 3 + i, 0, -1.0)
    slab_between(T, F, columns)


@kernel
def nearest_features_of_one(T, F):
    """What `nearest_features` does with column 0 alone, to the last bit, in three quarters of the time: of two
    edges, what is nearest stays in registers."""
    relative_corners(T, F, 1)
    feet_of_faces(T, 1)
    feature = x = y = wx = wy = wz = 0.0
    least = math.inf
    for edges in range(unsigned(9)):
        i = edges // unsigned(3)
        j = edges % unsigned(3)
        p = (unsigned(3) * i + unsigned(RELATIVE)) * STRIDE
        q = (unsigned(3) * j + unsigned(RELATIVE + 9)) * STRIDE
        u = (unsigned(3) * i + unsigned(EDGE)) * STRIDE
        v = (unsigned(3) * j + unsigned(EDGE + 9)) * STRIDE
        s, t, dx, dy, dz = edge_points(
            T[u], T[u + STRIDE], T[u + STRIDE + STRIDE], T[v], T[v + STRIDE], T[v + STRIDE + STRIDE],
            T[p] - T[q], T[p + STRIDE] - T[q + STRIDE], T[p + STRIDE + STRIDE] - T[q + STRIDE + STRIDE],
            T[(i + unsigned(INVERSE)) * STRIDE], T[(j + unsigned(INVERSE + 3)) * STRIDE])
        square = dx * dx + dy * dy + dz * dz
        if square < least:
            least, feature, x, y, wx, wy, wz = square, float(edges), s, t, dx, dy, dz
    F[unsigned(FEATURE) * STRIDE] = feature
    F[unsigned(X) * STRIDE] = x
    F[unsigned(Y) * STRIDE] = y
    F[unsigned(SQUARE) * STRIDE] = least
    F[unsigned(ACROSS) * STRIDE] = wx
    F[unsigned(ACROSS + 1) * STRIDE] = wy
    F[unsigned(ACROSS + 2) * STRIDE] = wz
    for i in range(3):
        foot_inside(T, F, 1, i, 1, 1.0)
    for i in range(3):
        foot_inside(T, F, 1, 3 + i, 0, -1.0)
    slab_between(T, F, 1)


@kernel
def relative_corners(T, F, columns):
    """Fill the rows of T up to INVERSE. F gets SIZE, no feature yet, and a LOWER of NaN for corners beyond
    USUAL_SIZE."""
    for k in range(unsigned(columns)):
        for r in range(unsigned(RELATIVE)):
            T[(r + unsigned(RELATIVE)) * STRIDE + k] = T[r * STRIDE + k] - T[(r % unsigned(3)) * STRIDE + k]
        for r in range(unsigned(RELATIVE)):
            following = r + unsigned(3) if r % unsigned(9) < unsigned(6) else r - unsigned(6)
            T[(r + unsigned(EDGE)) * STRIDE + k] = (T[(following + unsigned(RELATIVE)) * STRIDE + k]
                                                  - T[(r + unsigned(RELATIVE)) * STRIDE + k])
    for k in range(unsigned(columns)):
        size = 0.0
        largest = 1.0
        smallest = 1.0
        for r in range(unsigned(RELATIVE)):
            value = T[r * STRIDE + k]
            largest = max(largest, abs(value))
            smallest = min(smallest, abs(value) if value != 0.0 else 1.0)
            size = max(size, abs(T[(r + unsigned(RELATIVE)) * STRIDE + k]))
        for r in range(unsigned(FOUND_ROWS)):
            F[r * STRIDE + k] = 0.0
        F[unsigned(SQUARE) * STRIDE + k] = math.inf
        F[unsigned(SIZE) * STRIDE + k] = size
        F[unsigned(LOWER) * STRIDE + k] = 0.0 if (largest < USUAL_SIZE) & (smallest * USUAL_SIZE > 1.0) else math.nan


@kernel
def feet_of_faces(T, columns):
    """Fill the rows INVERSE and FOOT of T; NaN where a face has no area."""
    for k in range(unsigned(columns)):
        for edge in range(unsigned(6)):
            e = (unsigned(3) * edge + unsigned(EDGE)) * STRIDE + k
            x = T[e]
            y = T[e + STRIDE]
            z = T[e + STRIDE + STRIDE]
            T[(edge + unsigned(INVERSE)) * STRIDE + k] = 1.0 / max(x * x + y * y + z * z, SMALLEST_DIVISOR)
    for k in range(unsigned(columns)):
        for face in range(unsigned(2)):
            u = (unsigned(9) * face + unsigned(EDGE)) * STRIDE + k
            v = u + unsigned(6) * STRIDE
            ux = T[u]
            uy = T[u + STRIDE]
            uz = T[u + STRIDE + STRIDE]
            vx = -T[v]
            vy = -T[v + STRIDE]
            vz = -T[v + STRIDE + STRIDE]
            nx = uy * vz - uz * vy
            ny = uz * vx - ux * vz
            nz = ux * vy - uy * vx
            nn = nx * nx + ny * ny + nz * nz
            over = 1.0 / nn if nn > SMALLEST_DIVISOR else math.nan
            to = (unsigned(6) * face + unsigned(FOOT)) * STRIDE + k
            T[to] = (vy * nz - vz * ny) * over
            T[to + STRIDE] = (vz * nx - vx * nz) * over
            T[to + unsigned(2) * STRIDE] = (vx * ny - vy * nx) * over
            T[to + unsigned(3) * STRIDE] = (ny * uz - nz * uy) * over
            T[to + unsigned(4) * STRIDE] = (nz * ux - nx * uz) * over
            T[to + unsigned(5) * STRIDE] = (nx * uy - ny * ux) * over


@kernel
def edges_apart(T, F, columns, i, j):
    """Keep edge i of A and edge j of B in F where they are nearer than what F has."""
    u = unsigned(EDGE + 3 * i) * STRIDE
    v = unsigned(EDGE + 9 + 3 * j) * STRIDE
    p = unsigned(RELATIVE + 3 * i) * STRIDE
    q = unsigned(RELATIVE + 9 + 3 * j) * STRIDE
    over_u = unsigned(INVERSE + i) * STRIDE
    over_v = unsigned(INVERSE + 3 + j) * STRIDE
    feature = float(3 * i + j)
    for k in range(unsigned(columns)):
        ux = T[u + k]
        uy = T[u + STRIDE + k]
        uz = T[u + STRIDE + STRIDE + k]
        vx = T[v + k]
        vy = T[v + STRIDE + k]
        vz = T[v + STRIDE + STRIDE + k]
        wx = T[p + k] - T[q + k]
        wy = T[p + STRIDE + k] - T[q + STRIDE + k]
        wz = T[p + STRIDE + STRIDE + k] - T[q + STRIDE + STRIDE + k]
        s, t, wx, wy, wz = edge_points(ux, uy, uz, vx, vy, vz, wx, wy, wz, T[over_u + k], T[over_v + k])
        keep_nearer(F, k, feature, s, t, wx, wy, wz, wx * wx + wy * wy + wz * wz)


@kernel
def edge_points(ux, uy, uz, vx, vy, vz, wx, wy, wz, over_u, over_v):
    """(s, t, x, y, z): where two edges u and v come nearest, and what leads from the second to the first one there. w:
    that at their first corners; over_u, over_v: the inverse squares of their lengths."""
    # By the common normal rather than by uu·vv − uv², which loses the angle of nearly parallel edges.
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    s = (vy * wz - vz * wy) * nx + (vz * wx - vx * wz) * ny + (vx * wy - vy * wx) * nz
    s = min(max(s / max(nx * nx + ny * ny + nz * nz, SMALLEST_DIVISOR), 0.0), 1.0)
    t = vx * (wx + s * ux) + vy * (wy + s * uy) + vz * (wz + s * uz)
    t = min(max(t * over_v, 0.0), 1.0)
    wx -= t * vx
    wy -= t * vy
    wz -= t * vz
    s = min(max(-(ux * wx + uy * wy + uz * wz) * over_u, 0.0), 1.0)
    wx += s * ux
    wy += s * uy
    wz += s * uz
    return s, t, wx, wy, wz


@kernel
def foot_inside(T, F, columns, i, face, sign):
    """Keep vertex i of the six and face 0 or 1, of A or of B, in F where they are nearer than what F has and the foot
    is inside. sign: 1.0 for a vertex of A, -1.0 for one of B."""
    u = unsigned(EDGE + 9 * face) * STRIDE
    v = u + unsigned(6) * STRIDE
    p = unsigned(RELATIVE + 3 * i) * STRIDE
    q = unsigned(RELATIVE + 9 * face) * STRIDE
    foot = unsigned(FOOT + 6 * face) * STRIDE
    feature = float(FACE_OF_B + i)
    for k in range(unsigned(columns)):
        wx = T[p + k] - T[q + k]
        wy = T[p + STRIDE + k] - T[q + STRIDE + k]
        wz = T[p + STRIDE + STRIDE + k] - T[q + STRIDE + STRIDE + k]
        at = foot + k
        s = wx * T[at] + wy * T[at + STRIDE] + wz * T[at + STRIDE + STRIDE]
        at += unsigned(3) * STRIDE
        t = wx * T[at] + wy * T[at + STRIDE] + wz * T[at + STRIDE + STRIDE]
        wx -= s * T[u + k] - t * T[v + k]
        wy -= s * T[u + STRIDE + k] - t * T[v + STRIDE + k]
        wz -= s * T[u + STRIDE + STRIDE + k] - t * T[v + STRIDE + STRIDE + k]
        inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
        square = wx * wx + wy * wy + wz * wz if inside else math.inf
        keep_nearer(F, k, feature, s, t, sign * wx, sign * wy, sign * wz, square)


@kernel
def keep_nearer(F, k, feature, x, y, wx, wy, wz, square):
    """Write a feature to column k of F, unless what F has is as near. All is read before anything is written: otherwise
    LLVM makes masked stores, which are slow in AVX2."""
    k1 = k + STRIDE
    k2 = k1 + STRIDE
    k3 = k2 + STRIDE
    k4 = k3 + STRIDE
    k5 = k4 + STRIDE
    k6 = k5 + STRIDE
    f0 = F[k]
    f1 = F[k1]
    f2 = F[k2]
    f3 = F[k3]
    f4 = F[k4]
    f5 = F[k5]
    f6 = F[k6]
    nearer = square < f3
    F[k] = feature if nearer else f0
    F[k1] = x if nearer else f1
    F[k2] = y if nearer else f2
    F[k3] = square if nearer else f3
    F[k4] = wx if nearer else f4
    F[k5] = wy if nearer else f5
    F[k6] = wz if nearer else f6


@kernel
def slab_between(T, F, columns):
    """Fill LENGTH and LOWER of F: how far the two points are apart, and how wide the slab between them is that parts
    the triangles, less BOUNDS_ROUNDING."""
    r0 = unsigned(RELATIVE) * STRIDE
    for k in range(unsigned(columns)):
        k4 = k + unsigned(ACROSS) * STRIDE
        k5 = k4 + STRIDE
        k6 = k5 + STRIDE
        wx = F[k4]
        wy = F[k5]
        wz = F[k6]
        low = math.inf
        high = -math.inf
        for i in range(unsigned(3)):
            p = r0 + unsigned(3) * i * STRIDE + k
            q = p + unsigned(9) * STRIDE
            low = min(low, wx * T[p] + wy * T[p + STRIDE] + wz * T[p + STRIDE + STRIDE])
            high = max(high, wx * T[q] + wy * T[q + STRIDE] + wz * T[q + STRIDE + STRIDE])
        length = math.sqrt(wx * wx + wy * wy + wz * wz)
        k7 = k6 + STRIDE
        k8 = k7 + STRIDE
        k9 = k8 + STRIDE
        F[k7] = length
        F[k8] += (low - high) / length - BOUNDS_ROUNDING * F[k9]


@kernel
def across(T, F, k, N):
    """N (3,) = a better direction of the vector in column k of F: at right angles to the edges inside which the
    feature's points lie.

    The vector is the difference of two points and errs by a rounding of their coordinates: much, for a small gap.
    """
    feature = int(F[FEATURE * COLUMNS + k])
    x = F[X * COLUMNS + k]
    y = F[Y * COLUMNS + k]
    is_face = feature >= FACE_OF_B
    i = feature // 3
    j = 3 + feature % 3
    if is_face:
        i = 3 if feature < FACE_OF_A else 0
        j = i + 2
    inside_e = is_face or (x > 0.0 and x < 1.0)
    inside_f = is_face or (y > 0.0 and y < 1.0)
    ex, ey, ez = vector(T, EDGE + 3 * i, k)
    fx, fy, fz = vector(T, EDGE + 3 * j, k)
    wx, wy, wz = vector(F, ACROSS, k)
    ee = ex * ex + ey * ey + ez * ez
    ff = fx * fx + fy * fy + fz * fz
    N[0] = ey * fz - ez * fy
    N[1] = ez * fx - ex * fz
    N[2] = ex * fy - ey * fx
    if inside_e and inside_f and N[0] * N[0] + N[1] * N[1] + N[2] * N[2] > PARALLEL_SINE_SQUARED * (ee * ff):
        if N[0] * wx + N[1] * wy + N[2] * wz < 0.0:
            for axis in range(3):
                N[axis] = -N[axis]
        return
    if not inside_e:
        ex = fx
        ey = fy
        ez = fz
        ee = ff
    step = 0.0
    if (inside_e or inside_f) and ee > 0.0:
        step = (ex * wx + ey * wy + ez * wz) / ee
    N[0] = wx - step * ex
    N[1] = wy - step * ey
    N[2] = wz - step * ez


@kernel
def vector(rows, first, k):
    """(x, y, z) in three rows of column k."""
    return rows[first * COLUMNS + k], rows[(first + 1) * COLUMNS + k], rows[(first + 2) * COLUMNS + k]


@kernel
def width_across(T, k, N):
    """Width of the slab across N (3,) that parts the triangles of column k; negative or NaN if none does."""
    low = math.inf
    high = -math.inf
    for i in range(3):
        px, py, pz = vector(T, RELATIVE + 3 * i, k)
        qx, qy, qz = vector(T, RELATIVE + 9 + 3 * i, k)
        low = min(low, N[0] * px + N[1] * py + N[2] * pz)
        high = max(high, N[0] * qx + N[1] * qy + N[2] * qz)
    return (low - high) / math.sqrt(N[0] * N[0] + N[1] * N[1] + N[2] * N[2])


@kernel
def nearest_points(P, feature, x, y, points):
    """points (2,3) = where on A and on B the feature and its two numbers say that they come nearest. P: (6,3),
    corners."""
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
    """Rows of P (i, j, e, f): a corner of A, one of B, and the other ends of the two edges that x and y go along."""
    if feature < FACE_OF_B:
        i = feature // 3
        j = feature % 3
        return i, 3 + j, (i + 1) % 3, 3 + (j + 1) % 3
    if feature < FACE_OF_A:
        return feature - FACE_OF_B, 3, 4, 5
    return 0, feature - FACE_OF_B, 1, 2


@kernel
def _between(p, q, t):
    """The point that divides pq, from p at t = 0 to q at t = 1; both ends are met exactly."""
    return p + t * (q - p) if t < 0.5 else q + (1.0 - t) * (p - q)
