# SPDX-License-Identifier: GPL-3.0-or-later
"""`OverFrames`: what runs share that go from frame to frame of a scene."""
import inspect
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

from .. import session
from ..pumped_run import WORKED, PumpedRun
from ..scene_read import Snapshot
from ..scene_read.scope import OF_SELECTION, visible_objects
from ..scene_read.users_frame import UsersFrame

Frames = tuple[float, ...]


class OverFrames(PumpedRun):
    """While it runs, the scene is at the frame that is being read. However it ends, the user's frame is put back."""

    _frame = 0.0                # that is being read
    _done = 0                   # frames
    _frames: Frames = ()
    _users_frame: UsersFrame
    _knows_circles = False      # a frame that was noted tells what depends on each other in a circle: the same in all
    _selected: frozenset[int] = frozenset()     # session_uid of what is when it begins

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

    @contextmanager
    def _other_frames(self) -> Iterator[None]:
        """Whatever frames are shown meanwhile, the scene is at the user's frame afterwards."""
        if _asks_for_selection(super()._what()):
            layer = self._context.view_layer
            layer.update()      # as for a reading: what was deleted just now is not in its list then
            self._selected = frozenset(each.session_uid for each in visible_objects(self._context)
                                       if each.select_get(view_layer=layer))
        self._users_frame = UsersFrame(self._context)
        try:
            yield
        finally:
            with session.writing():
                self._users_frame.put_back()

    def _approach(self) -> Generator[str, None, None]:
        """Show what simulations need to have been shown before the frames to be tested."""
        steps = self._users_frame.approach(self._context, self._frames)
        while not self._cancelled:
            with session.writing():
                if next(steps, steps) is steps:
                    return
            yield WORKED

    def _what(self) -> dict:
        """What is selected is the same in all frames, also where it is hidden in some and so no longer selected."""
        where = {**super()._what(), "simulated": self._users_frame.doubts, "circles": not self._knows_circles}
        if not _asks_for_selection(where):
            return where
        selected = [each for each in self._context.view_layer.objects
                    if each is not None and each.session_uid in self._selected]
        return {**where, "objects": selected} if selected else where

    def _reading(self) -> Generator[float, None, Snapshot]:
        # Again after the user went to another frame meanwhile, or an undo did.
        with session.writing():
            self._users_frame.show(self._context, self._frame)
        return super()._reading()


def _asks_for_selection(where: dict) -> bool:
    """True for arguments of `scene_read.reading` by which what is selected tells what is tested."""
    return where.get("scope") in OF_SELECTION and where.get("objects") is None
