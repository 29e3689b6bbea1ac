# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of a point and a triangle in float64: never too short, and too long by a known amount at most.

Three edges and the foot of the point on the face, of which the least counts (Ericson, Real-Time Collision Detection,
2005, section 5.1.5). Each answer is the distance of a point of the triangle, so it is never too short but for rounding.
docs/depth.md derives how much too long it can be.
"""
import math

from ..distance.triangles import SMALLEST_DIVISOR
from ..machine_code.jit import kernel

POINT_ROUNDING = 2.0 ** -45  # of a distance, relative to the size of the two objects, where `doubt` is 0
SHARP = 0.5                 # square of the sine of a triangle's first angle below which its foot is found again
SQUARE_SLACK, SMALL_SQUARE = 1.0 + 2.0 ** -20, 2.0 ** -50   # more than a plane's rounding, for a limit
NEEDLE = 2.0 ** -24         # the same, below which the distance is in doubt


@kernel
def to_triangle(point, world, rows, unit, limit):
    """(square, s, t, doubt): the squared distance of a point (3,) to the triangle with the corners world[rows[0:3]],
    its nearest point, which is corner 0 + s (corner 1 − corner 0) + t (corner 2 − corner 0), and by how much more than
    POINT_ROUNDING the distance may be too long.

    unit: a power of two, by which all lengths are multiplied. limit: a squared distance; the square is infinite where
    the triangle's plane is farther than that.
    """
    i = rows[0]
    j = rows[1]
    k = rows[2]
    ux = (world[j, 0] - world[i, 0]) * unit
    uy = (world[j, 1] - world[i, 1]) * unit
    uz = (world[j, 2] - world[i, 2]) * unit
    vx = (world[k, 0] - world[i, 0]) * unit
    vy = (world[k, 1] - world[i, 1]) * unit
    vz = (world[k, 2] - world[i, 2]) * unit
    wx = (point[0] - world[i, 0]) * unit
    wy = (point[1] - world[i, 1]) * unit
    wz = (point[2] - world[i, 2]) * unit
    uu = ux * ux + uy * uy + uz * uz
    vv = vx * vx + vy * vy + vz * vz
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    height = wx * nx + wy * ny + wz * nz
    if height * height > (limit * SQUARE_SLACK + SMALL_SQUARE) * nn and nn > NEEDLE * uu * vv:
        return math.inf, 0.0, 0.0, 0.0
    s = _share(ux * wx + uy * wy + uz * wz, uu)
    t = 0.0
    square = _length2(wx - s * ux, wy - s * uy, wz - s * uz)
    other = _share(vx * wx + vy * wy + vz * wz, vv)
    length = _length2(wx - other * vx, wy - other * vy, wz - other * vz)
    if length < square:
        square = length
        s = 0.0
        t = other
    ex = vx - ux
    ey = vy - uy
    ez = vz - uz
    ee = ex * ex + ey * ey + ez * ez
    other = _share(ex * (wx - ux) + ey * (wy - uy) + ez * (wz - uz), ee)
    length = _length2(wx - ux - other * ex, wy - uy - other * ey, wz - uz - other * ez)
    if length < square:
        square = length
        s = 1.0 - other
        t = other
    if nn < SMALLEST_DIVISOR:
        return square, s, t, math.sqrt(nn / max(ee, max(uu, vv))) if nn > 0.0 else 0.0
    fs = (wx * (vy * nz - vz * ny) + wy * (vz * nx - vx * nz) + wz * (vx * ny - vy * nx)) / nn
    ft = (wx * (ny * uz - nz * uy) + wy * (nz * ux - nx * uz) + wz * (nx * uy - ny * ux)) / nn
    doubt = 0.0
    if nn < SHARP * uu * vv:
        rx = wx - fs * ux - ft * vx
        ry = wy - fs * uy - ft * vy
        rz = wz - fs * uz - ft * vz
        fs += (rx * (vy * nz - vz * ny) + ry * (vz * nx - vx * nz) + rz * (vx * ny - vy * nx)) / nn
        ft += (rx * (ny * uz - nz * uy) + ry * (nz * ux - nx * uz) + rz * (nx * uy - ny * ux)) / nn
        if nn < NEEDLE * uu * vv:
            doubt = math.sqrt(nn / max(ee, max(uu, vv)))
    if fs >= 0.0 and ft >= 0.0 and fs + ft <= 1.0:
        length = _length2(wx - fs * ux - ft * vx, wy - fs * uy - ft * vy, wz - fs * uz - ft * vz)
        if length < square:
            square = length
            s = fs
            t = ft
    return square, s, t, doubt


@kernel
def corner_rows(corners, obj, slot, rows):
    """rows (3,) = where the corners of a triangle are in corners.world. corners: `Corners`."""
    triangle = corners.triangle_start[obj] + slot
    for i in range(3):
        rows[i] = corners.world_start[obj] + corners.triangles[triangle, i]


@kernel
def _share(along, whole):
    """along / whole, from 0 to 1."""
    return min(max(along / max(whole, SMALLEST_DIVISOR), 0.0), 1.0)


@kernel
def _length2(x, y, z):
    """The square of a vector's length."""
    return x * x + y * y + z * z
