# SPDX-License-Identifier: GPL-3.0-or-later
"""Other frames, and the way back to the user's."""
import math
from collections.abc import Iterator, Sequence

import bpy

from ...core.errors import Refused
from .doubts import Doubts
from .simulations import Path

LAST_FRAME = 1_048_574      # Blender's limit, both ways


def _refuse_beyond(frame: float) -> None:
    if not abs(frame) <= LAST_FRAME:    # not a number, too
        raise Refused(f"There is no frame {frame}: Blender has frames up to {LAST_FRAME}.")


def show_frame(scene: bpy.types.Scene, frame: float) -> None:
    """Go to a frame. Raises Refused for one that Blender does not have."""
    _refuse_beyond(frame)
    whole = math.floor(frame)
    scene.frame_set(whole, subframe=frame - whole)


def come_to_frame(context: bpy.types.Context, frame: float) -> None:
    """Go to a frame by all those that simulations need to have been shown. Raises Refused as `show_frame`."""
    UsersFrame(context).show(context, frame)


def come_to_shown_frame(context: bpy.types.Context) -> None:
    """Go to the frame that a file was saved at, by all those that simulations need to have been shown: Blender has gone
    through none of them. Where they need none, nothing is evaluated anew."""
    users_frame = UsersFrame(context)
    frame, shown = users_frame.frame, False
    for _ in users_frame.approach(context, (frame,)):
        shown = True
    if shown:
        users_frame.show(context, frame)


class UsersFrame:
    """The frame that the scene of a context is at, and what is selected then. Blender deselects what a frame hides, and
    leaves it so in the next one that shows it."""

    def __init__(self, context: bpy.types.Context):
        scene, layer = context.scene, context.view_layer
        self._uid, self._layer = scene.session_uid, layer.name
        self.frame = scene.frame_current + scene.frame_subframe    # before 0, Blender's subframe is negative
        self._deselected: set[int] = set()      # session_uid, by frames that were shown
        self._path, self._is_tried = Path(), False

    @property
    def doubts(self) -> Doubts:
        """Those about simulations in the frame that `show` has shown."""
        return self._path.doubts

    def show(self, context: bpy.types.Context, frame: float) -> None:
        """Show another frame, by all those that simulations need to have been shown. Raises Refused as `show_frame`."""
        _refuse_beyond(frame)
        for _ in self._trial(context):
            pass
        for each in (*self._path.to(context, frame), frame):
            self._show(context, each)
            self._path.note(context)

    def _show(self, context: bpy.types.Context, frame: float) -> None:
        before = _selected(context.view_layer)
        show_frame(context.scene, frame)
        if before:
            self._deselected |= before - _selected(context.view_layer)

    def approach(self, context: bpy.types.Context, frames: Sequence[float]) -> Iterator[None]:
        """Show, one by one, what simulations need to have been shown before these ascending frames. Parts of frames are
        not simulated from one to the next, but found between whole ones."""
        yield from self._trial(context)
        until = math.ceil(frames[-1]) if any(each != math.floor(each) for each in frames) else None
        way = self._path.to(context, frames[0] if until is None else until)
        for each in (*way, until) if way and until is not None else way:
            self.show(context, each)
            yield

    def _trial(self, context: bpy.types.Context) -> Iterator[None]:
        """Let the path find out, the first time, what caches hold."""
        if not self._is_tried:
            self._is_tried = True
            for each in self._path.trial(context):
                self._show(context, each)
                yield
            self._path.judge(context)

    def put_back(self) -> None:
        """Show the user's frame, with what other frames have deselected selected again; where the scene was replaced by
        an undo, too."""
        scene = next((each for each in bpy.data.scenes if each.session_uid == self._uid), None)
        if scene is None:
            return
        show_frame(scene, self.frame)
        layer = scene.view_layers.get(self._layer)
        if self._deselected and layer is not None:
            for each in layer.objects:
                if each is not None and each.session_uid in self._deselected:
                    each.select_set(True, view_layer=layer)


def _selected(layer: bpy.types.ViewLayer) -> set[int]:
    """The session_uid of each object that is selected."""
    return {each.session_uid for each in layer.objects.selected if each is not None}
