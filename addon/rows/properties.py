# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's list in the panel holds: a place for each row of a page. It belongs to the window manager, so that no
undo step has it."""
from typing import Any

import bpy
from bpy.props import IntProperty, StringProperty
from bpy.types import PropertyGroup

from ...core.shown import escaped
from .. import phrases
from .kept import rows_of
from .shown import groups_in, page_of


def _line(listed) -> str:
    scene = bpy.context.scene
    page = page_of(scene)
    if listed.place >= len(page):
        return ""
    line = int(page[listed.place])
    if line < 0:
        groups = groups_in(scene)
        worst = rows_of(scene.touchpoint.result)[int(groups.rows[groups.start[~line]])]
        said = f"{phrases.count(groups.size(~line), 'pair')}: {escaped(groups.title(~line))}"
        return f"{said}. The first one: {worst.name}, {worst.line}"
    row = rows_of(scene.touchpoint.result)[line]
    when = f". Frames {row.when}" if row.when else ""
    return f"{row.name}: {row.line}{when}"


class TOUCHPOINT_PG_listed(PropertyGroup):
    """A place in the list."""

    place: IntProperty()
    line: StringProperty(get=_line)     # all about its row, for the tooltip


def make_places(window: Any, count: int) -> None:
    """Let the list have so many places at least. They are never removed, as another window may be drawing them; the
    list hides those that its page has no row for. window: `WindowManager.touchpoint`."""
    for place in range(len(window.listed), count):
        window.listed.add().place = place


CLASSES = (TOUCHPOINT_PG_listed,)
