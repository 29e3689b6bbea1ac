# SPDX-License-Identifier: GPL-3.0-or-later
"""`Ticks`: what an operator has of a window while it goes on there: a timer, and a text in the status bar. Blender
takes neither away where the add-on is disabled, and asks the operator nothing then."""
from typing import ClassVar

import bpy


class Ticks:
    """A timer, and what is said meanwhile, until `end`."""

    going: "ClassVar[list[Ticks]]" = []     # of all operators

    def __init__(self, context: bpy.types.Context, seconds: float):
        """seconds: from one tick to the next one."""
        self._timer = context.window_manager.event_timer_add(seconds, window=context.window)
        self._workspaces: set[int] = set()      # by session_uid
        self.going.append(self)

    def say(self, context: bpy.types.Context, text: str) -> None:
        """In the status bar."""
        if context.workspace is not None:
            self._workspaces.add(context.workspace.session_uid)
            context.workspace.status_text_set(text)

    def end(self, context: bpy.types.Context) -> None:
        """Take all of it away, once."""
        if self not in self.going:
            return
        self.going.remove(self)
        context.window_manager.event_timer_remove(self._timer)
        for each in context.blend_data.workspaces:
            if each.session_uid in self._workspaces:
                each.status_text_set(None)


def end_all() -> None:
    """The add-on is disabled."""
    for each in list(Ticks.going):
        each.end(bpy.context)
