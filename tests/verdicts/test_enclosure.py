# SPDX-License-Identifier: GPL-3.0-or-later
"""Things inside shells that are open somewhere: what looks enclosed, beside rational arithmetic."""
import numpy as np
import pytest
from touchpoint.benchmarks import enclosures
from touchpoint.core import Scene, detect
from touchpoint.core.codes import NOT_CLOSED, VERDICTS
from touchpoint.core.verdicts import containment
from touchpoint.core.verdicts.openings import EVERYWHERE, lids, sheets_of
from touchpoint.sample_scenes import meshes

COLUMNS = ["a", "b", "verdict", "status", "inner"]
SHELLS = {"tunnel": lambda: enclosures.in_a_tunnel(3, 120), "dome": lambda: enclosures.under_a_dome(2, 50),
          "room": lambda: enclosures.in_a_room(3, 32), "leaky": lambda: leaky_room(3, 128),
          "nested": lambda: enclosures.nested(4, 32)}


def leaky_room(count: int, triangles: int):
    """Of few triangles, of which the last ones are missing."""
    question = enclosures.in_a_room(count, triangles)
    (vertices, faces), *things = question.bodies
    question.bodies[:] = [(vertices, faces[:-2]), *((7.0 * each, triangles) for each, triangles in things)]
    return question


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


def holey_box(rng):
    """A box, or two beside each other or one in the other, without some of the triangles, some of the others turned
    over; and the middle of each triangle that is missing, and the direction there into the box."""
    parts = [enclosures.box(1.0 + 0.5 * k, 32) for k in range(rng.integers(1, 3))]
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    apart = (4.0, 0.3, 0.2) if rng.random() < 0.7 else (0.0, 0.0, 0.0)
    vertices = np.concatenate([vertices + k * np.array(apart) for k, (vertices, _) in enumerate(parts)])
    faces = np.concatenate([faces + start for (_, faces), start in zip(parts, starts)])
    faces = faces[rng.permutation(len(faces))]
    count = rng.integers(1, 9)
    holes, faces = vertices[faces[:count]], faces[count:]
    inward = np.cross(holes[:, 2] - holes[:, 0], holes[:, 1] - holes[:, 0])
    if rng.random() < 0.5:
        turned = rng.integers(0, len(faces), rng.integers(1, 4))
        faces[turned] = faces[turned, ::-1]
    if rng.random() < 0.3:
        vertices = vertices[faces].reshape(-1, 3)
        faces = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    return vertices, faces, holes.mean(axis=1), inward / np.linalg.norm(inward, axis=1)[:, None]


def holey_scene(seed: int) -> Scene:
    """Things in holey boxes and beside them, and needles that all vertices of look out of a hole."""
    scene, rng = Scene(), np.random.default_rng(seed)
    stretch = np.diag([*np.where(rng.random(3) < 0.3, -1.0, 1.0) * 2.0 ** rng.integers(-3, 4, 3), 1.0])
    around = meshes.random_poses(1, 10.0 ** rng.integers(0, 5), rng)[0] if rng.random() < 0.3 else np.eye(4)
    vertices, faces, middles, inward = holey_box(rng)
    scene.add_object(scene.add_mesh(vertices, faces), around @ stretch)
    thing, low, high = scene.add_mesh(*meshes.ring(3, 3, seed)), vertices.min(axis=0), vertices.max(axis=0)
    for pose in meshes.random_poses(3, 1.0, rng):
        pose[:3, 3] = low + (high - low) * rng.random(3)
        pose[:3, :3] *= 0.2
        scene.add_object(thing, around @ stretch @ pose)
    for middle, way in zip(middles[:3], inward):
        ends = middle + np.outer((0.1, 0.5, 0.9), way) + 0.02 * rng.standard_normal((3, 3))
        scene.add_object(scene.add_mesh(ends, np.arange(3, dtype=np.int32)[None]), around @ stretch)
    return scene


@pytest.mark.scenes
def test_a_ray_that_is_not_followed_would_have_crossed(monkeypatch):
    """With lids that no ray passes, each ray is followed."""
    told = 0
    for seed in range(150):
        found = detect(holey_scene(seed)).pairs
        with monkeypatch.context() as patched:
            patched.setattr(containment, "lids", lambda sheets, pose: EVERYWHERE)
            followed = detect(holey_scene(seed)).pairs
        assert found.tobytes() == followed.tobytes(), seed
        told += int((found["status"] == NOT_CLOSED).sum())
    assert told > 20


@pytest.mark.scenes
def test_who_looks_out_of_a_hole_is_as_rational_arithmetic_says():
    """Directions that no lid is passed in are asked by rays of their own."""
    told = set()
    for seed in range(20):
        scene = holey_scene(seed)
        found, expected = (detect(scene, method=method).pairs for method in ("touchpoint", "exact"))
        assert np.array_equal(found[COLUMNS], expected[COLUMNS]), seed
        told |= {VERDICTS[code] for code in found["verdict"][found["a"] == 0]}
    assert "cannot tell" in told


def test_a_lid_is_where_its_part_of_the_rim_is():
    """Two holes of a cube, which are at opposite corners of it."""
    vertices, faces = enclosures.box(1.0, 32)
    order = np.random.default_rng(1).permutation(len(vertices))        # parts of the rim come mixed
    vertices, faces = vertices[order], np.argsort(order)[faces]
    low, high = (np.argmin((sign * vertices[faces]).sum(axis=2).max(axis=1)) for sign in (1.0, -1.0))
    sheets = sheets_of(vertices, np.delete(faces, [low, high], axis=0).astype(np.int32))
    pose = np.eye(4)[:3] * 2.0
    boxes = lids(sheets, pose)
    expected = [np.r_[corners.min(axis=0), corners.max(axis=0)] for corners in 2.0 * vertices[faces[[low, high]]]]
    assert sorted(boxes.tolist()) == sorted(map(list, map(np.ndarray.tolist, expected)))
    assert lids(sheets, pose) is boxes
