# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's list in the panel holds: a place for each row of a page. It belongs to the window manager, so that no
undo step has it."""
import bpy
from bpy.props import IntProperty, StringProperty
from bpy.types import PropertyGroup

from .kept import rows_of
from .shown import page_of


def _line(listed) -> str:
    scene = bpy.context.scene
    page = page_of(scene)
    return rows_of(scene.touchpoint.result)[int(page[listed.place])].line if listed.place < len(page) else ""


class TOUCHPOINT_PG_listed(PropertyGroup):
    """A place in the list."""

    place: IntProperty()
    line: StringProperty(get=_line)     # all about its row, for the tooltip


def make_places(window, count: int) -> None:
    """Let the list have so many places at least. They are never removed, as another window may be drawing them; the
    list hides those that its page has no row for. window: `WindowManager.touchpoint`."""
    for place in range(len(window.listed), count):
        window.listed.add().place = place


CLASSES = (TOUCHPOINT_PG_listed,)
