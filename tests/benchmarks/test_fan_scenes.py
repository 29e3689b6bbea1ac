# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of table 4-1: as many objects and triangles as the document says, the same every time, with collisions."""
import numpy as np
import pytest
from touchpoint.core import Scene, detect
from touchpoint.sample_scenes.fan import SCENES


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
