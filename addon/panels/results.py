# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of pairs."""
from typing import Any

import bpy
from bpy.props import EnumProperty

from .. import staleness
from ..operators.select_pair import is_with_itself
from ..phrases import ALL, FIGURES, MEANINGS, VERDICT_TITLES
from .icons import square
from .layout import CHANGED, Sidebar, draw_walk, paragraph

ROWS = 8
WIDTHS = 0.42, 0.53      # of the name, and of the verdict in what that leaves


def draw_columns(layout, name: str, square_of_verdict: int, verdict: str, figure: str, icon: str = "NONE") -> None:
    """A row of the list, or the titles above it. square_of_verdict: number of the icon, 0 for none; icon: behind the
    figure."""
    row = layout.split(factor=WIDTHS[0])
    row.label(text=name, icon_value=square_of_verdict)
    rest = row.split(factor=WIDTHS[1])
    rest.label(text=verdict)
    last = rest.row()
    last.alignment = "RIGHT"
    last.label(text=figure, icon=icon)


class TOUCHPOINT_UL_pairs(bpy.types.UIList):
    """Pairs that are not clear; the worst come first unless another order is chosen."""

    bl_idname = "TOUCHPOINT_UL_pairs"

    order: EnumProperty(name="Order", items=(
        ("WORST", "Worst First", "By verdict, then by depth, where it was measured, and number of contacts"),
        ("CONTACTS", "Contacts", "Most contacts first"),
        ("NAME", "Name", "By name"),
    ))

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        changed = staleness.change_of(data, item)       # the figure is not true any more then
        draw_columns(layout, item.name, square(context.scene, item.verdict), VERDICT_TITLES[item.verdict],
                     "" if changed else item.figure, CHANGED if changed else "NONE")

    def draw_filter(self, _context, layout):
        row = layout.row(align=True)
        row.prop(self, "filter_name", text="", icon="VIEWZOOM")
        row.prop(self, "use_filter_invert", text="", icon="ARROW_LEFTRIGHT")
        row = layout.row(align=True)
        row.prop(self, "order", text="")
        row.prop(self, "use_filter_sort_reverse", text="", icon="SORT_DESC")

    def filter_items(self, context, data, propname):
        pairs = getattr(data, propname)
        helpers = bpy.types.UI_UL_list
        flags: Any = [self.bitflag_filter_item] * len(pairs)
        if self.filter_name:
            flags = helpers.filter_items_by_name(self.filter_name, self.bitflag_filter_item, pairs, "name")
            if self.use_filter_invert:
                flags = [flag ^ self.bitflag_filter_item for flag in flags]
        wanted = context.scene.touchpoint.show_verdict
        if wanted != ALL:
            flags = [flag if pair.verdict == wanted else 0 for flag, pair in zip(flags, pairs)]
        return flags, self._order(pairs, helpers)

    def _order(self, pairs, helpers) -> list[int]:
        if self.order == "NAME":
            return helpers.sort_items_by_name(pairs, "name")
        if self.order == "CONTACTS":
            return helpers.sort_items_helper([(row, -pair.contacts) for row, pair in enumerate(pairs)],
                                             lambda entry: entry[1])
        return []


class TOUCHPOINT_PT_results(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_results"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Results"

    @classmethod
    def poll(cls, context):
        return bool(context.scene.touchpoint.result.pairs)

    def draw(self, context):
        layout = self.layout
        settings = context.scene.touchpoint
        result = settings.result
        _draw_containers(layout, context, result)
        layout.prop(settings, "show_verdict", text="")
        draw_columns(layout.column(), "Pair", 0, "Verdict", "Frames" if result.animated else "Depth/Gap")
        layout.template_list(TOUCHPOINT_UL_pairs.bl_idname, "", result, "pairs", context.window_manager.touchpoint,
                             "pair_index", rows=ROWS, item_dyntip_propname="line")
        draw_walk(layout)
        if result.pairs_found > len(result.pairs):
            paragraph(layout, context, f"The worst {len(result.pairs):,} of {result.pairs_found:,} pairs are listed")
        if 0 <= settings.pair_index < len(result.pairs):
            _draw_pair(layout, context, result, result.pairs[settings.pair_index])
        row = layout.row(align=True)
        row.operator("touchpoint.export", text="Export", icon="EXPORT")
        row.operator("touchpoint.save_pictures", text="Pictures", icon="IMAGE_DATA")
        row.operator("touchpoint.copy_command", text="Command Line", icon="COPYDOWN")
        _draw_legend(layout, context)


def _draw_legend(layout, context) -> None:
    """What verdicts and numbers mean."""
    header, body = layout.panel("touchpoint_legend", default_closed=True)
    header.label(text="What It Means")
    if body is not None:
        for verdict, meaning in MEANINGS.items():
            paragraph(body, context, f"{VERDICT_TITLES[verdict]}: {meaning}", square(context.scene, verdict))
        for each in FIGURES:
            paragraph(body, context, each, "BLANK1")


def _draw_containers(layout, context, result) -> None:
    """Objects that contain many, each with the offer to make it a shell."""
    for number, item in enumerate(result.containers):
        column = layout.column(align=True)
        paragraph(column, context, item.name, "MESH_CUBE")
        column.operator("touchpoint.mark_shell").container = number


def _draw_pair(layout, context, result, pair) -> None:
    """The active row in full; in the list a long name is cut."""
    column = layout.column(align=True)
    paragraph(column, context, pair.name, square(context.scene, pair.verdict))
    changed = staleness.change_of(result, pair)
    if changed:
        paragraph(column, context, f"{changed} since then", CHANGED)
    if pair.when:
        paragraph(column, context, f"Frames {pair.when}", "BLANK1")
        layout.operator("touchpoint.preview_interval", icon="PREVIEW_RANGE")
        if not is_with_itself(pair):
            layout.operator("touchpoint.gap_curve", icon="FCURVE")
    paragraph(column, context, pair.line, "BLANK1")
    if not is_with_itself(pair):
        layout.operator("touchpoint.ignore_pair", icon="HIDE_ON").index = -1
    if pair.holder:
        layout.operator("touchpoint.mark_shell", icon="MESH_CUBE").container = -1
    if pair.holder and pair.verdict == "cannot tell":
        layout.operator("touchpoint.select_border", icon="EDGESEL")
