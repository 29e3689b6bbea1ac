# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a 3D view neither its toolbar nor its sidebar covers: they lie over it."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import bpy

LEAST_ROOM = 0.2         # of the width, that is left of a view: of less, nobody could say where to look
WHOLE = -1.0, 1.0


def room_of(area: "bpy.types.Area", region: "bpy.types.Region") -> tuple[float, float]:
    """Where a region that an area draws its view into is not covered, from left to right, in pixels of the region; all
    of its width, where next to nothing would be left."""
    left, right = float(region.x), float(region.x + region.width)
    for each in area.regions:
        if each.type not in ("TOOLS", "UI") or each.width <= 1:     # 1: closed
            continue
        if each.x + 0.5 * each.width < area.x + 0.5 * area.width:
            left = max(left, float(each.x + each.width))
        else:
            right = min(right, float(each.x))
    if right - left < LEAST_ROOM * region.width:
        return 0.0, float(region.width)
    return left - region.x, right - region.x


def share_of(area: "bpy.types.Area", view: "bpy.types.RegionView3D") -> tuple[float, float]:
    """The same of a view of the area, from -1, its left edge, to 1."""
    drawn = [each for each in area.regions if each.type == "WINDOW" and each.width > 0]
    if len(drawn) > 1:      # a quad view; without a window no region knows its view
        drawn = [each for each in drawn if each.data == view]
    if not drawn:
        return WHOLE
    region = drawn[0]
    low, high = (2.0 * each / region.width - 1.0 for each in room_of(area, region))
    return low, high
