# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of the list: select both objects and look at them."""
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty

from ...core.shown import escaped
from .. import session
from ..animation.timeline import go_to_frame
from ..chosen import Chosen, places_of
from ..listed import find_object
from ..names import name_of
from ..pair_alone import test_alone
from ..rows.shown import turn_to
from ..views import before
from ..views.framing import look_at, view_area

if TYPE_CHECKING:
    from .reasoned import Outcome


class TOUCHPOINT_OT_select_pair(bpy.types.Operator):
    """Select both objects of a pair and frame them in the view"""

    bl_idname = "touchpoint.select_pair"
    bl_label = "Select Pair"
    bl_options = {"REGISTER", "UNDO"}

    index: IntProperty(name="Row", description="Row of the list, from 0", min=0)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.scene is None or not context.scene.touchpoint.result.pairs:
            cls.poll_message_set("There are no pairs: run Detect first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> "Outcome":
        if self.index >= len(context.scene.touchpoint.result.pairs):
            self.report({"WARNING"}, f"There is no row {self.index}")
            return {"CANCELLED"}
        with session.writing():         # the row is shown here, not by the property's own update
            context.scene.touchpoint.pair_index = self.index
        turn_to(context.scene, self.index)
        show_pair(context, context.scene.touchpoint.result, self.index)
        return {"FINISHED"}


def show_pair(context: bpy.types.Context, result: Any, index: int) -> None:
    """Select both objects of a row, as far as they are there and visible, and let the 3D view look at the pair, from a
    side from which one sees where they meet. A row of an animation goes to its worst frame first.

    result: what has `pairs` and their `file_token`: the last result, or a method's row of a comparison.
    In another mode than Object Mode the selection stays as it is, because changing it would leave that mode.
    """
    if not 0 <= index < len(result.pairs):
        return
    pair, area = result.pairs[index], view_area(context)
    run_id = (result if hasattr(result, "run_id") else context.scene.touchpoint.comparison).run_id
    before.remember(context, area, run_id)
    if getattr(pair, "intervals", None):       # rows of comparisons have none
        go_to_frame(context.scene, pair.worst_frame)
    objects = [find_object(result, pair, side) for side in "ab"]
    visible = [each for each in objects if each is not None and each.visible_get(view_layer=context.view_layer)]
    session.set_message(_what_is_missing(pair, objects, visible))
    if context.mode == "OBJECT":
        select(context, visible)
    chosen = Chosen(run_id, index)
    test_alone(context, chosen)
    if area is None:
        return
    places = places_of(context.scene, chosen)
    if places is None and context.mode == "OBJECT" and len(visible) == 2 and not pair.close_up:
        _frame_selected(context, area)      # follows objects that were moved since
    else:
        known = places is not None and len(places) > 0
        look_at(context, area, pair.centre, pair.radius, objects, places if known else None)


def is_with_itself(pair: Any) -> bool:
    """True for a row of an object with itself."""
    sides = [[getattr(pair, f"{part}_{side}") for part in ("object", "library", "uid", "instance")] for side in "ab"]
    return sides[0] == sides[1]


def select(context: bpy.types.Context, objects: list) -> None:
    """Select these objects and no others, in Object Mode. They are visible."""
    for each in context.view_layer.objects.selected:
        each.select_set(False)
    for each in objects:
        each.select_set(True)
    if objects:
        context.view_layer.objects.active = objects[0]


def _what_is_missing(pair, objects: list, visible: list) -> str:
    """A sentence about objects that cannot be selected, "" where both can."""
    names = (pair.object_a, pair.object_b)
    deleted = [name for name, each in zip(names, objects) if each is None]
    hidden = [escaped(name_of(each)) for each in objects if each is not None and each not in visible]
    said = (("Deleted since", deleted), ("Hidden", hidden))
    return " ".join(f"{what}: {', '.join(dict.fromkeys(which))}." for what, which in said if which)


def _frame_selected(context, area) -> None:
    region = next(each for each in area.regions if each.type == "WINDOW")
    with context.temp_override(area=area, region=region):
        bpy.ops.view3d.view_selected(use_all_regions=True)
