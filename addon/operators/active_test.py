# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with the active test, by the settings and the rules that it has: Show, Why?, Learn."""
from typing import TYPE_CHECKING

import bpy

from .. import kernels
from ..learning import LearnRun
from ..named_tests.named_test import NamedTest
from ..named_tests.properties import NOT_RUN, OWN_RULES
from ..named_tests.run import ShownTestRun
from ..rules.kept import kept_rules
from ..scene_read.users_frame import come_to_frame
from ..why import WhyRun
from .detect import Detecting
from .learn_rules import Learning
from .named_tests import OfActiveTest
from .why import Explaining, two_selected, why_not_two

if TYPE_CHECKING:
    from ..pumped_run import PumpedRun


def why_not(context: bpy.types.Context) -> str:
    """Why the active test cannot be asked now, "" when it can."""
    return OfActiveTest.why_not(context) or kernels.problem() or ""


def active_test(context: bpy.types.Context) -> NamedTest:
    """The active test as it is to be asked. Raises Refused where it makes no sense."""
    settings = context.scene.touchpoint
    return NamedTest.of(settings.tests[settings.test_index], kept_rules(context.scene))


class TOUCHPOINT_OT_show_test(Detecting, bpy.types.Operator):
    """Detect as the active test asks, with its rules, and show what it finds. Of a test with frames: at the frame that
    its last run tells of"""

    bl_idname = "touchpoint.show_test"
    bl_label = "Show"
    bl_options = {"REGISTER", "UNDO"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        return why_not(context)

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        item, test = context.scene.touchpoint.tests[context.scene.touchpoint.test_index], active_test(context)
        if test.frames:
            frame = item.frame if item.code != NOT_RUN and item.frame in test.frames else test.frames[0]
            come_to_frame(context, frame)
        return ShownTestRun(context, test)


class TOUCHPOINT_OT_why_test(Explaining, bpy.types.Operator):
    """Say of the two selected objects what decides about them in the active test, at this frame. Nothing is changed"""

    bl_idname = "touchpoint.why_test"
    bl_label = "Why?"
    bl_options = {"REGISTER"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        return why_not(context) or why_not_two(context)

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        return WhyRun.of_test(context, active_test(context), two_selected(context))


class TOUCHPOINT_OT_learn_test_rules(Learning, bpy.types.Operator):
    """Make a rule of the active test of what meets in it now, in the rest pose, or in some frames: it is normal"""

    bl_idname = "touchpoint.learn_test_rules"
    bl_label = "Learn"
    bl_options = {"REGISTER", "UNDO"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = why_not(context)
        settings = getattr(context.scene, "touchpoint", None)
        if not reason and settings.tests[settings.test_index].asked_rules != OWN_RULES:
            return "The active test has no rules of its own"
        return reason

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        return LearnRun.of_test(context, active_test(context))


CLASSES = (TOUCHPOINT_OT_show_test, TOUCHPOINT_OT_why_test, TOUCHPOINT_OT_learn_test_rules)
