# SPDX-License-Identifier: GPL-3.0-or-later
"""How collisions are looked for: the method, what it does, where it comes from, its options."""
from collections.abc import Sequence
from typing import Any

import bpy

from ...core.declarations import declarations
from .. import session
from .layout import Sidebar, paragraph


class TOUCHPOINT_PT_method(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_method"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = ""
    bl_options = {"DEFAULT_CLOSED", "HEADER_LAYOUT_EXPAND"}

    def draw_header(self, context: bpy.types.Context) -> None:
        self.layout.enabled = session.run() is None
        self.layout.prop(context.scene.touchpoint, "method", text="Method")

    def draw(self, context: bpy.types.Context) -> None:
        column = self.layout.column()
        column.enabled = session.run() is None
        draw_method(column, context, context.scene.touchpoint)


def draw_slow(layout: bpy.types.UILayout, context: bpy.types.Context, methods: Sequence[str]) -> None:
    """Which of some methods take long, before they are started. methods: their ids."""
    for each in declarations():
        if each.id in methods and not each.compiled:
            paragraph(layout, context, f"{each.title} runs without compiled kernels: minutes where others take a "
                                       "second", "TIME")


def draw_method(layout: bpy.types.UILayout, context: bpy.types.Context, settings: Any) -> None:
    """The chosen method, and its options."""
    chosen = next((each for each in declarations() if each.id == settings.method), None)
    if chosen is None:      # saved by a version that had another method
        return
    column = layout.column(align=True)
    paragraph(column, context, f"{chosen.summary}.")
    if chosen.document:
        paragraph(column, context, chosen.document, "BOOKMARKS")
    if chosen.options:
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        options = getattr(settings.options, chosen.id)
        for option in chosen.options:
            chooses = option.automatic is not None and getattr(options, option.name) == option.automatic
            column.prop(options, option.name, text=f"{option.title} (Automatic)" if chooses else option.title)
