# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets a 3D viewport show what was coloured."""
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_show_colours(bpy.types.Operator):
    """Switch this 3D viewport to solid shading in the objects' colours"""

    bl_idname = "touchpoint.show_colours"
    bl_label = "Show Colours"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.space_data is None or context.space_data.type != "VIEW_3D":
            cls.poll_message_set("This works in a 3D viewport only")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> "Outcome":
        from ..write_back.viewports import show_object_colours

        context.space_data.shading.type = "SOLID"
        show_object_colours()
        return {"FINISHED"}
