# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that meet themselves between two frames."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box, grid, joined, moved
from touchpoint.core import Scene, Sweep, detect, sweep
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.self_collision.known import THROUGH, SelfReference, known_pairs
from touchpoint.core.sequence import looking

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

BULLET, WALL = box((0, 0, 0), (0.1, 0.1, 0.1)), box((0, -5, -5), (0.1, 5, 5))
PAST = (-14.4, -4.4, 5.6, 15.6)     # frame 10 is the second one; the bullet's tip reaches the wall 0.43 frames later
PLACE = (0.0, 0.3, 0.2)


def one_mesh(place):
    """Bullet and wall as parts of one mesh."""
    return joined(moved(BULLET, np.add(PLACE, (place, 0, 0))), WALL)


def as_one(places, first=9, **more):
    scene = Scene()
    scene.add_object(scene.add_mesh(*one_mesh(places[0])), name="Both", **more)
    for frame, place in enumerate(places):
        scene.set_vertices(0, one_mesh(place)[0])
        yield first + frame, scene


def as_two(places, first=9):
    scene = Scene()
    for mesh in (BULLET, WALL):
        scene.add_object(scene.add_mesh(*mesh))
    for frame, place in enumerate(places):
        scene.set_poses([0], [pose(1, np.add(PLACE, (place, 0, 0)))])
        yield first + frame, scene


def checked(places, **how):
    return sweep(as_one(places), continuous=True, self_collisions=True, **how)


@pytest.mark.parametrize("places", (
    PAST, (-14.4, -4.4, 0.05, 15.6), (0.05, 5.6, 15.6), (-4.4, 0.05), (-4.4, 0.02, 0.07)))
def test_two_parts_of_a_mesh_meet_when_two_objects_do(places):
    found, wanted = checked(places), sweep(as_two(places), continuous=True)
    assert found.pairs[["a", "b"]].tolist() == [(0, 0)]
    assert [found.verdict(0), found.worst_frame[0]] == [wanted.verdict(0), pytest.approx(wanted.worst_frame[0])]
    np.testing.assert_allclose(found.intervals[0], wanted.intervals[0], atol=1e-9)
    assert found.first_contact[0] == pytest.approx(wanted.first_contact[0], abs=1e-9)
    assert found.pairs["contacts"][0] == len(found.contacts) > 0
    assert found.continuous["tolerance"] > 0 and not found.notes and not found.cancelled


def test_frames_alone_and_static_objects_say_nothing_of_it():
    assert len(sweep(as_one(PAST), self_collisions=True).pairs) == 0
    still = Scene()
    still.add_object(still.add_mesh(*BULLET), pose(1, (0, 0, 50)))

    def frames():
        for frame, scene in as_one(PAST, static=True):
            if frame == 9:
                scene.add_object(scene.add_mesh(*moved(BULLET, (0, 0, 50))), name="Else")
            yield frame, scene

    assert len(sweep(frames(), continuous=True, self_collisions=True).pairs) == 0


def test_beside_other_objects_and_rules():
    """Rows of two objects and of one stand side by side; a rule that takes all pairs away takes no self-collision."""
    def frames():
        for frame, scene in as_one(PAST):
            if frame == 9:
                scene.add_object(scene.add_mesh(*moved(BULLET, (-10, 0.3, 0.2))), name="In the way")
            yield frame, scene

    report = sweep(frames(), continuous=True, self_collisions=True)
    assert report.pairs[["a", "b"]].tolist() == [(0, 0), (0, 1)]
    assert report.intervals[0][0, 0] == pytest.approx(10.43) and report.intervals[1][0, 0] < 10.0
    nothing = Rule("pairs", pairs=((Ref("Both"), Ref("In the way")), (Ref("Both"), Ref("Both"))), allowed_depth=100.0)
    report = sweep(frames(), continuous=True, self_collisions=True, rules=RuleSet([nothing]))
    assert report.pairs[["a", "b"]].tolist() == [(0, 0)] and len(report.rules.taken) == 1


def test_several_intervals_at_once_say_what_each_does(monkeypatch):
    places = [-14.4, -4.4, 5.6, 3.0, -3.0, -8.0, 0.05, 0.03, 9.0]
    together = checked(places)
    monkeypatch.setattr(looking, "MOST_AT_ONCE", 1)
    alone = checked(places)
    assert len(together.intervals[0]) == 3
    np.testing.assert_allclose(together.intervals[0], alone.intervals[0], atol=1e-12)
    assert together.worst_frame.tolist() == alone.worst_frame.tolist()
    assert together.pairs["contacts"].tolist() == alone.pairs["contacts"].tolist()


def test_what_is_known_from_another_pose_is_no_finding_between_frames():
    scene = Scene()
    scene.add_object(scene.add_mesh(*one_mesh(0.05)))
    known = known_pairs(scene, detect(scene, self_collisions=True))
    assert len(known[0].codes)
    reference = SelfReference("the rest pose", known)
    found = checked((-4.4, -3.4, 5.6), self_reference=reference)
    assert found.verdict(0) == "crossing"           # by the bullet's front, which is through the wall in the reference
    n = known[0].triangles.shape[0]
    every = known[0]._replace(codes=np.arange(n * n), shares=np.full(n * n, THROUGH, np.int8))
    assert len(checked((-4.4, -3.4, 5.6), self_reference=SelfReference("the rest pose", {0: every})).pairs) == 0


def test_a_sheet_that_passes_through_itself_in_an_instant():
    """Two leaves of one mesh, one above the other, that change places."""
    leaf = grid(2, 2, (-1, -1, 0), (2, 0, 0), (0, 2, 0))
    lower, upper = moved(leaf, (0, 0, -1)), moved(leaf, (0.1, 0.2, 1))
    V0, F = joined(lower, upper)
    V1 = joined(moved(leaf, (0, 0, 1)), moved(leaf, (0.1, 0.2, -1)))[0]

    def frames():
        scene = Scene()
        scene.add_object(scene.add_mesh(V0, F))
        yield 1, scene
        scene.set_vertices(0, V1)
        yield 2, scene

    report = sweep(frames(), continuous=True, self_collisions=True, depth=True)
    assert report.intervals[0].tolist() == [[pytest.approx(1.5), pytest.approx(1.5)]]
    assert report.verdict(0) == "crossing"
    assert np.isnan(report.pairs["depth"][0]) and np.isnan(report.pairs["gap"][0])


def test_an_object_whose_mesh_is_only_moved_is_not_looked_at(monkeypatch):
    scene, run = Scene(), Sweep(continuous=True, self_collisions=True)
    scene.add_object(scene.add_mesh(*one_mesh(-4.4)))
    for frame in range(3):
        scene.set_poses([0], [pose(1 + frame, (frame, 0, 0))])
        run.add(frame, scene)
    report = run.report()
    assert len(report.pairs) == 0 and not any(stage.name == "continuous, with itself" for stage in report.stages)


def test_cancelled_between_frames():
    def stop(stage, _):
        return stage != "continuous, with itself"

    run, places = Sweep(continuous=True, self_collisions=True), [*PAST[:3], *range(6, 6 + 2 * looking.MOST_AT_ONCE)]
    for frame, scene in as_one(places):
        if run.add(frame, scene, stop).cancelled:
            break
    report = run.report()
    assert report.cancelled and len(report.frames) > 2 and report.intervals[0][0, 0] == pytest.approx(10.43)
