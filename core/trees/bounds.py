# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes along the axes of the world, float64 rows lo x y z hi x y z: around points, around boxes, do two meet."""
import numpy as np

from ..machine_code.jit import kernel

HIGH = 3                        # where hi x y z begin in a box, and in the rows of a node's boxes


@kernel
def bounds_of_points(points, first, last):
    """(lo x, lo y, lo z, hi x, hi y, hi z) of points[first:last], which are not empty. points: (n,3) float64."""
    low0 = high0 = points[first, 0]
    low1 = high1 = points[first, 1]
    low2 = high2 = points[first, 2]
    for i in range(first + 1, last):
        low0 = min(low0, points[i, 0])
        high0 = max(high0, points[i, 0])
        low1 = min(low1, points[i, 1])
        high1 = max(high1, points[i, 1])
        low2 = min(low2, points[i, 2])
        high2 = max(high2, points[i, 2])
    return low0, low1, low2, high0, high1, high2


@kernel
def bounds_of_boxes(boxes):
    """(lo x, lo y, lo z, hi x, hi y, hi z) of boxes (n,6), n ≥ 1."""
    low0 = boxes[0, 0]
    low1 = boxes[0, 1]
    low2 = boxes[0, 2]
    high0 = boxes[0, HIGH]
    high1 = boxes[0, HIGH + 1]
    high2 = boxes[0, HIGH + 2]
    for i in range(1, boxes.shape[0]):
        low0 = min(low0, boxes[i, 0])
        low1 = min(low1, boxes[i, 1])
        low2 = min(low2, boxes[i, 2])
        high0 = max(high0, boxes[i, HIGH])
        high1 = max(high1, boxes[i, HIGH + 1])
        high2 = max(high2, boxes[i, HIGH + 2])
    return low0, low1, low2, high0, high1, high2


@kernel
def join_bounds(one, i, other, j, target, k):
    """target[k] = the box around one[i] and other[j]."""
    for x in range(3):
        target[k, x] = min(one[i, x], other[j, x])
        target[k, HIGH + x] = max(one[i, HIGH + x], other[j, HIGH + x])


@kernel
def bounds_overlap(one, i, other, j):
    """1 where the closed boxes one[i] and other[j] have a point in common, else 0."""
    return np.int64((one[i, 0] <= other[j, HIGH]) & (other[j, 0] <= one[i, HIGH])
                    & (one[i, 1] <= other[j, HIGH + 1]) & (other[j, 1] <= one[i, HIGH + 1])
                    & (one[i, 2] <= other[j, HIGH + 2]) & (other[j, 2] <= one[i, HIGH + 2]))
