# SPDX-License-Identifier: GPL-3.0-or-later
"""`Ahead`: the reading of a frame that begins while the frame before it is being tested.

Blender evaluates a frame, and its meshes are read, without a change to the core Scene, which the worker has until its
test is done. Only the end of a reading, where Blender's part of it is done, lets that Scene go on to the new frame.
"""
from collections.abc import Callable, Generator

from ..scene_read import Snapshot

READ = 1.0          # what a reading yields before its end


class Ahead:
    """A reading of frame number `place`. Errors wait until it is this frame's turn."""

    def __init__(self, place: int, begin: Callable[[], Generator[float, None, Snapshot]]):
        """begin: as `PumpedRun._reading`."""
        self.place = place
        self._begin = begin
        self._pieces: Generator[float, None, Snapshot] | None = None
        self._error: Exception | None = None
        self._read = 0.0

    def go_on(self) -> bool:
        """Do a piece of it, False where all is done but its end."""
        if self._read == READ or self._error is not None:
            return False
        try:
            if self._pieces is None:
                self._pieces = self._begin()
            self._read = next(self._pieces)         # with the beginning in one step: the user may go to another frame
        except Exception as error:
            self._error = error
        return True

    @property
    def has_begun(self) -> bool:
        return self._pieces is not None or self._error is not None

    def rest(self) -> Generator[float, None, Snapshot]:
        """What is left of the reading, and its Snapshot; once it has begun."""
        if self._error is not None:
            raise self._error
        assert self._pieces is not None
        return (yield from self._pieces)

    def close(self) -> None:
        """Let it be."""
        if self._pieces is not None:
            self._pieces.close()
