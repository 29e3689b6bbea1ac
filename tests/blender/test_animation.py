# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation: every frame says what Detect says of it, and the scene is left as it was."""
import gc
from weakref import WeakSet

import bpy
import numpy as np
import pytest
from animation_building import key, met, names, parade, passing, same_as_detect
from run_pumping import finish, pump_until
from scene_building import add_cube, new_collection
from touchpoint.addon import api, session
from touchpoint.addon.animation.frames import frames_between
from touchpoint.addon.animation.run import AnimationRun
from touchpoint.addon.scene_read import Snapshot, read
from touchpoint.core import Cancelled, Refused, TouchpointError
from touchpoint.core.rules import Rule


def scene():
    return bpy.context.scene


def state():
    """What belongs to the user and must stay as it is."""
    return (scene().frame_current, round(scene().frame_subframe, 6), [each.name for each in scene().timeline_markers],
            sorted(each.name for each in bpy.context.view_layer.objects.selected),
            bpy.context.view_layer.objects.active, (scene().frame_start, scene().frame_end, scene().use_preview_range))


def test_one_pair_comes_and_goes(empty_file):
    passing()
    report = api.check_animation()
    assert [names(report, pair) for pair in report.pairs] == [("A", "B")]
    assert report.intervals[0].tolist() == [[5, 15]] and report.first_contact.tolist() == [5]
    assert report.frames.tolist() == list(range(1, 21)) and not report.cancelled
    assert 7 <= report.worst_frame[0] <= 13 and report.verdict(0) in ("crossing", "overlap")
    assert same_as_detect(report) == 11


def test_everything_that_moves_or_deforms(empty_file):
    parade()
    bpy.data.objects["Post"].select_set(True)
    before = state()
    report = api.check_animation()
    assert state() == before and before[:2] == (2, 0.25)
    assert same_as_detect(report) > 20
    found = {name for pair in report.pairs for name in names(report, pair)}
    assert found == {"Post", "Arm", "Grown", "Driven", "Child", "Blinking", "Host"}
    assert ("Blinking", "Post") in met(report, 2) and ("Blinking", "Post") not in met(report, 4)
    assert [span.tolist() for pair, span in zip(report.pairs, report.intervals)
            if names(report, pair) == ("Blinking", "Post")] == [[[1, 2], [6, 8]]]
    assert any("number of triangles changes" in note for note in report.notes)


def test_parts_of_frames(empty_file):
    passing()
    report = api.check_animation((4, 6), step=0.25)
    assert report.frames.tolist() == [4.0, 4.25, 4.5, 4.75, 5.0, 5.25, 5.5, 5.75, 6.0]
    assert report.intervals[0].tolist() == [[5, 6]]
    assert same_as_detect(report) == 5 and state()[:2] == (3, 0.0)


def test_between_frames(empty_file):
    """B passes through A between frames 4 and 5, and is in it in none."""
    made = passing()
    made[1].animation_data_clear()
    key(made[1], "location", (4, (-5, 0.25, 0.5)), (5, (7, 0.25, 0.5)))
    before = state()
    assert len(api.check_animation().pairs) == 0
    report = api.check_animation(continuous=True)
    assert names(report, report.pairs[0]) == ("A", "B") and report.verdict(0) == "crossing" and state() == before
    assert report.intervals[0] == pytest.approx(np.array([[4.25, 4 + 7 / 12]]), abs=1e-5)
    assert 4.25 < report.worst_frame[0] < 4.6 and report.continuous["tolerance"] < 1e-6


def test_which_frames(empty_file):
    passing()
    assert api.check_animation((3, 9), step=3).frames.tolist() == [3, 6, 9]
    assert api.check_animation([2, 9, 4]).frames.tolist() == [2, 4, 9]
    assert frames_between(1, 2, 0.1)[3] == 1.3 and frames_between(1, 10, 4) == (1, 5, 9)
    for wrong in ({"step": 0.0}, {"step": -1}, {"frames": (9, 3)}, {"frames": (1, float("nan"))}, {"frames": []},
                  {"frames": (1, 5_000_000)}, {"frames": [1, 2, 3], "step": 2}):
        with pytest.raises(Refused):
            api.check_animation(**wrong)


def test_frames_in_which_there_is_nothing(empty_file):
    """Hidden objects collide with nothing; the interval ends there."""
    made = passing()
    made[1].hide_viewport = False
    for frame, hidden in ((1, False), (8, True), (10, False)):
        for each in made[1:]:
            each.hide_viewport = hidden
            each.keyframe_insert("hide_viewport", frame=frame)
    report = api.check_animation()
    assert report.intervals[0].tolist() == [[5, 7], [10, 15]]
    assert same_as_detect(report) == 9


def test_nothing_in_any_frame_is_a_refusal(empty_file):
    add_cube("A")
    with pytest.raises(Refused, match="only one object"):
        api.check_animation((1, 3))
    assert len(api.check_animation((1, 3), self_collisions=True).frames) == 3


def test_collections_clearance_and_rules(empty_file):
    made = passing()
    sides = [new_collection(name, scene().collection) for name in ("Side A", "Side B")]
    for each, side in zip(made, (*sides, sides[1])):
        scene().collection.objects.unlink(each)
        side.objects.link(each)
    how = {"scope": "COLLECTIONS", "collection_a": "Side A", "collection_b": "Side B", "clearance": 0.5}
    report = api.check_animation(**how)
    assert report.intervals[0].tolist() == [[4, 16]] and report.first_contact.tolist() == [5]
    assert same_as_detect(report, **how) == 13
    how["rules"] = [Rule("parents", "mounted")]
    made[1].parent = made[0]
    report = api.check_animation(**how)
    assert len(report.pairs) == 0 and len(report.rules.taken) == 1


def test_pairs_that_rest_are_not_asked_again(empty_file):
    """With rules, too, which are gathered in each frame."""
    passing()
    for number in range(6):
        add_cube(f"Still {number}", (20 + number, 0, 0))
    for rules in ((), [Rule("joints", "hinges")]):
        report = api.check_animation(rules=rules)
        tests = next(stage for stage in report.stages if stage.name == "contacts")
        assert tests.items_in <= 9 + 20         # nine pairs at rest once, A and B in each frame
        assert same_as_detect(report, rules=rules) == 11 + 9 * 20


def test_cancelled_it_answers_for_the_frames_that_were_done(empty_file):
    passing()
    before = state()
    report = api.check_animation(progress=lambda stage, fraction: fraction < 0.4)
    assert report.cancelled and 5 <= len(report.frames) <= 9
    assert same_as_detect(report) == len(report.frames) - 4 and state() == before
    with pytest.raises(Cancelled, match="before a frame"):
        api.check_animation(progress=lambda stage, fraction: False)
    assert state() == before


def test_progress_is_that_of_all_frames(empty_file):
    passing()
    said = []
    api.check_animation(progress=lambda stage, fraction: said.append((stage, fraction)))
    assert {stage for stage, _ in said} == {"checking"}
    fractions = [fraction for _, fraction in said]
    assert fractions == sorted(fractions) and len(set(fractions)) == 20 and max(fractions) < 1.0


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt()])
def test_an_error_leaves_the_scene_as_it_was(empty_file, error):
    passing()
    before = state()

    def fail(stage, fraction):
        if fraction > 0.3:
            raise error

    with pytest.raises(type(error)):
        api.check_animation(progress=fail)
    assert state() == before


def test_a_driver_that_fails(empty_file):
    made = passing()
    made[2].driver_add("location", 0).driver.expression = "1 / (frame - 7)"
    report = api.check_animation()
    assert report.intervals[0].tolist() == [[5, 15]] and state()[0] == 3
    assert report.unsure and "cannot evaluate 1 driver " in report.notes[0]     # in frame 7


@pytest.fixture
def running(registered):
    """A run of the panel that is in the middle of the frames; pump it."""
    passing()
    run = AnimationRun.of_settings(bpy.context)
    session.set_run(run)
    pump_until(run, lambda: run._done >= 6)
    yield run
    session.set_run(None)


def test_a_run_in_a_window(running):
    assert scene().frame_current in (6, 7, 8)     # the next one may be read already
    finish(running)
    assert scene().touchpoint.result.animated and not scene().touchpoint.result.partial and state()[0] == 3
    assert [pair.when[:13] for pair in scene().touchpoint.result.pairs] == ["5-15, first 5"]


def test_the_user_scrubs_while_it_runs(running):
    for _ in range(5):
        scene().frame_set(18)
        running.pump(0.0)
    finish(running)
    assert [(each.start, each.end) for each in scene().touchpoint.result.pairs[0].intervals] == [(5, 15)]
    assert state()[0] == 3


def test_an_undo_while_it_runs(registered):
    passing()
    bpy.ops.ed.undo_push(message="scene")
    add_cube("Undone", (0, 0, 0))
    bpy.ops.ed.undo_push(message="one more")
    run = AnimationRun.of_settings(bpy.context)
    session.set_run(run)
    pump_until(run, lambda: run._done >= 2)
    bpy.ops.ed.undo()
    finish(run)
    pairs = {pair.name: pair for pair in scene().touchpoint.result.pairs}
    assert [(each.start, each.end) for each in pairs["A × B"].intervals] == [(5, 15)]
    assert scene().frame_current == 3


def test_esc_while_it_runs(running):
    running.cancel()
    report = finish(running)
    assert report.cancelled and scene().touchpoint.result.partial and 6 <= len(report.frames) <= 8
    assert state()[0] == 3


def test_another_file_while_it_runs(running):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert running.abandoned and not scene().touchpoint.result.animated


def test_abandoned_it_puts_the_frame_back(running):
    running.abandon()
    assert state()[0] == 3


def test_the_scene_is_deleted_while_it_runs(running):
    gone = scene()
    bpy.context.window_manager.windows[0].scene = bpy.data.scenes.new("Other")
    bpy.data.scenes.remove(gone)
    with pytest.raises(TouchpointError):
        finish(running)


def test_frames_that_are_done_are_let_go(empty_file, monkeypatch):
    """However many there are, at most two readings are held at a time."""
    passing()
    made, held = WeakSet(), []

    def snapshot(*what, **how):
        made.add(new := Snapshot(*what, **how))
        gc.collect()
        held.append(len(made))
        return new

    monkeypatch.setattr(read, "Snapshot", snapshot)
    api.check_animation()
    assert len(held) == 20 and 1 <= max(held) <= 2
