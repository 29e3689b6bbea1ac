# SPDX-License-Identifier: GPL-3.0-or-later
"""Save Pictures: the worst pairs of the result as PNG files."""
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import bpy
from bpy.props import IntProperty, StringProperty

from ...core.errors import TouchpointError
from ...core.files import Outputs
from .. import gpu_backend, session
from ..pictures.names import MOST_PICTURES, names_of
from ..pictures.saving import check_gpu, drawn_into, why_none
from .export import TOUCHPOINT_OT_export
from .modal import TICK_SECONDS
from .reasoned import Reasoned


class TOUCHPOINT_OT_save_pictures(Reasoned, bpy.types.Operator):
    """Draw the worst pairs of the result as PNG files into a folder, each from a side from which one sees it"""

    bl_idname = "touchpoint.save_pictures"
    bl_label = "Save Pictures"

    directory: StringProperty(subtype="DIR_PATH")
    most: IntProperty(name="Pictures", description="How many pairs to draw, the worst first", default=MOST_PICTURES,
                      min=1)

    @classmethod
    def why_not(cls, context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if session.run() is not None:
            return f"{session.run().title} is running"
        return (TOUCHPOINT_OT_export.why_not(context) or why_none(session.report_of(context.scene))
                or gpu_backend.known_reason())

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        """In a window: one picture per tick. Elsewhere: all of them."""
        self._folder, self._timer = Path(bpy.path.abspath(self.directory)), None
        try:
            check_gpu()
        except TouchpointError as error:
            return self._refuse(str(error))
        report = session.report_of(context.scene)
        self._names = names_of(report, self.most)
        self._drawing = _drawing(report, self._folder, self._names, context)
        if bpy.app.background or context.window is None:
            while True:
                ended = self._next()
                if ended:
                    return ended
        self._timer = context.window_manager.event_timer_add(TICK_SECONDS, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, "No pictures were saved")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        ended = self._next()
        if ended:
            self.cancel(context)
        return ended or {"PASS_THROUGH"}

    def cancel(self, context):
        """Leave no timer and no files that are not complete."""
        self._drawing.close()
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None
        if context.workspace is not None:
            context.workspace.status_text_set(None)

    def _next(self) -> set[str]:
        """Draw one picture. Returns what the operator ends with, nothing where there are more to draw."""
        try:
            number = next(self._drawing)
        except StopIteration:
            self.report({"INFO"}, f"Written: {len(self._names)} pictures in {self._folder}")
            return {"FINISHED"}
        except TouchpointError as error:
            return self._refuse(str(error))
        except OSError as error:
            return self._refuse(f"{error.filename or self._folder} cannot be written: "
                                f"{error.strerror or error}")
        workspace = bpy.context.workspace
        if workspace is not None:
            workspace.status_text_set(f"Touchpoint: picture {number} of {len(self._names)}     Esc: Cancel")
        return set()

    def _refuse(self, sentence: str) -> set[str]:
        self.report({"ERROR"}, sentence)
        return {"CANCELLED"}


def _drawing(report, folder: Path, names: dict[int, str], context) -> Generator[int, None, None]:
    """Gives the number of each picture. All files are replaced at the end, none where it is closed before."""
    with Outputs() as outputs, closing(drawn_into(outputs, report, folder, names, context)) as drawn:
        yield from drawn
