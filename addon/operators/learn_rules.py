# SPDX-License-Identifier: GPL-3.0-or-later
"""Learn."""
from typing import TYPE_CHECKING

import bpy

from .. import phrases
from ..learning import LearnRun
from .modal import ModalRun, needs_interval, why_not

if TYPE_CHECKING:
    from ...core.rules import Rule
    from ..pumped_run import PumpedRun


class Learning(ModalRun):
    """What both operators do that learn: Blender finds no class that was registered and is inherited from."""

    def done(self, rule: "Rule | None") -> str:
        if rule is None:
            return "Nothing meets there: no rule was made"
        return f"{rule.reason}: {phrases.count(len(rule.pairs), 'pair')}"


class TOUCHPOINT_OT_learn_rules(Learning, bpy.types.Operator):
    """Make a rule of the pairs that meet now, in the rest pose, or in some frames: they are normal. Pairs that a rule
    takes away already are not learned again"""

    bl_idname = "touchpoint.learn_rules"
    bl_label = "Learn"
    bl_options = {"REGISTER", "UNDO"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = why_not(context)
        if not reason and context.scene.library is not None:
            return "The scene is linked from another file"
        return reason or needs_interval(context)

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        return LearnRun.of_settings(context)
