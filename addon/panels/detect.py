# SPDX-License-Identifier: GPL-3.0-or-later
"""The first panel: Detect, what to test, and what came of it."""
import bpy

from .. import kernels, session
from ..again import selected_before
from ..operators.modal import stage_text
from ..operators.open_example import TOUCHPOINT_MT_examples
from ..scene_read.scope import SCOPES
from ..style import colours_are_hidden, style_of
from .icons import square
from .layout import Sidebar, draw_changes, paragraph, progress
from .method import draw_slow
from .options import draw_options

PREPARING_TEXTS = {
    "compiling": "Preparing for the first run, once after installing. Detect can be clicked already: it waits.",
    "starting": "Loading the prepared kernels",
    "loading": "Loading the prepared kernels",
}


class TOUCHPOINT_PT_detect(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_detect"
    bl_label = "Detect"

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        self.layout.operator("touchpoint.help", text="", icon="QUESTION", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.touchpoint
        problem = kernels.problem()
        if problem:
            paragraph(layout.box(), context, problem, "ERROR")
        _draw_button(layout)
        if session.run() is None:
            draw_slow(layout, context, [settings.method])
            _draw_preparing(layout, context)
        if session.message():
            paragraph(layout, context, session.message(), "INFO")
            if session.offer():
                layout.operator(session.offer(), icon="VIEWZOOM")
        if settings.result.run_id:
            _draw_outcome(layout, context, settings.result)
        _draw_scope(layout, context, settings)
        draw_options(layout, context, settings)
        row = layout.row(align=True)
        if settings.result.run_id or settings.comparison.run_id:
            row.operator("touchpoint.clear", icon="TRASH")
        row.menu(TOUCHPOINT_MT_examples.bl_idname, icon="FILE_FOLDER")


def _draw_button(layout) -> None:
    """Detect; while it runs, a text in its place, and below how far it is and Cancel. So no bar gets under the mouse:
    Blender 4.3 would draw as a bar what comes after it, until the mouse moves."""
    run = session.run()
    row = layout.row()
    row.scale_y = 1.6
    if run is None:
        row.operator("touchpoint.detect", icon="VIEWZOOM")
    else:
        row.label(text=stage_text(run), icon="TIME")
        progress(layout, run)


def _draw_scope(layout, context, settings) -> None:
    column = layout.column(align=True)
    column.enabled = session.run() is None
    grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for scope in SCOPES:
        grid.prop_enum(settings, "scope", scope)
    if settings.scope == "COLLECTIONS":
        column.prop(settings, "collection_a", text="A")
        column.prop(settings, "collection_b", text="B")
    if selected_before(context):
        paragraph(column, context, "The selection comes from a row: Detect tests the objects of the last run again",
                  "INFO")
    column.separator()
    column.prop(settings, "clearance")


def _draw_preparing(layout, context) -> None:
    stage = kernels.state.stage
    if stage == "compiling":
        layout.progress(text=f"Preparing {kernels.state.fraction:.0%}", factor=kernels.state.fraction)
    if stage in PREPARING_TEXTS:
        paragraph(layout, context, PREPARING_TEXTS[stage], "TIME")
    elif stage == "failed":
        paragraph(layout, context, "Preparing ahead did not work; the first run prepares instead and takes longer.",
                  "INFO")


def _draw_outcome(layout, context, result) -> None:
    """The sentences about the last result."""
    column = layout.column(align=True)
    paragraph(column, context, result.headline,
              square(context.scene, result.pairs[0].verdict) if result.pairs else "CHECKMARK")
    details = column.column(align=True)
    details.active = False      # grey, so that the answer stands out
    for text in (result.question, result.tested, result.tolerance, result.contacts, result.uncoloured,
                 result.taken_away):
        if text:
            paragraph(details, context, text, "BLANK1")
    for note in result.notes.splitlines():
        paragraph(column, context, note, "BLANK1")
    if result.partial:
        paragraph(column, context, "Partial: the run was cancelled", "ERROR")
    if result.pairs_found and not result.pairs and not result.partial:
        paragraph(column, context, "The list of pairs cannot be read: another version of Touchpoint has written it",
                  "ERROR")
    _draw_doubts(column, context, result)
    if result.left_out_title:
        _draw_left_out(layout, context, result)


def _draw_doubts(layout, context, result) -> None:
    """What stands between the result and what the user sees now."""
    draw_changes(layout, context, result, "touchpoint.detect" if not result.animated else "touchpoint.check_animation")
    if not result.animated and context.scene.frame_float != result.frame:
        paragraph(layout, context, f"Tested at frame {result.frame:g}", "TIME")
    if _has_colours(context.scene, result) and colours_are_hidden(context.space_data):
        layout.operator("touchpoint.show_colours", icon="SHADING_SOLID")


def _has_colours(scene, result) -> bool:
    """True where objects have their colours from a result: of some verdicts they keep their own."""
    style = style_of(scene)
    return style.colour_objects and any(style.is_shown(verdict) for verdict in result.pairs.verdicts)


def _draw_left_out(layout, context, result) -> None:
    header, body = layout.panel("touchpoint_left_out", default_closed=True)
    header.label(text=result.left_out_title)
    if body is None:
        return
    for item in result.left_out:
        paragraph(body, context, f"{item.name}: {item.reason}")
