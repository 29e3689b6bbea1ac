# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart the planes of two triangles show them to be, in double-double: for triangles that float64 cannot tell
from touching, as those of flush parts that rounding has parted.

Let h be the heights of the corners of A over the plane of B, times the length of the normal n of B. Where all of them
are above 0, A is no nearer to B than the least of them over |n|. docs/triangle-filter.md says what is lost to rounding.
Pairs stand in columns, LANES of them next to each other, and no loop over them has a branch, so that it becomes vector
code.
"""
import math

from ..machine_code.jit import kernel, unsigned
from .expansion import dd_add, dd_minor, dd_product, two_sum
from .float_bounds import LARGEST_SIZE, SMALLEST_SIZE

LANES = 8                   # columns that one instruction works on, where the processor can
COLUMNS = 24                # a whole number of LANES
STRIDE = unsigned(COLUMNS)  # from one row to the next
CORNERS_OF_ONE = unsigned(9)
PARTED_ROWS = 18            # corners of A, then corners of B
PARTED_BOUND = 2.0 ** -95   # of a height, relative to the squared size of B's edges and how far A's corners are
NORMAL_BOUND = 2.0 ** -97   # of the length of the normal, relative to the squared size of B's edges


@kernel
def whole_lanes(n):
    """So many columns, and as many more as make them a whole number of LANES."""
    return (n + LANES - 1) // LANES * LANES


@kernel
def parted_by(T, columns, lower):
    """lower[k] = how far apart the two triangles in column k of T surely are, but for a relative 2^-48; zero where no
    plane of the two says that they do not meet. For so many columns, best a multiple of LANES.

    T: (at least PARTED_ROWS · COLUMNS,) float64, finite, coordinates of three corners of A and three of B; lower:
    (COLUMNS,) float64.
    """
    for k in range(unsigned(columns)):
        lower[k] = 0.0
    for face in range(2):
        _above_face(T, columns, face, lower)


@kernel
def _above_face(T, columns, face, lower):
    """Raise lower[k] to what the plane of the first triangle, face 0, or of the second one, face 1, shows."""
    own = unsigned(face) * CORNERS_OF_ONE * STRIDE
    other = unsigned(1 - face) * CORNERS_OF_ONE * STRIDE
    for k in range(unsigned(columns)):
        at = own + k
        ox = T[at]
        oy = T[at + STRIDE]
        oz = T[at + unsigned(2) * STRIDE]
        ux, ux_low = two_sum(T[at + unsigned(3) * STRIDE], -ox)
        uy, uy_low = two_sum(T[at + unsigned(4) * STRIDE], -oy)
        uz, uz_low = two_sum(T[at + unsigned(5) * STRIDE], -oz)
        vx, vx_low = two_sum(T[at + unsigned(6) * STRIDE], -ox)
        vy, vy_low = two_sum(T[at + unsigned(7) * STRIDE], -oy)
        vz, vz_low = two_sum(T[at + unsigned(8) * STRIDE], -oz)
        nx, nx_low = dd_minor(uy, uy_low, uz, uz_low, vy, vy_low, vz, vz_low)
        ny, ny_low = dd_minor(uz, uz_low, ux, ux_low, vz, vz_low, vx, vx_low)
        nz, nz_low = dd_minor(ux, ux_low, uy, uy_low, vx, vx_low, vy, vy_low)
        at = other + k
        px, px_low = two_sum(T[at], -ox)
        py, py_low = two_sum(T[at + STRIDE], -oy)
        pz, pz_low = two_sum(T[at + unsigned(2) * STRIDE], -oz)
        qx, qx_low = two_sum(T[at + unsigned(3) * STRIDE], -ox)
        qy, qy_low = two_sum(T[at + unsigned(4) * STRIDE], -oy)
        qz, qz_low = two_sum(T[at + unsigned(5) * STRIDE], -oz)
        rx, rx_low = two_sum(T[at + unsigned(6) * STRIDE], -ox)
        ry, ry_low = two_sum(T[at + unsigned(7) * STRIDE], -oy)
        rz, rz_low = two_sum(T[at + unsigned(8) * STRIDE], -oz)
        p = _product(nx, nx_low, ny, ny_low, nz, nz_low, px, px_low, py, py_low, pz, pz_low)
        q = _product(nx, nx_low, ny, ny_low, nz, nz_low, qx, qx_low, qy, qy_low, qz, qz_low)
        r = _product(nx, nx_low, ny, ny_low, nz, nz_low, rx, rx_low, ry, ry_low, rz, rz_low)
        size = max(max(max(abs(ux), abs(uy)), max(abs(uz), abs(vx))), max(abs(vy), abs(vz)))
        reach = max(max(max(max(abs(px), abs(py)), max(abs(pz), abs(qx))), max(max(abs(qy), abs(qz)), abs(rx))),
                    max(abs(ry), abs(rz)))
        usual = (min(size, reach) > SMALLEST_SIZE) & (max(size, reach) < LARGEST_SIZE)
        height = max(min(p, min(q, r)), -max(p, max(q, r))) - PARTED_BOUND * size * size * reach
        longest = max(abs(nx), max(abs(ny), abs(nz)))       # 0 makes NaN, which is above nothing
        inverse = 1.0 / longest                             # squares of small normals would underflow
        nx *= inverse
        ny *= inverse
        nz *= inverse
        apart = height / (longest * math.sqrt(nx * nx + ny * ny + nz * nz) + NORMAL_BOUND * size * size)
        before = lower[k]
        lower[k] = apart if usual & (height > 0.0) & (apart > before) else before


@kernel
def _product(ax, ax_low, ay, ay_low, az, az_low, bx, bx_low, by, by_low, bz, bz_low):
    """ax·bx + ay·by + az·bz in double-double, then rounded."""
    p, p_low = dd_product(ax, ax_low, bx, bx_low)
    q, q_low = dd_product(ay, ay_low, by, by_low)
    p, p_low = dd_add(p, p_low, q, q_low)
    q, q_low = dd_product(az, az_low, bz, bz_low)
    p, p_low = dd_add(p, p_low, q, q_low)
    return p
