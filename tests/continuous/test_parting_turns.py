# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that turn within others through an interval and never reach them (core/continuous/parting_turns.py)."""
import numpy as np
import pytest
from naive.shapes import box
from touchpoint.core import Scene
from touchpoint.core.continuous import placing
from touchpoint.core.continuous.contacts_between import contacts_between
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.near_between import near_between
from touchpoint.core.run import Run

TILT = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
TILT *= np.sign(np.linalg.det(TILT))
PLACE = np.array([3.0, -2.0, 5.0])


def about_up(angle):
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def tube(inner, outer=3.0, sides=48, height=1.0):
    """A pipe about z, whose inner sides are `inner` from the axis; one without a hole where that is 0."""
    corner = np.exp(2j * np.pi * np.arange(sides) / sides)
    rings = [(outer, height), (outer, -height), (inner / np.cos(np.pi / sides), -height),
             (inner / np.cos(np.pi / sides), height)]
    vertices = np.concatenate([np.column_stack([r * corner.real, r * corner.imag, np.full(sides, z)])
                               for r, z in rings])
    one, after = np.arange(sides), np.roll(np.arange(sides), -1)
    triangles = [each for k in range(4) for p, q in [(k * sides, (k + 1) % 4 * sides)]
                 for each in (np.column_stack([p + one, q + one, q + after]),
                              np.column_stack([p + one, q + after, p + after]))]
    return vertices, np.concatenate(triangles).astype(np.int32)


BLADE = box((-1, -0.1, -0.2), (1, 0.1, 0.2))
REACH = np.hypot(1, 0.1)        # of its corners, from the axis
FREE = REACH + 0.01


def ends(turning, other, turn, way=(0, 0, 0), drift=(0, 0, 0), growth=1.0, others_turn=0.0):
    """Instants of two objects: the first turns about z, tilted with all, and grows, both go a way, the first a drift
    besides. The other one turns about x."""
    scene, found = Scene(), []
    for each in (turning, other):
        scene.add_object(scene.add_mesh(*each))
    for t in (0.0, 1.0):
        poses = np.tile(np.eye(4), (2, 1, 1))
        poses[0, :3, :3] = TILT @ about_up(t * turn + 0.2) * (1 + t * (growth - 1))
        poses[1, :3, :3] = TILT @ np.roll(about_up(t * others_turn), 1, (0, 1))
        poses[:, :3, 3] = PLACE + t * np.asarray(way)
        poses[0, :3, 3] += t * (TILT @ drift)
        scene.set_poses([0, 1], list(poses))
        found.append(Instant.of(scene))
    return found


def met(*instants, clearance=None):
    """(times, how many pairs of triangles were looked at)."""
    run = Run.unwatched(contacts_wanted=False)
    found = (contacts_between(*instants, run=run) if clearance is None else
             near_between(*instants, np.full(2, clearance), None, run))
    return found.toi.tolist(), run.counts["triangle_pairs"]


@pytest.mark.parametrize("turn", [0.05, 1.0, 3.0, np.pi])
@pytest.mark.parametrize("way", [(0, 0, 0), (7, 1, -2)])
def test_a_rotor_in_its_housing_costs_no_triangles(turn, way):
    assert met(*ends(BLADE, tube(FREE), turn, way)) == ([], 0)
    hub = tube(0.0, outer=0.5)
    assert met(*ends(tube(0.501), hub, turn, way)) == ([], 0)       # what is hollow turns about what rests


@pytest.mark.parametrize("turn", [1.0, 3.0])
def test_what_is_above_costs_no_triangles(turn):
    vertices, triangles = tube(0.3)
    assert met(*ends(BLADE, (vertices + (0, 0, 1.2001), triangles), turn)) == ([], 0)


@pytest.mark.parametrize("inside", [1e-3, 1e-5, 1e-7])
def test_a_corner_that_reaches_the_housing_meets_it(inside):
    """A wall before which the blade turns: its corner is as far as the wall when it points there."""
    wall = box((REACH - inside, -1, -1), (REACH + 1, 1, 1))
    times, _ = met(*ends(BLADE, wall, -2.0))
    angle = 0.2 - np.arctan2(0.1, 1) - np.arccos((REACH - inside) / REACH)
    assert times == pytest.approx([angle / 2.0], abs=1e-5) and times[0] <= angle / 2.0


def test_within_a_distance_is_not_apart():
    instants = ends(BLADE, tube(FREE), 2.0)
    assert met(*instants, clearance=0.005) == ([], 0)
    assert met(*instants, clearance=0.0101)[0] == [pytest.approx(0.0, abs=0.1)]


def test_what_drifts_grows_or_turns_otherwise_is_followed():
    """Each leaves its cylinder."""
    housing = tube(FREE)
    assert met(*ends(BLADE, housing, 3.0)) == ([], 0)
    for changed in ({"drift": (0.3, 0.2, 0)}, {"drift": (-0.015, 0, 0)}, {"growth": 1.02}):
        assert len(met(*ends(BLADE, housing, 3.0, **changed))[0]) == 1, changed
    assert len(met(*ends(BLADE, box((-0.1, -3, 0.5), (0.1, 3, 0.6)), 1.0, others_turn=-2.0))[0]) == 1


def test_meshes_of_which_a_part_is_inside_are_searched():
    housing, pin = tube(FREE), box((0.5, 0.5, -1), (0.55, 0.55, 1))
    vertices = np.concatenate([housing[0], pin[0]])
    triangles = np.concatenate([housing[1], pin[1] + len(housing[0])])
    assert len(met(*ends(BLADE, (vertices, triangles), 2.0))[0]) == 1


@pytest.mark.parametrize("gap", [0.01, 1e-6])
def test_a_wheel_rolls_over_a_floor_at_no_triangles(gap):
    """Its axis goes along the floor, farther than the gap: along the normal of the floor it stays."""
    floor = box((-9, -9, -0.2), (9, -REACH - gap, 0.2))
    for way in ((0.7, 0, 0), (-3, 0, 0.1), (0.5, 0.2, 0)):
        assert met(*ends(BLADE, floor, -2.0, drift=way)) == ([], 0), way
    assert len(met(*ends(BLADE, floor, -2.0, drift=(0.7, -gap - 0.3, 0)))[0]) == 1


def wheels(between, turns, way=(0, 0, 0), drift=(0, 0, 0), tilt=0.0):
    """Instants of two rollers whose axes are so far apart; the second one is tilted, and drifts."""
    roller, scene, found = tube(0.0, outer=1.0, sides=24), Scene(), []
    for _ in range(2):
        scene.add_object(scene.add_mesh(*roller))
    for t in (0.0, 1.0):
        poses = np.tile(np.eye(4), (2, 1, 1))
        for k, turn in enumerate(turns):
            poses[k, :3, :3] = TILT @ np.roll(about_up(tilt * k), 1, (0, 1)) @ about_up(t * turn)
        poses[:, :3, 3] = PLACE + t * np.asarray(way)
        poses[1, :3, 3] += TILT @ (np.array(between) + t * np.array(drift))
        scene.set_poses([0, 1], list(poses))
        found.append(Instant.of(scene))
    return found


@pytest.mark.parametrize("turns", [(1.0, 1.3), (2.0, -2.5), (0.1, 3.0)])
@pytest.mark.parametrize("way", [(0, 0, 0), (7, 1, -2)])
def test_two_wheels_side_by_side_cost_no_triangles(turns, way):
    for between in ((2.001, 0, 0), (0.3, -0.2, 2.001), (-1.7, 1.2, 0.1)):
        assert met(*wheels(between, turns, way)) == ([], 0), between
    assert met(*wheels((0, 2.5, 0.3), turns, way, tilt=0.6)) == ([], 0)
    assert met(*wheels((2.2, 0, 0), turns, way, drift=(0.5, 1.0, 0.1))) == ([], 0)


def test_trees_are_placed_only_where_they_are_asked_for(monkeypatch):
    """Positions and times at which they are placed: of the housing alone, of nothing, of both, and of both ends."""
    placed, place = [], placing.place_objects

    def watched(which, time, *how):
        placed.extend((k, time) for k in which.tolist())
        place(which, time, *how)

    monkeypatch.setattr(placing, "place_objects", watched)
    hollow, hub = tube(0.501), tube(0.0, outer=0.5)
    for instants, expected in ((ends(BLADE, tube(FREE), 1.0), [(1, 0.0)]), (wheels((2.001, 0, 0), (1.0, 1.3)), []),
                               (ends(hollow, hub, 1.0, (7, 1, -2)), [(0, 0.0), (1, 0.0)])):
        placed.clear()
        assert met(*instants) == ([], 0) and sorted(placed) == expected
    placed.clear()
    assert len(met(*wheels((1.999, 0, 0), (1.0, 1.3)))[0]) == 1
    assert sorted(placed) == [(0, 0.0), (0, 0.5), (1, 0.0), (1, 0.5)]       # they meet in the first half


def test_wheels_that_reach_each_other_meet():
    for between, drift in (((1.999, 0, 0), (0, 0, 0)), ((0, 0, 1.999), (0, 0, 0)), ((2.2, 0, 0), (-0.21, 0, 0)),
                           ((0, 2.2, 0), (0, -4.4, 0)), ((2.5, 2.5, 0), (-2.5, -2.5, 0))):
        assert len(met(*wheels(between, (1.0, 1.3), drift=drift))[0]) == 1, between


def beside_a_body(gap, yaw, roll, bent=0.0):
    """Instants of the body of a car that turns about its middle while it drives on, and of a wheel beside it, so far
    away, which turns along and rolls. bent: how far the body's outer face is bent towards the wheel in the end."""
    scene, found = Scene(), []
    body, wheel = box((-2, -0.9, -0.3), (2, 0.9, 0.3)), tube(0.0, outer=0.35, sides=24, height=0.1)
    for each in (body, wheel):
        scene.add_object(scene.add_mesh(*each))
    for t in (0.0, 1.0):
        poses = np.tile(np.eye(4), (2, 1, 1))
        turned = TILT @ about_up(t * yaw)
        poses[0, :3, :3] = turned
        axle = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])     # z becomes y
        poses[1, :3, :3] = turned @ axle @ about_up(t * roll)
        poses[:, :3, 3] = PLACE + t * TILT @ (0.4, 0.05, 0.0)
        poses[1, :3, 3] += turned @ (1.3, 1.0 + gap, 0.0)
        if bent:
            vertices = body[0].copy()
            vertices[vertices[:, 1] > 0] += t * np.array([0, bent, 0])
            scene.set_vertices(0, vertices)
        scene.set_poses([0, 1], list(poses))
        found.append(Instant.of(scene))
    return found


@pytest.mark.parametrize("roll", [0.3, 1.2, 2.0])
def test_a_wheel_beside_the_body_of_a_car_that_turns_costs_no_triangles(roll):
    for yaw in (0.01, -0.04):
        assert met(*beside_a_body(0.05, yaw, roll)) == ([], 0)
    assert met(*beside_a_body(0.05, 0.0, roll, bent=0.02)) == ([], 0)       # each vertex of the body goes straight


@pytest.mark.parametrize("roll", [0.3, 1.2])
def test_a_wheel_that_reaches_the_body_meets_it(roll):
    assert len(met(*beside_a_body(-0.001, 0.01, roll))[0]) == 1
    assert len(met(*beside_a_body(0.05, 0.01, roll, bent=0.08))[0]) == 1
