# SPDX-License-Identifier: GPL-3.0-or-later
"""What was selected before a click on a row of the list selected its pair."""
from typing import TYPE_CHECKING

from . import session
from .listed import find_object
from .scene_read.scope import OF_SELECTION

if TYPE_CHECKING:
    import bpy


def selected_before(context: "bpy.types.Context") -> list | None:
    """What was selected for the last run, where it tested what was selected, and what is selected now is just the pair
    of the active row; else None."""
    settings = context.scene.touchpoint
    result, watch = settings.result, session.watch(settings.result)
    if (settings.scope not in OF_SELECTION or watch is None or watch.scope != settings.scope
            or not 0 <= settings.pair_index < len(result.pairs)):
        return None
    pair = result.pairs[settings.pair_index]
    shown = {each.session_uid for each in (find_object(result, pair, side) for side in "ab") if each is not None}
    selected = {each.session_uid for each in context.view_layer.objects.selected}
    among_themselves = watch.scope == "SELECTED"
    before = watch.asked if among_themselves else watch.selected
    if not selected or not selected <= shown or (before <= shown if among_themselves else before == selected):
        return None
    return [each for each in context.view_layer.objects if each is not None and each.session_uid in before]
