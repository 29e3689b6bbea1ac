# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs that meet in both frames, and what becomes of them in between."""
from types import SimpleNamespace

import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box, grid
from naive.whole_motions import rotation
from test_between_frames import only, scene_of
from touchpoint.core import Sweep, detect, sweep
from touchpoint.core.codes import CROSSING
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.sequence import moments
from touchpoint.core.sequence.rows import coded
from touchpoint.core.sequence.stretch import Meets, Stretch

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls


def from_to(scene, start, end, index=0):
    """The object at two poses, in frames 1 and 2."""
    for frame, each in enumerate((start, end)):
        scene.set_poses([index], [each])
        yield 1 + frame, scene


@pytest.mark.parametrize("how, depth", [
    ({}, True), ({}, False), ({"tolerance": 1e-3}, True), ({"tolerance": "auto"}, True), ({"method": "rapid"}, False),
    ({"method": "pcs"}, False)])
def test_what_passes_through_from_side_to_side(how, depth):
    """It touches the right side in one frame, the left side in the next one, and nothing of it is seen in either."""
    scene = scene_of(Box=box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), Block=box((-1, -1, -1), (1, 1, 1)))
    report = sweep(from_to(scene, pose(1, (1.5, 0, 0)), pose(1, (-1.5, 0, 0))), continuous=True, depth=depth, **how)
    verdict, runs, first, worst = only(report)
    assert verdict in ("crossing", "overlap", "contained") and runs == [[1, 2]] and first == 1 and 1 < worst < 2
    assert report.exit_code() == 1 and report.interval_verdicts[0].tolist() == report.pairs["verdict"].tolist()
    plain = sweep(from_to(scene, pose(1, (1.5, 0, 0)), pose(1, (-1.5, 0, 0))))
    assert only(plain)[0] == "touching" and plain.exit_code() == 0


@pytest.mark.parametrize("tolerance", [0.0, 1e-3, "auto"])
def test_what_passes_through_and_touches_the_far_side(tolerance):
    """Clear in one frame, touching in the other one, and through all of the block in between; and the other way."""
    scene = scene_of(Box=box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), Block=box((-1, -1, -1), (1, 1, 1)))
    away, far, how = pose(1, (4.5, 0, 0)), pose(1, (-1.5, 0, 0)), {"continuous": True, "tolerance": tolerance}
    verdict, ((start, end),), first, worst = only(sweep(from_to(scene, away, far), **how))
    assert verdict in ("crossing", "overlap", "contained") and end == 2 and start == first == pytest.approx(1.5)
    assert 1.5 < worst < 2
    verdict, ((start, end),), first, worst = only(sweep(from_to(scene, far, away), **how))
    assert verdict in ("crossing", "overlap", "contained") and start == first == 1 and end == pytest.approx(1.5)
    assert 1 < worst < 1.5
    near = pose(1, (1.5, 0, 0))
    for moves in ((away, near), (near, away)):      # it only lands, or takes off
        report = sweep(from_to(scene, *moves), **how)
        assert only(report)[0] == "touching" and report.exit_code() == 0


def test_a_touch_that_is_seen_in_one_direction_only():
    """Surfaces that come nearer than the tolerance may be found forwards and not backwards: one row, at that time."""
    stretch = SimpleNamespace(codes=coded, interval_of=lambda codes: np.zeros(len(codes), int),
                              frames=np.array([[1.0], [2.0]]), worse=np.zeros(0, np.int64),
                              contained=np.zeros(0, np.int64), leaving=np.zeros(0, np.int64),
                              met_after=coded(np.array([0]), np.array([2])))
    meets = Meets(np.array([[0, 0, 1], [1, 2, 3]]), np.array([1.25, 1.5, np.nan]), np.array([np.nan, np.nan, 1.75]),
                  0.0, *np.zeros((2, 0), np.int64))
    pairs = moments._coming_or_going(stretch, meets)
    assert pairs.sides.T.tolist() == [[0, 1], [0, 2], [1, 3]] and pairs.touch.tolist() == [False, True, True]
    assert pairs.start.tolist() == [1.25, 1.5, 1.0] and pairs.end.tolist() == [1.25, 2.0, 1.75]


def test_from_inside_one_arm_to_inside_the_other():
    """A cube in one arm of a U, and then in the other one: it leaves through the walls."""
    outline = [(0, 0), (5, 0), (5, 5), (4, 5), (4, 1), (1, 1), (1, 5), (0, 5)]
    front = np.array([(x, 0.0, z) for x, z in outline])
    sides = [(i, (i + 1) % 8, 8 + (i + 1) % 8) for i in range(8)] + [(i, 8 + (i + 1) % 8, 8 + i) for i in range(8)]
    caps = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)]
    faces = sides + [tuple(reversed(each)) for each in caps] + [tuple(8 + k for k in each) for each in caps]
    horseshoe = np.concatenate([front, front + (0.0, 1.0, 0.0)]), np.array(faces, np.int32)
    scene = scene_of(Cube=box((-0.2, -0.2, -0.2), (0.2, 0.2, 0.2)), Horseshoe=horseshoe)
    moves = pose(1, (0.5, 0.5, 3)), pose(1, (4.5, 0.5, 3))
    report = sweep(from_to(scene, *moves), continuous=True, depth=True)
    verdict, runs, first, worst = only(report)
    assert verdict == "crossing" and runs == [[1, 2]] and first == 1 and 1 < worst < 2
    assert report.pairs["contacts"][0] > 0 and report.pairs["depth"][0] > 0.05      # in the wall, not on the way
    assert only(sweep(from_to(scene, *moves)))[0] == "contained"
    down = pose(1, (0.5, 0.5, 3)), pose(1, (0.5, 0.5, 2))
    assert only(sweep(from_to(scene, *down), continuous=True))[:2] == ("contained", [[1, 2]])


def test_out_of_a_leaky_ball_through_its_wall():
    """Nobody can tell whether it is inside; but that it goes through the wall is certain, and worse."""
    vertices, triangles = ball(12, 8, 2.0)
    scene = scene_of(Bullet=box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), Ball=(vertices, triangles[1:]))
    inside, outside = pose(1, (0.1, 0.2, 0.3)), pose(1, (5, 0.2, 0.3))
    for moves in ((inside, outside), (outside, inside)):
        plain, report = (sweep(from_to(scene, *moves), continuous=how, depth=True) for how in (False, True))
        assert only(plain)[0] == "cannot tell" and plain.exit_code() == 2
        verdict, ((start, end),), first, worst = only(report)
        assert verdict == "crossing" and report.exit_code() == 1 and start <= first <= worst <= end
        assert len(report.contacts) > 0 and end - start > 0.3
    near = pose(1, (0.2, 0.2, 0.3))
    assert only(sweep(from_to(scene, inside, near), continuous=True))[0] == "cannot tell"


@pytest.mark.parametrize("seed", range(12))
def test_what_slides_or_rolls_along_is_no_finding(seed):
    """A box on a plane in any direction, moved along it and turned about what is upright there; a ball that rests on
    a corner and turns about it. In exact arithmetic they touch all the while; floats make crossings of that."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    table = box((-9, -9, -1), (9, 9, 0))
    one, other = np.eye(4), np.eye(4)
    angle = rng.uniform(-2, 2)
    one[:3, 3], other[:3, 3] = rng.uniform(-2, 2, 3), rng.uniform(-2, 2, 3)
    one[2, 3] = other[2, 3] = 0.0
    other[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    place = np.eye(4)
    place[:3, :3], place[:3, 3] = turn, rng.uniform(-100, 100, 3)
    for mesh in (box((-0.5, -0.3, 0), (0.5, 0.3, 1)), grid(2, 2, (-1, -1, 0))):
        scene = scene_of(Box=mesh, Table=table)
        scene.set_poses([1], [place])
        for tolerance in ("auto", 1e-6):
            report = sweep(from_to(scene, place @ one, place @ other), continuous=True, tolerance=tolerance)
            assert {report.verdict(row) for row in range(len(report.pairs))} <= {"touching"}, tolerance
        exact = [detect(each).pairs["verdict"].tolist() for _, each in from_to(scene, place @ one, place @ other)]
        report = sweep(from_to(scene, place @ one, place @ other), continuous=True)
        if exact == [[2], [2]]:
            assert [report.verdict(0)] == ["touching"] and report.exit_code() == 0


@pytest.mark.parametrize("depth, looked_at", [(0.0, 0), (0.01, 1), (0.6, 5)])
def test_what_slides_along_a_slope_is_not_posed_between(depth, looked_at, monkeypatch):
    """Far, along the edges of no axis of the world: their own boxes tell that it stays shallow. What reaches deeper in
    one frame is looked at more often."""
    posed = []
    original = moments.posed
    monkeypatch.setattr(moments, "posed", lambda *given: posed.append(len(given[-1])) or original(*given))
    slope = rotation((1.0, 0.2, -0.4, 0.1) / np.linalg.norm((1.0, 0.2, -0.4, 0.1)))
    scene = scene_of(Box=box((-0.5, -0.5, 0), (0.5, 0.5, 1)), Slope=box((-9, -9, -1), (9, 9, 0)))
    ends = [pose(slope, slope @ (x, 0.1 * x, z)) for x, z in ((-4, 0.0), (4, -depth))]
    scene.set_poses([1], [pose(slope)])
    verdict, *_ = only(sweep(from_to(scene, *ends), continuous=True, tolerance=2.0 * depth + 1e-6))
    assert verdict == "touching" and sum(posed) == looked_at


@pytest.mark.parametrize("seed", range(3))
def test_boxes_that_touch_in_both_frames(seed):
    """Boxes on a lattice, which often touch: whatever is deeper in any of many moments is told, and nothing else is."""
    rng = np.random.default_rng(seed)
    scene = scene_of(**{f"o{i}": box((0, 0, 0), rng.integers(1, 4, 3)) for i in range(6)})
    worse = touches = 0
    for _ in range(60):
        places = rng.integers(0, 6, (2, 6, 3)).astype(float)
        places[1, :2] = places[0, :2]                               # two rest
        report = sweep(((k, put_at(scene, places[k])) for k in range(2)), continuous=True)
        told = {(int(pair["a"]), int(pair["b"])): report.verdict(row) for row, pair in enumerate(report.pairs)}
        frames = [verdicts_of(put_at(scene, each)) for each in places]
        between = [verdicts_of(put_at(scene, (1 - t) * places[0] + t * places[1])) for t in np.arange(1, 64) / 64]
        for pair in frames[0].keys() | frames[1].keys():
            frame = [each.get(pair, "clear") for each in frames]
            if "touching" in frame and set(frame) <= {"touching", "clear"}:
                deep = any(each.get(pair) in ("crossing", "overlap", "contained") for each in between)
                assert (told[pair] != "touching") == deep, pair
                worse, touches = worse + deep, touches + (not deep)
            elif frame == ["contained", "contained"]:
                assert told[pair] == "crossing" or all(each[pair] != "crossing" for each in between), pair
    assert worse > 3 and touches > 3


def put_at(scene, places):
    scene.set_poses(range(len(places)), [pose(1, place) for place in places])
    return scene


def verdicts_of(scene) -> dict[tuple[int, int], str]:
    report = detect(scene)
    return {(int(pair["a"]), int(pair["b"])): report.verdict(row) for row, pair in enumerate(report.pairs)}


def test_an_allowed_depth_between_frames():
    """Two boxes may overlap by 0.3, as in both frames they do; between these one is all in the other."""
    scene = scene_of(Bullet=box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), Wall=box((-1, -1, -1), (1, 1, 1)))
    moves = pose(1, (1.3, 0, 0)), pose(1, (-1.3, 0, 0))
    pairs = ((Ref("Bullet"), Ref("Wall")),)
    for allowed, expected in ((0.3, 1), (2.0, 0)):
        rules = RuleSet([Rule("pairs", pairs=pairs, allowed_depth=allowed)])
        report = sweep(from_to(scene, *moves), rules=rules, continuous=True)
        assert len(report.pairs) == expected
        if expected:
            assert report.intervals[0].tolist() == [[1, 2]] and 1 < report.worst_frame[0] < 2
            assert report.pairs["depth"][0] > 0.8 and report.exit_code() == 1


def through_a_wall(start, end, allowed, thick=0.1, **how):
    """A bullet of 0.1, between two places in x, and a wall from 0 to `thick`; how deep it may be in it."""
    scene = scene_of(Bullet=box((-0.05, -0.05, -0.05), (0.05, 0.05, 0.05)), Wall=box((0, -5, -5), (thick, 5, 5)))
    rules = RuleSet([Rule("pairs", pairs=((Ref("Bullet"), Ref("Wall")),), allowed_depth=allowed)])
    return sweep(from_to(scene, pose(1, (start, 0.3, 0.2)), pose(1, (end, 0.3, 0.2))), rules=rules, continuous=True,
                 **how)


def test_what_a_rule_takes_away_as_near_is_followed():
    """Near on both sides of the wall, which is clear by the rule: that says nothing of the way through the wall, of
    which no moment that is tested need show anything."""
    for clearance in (0.0, 1.0):
        report = through_a_wall(-0.9, 0.6, 0.01, clearance=clearance)
        verdict, ((start, end),), first, worst = only(report)
        assert verdict == "crossing" and start == first == pytest.approx(1 + 0.85 / 1.5) and first < worst < end
        assert end == pytest.approx(1 + 1.05 / 1.5) and report.exit_code() == 1
    assert len(through_a_wall(-0.9, 0.6, 0.06, clearance=1.0).pairs) == 0


@pytest.mark.parametrize("frames", (2, 9))
def test_what_a_rule_takes_away_between_frames_is_counted(frames):
    """In no frame the bullet meets the wall, and between two of them no deeper than the rule allows: that is named,
    also where many intervals are looked at together."""
    scene = scene_of(Bullet=box((-0.05, -0.05, -0.05), (0.05, 0.05, 0.05)), Wall=box((0, -5, -5), (0.1, 5, 5)))
    rules = RuleSet([Rule("pairs", pairs=((Ref("Bullet"), Ref("Wall")),), allowed_depth=0.06)])

    def flying():
        for frame, x in enumerate((*np.linspace(-4.0, -0.9, frames - 1), 0.6)):
            scene.set_poses([0], [pose(1, (x, 0.3, 0.2))])
            yield frame, scene

    report = sweep(flying(), rules=rules, continuous=True)
    assert len(report.pairs) == 0 and report.exit_code() == 0
    assert report.rules.counts.tolist() == [1] and report.summary()["taken_away"] == 1
    (taken,) = report.rules.taken
    assert (taken["a"], taken["b"], taken["tested"]) == (0, 1, True) and taken["verdict"] == CROSSING
    assert taken["depth"] == pytest.approx(0.05) and taken["depth"] <= taken["depth_upper"] <= 0.06


def test_a_moment_that_a_rule_allows_hides_no_other_one():
    """Through all of a thick wall: 0.1 deep where it crosses, as the rule allows, and deeper where it is contained,
    which is worse, though crossing comes first in lists."""
    report = through_a_wall(-0.5, 1.9, 0.11, thick=1.0)
    verdict, ((start, end),), _, worst = only(report)
    assert verdict == "contained" and report.pairs["depth"][0] > 0.4 and report.exit_code() == 1
    assert start == pytest.approx(1 + 0.45 / 2.4) and end == pytest.approx(1 + 1.55 / 2.4) and start < worst < end
    assert len(through_a_wall(-0.5, 1.9, 0.6, thick=1.0).pairs) == 0


@pytest.mark.parametrize("clearance", [0.0, 0.2])
def test_an_interval_ends_where_a_rule_takes_the_pair_away(clearance):
    """Through the wall, and into its far side from within, as deep as the rule allows: up to that frame."""
    verdict, runs, first, _ = only(through_a_wall(-0.5, 1.04, 0.03, thick=1.0, clearance=clearance))
    assert verdict in ("crossing", "contained") and runs == [[first, 2]] and first == pytest.approx(1 + 0.45 / 1.54)
    _, runs, first, _ = only(through_a_wall(1.04, -0.5, 0.03, thick=1.0, clearance=clearance))
    assert runs == [[1, pytest.approx(2 - 0.45 / 1.54)]] and first == 1


def test_what_is_seen_in_one_direction_only_ends_where_it_begins():
    """Surfaces that pass nearer than the tolerance: found forwards, and not backwards."""
    scene = scene_of(Bullet=grid(1, 1, u=(0, 1, 0), v=(0, 0, 1)), Wall=grid(1, 1, (0, -5, -5), (0, 9, 0), (0, 0, 9)))
    run = Sweep(continuous=True)
    searched = Stretch.search

    def one_way(self, *given):
        found = searched(self, *given)
        return found._replace(end=np.full_like(found.end, np.nan))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stretch, "search", one_way)
        for frame, each in from_to(scene, pose(1, (-0.7, 0, 0)), pose(1, (0.23, 0, 0))):
            run.add(frame, each)
        report = run.report()
    _, ((start, end),), _, _ = only(report)
    assert start == end == pytest.approx(1 + 0.7 / 0.93)


@pytest.mark.parametrize("half, looked_at, verdict", [
    (0.8, 5, "crossing"), (0.8484, 5, "crossing"), (0.8486, 0, "contained"), (0.9, 0, "contained")])
def test_what_is_contained_in_both_frames_is_posed_where_it_may_leave(half, looked_at, verdict, monkeypatch):
    """A post that turns by a right angle on the floor of a closed room: its edges reach 0.8485 from its axis."""
    posed = []
    original = moments.posed
    monkeypatch.setattr(moments, "posed", lambda *given: posed.append(len(given[-1])) or original(*given))
    room, post = box((-half, -half, 0), (half, half, 3)), box((-0.6, -0.6, 0), (0.6, 0.6, 1))
    ends = [pose(rotation((np.cos(angle / 2), 0, 0, np.sin(angle / 2)))) for angle in (0.0, np.pi / 2)]
    report = sweep(from_to(scene_of(Post=post, Room=room), *ends), continuous=True)
    assert only(report)[:2] == (verdict, [[1, 2]]) and sum(posed) == looked_at


def test_what_rolls_along_is_not_posed_between(monkeypatch):
    """A wheel on a floor, with a rim that touches it in both frames: no direction of its own box tells that it stays
    shallow, but the plane of the floor does."""
    monkeypatch.setattr(moments, "posed", lambda *given: pytest.fail("posed"))
    wheel = box((-0.5, -0.5, 0), (0.5, 0.5, 0.2))
    scene = scene_of(Wheel=wheel, Floor=box((-9, -9, -1), (9, 9, 0)))
    upright = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    eighth = rotation((np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)))
    corner = np.abs((upright @ eighth @ wheel[0].T)[2]).max()
    ends = [pose(upright @ eighth @ turn, (0, y, corner)) for turn, y in ((np.eye(3), 0), (eighth @ eighth, 1))]
    report = sweep(from_to(scene, *ends), continuous=True, tolerance=1e-6)
    assert only(report)[0] == "touching"


@pytest.mark.parametrize("f32", [False, True])
@pytest.mark.parametrize("tolerance", [0.0, 1e-6, "auto"])
@pytest.mark.parametrize("deeper, verdict", [(0.0, "touching"), (1e-4, "crossing")])
def test_what_brushes_a_plane_between_two_frames_touches_it(deeper, verdict, tolerance, f32):
    """A wheel of four corners, which is free of the floor in both frames and rolls over one corner in between. In
    single precision, its poses alone take it deeper than what is exact allows for."""
    upright = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    about = rotation((np.cos(0.7), 0, 0, np.sin(0.7)))
    scene = scene_of(Wheel=box((-0.5, -0.5, 0), (0.5, 0.5, 0.2)), Floor=box((-9, -9, -1), (9, 9, 0)))
    ends = [pose(upright @ turn, (x, 0, np.hypot(0.5, 0.5) - deeper)) for turn, x in ((np.eye(3), 0), (about, 1))]
    if f32:
        ends = [each.astype(np.float32).astype(float) for each in ends]
    report = sweep(from_to(scene, *ends), continuous=True, tolerance=tolerance)
    found, ((start, end),), *_ = only(report)
    assert 1 < start <= end < 2 and report.exit_code() == (found == "crossing")
    assert found == ("crossing" if f32 and not tolerance else verdict)


@pytest.mark.parametrize("tolerance, f32, seed", [
    *((0.0, False, seed) for seed in (0, 1, 2, 5, 9, 17)),
    *(("auto", f32, seed) for f32 in (False, True) for seed in range(4))])
def test_a_wheel_that_rolls_over_two_corners_touches_the_floor(tolerance, f32, seed, monkeypatch):
    """And is mostly free of it in the one moment that is tested, in the middle; or all is turned, so that floats make
    crossings of some corners. Where a rule allows it, it is counted."""
    posed = []
    original = moments.posed
    monkeypatch.setattr(moments, "posed", lambda *given: posed.append(len(given[-1])) or original(*given))
    rng = np.random.default_rng(seed)
    place = pose(np.linalg.qr(rng.normal(size=(3, 3)))[0] if seed else 1, seed * rng.uniform(-1, 1, 3))
    scene = scene_of(Wheel=box((-0.5, -0.5, 0), (0.5, 0.5, 0.2)), Floor=box((-9, -9, -1), (9, 9, 0)))
    upright = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    last = np.pi / 2 - 0.1 if seed % 2 == 0 else 0.7        # half of what it turns by: over two corners, or one
    ends = [place @ pose(upright @ rotation((np.cos(angle), 0, 0, np.sin(angle))), (angle, 0, np.hypot(0.5, 0.5)))
            for angle in (0.0, last)]
    if f32:
        ends, place = [each.astype(np.float32).astype(float) for each in ends], place.astype(np.float32).astype(float)
    scene.set_poses([1], [place])
    report = sweep(from_to(scene, *ends), continuous=True, tolerance=tolerance)
    found, ((start, end),), first, _ = only(report)
    assert found == "touching" and report.exit_code() == 0 and sum(posed) == 1
    assert start == first == pytest.approx(1 + np.pi / 8 / last, abs=1e-3) and (end > start + 0.4) == (seed % 2 == 0)
    rules = RuleSet([Rule("pairs", pairs=((Ref("Wheel"), Ref("Floor")),), allowed_depth=0.01)])
    report = sweep(from_to(scene, *ends), continuous=True, rules=rules, tolerance=tolerance)
    assert len(report.pairs) == 0 and report.rules.counts.tolist() == [1]


@pytest.mark.parametrize("turned_round", [False, True])
@pytest.mark.parametrize("x", [1.5, 4.0, 30.0])
def test_what_leaves_a_closed_room_through_its_wall_crosses_it(x, turned_round):
    """It is contained in one frame, and touches the wall from outside, or is far away, in the other, where frames alone
    say no more than that it is contained."""
    thing, room = box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)), box((-1, -1, -1), (1, 1, 1))
    ends = [pose(1), pose(1, (x, 0, 0))]
    film = from_to(scene_of(Thing=thing, Room=room), *(ends[::-1] if turned_round else ends))
    report = sweep(film, continuous=True)
    verdict, ((start, end),), first, worst = only(report)
    assert verdict == "crossing" and 1 < worst < 2 and report.pairs["contacts"][0] > 0
    if x == 1.5:
        assert (start, end) == (1, 2)
    else:
        assert (start, end) == pytest.approx((2 - 1.5 / x, 2) if turned_round else (1, 1 + 1.5 / x))
    assert only(sweep(from_to(scene_of(Thing=thing, Room=room), *ends)))[0] == "contained"


def test_what_slides_along_within_a_room_does_not_leave_it(monkeypatch):
    """A box that stands on its floor, and comes to stand at a wall, too."""
    monkeypatch.setattr(moments, "posed", lambda *given: pytest.fail("posed"))
    thing, room = box((-0.4, -0.4, -1), (0.4, 0.4, 0)), box((-1, -1, -1), (1, 1, 1))
    report = sweep(from_to(scene_of(Thing=thing, Room=room), pose(1), pose(1, (0.6, 0, 0))), continuous=True)
    assert only(report)[0] == "contained"
