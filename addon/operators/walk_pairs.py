# SPDX-License-Identifier: GPL-3.0-or-later
"""From one pair of the list to the next, and back to where one was before the first; groups of them."""
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, IntProperty

from .. import session
from ..rows.shown import fold, groups_in, shown_in
from ..views import before
from .reasoned import Reasoned

if TYPE_CHECKING:
    from .reasoned import Outcome


class Walk(Reasoned):
    """Choosing another pair of the list. `step` says which way."""

    step: int

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if context.scene is None or not context.scene.touchpoint.result.pairs:
            return "There are no pairs: run Detect first"
        return f"{session.run().title} is running" if session.run() is not None else ""

    def execute(self, context: bpy.types.Context) -> "Outcome":
        settings = context.scene.touchpoint
        rows = shown_in(context.scene)[::self.step].tolist()
        later = rows[rows.index(settings.pair_index) + 1:] if settings.pair_index in rows else rows
        if not later:
            self.report({"INFO"}, f"This is the {'last' if self.step > 0 else 'first'} pair" if rows
                        else "The list shows no pair")
            return {"CANCELLED"}
        settings.pair_index = later[0]      # the property's own update shows it
        return {"FINISHED"}


class TOUCHPOINT_OT_next_pair(Walk, bpy.types.Operator):
    """Show the next pair of the list, as it is filtered and ordered"""

    bl_idname = "touchpoint.next_pair"
    bl_label = "Next Pair"
    bl_options = {"REGISTER"}
    step = 1


class TOUCHPOINT_OT_previous_pair(Walk, bpy.types.Operator):
    """Show the previous pair of the list, as it is filtered and ordered"""

    bl_idname = "touchpoint.previous_pair"
    bl_label = "Previous Pair"
    bl_options = {"REGISTER"}
    step = -1


class TOUCHPOINT_OT_go_back(Reasoned, bpy.types.Operator):
    """Go back to the view, the selection and the frame from before the first pair that was chosen"""

    bl_idname = "touchpoint.go_back"
    bl_label = "Back"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        if context.scene is None or not before.is_kept(context):
            return "No pair was chosen"
        return ""

    def execute(self, context: bpy.types.Context) -> "Outcome":
        with session.writing():
            context.scene.touchpoint.pair_index = -1
        before.go_back(context)
        session.set_message("")
        return {"FINISHED"}


class TOUCHPOINT_OT_fold_group(bpy.types.Operator):
    """Show the pairs of this group, or its heading alone"""

    bl_idname = "touchpoint.fold_group"
    bl_label = "Fold Group"
    bl_options = {"INTERNAL"}

    group: IntProperty(name="Group", description="Number of the group in the list, from 0", min=0)
    unfold: BoolProperty(name="Unfold", default=True)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.scene is not None

    def execute(self, context: bpy.types.Context) -> "Outcome":
        if self.group >= len(groups_in(context.scene).start) - 1 or groups_in(context.scene).size(self.group) == 1:
            return {"CANCELLED"}
        fold(context.scene, self.group, self.unfold)
        return {"FINISHED"}


CLASSES = (TOUCHPOINT_OT_next_pair, TOUCHPOINT_OT_previous_pair, TOUCHPOINT_OT_go_back, TOUCHPOINT_OT_fold_group)
