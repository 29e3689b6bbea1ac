# SPDX-License-Identifier: GPL-3.0-or-later
"""The cubic that is zero when four moving points lie in a plane, by its Bernstein coefficients.

A query is the matrix M, (6,3) float64: e, f and w at t = 0, then at t = 1, all linear between. The cubic is (e×f)·w,
after Provot 1997. Its Bernstein coefficients over an interval bound it there. Splitting them at a time gives those of
both parts (de Casteljau). docs/continuous.md derives the error bounds.
"""
from ..machine_code.jit import kernel

UNIT = 2.0 ** -53
CUBIC_BOUND = 96.0 * UNIT       # times the product of the sizes of e, f and w: 72 suffice
SPLIT_BOUND = 12.0 * UNIT       # times the largest coefficient, for each split: 9 suffice
SMALLEST_STEP = 2.0 ** -50      # of Newton's method


@kernel
def coplanarity(e0, f0, w0, e1, f1, w1):
    """The four Bernstein coefficients of (e×f)·w over [0, 1], from vectors of three numbers at t = 0 and at t = 1."""
    ax, ay, az = e0
    bx, by, bz = f0
    px, py, pz = w0
    cx, cy, cz = e1
    dx, dy, dz = f1
    qx, qy, qz = w1
    nx = ay * bz - az * by
    ny = az * bx - ax * bz
    nz = ax * by - ay * bx
    ox = cy * dz - cz * dy
    oy = cz * dx - cx * dz
    oz = cx * dy - cy * dx
    mx = (ay * dz - az * dy) + (cy * bz - cz * by)
    my = (az * dx - ax * dz) + (cz * bx - cx * bz)
    mz = (ax * dy - ay * dx) + (cx * by - cy * bx)
    return (nx * px + ny * py + nz * pz,
            ((mx * px + my * py + mz * pz) + (nx * qx + ny * qy + nz * qz)) / 3.0,
            ((ox * px + oy * py + oz * pz) + (mx * qx + my * qy + mz * qz)) / 3.0,
            ox * qx + oy * qy + oz * qz)


@kernel
def split(b0, b1, b2, b3, x):
    """The five coefficients between b0 and b3 of the two parts at x: b0 l1 l2 m | m r1 r2 b3."""
    y = 1.0 - x
    l1 = y * b0 + x * b1
    middle = y * b1 + x * b2
    r2 = y * b2 + x * b3
    l2 = y * l1 + x * middle
    r1 = y * middle + x * r2
    return l1, l2, y * l2 + x * r1, r1, r2


@kernel
def around_root(b0, b1, b2, b3, bound):
    """(x, reach): a root in [0, 1] of a cubic that is certainly positive at one end and certainly negative at the
    other, and how far to both sides of it the cubic is certainly not zero any more. bound: of the error of its
    coefficients.

    Newton's method, kept inside the shrinking bracket. Only a guess: the caller checks the signs.
    """
    c1 = 3.0 * (b1 - b0)
    c2 = 3.0 * ((b2 - b1) - (b1 - b0))
    c3 = (b3 - b0) - 3.0 * (b2 - b1)
    low = 0.0
    high = 1.0
    x = b0 / (b0 - b3)
    slope = 0.0
    for _ in range(60):
        value = b0 + x * (c1 + x * (c2 + x * c3))
        slope = c1 + x * (2.0 * c2 + 3.0 * x * c3)
        if abs(value) < 0.25 * bound:       # no better than the coefficients
            break
        if (value > 0.0) == (b0 > 0.0):
            low = x
        else:
            high = x
        before = x
        x = x - value / slope
        if not (low < x < high):
            x = 0.5 * (low + high)
        if abs(x - before) < SMALLEST_STEP:
            break
    size = max(max(abs(b0), abs(b1)), max(abs(b2), abs(b3)))
    return x, (8.0 * bound + 128.0 * UNIT * size) / abs(slope)
