# SPDX-License-Identifier: GPL-3.0-or-later
"""Affine matrices taken apart: a rotation and a symmetric stretch each, and the turn from one rotation to another."""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel

FLATTEST = 1e-9             # the least stretch, relative to the largest one: what is flatter has no certain rotation
ORTHOGONAL = 2.0 ** -51     # columns with a cosine up to this are at right angles
MOST_SWEEPS = 30            # of rotations of columns; some six are the most that were ever needed


@kernel
def rotation_and_stretch(matrix, rotation, stretch, columns, axes):
    """True where rotation · stretch = matrix, the polar decomposition; False for flat matrices, which have no certain
    rotation.

    matrix: (3,3) float64, finite; rotation, stretch: (3,3), written; columns, axes: (3,3), scratch. The stretch is
    symmetric; of mirrored matrices it has three negative values, as the rotation mirrors nothing. The columns are made
    orthogonal by rotations among them (Hestenes 1958): matrix · axes = columns, whose lengths are singular values.
    """
    size = 0.0
    for i in range(3):
        for j in range(3):
            size = max(size, abs(matrix[i, j]))
    if size == 0.0:
        return False
    scale = 1.0 / size
    for i in range(3):
        for j in range(3):
            columns[i, j] = matrix[i, j] * scale
            axes[i, j] = 1.0 if i == j else 0.0
    for _ in range(MOST_SWEEPS):
        turned = turn_columns(columns, axes, 0, 1)
        turned |= turn_columns(columns, axes, 0, 2)
        turned |= turn_columns(columns, axes, 1, 2)
        if not turned:
            break
    least = np.inf
    most = 0.0
    for j in range(3):
        length = math.sqrt(squared(columns[0, j]) + squared(columns[1, j]) + squared(columns[2, j]))
        least = min(least, length)
        most = max(most, length)
    if not least > FLATTEST * most:
        return False
    volume = (columns[0, 0] * (columns[1, 1] * columns[2, 2] - columns[2, 1] * columns[1, 2])
              - columns[0, 1] * (columns[1, 0] * columns[2, 2] - columns[2, 0] * columns[1, 2])
              + columns[0, 2] * (columns[1, 0] * columns[2, 1] - columns[2, 0] * columns[1, 1]))
    mirror = -1.0 if volume < 0.0 else 1.0      # `axes` mirror nothing
    for i in range(3):
        for j in range(3):
            rotation[i, j] = 0.0
            stretch[i, j] = 0.0
    for k in range(3):
        length = math.sqrt(squared(columns[0, k]) + squared(columns[1, k]) + squared(columns[2, k]))
        for i in range(3):
            for j in range(3):
                rotation[i, j] += mirror * (columns[i, k] / length) * axes[j, k]
                stretch[i, j] += mirror * (length / scale) * (axes[i, k] * axes[j, k])
    return True


@kernel
def turn_columns(columns, axes, p, q):
    """Turn columns p and q of both matrices (3,3) so that those of `columns` are at right angles; False where they
    are."""
    alpha = 0.0
    beta = 0.0
    gamma = 0.0
    for i in range(3):
        alpha += columns[i, p] * columns[i, p]
        beta += columns[i, q] * columns[i, q]
        gamma += columns[i, p] * columns[i, q]
    if not abs(gamma) > ORTHOGONAL * math.sqrt(alpha) * math.sqrt(beta):
        return False
    zeta = (beta - alpha) / (2.0 * gamma)
    tangent = math.copysign(1.0, zeta) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    sine = cosine * tangent
    for i in range(3):
        for matrix in (columns, axes):
            first = matrix[i, p]
            second = matrix[i, q]
            matrix[i, p] = cosine * first - sine * second
            matrix[i, q] = sine * first + cosine * second
    return True


@kernel
def turn(before, after, axis, product):
    """The angle, 0 … π, with after = before · turn, the shorter way round about `axis` (3,), which is written; 0 0 0
    where nothing turns. Of a half turn, either way is as short: that from `after` to `before` is the way back.

    before, after: (3,3), rotations; product: (3,3), scratch.
    """
    r = product
    for i in range(3):
        for j in range(3):
            r[i, j] = before[0, i] * after[0, j] + before[1, i] * after[1, j] + before[2, i] * after[2, j]
    # Products of the unit quaternion's four numbers: that of the largest one with all (Shepperd 1978).
    x = r[0, 0]
    y = r[1, 1]
    z = r[2, 2]
    yz = r[2, 1] - r[1, 2]
    zx = r[0, 2] - r[2, 0]
    xy = r[1, 0] - r[0, 1]
    both_yz = r[2, 1] + r[1, 2]
    both_zx = r[0, 2] + r[2, 0]
    both_xy = r[1, 0] + r[0, 1]
    w = 1.0 + x + y + z
    px = 1.0 + x - y - z
    py = 1.0 - x + y - z
    pz = 1.0 - x - y + z
    largest = max(max(w, px), max(py, pz))
    if largest == w:
        px, py, pz = yz, zx, xy
    elif largest == px:
        w, py, pz = yz, both_xy, both_zx
    elif largest == py:
        w, px, pz = zx, both_xy, both_yz
    else:
        w, px, py = xy, both_zx, both_yz
    length = math.sqrt(w * w + px * px + py * py + pz * pz)
    sign = -1.0 if w < 0.0 or (w == 0.0 and comes_after(after, before)) else 1.0
    axis[0] = sign * px / length
    axis[1] = sign * py / length
    axis[2] = sign * pz / length
    sine = math.sqrt(squared(axis[0]) + squared(axis[1]) + squared(axis[2]))
    if sine > 0.0:
        for i in range(3):
            axis[i] /= sine
    return 2.0 * math.atan2(sine, sign * w / length)


@kernel
def comes_after(one, other):
    """True where the first number that differs in two matrices (3,3) is larger in the first one."""
    for i in range(3):
        for j in range(3):
            if one[i, j] != other[i, j]:
                return one[i, j] > other[i, j]
    return False
