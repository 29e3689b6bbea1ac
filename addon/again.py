# SPDX-License-Identifier: GPL-3.0-or-later
"""What was selected before a click on a row of the list selected its pair."""
from typing import TYPE_CHECKING

from . import session
from .listed import find_object

if TYPE_CHECKING:
    import bpy


def selected_before(context: "bpy.types.Context") -> list | None:
    """The objects of the last run, where it tested what was selected, and what is selected now is just the pair of the
    active row; else None."""
    settings = context.scene.touchpoint
    result, watch = settings.result, session.watch(settings.result.run_id)
    if (settings.scope != "SELECTED" or watch is None or watch.scope != "SELECTED"
            or not 0 <= settings.pair_index < len(result.pairs)):
        return None
    pair = result.pairs[settings.pair_index]
    shown = {each.session_uid for each in (find_object(result, pair, side) for side in "ab") if each is not None}
    selected = {each.session_uid for each in context.view_layer.objects.selected}
    if not selected or not selected <= shown or watch.asked <= shown:
        return None
    return [each for each in context.view_layer.objects if each is not None and each.session_uid in watch.asked]
