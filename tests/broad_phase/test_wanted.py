# SPDX-License-Identifier: GPL-3.0-or-later
"""Given pairs of boxes, against all pairs that the tree finds."""
import numpy as np
import pytest
from naive.scenes import TETRAHEDRON, build, pose
from touchpoint.core import detect
from touchpoint.core.broad_phase.object_tree import overlapping_among, overlapping_pairs


@pytest.mark.parametrize("count, given, size", [(2, 1, 1.0), (70, 0, 1.0), (70, 400, 3.0), (300, 2000, 0.5)])
def test_the_given_ones_among_all(count, given, size):
    rng = np.random.default_rng(count + given)
    low = np.round(10.0 * rng.random((count, 3)), 1)        # many boxes only touch
    bounds = np.concatenate([low, low + np.round(size * rng.random((count, 3)), 1)], axis=1)
    quantization, told = np.array([5.0, 5.0, 5.0, 0.125]), []
    pairs = np.sort(rng.integers(0, count, (given, 2)), axis=1)         # some are of an object with itself
    wanted = np.unique(pairs[:, 0] * count + pairs[:, 1])
    a, b = overlapping_pairs(bounds, quantization, lambda found: None)
    among = np.isin(a.astype(np.int64) * count + b, wanted)
    found = overlapping_among(bounds, quantization, wanted, lambda found: None, told.append)
    assert found[0].dtype == found[1].dtype == np.int32 and told == [len(wanted)]
    assert found[0].tolist() == a[among].tolist() and found[1].tolist() == b[among].tolist()


@pytest.mark.scenes
def test_a_run_tests_the_boxes_of_the_given_pairs_only():
    """Of hundreds of objects in one place, as those of the moments of an animation are."""
    rng = np.random.default_rng(1)
    scene = build(([TETRAHEDRON], [(0, pose((1, 1, 1), tuple(rng.uniform(0, 0.1, 3)))) for _ in range(200)]))
    pairs = np.arange(100).reshape(-1, 2)
    report = detect(scene, pairs=pairs)
    assert report.counts["broad_tests"] == len(pairs)
    every = detect(scene)
    among = np.isin(every.pairs["a"] * 1000 + every.pairs["b"], pairs[:, 0] * 1000 + pairs[:, 1])
    columns = ["a", "b", "verdict", "contacts"]
    assert report.pairs[columns].tolist() == every.pairs[columns][among].tolist() and among.sum() > 40
