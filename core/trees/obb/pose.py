# SPDX-License-Identifier: GPL-3.0-or-later
"""What a pose does to an oriented box: turn it, scale it, and stretch what is in it.

The linear part M of a pose is size · turn · stretch (polar decomposition; the turn may mirror). A turn and a scale
make a box of a box, a stretch does not: trees are built over stretched vertices, and objects whose stretches agree
share them. What the three factors miss of M widens the boxes.
"""
import numpy as np

ALIKE = 2.0 ** -17              # in which entries of stretches are counted; rigid float32 poses differ by 1e-7
STEPS = 2                       # of Newton and Schulz: an error e of a turn becomes e², from 2 ALIKE on


def factors(linear: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M = 2^exponent · size · turn · stretch, as closely as floats go, for linear parts of any kind.

    linear: (n,3,3) float64, finite → exponent (n,) int32; size (n,), 0 for M = 0, else from 0.5 to 4; turn (n,3,3),
    orthonormal but for rounding; stretch (n,3,3), symmetric, with 1 as its largest eigenvalue but for ALIKE, in
    multiples of which its entries are given, so that what is nearly alike is alike.
    """
    n = len(linear)
    exponent = np.frexp(np.abs(linear).max(axis=(1, 2), initial=0.0))[1]
    scaled = np.ldexp(linear, -exponent[:, None, None])
    square = np.swapaxes(scaled, 1, 2) @ scaled
    size = np.sqrt(np.trace(square, axis1=1, axis2=2) / 3.0)
    stretch = np.broadcast_to(np.eye(3), (n, 3, 3)).copy()
    turn = stretch.copy()
    some = size > 0.0
    turn[some] = scaled[some] / size[some, None, None]
    stretched = some & (np.abs(square - (size * size)[:, None, None] * np.eye(3)).max(axis=(1, 2))
                        > 2.0 * ALIKE * size * size)
    if stretched.any():
        U, values, W = np.linalg.svd(scaled[stretched])
        size[stretched] = values[:, 0]
        turn[stretched] = U @ W
        stretch[stretched] = np.swapaxes(W, 1, 2) @ ((values / values[:, :1])[:, :, None] * W)
    for _ in range(STEPS):
        turn = 0.5 * turn @ (3.0 * np.eye(3) - np.swapaxes(turn, 1, 2) @ turn)
    return exponent, size, turn, np.rint(stretch / ALIKE) * ALIKE


def missed(linear: np.ndarray, exponent: np.ndarray, size: np.ndarray, turn: np.ndarray, stretch: np.ndarray,
           reach: np.ndarray) -> np.ndarray:
    """(n,) float64, in units of 2^exponent: how far M and its factors may take a point from each other that is no
    farther from the origin than reach (n,3) along the axes. The rounding of this sum is not in it."""
    rest = np.abs(np.ldexp(linear, -exponent[:, None, None]) - size[:, None, None] * (turn @ stretch))
    return np.linalg.norm((rest @ reach[:, :, None])[:, :, 0], axis=1)
