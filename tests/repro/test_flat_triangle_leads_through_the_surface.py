# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle without area is all that meets the box, and holds together what is inside and what is outside of it. It
says nothing itself, and nothing else was asked: the pair was said to touch."""
import numpy as np
import pytest
from naive.scenes import TETRAHEDRON, build, pose
from naive.shapes import box, joined
from touchpoint.core import detect, methods

EXACT = [name for name in methods.ids()
         if methods.load(name).answer == "exact" and not methods.load(name).needs]
INSIDE, OUTSIDE = TETRAHEDRON[0] * 0.5 + 1.0, TETRAHEDRON[0] * 0.5 + 5.0


def bridged(*parts):
    """Tetrahedra at these places, and a triangle without area from a corner of the first one to the second one, or out
    into the open."""
    vertices, triangles = joined(*((part, TETRAHEDRON[1]) for part in parts))
    end = 4 if len(parts) > 1 else len(vertices)
    vertices = np.concatenate([vertices, [(6.0, 1.0, 1.5)]])
    return vertices, np.concatenate([triangles, [(3, end, end)]]).astype(np.int32)


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("parts, verdict", [((INSIDE,), "contained"), ((INSIDE, OUTSIDE), "overlap")])
def test_the_others_are_asked(method, parts, verdict):
    for order in ([0, 1], [1, 0]):
        report = detect(build(([box((0, 0, 0), (4, 4, 4)), bridged(*parts)], [(0, pose()), (1, pose())]), order),
                        method=method)
        assert [report.verdict(row) for row in range(len(report.pairs))] == [verdict]
