# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames in turn give the answers of frames from scratch, bit by bit, and intervals as plain Python has them."""
import numpy as np
import pytest
from naive.scenes import KINDS_OF_POSES as KINDS
from naive.scenes import SHAPES, pose, random_linear
from naive.shapes import ball, box, joined
from naive.sweeps import Expected, assert_same_frame, assert_says
from touchpoint.core import Scene, Sweep
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.sequence.moment import Moment
from touchpoint.core.trees.bvh.forest import Forest

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

SOLIDS = [*SHAPES, box(), ball(8, 6, 0.8), joined(box(), box((0.2,) * 3, (0.5,) * 3))]
RULES = RuleSet([Rule("pairs", pairs=((Ref("o0"), Ref("o1")), (Ref("o2"), Ref("o3"))), reason="known"),
                 Rule("pairs", pairs=((Ref("o4"), Ref("o5")), (Ref("o1"), Ref("o6")), (Ref("o5"), Ref("o7"))),
                      allowed_depth=0.2)])
HOW = {
    "plain": {}, "clearance": {"clearance": 0.3}, "depth": {"depth": True}, "rules": {"rules": RULES},
    "groups": {"rules": [("left", "right"), ("left", "left")]}, "tolerance": {"tolerance": 0.05},
    "automatic": {"tolerance": "auto", "clearance": 0.1}, "selves": {"self_collisions": True},
    "everything": {"clearance": 0.2, "tolerance": 0.02, "rules": RULES, "self_collisions": True},
    "verdicts": {"contacts": False}, "rapid": {"method": "rapid", "clearance": 0.1}, "tsgo": {"method": "tsgo"},
}


class Play:
    """A scene in which few things happen in each frame."""

    def __init__(self, rng, count=10, room=2.2):
        self.rng, self.room, self.scene = rng, room, Scene()
        for vertices, triangles in SOLIDS:
            self.scene.add_mesh(vertices.copy(), triangles)
        for i in range(count):
            self.scene.add_object(int(rng.integers(len(SOLIDS))), self.any_pose(), name=f"o{i}",
                                  group=("left", "right")[i % 2], static=i in (3, 8), shell=i == 6)

    def any_pose(self):
        rng = self.rng
        return pose(random_linear(rng, KINDS[rng.integers(4)]) * rng.uniform(0.2, 1), rng.uniform(0, self.room, 3))

    def go_on(self):
        rng, scene = self.rng, self.scene
        what = rng.random()
        if what < 0.2:
            return
        movers = rng.choice(len(scene.objects), rng.integers(1, 4), replace=False)
        scene.set_poses(movers, np.array([self.any_pose() for _ in movers]))
        if what > 0.7:
            mesh = int(rng.integers(len(scene.meshes)))
            vertices = scene.meshes[mesh].vertices
            scene.set_vertices(mesh, vertices + rng.normal(0, 0.05, vertices.shape))
        if what > 0.95:
            broken = scene.meshes[mesh].vertices.copy()
            broken[0] = np.nan
            scene.set_vertices(mesh, broken)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("seed", range(3))
def test_frames_are_as_from_scratch(seed, how):
    play, expected, run = Play(np.random.default_rng(seed)), Expected(), Sweep(**HOW[how])
    for frame in range(-3, 14):
        report = run.add(frame, play.scene)
        assert report.frame == frame
        assert_same_frame(report, play.scene, **HOW[how])
        expected.add(frame, report)
        play.go_on()
    assert_says(run.report(), expected)


def test_what_rests_is_searched_and_placed_once(monkeypatch):
    placed, place = [], Forest._place
    monkeypatch.setattr(Forest, "_place", lambda self, which: (placed.extend(which.tolist()), place(self, which)))
    scene, run = row_of_boxes(40), Sweep(clearance=0.1)
    first = run.add(1, scene)
    assert len(first.pairs) == 39 and first.counts["pairs"] == 39
    placed.clear()
    scene.set_poses([7], [pose(1, (7.0, 0.5, 0))])
    second = run.add(2, scene)
    assert len(second.pairs) == 39 and second.counts["pairs"] == 2
    assert placed == [7]
    placed.clear()
    third = run.add(3, scene)
    assert not third.stages and not placed and third.pairs.tobytes() == second.pairs.tobytes()


def row_of_boxes(count):
    """Unit boxes along x, each touching the next one."""
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for i in range(count):
        scene.add_object(mesh, pose(1, (i, 0, 0)), name=f"o{i}")
    return scene


class Cast:
    """Objects that come, go, change places in the list and change their meshes; each frame is a scene of its own."""

    def __init__(self, rng):
        self.rng, self.play, self.poses = rng, {}, {}

    def scene(self):
        scene = Scene()
        names = list(self.play)
        if self.rng.random() < 0.3:
            self.rng.shuffle(names)
        for name in names:
            vertices, triangles = SOLIDS[self.play[name]]
            scene.add_object(scene.add_mesh(vertices.copy(), triangles.copy()), self.poses[name], name=name,
                             group=name[0])
        return scene

    def go_on(self):
        rng = self.rng
        for name in rng.choice([f"{kind}{i}" for kind in "ab" for i in range(6)], 2, replace=False).tolist():
            if name in self.play and rng.random() < 0.5:
                del self.play[name]
            else:
                self.play[name] = int(rng.integers(len(SOLIDS)))
                self.poses.setdefault(name, pose(random_linear(rng, "turned"), rng.uniform(0, 1.5, 3)))


@pytest.mark.parametrize("how", [{}, {"clearance": 0.2, "self_collisions": True}, {"rules": [("a", "b")]}])
@pytest.mark.parametrize("seed", range(3))
def test_objects_come_and_go_and_change_their_meshes(seed, how):
    cast, expected, run = Cast(np.random.default_rng(seed)), Expected(), Sweep(**how)
    for frame in range(25):
        cast.go_on()
        scene = cast.scene()
        report = run.add(0.5 * frame, scene)
        if report.objects:
            assert_same_frame(report, scene, **how)
            expected.add(0.5 * frame, report)
    says = run.report()
    assert_says(says, expected)
    assert any("number of triangles changes" in note for note in says.notes)
    assert len({each.name for each in says.objects}) == len(says.objects) > 6


def test_a_scene_whose_objects_come_and_go_in_place():
    scene, run, expected = row_of_boxes(6), Sweep(), Expected()
    mesh = scene.add_mesh(*ball())
    changes = [lambda: None, lambda: scene.hide([1]), lambda: scene.add_object(mesh, pose(1, (0.5, 0, 0)), name="new"),
               lambda: scene.show([1]), lambda: scene.rearrange([3, 1, 0, 2, 5, 4, 6]), lambda: scene.remove_object(0),
               lambda: setattr(scene.objects[1], "shell", True), lambda: setattr(scene.objects[2], "static", True)]
    for frame, change in enumerate(changes):
        change()
        report = run.add(frame, scene)
        assert_same_frame(report, scene)
        expected.add(frame, report)
    assert_says(run.report(), expected)


def test_names_that_come_twice_are_two_objects():
    scene = row_of_boxes(3)
    for each in scene.objects:
        each.name = "box"
    report = Sweep()
    report.add(1, scene)
    assert report.report().pairs[["a", "b"]].tolist() == [(0, 1), (1, 2)]


def test_other_rules_are_asked_of_what_rests():
    scene, run, expected = row_of_boxes(5), Sweep(rules=RULES), Expected()
    for frame, rules in enumerate((RULES, None, None, [(None, None)], RuleSet([]), RULES)):
        run.rules = rules
        report = run.add(frame, scene)
        assert_same_frame(report, scene, rules=rules)
        expected.add(frame, report)
    assert [len(pairs) for pairs in expected.intervals(("o0", "o1"))] == [3] and len(expected.seen) == 4
    assert_says(run.report(), expected)


def nested_and_touching():
    """A box in a ball, and two boxes that touch; all far from each other."""
    scene = Scene()
    cube, shell = scene.add_mesh(*box()), scene.add_mesh(*ball(12, 8, 3))
    scene.add_object(shell, name="Ball")
    scene.add_object(cube, name="Core")
    scene.add_object(cube, pose(1, (20, 0, 0)), name="One", group="left")
    scene.add_object(cube, pose(1, (21, 0, 0)), name="Two", group="right")
    return scene


@pytest.mark.parametrize("change, left", [
    (lambda scene: setattr(scene.objects[0], "shell", True), ["touching"]),
    (lambda scene: [setattr(each, "static", True) for each in scene.objects[2:]], ["contained"]),
    (lambda scene: setattr(scene.objects[3], "group", "left"), ["contained"]),
])
def test_what_an_object_is_counts_as_well_as_where_it_is(change, left):
    groups = [("left", "right"), (None, None)]
    scene, run, expected = nested_and_touching(), Sweep(rules=groups), Expected()
    for frame in range(2):
        report = run.add(frame, scene)
        assert_same_frame(report, scene, rules=groups)
        expected.add(frame, report)
        change(scene)
    assert [report.verdict(row) for row in range(len(report.pairs))] == left
    assert_says(run.report(), expected)


def test_a_pair_keeps_its_sides_when_objects_change_places_in_the_list():
    """The worst frame is the second one, in which b stands before a; the row speaks of a and b all the same."""
    scene, run = nested_and_touching(), Sweep(clearance=0.5, depth=True)
    scene.set_poses([1, 3], [pose(1, (9, 0, 0)), pose(1, (21.2, 0, 0))])
    run.add(1, scene)
    scene.rearrange([3, 1, 0, 2])
    scene.set_poses([0, 1], [pose(1, (21.1, 0.25, 0)), pose(0.5)])
    report = run.add(2, scene)
    assert [report.name(report.inner(row)) for row in range(2) if report.inner(row) is not None] == ["Core"]
    says = run.report()
    rows = {(says.name(int(pair["a"])), says.name(int(pair["b"]))): row for row, pair in enumerate(says.pairs)}
    assert sorted(rows) == [("Ball", "Core"), ("One", "Two")]
    assert says.name(says.inner(rows["Ball", "Core"])) == "Core"
    points = says.pairs["gap_points"][rows["One", "Two"]]
    assert points[0, 0] == 21 and points[1, 0] == 21.1 and says.worst_frame[rows["One", "Two"]] == 2


def test_rules_over_frames_say_what_they_took_away():
    """The deepest of what a rule tolerates in all frames; a pair that gets too deep is listed, not taken away."""
    pairs = (Ref("One"), Ref("Two")), (Ref("Ball"), Ref("Core"))
    rules = RuleSet([Rule("pairs", pairs=pairs[:1], allowed_depth=0.3), Rule("pairs", pairs=pairs[1:])])
    scene, run = nested_and_touching(), Sweep(rules=rules)
    for frame, place in enumerate((20.9, 20.75, 20.8)):
        scene.set_poses([3], [pose(1, (place, 0, 0))])
        run.add(frame, scene)
    outcome = run.report().rules
    assert len(run.report().pairs) == 0 and outcome.counts.tolist() == [1, 1] and outcome.kept.tolist() == [0, 0]
    row = outcome.taken[outcome.taken["tested"]][0]
    assert row["depth"] == pytest.approx(0.25)
    scene.set_poses([3], [pose(1, (20.5, 0, 0))])
    run.add(3, scene)
    report = run.report()
    assert report.pairs[["a", "b"]].tolist() == [(2, 3)] and report.intervals[0].tolist() == [[3, 3]]
    assert report.rules.counts.tolist() == [0, 1] and report.rules.kept.tolist() == [1, 0]
    assert report.summary()["taken_away"] == 1


def test_a_moment_takes_over_what_is_the_same():
    """And nothing that is not: poses, vertices, objects that were added."""
    scene, numbers = Scene(), np.arange(2)
    for _ in range(2):
        scene.add_object(scene.add_mesh(*box()))
    first = Moment(scene, numbers, moves_on=True)
    aside = np.eye(4)
    aside[0, 3] = 5
    scene.set_poses([1], [aside])
    moved = Moment(scene, numbers, True, first)
    assert moved.meshes is first.meshes
    starts, ends = (each.instant(None) for each in (first, moved))
    assert starts.vertices is ends.vertices and not starts.changed(ends)[0].any()
    assert starts.poses[1, 0, 3] == 0 and ends.poses[1, 0, 3] == 5
    scene.set_vertices(0, 2 * scene.meshes[0].vertices)
    bent = Moment(scene, numbers, True, moved)
    assert bent.meshes[0][0] is scene.meshes[0].vertices is not moved.meshes[0][0]
    assert bent.instant(None).changed(ends)[0].tolist() == [True, False]
    scene.add_object(0)
    assert len(Moment(scene, np.arange(3), True, bent).instant(None).mesh) == 3
