# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are tested in an instant are tested on the main thread, where a script waits and nobody draws."""
import threading

import bpy
import pytest
from animation_building import parade, passing
from run_pumping import finish
from touchpoint.addon import api, questions, session
from touchpoint.addon import worker as worker_module
from touchpoint.addon.animation import run as run_of_animation
from touchpoint.addon.animation.run import AnimationRun
from touchpoint.core.sequence import queued

MAIN = threading.main_thread()


@pytest.fixture
def threads(monkeypatch):
    """In which thread each frame was tested; all frames but the first one are short."""
    found, real = [], questions.take_frame

    def take_frame(*asked):
        found.append(threading.current_thread())
        return real(*asked)

    monkeypatch.setattr(questions, "take_frame", take_frame)
    monkeypatch.setattr(run_of_animation, "SHORT_SECONDS", 1000.0)
    return found


def held():
    """How many core Scenes a run has for itself."""
    return sum(each.lock.locked() for each in session._state.followers.values())


def test_short_frames_say_what_others_say(empty_file, threads, monkeypatch):
    parade()
    here = api.check_animation(continuous=True, clearance=0.01)
    assert threads[0] is not MAIN and set(threads[1:]) == {MAIN}
    monkeypatch.setattr(run_of_animation, "SHORT_SECONDS", 0.0)
    threads.clear()
    there = api.check_animation(continuous=True, clearance=0.01)
    assert MAIN not in threads
    for name in ("frames", "pairs", "first_contact", "worst_frame"):
        assert getattr(here, name).tobytes() == getattr(there, name).tobytes(), name
    assert [each.tolist() for each in here.intervals] == [each.tolist() for each in there.intervals]
    assert here.contacts.point.tobytes() == there.contacts.point.tobytes() and here.notes == there.notes
    assert held() == 0


def test_a_window_stays_usable(registered, threads):
    passing()
    run = AnimationRun.of_settings(bpy.context)
    session.set_run(run)
    report = finish(run)
    assert len(report.frames) == len(threads) == 20 and MAIN not in threads


def test_whoever_watches_is_asked_within_a_frame_and_can_cancel(empty_file, threads, monkeypatch):
    passing()
    monkeypatch.setattr(queued, "SECONDS_AT_ONCE", 0.0)     # no frame waits
    monkeypatch.setattr(worker_module, "ASK_SECONDS", 0.0)
    asked = []

    def progress(_stage, _fraction):
        asked.append(len(threads))
        return len(asked) - asked.index(5) < 3 if 5 in asked else True      # in the fifth frame, after two looks

    report = api.check_animation(progress=progress)
    assert report.cancelled and len(report.frames) == 4 and len(threads) == 5
    assert held() == 0


def test_an_interrupt_anywhere_in_a_frame_spoils_no_later_answer(empty_file, threads, monkeypatch):
    passing()
    real, followers = questions.take_frame, []

    def take_frame(sweep, frame, *others):
        if frame == 7:
            follower, = (each for each in session._state.followers.values() if each.lock.locked())
            followers.append(follower)
            follower.core.poses[:] = 1e3       # half of what the core does with it was done
            raise KeyboardInterrupt
        return real(sweep, frame, *others)

    monkeypatch.setattr(questions, "take_frame", take_frame)
    with pytest.raises(KeyboardInterrupt):
        api.check_animation()
    assert held() == 0
    assert len(followers[0].core.objects) == 0
    monkeypatch.setattr(questions, "take_frame", real)
    assert api.check_animation().intervals[0].tolist() == [[5, 15]]
