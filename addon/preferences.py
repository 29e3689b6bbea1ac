# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's preferences, in every file."""
from collections.abc import Callable
from typing import Any

import bpy
import rna_keymap_ui
from bpy.props import BoolProperty, FloatVectorProperty, IntProperty, StringProperty

from . import keymap
from .default_colours import PAIR_COLOURS, VERDICT_COLOURS, colour_property
from .limits import USUAL, Limits
from .phrases import VERDICT_TITLES
from .root import ROOT_PACKAGE

TAB = "Touchpoint"


_follow_tab: Callable[[], None] | None = None
_follow_colours: Callable[[], None] | None = None


def when_tab_is_renamed(call: Callable[[], None]) -> None:
    """The panels are above this module, so they say what is to be called."""
    global _follow_tab
    _follow_tab = call


def when_colours_change(call: Callable[[], None]) -> None:
    """So do those who colour objects and draw the chosen pair."""
    global _follow_colours
    _follow_colours = call


def _recolour(_preferences, _context) -> None:
    if _follow_colours is not None:
        _follow_colours()


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
    contacts: IntProperty(
        name="Contacts", default=USUAL.contacts, min=0, soft_max=2_000_000,
        description="How many contacts of the pair of a row are drawn in views, at most; all are counted and listed")
    triangles: IntProperty(
        name="Triangles", default=USUAL.triangles, min=0, soft_max=20_000_000,
        description="Objects with more triangles are not tinted in views when the row of their pair is clicked")
    heat_vertices: IntProperty(
        name="Heat Map Vertices", default=USUAL.heat_vertices, min=1000, soft_max=5_000_000,
        description="How many vertices of each object a heat map measures, at most, those nearest to the other object; "
                    "it says how many have no colour")
    greeted: BoolProperty(options={"HIDDEN"})       # the hint where it is was shown once

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        column = layout.column(align=True)
        column.label(text=f"Where it is: 3D view, sidebar (N), tab {tab()}; or Object, Touchpoint", icon="INFO")
        column.label(text="To try it: Open Example in the panel, then Detect", icon="BLANK1")
        layout.use_property_split = True
        layout.prop(self, "tab")
        layout.prop(self, "threads")
        layout.label(text="Limits of what is drawn of a pair, from the next click on:")
        column = layout.column(align=True)
        for name in Limits._fields:
            column.prop(self, name)
        layout.label(text="Colours of verdicts, where a scene has none of its own:")
        column = layout.column()
        for verdict in VERDICT_COLOURS:
            column.prop(self, colour_property(verdict))
        layout.label(text="Colours of the two objects of the pair of a row, in views, the panel and pictures:")
        column = layout.column()
        for side in PAIR_COLOURS:
            column.prop(self, _pair_property(side))
        _draw_keys(layout, context)
        layout.operator("touchpoint.help", icon="QUESTION")
        layout.label(text="Results stay in files when Touchpoint is disabled. To take them out of this one first:")
        layout.operator("touchpoint.clear_file", icon="TRASH")


def _draw_keys(layout, context) -> None:
    """The keys as the user has them, to be changed here."""
    layout.label(text="Keys, in 3D views and wherever the arrow keys go through frames:")
    configuration = context.window_manager.keyconfigs.user
    for keys, item in keymap.items_of(configuration):
        rna_keymap_ui.draw_kmi(["ADDON", "USER", "DEFAULT"], configuration, keys, item, layout.column(), 0)


def _colour(verdict: str):
    return FloatVectorProperty(
        name=VERDICT_TITLES[verdict], subtype="COLOR", size=3, min=0.0, max=1.0, default=VERDICT_COLOURS[verdict],
        description=f"Colour of objects whose worst verdict is {verdict}, in every file; What to Show gives a scene "
                    "colours of its own", update=_recolour)


def _pair_property(side: str) -> str:
    return f"colour_of_{side}"


def _pair_colour(side: str):
    which = "first" if side == "a" else "second"
    return FloatVectorProperty(
        name=f"{which.title()} Object", subtype="COLOR_GAMMA", size=3, min=0.0, max=1.0, default=PAIR_COLOURS[side],
        description=f"Colour of the {which} object of the pair whose row was clicked, while views show the pair",
        update=_recolour)


# Not in the class body: Python 3.14 has no __annotations__ there.
TOUCHPOINT_preferences.__annotations__.update(
    {**{colour_property(verdict): _colour(verdict) for verdict in VERDICT_COLOURS},
     **{_pair_property(side): _pair_colour(side) for side in PAIR_COLOURS}})


def colour(verdict: str) -> tuple:
    """Linear red, green, blue that the user prefers for a verdict."""
    return tuple(getattr(kept(), colour_property(verdict), VERDICT_COLOURS[verdict]))


def pair_colours() -> dict[str, tuple]:
    """sRGB of the two objects of the chosen pair, "a" and "b"."""
    return {side: tuple(getattr(kept(), _pair_property(side), usual)) for side, usual in PAIR_COLOURS.items()}


def tab() -> str:
    """The name of the tab; never empty, as Blender has none without a name."""
    return getattr(kept(), "tab", "").strip() or TAB


def threads() -> int | None:
    """How many threads runs of the panel use, None for all cores."""
    return getattr(kept(), "threads", 0) or None


def limits() -> Limits:
    """How much is drawn of a pair."""
    return USUAL._replace(**{name: getattr(kept(), name) for name in Limits._fields if hasattr(kept(), name)})


def kept() -> Any:
    """The `TOUCHPOINT_preferences` of the user, None where Blender has not enabled the extension, as in a script."""
    enabled = bpy.context.preferences.addons.get(ROOT_PACKAGE)
    return enabled and enabled.preferences


def register() -> None:
    bpy.utils.register_class(TOUCHPOINT_preferences)


def unregister() -> None:
    bpy.utils.unregister_class(TOUCHPOINT_preferences)
