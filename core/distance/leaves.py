# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangles of two leaf nodes, as vector code wants them: corners side by side, and boxes along any axes.

Boxes along the world's axes are loose around surfaces that lie across them. Along axes that face the nearest points so
far, boxes tell most leaf nodes apart without a look at pairs of triangles.
"""
import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.refit import round_down, round_up
from .triangles import COLUMNS

WIDE = 8                    # columns of C: four triangles of the first node, then four of the second
STEP = unsigned(WIDE)
AIM_ROUNDING = 2.0 ** -48   # of coordinates along such axes, relative to the largest one


@kernel
def gather(children, row, triangle_start, triangles, world_start, world, C, side):
    """Columns 4·side … 4·side + 3 of C (9 · WIDE,) = corners of the triangles of a leaf node, which is a row of
    `children`. triangle_start, world_start: of its object; see Corners. An empty slot gets some triangle."""
    for q in range(4):
        slot = max(children[row, q], 0)
        for i in range(3):
            vertex = world_start + triangles[triangle_start + slot, i]
            for x in range(3):
                C[WIDE * (3 * i + x) + 4 * side + q] = world[vertex, x]


@kernel
def put_in_order(C, columns):
    """Put the corners of each triangle in lexicographic order."""
    for k in range(unsigned(columns)):
        px = C[k]
        k1 = k + STEP
        py = C[k1]
        k2 = k1 + STEP
        pz = C[k2]
        k3 = k2 + STEP
        qx = C[k3]
        k4 = k3 + STEP
        qy = C[k4]
        k5 = k4 + STEP
        qz = C[k5]
        k6 = k5 + STEP
        rx = C[k6]
        k7 = k6 + STEP
        ry = C[k7]
        k8 = k7 + STEP
        rz = C[k8]
        for step in range(2):
            swap = (qx < px) | ((qx == px) & ((qy < py) | ((qy == py) & (qz < pz))))
            px, qx = (qx if swap else px), (px if swap else qx)
            py, qy = (qy if swap else py), (py if swap else qy)
            pz, qz = (qz if swap else pz), (pz if swap else qz)
            if step == 0:
                swap = (rx < qx) | ((rx == qx) & ((ry < qy) | ((ry == qy) & (rz < qz))))
                qx, rx = (rx if swap else qx), (qx if swap else rx)
                qy, ry = (ry if swap else qy), (qy if swap else ry)
                qz, rz = (rz if swap else qz), (qz if swap else rz)
        C[k] = px
        C[k1] = py
        C[k2] = pz
        C[k3] = qx
        C[k4] = qy
        C[k5] = qz
        C[k6] = rx
        C[k7] = ry
        C[k8] = rz


@kernel
def fit_along(C, columns, axes, scale, boxes):
    """boxes (6 · WIDE,) float32 = those of the triangles in C along axes[0:3], from the point axes[3]: rows lo x y z,
    hi x y z, times scale and rounded outward."""
    x = axes[3, 0]
    y = axes[3, 1]
    z = axes[3, 2]
    for axis in range(3):
        low = unsigned(axis * WIDE)
        u = axes[axis, 0]
        v = axes[axis, 1]
        w = axes[axis, 2]
        for k in range(unsigned(columns)):
            size = 0.0
            least = np.inf
            most = -np.inf
            for r in range(unsigned(3)):
                at = k + unsigned(3) * r * STEP
                dx = C[at] - x
                dy = C[at + STEP] - y
                dz = C[at + STEP + STEP] - z
                size = max(size, max(abs(dx), max(abs(dy), abs(dz))))
                along = u * dx + v * dy + w * dz
                least = min(least, along)
                most = max(most, along)
            boxes[low + k] = round_down((least - AIM_ROUNDING * size) * scale)
            boxes[low + unsigned(3) * STEP + k] = round_up((most + AIM_ROUNDING * size) * scale)


@kernel
def put_in_column(C, p, q, given, k):
    """1 where the triangle in column q of C comes first in lexicographic order, else 0 for that in column p.

    Column k of `given` (GIVEN_ROWS · COLUMNS,) gets the corners of the first one, then those of the other: what is
    computed of them is the same to the last bit in any arrangement.
    """
    swapped = 0
    for r in range(9):
        if C[WIDE * r + p] != C[WIDE * r + q]:
            swapped = 1 if C[WIDE * r + q] < C[WIDE * r + p] else 0
            break
    first = 9 * swapped
    for r in range(9):
        given[(first + r) * COLUMNS + k] = C[WIDE * r + p]
        given[(9 - first + r) * COLUMNS + k] = C[WIDE * r + q]
    return swapped
