# SPDX-License-Identifier: GPL-3.0-or-later
"""Save Pictures: the worst pairs of the result as PNG files."""
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty, StringProperty

from ...core.errors import Refused, TouchpointError
from .. import gpu_backend, phrases, session, staleness
from ..pictures.names import MOST_PICTURES, folder_named, names_of
from ..pictures.saving import saved_in_pieces, why_none
from .export import TOUCHPOINT_OT_export
from .reasoned import Reasoned

if TYPE_CHECKING:
    from .reasoned import Outcome

PICTURE_TICK_SECONDS = 0.01
CHANGED_SINCE = "They show what was tested; the scene has changed since"
CANCELLED_PICTURES = "Cancelled: no picture was written"


class TOUCHPOINT_OT_save_pictures(Reasoned, bpy.types.Operator):
    """Draw the worst pairs of the result as PNG files into a folder, each from a side from which one sees it"""

    bl_idname = "touchpoint.save_pictures"
    bl_label = "Save Pictures"
    _folder_chosen = False      # by somebody in a window

    directory: StringProperty(subtype="DIR_PATH")
    most: IntProperty(name="Pictures", description="How many pairs to draw, the worst first", default=MOST_PICTURES,
                      min=1)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if session.run() is not None:
            return f"{session.run().title} is running"
        return (TOUCHPOINT_OT_export.why_not(context) or why_none(session.report_of(context.scene))
                or gpu_backend.known_reason())

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> "Outcome":
        self._folder_chosen = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        """Where the folder was chosen in a window, a picture at each tick, so that Esc is heard; in scripts all of them
        now."""
        report = session.report_of(context.scene)
        names = names_of(report, self.most)
        self._said = written(len(names), self.directory, context.scene.touchpoint.result)
        try:
            self._pieces = saved_in_pieces(report, self._folder(), names, context)
        except TouchpointError as error:
            return self._fail(str(error))
        self._timer: bpy.types.Timer | None = None
        context.window_manager.progress_begin(0, len(names))
        if not self._folder_chosen or context.window is None:
            outcome = self._go_on(context)
            while "RUNNING_MODAL" in outcome:
                outcome = self._go_on(context)
            return outcome
        self._timer = context.window_manager.event_timer_add(PICTURE_TICK_SECONDS, window=context.window)
        context.window_manager.modal_handler_add(self)
        if context.workspace is not None:
            context.workspace.status_text_set("Touchpoint: Saving pictures     Esc: Cancel")
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, CANCELLED_PICTURES)
            return {"CANCELLED"}
        # All else waits: an edit between two pictures would be in some of them.
        return self._go_on(context) if event.type == "TIMER" else {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, or Esc: no file is written."""
        self._pieces.close()
        self._tidy(context)

    def _folder(self) -> Path:
        """Raises Refused where there is none."""
        if self.directory.startswith("//") and not bpy.data.filepath:
            raise Refused("Save the file first: the folder is one beside it.")
        return folder_named(bpy.path.abspath(self.directory))

    def _go_on(self, context: bpy.types.Context) -> "Outcome":
        """Draw one picture."""
        try:
            context.window_manager.progress_update(next(self._pieces))
            return {"RUNNING_MODAL"}
        except StopIteration:
            self._tidy(context)
        except TouchpointError as error:
            self._tidy(context)
            return self._fail(str(error))
        except OSError as error:
            self._tidy(context)
            return self._fail(f"{error.filename or self.directory} cannot be written: {error.strerror or error}")
        except BaseException:
            self._tidy(context)
            raise
        self.report({"INFO"}, self._said)
        return {"FINISHED"}

    def _fail(self, sentence: str) -> "Outcome":
        self.report({"ERROR"}, sentence)
        return {"CANCELLED"}

    def _tidy(self, context: bpy.types.Context) -> None:
        context.window_manager.progress_end()
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
            if context.workspace is not None:
                context.workspace.status_text_set(None)


def written(count: int, directory: str, result: Any) -> str:
    """What the user reads of pictures of a result."""
    changed = f". {CHANGED_SINCE}" if staleness.is_stale(result) else ""
    return f"Written: {phrases.count(count, 'picture')} in {directory}{changed}"
