# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of tests: add one of the current settings, remove, use, run."""
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty

from ...core.errors import TouchpointError
from .. import kernels, phrases
from ..named_tests.files import add_tests, read_tests, write_tests
from ..named_tests.properties import NEW_NAME
from ..named_tests.run import TestsRun
from ..question_properties import copy_question
from ..scene_read.scope import OF_SELECTION
from .modal import ModalRun, needs_interval
from .rules import OfFile, RuleOperator

if TYPE_CHECKING:
    from ..named_tests.run import Ended
    from ..pumped_run import PumpedRun
    from .reasoned import Outcome


class OfActiveTest(RuleOperator):
    """Those that concern the active test."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        reason = super().why_not(context)
        settings = getattr(context.scene, "touchpoint", None)
        if not reason and not 0 <= settings.test_index < len(settings.tests):
            return "No test is chosen in the list"
        return reason


class TOUCHPOINT_OT_add_test(RuleOperator, bpy.types.Operator):
    """Keep what Detect would do now as a test: scope, collections, clearance, tolerance, method"""

    bl_idname = "touchpoint.add_test"
    bl_label = "Add Test"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        reason = super().why_not(context)
        if not reason and context.scene.touchpoint.scope in OF_SELECTION:
            return "A selection is not kept: test all visible objects, or two collections"
        return reason or needs_interval(context)

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        item = settings.tests.add()
        copy_question(settings, item)
        item.name = NEW_NAME
        settings.test_index = len(settings.tests) - 1
        return {"FINISHED"}


class TOUCHPOINT_OT_remove_test(OfActiveTest, bpy.types.Operator):
    """Remove the active test"""

    bl_idname = "touchpoint.remove_test"
    bl_label = "Remove Test"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        settings.tests.remove(settings.test_index)
        settings.test_index = min(settings.test_index, len(settings.tests) - 1)
        return {"FINISHED"}


class TOUCHPOINT_OT_use_test(OfActiveTest, bpy.types.Operator):
    """Set scope, collections, clearance, tolerance and method as in the active test, so that Detect shows what it
    finds"""

    bl_idname = "touchpoint.use_test"
    bl_label = "Use Settings"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        copy_question(settings.tests[settings.test_index], settings)
        return {"FINISHED"}


class TOUCHPOINT_OT_run_tests(ModalRun, bpy.types.Operator):
    """Run the active test, or all of them, and say how each ended. Results, colours and marks stay as they are"""

    bl_idname = "touchpoint.run_tests"
    bl_label = "Run"
    bl_options = {"REGISTER", "UNDO"}

    every: BoolProperty(name="All", description="Run all tests of the list", default=True)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = RuleOperator.why_not(context) or kernels.problem() or ""
        if not reason and not context.scene.touchpoint.tests:
            return "There are no tests: add one"
        return reason

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        settings = context.scene.touchpoint
        active = min(max(settings.test_index, 0), len(settings.tests) - 1)      # anybody can set it
        chosen = settings.tests if self.every else [settings.tests[active]]
        return TestsRun(context, [each.name for each in chosen], shown=True)

    def done(self, ended: "list[Ended]") -> str:
        if len(ended) == 1:
            return f"{ended[0].name}: {ended[0].line}"
        failed = sum(each.code != 0 for each in ended)
        return f"{phrases.count(len(ended), 'test')}: {f'{failed:,} did not pass' if failed else 'all passed'}"


class TOUCHPOINT_OT_import_tests(OfFile, bpy.types.Operator):
    """Append the tests of a JSON file to the list"""

    bl_idname = "touchpoint.import_tests"
    bl_label = "Import Tests"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        try:
            tests = read_tests(bpy.path.abspath(self.filepath))
            add_tests(context.scene, tests)
        except (TouchpointError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{phrases.count(len(tests), 'test')} imported")
        return {"FINISHED"}


class TOUCHPOINT_OT_export_tests(OfFile, bpy.types.Operator):
    """Write the tests of the list as a JSON file, for other scenes and for the command line"""

    bl_idname = "touchpoint.export_tests"
    bl_label = "Export Tests"
    bl_options = {"REGISTER"}

    check_existing: BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        reason = super().why_not(context)
        return reason or ("" if len(context.scene.touchpoint.tests) else "There are no tests: add one")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> "Outcome":
        self.filepath = "tests.json"
        return super().invoke(context, event)

    def execute(self, context: bpy.types.Context) -> "Outcome":
        try:
            write_tests(context.scene, bpy.path.abspath(self.filepath))
        except (TouchpointError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{phrases.count(len(context.scene.touchpoint.tests), 'test')} exported")
        return {"FINISHED"}


class TOUCHPOINT_MT_tests(bpy.types.Menu):
    bl_idname = "TOUCHPOINT_MT_tests"
    bl_label = "Tests"

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.operator(TOUCHPOINT_OT_import_tests.bl_idname, text="Import…", icon="IMPORT")
        self.layout.operator(TOUCHPOINT_OT_export_tests.bl_idname, text="Export…", icon="EXPORT")


CLASSES = (TOUCHPOINT_OT_add_test, TOUCHPOINT_OT_remove_test, TOUCHPOINT_OT_use_test, TOUCHPOINT_OT_run_tests,
           TOUCHPOINT_OT_import_tests, TOUCHPOINT_OT_export_tests, TOUCHPOINT_MT_tests)
