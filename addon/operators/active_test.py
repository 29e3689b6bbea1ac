# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with the active test, by the settings and the rules that it has: Show, Why?, Learn."""
from typing import TYPE_CHECKING

import bpy

from .. import kernels, session
from ..learning import LearnRun
from ..named_tests.named_test import NamedTest
from ..named_tests.properties import NOT_RUN, OWN_RULES
from ..named_tests.run import ShownTestRun
from ..rules.kept import kept_rules
from ..why import WhyRun
from .detect import Detecting
from .learn_rules import Learning
from .modal import ModalRun
from .named_tests import OfActiveTest

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
            context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        return ShownTestRun(context, test)


class TOUCHPOINT_OT_why_test(ModalRun, bpy.types.Operator):
    """Say of the two selected objects what decides about them in the active test, at this frame. Nothing is changed"""

    bl_idname = "touchpoint.why_test"
    bl_label = "Why?"
    bl_options = {"REGISTER"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = why_not(context)
        return reason or ("" if len(context.view_layer.objects.selected) == 2 else "Select two objects")

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        first, second = (each.session_uid for each in context.view_layer.objects.selected)
        return WhyRun.of_test(context, active_test(context), (first, second))

    def done(self, answer: list[str]) -> str:
        session.set_message(" ".join(answer))
        return session.message()


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
