# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules: the list, the active one, and what they took away."""
from typing import Any

import bpy

from ...core.rules.rule import COLLECTIONS, PAIRS
from .. import phrases, session
from ..operators.rules import TEST_OF_MENU, has_active_rule
from ..operators.select_pair import is_with_itself
from ..rules.kept import described, unfinished
from ..rules.properties import FRAMES
from .layout import Sidebar, paragraph

RULE_ROWS = 4
PAIRS_SHOWN = 5
NUMBERED = "Instances have numbers: where others come or go, a number may come to mean another instance"


class TOUCHPOINT_UL_rules(bpy.types.UIList):
    """One row per rule: on or off, what it says."""

    bl_idname = "TOUCHPOINT_UL_rules"

    def draw_item(self, context: bpy.types.Context, layout: bpy.types.UILayout, data: Any, item: Any, icon: int | None,
                  active_data: Any, active_property: str | None, index: int | None = 0,
                  flt_flag: int | None = 0) -> None:
        row = layout.row(align=True)
        row.prop(item, "enabled", text="", emboss=False, icon="CHECKBOX_HLT" if item.enabled else "CHECKBOX_DEHLT")
        row.label(text=item.name or described(item), icon="ERROR" if unfinished(item) else "NONE")


class TOUCHPOINT_PT_rules(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_rules"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Rules"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.touchpoint
        column = layout.column()
        column.enabled = session.run() is None
        draw_rule_list(column, context, settings)
        draw_learning(column, settings, "touchpoint.learn_rules")
        layout.operator("touchpoint.why", icon="QUESTION")
        if settings.result.taken_away:
            _draw_taken_away(layout, context, settings.result)


def draw_rule_list(layout: bpy.types.UILayout, context: bpy.types.Context, holder: Any, test: int = -1) -> None:
    """The rules of a scene's settings, or of the active test, in row `test` of the list of tests."""
    row = layout.row()
    row.template_list(TOUCHPOINT_UL_rules.bl_idname, "" if test < 0 else "test", holder, "rules", holder, "rule_index",
                      rows=RULE_ROWS)
    buttons = row.column(align=True)
    if test >= 0:
        buttons.context_pointer_set(TEST_OF_MENU, holder)
    _draw_buttons(buttons, test, has_active_rule(holder))
    if has_active_rule(holder):
        _draw_rule(layout, context, holder.rules[holder.rule_index])


def _draw_buttons(column, test: int, is_chosen: bool) -> None:
    column.menu("TOUCHPOINT_MT_add_rule", text="", icon="ADD")
    of_chosen = column.column(align=True)
    of_chosen.enabled = is_chosen
    of_chosen.operator("touchpoint.remove_rule", text="", icon="REMOVE").test = test
    column.menu("TOUCHPOINT_MT_rules", text="", icon="DOWNARROW_HLT")
    column.separator()
    of_chosen = column.column(align=True)
    of_chosen.enabled = is_chosen
    for direction in ("UP", "DOWN"):
        move = of_chosen.operator("touchpoint.move_rule", text="", icon=f"TRIA_{direction}")
        move.direction, move.test = direction, test


def _draw_rule(layout, context, item) -> None:
    """The active rule in full."""
    column = layout.column()
    paragraph(column, context, described(item))
    column.prop(item, "name")
    if item.kind == COLLECTIONS:
        column.prop(item, "collection_a", text="A")
        column.prop(item, "collection_b", text="B")
    row = column.row(heading="Allowed Depth")
    row.prop(item, "is_tested", text="")
    depth = row.row()
    depth.active = item.is_tested
    depth.prop(item, "allowed_depth", text="")
    if item.kind == PAIRS and len(item.pairs) > 1:
        for pair in item.pairs[:PAIRS_SHOWN]:
            paragraph(column, context, described(pair), "DOT")
        if len(item.pairs) > PAIRS_SHOWN:
            paragraph(column, context, f"… and {phrases.count(len(item.pairs) - PAIRS_SHOWN, 'more pair')}", "BLANK1")
    if any(pair.instance_a or pair.instance_b for pair in item.pairs):
        paragraph(column, context, NUMBERED, "INFO")
    if unfinished(item):
        paragraph(column, context, unfinished(item), "ERROR")


def draw_learning(layout: bpy.types.UILayout, settings: Any, operator: str) -> None:
    """From what to learn, and the button: `operator` is what it does."""
    row = layout.row(align=True)
    row.prop(settings, "learn_from", text="")
    if settings.learn_from == FRAMES:
        row.prop(settings, "learn_samples", text="")
    layout.operator(operator, icon="IMPORT")


def _draw_taken_away(layout, context, result) -> None:
    """What the rules of the last run took away."""
    header, body = layout.panel("touchpoint_taken_away", default_closed=True)
    header.label(text=result.taken_away)
    if body is None:
        return
    for rule in result.rule_lines:
        paragraph(body, context, f"{rule.name}: {rule.reason}")
    for pair in result.taken:
        paragraph(body, context, f"{pair.name}: {pair.reason}", "DOT")
    if result.taken_found > len(result.taken):
        paragraph(body, context, f"The first {len(result.taken):,} of {result.taken_found:,} pairs are listed")


def draw_in_list_menu(self, context: bpy.types.Context) -> None:
    """In the menu of a right-click on the list of pairs."""
    ui_list = getattr(context, "ui_list", None)
    if ui_list is None or ui_list.bl_idname != "TOUCHPOINT_UL_pairs":
        return
    settings = context.scene.touchpoint
    if 0 <= settings.pair_index < len(settings.result.pairs):
        name = settings.result.pairs[settings.pair_index].name
        if is_with_itself(settings.result.pairs[settings.pair_index]):
            return
        ignore = self.layout.operator("touchpoint.ignore_pair", text=f"Ignore {name}", translate=False, icon="HIDE_ON")
        ignore.index = -1


CLASSES = (TOUCHPOINT_UL_rules, TOUCHPOINT_PT_rules)
