# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's preferences, in every file."""
from collections.abc import Callable

import bpy
from bpy.props import IntProperty, StringProperty

from .root import ROOT_PACKAGE

TAB = "Touchpoint"


_follow_tab: Callable[[], None] | None = None


def when_tab_is_renamed(call: Callable[[], None]) -> None:
    """The panels are above this module, so they say what is to be called."""
    global _follow_tab
    _follow_tab = call


def _rename_tab(_preferences, _context) -> None:
    if _follow_tab is not None:
        _follow_tab()


class TOUCHPOINT_preferences(bpy.types.AddonPreferences):
    bl_idname = ROOT_PACKAGE

    tab: StringProperty(name="Tab", description="Name of the tab in the sidebar of 3D views", default=TAB, maxlen=40,
                        update=_rename_tab)
    threads: IntProperty(
        name="Threads", default=0, min=0, soft_max=64,
        description="How many threads Detect and Check Animation use; 0 for as many as there are cores. Answers are "
                    "the same for any number")

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        column = layout.column(align=True)
        column.label(text=f"Where it is: 3D view, sidebar (N), tab {tab()}; or Object, Touchpoint", icon="INFO")
        column.label(text="To try it: Open Example in the panel, then Detect", icon="BLANK1")
        layout.use_property_split = True
        layout.prop(self, "tab")
        layout.prop(self, "threads")
        layout.label(text="Results stay in files when Touchpoint is disabled. To take them out of this one first:")
        layout.operator("touchpoint.clear_file", icon="TRASH")


def tab() -> str:
    """The name of the tab; never empty, as Blender has none without a name."""
    return getattr(_preferences(), "tab", "").strip() or TAB


def threads() -> int | None:
    """How many threads runs of the panel use, None for all cores."""
    return getattr(_preferences(), "threads", 0) or None


def _preferences():
    """None where Blender has not enabled the extension, as in a script."""
    enabled = bpy.context.preferences.addons.get(ROOT_PACKAGE)
    return enabled and enabled.preferences


def register() -> None:
    bpy.utils.register_class(TOUCHPOINT_preferences)


def unregister() -> None:
    bpy.utils.unregister_class(TOUCHPOINT_preferences)
