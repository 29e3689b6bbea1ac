# SPDX-License-Identifier: GPL-3.0-or-later
"""Other frames, and the way back to the user's."""
import math

import bpy

from ...core.errors import Refused

LAST_FRAME = 1_048_574      # Blender's limit, both ways


def show_frame(scene: bpy.types.Scene, frame: float) -> None:
    """Go to a frame. Raises Refused for one that Blender does not have."""
    if not abs(frame) <= LAST_FRAME:    # not a number, too
        raise Refused(f"There is no frame {frame}: Blender has frames up to {LAST_FRAME}.")
    whole = math.floor(frame)
    scene.frame_set(whole, subframe=frame - whole)


class UsersFrame:
    """The frame that the scene of a context is at, and what is selected then. Blender deselects what a frame hides, and
    leaves it so in the next one that shows it."""

    def __init__(self, context: bpy.types.Context):
        scene, layer = context.scene, context.view_layer
        self._uid, self._layer = scene.session_uid, layer.name
        self._frame = scene.frame_current + scene.frame_subframe    # before 0, Blender's subframe is negative
        self._deselected: set[int] = set()      # session_uid, by frames that were shown

    def show(self, context: bpy.types.Context, frame: float) -> None:
        """Show another frame. Raises Refused as `show_frame`."""
        before = _selected(context.view_layer)
        show_frame(context.scene, frame)
        if before:
            self._deselected |= before - _selected(context.view_layer)

    def put_back(self) -> None:
        """Show the user's frame, with what other frames have deselected selected again; where the scene was replaced by
        an undo, too."""
        scene = next((each for each in bpy.data.scenes if each.session_uid == self._uid), None)
        if scene is None:
            return
        show_frame(scene, self._frame)
        layer = scene.view_layers.get(self._layer)
        if self._deselected and layer is not None:
            for each in layer.objects:
                if each is not None and each.session_uid in self._deselected:
                    each.select_set(True, view_layer=layer)


def _selected(layer: bpy.types.ViewLayer) -> set[int]:
    """The session_uid of each object that is selected."""
    return {each.session_uid for each in layer.objects.selected if each is not None}
