# SPDX-License-Identifier: GPL-3.0-or-later
"""Live: the switch, and what is known at the moment."""
import bpy

from .. import kernels
from ..live import engine
from .icons import square
from .layout import Sidebar, paragraph


class TOUCHPOINT_PT_live(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_live"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Live"

    def draw_header(self, context: bpy.types.Context) -> None:
        self.layout.active = not kernels.problem()
        self.layout.prop(context.window_manager.touchpoint, "live", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        window = context.window_manager.touchpoint
        row = layout.row()
        row.active = window.live
        row.prop(window, "stop_at_contact")
        answer = engine.answer()
        if answer is None:
            return
        column = layout.column(align=True)
        paragraph(column, context, answer.headline, square(context.scene, answer.rows[0][1]) if answer.rows
                  else "CHECKMARK")
        for names, verdict, figure in answer.rows:
            paragraph(column, context, f"{names}: {figure}" if figure else names, square(context.scene, verdict))
        if answer.more:
            paragraph(column, context, f"{answer.more:,} more", "BLANK1")
