# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle without area through a face: its two equal sides gave the same point twice, rounded differently, and
the contact was called a segment."""
import numpy as np
import pytest
from touchpoint.core.queries import triangle_intersections

PAIRS = [
    ([[1, -2, 1], [1, -2, 1], [-1, 0, -1]], [[0, -1, -1], [-1, 1, -2], [0, -2, 2]]),
    ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], [[0, 0, 0], [0, 0, 0], [1, 1, 1]]),
    ([[-88, 96, -24], [-48, -88, -16], [-8, -272, -8]], [[-104, -120, -80], [40, -112, 96], [96, 24, 96]]),
]


@pytest.mark.parametrize("a, b", PAIRS)
def test_kind_is_point(a, b):
    for first, second in ((a, b), (b, a)):
        kind, points = triangle_intersections(np.array([first], float), np.array([second], float))
        assert kind[0] == 1 and np.array_equal(points[0, 0], points[0, 1])
