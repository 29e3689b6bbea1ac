# SPDX-License-Identifier: GPL-3.0-or-later
"""Affine matrices taken apart: a rotation and a symmetric stretch each, and the turn from one rotation to another."""
import numpy as np

FLATTEST = 1e-9             # the least stretch, relative to the largest one: what is flatter has no certain rotation


def rotation_and_stretch(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rotation (n,3,3), stretch (n,3,3), certain (n,) bool) with matrix = rotation · stretch: the polar decomposition.

    matrices: (n,3,3) float64, finite. The stretch is symmetric; of mirrored matrices it has three negative values, as
    the rotation mirrors nothing. Not certain: flat matrices.
    """
    with np.errstate(all="ignore"):
        size = np.abs(matrices).max(axis=(1, 2), initial=0.0)
        scale = np.ldexp(1.0, -np.frexp(np.where(size > 0.0, size, 1.0))[1])[:, None, None]
    u, values, v = np.linalg.svd(matrices * scale)
    rotation = u @ v
    stretch = (np.swapaxes(v, 1, 2) * values[:, None, :]) @ v / scale
    mirror = np.where(np.linalg.det(rotation) < 0.0, -1.0, 1.0)[:, None, None]
    return rotation * mirror, stretch * mirror, values[:, 2] > FLATTEST * values[:, 0]


def turn(before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(axis (n,3), angle (n,), 0 … π) with after = before · turn: the shorter way round. before, after: (n,3,3),
    rotations. Of a half turn, either way is as short: the axis has a positive largest coordinate."""
    r = np.swapaxes(before, 1, 2) @ after
    # The products of the unit quaternion's four numbers, each row one of them times all (Shepperd 1978).
    x, y, z = r[:, 0, 0], r[:, 1, 1], r[:, 2, 2]
    products = np.empty((len(r), 4, 4))
    products[:, 0, 0], products[:, 1, 1] = 1 + x + y + z, 1 + x - y - z
    products[:, 2, 2], products[:, 3, 3] = 1 - x + y - z, 1 - x - y + z
    for i, j, k in ((1, 2, 3), (2, 3, 1), (3, 1, 2)):
        products[:, 0, i] = products[:, i, 0] = r[:, k - 1, j - 1] - r[:, j - 1, k - 1]
        products[:, j, k] = products[:, k, j] = r[:, j - 1, k - 1] + r[:, k - 1, j - 1]
    rows = np.arange(len(r))
    quaternion = products[rows, np.argmax(products[:, range(4), range(4)], axis=1)]
    quaternion = quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)
    quaternion = quaternion * np.where(quaternion[:, :1] < 0.0, -1.0, 1.0)
    axis = quaternion[:, 1:]
    sine = np.linalg.norm(axis, axis=1)
    angle = 2.0 * np.arctan2(sine, quaternion[:, 0])
    return np.divide(axis, sine[:, None], out=np.zeros_like(axis), where=sine[:, None] > 0.0), angle
