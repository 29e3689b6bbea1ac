# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of oriented boxes: the fit against numbers worked out by hand, sound trees, boxes that hold what is in them."""
import numpy as np
from touchpoint.core.trees.obb_fit import covariance


def of_surface(corners):
    """The covariance that the kernel gives, and the sum of weights."""
    C = np.empty((3, 3))
    total = covariance(np.asarray(corners, float), np.arange(len(corners), dtype=np.int32), 0, len(corners), True, C)
    return C, total


def test_covariance_of_one_triangle_by_hand():
    """Over the triangle with the legs 1 along x and y: the mean of x is 1/3, of x² 1/6, of xy 1/12."""
    C, total = of_surface([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    assert np.allclose(C, [[1 / 18, -1 / 36, 0], [-1 / 36, 1 / 18, 0], [0, 0, 0]], atol=1e-15) and total == 1.0
