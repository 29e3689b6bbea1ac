# SPDX-License-Identifier: GPL-3.0-or-later
"""A clearance more than 1e38 times as long as the scene: boxes grown by it took empty places in the tree over the
objects for objects, and pairs of nothing with nothing were read from anywhere in memory."""
import pytest
from naive.scenes import build, pose
from naive.shapes import box
from touchpoint.core import detect, methods

EXACT = [name for name in methods.ids()
         if methods.load(name).answer == "exact" and not methods.load(name).needs]


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("scale, clearance", [(1.0, 1e37), (1.0, 1e300), (1e-30, 1e10), (1.0, 1e307)])
def test_every_pair_is_near_and_no_other(method, scale, clearance):
    report = detect(build(([box()], [(0, pose(scale, (2.0 * scale * i, 0, 0))) for i in range(5)])), method=method,
                    clearance=clearance)
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    assert report.pairs[["a", "b"]].tolist() == pairs
    assert report.pairs["gap"].tolist() == pytest.approx([scale * (2 * (j - i) - 1) for i, j in pairs], rel=1e-12)
