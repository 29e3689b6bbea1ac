# SPDX-License-Identifier: GPL-3.0-or-later
"""Heat Map: how far the surfaces of the active row are from each other, as colours."""
from typing import TYPE_CHECKING

import bpy

from ...core.errors import TouchpointError
from .. import session, staleness
from ..chosen import Chosen, chosen_in, found_of
from ..overlay import heat
from ..scene_read.swept import is_swept
from .reasoned import Reasoned
from .select_pair import is_with_itself

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_heat_map(Reasoned, bpy.types.Operator):
    """Colour both objects of the chosen pair by their distance to each other, and what is inside the other one by how
    deep it is. Again: switch that off. Nothing is written into the file"""

    bl_idname = "touchpoint.heat_map"
    bl_label = "Heat Map"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str:
        """Why it cannot be clicked now, "" when it can."""
        settings = context.scene.touchpoint if context.scene else None
        if settings is None or not 0 <= settings.pair_index < len(settings.result.pairs):
            return "Choose a row of the list first"
        if session.run() is not None:
            return f"{session.run().title} is running"
        pair = settings.result.pairs[settings.pair_index]
        found = found_of(context.scene, Chosen(settings.result.run_id, settings.pair_index))
        if is_with_itself(pair):
            return "An object with itself has no heat map"
        if found is None:
            return "The result came with the file: choose the row again, or run Detect again"
        if is_swept(found[0]):
            return "Heat maps show one frame: choose the row again, or test that frame by itself"
        changed = staleness.change_of(settings.result, pair)
        if changed:
            return f"{changed} since then: run Detect again"
        if not settings.show_pair:
            return "Switch on Chosen Pair under What to Show"
        return "" if chosen_in(context.scene) is not None else "Go to the frame that was tested"

    def execute(self, context: bpy.types.Context) -> "Outcome":
        chosen = chosen_in(context.scene)
        found = None if chosen is None else found_of(context.scene, chosen)
        if chosen is None or found is None:
            return {"CANCELLED"}
        if heat.is_on(chosen):
            heat.stop()
        else:
            try:
                pair = context.scene.touchpoint.result.pairs[chosen.index]
                heat.start(*found, chosen, pair.radius)
            except TouchpointError as error:
                self.report({"WARNING"}, str(error))
                return {"CANCELLED"}
        heat.redraw()
        return {"FINISHED"}
