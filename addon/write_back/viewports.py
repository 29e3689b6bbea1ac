# SPDX-License-Identifier: GPL-3.0-or-later
"""3D viewports that show the objects' colours, and their way back.

Each screen carries the colour types its viewports had. Blender's undo leaves screens alone, so handlers.py calls
these functions after an undo that removed or brought back results.
"""
from typing import Any

import bpy

from ..names import SHADING_BEFORE

UNTOUCHED = ""      # stands for a viewport that was not in solid mode, or that showed the objects' colours already


def follow(coloured: bool) -> None:
    """Show the objects' colours while there are some to show, and the user's own choice otherwise."""
    if coloured:
        show_object_colours()
    else:
        restore_viewports()


def show_object_colours() -> None:
    """Let the solid 3D viewports of all open windows show the objects' colours."""
    for screen in {window.screen for window in bpy.context.window_manager.windows}:
        views = _views(screen)
        before = _colour_types_before(screen)
        if len(before) != len(views):
            before = [UNTOUCHED] * len(views)
        for number, view in enumerate(views):
            if view.shading.type == "SOLID" and view.shading.color_type != "OBJECT":
                before[number] = view.shading.color_type
                view.shading.color_type = "OBJECT"
        if any(before):
            screen[SHADING_BEFORE] = before


def restore_viewports() -> None:
    """Put the colour types back, except where the user has chosen another one since."""
    for screen in bpy.data.screens:
        if screen.get(SHADING_BEFORE) is None:
            continue
        before, views = _colour_types_before(screen), _views(screen)
        if len(before) != len(views):       # the user split or joined areas, which are no longer told apart
            before = [next(filter(None, before), UNTOUCHED)] * len(views)
        for view, color_type in zip(views, before):
            if color_type != UNTOUCHED and view.shading.color_type == "OBJECT":
                view.shading.color_type = color_type
        del screen[SHADING_BEFORE]


def _colour_types_before(screen) -> list[str]:
    """What the custom property of a screen says, as far as it makes sense."""
    color_type: Any = bpy.types.View3DShading.bl_rna.properties["color_type"]
    known = color_type.enum_items.keys()
    kept = screen.get(SHADING_BEFORE)
    return [each if each in known else UNTOUCHED for each in kept] if isinstance(kept, list) else []


def _views(screen) -> list:
    """The 3D viewports of a screen, also those in areas that show another editor at the moment."""
    return [space for area in screen.areas for space in area.spaces if space.type == "VIEW_3D"]
