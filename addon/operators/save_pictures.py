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
from .in_pieces import InPieces

if TYPE_CHECKING:
    from .reasoned import Outcome

CHANGED_SINCE = "They show what was tested; the scene has changed since"


class TOUCHPOINT_OT_save_pictures(InPieces, bpy.types.Operator):
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
        try:
            pieces = saved_in_pieces(report, self._folder(), names, context)
        except TouchpointError as error:
            return self.fail(str(error))
        return self.begin(context, pieces, "Saving pictures", self.directory,
                          written(len(names), self.directory, context.scene.touchpoint.result), self._folder_chosen)

    def _folder(self) -> Path:
        """Raises Refused where there is none."""
        if self.directory.startswith("//") and not bpy.data.filepath:
            raise Refused("Save the file first: the folder is one beside it.")
        return folder_named(bpy.path.abspath(self.directory))


def written(count: int, directory: str, result: Any) -> str:
    """What the user reads of pictures of a result."""
    changed = f". {CHANGED_SINCE}" if staleness.is_stale(result) else ""
    return f"Written: {phrases.count(count, 'picture')} in {directory}{changed}"
