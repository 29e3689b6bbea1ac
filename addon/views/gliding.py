# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves 3D views smoothly, as long as Blender's own movement takes. Who moves a view meanwhile keeps it."""
import time
from dataclasses import dataclass
from typing import Any

import bpy
from mathutils import Quaternion, Vector

TICK_SECONDS = 1.0 / 60.0
SAME_VIEW_RELATIVE = 1e-4         # Blender keeps views in single precision


@dataclass
class Place:
    """Where a view looks from."""

    location: Any       # (3,), what it turns around
    rotation: Any       # quaternion
    distance: float

    @classmethod
    def of(cls, view: bpy.types.RegionView3D) -> "Place":
        location: Any = view.view_location
        rotation: Any = view.view_rotation
        return cls(Vector(location), Quaternion(rotation), view.view_distance)

    def put(self, view: bpy.types.RegionView3D) -> None:
        view.view_location, view.view_rotation, view.view_distance = self.location, self.rotation, self.distance

    def is_like(self, other: "Place") -> bool:
        turned = self.rotation.rotation_difference(other.rotation).angle
        size = max(1.0, self.location.length, self.distance)
        near = (self.location - other.location).length <= SAME_VIEW_RELATIVE * size
        return near and min(turned, abs(turned - 6.283185307)) <= 0.01 and (
            abs(self.distance - other.distance) <= SAME_VIEW_RELATIVE * self.distance)

    def towards(self, end: "Place", part: float) -> "Place":
        """Between here (0) and there (1)."""
        distance = self.distance * (end.distance / self.distance) ** part if min(
            self.distance, end.distance) > 0.0 else end.distance
        return Place(self.location.lerp(end.location, part), self.rotation.slerp(end.rotation, part), distance)


@dataclass
class _Glide:
    area: int           # pointer
    number: int         # of the view in its area
    start: Place
    end: Place
    last: Place         # where the view was put


_glides: list[_Glide] = []
_began = 0.0
_seconds = 0.0


def views_of(space: bpy.types.SpaceView3D) -> list:
    """The views of a 3D view space: one, or the four of a quad view."""
    return list(space.region_quadviews) or [space.region_3d]


def glide(area: bpy.types.Area, places: list[Place]) -> None:
    """Move the views of an area to these places, one for each of `views_of`; at once without a window, and where the
    preferences say so."""
    global _began, _seconds
    views = views_of(area.spaces.active)
    _seconds = bpy.context.preferences.view.smooth_view / 1000.0
    if bpy.app.background or _seconds <= 0.0:
        for view, place in zip(views, places):
            place.put(view)
        area.tag_redraw()
        return
    _glides[:] = [_Glide(area.as_pointer(), number, Place.of(view), place, Place.of(view))
                  for number, (view, place) in enumerate(zip(views, places))]
    _began = time.perf_counter()
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=0.0)


def stop() -> None:
    """Leave views where they are."""
    _glides.clear()
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)


def _tick() -> float | None:
    part = min(1.0, (time.perf_counter() - _began) / _seconds)
    eased = part * part * (3.0 - 2.0 * part)
    areas = {area.as_pointer(): area for window in bpy.context.window_manager.windows for area in window.screen.areas
             if area.type == "VIEW_3D"}
    for each in list(_glides):
        views = views_of(areas[each.area].spaces.active) if each.area in areas else []
        if each.number >= len(views) or not each.last.is_like(Place.of(views[each.number])):
            _glides.remove(each)
            continue
        each.last = each.end if part == 1.0 else each.start.towards(each.end, eased)
        each.last.put(views[each.number])
        areas[each.area].tag_redraw()
    if part == 1.0:
        _glides.clear()
    return TICK_SECONDS if _glides else None
