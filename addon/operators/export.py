# SPDX-License-Identifier: GPL-3.0-or-later
"""Export: the report of the result as a file, and the command line that finds the same."""
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from .. import gpu_backend, session
from ..command_line import command_of, why_no_command
from ..identified import identified
from ..pictures.names import MOST_PICTURES
from ..pictures.saving import why_none
from ..reports.saving import ENDINGS, WITH_PICTURES, said_of_rest, saved_in_pieces
from .in_pieces import InPieces
from .reasoned import Reasoned

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_export(InPieces, ExportHelper, bpy.types.Operator):
    """Write the report of the result into a file: for people, for spreadsheets and for other programs"""

    bl_idname = "touchpoint.export"
    bl_label = "Export Report"
    _chosen = False     # by somebody in a window

    filename_ext = ""
    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default=";".join(f"*{ending}" for ending in ENDINGS.values()), options={"HIDDEN"})
    kind: EnumProperty(name="Format", items=(
        ("JSON", "JSON", "Everything that is known of each pair, with the points of its contacts"),
        ("CSV", "CSV", "One line per pair, for spreadsheets"),
        ("HTML", "Web Page", "A page for people, the worst pairs first, in one file"),
        ("JUNIT", "JUnit XML", "One case per pair, for build servers, which show them as tests"),
        ("BCF", "BCF 2.1", "One issue with a viewpoint per pair, for programs that check building models")))
    pictures: BoolProperty(name="Pictures", description=f"Draw the worst {MOST_PICTURES} pairs into the file",
                           default=True)
    identify_by: StringProperty(
        name="Identify By",
        description="A custom property of the objects, such as GlobalId, to be written beside their names")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if session.run() is not None:
            return f"{session.run().title} is running"
        if not context.scene.touchpoint.result.run_id:
            return "There is no result: run Detect first"
        if session.report_of(context.scene) is None:
            return "The result came with the file, without its report: run Detect again"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":  # type: ignore[override]
        self.filename_ext, self._chosen = ENDINGS[self.kind], True
        return super().invoke(context, event)  # type: ignore[return-value]

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "kind")
        layout.prop(self, "identify_by")
        if self.kind not in WITH_PICTURES:
            return
        reason = self._why_no_pictures(context)
        if reason:
            layout.label(text=f"Without pictures: {reason}", icon="INFO")
        else:
            layout.prop(self, "pictures")

    def check(self, _context: bpy.types.Context) -> bool:  # type: ignore[override]
        self.filename_ext = ENDINGS[self.kind]
        stem = next((self.filepath.removesuffix(ending) for ending in ENDINGS.values()
                     if self.filepath.endswith(ending)), self.filepath)
        changed = self.filepath != stem + self.filename_ext
        self.filepath = stem + self.filename_ext
        return changed

    def execute(self, context: bpy.types.Context) -> "Outcome":
        path = bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ENDINGS[self.kind])
        drawn = self.kind in WITH_PICTURES and self.pictures and self._can_draw(context)
        report = identified(session.report_of(context.scene), self.identify_by.strip())
        pieces = saved_in_pieces(report, Path(path), MOST_PICTURES if drawn else 0, context)
        done = ". ".join(filter(None, (f"Written: {path}", said_of_rest(report, self.kind))))
        return self.begin(context, pieces, f"Writing {Path(path).name}:", path, done, self._chosen)

    def _why_no_pictures(self, context: bpy.types.Context) -> str:
        return why_none(session.report_of(context.scene)) or gpu_backend.known_reason()

    def _can_draw(self, context: bpy.types.Context) -> bool:
        return not self._why_no_pictures(context) and not isinstance(gpu_backend.obtain(), str)


class TOUCHPOINT_OT_copy_command(Reasoned, bpy.types.Operator):
    """Copy the command line that asks the same of the saved file, for build servers and other terminals"""

    bl_idname = "touchpoint.copy_command"
    bl_label = "Copy Command Line"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        return why_no_command(context.scene)

    def execute(self, context: bpy.types.Context) -> "Outcome":
        text = command_of(context.scene)
        context.window_manager.clipboard = text
        said = " The file has changes that are not saved." if bpy.data.is_dirty else ""
        self.report({"INFO"}, f"Copied: {text}{said}")
        return {"FINISHED"}


CLASSES = (TOUCHPOINT_OT_export, TOUCHPOINT_OT_copy_command)
