# SPDX-License-Identifier: GPL-3.0-or-later
"""The point of a segment, triangle or tetrahedron that is closest to the origin.

Regions of the simplex are told apart as in Ericson, "Real-Time Collision Detection" (2005), chapter 5, but by cross
products, whose rounding is not squared. Only regions that hold the newest corner are looked at: the closest point is
always there, as the newest corner lies beyond the plane through the last closest point (van den Bergen 1999).

S: (6,5) float64, a simplex and what is known of it. Rows 0–3 are its corners, the newest being the last: columns 0–2
the point, 3 and 4 the numbers of the points of P and Q that it is the difference of. Row CLOSEST: the closest point and
its squared length. Row SPARE: scratch. One array, as numba passes nine numbers for each.
"""
import math

from ...machine_code.jit import kernel

CLOSEST, SPARE = 4, 5
DETERMINANT_BOUND = 7.771561172376103e-16       # (7 + 56·2^-53)·2^-53 of the permanent, Shewchuk 1997


@kernel
def _set(S, row, x, y, z):
    """Write a point and its squared length to a row."""
    S[row, 0] = x
    S[row, 1] = y
    S[row, 2] = z
    S[row, 3] = x * x + y * y + z * z


@kernel
def _on_segment(S, a, b, row):
    """The corners needed as bits: a 1, b 2 (b alone only by rounding). Closest point → row. a is the newest corner."""
    ax = S[a, 0]
    ay = S[a, 1]
    az = S[a, 2]
    ux = S[b, 0] - ax
    uy = S[b, 1] - ay
    uz = S[b, 2] - az
    along = -(ax * ux + ay * uy + az * uz)
    length = ux * ux + uy * uy + uz * uz
    if along <= 0.0:
        _set(S, row, ax, ay, az)
        return 1
    if along >= length:
        _set(S, row, S[b, 0], S[b, 1], S[b, 2])
        return 2
    t = along / length
    x = ax + t * ux
    y = ay + t * uy
    z = az + t * uz
    # Once more: what rounding has left along the edge would be large beside a short distance.
    t = (x * ux + y * uy + z * uz) / length
    _set(S, row, x - t * ux, y - t * uy, z - t * uz)
    return 3


@kernel
def _on_triangle(S, a, b, c, row):
    """The corners needed as bits: a 1, b 2, c 4. Closest point → row. a is the newest corner."""
    ax = S[a, 0]
    ay = S[a, 1]
    az = S[a, 2]
    ux = S[b, 0] - ax
    uy = S[b, 1] - ay
    uz = S[b, 2] - az
    vx = S[c, 0] - ax
    vy = S[c, 1] - ay
    vz = S[c, 2] - az
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    beyond_b = ax * (uz * ny - uy * nz) + ay * (ux * nz - uz * nx) + az * (uy * nx - ux * ny)
    beyond_c = ax * (vy * nz - vz * ny) + ay * (vz * nx - vx * nz) + az * (vx * ny - vy * nx)
    area = nx * nx + ny * ny + nz * nz
    if beyond_b <= 0.0 and beyond_c <= 0.0 and area > 0.0:
        height = (ax * nx + ay * ny + az * nz) / area
        _set(S, row, height * nx, height * ny, height * nz)
        return 7
    if beyond_c > 0.0 and ax * vx + ay * vy + az * vz < 0.0:
        bits = _on_segment(S, a, c, row)
        return (bits & 1) | (bits & 2) << 1
    return _on_segment(S, a, b, row)


@kernel
def _on_tetrahedron(S):
    """The corners needed as bits, 15 where the origin seems to be inside. Closest point → row CLOSEST. Corner 3 is the
    newest."""
    S[CLOSEST, 3] = math.inf
    needed = 15
    for b in range(3):
        c = (b + 1) % 3
        d = (b + 2) % 3
        ux = S[b, 0] - S[3, 0]
        uy = S[b, 1] - S[3, 1]
        uz = S[b, 2] - S[3, 2]
        vx = S[c, 0] - S[3, 0]
        vy = S[c, 1] - S[3, 1]
        vz = S[c, 2] - S[3, 2]
        nx = uy * vz - uz * vy
        ny = uz * vx - ux * vz
        nz = ux * vy - uy * vx
        inner = nx * (S[d, 0] - S[3, 0]) + ny * (S[d, 1] - S[3, 1]) + nz * (S[d, 2] - S[3, 2])
        origin = nx * S[3, 0] + ny * S[3, 1] + nz * S[3, 2]
        if inner * origin > 0.0 or inner == 0.0:
            bits = _on_triangle(S, 3, b, c, SPARE)
            if S[SPARE, 3] < S[CLOSEST, 3]:
                for column in range(4):
                    S[CLOSEST, column] = S[SPARE, column]
                needed = (bits & 1) << 3 | (bits >> 1 & 1) << b | (bits >> 2) << c
    return needed


@kernel
def closest(S, n):
    """The corners needed of n as bits, 15 where the origin seems to be inside. Closest point → row CLOSEST."""
    if n == 1:
        _set(S, CLOSEST, S[0, 0], S[0, 1], S[0, 2])
        return 1
    if n == 2:
        bits = _on_segment(S, 1, 0, CLOSEST)
        return (bits & 1) << 1 | bits >> 1
    if n == 3:
        bits = _on_triangle(S, 2, 0, 1, CLOSEST)
        return (bits & 1) << 2 | bits >> 1
    return _on_tetrahedron(S)


@kernel
def _determinant(S, a, b, c):
    """(determinant of three corners, bound of its error), the rounding of the corners included."""
    p = S[b, 1] * S[c, 2]
    q = S[b, 2] * S[c, 1]
    value = S[a, 0] * (p - q)
    permanent = abs(S[a, 0]) * (abs(p) + abs(q))
    p = S[b, 2] * S[c, 0]
    q = S[b, 0] * S[c, 2]
    value += S[a, 1] * (p - q)
    permanent += abs(S[a, 1]) * (abs(p) + abs(q))
    p = S[b, 0] * S[c, 1]
    q = S[b, 1] * S[c, 0]
    value += S[a, 2] * (p - q)
    permanent += abs(S[a, 2]) * (abs(p) + abs(q))
    return value, DETERMINANT_BOUND * permanent


@kernel
def certainly_inside(S, L):
    """True where the origin is certainly inside the tetrahedron S. Writes its weights to L (4,), unless S is flat."""
    low = math.inf
    high = -math.inf
    total = 0.0
    for corner in range(4):
        a = 1 if corner == 0 else 0
        b = 1 if corner > 1 else 2
        c = 2 if corner == 3 else 3
        value, bound = _determinant(S, a, b, c)
        sign = 1.0 - 2.0 * (corner & 1)
        value *= sign
        low = min(low, value - bound)
        high = max(high, value + bound)
        L[corner] = value
        total += value
    if total != 0.0:
        for corner in range(4):
            L[corner] /= total
    return low > 0.0 or high < 0.0


@kernel
def weights(S, n, V, L):
    """L (4,) = weights of n ≤ 3 corners whose sum is V (3,), or as near as can be with weights of 0 to 1."""
    L[0] = 1.0
    L[1] = 0.0
    L[2] = 0.0
    L[3] = 0.0
    if n == 1:
        return
    ux = S[1, 0] - S[0, 0]
    uy = S[1, 1] - S[0, 1]
    uz = S[1, 2] - S[0, 2]
    vx = S[n - 1, 0] - S[0, 0]
    vy = S[n - 1, 1] - S[0, 1]
    vz = S[n - 1, 2] - S[0, 2]
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    area = nx * nx + ny * ny + nz * nz if n == 3 else ux * ux + uy * uy + uz * uz
    s = 0.0
    t = 0.0
    for _ in range(2):      # the second time takes off what the first, rounding, has left
        x = V[0] - S[0, 0] - s * ux - t * vx
        y = V[1] - S[0, 1] - s * uy - t * vy
        z = V[2] - S[0, 2] - s * uz - t * vz
        if n == 2:
            s += (x * ux + y * uy + z * uz) / area
        else:
            s += (nx * (y * vz - z * vy) + ny * (z * vx - x * vz) + nz * (x * vy - y * vx)) / area
            t += (nx * (uy * z - uz * y) + ny * (uz * x - ux * z) + nz * (ux * y - uy * x)) / area
    s = min(1.0, max(0.0, s))
    t = min(1.0 - s, max(0.0, t))
    L[0] = 1.0 - s - t
    L[1] = s
    L[2] = t
