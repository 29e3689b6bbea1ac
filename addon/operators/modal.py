# SPDX-License-Identifier: GPL-3.0-or-later
"""What Detect and Compare share: they pump a run, tick by tick in a window, to its end in a script; progress, Esc, and
ends of all kinds."""
import logging
import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import bpy

from ...core import TouchpointError
from .. import kernels, phrases, session
from ..method_properties import follower_of, no_gpu_for
from ..rest import rest_text
from ..scene_read.scope import OF_SELECTION
from .reasoned import Reasoned
from .ticks import Ticks, end_all

if TYPE_CHECKING:
    from ..pumped_run import PumpedRun
    from .reasoned import Outcome

MODAL_TICK_SECONDS = 0.05
PIECES_SECONDS = 0.1    # of reading or writing, until Blender may draw and look at the keyboard
STOP_SECONDS = 2.0      # for kernels to notice that Blender ends; one that is being compiled is not waited for

log = logging.getLogger(__name__)


class ModalRun(Reasoned):
    """An operator that asks a question in a thread. What Detect and Compare do differently comes first."""

    # Blender's classes have a metaclass of their own, which rules out ABCMeta: the marks are for readers and for mypy.

    @abstractmethod
    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        """A `run.PumpedRun` that shows its answer."""

    @abstractmethod
    def done(self, answer: Any) -> str:
        """What the user reads of a result."""

    def offer(self, error: BaseException) -> str:
        """The id of an operator that helps with an error, "" for none."""
        return ""

    def execute(self, context: bpy.types.Context) -> "Outcome":
        """In scripts and without a window: blocks until the result is written."""
        session.set_message("")
        try:
            run = self.new_run(context)
            session.set_run(run)
            return self._succeed(run.complete())
        except Exception as error:
            return self._fail(error)
        finally:
            session.set_run(None)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> "Outcome":
        """In a window: returns at once. The scene is read on the first tick, so that the panel says so by then."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        session.set_message("")
        self._run = self.new_run(context)
        self._shown: str | None = None
        self._ticks = Ticks(context, MODAL_TICK_SECONDS)
        session.set_run(self._run)
        context.window_manager.modal_handler_add(self)
        self._show_progress(context)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":
        try:
            return self._step(context, event)
        except Exception as error:      # Blender would end the operator and leave timer, status text and run behind
            self._tidy(context)
            return self._fail(error)

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator: another file, or the window closes."""
        self._run.abandon()
        self._tidy(context)

    def _step(self, context, event):
        run = self._run
        if run.abandoned:               # another file was loaded meanwhile
            self._tidy(context)
            return {"CANCELLED"}
        if event.type == "ESC" and event.value == "PRESS":
            run.cancel()
            self._show_progress(context)
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":       # an edit between two pieces of the writing would be mixed up with them
            return {"RUNNING_MODAL"} if run.is_writing else {"PASS_THROUGH"}
        if run.pump(PIECES_SECONDS):
            self._tidy(context)
            return self._succeed(run.answer)
        self._show_progress(context)
        return {"PASS_THROUGH"}

    def _show_progress(self, context) -> None:
        """In the status bar and the panel, when it changed."""
        text = progress_text(self._run)
        if text == self._shown:
            return
        self._shown = text
        self._ticks.say(context, f"Touchpoint: {text}     Esc: Cancel")
        redraw_sidebars(context)

    def _tidy(self, context) -> None:
        if session.run() is self._run:
            session.set_run(None)
        self._ticks.end(context)
        redraw_sidebars(context)

    def _succeed(self, answer):
        self.report({"INFO"}, self.done(answer))
        return {"FINISHED"}

    def _fail(self, error: BaseException):
        """Say it in a sentence; the console gets the traceback of what should not have happened."""
        if not isinstance(error, (TouchpointError, MemoryError)):
            log.error("%s failed", self.bl_label, exc_info=error)
        session.set_message(sentence(error, self.bl_label), self.offer(error))
        self.report({"WARNING"}, session.message())
        return {"CANCELLED"}


def why_not(context: bpy.types.Context) -> str:
    """Why nothing can be tested now, "" when it can."""
    if session.run() is not None:
        return f"{session.run().title} is running already"
    problem = kernels.problem()
    if problem:
        return problem
    if context.scene is None:
        return "There is no scene"
    settings = context.scene.touchpoint
    if settings.scope == "COLLECTIONS" and not (settings.collection_a and settings.collection_b):
        return "Choose the collections A and B"
    if settings.scope in OF_SELECTION and not context.view_layer.objects.selected:
        return "Nothing is selected"
    return ""


def progress_text(run: "PumpedRun") -> str:
    """Of a run, for the status bar."""
    return ", ".join(filter(None, (stage_text(run), left_text(run))))


def stage_text(run: "PumpedRun") -> str:
    """What a run does, and how far that is."""
    if _is_ending(run):
        return "Cancelling"
    progress = run.progress
    return phrases.stage(progress.stage) + (f" {progress.fraction:.0%}" if progress.fraction > 0.0 else "")


def left_text(run: "PumpedRun") -> str:
    """How long a run will still take, "" where nobody knows."""
    seconds = None if _is_ending(run) else run.rest.seconds(run.progress, time.monotonic())
    return "" if seconds is None else rest_text(seconds, run.rest.is_least(run.progress.stage))


def _is_ending(run) -> bool:
    return run.is_cancelled or run.abandoned


def sentence(error: BaseException, title: str = "Detect") -> str:
    """What the user reads when a run ended without a result."""
    if isinstance(error, TouchpointError):
        return str(error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this scene. Test fewer objects at a time, or simplify them."
    return f"{title} stopped because of a fault in Touchpoint: {error}. The system console has the details."


def redraw_sidebars(context: bpy.types.Context) -> None:
    """Only these: redrawing whole 3D views on each tick would slow the run down."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


def stop_run() -> None:
    """The add-on is disabled, or Blender ends."""
    run = session.run()
    session.reset()
    end_all()
    if run is not None:
        run.wait(STOP_SECONDS)


def needs_interval(context: bpy.types.Context) -> str:
    """Why the chosen method cannot test a single frame, "" where it can."""
    title = follower_of(context.scene.touchpoint)
    if title:
        return f"{title} needs an interval: use Check Animation, or choose another method"
    return no_gpu_for(context.scene.touchpoint)
