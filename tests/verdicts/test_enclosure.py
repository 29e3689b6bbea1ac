# SPDX-License-Identifier: GPL-3.0-or-later
"""Things inside shells that are open somewhere: what looks enclosed, beside rational arithmetic."""
import numpy as np
import pytest
from touchpoint.benchmarks import enclosures
from touchpoint.core import Scene, detect
from touchpoint.core.codes import NOT_CLOSED, VERDICTS
from touchpoint.sample_scenes import meshes

COLUMNS = ["a", "b", "verdict", "status", "inner"]
SHELLS = {"tunnel": lambda: enclosures.in_a_tunnel(3, 120), "dome": lambda: enclosures.under_a_dome(2, 50),
          "room": lambda: enclosures.in_a_room(3, 32), "nested": lambda: enclosures.nested(4, 32)}


def scene_of(question, step: int, pose=None) -> Scene:
    """The bodies of a question, all of it moved by `pose`."""
    scene, pose = Scene(), np.eye(4) if pose is None else pose
    placed = [*np.tile(np.eye(4), (question.fixed, 1, 1)), *question.poses_at(step)]
    for body, at in zip(question.bodies, placed):
        scene.add_object(scene.add_mesh(*body), pose @ at)
    return scene


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("turned", [False, True])
def test_the_answer_is_that_of_rational_arithmetic(shell, turned):
    question = SHELLS[shell]()
    pose = meshes.random_poses(1, 5.0, np.random.default_rng(3))[0] if turned else None
    scene = scene_of(question, 1, pose)
    assert np.array_equal(detect(scene).pairs[COLUMNS], detect(scene, method="exact").pairs[COLUMNS])


def leaky_ball(missing: int, seed: int):
    """A ball without some of its triangles, side by side, so that some rays find the hole."""
    vertices, faces = meshes.octasphere(72)
    middle = vertices[faces].mean(axis=1)
    hole = np.random.default_rng(seed).standard_normal(3)
    return 3.0 * vertices, faces[np.argsort(middle @ hole)[:len(faces) - missing]]


@pytest.mark.parametrize("missing", [1, 8, 40])
def test_holes_of_any_size(missing):
    """What is too large for a hole may still be seen through it, by few or all vertices."""
    told = set()
    for seed in range(3):
        scene, rng = Scene(), np.random.default_rng(seed)
        scene.add_object(scene.add_mesh(*leaky_ball(missing, seed)))
        thing = scene.add_mesh(*meshes.ring(3, 3, seed))
        for pose in meshes.random_poses(2, 2.4, rng):
            pose[:3, 3] -= 1.2
            pose[:3, :3] *= 0.4
            scene.add_object(thing, pose)
        found, expected = (detect(scene, method=method).pairs for method in ("touchpoint", "exact"))
        assert np.array_equal(found[COLUMNS], expected[COLUMNS])
        told |= {VERDICTS[code] for code in found["verdict"][found["a"] == 0]}
        assert (found["status"][found["verdict"] == VERDICTS.index("cannot tell")] == NOT_CLOSED).all()
    assert missing == 8 or ("cannot tell" in told) == (missing == 1)


def test_a_free_way_counts_triangles_and_not_boxes_of_nodes():
    """A thing in the mouth of a funnel: the box of the whole shell is in its way, none of the triangles is."""
    vertices = np.array([(r * x, r * y, z) for z, r in ((0.0, 1.0), (4.0, 6.0))
                         for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    faces = np.array([(i, (i + 1) % 4, 4 + i) for i in range(4)] + [((i + 1) % 4, 4 + (i + 1) % 4, 4 + i)
                                                                  for i in range(4)], np.int32)
    scene = Scene()
    scene.add_object(scene.add_mesh(vertices, faces))
    pose = np.eye(4)
    pose[:3, :3] *= 0.3
    pose[:3, 3] = 0.1, 0.2, 2.0
    scene.add_object(scene.add_mesh(*meshes.ring(6, 4, 0)), pose)
    assert len(detect(scene).pairs) == 0
