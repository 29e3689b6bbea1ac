# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare."""
import bpy

from .. import compare_phrases
from ..method_properties import compared_methods
from ..run import CompareRun, scope_of
from .modal import ModalRun, why_not


class TOUCHPOINT_OT_compare(ModalRun, bpy.types.Operator):
    """Run the chosen methods on what Detect would test, and show what each took, found and missed"""

    bl_idname = "touchpoint.compare"
    bl_label = "Compare"
    bl_options = {"REGISTER", "UNDO"}

    def new_run(self, context):
        return CompareRun(context)

    @staticmethod
    def why_not(context) -> str:
        reason = why_not(context)
        if not reason and not compared_methods(context.scene.touchpoint):
            return "Choose at least one method"
        return reason

    def run_at_once(self, context):
        from .. import api
        from ..write_back.comparing import write_comparison

        settings = context.scene.touchpoint
        comparison = api.compare(compared_methods(settings), repeats=settings.repeats, clearance=settings.clearance,
                                 context=context, **scope_of(context.scene))
        write_comparison(settings, comparison)
        return comparison

    def done(self, comparison) -> str:
        return compare_phrases.headline(comparison)
