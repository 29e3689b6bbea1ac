# SPDX-License-Identifier: GPL-3.0-or-later
"""Certain answers for a stretch of time: apart along a direction all the while, or inside all the while.

For the four points of a query in one plane, w = x·e + y·f. They are in contact when (x, y) lies in the triangle
x, y, 1−x−y ≥ 0 (vertex and face, face = 1.0) or in the square 0 ≤ x, y ≤ 1 (two edges, face = 0.0).
"""
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from .cubic import UNIT

APART, INSIDE = 0, 1            # answers beside UNDECIDED
WEIGHT_BOUND = 40.0 * UNIT      # docs/continuous.md: 32 suffice
SEPARATION_DOT_BOUND = 12.0 * UNIT  # 9 suffice
PARALLEL_SQUARE = 2.0 ** -40    # e and f count as parallel when the square of their sine may be below
SMALLEST_DIRECTION = 1e-200     # below, products with a direction might underflow unnoticed


@kernel
def apart_along_axis(x0, x1, sides):
    """True where the two sides of a query are apart along a coordinate axis at both ends of time, the same way round,
    hence always. No arithmetic, so no rounding. x0, x1: (4,3), its points; sides: see PointRows."""
    a = sides[0]
    b = sides[1]
    c = sides[2]
    d = sides[3]
    e = sides[4]
    for x in range(3):
        low0 = min(x0[a, x], x0[b, x])
        high0 = max(x0[a, x], x0[b, x])
        low1 = min(x1[a, x], x1[b, x])
        high1 = max(x1[a, x], x1[b, x])
        other_low0 = min(x0[c, x], min(x0[d, x], x0[e, x]))
        other_high0 = max(x0[c, x], max(x0[d, x], x0[e, x]))
        other_low1 = min(x1[c, x], min(x1[d, x], x1[e, x]))
        other_high1 = max(x1[c, x], max(x1[d, x], x1[e, x]))
        if ((low0 > other_high0) & (low1 > other_high1)) | ((high0 < other_low0) & (high1 < other_low1)):
            return True
    return False


@kernel
def apart_along(M, face, x, y, z, low, high, size):
    """True where w is certainly farther along (x, y, z) than every corner 0, e, f, e+f, all the while from low to high.

    size: sum of the sizes of e, f and w. All is linear in time, so the ends decide.
    """
    length = abs(x) + abs(y) + abs(z)
    e0 = x * M[0, 0] + y * M[0, 1] + z * M[0, 2]
    f0 = x * M[1, 0] + y * M[1, 1] + z * M[1, 2]
    w0 = x * M[2, 0] + y * M[2, 1] + z * M[2, 2]
    e1 = x * M[3, 0] + y * M[3, 1] + z * M[3, 2]
    f1 = x * M[4, 0] + y * M[4, 1] + z * M[4, 2]
    w1 = x * M[5, 0] + y * M[5, 1] + z * M[5, 2]
    far = 1.0 - face
    rest = 1.0 - low
    e = rest * e0 + low * e1
    f = rest * f0 + low * f1
    gap = (rest * w0 + low * w1) - max(max(0.0, e), max(f, far * (e + f)))
    rest = 1.0 - high
    e = rest * e0 + high * e1
    f = rest * f0 + high * f1
    other = (rest * w0 + high * w1) - max(max(0.0, e), max(f, far * (e + f)))
    return (min(gap, other) > SEPARATION_DOT_BOUND * length * size) & (length > SMALLEST_DIRECTION)


@kernel
def probe(M, face, low, high, size_e, size_f, size_w):
    """APART, INSIDE or UNDECIDED for the whole of [low, high].

    APART: no contact. INSIDE: whenever the four points lie in a plane, they are in contact. Sizes: largest absolute
    coordinate at both ends.
    """
    s = 0.5 * (low + high)
    r = 1.0 - s
    ex = r * M[0, 0] + s * M[3, 0]
    ey = r * M[0, 1] + s * M[3, 1]
    ez = r * M[0, 2] + s * M[3, 2]
    fx = r * M[1, 0] + s * M[4, 0]
    fy = r * M[1, 1] + s * M[4, 1]
    fz = r * M[1, 2] + s * M[4, 2]
    wx = r * M[2, 0] + s * M[5, 0]
    wy = r * M[2, 1] + s * M[5, 1]
    wz = r * M[2, 2] + s * M[5, 2]
    nx = ey * fz - ez * fy
    ny = ez * fx - ex * fz
    nz = ex * fy - ey * fx
    # Weights of w along e and f, times the square of n; all four are positive inside.
    square = nx * nx + ny * ny + nz * nz
    x = nx * (wy * fz - wz * fy) + ny * (wz * fx - wx * fz) + nz * (wx * fy - wy * fx)
    y = nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx)
    x_rest = square - x - face * y
    y_rest = square - (1.0 - face) * y
    least = min(min(x, y), min(x_rest, y_rest))
    margin = ((abs(nx) + abs(ny) + abs(nz)) * (4.0 * (high - low) + WEIGHT_BOUND)
              * (size_e * size_f + size_w * size_f + size_e * size_w))
    if least > margin:
        return INSIDE
    size = size_e + size_f + size_w
    if least < 0.0:
        # Outwards in the plane, square to the side of the triangle or square that w lies beyond.
        along_e = (least == x_rest) * 1.0 - (least == x)
        along_f = (least == x_rest) * face + (least == y_rest) * 1.0 - (least == y)
        gx = along_e * fx - along_f * ex
        gy = along_e * fy - along_f * ey
        gz = along_e * fz - along_f * ez
        if apart_along(M, face, gy * nz - gz * ny, gz * nx - gx * nz, gx * ny - gy * nx, low, high, size):
            return APART
    if square > PARALLEL_SQUARE * (size_e * size_e) * (size_f * size_f):
        return UNDECIDED
    # Hardly a plane: away from the line of the longer one of e and f, or beyond its end.
    if size_e < size_f:
        ex, ey, ez = fx, fy, fz
    nx = wy * ez - wz * ey
    ny = wz * ex - wx * ez
    nz = wx * ey - wy * ex
    if apart_along(M, face, ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx, low, high, size):
        return APART
    if apart_along(M, face, wx, wy, wz, low, high, size):
        return APART
    return UNDECIDED
