# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles that the plane of one of them shows to be farther apart than a limit: for a twentieth of what it
takes to measure them.

Let h be the heights of the corners of A over the plane of B, times the length of the normal n of B. Where all of them
are above d·|n|, or all below −d·|n|, all of A is farther than d from that plane, so from B. docs/triangle-filter.md
derives what a height errs by; the length of the normal errs by less than 14u of the square of B's size.
"""
import math

from ..geometry.float_bounds import LARGEST_SIZE, PLANE_BOUND, SMALLEST_SIZE
from ..machine_code.jit import kernel, unsigned
from .triangles import COLUMNS, FEATURE, STRIDE

MARGIN = 1.0 + 2.0 ** -38   # more than a measured distance errs by: what is measured is more than the limit, too
CORNER_ROWS = unsigned(9)   # of the corners of one triangle


@kernel
def drop_far(columns, slots, n, limit):
    """Drop those of the first n `columns`, TriangleColumns, and of slots, (COLUMNS,3), whose triangles are surely more
    than `limit` apart. Returns how many are left. Overwrites the row FEATURE of columns.found."""
    T = columns.given
    F = columns.found
    mark_far(T, F, n, limit * MARGIN)
    kept = 0
    for k in range(n):
        if F[FEATURE * COLUMNS + k] != 0.0:
            continue
        if kept < k:
            for row in range(unsigned(2) * CORNER_ROWS):
                T[row * STRIDE + unsigned(kept)] = T[row * STRIDE + unsigned(k)]
            for column in range(3):
                slots[kept, column] = slots[k, column]
        kept += 1
    return kept


@kernel
def mark_far(T, F, columns, limit):
    """The row FEATURE of F becomes 1.0 in those of so many columns that a plane shows to be farther apart than the
    limit, else 0.0. Without a branch, as the loops of triangles.py."""
    for k in range(unsigned(columns)):
        far = False
        for face in range(unsigned(2)):
            at = face * CORNER_ROWS * STRIDE + k
            other = (unsigned(1) - face) * CORNER_ROWS * STRIDE + k
            ox = T[at]
            oy = T[at + STRIDE]
            oz = T[at + unsigned(2) * STRIDE]
            ux = T[at + unsigned(3) * STRIDE] - ox
            uy = T[at + unsigned(4) * STRIDE] - oy
            uz = T[at + unsigned(5) * STRIDE] - oz
            vx = T[at + unsigned(6) * STRIDE] - ox
            vy = T[at + unsigned(7) * STRIDE] - oy
            vz = T[at + unsigned(8) * STRIDE] - oz
            nx = uy * vz - uz * vy
            ny = uz * vx - ux * vz
            nz = ux * vy - uy * vx
            size = max(max(max(abs(ux), abs(uy)), max(abs(uz), abs(vx))), max(abs(vy), abs(vz)))
            low = math.inf
            high = -math.inf
            reach = 0.0
            for i in range(unsigned(3)):
                p = other + unsigned(3) * i * STRIDE
                wx = T[p] - ox
                wy = T[p + STRIDE] - oy
                wz = T[p + STRIDE + STRIDE] - oz
                height = nx * wx + ny * wy + nz * wz
                low = min(low, height)
                high = max(high, height)
                reach = max(reach, max(max(abs(wx), abs(wy)), abs(wz)))
            enough = (limit * math.sqrt(nx * nx + ny * ny + nz * nz)
                      + PLANE_BOUND * size * size * (reach + limit))
            usual = (size > SMALLEST_SIZE) & (max(size, reach) < LARGEST_SIZE)
            far = far | (((low > enough) | (high < -enough)) & usual)
        F[unsigned(FEATURE) * STRIDE + k] = 1.0 if far else 0.0
