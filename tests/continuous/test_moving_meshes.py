# SPDX-License-Identifier: GPL-3.0-or-later
"""First contacts of whole meshes: by hand, and against a plain oracle that samples the motion."""
import weakref

import numpy as np
import pytest
from long.motions import judge
from long.outcome import Outcome
from naive.moving_bodies import CLASSES, SHAPES, WALL, draw, pose
from naive.shapes import ball, box, grid
from naive.whole_motions import Body, distance, first_meeting, rotation
from touchpoint.core import Scene
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.errors import Cancelled
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries import rigid_toi
from touchpoint.core.run import Run

CUBE = SHAPES["box"]
REST = np.eye(4)


def at(x=0.0, y=0.0, z=0.0, linear=None):
    return pose(linear, (x, y, z))


def about(axis, angle):
    return rotation(np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis, float))]))


@pytest.mark.parametrize("name", CLASSES)
def test_random_motions(name):
    rng, outcome = np.random.default_rng([7, CLASSES.index(name)]), Outcome()
    for row in range(12 if COMPILED else 1):        # tests/long asks as many as one likes
        judge(f"{name} {row}", draw(rng, name), outcome, shortest=1 / 200)
    assert outcome.wrong == 0, outcome.examples
    assert outcome.counted["contacts"] or not COMPILED or name == "both at rest"


def test_bullet_through_a_wall_of_no_thickness():
    """Ahead of the wall on frame 10 and behind it on frame 11."""
    assert rigid_toi(CUBE, at(z=-4.8), at(z=5.2), WALL, REST, REST) == pytest.approx(0.43, abs=1e-9)
    assert rigid_toi(CUBE, at(z=-4300.5), at(z=5699.5), WALL, REST, REST) == pytest.approx(0.43, abs=1e-9)
    assert rigid_toi(CUBE, at(5, z=-4.8), at(5, z=5.2), WALL, REST, REST) is None


def test_rotating_blade():
    """A blade of length 2 from the origin turns by a quarter; a thin post stands at 1, 30 degrees on."""
    blade = box((0, -1e-9, -0.1), (2, 1e-9, 0.1))
    post = box((-1e-7, -1e-7, -1), (1e-7, 1e-7, 1))
    where = at(np.cos(np.pi / 6), np.sin(np.pi / 6))
    toi = rigid_toi(blade, REST, pose(about((0, 0, 1), np.pi / 2)), post, where, where)
    assert toi == pytest.approx(1 / 3, abs=1e-6)
    assert rigid_toi(blade, REST, pose(about((0, 0, 1), -np.pi / 2)), post, where, where) is None
    # The shorter way: 200 degrees are 160 the other way round.
    assert rigid_toi(blade, REST, pose(about((0, 0, 1), np.radians(200))), post, where, where) is None


def test_two_balls_meet_when_their_corners_do():
    shape = ball(8, 6)
    toi = rigid_toi(shape, at(z=-5), at(z=5), shape, at(z=5), at(z=5))
    assert toi == pytest.approx(0.8, abs=1e-9)


def test_grazing_edge_to_edge():
    assert rigid_toi(CUBE, at(-3, 0, 1), at(3, 0, 1), CUBE, REST, REST) == pytest.approx(1 / 3, abs=1e-9)
    assert rigid_toi(CUBE, at(-3, 1, 1), at(3, 1, 1), CUBE, REST, REST) == pytest.approx(1 / 3, abs=1e-9)
    assert rigid_toi(CUBE, at(-3, 1, 1 + 1e-6), at(3, 1, 1 + 1e-6), CUBE, REST, REST) is None


def test_sliding_at_a_small_gap_is_no_contact():
    for gap in (1e-3, 1e-6, 1e-9, 1e-12):
        for last in (REST[:3, :3], about((0, 0, 1), 1.0), about((0, 0, 1), np.pi)):
            assert rigid_toi(CUBE, at(-1, 0, 0.5 + gap), at(1, 0.5, 0.5 + gap, last), WALL, REST, REST) is None


def test_contact_at_the_start_has_the_time_0():
    for start in (at(z=0.5), at(z=0.2), at(z=0.5, linear=about((0, 0, 1), 0.3))):
        for end in (at(z=0.5, x=0.1), at(z=3), at(z=-3)):
            assert rigid_toi(CUBE, start, end, WALL, REST, REST) == 0.0


def test_contact_at_the_end():
    assert rigid_toi(CUBE, at(z=2.5), at(z=0.5), WALL, REST, REST) == pytest.approx(1.0, abs=1e-9)


def test_mirrored_and_sheared_poses_keep_their_way():
    for matrix in (np.diag([-1.0, 1, 1]), np.diag([1, -2.0, 0.5]), np.array([[1, 0.5, 0], [0, 1, 0.2], [0, 0, 1]])):
        reach = np.abs(matrix).sum(axis=1)[2] / 2
        assert rigid_toi(CUBE, at(z=-5, linear=matrix), at(z=5, linear=matrix), WALL, REST, REST) == pytest.approx(
            (5 - reach) / 10, abs=1e-9)


def test_scale_grows_linearly():
    assert rigid_toi(CUBE, at(z=2), at(z=2, linear=6 * np.eye(3)), WALL, REST, REST) == pytest.approx(0.6, abs=1e-9)


def test_nothing_moves():
    assert rigid_toi(CUBE, REST, REST, CUBE, at(0.5), at(0.5)) is None


def test_what_is_inside_is_met_at_the_surface():
    room = box((-5, -5, -5), (5, 5, 5))
    assert rigid_toi(CUBE, REST, at(9), room, REST, REST) == pytest.approx(0.5, abs=1e-9)
    assert rigid_toi(CUBE, REST, at(4), room, REST, REST) is None


def test_wrong_arrays_are_refused():
    with pytest.raises(ValueError, match="finite"):
        rigid_toi(CUBE, REST, at(np.nan), CUBE, REST, REST)
    with pytest.raises(ValueError, match="A1"):
        rigid_toi(CUBE, REST, np.eye(3), CUBE, REST, REST)
    with pytest.raises(ValueError, match="meshB"):
        rigid_toi(CUBE, REST, REST, (CUBE[0], [[0, 1, 99]]), REST, REST)


def crowd(rng, count):
    """A scene of balls, boxes and walls, and other poses and vertices for it."""
    scene = Scene()
    meshes = [scene.add_mesh(*each) for each in (CUBE, ball(5, 4, 0.6), grid(3, 3, (-2, -2, 0)))]
    place = rng.uniform(-count ** (1 / 3), count ** (1 / 3), (count, 3)) * 1.2
    for k in range(count):
        scene.add_object(meshes[k % 3], pose(about((0, 0, 1), k), place[k]))
    ends = scene.poses.copy()
    for k in range(0, count, 2):
        ends[k] = pose(about((0, 0, 1), k) @ about((1, 0, 0), rng.uniform(0, 2)), place[k] + 2 * rng.normal(size=3))
    return scene, ends, scene.meshes[1].vertices * [1, 1, 1.8]


@pytest.mark.scenes
def test_crowd_equals_its_pairs_whatever_the_threads():
    rng = np.random.default_rng(5)
    scene, ends, vertices = crowd(rng, 24)
    start = Instant.of(scene)
    shapes = [(scene.meshes[each.mesh].vertices, scene.meshes[each.mesh].triangles) for each in scene.objects]
    firsts = scene.poses.copy()
    scene.set_poses(range(24), ends)
    scene.set_vertices(1, vertices)
    end = Instant.of(scene)
    found = [contacts_between(start, end, run=Run(None, threads, False, {})) for threads in (1, 2)]
    for one, other in zip(*found):
        np.testing.assert_array_equal(one, other)
    got = {(a, b): t for a, b, t, _ in zip(*found[0][:4])}
    assert list(got) == sorted(got) and all(a < b for a, b in got)
    bodies = [Body(*shape, firsts[k], ends[k], vertices if k % 3 == 1 else None) for k, shape in enumerate(shapes)]
    moves = [k % 2 == 0 or k % 3 == 1 for k in range(24)]
    for a in range(24):
        for b in range(a + 1, 24):
            if not (moves[a] or moves[b]):
                assert (a, b) not in got
            elif (a, b) in got:
                assert distance(bodies[a], bodies[b], got[a, b]) < 1e-8
            else:
                assert first_meeting(bodies[a], bodies[b], shortest=1 / 100) is None
    assert len(got) > 10


def test_pairs_that_are_not_allowed_are_not_tested():
    scene, ends, _ = crowd(np.random.default_rng(5), 24)
    start = Instant.of(scene)
    scene.set_poses(range(24), ends)
    end = Instant.of(scene)
    all_pairs = contacts_between(start, end)
    some = contacts_between(start, end, allows=lambda a, b: (a + b) % 2 == 1)
    kept = (all_pairs.a + all_pairs.b) % 2 == 1
    np.testing.assert_array_equal(some.toi, all_pairs.toi[kept])
    assert 0 < kept.sum() < len(kept)


def test_instants_stay_what_they_were():
    """The scene goes on, loses the mesh, or is another one: the answer is the same."""
    scene = Scene()
    for name in "ab":
        scene.add_object(scene.add_mesh(*CUBE), at(3.0 * (name == "b")), name=name)
    start = Instant.of(scene)
    scene.set_poses([0], at(5)[None])
    end = Instant.of(scene)
    expected = contacts_between(start, end)
    assert expected.toi == pytest.approx([0.4])
    scene.set_poses([0, 1], np.stack([at(9), at(7)]))
    scene.set_vertices(0, 3 * CUBE[0])
    np.testing.assert_array_equal(contacts_between(start, end).toi, expected.toi)
    scene.remove_object(0)
    scene.remove_mesh(0)
    np.testing.assert_array_equal(contacts_between(start, end).toi, expected.toi)
    swapped = contacts_between(start.taken([1, 0]), end.taken([1, 0]))
    assert swapped.toi == pytest.approx(expected.toi, rel=1e-14)


def test_backwards_is_the_end_of_the_contact():
    scene = Scene()
    scene.add_object(scene.add_mesh(*CUBE), at(-3))
    scene.add_object(scene.add_mesh(*CUBE))
    start = Instant.of(scene)
    scene.set_poses([0], at(3)[None])
    end = Instant.of(scene)
    assert contacts_between(start, end).toi == pytest.approx([1 / 3])
    assert 1 - contacts_between(end, start).toi == pytest.approx([2 / 3])


def test_objects_whose_triangles_changed_are_lost_by_name():
    scene = Scene()
    scene.add_object(scene.add_mesh(*CUBE), at(-3))
    scene.add_object(scene.add_mesh(*CUBE))
    scene.add_object(scene.add_mesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32)))
    start = Instant.of(scene)
    scene.objects[0].mesh = scene.add_mesh(CUBE[0], CUBE[1][1:])
    found = contacts_between(start, Instant.of(scene))
    assert found.lost.tolist() == [True, False, False] and len(found.toi) == 0
    with pytest.raises(ValueError, match="3 and 2"):
        contacts_between(start, Instant.of(scene, [0, 1]))


def test_tolerance_is_kept():
    for asked in (1e-2, 1e-5, None):
        scene = Scene()
        scene.add_object(scene.add_mesh(*CUBE), at(z=3, linear=about((1, 0, 0), 0.3)))
        scene.add_object(scene.add_mesh(*WALL))
        start = Instant.of(scene)
        scene.set_poses([0], at(z=-3, linear=about((1, 1, 0), 0.9))[None])
        found = contacts_between(start, Instant.of(scene), tolerance=asked)
        assert 0 <= found.tolerance[0] <= (asked or 1e-9) * 1.001


def test_a_run_can_be_cancelled():
    scene, ends, _ = crowd(np.random.default_rng(5), 24)
    start = Instant.of(scene)
    scene.set_poses(range(24), ends)
    with pytest.raises(Cancelled):
        contacts_between(start, Instant.of(scene), run=Run(lambda stage, done: False, 1, False, {}))


@pytest.mark.scenes
def test_frames_in_turn_equal_intervals_by_themselves():
    """What is kept from one interval to the next changes no bit."""
    rng = np.random.default_rng(9)
    scene, _, _ = crowd(rng, 24)
    frames = [Instant.of(scene)]
    for frame in range(4):
        moved = rng.choice(24, 12, replace=False)
        poses = scene.poses[moved].copy()
        poses[:, :3, 3] += rng.normal(size=(12, 3))
        if frame % 2:
            poses[:, :3, :3] = poses[:, :3, :3] @ about((1, 0, 0), 0.2)
        scene.set_poses(moved, poses)
        if frame == 2:
            scene.set_vertices(1, scene.meshes[1].vertices * [1, 1, 1.5])
        frames.append(Instant.of(scene))
        kept = contacts_between(*frames[-2:])
        scene.cache.clear()
        for one, other in zip(kept, contacts_between(*frames[-2:])):
            np.testing.assert_array_equal(one, other)
        scene.cache.clear()
        contacts_between(frames[-1], frames[-2])
        if frame:
            contacts_between(*frames[-3:-1])


def test_what_was_asked_before_changes_no_time():
    """The direction that parted others is tried first, and where objects are when they are known to meet is kept: of a
    pair alone neither is that of others."""
    met = 0
    for seed in range(6 if COMPILED else 1):
        scene, ends, _ = crowd(np.random.default_rng([14, seed]), 12)
        start = Instant.of(scene)
        scene.set_poses(range(len(ends)), ends)
        end, run = Instant.of(scene), Run(None, 1, False, {})
        together = contacts_between(start, end, run=run)
        for a, b, toi in zip(together.a.tolist(), together.b.tolist(), together.toi.tolist()):
            alone = contacts_between(start, end, lambda p, q, a=a, b=b: (p == a) & (q == b), run)
            assert alone.toi.tolist() == [toi]
            met += toi > 0.0
    assert met > 5 or not COMPILED


def test_small_beside_huge_and_far_from_the_origin():
    """A box of one unit meets a ground of 1e7 units that rests exactly below it, 1e7 units away; so it does
    where numbers near zero say how high."""
    ground = np.array([[-1e7, -1e7, 0], [1e7, -1e7, 0], [1e7, 1e7, 0.0]]), np.array([[0, 1, 2]], np.int32)
    place = 0.7e7
    for floor in (0.0, 1e-80, 3e5):
        toi = rigid_toi(CUBE, at(place, -place, floor + 0.5), at(place + 3, -place, floor + 0.5), ground,
                        at(z=floor), at(z=floor))
        assert toi == 0.0
        below = at(place + 3, -place, floor - 1.5, about((0, 0, 1), 0.5))
        toi = rigid_toi(CUBE, at(place, -place, floor + 2.5), below, ground, at(z=floor), at(z=floor))
        assert toi == pytest.approx(0.5, abs=1e-6)


def test_nothing_of_a_run_is_kept_with_the_scene():
    scene, ends, _ = crowd(np.random.default_rng(5), 24)
    start = Instant.of(scene)
    scene.set_poses(range(24), ends)
    run = Run(None, 1, False, {})
    contacts_between(start, Instant.of(scene), run=run)
    kept = weakref.ref(run)
    del run
    assert kept() is None
