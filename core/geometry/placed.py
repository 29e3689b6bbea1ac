# SPDX-License-Identifier: GPL-3.0-or-later
"""World coordinates as the product defines them: the float64 numbers of which the exact answer is asked."""
import numpy as np


def placed_vertices(vertices: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """World coordinates (n,3) float64 of local vertices (n,3) under a 4×4 affine pose.

    Each coordinate is ((m0·x + m1·y) + m2·z) + m3, every operation rounded to float64, in this order: the order is
    part of the definition, another one gives other numbers.
    """
    x, y, z = np.asarray(vertices, np.float64).T
    with np.errstate(over="ignore", invalid="ignore"):
        return np.stack([((row[0] * x + row[1] * y) + row[2] * z) + row[3] for row in pose[:3]], axis=1)


def placed_corners(vertices: np.ndarray, triangles: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """World coordinates (m,3,3) float64 of the corners of each triangle (m,3)."""
    return placed_vertices(vertices, pose)[triangles]
