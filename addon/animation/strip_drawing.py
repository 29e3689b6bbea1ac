# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the rows of `strips.py` in Blender's Dope Sheets and Timelines. What is sent to the graphics card is kept until
the result, the view or the colours change."""
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Color

from .. import session
from ..style import style_of
from .strips import Picture, Strip, View, picture, strips_of, together

KEPT_REGIONS = 8            # regions whose drawing is kept
FONT = 0
NAME_POINTS = 11.0       # of names, at Blender's usual size of the interface
NAME_SHADOW_BLUR = 3          # blur of the shadow below names
CORNERS_OF_TRIANGLES = [0, 1, 2, 1, 3, 2]    # of a box, in the order of `_corners`, as two triangles


@dataclass(eq=False)
class _Drawn:
    """What one region shows. key: of what."""

    key: tuple
    batch: Any
    names: list


_handle: Any = None
_drawn: OrderedDict[int, _Drawn] = OrderedDict()    # by region
_strips: tuple[tuple, list[Strip], Strip | None] = (), [], None     # what the result says, and as of when


def register() -> None:
    """Let Blender ask for the rows whenever it draws a Dope Sheet."""
    global _handle
    if not bpy.app.background:
        _handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    global _handle, _strips
    if _handle is not None:
        bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_handle, "WINDOW")
    _handle, _strips = None, ((), [], None)
    _drawn.clear()


def redraw(_settings: Any, _context: bpy.types.Context) -> None:
    """The settings have changed: an update callback."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "DOPESHEET_EDITOR":
                area.tag_redraw()


def is_shown(scene: bpy.types.Scene) -> bool:
    """True where the scene has rows to show, all of them by now."""
    settings, run = getattr(scene, "touchpoint", None), session.run()
    return (settings is not None and settings.result.animated and settings.animation.strips
            and not (run is not None and run.is_writing))


def _draw() -> None:
    context = bpy.context
    if not is_shown(context.scene):
        return
    region = context.region
    view = _view(context)
    key = _key(context.scene), context.scene.touchpoint.pair_index, view
    drawn = _drawn.get(region.as_pointer())
    if drawn is None or drawn.key != key:
        drawn = _drawn[region.as_pointer()] = _build(context.scene, *key)
        while len(_drawn) > KEPT_REGIONS:
            _drawn.popitem(last=False)
    if drawn.batch is not None:
        _show(drawn, context, view)


def _view(context) -> View:
    region, scene = context.region, context.scene
    first, _ = region.view2d.region_to_view(0, 0)
    last, _ = region.view2d.region_to_view(region.width, 0)
    return View(region.width, region.height, first, last, context.preferences.system.ui_scale,
                context.space_data.show_markers and len(scene.timeline_markers) > 0)


def _key(scene) -> tuple:
    """Of all that the rows depend on, but for the view and which of them is active."""
    settings, style = scene.touchpoint, style_of(scene)
    return (settings.result.run_id, session.replacements(), settings.show_verdict, style.show_touching,
            *style.colours.values())


def _build(scene, key: tuple, active: int, view: View) -> _Drawn:
    global _strips
    style = style_of(scene)
    if _strips[0] != key:
        found = strips_of(scene.touchpoint, style)
        _strips = key, found, together(found) if found else None
    _, strips, every = _strips
    if every is None:
        return _Drawn((key, active, view), None, [])
    shown = picture(strips, every, active, view, style)
    return _Drawn((key, active, view), _batch(shown) if len(shown.boxes) else None, shown.names)


def _batch(shown: Picture):
    """The boxes, ready to be drawn."""
    import gpu  # there is none without a window
    from gpu_extras.batch import batch_for_shader

    colours = shown.colours.copy()      # what lies above the pictures of a scene is drawn in the colours of screens
    for colour in np.unique(colours[:, :3], axis=0):
        same = (shown.colours[:, :3] == colour).all(axis=1)
        colours[same, :3] = Color(colour.tolist()).from_scene_linear_to_srgb()
    left, bottom, right, top = shown.boxes.T
    corners = np.stack([[left, bottom], [right, bottom], [left, top], [right, top]]).transpose(2, 0, 1)
    corners = np.pad(corners[:, CORNERS_OF_TRIANGLES].reshape(-1, 2), ((0, 0), (0, 1)))
    content = {"pos": np.ascontiguousarray(corners), "color": np.repeat(colours, len(CORNERS_OF_TRIANGLES), axis=0)}
    shader: Any = gpu.shader.from_builtin("FLAT_COLOR")
    return batch_for_shader(shader, "TRIS", content)


def _show(drawn: _Drawn, context, view: View) -> None:
    import blf
    import gpu

    gpu.state.blend_set("ALPHA")
    drawn.batch.draw(gpu.shader.from_builtin("FLAT_COLOR"))
    gpu.state.blend_set("NONE")
    text = context.preferences.themes[0].dopesheet_editor.space
    blf.size(FONT, NAME_POINTS * view.scale)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, NAME_SHADOW_BLUR, 0.0, 0.0, 0.0, 1.0)
    for name, x, y, active in drawn.names:
        red, green, blue = text.text_hi if active else text.text
        blf.color(FONT, red, green, blue, 1.0)
        blf.position(FONT, x, y, 0.0)
        blf.draw(FONT, name)
    blf.disable(FONT, blf.SHADOW)
