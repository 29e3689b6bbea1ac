# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens between frames: by plain sums where motions are simple, by many samples where they are not."""
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from naive.scenes import SHAPES, pose
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, Sweep, detect, methods, sweep
from touchpoint.core.codes import VERDICTS
from touchpoint.core.queries import mesh_distance
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.sequence import looking

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8"))
BULLET, WALL = box((0, 0, 0), (0.1, 0.1, 0.1)), box((0, -5, -5), (0.1, 5, 5))


def scene_of(**meshes):
    scene = Scene()
    for name, mesh in meshes.items():
        scene.add_object(scene.add_mesh(*mesh), name=name)
    return scene


def flying(scene, places, name="Bullet", first=9):
    """One object at these places along x in turn, a little off the middle."""
    index = [each.name for each in scene.objects].index(name)
    for frame, place in enumerate(places):
        scene.set_poses([index], [pose(1, (place, 0.3, 0.2))])
        yield first + frame, scene


def from_to(scene, *poses):
    """The first object at these poses in turn."""
    for frame, each in enumerate(poses):
        scene.set_poses([0], [each])
        yield frame, scene


PAST = (-14.4, -4.4, 5.6, 15.6)     # frame 10 is the second one; the bullet's tip reaches the wall 0.43 frames later


def only(report):
    assert len(report.pairs) == 1 and report.pairs["contact_start"][0] == 0
    return report.verdict(0), report.intervals[0].tolist(), float(report.first_contact[0]), float(report.worst_frame[0])


def test_a_bullet_through_a_wall():
    report = sweep(flying(scene_of(Bullet=BULLET, Wall=WALL), PAST), continuous=True, depth=True)
    verdict, ((start, end),), first, worst = only(report)
    assert verdict == "crossing" and start == first
    assert start == pytest.approx(10.43) and start <= 10.43 + 1e-14 and end == pytest.approx(10.45)
    assert worst == pytest.approx(10.44) or start < worst < end
    assert report.pairs["depth"][0] == pytest.approx(0.05) and report.pairs["contacts"][0] == len(report.contacts) > 0
    assert (report.contacts.point[..., 0] >= -1e-12).all() and (report.contacts.point[..., 0] <= 0.1 + 1e-12).all()
    assert 0 < report.continuous["tolerance"] < 1e-9
    assert report.interval_verdicts[0].tolist() == report.pairs["verdict"].tolist()
    assert len(sweep(flying(scene_of(Bullet=BULLET, Wall=WALL), PAST)).pairs) == 0


def test_the_frames_themselves_are_as_without():
    scene, run, plain = scene_of(Bullet=BULLET, Wall=WALL), Sweep(continuous=True), Sweep()
    for frame, _ in flying(scene, (-1.0, -0.05, 0.3, 9, 9, -9)):
        one, other = run.add(frame, scene), plain.add(frame, scene)
        assert one.pairs.tobytes() == other.pairs.tobytes()
    assert [each.name for each in run.report().stages] == [*[each.name for each in plain.report().stages], "continuous"]


def test_intervals_begin_and_end_between_frames():
    scene = scene_of(Bullet=BULLET, Wall=WALL)
    report = sweep(flying(scene, (-1.1, -0.05, 0.0, 1.1, 0.5)), continuous=True, depth=True)
    verdict, ((start, end),), first, worst = only(report)
    assert start == first == pytest.approx(9 + 1.0 / 1.05) and end == pytest.approx(11 + 0.1 / 1.1)
    assert verdict == "crossing" and worst in (10, 11)
    assert start <= 9 + 1.0 / 1.05 + 1e-14 and end >= 11 + 0.1 / 1.1 - 1e-14


@pytest.mark.parametrize("places, expected", [
    # It touches the floor, is pressed into it, and is lifted off; heights of its lower side in turn.
    ((0, 0, 0, -0.1, 0, 0, 0.2, 9), [(9, 11, "touching"), (12, 12, "crossing"), (13, 14, "touching"),
                                     (15, 15, "near")]),
    # Between the frames as well: near, into the block, out at the other side, near.
    ((3, -5, 3), [(9.3125, 9.375, "near"), (9.375, 9.75, "crossing"), (9.75, 9.8125, "near"),
                  (10.1875, 10.25, "near"), (10.25, 10.625, "crossing"), (10.625, 10.6875, "near")]),
    # Inside the block in a frame.
    ((3, -1.5, 3), [(9.556, 9.667, "near"), (9.667, ..., "crossing"), (10, 10, "contained"), (..., 10.333, "crossing"),
                    (10.333, 10.444, "near")])])
def test_what_a_pair_is_within_an_interval(places, expected):
    scene = scene_of(Box=box((-0.5, -0.5, 0), (0.5, 0.5, 1)), Block=box((-5, -5, -2), (5, 5, 0)))

    def frames():
        for frame, z in enumerate(places, 9):
            scene.set_poses([0], [pose(1, (0, 0, z))])
            yield frame, scene
    continuous = places[0] == 3
    report = sweep(frames(), continuous=continuous, clearance=0.5)
    spells = list(zip(report.spells[0].tolist(), report.spell_verdicts[0].tolist()))
    assert [VERDICTS[verdict] for _, verdict in spells] == [verdict for *_, verdict in expected]
    for span, wanted in zip((span for span, _ in spells), expected):
        assert all(end is ... or time == pytest.approx(end, abs=1e-3) for time, end in zip(span, wanted[:2]))
    times = [time for span, _ in spells for time in span]
    assert times == sorted(times)
    inside = report.intervals[0]
    assert {*inside[:, 0]} <= {span[0] for span, _ in spells} and {*inside[:, 1]} <= {span[1] for span, _ in spells}


def test_a_pair_that_is_near_meets_between_frames():
    """Near on 9, through the wall, clear on 10; and from near to crossing. Intervals have all of the time in which they
    are near."""
    scene = scene_of(Bullet=BULLET, Wall=WALL)
    verdict, runs, first, worst = only(sweep(flying(scene, (-0.2, 4.8)), continuous=True, clearance=0.2))
    assert verdict == "crossing" and runs[0][0] == 9 and runs[0][1] == pytest.approx(9.1)
    assert first == pytest.approx(9.02) and 9.02 < worst < 9.06
    verdict, runs, first, worst = only(sweep(flying(scene, (-3, -0.2, -0.05)), continuous=True, clearance=0.2))
    assert verdict == "crossing" and runs == [[pytest.approx(9 + 2.7 / 2.8), 11]]
    assert first == pytest.approx(10 + 0.1 / 0.15) and worst == 11
    verdict, runs, first, worst = only(sweep(flying(scene, (-3, -0.2, -0.15, -4)), continuous=True, clearance=0.2))
    assert verdict == "near" and runs == [[pytest.approx(9 + 2.7 / 2.8), pytest.approx(11 + 0.15 / 3.85)]]
    assert first == runs[0][0] and worst == 11


def test_what_goes_inside_crosses_the_wall_and_what_stays_there_is_contained():
    scene = scene_of(Bullet=BULLET, Hall=box((0, -5, -5), (10, 5, 5)))
    report = sweep(flying(scene, (-3, 3, 7, 4, -2)), continuous=True)
    verdict, ((start, end),), first, worst = only(report)
    assert verdict == "crossing" and (start < worst < start + 0.1 or end - 0.1 < worst < end)
    assert start == first == pytest.approx(9 + 2.9 / 6) and end == pytest.approx(12 + 4.1 / 6)
    inside = sweep(flying(scene, (3, 7, 4)), continuous=True)
    assert only(inside) == ("contained", [[9, 11]], 9, 9)


def test_what_meets_in_both_frames_is_one_interval_also_where_it_parts_in_between():
    """As docs/animation.md says. Half a turn of a long blade: its ends are in the wall in both frames, and the blade is
    clear of it in between."""
    scene = scene_of(Blade=box((-4, -0.1, -0.1), (4, 0.1, 0.1)), Wall=box((3.5, -5, -5), (3.6, 5, 5)))

    def turning(step):
        for number in range(0, 181, step):
            scene.set_poses([0], [turned(number)])
            yield number / 180.0, scene
    assert sweep(turning(180), continuous=True).intervals[0].tolist() == [[0.0, 1.0]]
    assert len(sweep(turning(90), continuous=True).intervals[0]) == 2


def test_what_turns_far_is_named():
    """Seen from frame to frame, a turn by 190 degrees is one by 170 the other way round."""
    scene = scene_of(Blade=box((-4, -0.1, -0.1), (4, 0.1, 0.1)), Wall=box((30.5, -5, -5), (30.6, 5, 5)))

    def turning(step):
        for number in range(3):
            scene.set_poses([0], [turned(step * number)])
            yield number, scene
    for step, named in ((90, False), (155, False), (165, True), (180, True), (190, True), (240, False)):
        notes = sweep(turning(step), continuous=True).notes
        assert [note.startswith("Turned by 160 degrees") and "Blade" in note for note in notes] == [True] * named
    assert sweep(turning(180)).notes == []


def turned(degrees):
    made = pose(1, (0, 0, 0))
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    made[:2, :2] = [[cosine, -sine], [sine, cosine]]
    return made


def test_what_only_slides_past_touches():
    """A box over a table of the same width as its way; it meets the table flush and nothing else."""
    scene = scene_of(Bullet=box(), Table=box((4, -5, -5), (6, 5, 0.2)))
    verdict, ((start, end),), first, _ = only(sweep(flying(scene, (0, 10)), continuous=True))
    assert verdict == "touching" and start == first
    assert start == pytest.approx(9.3, abs=1e-6) and end == pytest.approx(9.6, abs=1e-6)


def test_sheets_that_meet_for_an_instant_cross():
    scene = scene_of(Bullet=grid(1, 1, u=(0, 1, 0), v=(0, 0, 1)), Wall=grid(1, 1, (0, -5, -5), (0, 9, 0), (0, 0, 9)))
    report = sweep(flying(scene, (-0.7, 0.23)), continuous=True, depth=True)
    verdict, ((start, end),), first, worst = only(report)
    assert verdict == "crossing" and start <= worst <= end
    assert len(report.contacts) == 0 and np.isnan(report.pairs["depth"][0])         # no sample can show it
    assert start == pytest.approx(9 + 0.7 / 0.93) and end == pytest.approx(start)


SHEET, FLAT = grid(1, 1, (0, -1, -1), (0, 2, 0), (0, 0, 2)), box((0, -1, -1), (0, 1, 1))
UPRIGHT, LEVEL = grid(1, 1, (0, 0, -1), (0, 0.2, 0), (0, 0, 2)), grid(1, 1, (0, -1, 0), (0, 2, 0), (0, 0, 0.2))


@pytest.mark.parametrize("how", [{}, {"tolerance": "auto"}, {"tolerance": 1e-3},
                                 {"tolerance": "auto", "depth": True}])
@pytest.mark.parametrize("one, other", [(SHEET, SHEET), (FLAT, FLAT), (SHEET, FLAT), (UPRIGHT, LEVEL),
                                        (SHEET, UPRIGHT)])
def test_sheets_that_are_flush_in_the_moment_that_is_tested_have_passed_through(one, other, how):
    """They touch in that moment, and whoever looks only there would call it no collision."""
    scene = scene_of(Bullet=one, Wall=other)
    for places in ((-1, 1), (-1, 2.3), (0.7, -3.1)):
        report = sweep(flying(scene, places), continuous=True, **how)
        verdict, ((start, end),), first, worst = only(report)
        assert verdict == "crossing" and report.exit_code() == 1 and start == first <= worst <= end
        assert np.isnan(report.pairs["depth"][0]) and np.isnan(report.pairs["gap"][0])


@pytest.mark.parametrize("how", [{}, {"tolerance": "auto"}])
def test_what_brushes_against_a_sheet_or_slides_along_it_has_not(how):
    """It touches in the moment that is tested, too: a ball that flies along above a sheet, sheets in one plane, and an
    edge below an edge."""
    peg, sheet = ball(12, 8, 0.5), grid(1, 1, (-5, -5, -0.5), (9, 0, 0), (0, 9, 0))
    for one, other, z in ((peg, sheet, 0.0), (sheet, sheet, 0.0), (UPRIGHT, UPRIGHT, -2.0)):
        scene = scene_of(Bullet=one, Wall=other)
        report = sweep(from_to(scene, pose(1, (-13.0, 0, z)), pose(1, (13.5, 0, z))), continuous=True, **how)
        assert [report.verdict(row) for row in range(len(report.pairs))] == ["touching"] and report.exit_code() == 0


def test_a_rule_does_not_allow_what_passes_through():
    """Nothing of it is deep, and yet one sheet is on the other side afterwards."""
    scene = scene_of(Bullet=SHEET, Wall=SHEET)
    rules = RuleSet([Rule("pairs", "May touch.", allowed_depth=0.1, pairs=((Ref("Bullet"), Ref("Wall")),))])
    report = sweep(flying(scene, (-1, 1)), continuous=True, tolerance="auto", rules=rules)
    assert only(report)[0] == "crossing" and report.rules.kept.tolist() == [1]


def test_a_blade_sweeps_over_a_peg():
    """A quarter turn per frame; the peg stands at 45 degrees, between frames 1 and 2."""
    scene = scene_of(Blade=box((0, -0.01, -1), (3, 0.01, 1)), Peg=ball(12, 8, 0.1))
    scene.set_poses([1], [pose(1, (-np.sqrt(2), np.sqrt(2), 0))])

    def frames():
        for frame in range(4):
            angle = 0.5 * np.pi * frame
            turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
            scene.set_poses([0], [pose(turn)])
            yield frame, scene

    report = sweep(frames(), continuous=True, depth=True)
    verdict, ((start, end),), _, _ = only(report)
    assert verdict == "crossing" and 1.45 < start < 1.5 < end < 1.55
    assert start + end == pytest.approx(3.0, abs=1e-2)
    middle = report.contacts.middle                     # of the peg, where the blade is then
    assert len(middle) > 0 and (np.hypot(*(middle - (-np.sqrt(2), np.sqrt(2), 0)).T[:2]) < 0.1 + 1e-9).all()
    assert report.pairs["depth"][0] > 0.005


def test_a_deforming_mesh_is_followed():
    scene = scene_of(Bullet=BULLET, Wall=WALL)

    def frames():
        for frame, place in enumerate((-4.3, 5.7)):
            scene.set_vertices(0, BULLET[0] * (1 + frame) + (place, 0, 0))
            yield frame, scene

    report = sweep(frames(), continuous=True)
    verdict, ((start, _),), _, _ = only(report)
    assert verdict == "crossing" and start == pytest.approx(4.2 / 10.1) and len(report.contacts) > 0


@pytest.mark.parametrize("how, expected", [
    ({"rules": RuleSet([Rule("pairs", pairs=((Ref("Bullet"), Ref("Wall")),))])}, 0),
    ({"rules": RuleSet([Rule("pairs", pairs=((Ref("Bullet"), Ref("Wall")),), enabled=False)])}, 1),
    ({"rules": RuleSet([Rule("pairs", pairs=((Ref("Bullet"), Ref("Wall")),), allowed_depth=0.06)])}, 0),
    ({"rules": RuleSet([Rule("pairs", pairs=((Ref("Bullet"), Ref("Wall")),), allowed_depth=0.04)])}, 1),
    ({"rules": [("left", "left")]}, 0), ({"rules": [("left", "right")]}, 1), ({"contacts": False}, 1),
    ({"self_collisions": True}, 1), ({"method": "rapid"}, 1),
])
def test_rules_hold_between_frames(how, expected):
    scene = scene_of(Bullet=BULLET, Wall=WALL, Other=box((50, 50, 50), (51, 51, 51)))
    for each, group in zip(scene.objects, ("left", "right", "left")):
        each.group = group
    report = sweep(flying(scene, PAST), continuous=True, **how)
    assert len(report.pairs) == expected
    if report.rules is not None:
        assert report.rules.kept.tolist() == [expected] * len(report.rules.rules)


def test_static_objects_are_not_followed():
    scene = scene_of(Bullet=BULLET, Wall=WALL, Other=box((50, 50, 50), (51, 51, 51)))
    for each in scene.objects[:2]:
        each.static = True
    assert len(sweep(flying(scene, PAST), continuous=True).pairs) == 0


def test_a_tolerance_calls_shallow_passes_touching():
    scene = scene_of(Bullet=box(), Table=box((4, -5, -5), (6, 5, 0.25)))        # 0.05 deep in the table on its way
    for tolerance, expected in ((0.06, "touching"), (0.04, "crossing")):
        assert only(sweep(flying(scene, (0, 10)), continuous=True, tolerance=tolerance))[0] == expected


def test_what_comes_goes_or_changes_its_triangles_is_not_followed():
    scenes = [scene_of(Wall=WALL, Stone=ball()), scene_of(Wall=WALL, Bullet=BULLET, Stone=ball()),
              scene_of(Stone=ball(), Bullet=ball(5, 4, 0.1), Wall=WALL), scene_of(Wall=WALL, Stone=ball())]
    places = ({}, {"Bullet": -4.4}, {"Bullet": 5.6}, {})
    for scene, place in zip(scenes, places):
        for index, each in enumerate(scene.objects):
            scene.set_poses([index], [pose(1, (place.get(each.name, 30 if each.name == "Stone" else 0), 0, 0))])
    report = sweep(enumerate(scenes), continuous=True)
    assert len(report.pairs) == 0
    assert report.notes[-1] == ("Not tested between some frames, as their triangles change or they are too far away to "
                                "be followed: Bullet.")
    assert report.exit_code() == 2 and report.left_open == report.notes[-1:]    # it may have flown through the wall
    assert sweep(enumerate(scenes)).exit_code() == 0                            # which nobody has asked for


def test_objects_in_another_order_in_each_scene():
    scenes = [scene_of(Wall=WALL, Bullet=BULLET), scene_of(Bullet=BULLET, Wall=WALL)]
    for scene, place in zip(scenes, (-4.4, 5.6)):
        next(flying(scene, [place]))
    report = sweep(enumerate(scenes), continuous=True)
    assert [report.name(int(report.pairs[side][0])) for side in "ab"] == ["Wall", "Bullet"]
    assert only(report)[2] == pytest.approx(0.43)


@pytest.mark.parametrize("at_once, done", [(1, [9, 10]), (2, [9, 10, 11, 12])])
def test_cancelled_between_frames(monkeypatch, at_once, done):
    """When it looks between frames for the second time. The frame that was added last is not done, those that wait for
    this are, and it was looked between them, too: the bullet flies through the wall from frame 11 to frame 12."""
    monkeypatch.setattr(looking, "MOST_AT_ONCE", at_once)
    run, looks = Sweep(continuous=True), set()
    for frame, scene in flying(scene_of(Bullet=BULLET, Wall=WALL), (-24.4, -14.4, *PAST[1:], 25.6)):
        def progress(stage, fraction, frame=frame):
            looks.update({frame} if stage == "continuous" else ())
            return len(looks) < 2
        if (report := run.add(frame, scene, progress)).cancelled:
            break
    partial = run.report()
    assert report.cancelled and partial.cancelled and partial.frames.tolist() == done
    assert [pytest.approx(11.43)] * (at_once - 1) == partial.first_contact.tolist()


def test_files_say_it(tmp_path):
    texts = []
    for threads in (1, 2):
        report = sweep(flying(scene_of(Bullet=BULLET, Wall=WALL), PAST), continuous=True, threads=threads)
        report.unit_scale = 0.001
        report.to_json(tmp_path / "report.json")
        texts.append((tmp_path / "report.json").read_bytes())
    assert texts[0] == texts[1]
    text = json.loads(texts[0])
    jsonschema.validate(text, SCHEMA)
    assert 0 < text["continuous"]["tolerance"] < 1e-12 and text["pairs"][0]["first_contact"] == pytest.approx(10.43)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_missed_and_times_are_those_of_contacts(seed):
    """Objects that fly on straight lines: every sampled contact lies in an interval, and at both ends of an interval
    that lie between frames the surfaces are as near as is said."""
    rng = np.random.default_rng(seed)
    meshes = [*SHAPES[:3], ball(5, 4, 0.3)]
    scene = scene_of(**{f"o{i}": meshes[rng.integers(len(meshes))] for i in range(7)})
    ways = rng.uniform(0, 4, (5, 7, 3))
    ways[:, 0] = ways[0, 0]                                        # one stands still

    def at(time):
        k = min(int(time), len(ways) - 2)
        return (1 - (time - k)) * ways[k] + (time - k) * ways[k + 1]

    def put(time):
        scene.set_poses(range(7), [pose(1, place) for place in at(time)])
        return scene

    report = sweep(((frame, put(frame)) for frame in range(len(ways))), continuous=True)
    runs = {(int(pair["a"]), int(pair["b"])): report.intervals[row] for row, pair in enumerate(report.pairs)}
    for time in np.linspace(0, len(ways) - 1, 32 * (len(ways) - 1) + 1):
        for pair in detect(put(time)).pairs:
            spans = runs[int(pair["a"]), int(pair["b"])]
            assert ((spans[:, 0] <= time + 1e-9) & (time - 1e-9 <= spans[:, 1])).any()
    checked = 0
    for (a, b), spans in runs.items():
        for time in spans[spans % 1 != 0]:
            one, other = (scene.meshes[scene.objects[each].mesh] for each in (a, b))
            places = at(time)
            gap, _, _ = mesh_distance(one.vertices + places[a], one.triangles, other.vertices + places[b],
                                      other.triangles)
            assert gap <= report.continuous["tolerance"] * 1.01 + 1e-12
            checked += 1
    assert checked > 10


def test_backwards_only_what_parts_is_followed(monkeypatch):
    """Two of 200 objects move, one of them through a third one that rests."""
    asked, recipe = [], methods.load("certified")
    watched = replace(recipe, between=lambda first, *more: asked.append(int((first.triangle_counts > 0).sum()))
                      or recipe.between(first, *more))
    load = methods.load
    monkeypatch.setattr(methods, "load", lambda method: watched if method == "certified" else load(method))
    scene = scene_of(Bullet=BULLET, Other=BULLET, Wall=WALL)
    mesh = scene.add_mesh(*box())
    for number in range(197):
        scene.add_object(mesh, pose(1, (1.5 * number, 40, 0)), name=f"stone {number}")

    def frames():
        for frame, place in enumerate((-4.4, 5.6)):
            scene.set_poses([0, 1], [pose(1, (place, 0.3, 0.2)), pose(1, (place, 80, 0))])
            yield frame, scene

    assert only(sweep(frames(), continuous=True))[2] == pytest.approx(0.43)
    assert asked == [200, 2]
