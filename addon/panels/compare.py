# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare: several methods on the same scene, and what each took, found and missed."""
from typing import Any

import bpy

from ...core.declarations import declarations
from .. import session
from ..compare_phrases import DIFFERS, MISSED, SAME, UNKNOWN
from ..default_colours import VERDICT_COLOURS
from ..method_properties import compared_methods
from .icons import square
from .layout import Sidebar, draw_changes, label, paragraph
from .method import draw_slow

COMPARED_ROWS = 6
STATE_ICONS = {SAME: "CHECKMARK", DIFFERS: "INFO", MISSED: "ERROR", UNKNOWN: "QUESTION"}


class TOUCHPOINT_UL_compared(bpy.types.UIList):
    """One row per method: its time, and how its answer compares with the exact one."""

    bl_idname = "TOUCHPOINT_UL_compared"

    def draw_item(self, context: bpy.types.Context, layout: bpy.types.UILayout, data: Any, item: Any, icon: int | None,
                  active_data: Any, active_property: str | None, index: int | None = 0,
                  flt_flag: int | None = 0) -> None:
        # Where the answer is the exact one, the icon says so, and the name may have the room.
        told = "" if item.verdict == SAME else item.found
        row = layout.split(factor=0.48 if told else 0.72)
        row.label(text=item.name, icon=STATE_ICONS.get(item.verdict, "NONE"))  # type: ignore[arg-type]
        if told:
            row = row.split(factor=0.52)
            row.label(text=told)
        _figure(row, item.seconds)


class TOUCHPOINT_UL_compared_pairs(bpy.types.UIList):
    """Pairs that a method missed, invented or judged otherwise."""

    bl_idname = "TOUCHPOINT_UL_compared_pairs"

    def draw_item(self, context: bpy.types.Context, layout: bpy.types.UILayout, data: Any, item: Any, icon: int | None,
                  active_data: Any, active_property: str | None, index: int | None = 0,
                  flt_flag: int | None = 0) -> None:
        label(layout, item.name, _icon(context, item))


class TOUCHPOINT_PT_compare(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_compare"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Compare"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.touchpoint
        column = layout.column()
        column.enabled = session.run() is None
        _draw_methods(column, settings.compared_methods)
        column.prop(settings, "compare_frames")
        column.prop(settings, "repeats")
        if session.run() is None:
            draw_slow(layout, context, [method for method, _ in compared_methods(settings)])
        layout.operator("touchpoint.compare", icon="SORTTIME")
        if settings.comparison.run_id:
            _draw_comparison(layout, context, settings)


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
    for note in kept.notes.splitlines():
        paragraph(column, context, note)
    if kept.partial:
        paragraph(column, context, "Partial: the comparison was cancelled", "ERROR")
    draw_changes(column, context, kept, "touchpoint.compare")
    if not kept.over_frames and context.scene.frame_float != kept.frame:
        paragraph(column, context, f"Compared at frame {kept.frame:g}", "TIME")
    layout.template_list(TOUCHPOINT_UL_compared.bl_idname, "", kept, "rows", context.window_manager.touchpoint,
                         "compared_index", rows=COMPARED_ROWS)
    if 0 <= settings.comparison_index < len(kept.rows):
        _draw_row(layout, context, kept.rows[settings.comparison_index])


def _draw_row(layout, context, row) -> None:
    """Everything about the active method."""
    column = layout.column(align=True)
    paragraph(column, context, row.name, STATE_ICONS.get(row.verdict, "NONE"))
    for note in (row.agreement, *row.notes.splitlines()):
        paragraph(column, context, note, "BLANK1")
    if row.pairs:
        layout.template_list(TOUCHPOINT_UL_compared_pairs.bl_idname, "", row, "pairs",
                             context.window_manager.touchpoint, "compared_pair_index", rows=3)
        if row.pairs_found > len(row.pairs):
            paragraph(layout, context, f"The first {len(row.pairs):,} of {row.pairs_found:,} pairs are listed")
        if 0 <= row.pair_index < len(row.pairs):
            pair = row.pairs[row.pair_index]
            paragraph(layout, context, f"{pair.name}. {pair.line}", _icon(context, pair))
    if row.times:
        _draw_table(layout, [("Stage", "First Run", "Best Repeat"),
                             *((each.name, each.first, each.again) for each in row.times)])
        _draw_table(layout, [(each.name, each.again) for each in row.counts])


def _icon(context, pair) -> str | int:
    """A square for its verdict, which a method may have invented."""
    return square(context.scene, pair.verdict) if pair.verdict in VERDICT_COLOURS else "NONE"


def _draw_table(layout, rows) -> None:
    """A name and right-aligned figures per line."""
    column = layout.box().column(align=True)
    column.scale_y = 0.8
    for name, *figures in rows:
        row = column.split(factor=1.0 - 0.24 * len(figures))
        row.label(text=name)
        for figure in figures:
            _figure(row, figure)


def _figure(layout, text: str) -> None:
    cell = layout.row()
    cell.alignment = "RIGHT"
    cell.label(text=text)
