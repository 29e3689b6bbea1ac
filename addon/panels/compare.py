# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare: several methods on the same scene, and what each took, found and missed."""
import bpy

from ...core.declarations import declarations
from .. import session
from ..compare_phrases import DIFFERS, MISSED, SAME, UNKNOWN
from ..operators.modal import progress_text
from .layout import ICONS, Sidebar, paragraph

ROWS = 6
STATE_ICONS = {SAME: "CHECKMARK", DIFFERS: "INFO", MISSED: "ERROR", UNKNOWN: "QUESTION"}


class TOUCHPOINT_UL_compared(bpy.types.UIList):
    """One row per method: its time, and how its answer compares with the exact one."""

    bl_idname = "TOUCHPOINT_UL_compared"

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.split(factor=0.4)
        row.label(text=item.name, icon=STATE_ICONS.get(item.verdict, "NONE"))
        row = row.split(factor=0.5)
        row.label(text=item.seconds)
        row.label(text=item.found)


class TOUCHPOINT_UL_compared_pairs(bpy.types.UIList):
    """Pairs that a method missed, invented or judged otherwise."""

    bl_idname = "TOUCHPOINT_UL_compared_pairs"

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        layout.label(text=item.name, icon=ICONS.get(item.verdict, "NONE"))


class TOUCHPOINT_PT_compare(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_compare"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Compare"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout = self.layout
        settings = context.scene.touchpoint
        column = layout.column()
        column.enabled = session.run() is None
        _draw_methods(column, settings.compared_methods)
        column.prop(settings, "repeats")
        _draw_button(layout)
        if settings.comparison.run_id:
            _draw_comparison(layout, context, settings)


def _draw_button(layout) -> None:
    """Compare; while it runs, how far it is and Cancel."""
    run = session.run()
    if run is None or run.title != "Compare":
        layout.operator("touchpoint.compare", icon="SORTTIME")
        return
    column = layout.column(align=True)
    column.progress(text=progress_text(run), factor=run.progress.fraction)
    column.operator("touchpoint.cancel", text="Cancel (Esc)", icon="X")


def _draw_methods(layout, compared) -> None:
    """Which methods are compared; folded, how many."""
    header, body = layout.panel("touchpoint_compared_methods", default_closed=False)
    chosen = sum(getattr(compared, each.id) for each in declarations())
    header.label(text=f"Methods: {chosen} of {len(declarations())}")
    if body is not None:
        column = body.column(align=True)
        for each in declarations():
            column.prop(compared, each.id)


def _draw_comparison(layout, context, settings) -> None:
    kept = settings.comparison
    column = layout.column(align=True)
    paragraph(column, context, kept.headline)
    paragraph(column, context, kept.tested)
    if kept.partial:
        paragraph(column, context, "Partial: the comparison was cancelled", "ERROR")
    if session.is_outdated(kept.run_id):
        paragraph(column, context, "The scene has changed since", "FILE_REFRESH")
    if context.scene.frame_current_final != kept.frame:
        paragraph(column, context, f"Compared at frame {kept.frame:g}", "TIME")
    layout.template_list(TOUCHPOINT_UL_compared.bl_idname, "", kept, "rows", settings, "comparison_index", rows=ROWS)
    if 0 <= settings.comparison_index < len(kept.rows):
        _draw_row(layout, context, kept.rows[settings.comparison_index])


def _draw_row(layout, context, row) -> None:
    """Everything about the active method."""
    column = layout.column(align=True)
    paragraph(column, context, f"{row.name}: {row.agreement}", STATE_ICONS.get(row.verdict, "NONE"))
    for note in row.notes.splitlines():
        paragraph(column, context, note, "BLANK1")
    if row.pairs:
        layout.template_list(TOUCHPOINT_UL_compared_pairs.bl_idname, "", row, "pairs", row, "pair_index", rows=3)
        if row.pairs_found > len(row.pairs):
            paragraph(layout, context, f"The first {len(row.pairs):,} of {row.pairs_found:,} pairs are listed")
        if 0 <= row.pair_index < len(row.pairs):
            pair = row.pairs[row.pair_index]
            paragraph(layout, context, f"{pair.name}. {pair.line}", ICONS.get(pair.verdict, "NONE"))
    if row.times:
        _draw_table(layout, ("Stage", "First", "Again"), row.times)
        _draw_table(layout, ("", "", ""), row.counts)


def _draw_table(layout, titles, lines) -> None:
    """A name and right-aligned figures per line."""
    column = layout.box().column(align=True)
    column.scale_y = 0.8
    for name, first, again in (titles, *((each.name, each.first, each.again) for each in lines)):
        if not (name or first or again):
            continue
        row = column.split(factor=0.5)
        row.label(text=name)
        for figure in (first, again):
            cell = row.row()
            cell.alignment = "RIGHT"
            cell.label(text=figure)
