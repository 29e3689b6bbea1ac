# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of parts that are ten million times nearer to each other than to the origin could be some hundredths too
small: contacts, whose ends are world coordinates and rounded there, told a point inside for one outside."""
import numpy as np
import pytest
from naive.scenes import build, pose, random_linear
from naive.shapes import ball, box
from touchpoint.core import detect

SHAPES = [box((-0.5,) * 3, (0.5,) * 3), ball(7, 5), box((0, 0, 0), (2, 0.3, 0.3))]
KINDS = ("turned", "mirrored", "stretched", "sheared")
WRONG_BEFORE = (243, 259)       # and twenty more of the first 1,226 at a distance of 1e7


@pytest.mark.scenes
@pytest.mark.parametrize("far", [1e3, 1e6, 1e7, 1e8])
@pytest.mark.parametrize("seed", [*WRONG_BEFORE, *range(6)])
def test_depths_are_those_of_the_same_parts_near_the_origin(seed, far):
    rng = np.random.default_rng([seed, 77])
    meshes = [SHAPES[rng.integers(3)] for _ in range(2)]
    poses = [pose(random_linear(rng, KINDS[rng.integers(4)]), rng.uniform(-0.5, 0.5, 3)) for _ in range(2)]
    away = rng.normal(size=3)
    away *= far / np.abs(away).max()
    bounds = []
    for offset in (0.0, away):
        placed = [matrix.copy() for matrix in poses]
        for matrix in placed:
            matrix[:3, 3] += offset
        pairs = detect(build((meshes, list(enumerate(placed)))), depth=True).pairs
        assert len(pairs)
        bounds.append((pairs["depth"][0], pairs["depth_upper"][0]))
    (near, near_upper), (there, there_upper) = bounds
    rounded = 1e-8 + 16 * np.spacing(far)                   # vertices stand elsewhere by that much
    assert there <= near_upper + rounded and near <= there_upper + rounded
