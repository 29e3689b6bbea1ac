# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights over the planes of triangles, in units of the pair."""
import math

from ..machine_code.jit import kernel

FLAT_SINE_SQUARED = 2.0 ** -16  # square of the sine of an angle below which a triangle's plane is not asked
PLANE_ROUNDING = 2.0 ** -40     # of heights over planes


@kernel
def unit_normal(points, i, j, k, unit):
    """The unit normal of a triangle of three rows of points (n,3); zero where it is not known well enough."""
    ux = (points[j, 0] - points[i, 0]) * unit
    uy = (points[j, 1] - points[i, 1]) * unit
    uz = (points[j, 2] - points[i, 2]) * unit
    vx = (points[k, 0] - points[i, 0]) * unit
    vy = (points[k, 1] - points[i, 1]) * unit
    vz = (points[k, 2] - points[i, 2]) * unit
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    if not nn > FLAT_SINE_SQUARED * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
        return 0.0, 0.0, 0.0
    over = 1.0 / math.sqrt(nn)
    return nx * over, ny * over, nz * over


@kernel
def height_over(point, base, row, nx, ny, nz, unit):
    """How far a point (3,) is from base[row] along a vector."""
    return ((point[0] - base[row, 0]) * unit * nx + (point[1] - base[row, 1]) * unit * ny
            + (point[2] - base[row, 2]) * unit * nz)
