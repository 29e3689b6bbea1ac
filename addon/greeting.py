# SPDX-License-Identifier: GPL-3.0-or-later
"""A line in the status bar that says where Touchpoint is, once, after it was enabled for the first time."""
import bpy

from . import preferences, session

GREETED_AFTER = 0.5     # seconds: Blender has no windows yet while it enables extensions
GREETING_SECONDS = 30.0

_greeted: list[str] = []    # workspaces that show it, by their names


def text() -> str:
    """What it says."""
    return f"Touchpoint is in the sidebar of 3D views: press N there, tab {preferences.tab()}"


def register() -> None:
    if not bpy.app.background:
        bpy.app.timers.register(greet, first_interval=GREETED_AFTER)


def unregister() -> None:
    for each in (greet, end):
        if bpy.app.timers.is_registered(each):
            bpy.app.timers.unregister(each)
    end()


def greet() -> None:
    """Show it, where it never was."""
    kept = preferences.kept()
    if kept is None or kept.greeted:
        return
    kept.greeted = True
    bpy.context.preferences.is_dirty = True     # so that Blender saves it, where it saves preferences by itself
    for window in bpy.context.window_manager.windows:
        window.workspace.status_text_set(text())
        _greeted.append(window.workspace.name)
    bpy.app.timers.register(end, first_interval=GREETING_SECONDS)


def end() -> None:
    """Give the status bar back, unless a run has it by now, which gives it back itself."""
    for name in _greeted if session.run() is None else ():
        if name in bpy.data.workspaces:
            bpy.data.workspaces[name].status_text_set(None)
    _greeted.clear()
