# SPDX-License-Identifier: GPL-3.0-or-later
"""The bounds behind first contacts of whole meshes, one by one: each holds, and none is so wide that it says
nothing."""
from fractions import Fraction as F

import numpy as np
import pytest
from naive.moving_bodies import CLASSES, SHAPES, draw, pose, turned
from naive.whole_motions import distance, rotation
from numba import njit
from touchpoint.core import Scene
from touchpoint.core.continuous.decompose import rotation_and_stretch, turn
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.motion_bounds import has_middle, upright_box
from touchpoint.core.continuous.motions import Movement
from touchpoint.core.continuous.moving_boxes import entries_16, sweeps_overlap_16
from touchpoint.core.continuous.moving_triangles import gap_of_triangles
from touchpoint.core.continuous.poses import no_pose, pose_at, vertices_at
from touchpoint.core.machine_code.jit import COMPILED


@njit
def sweeps(boxes, grow):
    return sweeps_overlap_16(boxes, 0, 1, 2, 3, grow)


@njit
def entries(boxes, grow, limit, times):
    return entries_16(boxes, 0, 1, 2, 3, grow, limit, times)


def movement_of(bodies):
    """A Movement of Bodies of `draw`."""
    scene, ends = Scene(), []
    for body in bodies:
        vertices, first, last, vertices_end = body.given
        scene.add_object(scene.add_mesh(vertices, body.triangles), first)
        ends.append((last, vertices_end))
    start = Instant.of(scene)
    scene.set_poses(range(len(ends)), np.stack([last for last, _ in ends]))
    for mesh, (_, vertices) in enumerate(ends):
        if vertices is not None:
            scene.set_vertices(mesh, vertices)
    return Movement(start, Instant.of(scene))


def places(movement, k, t):
    """World vertices of an object at a time, as the kernels compute them."""
    count = len(movement.start.vertices[k])
    start, end = movement.start.vertices[k], np.zeros((0, 3))
    if movement.linear[k]:
        start, end = movement.world_ends(k)
    world = np.empty((count, 3))
    vertices_at(movement.motions, k, t, start, end, 0, count, no_pose(), world, 0)
    return world


def box_of(movement, k, t):
    """lo x y z hi x y z of an object at a time."""
    boxes = np.empty((1, 6))
    upright_box(k, t, movement.motions, movement._low, movement._high, no_pose(), np.empty((4, 3)), boxes, 0)
    return boxes[0]


@pytest.mark.parametrize("name", CLASSES)
def test_vertices_are_where_they_should_be(name):
    """The oracle's own formulas agree, and boxes, speed and curvature hold."""
    rng = np.random.default_rng([1, CLASSES.index(name)])
    for _ in range(4):
        bodies = draw(rng, name)
        movement = movement_of(bodies)
        times = np.linspace(0.0, 1.0, 33)
        swept = movement.swept_boxes()
        for k, body in enumerate(bodies):
            way = np.stack([places(movement, k, t) for t in times])
            slack = max(100 * movement.motions.rounding[k], 1e-11 * np.abs(way).max() if name == "half turn" else 0.0)
            for t, here in zip(times.tolist(), way):
                assert np.abs(here[body.triangles] - body.corners(t)).max() <= slack
                box = box_of(movement, k, t)
                assert (here >= box[:3]).all() and (here <= box[3:]).all()
                assert (here >= swept[k, :3]).all() and (here <= swept[k, 3:]).all()
            step = times[1]
            noise = 4 * movement.motions.rounding[k]
            fastest = np.linalg.norm(np.diff(way, axis=0), axis=2).max() - noise
            assert fastest <= movement.motions.speed[k] * step
            bend = np.linalg.norm(np.diff(way, 2, axis=0), axis=2).max() - noise
            assert bend <= movement.motions.curvature[k] * step ** 2


def test_ends_are_the_given_poses_to_the_last_bit():
    rng = np.random.default_rng(2)
    movement = movement_of(draw(rng, "shears"))
    for k in range(2):
        for end, instant in enumerate((movement.start, movement.end)):
            given = no_pose()
            pose_at(movement.motions, k, float(end), given)
            np.testing.assert_array_equal(given[0], instant.poses[k])


def test_poses_close_to_their_ends_are_close_to_the_given_ones():
    """The decomposition makes the poses that it was made of."""
    rng = np.random.default_rng(3)
    for name in ("turns", "half turn", "stretches", "shears", "mirrored", "far away", "tiny", "huge"):
        for _ in range(20 if COMPILED else 2):
            movement = movement_of(draw(rng, name))
            for k in range(2):
                for end, beside in ((0.0, 1e-300), (1.0, np.nextafter(1.0, 0.0))):
                    away = np.abs(places(movement, k, end) - places(movement, k, beside)).max()
                    assert away <= movement.motions.rounding[k] + 2.0 ** -52 * movement.motions.speed[k]


def test_the_way_back_of_a_half_turn():
    """Exactly half of a circle is as short either way, and from the end to the start it goes back the same one: or what
    was met on the way would not be met on the way back."""
    rng, (there, back), product = np.random.default_rng(8), np.empty((2, 3)), np.empty((3, 3))
    for number in range(60):
        signs = np.roll((1.0, -1.0, -1.0), number)
        before = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
        before[0] *= np.linalg.det(before)
        after = before * signs
        angles = turn(before, after, there, product), turn(after, before, back, product)
        assert angles == (np.pi, np.pi) and np.array_equal(there, -back) and np.abs(there).max() == 1.0
    assert turn(np.eye(3), np.diag((-1.0, -1.0, 1.0)), there, product) == np.pi and there.tolist() == [0, 0, 1]


def taken_apart(matrices):
    """(rotations, stretches, certain)"""
    r, s = np.empty((2, len(matrices), 3, 3))
    certain = [rotation_and_stretch(m, r[i], s[i], np.empty((3, 3)), np.empty((3, 3))) for i, m in enumerate(matrices)]
    return r, s, np.array(certain)


def test_taken_apart_and_put_together():
    rng = np.random.default_rng(4)
    matrices = rng.normal(size=(300, 3, 3)) * 10.0 ** rng.uniform(-30, 30, (300, 1, 1))
    r, s, certain = taken_apart(matrices)
    size = np.abs(matrices).max(axis=(1, 2))
    assert certain.all()
    assert (np.abs(r @ s - matrices).max(axis=(1, 2)) <= 1e-14 * size).all()
    assert np.abs(s - np.swapaxes(s, 1, 2)).max(initial=0.0, where=(size < 1e3)[:, None, None]) < 1e-10
    assert np.allclose(r @ np.swapaxes(r, 1, 2), np.eye(3), atol=1e-14) and (np.linalg.det(r) > 0).all()
    values = np.linalg.eigvalsh(s / size[:, None, None])
    assert ((values > 0).all(axis=1) == (np.linalg.det(matrices / size[:, None, None]) > 0)).all()
    flat = np.array([np.diag([1.0, 1.0, 1e-10]), np.diag([1.0, 0, 0]), np.zeros((3, 3))])
    assert not taken_apart(flat)[2].any()


def test_turns_of_every_angle():
    rng = np.random.default_rng(5)
    for angle in (0.0, 1e-15, 1e-9, 1e-3, 1.0, 3.0, np.pi - 1e-9, np.pi):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        before = rotation(np.array([0.5, 0.5, -0.5, 0.5]))
        q = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
        found = np.empty(3)
        by = turn(before, before @ rotation(q), found, np.empty((3, 3)))
        assert by == pytest.approx(angle, abs=1e-15 if angle < 1 else 1e-12)
        if angle > 1e-12:
            sign = np.sign(found @ axis)
            assert sign > 0 or angle > 3.1
            assert np.abs(sign * found - axis).max() < 1e-12 / min(angle, 1.0)


def moving_nodes(rng):
    """(4,6,4) float32: two nodes, each before and after, some of whose boxes meet meanwhile; the last ones are
    empty."""
    boxes = np.empty((4, 6, 4), np.float32)
    low = rng.normal(size=(4, 3, 4)) * 10.0 ** rng.uniform(-3, 3)
    boxes[:, :3] = low
    boxes[:, 3:] = low + np.abs(rng.normal(size=(4, 3, 4)))
    boxes[:, :3, 3], boxes[:, 3:, 3] = 3e38, -3e38
    return boxes


def exact_entry(boxes, p, q, grow):
    """The time at which child p of node 0 → 1 and child q of node 2 → 3 begin to overlap, None where they never do."""
    enter, leave = F(0), F(1)
    for x in range(3):
        for above, below, i, j in ((2, 0, q, p), (0, 2, p, q)):
            before, after = (F(float(boxes[above + end, 3 + x, i])) - F(float(boxes[below + end, x, j])) + F(grow)
                             for end in (0, 1))
            if before < 0 and after < 0:
                return None
            if before < 0:
                enter = max(enter, before / (before - after))
            if after < 0:
                leave = min(leave, before / (before - after))
    return enter if enter <= leave else None


def test_boxes_are_never_late():
    rng = np.random.default_rng(6)
    met = early = 0
    for _ in range(60):
        boxes, grow = moving_nodes(rng), float(np.float32(10.0 ** rng.uniform(-4, 0) * rng.integers(0, 2)))
        times = np.empty(16, np.float32)
        swept = sweeps(boxes, np.float32(grow))
        mask = entries(boxes, np.float32(grow), np.float32(1.0), times)
        half = entries(boxes, np.float32(grow), np.float32(0.5), np.empty(16, np.float32))
        for k in range(16):
            exact = exact_entry(boxes, k >> 2, k & 3, grow)
            if exact is not None:
                met += 1
                assert swept >> np.uint32(k) & 1 and mask >> np.uint32(k) & 1
                assert F(float(times[k])) <= exact
                early += float(exact) - float(times[k]) > 1e-3
                assert exact > F(1, 2) or half >> np.uint32(k) & 1
            elif not mask >> np.uint32(k) & 1:
                assert times[k] == np.inf
    assert met > 100 and early < 0.02 * met


def test_gaps_along_a_direction_are_never_too_large():
    rng = np.random.default_rng(7)
    worst = 0.0
    for _ in range(300):
        P = rng.normal(size=(6, 3)) * 10.0 ** rng.uniform(-3, 3) + rng.normal(size=3) * 1e3
        d = rng.normal(size=3)
        d /= np.linalg.norm(d)
        along = [sum(F(float(a)) * F(float(b)) for a, b in zip(d, p)) for p in P]
        exact = min(along[:3]) - max(along[3:])
        found = gap_of_triangles(P, d, 0.0)
        assert F(float(found)) <= exact
        worst = max(worst, float(exact - F(float(found))) / np.abs(P - P[3]).max())
    assert worst < 1e-13


def test_boxes_and_slices_of_a_turning_box():
    """Half a turn of twelve triangles takes a few slices, gliding one."""
    scene = Scene()
    mesh = scene.add_mesh(*SHAPES["box"])
    scene.add_object(mesh)
    scene.add_object(mesh)
    start = Instant.of(scene)
    scene.set_poses([0, 1], np.stack([pose(rotation(np.array([0.0, 0, 0, 1]))), pose(origin=(1e4, 0, 0))]))
    assert Movement(start, Instant.of(scene)).slices().tolist() == [4, 1]


@pytest.mark.parametrize("name", CLASSES)
def test_objects_that_their_boxes_keep_apart_never_meet(name):
    rng, found = np.random.default_rng([8, CLASSES.index(name)]), 0
    for _ in range(40 if COMPILED else 4):
        bodies = draw(rng, name)
        movement = movement_of(bodies)
        one, other = np.zeros(1, np.int32), np.ones(1, np.int32)
        if movement.apart(one, other)[0]:
            found += 1
            assert movement.apart(other, one)[0]
            for t in np.linspace(0.0, 1.0, 9).tolist():
                assert distance(*bodies, t) > 0.0
    assert found or not COMPILED or name in ("fast", "passes closely")


def test_boxes_that_slide_past_each_other_at_a_small_gap_are_apart():
    """Whatever the direction, and although the boxes around their ways overlap."""
    rng = np.random.default_rng(9)
    for gap, expected in ((1e-3, True), (1e-9, True), (-1e-3, False)):
        frame = rotation(rng.normal(size=4))
        scene = Scene()
        box = scene.add_mesh(*SHAPES["box"])
        scene.add_object(box, pose(frame))
        scene.add_object(box, pose(frame, frame @ (1.0 + gap, -3.0, 0.2)))
        start = Instant.of(scene)
        scene.set_poses([1], [pose(frame, frame @ (1.0 + gap, 4.0, 0.3))])
        movement = Movement(start, Instant.of(scene))
        assert movement.apart(np.zeros(1, np.int32), np.ones(1, np.int32)).tolist() == [expected]


def test_boxes_that_overlap_by_no_more_than_a_length():
    """Boxes that glide, turn or deform along each other: what is called shallow is so at every moment, by the axes
    along which two boxes can be told apart; and what slides in any direction with a small overlap is called so."""
    rng, shallow, deep = np.random.default_rng(10), 0, 0
    one, other = np.zeros(1, np.int32), np.ones(1, np.int32)
    for _ in range(200):
        frame, overlap = turned(rng, np.pi), float(rng.choice([0.0, 1e-6, 0.01, 0.1]))
        turns = [turned(rng, most, np.eye(3)) if most else np.eye(3) for most in rng.choice([0, 0.05, 0.3], 2)]
        scene = Scene()
        box = scene.add_mesh(*SHAPES["box"])
        scene.add_object(box, pose(frame))
        scene.add_object(box, pose(frame, frame @ (1.0 - 0.9 * overlap, -3.0, 0.2)))
        start = Instant.of(scene)
        steps = rng.choice([0.0, 0.02, 0.2], 2)
        scene.set_poses([0, 1], [pose(frame @ turns[0]),
                                 pose(frame @ turns[1], frame @ (1.0 - 0.9 * overlap - steps[0], 4.0, steps[1]))])
        movement = Movement(start, Instant.of(scene))
        said = movement.apart(one, other, np.full(1, overlap))[0]
        assert said == movement.apart(other, one, np.full(1, overlap))[0]
        if (np.stack(turns) == np.eye(3)).all() and steps[0] == 0.0 and overlap > 0.0:
            assert said
        worst = max(least_overlap(places(movement, 0, t), places(movement, 1, t)) for t in np.linspace(0.0, 1.0, 65))
        assert not said or worst <= overlap + 1e-12
        shallow, deep = shallow + said, deep + (worst > overlap)
    assert shallow and deep


def least_overlap(p, q):
    """How far two boxes, given by their corners (8,3), overlap along that of their fifteen axes where it is least;
    negative where they are apart."""
    edges = [[corners[i] - corners[0] for i in (1, 2, 4)] for corners in (p, q)]
    axes = [*edges[0], *edges[1], *(np.cross(e, f) for e in edges[0] for f in edges[1])]
    axes = [axis / np.linalg.norm(axis) for axis in axes if np.linalg.norm(axis) > 1e-9]
    return min(min((p @ axis).max() - (q @ axis).min(), (q @ axis).max() - (p @ axis).min()) for axis in axes)


def test_what_has_the_middle_of_another_box_is_parted_from_it_by_no_direction():
    """By rational coordinates along the edges, which may be at any angles, and nearly in one plane."""
    rng, found = np.random.default_rng(12), []
    for _ in range(2000 if COMPILED else 200):
        box, other = rng.normal(size=(2, 4, 3)) * rng.choice([1.0, 1e-3, 1e5])
        if rng.random() < 0.3:
            box[1:] = np.diag(rng.uniform(0.1, 2.0, 3))
        if rng.random() < 0.2:
            box[3] = box[1] + rng.choice([-1, 1]) * box[2] + rng.choice([0.0, 1e-9, 1e-5]) * box[3]
        other[0] = box[0] + rng.choice([0.5, 0.999999, 1.0, 1.000001, 1.5]) * rng.choice([-1, 1], 3) @ box[1:]
        if not has_middle(box, other):
            found.append(False)
            continue
        found.append(True)
        p, q, r = ([F(x) for x in edge] for edge in box[1:].tolist())
        away = [F(x) - F(y) for x, y in zip(other[0].tolist(), box[0].tolist())]
        volume = triple(p, q, r)
        assert volume and all(abs(triple(*each)) <= abs(volume) for each in ((away, q, r), (p, away, r), (p, q, away)))
    assert 0.1 < np.mean(found) < 0.9


def triple(p, q, r):
    """The determinant of three vectors."""
    return (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2])
            + p[2] * (q[0] * r[1] - q[1] * r[0]))
