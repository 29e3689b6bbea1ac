# SPDX-License-Identifier: GPL-3.0-or-later
"""Where solids that coincide are looked for, against plain arithmetic in whole numbers."""
import math

import numpy as np
import pytest
from naive.depths import depth_of_point, exact, squared_distance
from naive.shapes import ball, box, joined, moved
from touchpoint.core import Scene
from touchpoint.core.geometry.placed import placed_vertices
from touchpoint.core.run import Run
from touchpoint.core.tolerance.chords import NO_TRIANGLE, first_hit, nearest_triangle
from touchpoint.core.tolerance.inner_points import inner_points
from touchpoint.core.tolerance.shared_inside import SharedDepth
from touchpoint.core.trees.bvh.forest import Forest
from touchpoint.core.verdicts.mesh_topology import MeshTopology

TURNED = (box()[0], np.concatenate([box()[1][:1, ::-1], box()[1][1:]]))     # triangles that are not turned alike
HOLLOW = joined(box(), (box((0.2, 0.2, 0.2), (0.8, 0.8, 0.8))[0], box()[1][:, ::-1]))
SOLIDS = {"box": box(), "ball": moved(ball(6, 4, 0.6), (0.5, 0.5, 0.5)), "plate": box((0, 0, 0.4), (1, 1, 0.5)),
          "not oriented": TURNED, "hollow": HOLLOW}


@pytest.mark.parametrize("seed", range(20))
def test_the_first_triangle_that_a_ray_meets(seed):
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(30, 3, 3))
    origin, direction = rng.normal(size=3), rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    met = {}
    for slot, (p, q, r) in enumerate(corners):
        s, t, length = np.linalg.solve(np.column_stack([q - p, r - p, -direction]), origin - p)
        if s >= 0 and t >= 0 and s + t <= 1 and length > 0:
            met[slot] = length
    vertices, triangles = corners.reshape(-1, 3), np.arange(90, dtype=np.int32).reshape(-1, 3)
    among = np.flatnonzero(rng.random(30) < 0.8)

    def found(skipped, flat):
        return first_hit(origin, direction, vertices, triangles, among, skipped, flat)

    expected = sorted((length, slot) for slot, length in met.items() if slot in among)
    lengths = [length for length, _ in expected] + [math.inf]
    assert found(NO_TRIANGLE, -1.0) == pytest.approx(lengths[0])
    assert found(expected[0][1] if expected else NO_TRIANGLE, -1.0) == pytest.approx(lengths[bool(expected)])
    heights = np.abs((corners - origin) @ direction).max(axis=1)
    flat = float(np.median(heights))
    assert found(NO_TRIANGLE, flat) == pytest.approx(
        min((length for length, slot in expected if heights[slot] > flat), default=math.inf))


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_triangle(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = rng.normal(size=(40, 3)), rng.integers(40, size=(60, 3)).astype(np.int32)
    among = np.arange(1, 60, 2)
    for point in 3.0 * rng.normal(size=(10, 3)):
        nearest = nearest_triangle(point, vertices, triangles, among, 0.25, np.empty(3, np.int64))
        squares = {k: squared_distance(exact(point), [exact(vertices[c]) for c in triangles[k]]) for k in among}
        assert math.sqrt(squares[nearest]) == pytest.approx(math.sqrt(min(squares.values())), abs=1e-13)


@pytest.mark.parametrize("scale", [1.0, 1e-100, 1e60])
@pytest.mark.parametrize("one", SOLIDS)
@pytest.mark.parametrize("other", SOLIDS)
def test_deep_points_that_two_solids_share(one, other, scale):
    rng = np.random.default_rng(7)
    for _ in range(4):
        scene = Scene()
        for name in (one, other):
            vertices, triangles = SOLIDS[name]
            turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = scale * turn, scale * 0.2 * rng.normal(size=3)
            scene.add_object(scene.add_mesh(vertices - 0.5, triangles), pose)
        meshes = [(placed_vertices(scene.meshes[k].vertices, scene.poses[k]), scene.meshes[k].triangles)
                  for k in range(2)]
        topology, deep = MeshTopology(scene), []
        fewest = min(len(mesh.triangles) for mesh in scene.meshes)
        for i, j in ((0, 1), (1, 0)):
            for point in inner_points(scene, topology, i) if len(meshes[i][1]) == fewest else ():
                world = scene.poses[i, :3, :3] @ point + scene.poses[i, :3, 3]
                far, within = depth_of_point(world, meshes[i])
                if within and depth_of_point(world, meshes[j])[1]:
                    deep.append(math.sqrt(far) / scale)
        deepest = max(deep, default=0.0)
        for limit in {0.0, 0.9 * deepest, 1.1 * deepest, 0.7}:
            assert is_above(scene, topology, scale * limit) == (deepest > limit)


def is_above(scene, topology, limit):
    corners = [placed_vertices(scene.meshes[k].vertices, scene.poses[k]) for k in range(2)]
    bounds = np.array([np.append(each.min(axis=0), each.max(axis=0)) for each in corners])
    forest = Forest(scene, np.arange(2, dtype=np.int32), bounds, lambda *done: None)
    a, b = (np.array([k], np.int32) for k in range(2))
    for _ in forest.batches(a, b):
        return SharedDepth(forest, topology, Run.unwatched(False)).is_above(limit, 0, 1, forest.tight_bounds(a, b))


def placed(meshes, poses):
    """(SharedDepth, bounds) of objects of these meshes."""
    scene = Scene()
    for mesh, matrix in zip(meshes, poses):
        scene.add_object(scene.add_mesh(*mesh), matrix)
    everything = np.arange(len(meshes), dtype=np.int32)
    corners = [placed_vertices(scene.meshes[k].vertices, scene.poses[k]) for k in everything]
    bounds = np.array([np.append(each.min(axis=0), each.max(axis=0)) for each in corners])
    forest = Forest(scene, everything, bounds, lambda *done: None)
    for _ in forest.batches(everything, everything):
        return SharedDepth(forest, MeshTopology(scene), Run.unwatched(False)), forest.tight_bounds(everything,
                                                                                                  everything)


def test_whose_points_are_in_the_others_box():
    rng = np.random.default_rng(3)
    names = [list(SOLIDS)[k] for k in rng.integers(0, len(SOLIDS), 14)]
    poses = np.tile(np.eye(4), (14, 1, 1))
    for matrix in poses:
        matrix[:3, :3], matrix[:3, 3] = np.linalg.qr(rng.normal(size=(3, 3)))[0], 1.2 * rng.normal(size=3)
    poses[13, :3] *= 1e300      # squares of such lengths are no numbers
    shared, bounds = placed([SOLIDS[name] for name in names], poses)
    scene, count = shared.forest.scene, [len(SOLIDS[name][1]) for name in names]
    points = [inner_points(scene, shared.topology, k) @ poses[k, :3, :3].T + poses[k, :3, 3] for k in range(14)]

    def are_in(i, j):
        return ((points[i] > bounds[j, :3]) & (points[i] < bounds[j, 3:])).all(axis=1).any()

    a, b = (side.astype(np.int32) for side in np.triu_indices(14, 1))
    expected = [j == 13 or bool(count[i] <= count[j] and are_in(i, j) or count[j] <= count[i] and are_in(j, i))
                for i, j in zip(a, b)]
    answer = shared.may_be_above(a, b, bounds)
    assert answer.tolist() == expected and 20 < answer.sum() < 80
    assert not any(shared.is_above(0.0, i, j, bounds) for i, j, may in zip(a, b, answer) if not may)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("thickness", [2.0 ** -20, 2.0 ** -12, 0.5])
def test_what_is_known_of_a_thickness_is_true(thickness, order):
    """Whatever was asked before. A plate is half as deep as it is thick."""
    shared, bounds = placed([box((0, 0, 0), (1, 1, thickness))], np.eye(4)[None])
    for limit in sorted(thickness * 2.0 ** np.arange(-15.5, 3), reverse=order < 0):
        assert shared.are_sheets(limit, 0, 0, bounds) == (thickness / 2 <= limit)
        assert shared.are_sheets(limit, 0, 0, bounds) == (thickness / 2 <= limit)
