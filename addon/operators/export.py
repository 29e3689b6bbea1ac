# SPDX-License-Identifier: GPL-3.0-or-later
"""Export: the report of the result as a file, and the command line that finds the same."""
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...core.export import write_csv, write_json
from .. import session
from ..command_line import command_of, why_no_command
from ..identified import identified
from .reasoned import Reasoned

if TYPE_CHECKING:
    from .reasoned import Outcome

KINDS = {"JSON": (".json", write_json), "CSV": (".csv", write_csv)}


class TOUCHPOINT_OT_export(Reasoned, ExportHelper, bpy.types.Operator):
    """Write the report of the result into a file: all pairs and contacts as JSON, or a line per pair as CSV"""

    bl_idname = "touchpoint.export"
    bl_label = "Export Report"

    filename_ext = ""
    filepath: StringProperty(subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json;*.csv", options={"HIDDEN"})
    kind: EnumProperty(name="Format", items=(
        ("JSON", "JSON", "Everything that is known of each pair, with the points of its contacts"),
        ("CSV", "CSV", "One line per pair, for spreadsheets")))
    identify_by: StringProperty(
        name="Identify By",
        description="A custom property of the objects, such as GlobalId, to be written beside their names")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if not context.scene.touchpoint.result.run_id:
            return "There is no result: run Detect first"
        if session.report_of(context.scene) is None:
            return "The result came with the file, without its report: run Detect again"
        return ""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":  # type: ignore[override]
        self.filename_ext = KINDS[self.kind][0]
        return super().invoke(context, event)  # type: ignore[return-value]

    def check(self, _context: bpy.types.Context) -> bool:  # type: ignore[override]
        self.filename_ext = KINDS[self.kind][0]
        stem = self.filepath.removesuffix(".json").removesuffix(".csv")
        changed = self.filepath != stem + self.filename_ext
        self.filepath = stem + self.filename_ext
        return changed

    def execute(self, context: bpy.types.Context) -> "Outcome":
        ending, write = KINDS[self.kind]
        path = bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ending)
        try:
            write(identified(session.report_of(context.scene), self.identify_by.strip()), path)
        except OSError as error:
            self.report({"ERROR"}, f"{path} cannot be written: {error.strerror or error}")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Written: {path}")
        return {"FINISHED"}


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
