# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect, and Cancel."""
from typing import TYPE_CHECKING

import bpy

from .. import phrases, session
from ..run import DetectRun
from ..scene_read.refusals import OnlyOne
from .modal import ModalRun, needs_interval, why_not

if TYPE_CHECKING:
    from ...core.report import Report
    from ..pumped_run import PumpedRun
    from .reasoned import Outcome


class Detecting(ModalRun):
    """What both operators do that detect: Blender finds no class that was registered and is inherited from."""

    @staticmethod
    def why_not(context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        return why_not(context) or needs_interval(context)

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        return DetectRun.of_settings(context)

    def offer(self, error: BaseException) -> str:
        return "touchpoint.detect_with_itself" if isinstance(error, OnlyOne) else ""

    def done(self, report: "Report") -> str:
        taken = phrases.taken_away(report)
        tested = f"{phrases.count(len(report.objects), 'object')} tested"
        return f"{phrases.headline(report)} ({tested}{f', {taken}' if taken else ''})"


class TOUCHPOINT_OT_detect(Detecting, bpy.types.Operator):
    """Find the pairs of objects that collide, colour them and mark where they meet"""

    bl_idname = "touchpoint.detect"
    bl_label = "Detect"
    bl_options = {"REGISTER", "UNDO"}


class TOUCHPOINT_OT_detect_with_itself(Detecting, bpy.types.Operator):
    """Switch on Self-Collisions and detect: where the surface passes through itself or lies on itself"""

    bl_idname = "touchpoint.detect_with_itself"
    bl_label = "Test It with Itself"
    bl_options = {"REGISTER", "UNDO"}

    def new_run(self, context: bpy.types.Context) -> "PumpedRun":
        context.scene.touchpoint.self_collisions = True
        return super().new_run(context)


class TOUCHPOINT_OT_cancel(bpy.types.Operator):
    """Stop; what was found so far is kept and marked as partial"""

    bl_idname = "touchpoint.cancel"
    bl_label = "Cancel"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        if session.run() is None:
            cls.poll_message_set("Nothing is running")
            return False
        return True

    def execute(self, _context: bpy.types.Context) -> "Outcome":
        session.run().cancel()
        return {"FINISHED"}
