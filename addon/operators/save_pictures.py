# SPDX-License-Identifier: GPL-3.0-or-later
"""Save Pictures: the worst pairs of the result as PNG files."""
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty, StringProperty

from ...core.errors import TouchpointError
from ...core.files import Outputs
from .. import gpu_backend, phrases, session
from ..pictures.names import MOST_PICTURES, names_of
from ..pictures.saving import check_gpu, drawn_into, why_none
from .export import TOUCHPOINT_OT_export
from .reasoned import Reasoned

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_save_pictures(Reasoned, bpy.types.Operator):
    """Draw the worst pairs of the result as PNG files into a folder, each from a side from which one sees it"""

    bl_idname = "touchpoint.save_pictures"
    bl_label = "Save Pictures"

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
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        folder, report = Path(bpy.path.abspath(self.directory)), session.report_of(context.scene)
        names, manager = names_of(report, self.most), context.window_manager
        manager.progress_begin(0, len(names))
        try:
            check_gpu()
            with Outputs() as outputs:
                for number in drawn_into(outputs, report, folder, names, context):
                    manager.progress_update(number)
        except TouchpointError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        except OSError as error:
            self.report({"ERROR"}, f"{error.filename or folder} cannot be written: {error.strerror or error}")
            return {"CANCELLED"}
        finally:
            manager.progress_end()
        self.report({"INFO"}, f"Written: {phrases.count(len(names), 'picture')} in {folder}")
        return {"FINISHED"}
