# SPDX-License-Identifier: GPL-3.0-or-later
"""Clear: as if neither Detect nor Compare had been clicked."""
import bpy

from .. import session


class TOUCHPOINT_OT_clear(bpy.types.Operator):
    """Remove the results and the comparison of this scene and give its objects their colours back"""

    bl_idname = "touchpoint.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if session.run() is not None:
            cls.poll_message_set(f"{session.run().title} is running")
            return False
        return context.scene is not None

    def execute(self, context):
        from ..write_back import clear

        session.set_message("")
        clear(context.scene)
        return {"FINISHED"}
