# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect, and Cancel."""
import bpy

from .. import phrases, session
from ..run import DetectRun
from .modal import ModalRun, why_not


class TOUCHPOINT_OT_detect(ModalRun, bpy.types.Operator):
    """Find the pairs of objects that collide, colour them and mark where they meet"""

    bl_idname = "touchpoint.detect"
    bl_label = "Detect"
    bl_options = {"REGISTER", "UNDO"}

    why_not = staticmethod(why_not)

    def new_run(self, context):
        return DetectRun.of_settings(context)

    def done(self, report) -> str:
        taken = phrases.taken_away(report)
        tested = f"{phrases.count(len(report.objects), 'object')} tested"
        return f"{phrases.headline(report)} ({tested}{f', {taken}' if taken else ''})"


class TOUCHPOINT_OT_cancel(bpy.types.Operator):
    """Stop; what was found so far is kept and marked as partial"""

    bl_idname = "touchpoint.cancel"
    bl_label = "Cancel"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context):
        if session.run() is None:
            cls.poll_message_set("Nothing is running")
            return False
        return True

    def execute(self, _context):
        session.run().cancel()
        return {"FINISHED"}
