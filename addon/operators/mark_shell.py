# SPDX-License-Identifier: GPL-3.0-or-later
"""A room, a tunnel, a package: from now on what is inside is clear."""
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty

from ...core.shown import escaped
from .. import session
from ..listed import find_object
from ..names import name_of

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_mark_shell(bpy.types.Operator):
    """Mark the object that contains others as a shell: only what meets its surface collides with it"""

    bl_idname = "touchpoint.mark_shell"
    bl_label = "Treat as Shell"
    bl_options = {"REGISTER", "UNDO"}

    container: IntProperty(
        name="Container", default=-1,
        description="Which of the objects that contain many, from 0; -1 for the one that contains the other one of "
                    "the active pair")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.scene is None or not context.scene.touchpoint.result.pairs:
            cls.poll_message_set("There is no result: run Detect first")
            return False
        if session.run() is not None:
            cls.poll_message_set("A run is going on")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        found = self._object(settings)
        if found is None:
            self.report({"WARNING"}, "There is no such object, or it was deleted since")
            return {"CANCELLED"}
        if not found.is_editable:
            self.report({"WARNING"}, f"{escaped(name_of(found))} is linked from another file and cannot be marked here")
            return {"CANCELLED"}
        found.touchpoint.shell = True
        self.report({"INFO"}, f"{escaped(name_of(found))} is a shell from now on: run Detect again")
        return {"FINISHED"}

    def _object(self, settings):
        result = settings.result
        if 0 <= self.container < len(result.containers):
            return find_object(result, result.containers[self.container], "a")
        if self.container == -1 and 0 <= settings.pair_index < len(result.pairs):
            pair = result.pairs[settings.pair_index]
            return find_object(result, pair, pair.holder) if pair.holder else None
        return None
