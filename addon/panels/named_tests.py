# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests: the list, the active one, and how each ended."""
from typing import Any

import bpy

from .. import session
from ..named_tests.properties import COLLECTIONS, NOT_RUN, OWN_RULES
from .layout import Sidebar, paragraph
from .rules import draw_learning, draw_rule_list

TEST_ROWS = 3
ICONS = {NOT_RUN: "BLANK1", 0: "CHECKMARK", 1: "ERROR", 2: "QUESTION", 3: "CANCEL"}     # of exit codes


class TOUCHPOINT_UL_tests(bpy.types.UIList):
    """One row per test: its name, and how it ended."""

    bl_idname = "TOUCHPOINT_UL_tests"

    def draw_item(self, context: bpy.types.Context, layout: bpy.types.UILayout, data: Any, item: Any, icon: int | None,
                  active_data: Any, active_property: str | None, index: int | None = 0,
                  flt_flag: int | None = 0) -> None:
        layout.prop(item, "name", text="", emboss=False, icon=ICONS.get(item.code, "BLANK1"))  # type: ignore[arg-type]


class TOUCHPOINT_PT_tests(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_tests"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Tests"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.touchpoint
        column = layout.column()
        column.enabled = session.run() is None
        row = column.row()
        row.template_list(TOUCHPOINT_UL_tests.bl_idname, "", settings, "tests", settings, "test_index", rows=TEST_ROWS)
        buttons = row.column(align=True)
        buttons.operator("touchpoint.add_test", text="", icon="ADD")
        buttons.operator("touchpoint.remove_test", text="", icon="REMOVE")
        buttons.menu("TOUCHPOINT_MT_tests", text="", icon="DOWNARROW_HLT")
        if 0 <= settings.test_index < len(settings.tests):
            _draw_test(column, context, settings)
        if settings.tests:
            row = layout.row(align=True)
            row.operator("touchpoint.run_tests", text="Run").every = False
            row.operator("touchpoint.run_tests", text="Run All").every = True


def _draw_test(layout, context, settings) -> None:
    """The active test in full."""
    test = settings.tests[settings.test_index]
    if test.code != NOT_RUN:
        paragraph(layout, context, test.line, ICONS.get(test.code, "NONE"))
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    column.prop(test, "scope")
    if test.scope == COLLECTIONS:
        column.prop(test, "collection_a", text="A")
        column.prop(test, "collection_b", text="B")
    column.prop(test, "clearance")
    column.prop(test, "tolerance_kind")
    if test.tolerance_kind == "LENGTH":
        column.prop(test, "tolerance")
    column.prop(test, "weld")
    column.prop(test, "self_collisions")
    column.prop(test, "method")
    column.prop(test, "frames")
    column.prop(test, "asked_rules")
    if test.asked_rules == OWN_RULES:
        draw_rule_list(layout, context, test, settings.test_index)
        draw_learning(layout, settings, "touchpoint.learn_test_rules")
    row = layout.row(align=True)
    row.operator("touchpoint.show_test", icon="VIEWZOOM")
    row.operator("touchpoint.why_test", icon="QUESTION")
    layout.operator("touchpoint.use_test")


CLASSES = (TOUCHPOINT_UL_tests, TOUCHPOINT_PT_tests)
