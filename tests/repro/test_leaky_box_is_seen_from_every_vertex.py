# SPDX-License-Identifier: GPL-3.0-or-later
"""An object inside a box that lacks a triangle: only some of its vertices do not look out through the hole. Looking
from a sample of the vertices said "clear", or "cannot tell" with the vertices in another order."""
from itertools import permutations

import numpy as np
import pytest
from naive.scenes import TETRAHEDRON, build, pose
from naive.shapes import box
from touchpoint.core import detect, methods

EXACT = [name for name in methods.ids()
         if methods.load(name).answer == "exact" and not methods.load(name).needs]
VERTICES, TRIANGLES = box((0, 0, 0), (4, 4, 4))


@pytest.mark.parametrize("method", EXACT)
def test_cannot_be_told_whatever_the_order_of_vertices(method):
    for order in permutations(range(4)):
        inner = TETRAHEDRON[0][list(order)], np.argsort(order)[TETRAHEDRON[1]].astype(np.int32)
        scene = build(([inner, (VERTICES, TRIANGLES[1:])], [(0, pose(1, (2.625, 1.625, 1.875))), (1, pose())]))
        report = detect(scene, method=method)
        assert [report.verdict(row) for row in range(len(report.pairs))] == ["cannot tell"], order
