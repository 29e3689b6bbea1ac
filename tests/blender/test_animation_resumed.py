# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation in a window goes on from the one before, and says what a fresh one says, to the last byte."""
from io import BytesIO
from types import SimpleNamespace

import bpy
import pytest
from animation_building import curves_of, parade
from run_pumping import finish, pump_until
from touchpoint.addon import api, session
from touchpoint.addon.animation import run as animation_run
from touchpoint.addon.animation.resumed_run import ResumedRun, frames_to_take_over
from touchpoint.addon.panels.animation import TOUCHPOINT_PT_animation
from touchpoint.core import Cancelled, export
from touchpoint.core.sequence import resumed, sweep


@pytest.fixture
def tested(registered, monkeypatch):
    """An entry for each frame that is tested."""
    calls, detect = [], sweep.detect
    monkeypatch.setattr(sweep, "detect", lambda *how, **more: (calls.append(how), detect(*how, **more))[1])
    for module in (resumed, sweep, animation_run):      # begin anew after a few frames, as this is short
        monkeypatch.setattr(module, "ANEW", 8)
    parade()
    bpy.context.scene.frame_end = 20
    bpy.context.scene.touchpoint.animation.continuous = True
    for clearance in (0.0, 0.25):       # kernels may have to be compiled, which takes long
        api.check_animation(continuous=True, clearance=clearance)
    calls.clear()
    return calls


def check(until=None):
    """The report of a run of the panel; until: it is cancelled after so many frames."""
    run = ResumedRun.of_settings(bpy.context)
    session.set_run(run)
    if until is not None:
        pump_until(run, lambda: run._done >= until)
        run.cancel()
    return finish(run)


def is_as_fresh(report):
    fresh = api.check_animation(continuous=True, clearance=bpy.context.scene.touchpoint.clearance)
    files = [BytesIO(), BytesIO()]
    for each, file in zip((report, fresh), files):
        export.dump_json(each, file)
    assert len(fresh.pairs) > 3
    return files[0].getvalue() == files[1].getvalue() and not report.cancelled


def test_what_is_done_is_not_tested_again(tested):
    assert check(until=18).cancelled and 18 <= len(tested) <= 20
    assert bpy.context.scene.touchpoint.result.partial
    tested.clear()
    report = check()
    assert len(tested) == 20 - 16 + 1 and not bpy.context.scene.touchpoint.result.partial
    assert is_as_fresh(report)
    bpy.context.scene.frame_end = 26
    tested.clear()
    report = check()
    assert len(tested) == 26 - 16 + 1 and is_as_fresh(report)


def test_from_the_frame_that_is_not_what_it_was(tested):
    check(until=18)
    curve = curves_of(bpy.data.objects["Parent"])[0]
    curve.keyframe_points.insert(14, 5.0).interpolation = "CONSTANT"
    curve.keyframe_points.insert(15, 7.0)
    tested.clear()
    report = check()
    assert len(tested) == 20 - 8 + 1 and is_as_fresh(report)
    bpy.data.objects["Post"].scale.x = 1.5
    tested.clear()
    report = check()
    assert len(tested) == 20 and is_as_fresh(report)


def test_esc_before_anything_is_tested(tested):
    check(until=18)
    pairs = len(bpy.context.scene.touchpoint.result.pairs)
    with pytest.raises(Cancelled):
        check(until=5)
    assert len(bpy.context.scene.touchpoint.result.pairs) == pairs
    tested.clear()
    report = check()
    assert len(tested) == 20 - 16 + 1 and is_as_fresh(report)


class Drawn:
    """A layout that keeps the texts of its labels."""

    def __init__(self):
        self.texts = []

    def label(self, text, **_):
        self.texts.append(text)

    def __getattr__(self, _name):
        return lambda *_, **__: self


def drawn():
    layout = Drawn()
    context = SimpleNamespace(scene=bpy.context.scene, region=SimpleNamespace(width=4000),
                              preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)))
    TOUCHPOINT_PT_animation.draw(SimpleNamespace(layout=layout), context)
    return " ".join(layout.texts)


def resumes():
    """What the panel says that the next check need not test."""
    frames = frames_to_take_over(bpy.context.scene)
    assert ("Resume: " in drawn()) == bool(frames)
    return frames


def test_the_panel_says_which_frames_are_done(tested):
    scene = bpy.context.scene
    chosen = scene.touchpoint.animation
    assert resumes() == []
    check(until=5)
    assert scene.touchpoint.result.partial and resumes() == []      # too few to go on from
    check(until=18)
    assert resumes() == list(range(1, 17)) and "Resume: frames 1-16 are done" in drawn()
    for setting, value in (("continuous", False), ("step", 0.5), ("range", "CUSTOM")):
        before = getattr(chosen, setting)
        chosen.first = 2
        setattr(chosen, setting, value)
        assert resumes() == []
        setattr(chosen, setting, before)
    scene.touchpoint.clearance = 0.25
    assert resumes() == []
    scene.touchpoint.clearance = 0.0
    scene.frame_end = 15
    assert resumes() == []
    scene.frame_end = 24
    assert resumes() == list(range(1, 17))
    tested.clear()
    check()
    assert len(tested) == 24 - 16 + 1 and resumes() == []


def test_the_panel_promises_nothing_of_what_was_moved(tested):
    check(until=18)
    bpy.data.objects["Post"].scale.x = 1.5
    bpy.context.view_layer.update()
    assert resumes() == []


@pytest.mark.parametrize("frames", [17, 16, 15, 9, 8])
def test_fewer_frames(tested, frames):
    """What was known after more frames than are asked about now says nothing."""
    check(until=18)
    bpy.context.scene.frame_end = frames
    tested.clear()
    report = check()
    assert len(tested) == frames - max(0, frames // 8 * 8 - 1) and is_as_fresh(report)


def test_another_question(tested):
    check(until=18)
    bpy.context.scene.touchpoint.clearance = 0.25
    tested.clear()
    report = check()
    assert len(tested) == 20 and is_as_fresh(report)


def test_another_file_forgets(tested):
    check(until=12)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert session.take_ledger() is None
