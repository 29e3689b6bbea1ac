# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets 3D views look at a sphere, from a side from which places in it are seen."""
import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from mathutils import Quaternion, Vector

from ..overlay.room import WHOLE, share_of
from .gliding import Place, glide, views_of
from .obstruction import Sight
from .sides import best_side, samples_of

if TYPE_CHECKING:
    import bpy

VIEW_MARGIN = 1.2        # of room around what is framed
BUDGET = 0.1        # seconds to look for a side


def view_area(context: "bpy.types.Context") -> "bpy.types.Area | None":
    """The 3D view the user clicked in, otherwise the first of the window; None without a window."""
    if context.area is not None and context.area.type == "VIEW_3D":
        return context.area
    screen = context.window.screen if context.window else None
    return next((each for each in screen.areas if each.type == "VIEW_3D"), None) if screen else None


def look_at(context: "bpy.types.Context", area: "bpy.types.Area", centre: Sequence[float], radius: float,
            own: "Sequence[bpy.types.Object | None]", places: np.ndarray | None = None) -> None:
    """Let the views of a 3D view area look at a sphere, where no sidebar covers it. In a quad view only the one that
    can be turned is.

    own: the two objects of a pair. places: (n,3), where they meet; the centre where they do not, and one looks through
    them.
    """
    space = area.spaces.active
    views = views_of(space)
    turning = next((each for each in reversed(views) if not each.lock_rotation), None)
    wanted = []
    for view in views:
        leave_camera(view)
        share = share_of(area, view)
        place = Place(Vector(centre), Quaternion(view.view_rotation), distance_for(view, radius, share))
        right = aside(view, place.distance, radius, share)
        if view == turning:
            asked = np.array([centre], float) if places is None else samples_of(places)
            sight = Sight(context, space, asked, centre, radius, own, through_own=places is None)
            away = place.distance if view.is_perspective else space.clip_end
            _turn(view, place, sight, away, right)
        place.location -= place.rotation @ Vector((right, 0.0, 0.0))
        wanted.append(place)
    glide(area, wanted)


def leave_camera(view: "bpy.types.RegionView3D") -> None:
    """A view through the camera would move the camera, or not at all."""
    if view.view_perspective == "CAMERA":
        view.view_perspective = "PERSP"


def distance_for(view: "bpy.types.RegionView3D", radius: float, share: tuple[float, float] = WHOLE) -> float:
    """The distance at which a sphere fills what can be seen of a view. share: as `share_of` has it."""
    scale = max(2.0 * view.window_matrix[0][0] / (share[1] - share[0]), view.window_matrix[1][1])
    if view.is_perspective:
        return _size_of(radius) / math.sin(math.atan(1.0 / scale))
    return view.view_distance * _size_of(radius) * scale    # the scale of a parallel view goes with its distance


def aside(view: "bpy.types.RegionView3D", distance: float, radius: float, share: tuple[float, float]) -> float:
    """How far right of the middle, from so far away, a sphere has to stand to be seen whole: the least that is needed,
    as one turns a view around its middle."""
    size, half_width = _size_of(radius), distance / view.window_matrix[0][0]
    if view.is_perspective:
        seen = size / math.sqrt(max(distance ** 2 - size ** 2, 0.25 * size ** 2)) * view.window_matrix[0][0]
    else:
        half_width /= view.view_distance
        seen = size / half_width
    seen = min(seen, 0.5 * (share[1] - share[0]))
    return half_width * (min(0.0, share[1] - seen) + max(0.0, share[0] + seen))


def _size_of(radius: float) -> float:
    """Of a sphere with the room around it."""
    return max(radius, 1e-6) * VIEW_MARGIN


def _turn(view, place: Place, sight: Sight, away: float, right: float) -> None:
    """right: as `aside` has it."""
    def seen(side: np.ndarray) -> float:
        rotation = place.rotation if side is current else Vector(side.tolist()).to_track_quat("Z", "Y")
        return sight.seen(side, away, np.array(rotation @ Vector((-right, 0.0, 0.0))))

    current = np.array(place.rotation @ Vector((0.0, 0.0, 1.0)))
    end = time.perf_counter() + BUDGET
    side = best_side(current, seen, lambda: time.perf_counter() < end)
    if side is not current:
        place.rotation = Vector(side.tolist()).to_track_quat("Z", "Y")
        view.is_orthographic_side_view = False      # or Blender would go on to call it so
