# SPDX-License-Identifier: GPL-3.0-or-later
"""How results look."""
import bpy

from .. import preferences, session
from ..default_colours import VERDICT_COLOURS, colour_property
from .layout import Sidebar, paragraph


class TOUCHPOINT_PT_what_to_show(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_what_to_show"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "What to Show"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        settings = context.scene.touchpoint
        layout.column(heading="Viewports").prop(settings, "show_pair")
        layout.column(heading="Show").prop(settings, "show_touching")
        column = layout.column(heading="Contacts")
        if settings.result.run_id and session.report_of(context.scene) is None:
            column.enabled = False
            paragraph(layout, context, "The result came with the file: its points and empties follow these settings "
                                       "after the next run", "INFO")
        column.prop(settings, "show_points", text="As Points")
        row = column.row()
        row.active = settings.show_points
        row.prop(settings, "points")
        row = column.row()
        row.active = settings.show_points
        row.prop(settings, "draw_points")
        column.prop(settings, "empties")
        layout.column(heading="Objects").prop(settings, "colour_objects", text="In Colour")
        column = layout.column(heading="Colours")
        column.active = settings.colour_objects
        column.prop(settings, "own_colours", text="Of This Scene")
        for verdict in VERDICT_COLOURS:
            row = column.row()
            row.active = verdict != "touching" or settings.show_touching
            row.prop(_with_colour(settings, colour_property(verdict)), colour_property(verdict))


def _with_colour(settings, name: str):
    """What the colour of this name is shown of, and changed in: the scene, or the preferences."""
    preferred = preferences.kept()
    return settings if preferred is None or settings.is_property_set(name) else preferred
