# SPDX-License-Identifier: GPL-3.0-or-later
"""Check Animation: which frames, and when which pairs meet."""
import bpy

from .. import session
from ..animation.frames import CUSTOM
from ..animation.resumed_run import frames_to_take_over
from ..frame_phrases import tested
from ..method_properties import follower_of
from .icons import square
from .layout import Sidebar, paragraph

SHOWN = 3       # pairs, the worst of them; the list has all


class TOUCHPOINT_PT_animation(Sidebar, bpy.types.Panel):
    bl_idname = "TOUCHPOINT_PT_animation"
    bl_parent_id = "TOUCHPOINT_PT_detect"
    bl_label = "Animation"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.touchpoint
        column = layout.column()
        column.enabled = session.run() is None
        _draw_frames(column, context, settings)
        layout.operator("touchpoint.check_animation", icon="TIME")
        done = frames_to_take_over(context.scene)
        if done:
            paragraph(layout, context, f"Resume: {tested(done)} are done", "FILE_REFRESH")
        if settings.result.animated:
            _draw_answer(layout, context, settings)


def _draw_frames(layout, context, settings) -> None:
    """Which frames are checked, and how what is between them."""
    chosen = settings.animation
    layout.row(align=True).prop(chosen, "range", expand=True)
    if chosen.range == CUSTOM:
        row = layout.row(align=True)
        row.prop(chosen, "first")
        row.prop(chosen, "last")
    layout.prop(chosen, "step")
    follower = follower_of(settings)
    if follower:
        paragraph(layout, context, f"Between frames by {follower}")
    else:
        layout.prop(chosen, "continuous")
    row = layout.row()
    row.prop(chosen, "markers")
    row.prop(chosen, "strips")


def _draw_answer(layout, context, settings) -> None:
    """When the worst pairs meet, and ways to these frames."""
    result = settings.result
    column = layout.column(align=True)
    for pair in result.pairs[:SHOWN]:
        paragraph(column, context, f"{pair.name}: {pair.when}", square(context.scene, pair.verdict))
    if result.pairs_found > SHOWN:
        paragraph(column, context, f"{result.pairs_found - SHOWN:,} more in the list", "BLANK1")
    if result.pairs:
        row = layout.row(align=True)
        row.operator("touchpoint.previous_collision", text="Previous", icon="PREV_KEYFRAME")
        row.operator("touchpoint.next_collision", text="Next", icon="NEXT_KEYFRAME")
        layout.operator("touchpoint.bake_colours", icon="KEY_HLT")
    else:
        paragraph(column, context, result.headline, "CHECKMARK")
