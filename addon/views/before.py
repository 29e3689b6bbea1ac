# SPDX-License-Identifier: GPL-3.0-or-later
"""The view, the selection and the frame from before the first row that was chosen, to go back to. Kept in memory."""
from dataclasses import dataclass

import bpy

from ..animation.timeline import go_to_frame
from .gliding import Place, glide, views_of


@dataclass
class _Before:
    result: str                         # run id of the result whose row was chosen
    scene: int                          # session_uids
    area: int                           # pointer
    views: list[tuple[Place, str, bool]]    # of each view: where, its perspective, whether it is a side view
    selected: list[int]
    active: int | None
    frame: float


_before: _Before | None = None


def remember(context: bpy.types.Context, area: bpy.types.Area | None, run_id: str) -> None:
    """Keep how it is now, before a row of the result with this id is shown; once for all of its rows. area: the 3D
    view, or None."""
    global _before
    if _before is not None and _before.result == run_id and _before.scene == context.scene.session_uid:
        return
    views = [] if area is None else [(Place.of(view), view.view_perspective, view.is_orthographic_side_view)
                                     for view in views_of(area.spaces.active)]
    objects = context.view_layer.objects
    _before = _Before(run_id, context.scene.session_uid, 0 if area is None else area.as_pointer(), views,
                      [each.session_uid for each in objects.selected],
                      objects.active.session_uid if objects.active else None, context.scene.frame_float)


def is_kept(context: bpy.types.Context) -> bool:
    """True where there is something to go back to in this scene."""
    return _before is not None and _before.scene == context.scene.session_uid


def forget() -> None:
    global _before
    _before = None


def go_back(context: bpy.types.Context) -> None:
    """Bring all of it back, as far as it is still there, and forget it."""
    global _before
    before, _before = _before, None
    assert before is not None
    if context.scene.frame_float != before.frame:
        go_to_frame(context.scene, before.frame)
    if context.mode == "OBJECT":
        objects = context.view_layer.objects
        for each in objects:
            wanted = each.session_uid in before.selected
            if each.select_get() != wanted:
                each.select_set(wanted)
        objects.active = next((each for each in objects if each.session_uid == before.active), None)
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D" and area.as_pointer() == before.area:
                _put_back(area, before.views)


def _put_back(area, kept: list) -> None:
    views = views_of(area.spaces.active)
    if len(views) == len(kept):     # else quad view was switched on or off
        for view, (_, perspective, side) in zip(views, kept):
            view.view_perspective, view.is_orthographic_side_view = perspective, side
        glide(area, [place for place, _, _ in kept])
