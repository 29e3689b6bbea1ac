# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene is at a moment: when it is another one, and which objects it says have changed."""
import copy

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box
from touchpoint.core import Scene, detect
from touchpoint.core.scene import select
from touchpoint.core.scene.select import SMALL_MESH, lend_boxes, mesh_boxes, world_boxes


def some_boxes(count=4):
    scene = Scene()
    for x in range(count):
        scene.add_object(scene.add_mesh(*box((0, 0, 0), (1, 1, 1))), pose(1, (2.0 * x, 0, 0)))
    return scene


def test_it_stays_while_nothing_changes():
    scene = some_boxes()
    state = scene.state
    scene.set_poses([1], [scene.objects[1].pose.copy()])
    assert scene.state is state and scene.state.before is None and state.changed.all()


def test_what_moves_and_what_is_deformed_has_changed():
    scene = some_boxes()
    first = scene.state
    scene.set_poses([2], [pose(1, (9.0, 0, 0))])
    second = scene.state
    assert second.changed_since(first).tolist() == [False, False, True, False]
    scene.set_vertices(0, 2.0 * scene.meshes[0].vertices)
    third = scene.state
    assert third.changed_since(second).tolist() == [True, False, False, False]
    assert third.changed_since(first) is None and second.before is None     # nothing piles up
    scene.poses[3, 0, 3] = -0.0 if scene.poses[3, 0, 3] else 1.0            # written in place
    assert scene.state.changed.tolist() == [False, False, False, True]
    assert second.poses[3, 0, 3] == 6.0                                     # what was stays


def test_signs_of_zero_and_new_meshes_count():
    scene = some_boxes()
    first = scene.state
    scene.set_poses([0], [pose(1, (-0.0, 0, 0))])
    assert scene.state.changed_since(first).tolist() == [True, False, False, False]
    before = scene.state
    scene.add_mesh(*box((0, 0, 0), (1, 1, 1)))
    assert scene.state is not before and scene.state.before is None
    scene.objects[0].static = True
    assert scene.state.before is None


def test_a_copy_goes_on_by_itself():
    scene = some_boxes()
    scene.state.changed_since(scene.state)
    other = copy.deepcopy(scene)
    other.set_poses([1], [pose(1, (7.0, 0, 0))])
    assert other.state.changed.tolist() == [False, True, False, False] and scene.state.changed.all()


def test_boxes_of_few_movers_are_those_of_all():
    """Boxes of what rests are kept: not a bit may differ from those of a scene that was just made."""
    rng = np.random.default_rng(3)
    scene = some_boxes(40)
    for step in range(12):
        some = rng.choice(40, int(rng.integers(1, 4)), replace=False)
        scene.set_poses(some, [pose(0.5 + rng.random(), rng.normal(size=3)) for _ in some])
        if step % 3 == 2:
            scene.set_vertices(5, rng.normal(size=scene.meshes[5].vertices.shape))
        fresh = Scene()
        for each in scene.objects:
            fresh.add_object(fresh.add_mesh(scene.meshes[each.mesh].vertices, scene.meshes[each.mesh].triangles),
                             each.pose)
        assert world_boxes(scene).tobytes() == world_boxes(fresh).tobytes()
        kept, new = detect(scene), detect(fresh)
        assert kept.pairs.tobytes() == new.pairs.tobytes()


@pytest.mark.parametrize("at_once", [1, 1000, 1 << 15])
def test_boxes_of_many_meshes_are_those_of_each(at_once, monkeypatch):
    """Vertices of many small meshes are looked at together; each box is what its own vertices say."""
    monkeypatch.setattr(select, "VERTICES_AT_ONCE", at_once)
    rng, scene = np.random.default_rng(8), Scene()
    counts = [*rng.integers(0, 12, 5000).tolist(), SMALL_MESH, SMALL_MESH + 1, 900]
    for count in rng.permutation(counts).tolist():
        vertices = rng.choice([-1.5, -0.0, 0.0, 2.0, np.nan, np.inf], (count, 3), p=[0.3, 0.2, 0.1, 0.39, 0.005, 0.005])
        scene.add_mesh(vertices, np.zeros((0, 3), int))
    for _ in range(2):
        found = mesh_boxes(scene)
        for box_of_mesh, each in zip(found, scene.meshes, strict=True):
            corners = each.vertices if len(each.vertices) else np.zeros((1, 3))
            expected = [*(extreme(corners[:, axis]) for extreme in (np.min, np.max) for axis in range(3))]
            assert np.array_equal(box_of_mesh, expected, equal_nan=True)
        assert not np.signbit(found[found == 0.0]).any()        # or boxes would depend on the order of vertices
        for mesh in rng.choice(len(counts), 9).tolist():
            scene.set_vertices(mesh, rng.normal(size=scene.meshes[mesh].vertices.shape))


def test_boxes_that_are_lent_are_those_of_the_other_scene():
    """Until its vertices are others."""
    rng, scene, other = np.random.default_rng(4), Scene(), Scene()
    for _ in range(5):
        scene.add_mesh(rng.normal(size=(7, 3)), np.zeros((0, 3), int))
    source = np.array([3, 1, 1, 4])
    for mesh in source.tolist():
        other.add_mesh(scene.meshes[mesh].vertices, np.zeros((0, 3), int))
    scene.set_vertices(0, rng.normal(size=(7, 3)))
    lend_boxes(scene, other, source)
    assert mesh_boxes(other).tobytes() == mesh_boxes(scene)[source].tobytes()
    other.set_vertices(2, np.full((7, 3), 5.0))
    assert mesh_boxes(other)[2].tolist() == [5.0] * 6
    assert mesh_boxes(other)[[0, 1, 3]].tobytes() == mesh_boxes(scene)[[3, 1, 4]].tobytes()


@pytest.mark.parametrize("odd", [None, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 1, SMALL_MESH])
def test_boxes_of_large_meshes(row, odd):
    """What is no number is told of the axis that has it, wherever it is."""
    rng = np.random.default_rng(row)
    for axis in range(3):
        vertices, scene = rng.normal(size=(SMALL_MESH + 1, 3)), Scene()
        vertices[rng.permutation(len(vertices))[:9], axis] = 7.0, -7.0, 5.0, 0.0, -0.0, 1e-320, 1e300, -1e300, 1.0
        if odd is not None:
            vertices[row, axis] = odd
        scene.add_mesh(vertices, np.zeros((0, 3), int))
        assert np.array_equal(mesh_boxes(scene)[0], [*vertices.min(axis=0), *vertices.max(axis=0)], equal_nan=True)
