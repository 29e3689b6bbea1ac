# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation reads the next frame while it tests one, and says what it says when it does not."""
import threading
from types import SimpleNamespace

import bpy
import pytest
from animation_building import parade, passing
from run_pumping import finish, pump_until
from touchpoint.addon import api, questions, session
from touchpoint.addon.animation import run as run_of_animation
from touchpoint.addon.animation.ahead import Ahead
from touchpoint.addon.animation.run import AnimationRun
from touchpoint.addon.scene_read import read
from touchpoint.addon.scene_read.read import Reading
from touchpoint.core import Refused

SECONDS = 20        # more than anything here takes on a busy machine


class TakeFrame:
    """`questions.take_frame`, which says when a frame is being tested, and waits before it goes on."""

    def __init__(self, monkeypatch):
        self.real, self.frames, self.done, self.may_go_on = questions.take_frame, [], [], None
        monkeypatch.setattr(questions, "take_frame", self)

    def __call__(self, sweep, frame, *others):
        self.frames.append(frame)
        if self.may_go_on is not None:
            assert self.may_go_on(frame)
        goes_on = self.real(sweep, frame, *others)
        self.done.append(frame)
        return goes_on


@pytest.fixture(autouse=True)
def no_frame_is_short(monkeypatch):
    """Each is tested in the worker's thread."""
    monkeypatch.setattr(run_of_animation, "SHORT_SECONDS", 0.0)


@pytest.fixture
def tester(monkeypatch):
    return TakeFrame(monkeypatch)


@pytest.fixture
def looked_at(monkeypatch):
    """Frames that were read, in a condition that is notified."""
    frames, condition, real = [], threading.Condition(), Reading.look

    def look(self, *asked):
        assembling = real(self, *asked)
        with condition:
            frames.append(bpy.context.scene.frame_current)
            condition.notify_all()
        return assembling

    monkeypatch.setattr(Reading, "look", look)
    return frames, condition


def held():
    """How many core Scenes a run has for itself."""
    return sum(each.lock.locked() for each in session._state.followers.values())


def test_a_frame_is_read_while_the_one_before_it_is_tested(empty_file, tester, looked_at):
    passing()
    frames, condition = looked_at

    def next_one_was_read(frame):
        with condition:
            return condition.wait_for(lambda: frame == 20 or frame + 1 in frames, SECONDS)

    tester.may_go_on = next_one_was_read
    report = api.check_animation()
    assert tester.frames == report.frames.tolist() == list(range(1, 21)) and frames == list(range(1, 21))
    assert report.intervals[0].tolist() == [[5, 15]] and not report.cancelled


def test_the_answer_is_that_of_frames_read_one_after_the_other(empty_file, monkeypatch):
    """To the last bit, of all that can move and deform."""
    parade()
    ahead = api.check_animation(continuous=True, clearance=0.01)
    monkeypatch.setattr(Ahead, "go_on", lambda self: False)
    alone = api.check_animation(continuous=True, clearance=0.01)
    for name in ("frames", "pairs", "first_contact", "worst_frame"):
        assert getattr(ahead, name).tobytes() == getattr(alone, name).tobytes(), name
    assert [each.tolist() for each in ahead.intervals] == [each.tolist() for each in alone.intervals]
    assert ahead.contacts.point.tobytes() == alone.contacts.point.tobytes() and ahead.notes == alone.notes


def hide_in(frames):
    """B is not there in these frames, so that nothing can be tested."""
    for frame in range(1, 21):
        bpy.data.objects["B"].hide_viewport = frame in frames
        bpy.data.objects["B"].keyframe_insert("hide_viewport", frame=frame)


def test_frames_with_nothing_to_test_are_read_ahead_too(empty_file):
    passing()
    hide_in({1, 2, 9, 20})
    report = api.check_animation()
    assert report.intervals[0].tolist() == [[5, 8], [10, 15]] and report.frames.tolist() == list(range(1, 21))


def test_an_error_waits_for_its_frame(empty_file, tester, monkeypatch):
    """What cannot be read stops the run after the frames before it were tested."""
    passing()
    real = Reading.look

    def look(self, *asked):
        if bpy.context.scene.frame_current == 4:
            raise Refused("Frame 4 cannot be read.")
        return real(self, *asked)

    monkeypatch.setattr(Reading, "look", look)
    with pytest.raises(Refused, match="Frame 4 cannot be read"):
        api.check_animation()
    assert tester.frames == [1, 2, 3] and bpy.context.scene.frame_current == 3
    assert held() == 0


def test_waiting_for_a_test_is_not_reading(empty_file, tester, looked_at, monkeypatch):
    """By a clock that goes on by a second where a frame is looked at, and by a thousand where one was tested."""
    passing()
    (frames, condition), go_on, read_to_the_end = looked_at, Ahead.go_on, set()
    clock = SimpleNamespace(perf_counter=lambda: len(frames) + 1000.0 * len(tester.done))
    monkeypatch.setattr(read, "time", clock)

    def noted(self):
        more = go_on(self)
        with condition:
            read_to_the_end.update(() if more else {self.place})
            condition.notify_all()
        return more

    def next_one_was_read(frame):
        with condition:
            return condition.wait_for(lambda: frame == 20 or frame in read_to_the_end, SECONDS)

    monkeypatch.setattr(Ahead, "go_on", noted)
    tester.may_go_on = next_one_was_read
    report = api.check_animation()
    assert next(stage for stage in report.stages if stage.name == "read").seconds == 20.0


@pytest.fixture
def stopped(registered, tester):
    """A run of the panel whose worker has stopped in frame 3 until it is let go on."""
    passing()
    go_on = threading.Event()
    tester.may_go_on = lambda frame: frame < 3 or go_on.wait(SECONDS)
    run = AnimationRun.of_settings(bpy.context)
    session.set_run(run)
    pump_until(run, lambda: tester.frames[-1:] == [3])
    for _ in range(20):
        run.pump(0.05)
    yield run, go_on
    go_on.set()
    session.set_run(None)


def test_the_scene_belongs_to_the_run_to_its_end(stopped):
    run, go_on = stopped
    assert bpy.context.scene.frame_current == 4 and run._done == 2
    assert held() == 1
    go_on.set()
    finish(run)
    assert held() == 0
    assert bpy.context.scene.frame_current == 3


def test_an_abandoned_worker_keeps_the_scene_until_it_is_done(stopped):
    run, go_on = stopped
    run.abandon()
    assert bpy.context.scene.frame_current == 3
    assert held() == 1
    go_on.set()
    run.wait(SECONDS)
    assert held() == 0


@pytest.mark.parametrize("is_deleted", [False, True])
def test_what_changes_after_a_frame_was_read_ahead_is_read_again(stopped, is_deleted):
    """B is gone, or stays far away, from frame 4 on."""
    run, go_on = stopped
    b = bpy.data.objects["B"]
    if is_deleted:
        bpy.data.objects.remove(b)
    else:
        b.animation_data_clear()
        b.location = (0.0, 0.0, 50.0)
    bpy.context.view_layer.update()
    go_on.set()
    report = finish(run)
    assert len(report.pairs) == 0 and report.frames.tolist() == list(range(1, 21))
