# SPDX-License-Identifier: GPL-3.0-or-later
"""The method `pcs`: its times against the oracle and the exact method, its bounds, and the order of its tests."""
import numpy as np
import pytest
from long.motions import asked, judge
from long.outcome import Outcome
from naive.moving_bodies import CLASSES, SHAPES, draw, pose, turned
from naive.shapes import ball
from naive.whole_motions import distance
from touchpoint.core import Scene, Sweep, methods
from touchpoint.core.arrays import unit_rows
from touchpoint.core.continuous import soonest_times as module
from touchpoint.core.continuous.contacts_between import contacts_between, meetings_of, objects_of, possible_pairs
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.motions import Movement
from touchpoint.core.continuous.soonest import IN_TEST, MOST_TESTS, TESTS, WAITING, check_in_turn, least_along
from touchpoint.core.errors import Cancelled
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.records import DistanceTasks
from touchpoint.core.run import Run
from touchpoint.core.trees.bvh.mesh_trees import MeshTrees

pcs = methods.load("pcs").between


def instants(bodies):
    """Two Instants of one scene with these bodies."""
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
    return start, Instant.of(scene)


def crowd(rng, count):
    """Two Instants of boxes and balls that glide and turn in a small space."""
    scene = Scene()
    meshes = [scene.add_mesh(*each) for each in (SHAPES["box"], ball(6, 5, 0.5), SHAPES["tetrahedron"])]
    ends = np.empty((count, 4, 4))
    for k in range(count):
        first, place = turned(rng, 0), rng.uniform(0, 1.6 * count ** (1 / 3), 3)
        scene.add_object(meshes[k % 3], pose(first, place))
        ends[k] = pose(turned(rng, 1.0, first), place + rng.normal(size=3) * (k % 4 > 0))
    start = Instant.of(scene)
    scene.set_poses(range(count), ends)
    return start, Instant.of(scene)


def the_testers(start, end, threads=1):
    """The Testers of all pairs that may meet."""
    movement, run = Movement(start, end, follow=False), Run(None, threads, False, {})
    a, b = possible_pairs(movement, None, run)
    meetings = meetings_of(movement, a, b)
    trees = MeshTrees.of(end.scene)
    trees.update(end.scene, np.unique(end.mesh), run.tick, 1)
    return module.Testers(movement, meetings, objects_of(meetings, slice(None)), trees, end.mesh, threads, run)


@pytest.mark.parametrize("name", CLASSES)
def test_random_motions(name):
    """Never missed, never late, within the tolerance; and met where the exact method says so, then."""
    rng, outcome = np.random.default_rng([31, CLASSES.index(name)]), Outcome()
    for row in range(5 if COMPILED else 1):
        bodies = draw(rng, name)
        judge(f"{name} {row}", bodies, outcome, shortest=1 / 100, between=pcs)
        (time, _), (exact, _) = asked(bodies, pcs), asked(bodies)
        assert (time is None) == (exact is None)
        if exact is not None:
            assert time == pytest.approx(exact, abs=1e-4)       # where surfaces nearly slide past
    assert outcome.wrong == 0, outcome.examples


@pytest.mark.scenes
def test_a_crowd_equals_the_exact_method_whatever_the_threads():
    start, end = crowd(np.random.default_rng(4), 200)
    runs = [Run(None, threads, False, {}) for threads in (1, 2)]
    found = [pcs(start, end, None, run) for run in runs]
    for one, other in zip(*found):
        np.testing.assert_array_equal(one, other)
    assert runs[0].counts == runs[1].counts and runs[0].counts["checks"] > 200
    exact = contacts_between(start, end)
    assert len(exact.a) > 20
    np.testing.assert_array_equal(found[0].a, exact.a)
    np.testing.assert_array_equal(found[0].b, exact.b)
    np.testing.assert_allclose(found[0].toi, exact.toi, rtol=0, atol=1e-6)


def test_the_soonest_pair_is_tested_and_contacts_are_found_as_they_happen():
    """One test at a time: the times of tests ascend, and so do those at which pairs are found to meet."""
    made = the_testers(*crowd(np.random.default_rng(5), 60 if COMPILED else 8))
    queue, (placement, scratch) = made.queue(0), made.own(0)
    tasks = DistanceTasks(np.empty((4096, 2), np.int32), np.empty(4096, np.float32))
    tested, met = [], []
    while queue.state[WAITING] or queue.state[IN_TEST] >= 0:
        before, waiting = int(queue.state[TESTS]), queue.time[:queue.state[WAITING]].copy()
        known = np.isfinite(made.meetings.toi)
        check_in_turn(queue, made.meetings, made.gaps, made.movement.motions, placement, tasks, 1, scratch)
        if queue.state[TESTS] > before:
            tested.append(float(queue.now[0]))
            assert (waiting >= queue.now[0]).all()
            met += made.meetings.toi[np.isfinite(made.meetings.toi) & ~known].tolist()
    assert tested == sorted(tested) and met == sorted(met)
    assert len(tested) == queue.tests.sum() >= len(queue.tests)
    assert len(met) > 5 or not COMPILED
    assert queue.tests.max() <= MOST_TESTS


def test_what_meets_late_waits():
    """Two boxes meet at once, two others at the end: these are tested at the start, and then not before it is time."""
    scene, ends = Scene(), []
    mesh = scene.add_mesh(*SHAPES["box"])
    for first, last in ((0.0, 0.0), (1.1, 0.1), (10.0, 10.0), (11.9, 10.9)):
        scene.add_object(mesh, pose(None, (first, 0, 0)))
        ends.append(pose(turned(np.random.default_rng(1), 0.1, np.eye(3)), (last, 0, 0)))
    start = Instant.of(scene)
    scene.set_poses(range(4), np.stack(ends))
    made = the_testers(start, Instant.of(scene))
    made.run()
    assert made.meetings.a.tolist() == [0, 2] and made.meetings.toi[0] < 0.2 < 0.8 < made.meetings.toi[1]
    assert (made.tests >= 2).all()


@pytest.mark.parametrize("name", [each for each in CLASSES if each != "both at rest"])
def test_bounds(name):
    """Vertices along a direction are as the oracle has them, and surfaces come no nearer than by the closing speed."""
    rng = np.random.default_rng([41, CLASSES.index(name)])
    for _ in range(4 if COMPILED else 1):
        bodies = draw(rng, name)
        start, end = instants(bodies)
        made = one_pair(start, end)
        placement, scratch = made.own(0)
        motions, direction = made.movement.motions, unit_rows(rng.normal(size=(1, 3)))[0]
        scratch.direction[:] = direction
        for t in (0.0, rng.uniform(), 1.0):
            for obj, body in enumerate(bodies):
                along = body.corners(t).reshape(-1, 3) @ direction
                assert least_along(obj, t, 1.0, motions, placement, scratch) == pytest.approx(
                    along.min(), abs=2 * motions.rounding[obj] + 1e-300)
                assert least_along(obj, t, -1.0, motions, placement, scratch) == pytest.approx(
                    -along.max(), abs=2 * motions.rounding[obj] + 1e-300)
        origin = motions.origin
        speed = np.linalg.norm(np.subtract(*(origin[:, 1] - origin[:, 0]))) + made.spin.sum()
        t, later = sorted(rng.uniform(size=2))
        assert distance(*bodies, later) >= distance(*bodies, t) - speed * (later - t) - 2 * motions.rounding.sum()


def one_pair(start, end):
    movement, run = Movement(start, end), Run(None, 1, False, {})
    a, b = np.zeros(1, np.int32), np.ones(1, np.int32)
    meetings = meetings_of(movement, a, b)
    trees = MeshTrees.of(end.scene)
    trees.update(end.scene, np.unique(end.mesh), run.tick, 1)
    return module.Testers(movement, meetings, np.arange(2), trees, end.mesh, 1, run)


@pytest.mark.scenes
def test_what_slides_along_is_left_to_the_exact_search(monkeypatch):
    """A ball rolls in a bowl that it does not touch: no direction parts them, and steps are short."""
    inner, outer = (ball(8, 6, radius) for radius in (1.0, 1.1))
    scene = Scene()
    for mesh in (inner, outer):
        scene.add_object(scene.add_mesh(*mesh), np.eye(4))
    start, asked_exactly = Instant.of(scene), []
    last = pose(turned(np.random.default_rng(2), 3.0, np.eye(3)))
    scene.set_poses([0], [last])

    def exact(movement, a, b, run, tolerance):
        asked_exactly.extend(zip(a.tolist(), b.tolist()))
        return np.full(len(a), 0.5), np.zeros(len(a))

    monkeypatch.setattr(module, "exact_times", exact)
    run = Run(None, 1, False, {})
    assert pcs(start, Instant.of(scene), None, run).toi.tolist() == [0.5]
    assert asked_exactly == [(0, 1)] and run.counts["checks"] == MOST_TESTS


def test_memory_for_tasks_grows(monkeypatch):
    start, end = crowd(np.random.default_rng(6), 30 if COMPILED else 4)
    usual = pcs(start, end, None, Run(None, 1, False, {}))
    monkeypatch.setattr(module, "TASKS", 17)
    monkeypatch.setattr(module, "TESTS_PER_CALL", 3)
    for one, other in zip(usual, pcs(start, end, None, Run(None, 1, False, {}))):
        np.testing.assert_array_equal(one, other)


def test_cancelled_between_two_tests(monkeypatch):
    monkeypatch.setattr(module, "TESTS_PER_CALL", 1)
    start, end = crowd(np.random.default_rng(6), 40 if COMPILED else 4)
    asked_to_stop = []

    def progress(stage, fraction):
        asked_to_stop.append(stage)
        return len(asked_to_stop) < 12

    with pytest.raises(Cancelled):
        pcs(start, end, None, Run(progress, 1, False, {}))


@pytest.mark.scenes
def test_checks_of_each_frame_are_counted():
    """A box falls onto another one: none while it is far away, some where it comes down, none where it has met."""
    scene = Scene()
    mesh = scene.add_mesh(*SHAPES["box"])
    scene.add_object(mesh)
    scene.add_object(mesh, pose(None, (0, 0, 9)))
    run, counts = Sweep(method="pcs"), []
    for frame, z in enumerate((9.0, 6.0, 0.9, 0.8)):
        scene.set_poses([1], [pose(turned(np.random.default_rng(1), 0.1, np.eye(3)), (0.1, 0.2, z))])
        counts.append(run.add(frame, scene).counts.get("checks", 0))
    assert counts[1] == counts[3] == 0 < counts[2]
    assert run.report().counts["checks"] == sum(counts)


@pytest.mark.scenes
@pytest.mark.parametrize("method", ["certified", "pcs"])
def test_cancelled_whenever_it_asks(method):
    """However late a run is told to stop, it never says of pairs that it left unsearched that they do not meet."""
    scene = Scene()
    mesh = scene.add_mesh(*SHAPES["box"])
    for z in (0.0, 5.0):
        scene.add_object(mesh, pose(None, (0, 0, z)))
    start = Instant.of(scene)
    scene.set_poses([1], [pose(None, (0, 0, 0.2))])
    end, between, until = Instant.of(scene), methods.load(method).between, 1
    while True:
        told = []

        def progress(stage, fraction):
            told.append(stage)              # noqa: B023
            return len(told) < until        # noqa: B023

        try:
            found = between(start, end, None, Run(progress, 1, False, {}))
        except Cancelled:
            assert len(told) == until
            until += 1
            continue
        assert len(told) < until and len(found.a) == 1
        break
    assert until > 5
