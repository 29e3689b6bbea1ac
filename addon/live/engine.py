# SPDX-License-Identifier: GPL-3.0-or-later
"""Live: asks Detect's question again whenever something changes, while it is switched on.

Handlers mark that something has changed. A timer then reads the scene, hands it to a worker, and takes the answer;
pairs that rest keep theirs. A reading is followed by a pause as long as it took, so that Blender has at least half of
its time. Nothing is written into the file, so there is nothing to undo, to save or to render.
"""
import logging
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core.errors import TouchpointError
from .. import kernels, questions, session
from ..changes import concerns_result, is_rendering
from ..operators.modal import redraw_sidebars, sentence
from ..pieces import finished
from ..rules.kept import kept_rules
from ..run import how_of, scope_of
from ..scene_read import Follower, Snapshot, reading, show_frame
from ..scene_read.cycles import told_of_cycles
from ..style import style_of
from ..worker import Worker
from . import drawing
from .answer import Answer, answer_of

TICK_SECONDS = 1.0 / 60.0
AT_ONCE_SECONDS = 0.03      # for the worker, before Blender draws again
MOST_IN_LIVE = 10_000       # operations of a graph that is looked through for circles: 0.15 s, once
READINGS_PER_SWEEP = 5000   # after which all pairs are asked again: what is kept of earlier ones grows
TITLE = "Live"
DRAGGED_IN = ("OBJECT", "EDIT", "POSE")     # modes; strokes of brushes are left to Blender

log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Live:
    """What lives while it is switched on."""

    scene_uid: int
    marked: bool = True         # something has changed since the last reading
    number: int = 0             # of readings
    asked: Any = None           # the question, as settings of the scene have it
    follower: Follower = field(default_factory=Follower)
    sweep: Any = None
    worker: Worker | None = None
    snapshot: Snapshot | None = None        # that the worker has
    pause_until: float = 0.0
    replacements: int = -1
    objects: int = -1           # in the file
    graph: str = ""             # how many operations and relations Blender's graph has, in words of its own
    in_circles: bool = False    # things depend on each other in a circle
    answer: Answer | None = None


_live: _Live | None = None
stops_at_contact = False        # while playing


def is_on() -> bool:
    return _live is not None


def answer() -> Answer | None:
    """What is known now; None where Live is off, or knows nothing yet."""
    return None if _live is None else _live.answer


def start(scene: bpy.types.Scene) -> None:
    """Switch it on, for one scene. Raises TouchpointError where nothing can be tested in this Blender."""
    global _live
    stop()
    questions.prepare()
    _live = _Live(scene.session_uid)
    bpy.app.handlers.depsgraph_update_post.append(_on_update)
    bpy.app.handlers.frame_change_post.append(_on_frame_change)
    if not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick)
    drawing.start(_answer_in)


def stop() -> None:
    """Switch it off."""
    global _live
    if _live is None:
        return
    if _live.worker is not None:
        _live.worker.cancel()
    _live = None
    drawing.stop()
    bpy.app.handlers.depsgraph_update_post.remove(_on_update)
    bpy.app.handlers.frame_change_post.remove(_on_frame_change)
    _redraw(True)


def unregister() -> None:
    stop()
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)


@persistent
def _on_update(scene, depsgraph=None) -> None:
    if _live is None or depsgraph is None or depsgraph.mode != "VIEWPORT" or session.is_writing():
        return
    if concerns_result(depsgraph) or any(isinstance(each.id, (bpy.types.Scene, bpy.types.Collection))
                                         for each in depsgraph.updates):        # what is hidden, what is selected
        _live.marked = True


@persistent
def _on_frame_change(scene, depsgraph=None) -> None:
    if _live is not None and depsgraph is not None and depsgraph.mode == "VIEWPORT":
        _live.marked = True


def tick() -> float | None:
    """One step; returns after how many seconds the next one is due, None where there is none."""
    live = _live
    if live is None:
        return None
    try:
        _step(live)
    except Exception as error:      # Blender would end the timer, and the switch would stay on
        if not isinstance(error, TouchpointError):
            log.error("%s failed", TITLE, exc_info=error)
        stop()
        session.set_message(sentence(error, TITLE))
    return None if _live is None else TICK_SECONDS


def _step(live: _Live) -> None:
    scene = next((each for each in bpy.data.scenes if each.session_uid == live.scene_uid), None)
    if scene is None:
        stop()
        return
    start, busy = time.perf_counter(), False
    if live.worker is not None:
        live.worker.do_handed_over()
        if live.worker.is_done():
            _take(live, scene)
            busy = True
    if live.worker is None and _is_free(live, scene):
        _see_modal_changes(scene)
        if _is_due(live, scene):
            with _in_window(scene):
                _ask(live, scene)
            busy = True
    if busy:
        now = time.perf_counter()
        live.pause_until = now + (now - start)


def _see_modal_changes(scene) -> None:
    """Let Blender evaluate what a modal operator, such as a drag, has changed. It would do so between this tick and its
    next redraw, and only every second redraw would show what was found of it."""
    for window in bpy.context.window_manager.windows:
        active = window.view_layer.objects.active
        mode = "OBJECT" if active is None else active.mode
        if window.scene == scene and len(window.modal_operators) and mode in DRAGGED_IN:
            window.view_layer.update()


def _is_free(live: _Live, scene) -> bool:
    """True where nothing else wants the time, and a window shows the scene."""
    if time.perf_counter() < live.pause_until or session.run() is not None or session.is_writing() or is_rendering():
        return False
    if not bpy.app.background and not any(window.scene == scene for window in bpy.context.window_manager.windows):
        return False
    return kernels.state.stage not in ("starting", "compiling") and not kernels.state.others_wait


def _is_due(live: _Live, scene) -> bool:
    """True where something has changed since the last reading: the scene, or the question."""
    now = session.replacements(), len(bpy.data.objects)
    asked = {"where": scope_of(scene), "how": how_of(scene), "style": style_of(scene)}
    if asked != live.asked:
        live.asked, live.sweep = asked, None
    elif now == (live.replacements, live.objects) and not live.marked:
        return False
    live.replacements, live.objects = now
    return True


def _in_window(scene):
    """The context of a window that shows the scene, and of its first 3D viewport, whose local view counts."""
    window = next((each for each in bpy.context.window_manager.windows if each.scene == scene), None)
    if window is None:
        return nullcontext()
    area: Any = next((each for each in window.screen.areas if each.type == "VIEW_3D"), None)
    return bpy.context.temp_override(window=window, area=area)


def _ask(live: _Live, scene) -> None:
    """Read the scene, and hand it to a worker."""
    how = live.asked["how"]
    if live.sweep is None or live.number % READINGS_PER_SWEEP == 0:
        live.sweep = questions.new_sweep(main_thread=lambda work: live.worker.on_main_thread(work), **how)
    live.number += 1
    try:
        live.snapshot = finished(reading(
            bpy.context, **live.asked["where"], rules=kept_rules(scene), follower=live.follower,
            takes_points=questions.takes_points(how["method"]), alone=how["self_collisions"],
            circles=False))
    except TouchpointError as refusal:
        _show(live, Answer(str(refusal)))
    else:
        _look_for_circles(live)
        sweep, number, snapshot = live.sweep, live.number, live.snapshot
        live.worker = Worker(lambda progress: questions.sweep_frame(sweep, number, snapshot, progress))
        live.worker.start()
    live.marked = False         # what the reading itself has evaluated is read
    if live.worker is not None and live.worker.wait(AT_ONCE_SECONDS):
        _take(live, scene)


def _look_for_circles(live: _Live) -> None:
    """Again only where something hangs on something else than before, as far as numbers tell."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    graph = depsgraph.debug_stats()
    if graph != live.graph:
        live.graph = graph
        live.in_circles = any(unsure for _, unsure in told_of_cycles(depsgraph, MOST_IN_LIVE))


def _take(live: _Live, scene) -> None:
    """Show what the worker found out."""
    worker, snapshot = live.worker, live.snapshot
    live.worker = live.snapshot = None
    assert worker is not None and snapshot is not None
    if isinstance(worker.error, TouchpointError):
        _show(live, Answer(str(worker.error)))
        return
    if worker.error is not None:
        raise worker.error
    report: Any = worker.result
    report.unit_scale, report.unsure = snapshot.unit_scale, snapshot.doubts.unsure or live.in_circles
    before, found = live.answer, answer_of(report, snapshot.core, live.asked["style"])
    _show(live, found)
    if stops_at_contact and before is not None and found.colliding - before.colliding:
        _stop_playing(scene, snapshot.frame)


def _show(live: _Live, found: Answer) -> None:
    before, live.answer = live.answer, found
    _redraw(before is None or before.text != found.text)


def _answer_in(scene) -> Answer | None:
    return _live.answer if _live is not None and scene.session_uid == _live.scene_uid else None


def _redraw(panel: bool) -> None:
    """Let 3D viewports be drawn again, and the sidebars where the text has changed."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "WINDOW":
                        region.tag_redraw()
    if panel:
        redraw_sidebars(bpy.context)


def _stop_playing(scene, frame: float) -> None:
    """Where the animation plays, stop at a frame."""
    for window in bpy.context.window_manager.windows:
        if window.scene == scene and window.screen.is_animation_playing:
            with bpy.context.temp_override(window=window):
                bpy.ops.screen.animation_cancel(restore_frame=False)
            show_frame(scene, frame)
            session.set_message(f"Stopped at frame {frame:g}: objects begin to collide.")
