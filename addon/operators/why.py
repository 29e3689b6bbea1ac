# SPDX-License-Identifier: GPL-3.0-or-later
"""Why?"""
from typing import TYPE_CHECKING

import bpy

from .. import session
from ..method_properties import as_typed
from ..rules.kept import kept_rules
from ..run import scope_of
from ..tolerance_properties import tolerance_of
from ..why import WhyRun
from .modal import ModalRun, why_not

if TYPE_CHECKING:
    from ..pumped_run import PumpedRun


class TOUCHPOINT_OT_why(ModalRun, bpy.types.Operator):
    """Say of the two selected objects what decides whether they are in the results: a rule, their boxes or their
    surfaces, and how far they are apart or how deep they are. Nothing is changed"""

    bl_idname = "touchpoint.why"
    bl_label = "Why?"
    bl_options = {"REGISTER"}

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = why_not(context)
        if not reason and len(context.view_layer.objects.selected) != 2:
            return "Select two objects"
        return reason

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        scene = context.scene
        chosen = context.view_layer.objects.selected
        return WhyRun(context, {**scope_of(scene), "rules": kept_rules(scene)},
                      (chosen[0].session_uid, chosen[1].session_uid), clearance=scene.touchpoint.clearance,
                      tolerance=tolerance_of(scene.touchpoint), weld=as_typed(scene.touchpoint.weld))

    def done(self, answer: list[str]) -> str:
        session.set_message(" ".join(answer))
        return session.message()
