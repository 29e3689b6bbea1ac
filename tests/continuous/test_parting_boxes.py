# SPDX-License-Identifier: GPL-3.0-or-later
"""What stays clear of something that rests, by its own box (core/continuous/parting_boxes.py)."""
import numpy as np
import pytest
from naive.moving_bodies import CLASSES, draw, pose, turned
from naive.shapes import box
from naive.whole_motions import distance
from test_following import movement_of
from touchpoint.core import Scene
from touchpoint.core.continuous.contacts_between import contacts_between, meetings_of, stay_clear
from touchpoint.core.continuous.instant import Instant
from touchpoint.core.continuous.motions import Movement
from touchpoint.core.continuous.near_between import near_between
from touchpoint.core.continuous.placing import SlicePlacer
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.run import Run
from touchpoint.core.trees.bvh.forest import quantization_of
from touchpoint.core.trees.bvh.mesh_trees import MeshTrees

ROOM = box((-9, -9, 0), (9, 9, 6))
CUBE = box((-0.5, -0.5, 0), (0.5, 0.5, 1))
TILT = turned(np.random.default_rng(0), 0)


def is_clear(movement, within=0.0):
    """Whether the first two objects stay clear of each other."""
    scene, rows, run = movement.end.scene, np.arange(2), Run.unwatched(contacts_wanted=False)
    trees = MeshTrees.of(scene)
    trees.update(scene, rows, run.tick, 1)
    placer = SlicePlacer.after(None, movement, trees, movement.end.mesh, rows, quantization_of(movement.swept_boxes()),
                               True, run)
    pair = np.array([[0], [1]], np.int32)
    meetings = meetings_of(movement, *pair, None, np.full(1, within))
    return bool(stay_clear(np.zeros(1, np.int64), meetings, movement, placer)[0])


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_clear_is_clear_at_every_time(name):
    """By the oracle's own positions."""
    rng, clear = np.random.default_rng([5, CLASSES.index(name)]), 0
    for _ in range(60 if COMPILED else 4):
        bodies = draw(rng, name)
        movement, within = movement_of(bodies), rng.choice([0.0, 0.1, 0.6])
        if not movement.followed.all() or not is_clear(movement, within):
            continue
        assert movement.moves.sum() == 1
        clear += 1
        least = min(distance(*bodies, t) for t in np.linspace(0.0, 1.0, 33))
        assert least > within - 4 * movement.motions.rounding.sum()
    assert clear or name in ("fast", "passes closely", "both at rest") or not COMPILED


def in_a_room(height, others_height, turn=0.0, askew=TILT):
    """Instants of a cube in a room that stands askew, at two heights above its floor; it goes on and turns."""
    scene, (vertices, triangles) = Scene(), ROOM
    scene.add_object(scene.add_mesh(vertices @ askew.T, triangles))
    scene.add_object(scene.add_mesh(*CUBE))
    found = []
    for number, up in enumerate((height, others_height)):
        about = np.array([[np.cos(turn * number), -np.sin(turn * number), 0],
                          [np.sin(turn * number), np.cos(turn * number), 0], [0, 0, 1]])
        scene.set_poses([1], [pose(askew @ about, askew @ (0.3 * number, 0.0, up))])
        found.append(Instant.of(scene))
    return found


@pytest.mark.parametrize("height", [3.0, 0.1, 1e-3, 1e-6])
def test_what_rides_through_a_room_is_clear_of_it(height):
    ends, run = in_a_room(height, height), Run.unwatched(contacts_wanted=False)
    assert is_clear(Movement(*ends))
    assert len(contacts_between(*ends, run=run).a) == 0
    assert run.counts["triangle_pairs"] == run.counts["box_pairs"] == 0


@pytest.mark.parametrize("turn", [0.05, 0.2])
def test_a_turn_takes_as_much_room_as_it_bends(turn):
    bend = 0.125 * turn ** 2 * np.sqrt(1.5)
    assert is_clear(Movement(*in_a_room(1.01 * bend, 1.01 * bend, turn)))
    assert not is_clear(Movement(*in_a_room(0.9 * bend, 0.9 * bend, turn)))


@pytest.mark.parametrize("turn", [0.0, 0.2])
def test_what_sinks_into_the_floor_meets_it(turn):
    ends = in_a_room(3e-3, -1e-3, turn)
    assert not is_clear(Movement(*ends))
    found = contacts_between(*ends)
    assert found.a.tolist() == [0] and found.toi[0] == pytest.approx(0.75, abs=1e-6) and found.toi[0] <= 0.75


def test_what_passes_through_a_wall_is_not_clear():
    """It is clear of all triangles at both ends, on either side."""
    ends = in_a_room(3.0, 12.0)
    assert not is_clear(Movement(*ends)) and len(contacts_between(*ends).a) == 1


def test_what_counts_as_met_is_not_clear():
    """Nearer than the tolerance a pair may be reported; so it is searched."""
    tolerance = 2.0 ** -30 * np.sqrt(3)
    assert is_clear(Movement(*in_a_room(1.1 * tolerance, 1.1 * tolerance)))
    assert not is_clear(Movement(*in_a_room(0.9 * tolerance, 0.9 * tolerance)))


def test_within_a_distance_is_not_clear():
    ends = in_a_room(3e-3, 1e-3)
    assert is_clear(Movement(*ends), 0.9e-3) and not is_clear(Movement(*ends), 1.1e-3)
    found = near_between(*ends, np.full(2, 2e-3), None, Run.unwatched(contacts_wanted=False))
    assert found.a.tolist() == [0] and found.toi[0] == pytest.approx(0.5, abs=1e-6)
