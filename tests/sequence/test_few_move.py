# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are tested together, of scenes in which few things move: what rests in all of them is there once."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import box
from test_frames_at_once import BETWEEN, LONG, Film, assert_same, counted_batches
from test_sweep import HOW, RULES
from touchpoint.core import Scene
from touchpoint.core.sequence import queued

pytestmark = pytest.mark.scenes      # nothing here is compiled but what it calls


@pytest.fixture
def batches(monkeypatch):
    return counted_batches(monkeypatch)


@pytest.fixture
def no_room(monkeypatch):
    """For each object in each frame: what rests is there once. Returns how many objects the scenes of several frames
    have."""
    made, repeated = [], Scene.repeated
    monkeypatch.setattr(queued.Queued, "_has_room_for_all", lambda self, now: False)
    monkeypatch.setattr(Scene, "repeated",
                        lambda self, *how: (several := repeated(self, *how), made.append(len(several.objects)))[0])
    return made


@pytest.mark.parametrize("how", [*sorted({*HOW} - {"selves", "everything", "rapid", "tsgo"}), *BETWEEN])
@pytest.mark.parametrize("seed", range(3))
def test_what_rests_is_there_once(batches, no_room, seed, how):
    """What stops and goes on is there for each frame as soon as it has moved."""
    film = Film(seed, shells=(6,) if seed == 1 else (), static=(3, 5) if seed == 2 else ())
    assert_same(film.scenes, **{**HOW, **BETWEEN}[how])
    assert max(batches) > 3 and 7 < min(no_room) <= max(no_room) < 7 * 7


def crowd(frames=LONG, late=None, many=90):
    """Three of many boxes move, and a fourth one from a frame on; or all of them where late is below zero."""
    rng, mesh = np.random.default_rng(3), box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    places = rng.uniform(0, 5, (many, 3))
    scene = Scene()
    for k in range(many):
        scene.add_object(scene.add_mesh(*mesh), pose(1, places[k]), name=f"o{k}")
    for frame in range(frames):
        moving = [4, 40, 80, *([7] if late is not None and frame >= abs(late) else [])]
        if late is not None and late < 0 and frame >= abs(late):
            moving = range(many)
        scene.set_poses(moving, [pose(1, places[k] + 0.1 * frame * np.sin([k, 2 * k, 3 * k])) for k in moving])
        yield frame, scene


@pytest.mark.parametrize("how", [{}, {"continuous": True}, {"depth": True, "tolerance": "auto", "rules": RULES}])
@pytest.mark.parametrize("late", [None, 4, 12, -12])
def test_few_move_among_many(batches, no_room, late, how, monkeypatch):
    monkeypatch.setattr(queued, "BOX_PAIRS_AT_ONCE", 90 * 5)
    report = assert_same(lambda: crowd(late=late), **how)
    assert len(report.pairs) > 20 and max(batches) > 4
    assert max(no_room) == 90 + 6 * (3 if late is None or late < 0 else 4)


def relay(frames=LONG, many=90):
    """One of many boxes moves after the other."""
    scenes = crowd(1, many=many)
    _, scene = next(scenes)
    for frame in range(frames):
        scene.set_poses([frame], [pose(1, scene.poses[frame, :3, 3] + 0.5)])
        yield frame, scene


def test_things_that_move_one_after_the_other_do_not_wait(batches, no_room):
    """To make a scene of several frames takes longer than to test one."""
    assert_same(relay)
    assert len(no_room) < 4


def test_much_that_rests_is_left_where_it_is(batches, no_room, monkeypatch):
    """It would have trees of its own."""
    monkeypatch.setattr(queued, "RESTING_AT_ONCE", 80 * 12)
    assert_same(crowd)
    assert max(batches, default=0) < 2
