# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the chosen pair in 3D viewports. The graphics card keeps it until another one is chosen."""
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy

from ..chosen import Chosen, chosen_in, is_alone
from ..heat_map.colours import legend_of
from ..heat_map.legend_painting import LegendPainting
from ..lengths import length_text
from ..limits import Limits
from ..preferences import limits, pair_colours
from .chosen_picture import picture_in
from .eye import towards_eye
from .heat import heat_of
from .names_painting import NamesPainting
from .painting import Painting
from .picture import Picture
from .room import room_of

if TYPE_CHECKING:
    from ..heat_map.measuring import HeatMap

KEPT_PAIRS = 2            # pairs whose drawing is kept: windows may show several scenes
FONT = 0
NUMBER_POINTS = 15.0       # of the number, at Blender's usual size of the interface
NUMBER_SHADOW_BLUR = 5          # blur of the shadow below it
BESIDE = 12.0       # pixels from an end of the arrow


@dataclass(eq=False)
class _Drawn:
    """A pair on the graphics card."""

    picture: Picture
    painting: Painting
    legend: LegendPainting | NamesPainting      # of its heat map, or of the two colours


_handles: list = []
_kept: "OrderedDict[tuple[Chosen, HeatMap | None, bool, Limits, tuple], _Drawn]" = OrderedDict()


def register() -> None:
    """Let Blender ask for the chosen pair whenever it draws a 3D viewport."""
    if bpy.app.background:
        return
    for draw, when in ((_draw, "POST_VIEW"), (_draw_label, "POST_PIXEL")):
        _handles.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", when))


def unregister() -> None:
    for each in _handles:
        bpy.types.SpaceView3D.draw_handler_remove(each, "WINDOW")
    _handles.clear()
    _kept.clear()


def redraw(_settings: Any, _context: bpy.types.Context) -> None:
    """The settings have changed: an update callback."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _found(context: Any) -> _Drawn | None:
    """What the viewport is to show."""
    chosen = chosen_in(context.scene) if context.space_data.overlay.show_overlays else None
    if chosen is None:
        return None
    key = chosen, heat_of(chosen), is_alone(chosen), limits(), tuple(pair_colours().values())
    if key not in _kept:
        for other in [each for each in _kept if each[1] is not None]:      # heat maps are large
            del _kept[other]
        _kept[key] = _drawn(context.scene, *key[:2])
        while len(_kept) > KEPT_PAIRS:
            _kept.popitem(last=False)
    return _kept[key]


def _drawn(scene, chosen: Chosen, heat: "HeatMap | None") -> _Drawn:
    picture = picture_in(scene, chosen, heat)
    painting = Painting(picture, pair_colours())
    if heat is None:
        return _Drawn(picture, painting, NamesPainting(picture, pair_colours()))
    scale = scene.touchpoint.result.pairs.unit_scale
    return _Drawn(picture, painting, LegendPainting(legend_of(heat, lambda each: length_text(each, scale))))


def _draw() -> None:
    context: Any = bpy.context
    found = _found(context)
    if found is None:
        return
    import gpu  # there is none without a window

    matrices: Any = gpu.matrix
    with matrices.push_pop():
        matrices.load_matrix(towards_eye(context.region_data) @ matrices.get_model_view_matrix())
        background = context.preferences.themes[0].view_3d.space.gradients.high_gradient
        found.painting.draw((context.region.width, context.region.height), tuple(background),
                            context.preferences.system.ui_scale)


def _draw_label() -> None:
    context: Any = bpy.context
    found = _found(context)
    if found is None:
        return
    scale = context.preferences.system.ui_scale
    room = room_of(context.area, context.region)
    found.legend.draw(room[0], scale)
    if not found.picture.label:
        return
    import blf
    from bpy_extras.view3d_utils import location_3d_to_region_2d
    from mathutils import Vector

    ends = [location_3d_to_region_2d(context.region, context.region_data, Vector(end.tolist()))
            for end in found.picture.arrow[0]]
    seen = [end for end in ends if end is not None]
    if not seen:
        return
    blf.size(FONT, NUMBER_POINTS * scale)
    dimensions: Any = blf.dimensions        # its stub returns nothing
    width = dimensions(FONT, found.picture.label)[0]
    x, y = beside([(end.x, end.y) for end in seen], width, room, BESIDE * scale)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, NUMBER_SHADOW_BLUR, 0.0, 0.0, 0.0, 1.0)
    blf.color(FONT, 1.0, 1.0, 1.0, 1.0)
    blf.position(FONT, x, y - 0.35 * NUMBER_POINTS * scale, 0.0)
    blf.draw(FONT, found.picture.label)
    blf.disable(FONT, blf.SHADOW)


def beside(ends: list[tuple[float, float]], width: float, room: tuple[float, float], gap: float) -> tuple[float, float]:
    """Where a text of this width begins, and its middle height: right of the right one of these ends, and left of the
    left one where only there is room for it. All in pixels of the region; room: what is seen of its width."""
    (left, left_height), (right, right_height) = min(ends), max(ends)
    if right + gap + width > room[1] and left - gap - width >= room[0]:
        return left - gap - width, left_height
    return right + gap, right_height
