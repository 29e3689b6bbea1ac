# SPDX-License-Identifier: GPL-3.0-or-later
"""Touchpoint in the Object menu of 3D views, where the search finds it, too."""
from typing import Any

import bpy

from ..operators.open_example import TOUCHPOINT_MT_examples

OPERATORS: Any = (
    ("touchpoint.detect", "VIEWZOOM"), ("touchpoint.check_animation", "TIME"), ("touchpoint.why", "QUESTION"),
    ("touchpoint.compare", "SORTTIME"), ("touchpoint.export", "EXPORT"), ("touchpoint.copy_command", "COPYDOWN"),
    ("touchpoint.clear", "TRASH"), ("touchpoint.help", "QUESTION"))


class TOUCHPOINT_MT_object(bpy.types.Menu):
    bl_idname = "TOUCHPOINT_MT_object"
    bl_label = "Touchpoint"

    def draw(self, context: bpy.types.Context) -> None:
        settings = context.scene.touchpoint
        for operator, icon in OPERATORS:
            if operator != "touchpoint.clear" or settings.result.run_id or settings.comparison.run_id:
                self.layout.operator(operator, icon=icon)
        self.layout.menu(TOUCHPOINT_MT_examples.bl_idname, icon="FILE_FOLDER")


def draw_in_menu(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(TOUCHPOINT_MT_object.bl_idname)
