# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes near between frames: by plain sums where motions are simple, by many samples where they are not."""
import csv
import json

import jsonschema
import numpy as np
import pytest
from naive.scenes import SHAPES, pose
from naive.shapes import ball, box
from test_between_frames import BULLET, SCHEMA, WALL, flying, only, scene_of, turned
from touchpoint.core import Scene, detect, sweep
from touchpoint.core.queries import mesh_distance
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.scene.tiny import one_box_at

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

PAIR = ((Ref("Bullet"), Ref("Wall")),)
POST = box((0, 0, -5), (0.1, 5, 5))             # the bullet flies past it, at y from 0.3 to 0.4
PAST = (-14.4, -4.4, 5.6, 15.6)                 # frame 10 is the second one; it is beside the post from 10.43 to 10.45
NEAR_POST = (10 + (4.4 - 0.1 - 0.08) / 10, 10 + (4.4 + 0.1 + 0.08) / 10)     # within 0.1, at a gap of 0.06 in y


def beside(gap):
    """A scene in which the bullet passes the wall at this gap."""
    return scene_of(Bullet=BULLET, Wall=(POST[0] + (0, 0.4 + gap, 0), POST[1]))


def test_a_bullet_passes_a_wall_between_two_frames():
    for clearance in (0.0, 0.059):
        assert len(sweep(flying(beside(0.06), PAST), continuous=True, clearance=clearance).pairs) == 0
    report = sweep(flying(beside(0.06), PAST), continuous=True, clearance=0.1)
    verdict, ((start, end),), first, worst = only(report)
    assert verdict == "near" and start == first and [start, end] == pytest.approx(NEAR_POST, abs=1e-9)
    assert start <= NEAR_POST[0] + 1e-14 and NEAR_POST[1] - 1e-14 <= end
    row, slack = report.pairs[0], report.continuous["gap_tolerance"]
    assert 0.06 - 1e-12 <= row["gap"] <= 0.06 + slack and 0 < slack < 1e-3 * 0.06
    assert 10.43 - 1e-4 < worst < 10.45 + 1e-4
    points = row["gap_points"]
    assert points[1, 1] - points[0, 1] == pytest.approx(0.06, abs=1e-6)
    assert abs(points[0, 0] - (10 * (worst - 10) - 4.4)) < 0.1 + 1e-9      # on the bullet, where it is then
    assert report.exit_code() == 1 and len(report.contacts) == 0


@pytest.mark.parametrize("asks_at", (10, 11))
def test_a_clearance_that_changes_from_frame_to_frame(asks_at):
    """The larger one of both counts between them, whichever comes first."""
    def frames():
        for frame, scene in flying(beside(0.06), PAST):
            scene.objects[0].clearance = 0.1 if frame == asks_at else 0.0
            yield frame, scene

    verdict, ((start, end),), _, _ = only(sweep(frames(), continuous=True))
    assert verdict == "near" and [start, end] == pytest.approx(NEAR_POST, abs=1e-9)


def test_the_row_is_that_of_a_frame_at_that_time():
    report = sweep(flying(beside(0.06), PAST), continuous=True, clearance=0.1, depth=True, tolerance=1e-4)
    _, _, _, worst = only(report)
    scene = beside(0.06)
    next(flying(scene, [10 * (worst - 10) - 4.4]))
    there = detect(scene, clearance=0.1, depth=True, tolerance=1e-4).pairs
    assert len(there) == 1 and there["gap"][0] == pytest.approx(report.pairs["gap"][0], abs=1e-12)
    for name in there.dtype.names:
        if not name.startswith("gap"):
            assert np.array_equal(there[name], report.pairs[name], equal_nan=there[name].dtype.kind == "f"), name


def test_files_say_it(tmp_path):
    texts = []
    for threads in (1, 2):
        report = sweep(flying(beside(0.06), PAST), continuous=True, clearance=0.1, threads=threads)
        report.unit_scale = 0.001
        report.to_json(tmp_path / "report.json")
        report.to_csv(tmp_path / "report.csv")
        texts.append((tmp_path / "report.json").read_bytes())
    assert texts[0] == texts[1]
    text = json.loads(texts[0])
    jsonschema.validate(text, SCHEMA)
    assert 0 < text["continuous"]["gap_tolerance"] < 1e-3 * 0.06e-3
    (pair,) = text["pairs"]
    assert pair["verdict"] == "near" and pair["gap"] == pytest.approx(0.06e-3) and pair["contacts"] == 0
    assert pair["intervals"] == [pytest.approx(NEAR_POST)] and pair["first_contact"] == pytest.approx(NEAR_POST[0])
    with (tmp_path / "report.csv").open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert row["verdict"] == "near" and float(row["gap"]) == pytest.approx(0.06e-3)


def test_what_is_near_in_frames_and_nearer_between():
    """A blade turns by a quarter per frame: its tip is at 2, and a peg stands at 45 degrees, 0.2 beyond; in frames the
    blade is 1.06 from the peg, or more."""
    scene = scene_of(Blade=box((-2, -1e-3, -1), (2, 1e-3, 1)), Peg=box((0, 0, -1), (1, 1, 1)))
    where = 2.2 * np.sqrt(0.5)
    scene.set_poses([1], [pose(1, (where, where, 0))])

    def frames():
        for frame in range(3):
            scene.set_poses([0], [turned(90 * frame)])
            yield frame, scene

    for clearance, spans in ((0.3, 1), (1.7, 1), (0.19, 0)):
        report = sweep(frames(), continuous=True, clearance=clearance)
        assert len(report.pairs) == spans
        if spans:
            verdict, runs, first, worst = only(report)
            assert verdict == "near" and report.pairs["gap"][0] == pytest.approx(0.2, abs=1e-5)
            assert worst in (pytest.approx(0.5, abs=1e-2), pytest.approx(1.5, abs=1e-2)) or clearance < 1
            assert first == runs[0][0] and (runs == [[0, 2]] if clearance > 1 else 0.4 < runs[0][0] < runs[0][1] < 0.6)


def test_what_slides_along_at_one_gap_keeps_its_first_frame():
    scene = scene_of(Bullet=BULLET, Wall=box((-50, 0.46, -50), (50, 1, 50)))
    verdict, runs, first, worst = only(sweep(flying(scene, (0, 1.3, 2.1, 7)), continuous=True, clearance=0.1))
    assert (verdict, runs, first, worst) == ("near", [[9, 12]], 9, 9)


def test_a_pair_that_comes_near_twice_and_once_in_a_frame():
    scene = beside(0.06)
    report = sweep(flying(scene, (-1, 1, 3, -1, 0, 4)), continuous=True, clearance=0.1)
    verdict, runs, first, worst = only(report)
    assert verdict == "near" and first == runs[0][0] and worst in (13, pytest.approx(9.5, abs=0.1))
    assert np.concatenate(runs) == pytest.approx([9 + 0.82 / 2, 9 + 1.18 / 2, 11 + (3 - 0.18) / 4, 11 + (3 + 0.18) / 4,
                                                  12 + 0.82, 13 + 0.18 / 4], abs=1e-9)


def test_what_passes_through_is_near_before_and_after():
    report = sweep(flying(scene_of(Bullet=BULLET, Wall=WALL), PAST), continuous=True, clearance=0.2)
    verdict, ((start, end),), first, worst = only(report)
    assert verdict == "crossing" and [start, first, end] == pytest.approx([10.41, 10.43, 10.47], abs=1e-9)
    assert 10.43 < worst < 10.45 and len(report.contacts) > 0


def test_an_object_asks_for_a_clearance_of_its_own():
    for clearance, own, expected in ((0.0, 0.1, 1), (0.0, 0.05, 0), (0.05, 0.1, 1), (0.1, 0.05, 1)):
        for name in ("Bullet", "Wall"):
            scene = beside(0.06)
            next(each for each in scene.objects if each.name == name).clearance = own
            assert len(sweep(flying(scene, PAST), continuous=True, clearance=clearance).pairs) == expected


@pytest.mark.parametrize("how, expected", [
    ({"rules": RuleSet([Rule("pairs", pairs=PAIR)])}, 0),
    ({"rules": RuleSet([Rule("pairs", pairs=PAIR, enabled=False)])}, 1),
    ({"rules": RuleSet([Rule("pairs", pairs=PAIR, allowed_depth=0.06)])}, 0),   # as in frames: it may even meet
    ({"rules": [("left", "left")]}, 0), ({"rules": [("left", "right")]}, 1), ({"contacts": False}, 1),
    ({"self_collisions": True}, 1), ({"method": "rapid"}, 1), ({"method": "fccd"}, 1), ({"method": "pcs"}, 1),
])
def test_rules_and_methods(how, expected):
    scene = beside(0.06)
    scene.add_object(scene.add_mesh(*box((50, 50, 50), (51, 51, 51))), name="Other")
    for each, group in zip(scene.objects, ("left", "right", "left")):
        each.group = group
    report = sweep(flying(scene, PAST), continuous=True, clearance=0.1, **how)
    assert len(report.pairs) == expected


def test_static_objects_are_not_followed():
    scene = beside(0.06)
    scene.add_object(scene.add_mesh(*box((50, 50, 50), (51, 51, 51))), name="Other")
    for each in scene.objects[:2]:
        each.static = True
    assert len(sweep(flying(scene, PAST), continuous=True, clearance=0.1).pairs) == 0


def test_what_is_nearer_than_the_tolerance_touches():
    report = sweep(flying(beside(0.06), PAST), continuous=True, clearance=0.1, tolerance=0.07)
    verdict, runs, _, worst = only(report)
    assert verdict == "touching" and report.pairs["gap"][0] == pytest.approx(0.06, abs=1e-6)
    assert runs[0] == pytest.approx(NEAR_POST) and 10.43 - 1e-4 < worst < 10.45 + 1e-4


def test_objects_in_another_order_in_each_scene():
    post = (POST[0] + (0, 0.46, 0), POST[1])
    scenes = [scene_of(Wall=post, Bullet=BULLET), scene_of(Bullet=BULLET, Wall=post)]
    for scene, place in zip(scenes, (-4.4, 5.6)):
        next(flying(scene, [place]))
    report = sweep(enumerate(scenes), continuous=True, clearance=0.1)
    assert [report.name(int(report.pairs[side][0])) for side in "ab"] == ["Wall", "Bullet"]
    assert only(report)[2] == pytest.approx(NEAR_POST[0] - 10)
    points = report.pairs["gap_points"][0]
    assert points[0, 1] == pytest.approx(0.46) and points[1, 1] == pytest.approx(0.4)


def asks_later(scene):
    scene.objects[1].clearance = 0.5


def comes_later(scene):
    scene.rearrange([scene.add_object(0, pose(1, (0, -2, 0)), name="new", clearance=0.5), 0, 1, 2])


def all_others_go(scene):
    scene.rearrange([0])
    scene.objects[0].clearance = 0.5
    scene.add_object(0, pose(1, (-3, 0, 0)), name="new")


@pytest.mark.parametrize("change", (asks_later, comes_later, all_others_go))
def test_frames_that_wait_are_asked_for_the_clearances_of_their_time(change):
    """What is between the first frames is looked at when the last one has changed the scene already."""
    def rows_of(frames):
        report = sweep(frames, continuous=True)
        return [(report.name(int(pair["a"])), report.name(int(pair["b"])), report.verdict(row),
                 np.round(report.intervals[row], 6).tolist()) for row, pair in enumerate(report.pairs)]

    def at(scene, frame):
        scene.set_poses([0], [pose(1, (-0.1 * frame, 0.1 * frame, 0))])
        if frame == 3:
            change(scene)
        return frame, scene

    def begun():
        return one_box_at((0, 0, 0), (1.25, 0, 0), (8, 0, 0))

    scene = begun()
    found = rows_of(at(scene, frame) for frame in range(4))
    assert found == rows_of(at(begun(), frame) for frame in range(4))       # of scenes of their own none waits
    assert len(found) == (change is asks_later)


def test_nothing_is_tested_in_two_frames_in_a_row():
    scene = one_box_at((0, 0, 0), (1.25, 0, 0), (5, 0, 0), (6.25, 0, 0))

    def shown():
        for frame, objects in enumerate(([0, 1], [2, 3], [0, 1, 2, 3])):
            scene.hide(range(4))
            scene.show(objects)
            yield frame, scene

    report = sweep(shown(), continuous=True, clearance=0.5)
    assert [each.tolist() for each in report.intervals] == [[[0, 0], [2, 2]], [[1, 2]]]
    assert [report.verdict(row) for row in range(2)] == ["near", "near"]


@pytest.mark.parametrize("seed", range(4))
def test_nothing_near_is_missed_and_gaps_are_true(seed):
    """Objects that fly on straight lines, one of which stands still and one of which grows: every frame that is sampled
    between, tested by itself, lies in an interval, and shows no gap that is less than the one reported."""
    rng = np.random.default_rng(seed)
    meshes = [*SHAPES[:3], ball(5, 4, 0.3)]
    scene = scene_of(**{f"o{i}": meshes[rng.integers(len(meshes))] for i in range(7)})
    for each, own in zip(scene.objects, (0.0, 0.3, 0.0, 0.1, 0.0, 0.0, 0.5)):
        each.clearance = own
    local = scene.meshes[1].vertices
    ways = rng.uniform(0, 5, (4, 7, 3))
    ways[:, 0] = ways[0, 0]

    def at(time):
        k = min(int(time), len(ways) - 2)
        return (1 - (time - k)) * ways[k] + (time - k) * ways[k + 1]

    def put(time):
        scene.set_vertices(1, local * (1 + 0.2 * time))
        scene.set_poses(range(7), [pose(1, place) for place in at(time)])
        return scene

    report = sweep(((frame, put(frame)) for frame in range(len(ways))), continuous=True, clearance=0.05)
    known = {(int(pair["a"]), int(pair["b"])): row for row, pair in enumerate(report.pairs)}
    between = 0
    for time in np.linspace(0, len(ways) - 1, 40 * (len(ways) - 1) + 1):
        for pair in detect(put(time), clearance=0.05).pairs:
            row = known[int(pair["a"]), int(pair["b"])]
            spans = report.intervals[row]
            assert ((spans[:, 0] <= time + 1e-9) & (time - 1e-9 <= spans[:, 1])).any()
            if report.verdict(row) == "near":
                assert pair["gap"] >= report.pairs["gap"][row] - report.continuous["gap_tolerance"]
    for (a, b), row in known.items():
        if report.verdict(row) != "near":
            continue
        put(report.worst_frame[row])
        one, other = ((scene.meshes[each.mesh].vertices + each.pose[:3, 3], scene.meshes[each.mesh].triangles)
                      for each in (scene.objects[a], scene.objects[b]))
        gap = report.pairs["gap"][row]
        assert gap - report.continuous["gap_tolerance"] - 1e-12 <= mesh_distance(*one, *other)[0] <= gap + 1e-12
        between += report.worst_frame[row] % 1 != 0
    assert between >= 1


def test_what_a_deforming_mesh_does_between():
    scene = Scene()
    scene.add_object(scene.add_mesh(*BULLET), name="Bullet")
    scene.add_object(scene.add_mesh(*POST), name="Wall")

    def frames():
        for frame, place in enumerate((-4.3, 5.7)):
            scene.set_vertices(0, BULLET[0] * (1 + frame) + (place, -0.4, 0))       # its upper side: -0.3 to -0.2
            yield frame, scene

    assert len(sweep(frames(), continuous=True, clearance=0.2).pairs) == 0
    report = sweep(frames(), continuous=True, clearance=0.3)
    verdict, ((start, end),), _, worst = only(report)
    assert verdict == "near" and start < worst < end
    gone = (4.3 + 0.1) / 10.0                       # of the way when its hind corner leaves the post
    assert report.pairs["gap"][0] == pytest.approx(0.3 - 0.1 * gone, abs=1e-3)
