# SPDX-License-Identifier: GPL-3.0-or-later
"""The factors of a pose: a rotation, a scale, and a stretch.

The linear part M of a pose is size · rotation · stretch (polar decomposition; the rotation may mirror). Rotation and
scale make a box of a box; a stretch does not. So trees are built over stretched vertices, and objects whose stretches
agree share them. Boxes are widened by what the three factors miss of M.
"""
import numpy as np

STRETCH_STEP = 2.0 ** -17       # entries of stretches are multiples of it; rigid float32 poses differ by 1e-7
NEWTON_STEPS = 2                # of Newton and Schulz: an error e of a rotation becomes e², from 2 STRETCH_STEP on


def factors(linear: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(exponent, size, rotation, stretch): M = 2^exponent · size · rotation · stretch, as closely as floats go.

    linear: (n,3,3) float64, finite, linear parts M of any kind. exponent: (n,) int32. size: (n,) float64, 0 for M = 0,
    else from 0.5 to 4. rotation: (n,3,3) float64, orthonormal but for rounding. stretch: (n,3,3) float64, symmetric,
    its largest eigenvalue 1 but for STRETCH_STEP; its entries are multiples of that, so that stretches that differ by
    less are the same.
    """
    n = len(linear)
    exponent = np.frexp(np.abs(linear).max(axis=(1, 2), initial=0.0))[1]
    scaled = np.ldexp(linear, -exponent[:, None, None])
    square = np.swapaxes(scaled, 1, 2) @ scaled
    size = np.sqrt(np.trace(square, axis1=1, axis2=2) / 3.0)
    stretch = np.broadcast_to(np.eye(3), (n, 3, 3)).copy()
    rotation = stretch.copy()
    some = size > 0.0
    rotation[some] = scaled[some] / size[some, None, None]
    stretched = some & (np.abs(square - (size * size)[:, None, None] * np.eye(3)).max(axis=(1, 2))
                        > 2.0 * STRETCH_STEP * size * size)
    if stretched.any():
        U, values, W = np.linalg.svd(scaled[stretched])
        size[stretched] = values[:, 0]
        rotation[stretched] = U @ W
        stretch[stretched] = np.swapaxes(W, 1, 2) @ ((values / values[:, :1])[:, :, None] * W)
    for _ in range(NEWTON_STEPS):
        rotation = 0.5 * rotation @ (3.0 * np.eye(3) - np.swapaxes(rotation, 1, 2) @ rotation)
    return exponent, size, rotation, np.rint(stretch / STRETCH_STEP) * STRETCH_STEP


def factor_error(linear: np.ndarray, exponent: np.ndarray, size: np.ndarray, rotation: np.ndarray,
                 stretch: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """(n,) float64, in units of 2^exponent: how far apart M and its factors may move a point.

    The point is no farther from the origin than reach (n,3) along the axes. Arguments as from `factors`; the rounding
    of this sum is not in it.
    """
    rest = np.abs(np.ldexp(linear, -exponent[:, None, None]) - size[:, None, None] * (rotation @ stretch))
    return np.linalg.norm((rest @ reach[:, :, None])[:, :, 0], axis=1)
