# SPDX-License-Identifier: GPL-3.0-or-later
"""`OverFrames`: what runs share that go from frame to frame of a scene."""
import inspect
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

import bpy

from .. import session
from ..pumped_run import PumpedRun
from ..scene_read import Snapshot, show_frame

Frames = tuple[float, ...]


class OverFrames(PumpedRun):
    """While it runs, the scene is at the frame that is being read. However it ends, the user's frame is put back."""

    _frame = 0.0                # that is being read
    _done = 0                   # frames
    _frames: Frames = ()

    def abandon(self) -> None:
        super().abandon()
        if inspect.getgeneratorstate(self._pieces) != inspect.GEN_RUNNING:      # else it ends by itself
            self._pieces.close()        # which puts the user's frame back

    def _begin(self, frames: Frames | Callable[[], Frames]) -> None:
        """Ask now for what is to be tested: settings may change while the run waits in the panel."""
        self._begun = True
        self._frames = frames() if callable(frames) else frames
        where = self._where
        self._where = where() if callable(where) else where

    def _reading(self) -> Generator[float, None, Snapshot]:
        # Again after the user went to another frame meanwhile, or an undo did.
        with session.writing():
            show_frame(self._context.scene, self._frame)
        return super()._reading()


@contextmanager
def users_frame(scene: bpy.types.Scene) -> Iterator[None]:
    """Whatever frames are shown meanwhile, the scene is at the user's frame afterwards; where it was replaced by an
    undo, too."""
    uid, frame, subframe = scene.session_uid, scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        found = next((each for each in bpy.data.scenes if each.session_uid == uid), None)
        if found is not None:
            with session.writing():
                found.frame_set(frame, subframe=subframe)
