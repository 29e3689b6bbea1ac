# SPDX-License-Identifier: GPL-3.0-or-later
"""`is_on_surface` against the queries' answer: points on faces, edges and corners, and beside them by one rounding."""
import numpy as np
import pytest
from naive.shapes import ball, box, joined, moved
from touchpoint.core import Scene
from touchpoint.core.queries import points_in_mesh
from touchpoint.core.run import Run
from touchpoint.core.trees.bvh.forest import Forest
from touchpoint.core.verdicts.points_in_mesh import is_on_surface
from touchpoint.core.verdicts.rays import ray_scratch


@pytest.mark.parametrize("seed", range(4))
def test_points_on_and_beside_a_surface(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = joined(box((0, 0, 0), (1, 2, 1)), ball(6, 4)) if seed % 2 else box((-1, 0, 0), (1, 1, 2))
    other = moved(box(), (9, 0, 0))
    weights = rng.integers(0, 5, (60, 3)).astype(float)
    weights[weights.sum(axis=1) == 0] = 1.0
    corners = vertices[triangles[rng.integers(0, len(triangles), 60)]]
    points = np.einsum("ki,kij->kj", weights / weights.sum(axis=1)[:, None], corners)
    points = np.concatenate([points, np.nextafter(points, rng.uniform(-9, 9, points.shape)), vertices, vertices + 0.25])
    scene = Scene()
    for mesh in ((vertices, triangles), other):
        scene.add_object(scene.add_mesh(*mesh))
    bounds = np.array([[*each.min(axis=0), *each.max(axis=0)] for each in (vertices, other[0])])
    forest = Forest(scene, np.arange(2, dtype=np.int32), bounds, Run.unwatched(True).tick)
    a, b = np.zeros(1, np.int32), np.ones(1, np.int32)
    for _ in forest.batches(a, b):
        scratch = ray_scratch()
        found = [is_on_surface(points, row, 0, forest.placed_trees, scratch) for row in range(len(points))]
    expected = points_in_mesh(vertices, triangles, points) == 0
    assert found == expected.tolist() and 0 < sum(found) < len(found)
