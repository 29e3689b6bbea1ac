# SPDX-License-Identifier: GPL-3.0-or-later
"""Clear: as if neither Detect nor Compare had been clicked."""
from typing import TYPE_CHECKING

import bpy

from .. import session

if TYPE_CHECKING:
    from .reasoned import Outcome


class Clearing:
    """What both operators do that clear."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if session.run() is not None:
            cls.poll_message_set(f"{session.run().title} is running")  # type: ignore[attr-defined]
            return False
        return context.scene is not None


class TOUCHPOINT_OT_clear(Clearing, bpy.types.Operator):
    """Remove the results and the comparison of this scene and give its objects their colours back"""

    bl_idname = "touchpoint.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> "Outcome":
        from ..write_back import clear

        session.set_message("")
        clear(context.scene)
        return {"FINISHED"}


class TOUCHPOINT_OT_clear_file(Clearing, bpy.types.Operator):
    """Remove the results and comparisons of all scenes of this file and give their objects their colours back"""

    bl_idname = "touchpoint.clear_file"
    bl_label = "Clear This File"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, _context: bpy.types.Context) -> "Outcome":
        from ..write_back import clear

        session.set_message("")
        clear()
        return {"FINISHED"}
