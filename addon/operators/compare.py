# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare."""
from typing import TYPE_CHECKING

import bpy

from .. import compare_phrases
from ..animation.compare_run import CompareFramesRun
from ..method_properties import compared_methods
from ..run import CompareRun
from .modal import ModalRun, why_not

if TYPE_CHECKING:
    from ...core.comparison import Comparison
    from ..pumped_run import PumpedRun


class TOUCHPOINT_OT_compare(ModalRun, bpy.types.Operator):
    """Run the chosen methods on what Detect would test, and show what each took, found and missed"""

    bl_idname = "touchpoint.compare"
    bl_label = "Compare"
    bl_options = {"REGISTER", "UNDO"}

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        over_frames = context.scene.touchpoint.compare_frames
        return (CompareFramesRun if over_frames else CompareRun).of_settings(context)

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        reason = why_not(context)
        if not reason and not compared_methods(context.scene.touchpoint):
            return "Choose at least one method"
        return reason

    def done(self, comparison: "Comparison") -> str:
        return compare_phrases.headline(comparison)
