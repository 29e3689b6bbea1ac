# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a run will still take: said when it can be known, and true."""
import time

import bpy
import pytest
from touchpoint.addon import rest
from touchpoint.addon.animation.run import CHECKING
from touchpoint.addon.learning import LEARNING
from touchpoint.addon.named_tests.run import TESTING
from touchpoint.addon.operators.modal import progress_text
from touchpoint.addon.pumped_run import PREPARING
from touchpoint.addon.rest import Rest, rest_text
from touchpoint.addon.run import DetectRun
from touchpoint.addon.worker import Progress


def told(frames, seconds_of, stage=CHECKING, looks=3, watch=None):
    """[(when, seconds left or None)] of a run over so many frames, looked at some times in each."""
    watch, now, said = watch or Rest(), 100.0, []
    for done in range(frames):
        for _ in range(looks):
            said.append((now, watch.seconds(Progress(stage, done / frames), now)))
            now += seconds_of(done) / looks
    return [(now - when, seconds) for when, seconds in said]


def test_frames_that_take_equally_long():
    """Neither the first frame, in which kernels are compiled, nor the first seconds say anything."""
    said = told(200, lambda done: 30.0 if done == 0 else 0.1)
    known = [(left, seconds) for left, seconds in said if seconds is not None]
    assert [seconds for left, seconds in said if left > 17.8] == [None] * sum(left > 17.8 for left, _ in said)
    assert len(known) > 500
    assert all(seconds == pytest.approx(left, abs=0.11) for left, seconds in known)


def test_frames_that_grow_slower():
    """It is off by no more than what comes differs from what was."""
    said = [(left, seconds) for left, seconds in told(100, lambda done: 0.1 + 0.001 * done) if seconds is not None]
    assert all(0.4 * left <= seconds + 0.2 for left, seconds in said) and said


def test_a_frame_that_takes_long_does_not_make_it_negative():
    said = [seconds for _, seconds in told(10, lambda done: 100.0 if done == 8 else 1.0, looks=50)]
    assert min(seconds for seconds in said if seconds is not None) == 0.0


@pytest.mark.parametrize("stage", [CHECKING, LEARNING, TESTING, PREPARING])
def test_stages_that_are_all_of_a_run(stage):
    assert stage in rest.OF_ALL
    assert any(seconds is not None for _, seconds in told(50, lambda done: 1.0, stage))


def test_of_detect_it_is_said_while_it_searches_and_while_depths_are_measured():
    """Searching decides how many depths there are, and volumes come after these: what is left of the stage is then the
    least. Of what comes between them nothing is said."""
    for how, least in (({}, ["contacts"]), *(({more: True}, ["contacts", "depths"])
                                             for more in ("volume", "regions", "self_collisions"))):
        watch = DetectRun(bpy.context, {}, "touchpoint", **how).rest
        assert [stage for stage in ("contacts", "depths") if watch.is_least(stage)] == least
        for stage in ("contacts", "depths"):
            assert any(seconds is not None for _, seconds in told(50, lambda done: 1.0, stage, watch=watch))
        assert all(seconds is None for _, seconds in told(50, lambda done: 1.0, "verdicts", watch=watch))


@pytest.mark.parametrize("stage, text", [("contacts", "Testing triangles 50%, at least 20 s left"),
                                         ("depths", "Measuring depths 50%, about 20 s left")])
def test_what_the_status_bar_says(stage, text):
    """After half of forty pieces of a second."""
    run = DetectRun(bpy.context, {}, "touchpoint")
    for step in range(20):
        run._progress = Progress(stage, step / 40)
        run.rest.seconds(run.progress, time.monotonic() - 20.0 + step)
    run._progress = Progress(stage, 0.5)
    assert progress_text(run) == text


def test_an_end_that_does_not_come_is_not_promised_for_long():
    said = told(20, lambda done: 60.0 if done == 19 else 1.0, looks=60)
    assert {seconds for left, seconds in said if left < 54.0} == {None}
    assert any(seconds == 0.0 for _, seconds in said)


def test_before_the_first_stage_nothing_is_said():
    assert all(seconds is None for _, seconds in told(50, lambda done: 1.0, ""))


def test_two_pieces_say_nothing():
    assert all(seconds is None for _, seconds in told(4, lambda done: 10.0))


def test_a_new_stage_begins_anew():
    watch = Rest()
    for step in range(6):
        watch.seconds(Progress(PREPARING, step / 10), 1.0 * step)
    assert watch.seconds(Progress(PREPARING, 0.6), 6.0) == pytest.approx(4.0)
    assert watch.seconds(Progress(CHECKING, 0.0), 7.0) is None
    assert [watch.seconds(Progress(CHECKING, step / 10), 5.0 + 3.0 * step) for step in (1, 2, 3)] == [None] * 3
    assert watch.seconds(Progress(CHECKING, 0.4), 17.0) == pytest.approx(18.0)


@pytest.mark.parametrize("seconds, text", [(0.0, "a few seconds left"), (9.9, "a few seconds left"),
                                           (12.0, "about 10 s left"), (88.0, "about 90 s left"),
                                           (100.0, "about 2 min left"), (3600.0, "about 60 min left"),
                                           (9000.0, "about 2.5 h left")])
def test_words(seconds, text):
    assert rest_text(seconds) == text


@pytest.mark.parametrize("seconds, text", [(9.9, ""), (14.9, "at least 10 s left"), (119.0, "at least 115 s left"),
                                           (179.0, "at least 2 min left"), (9359.0, "at least 2.5 h left")])
def test_words_of_the_least(seconds, text):
    """Never more than is known."""
    assert rest_text(seconds, at_least=True) == text
