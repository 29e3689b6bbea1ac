# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of the thesis: as many objects and triangles as it says, the same every time, with collisions."""
import numpy as np
import pytest
from touchpoint.core import Scene, detect
from touchpoint.sample_scenes import fan_pictures, fan_streams
from touchpoint.sample_scenes.fan import SCENES
from touchpoint.sample_scenes.hand import TRIANGLES, hand


@pytest.mark.parametrize("number, objects, triangles, slack", [(1, 15, 28853, 0), (2, 2, 10000, 500),
                                                               (3, 2, 20000, 500)])
def test_a_scene_of_the_document(number, objects, triangles, slack):
    bodies, poses = SCENES[number](3)
    again = SCENES[number](3)
    assert len(bodies) == objects and abs(sum(len(faces) for _, faces in bodies) - triangles) <= slack
    assert all(np.array_equal(one, other) for pair in zip(bodies, again[0]) for one, other in zip(*pair))
    assert np.array_equal(poses, again[1]) and not np.array_equal(poses[0], poses[1])
    assert np.allclose(np.linalg.det(np.array(poses)[..., :3, :3]), 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("number", SCENES)
def test_some_objects_of_a_scene_meet_and_others_do_not(number):
    bodies, poses = SCENES[number](2)
    scene = Scene()
    for body in bodies:
        scene.add_object(scene.add_mesh(*body))
    for step in poses:
        scene.set_poses(range(len(bodies)), step)
        report = detect(scene, method="parallel")
        assert len(report.contacts) > 1000
        assert number > 1 or 10 < len(report.pairs) < 60


@pytest.mark.parametrize("number", fan_streams.SCENES)
def test_a_scene_of_streams(number):
    """Exactly as many triangles as in table 3-1."""
    bodies, poses = fan_streams.scene(number, 2)
    again = fan_streams.scene(number, 2)
    assert sum(len(faces) for _, faces in bodies) == fan_streams.TRIANGLES[number]
    assert all(faces.max() < len(vertices) for vertices, faces in bodies)
    assert all(np.array_equal(one, other) for pair in zip(bodies, again[0]) for one, other in zip(*pair))
    assert np.array_equal(poses, again[1]) and not np.array_equal(poses[0], poses[1])


def test_scenes_of_pictures():
    for (bodies, fixed, poses), moving in ((fan_pictures.moving_objects(96, 2), 130),
                                           (fan_pictures.hand_among_objects(1, 2), 1)):
        assert len(bodies) - fixed == moving and all(placed.shape == (moving, 4, 4) for placed in poses)
        assert np.allclose(np.linalg.det(np.array(poses)[..., :3, :3]), 1.0)
        assert not np.array_equal(poses[0], poses[1])


@pytest.mark.parametrize("parts", [1, 2])
def test_the_hand_is_closed(parts):
    """Each edge belongs to two faces, which go along it in opposite ways; its faces look outward."""
    vertices, triangles = hand(parts)
    edges = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    assert len(triangles) == TRIANGLES * parts ** 2 and len(np.unique(edges, axis=0)) == len(edges)
    assert np.array_equal(np.unique(edges, axis=0), np.unique(edges[:, ::-1], axis=0))
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    assert (a * np.cross(b, c)).sum() / 6.0 == pytest.approx(0.254, abs=0.001)
    assert np.ptp(vertices[:, 2]) == pytest.approx(2.0)
