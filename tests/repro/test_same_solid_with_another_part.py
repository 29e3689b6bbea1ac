# SPDX-License-Identifier: GPL-3.0-or-later
"""A box, and a mesh of the same box and a second one elsewhere. All of the first surface lies on the other, nothing
inside it, part of the other outside: they were said to touch, but the box is a part of the other solid."""
import pytest
from naive.scenes import build, pose
from naive.shapes import box, joined, moved
from touchpoint.core import detect, methods

EXACT = [name for name in methods.ids()
         if methods.load(name).answer == "exact" and not methods.load(name).needs]


@pytest.mark.parametrize("method", EXACT)
def test_it_is_contained(method):
    meshes = [box(), joined(box(), moved(box(), (5, 0, 0)))]
    for order in ([0, 1], [1, 0]):
        report = detect(build((meshes, [(0, pose()), (1, pose())]), order), method=method)
        assert [report.verdict(row) for row in range(len(report.pairs))] == ["contained"]
