# SPDX-License-Identifier: GPL-3.0-or-later
"""`CompareFramesRun`: one Compare over frames of a scene."""
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from ...core.errors import Cancelled, NothingToTest
from .. import questions
from ..method_properties import as_typed, compared_methods
from ..pumped_run import READING, Where
from ..run import CompareRun, scope_of
from ..scene_read import Snapshot
from ..scene_read.swept import Swept
from ..worker import Progress
from .frames import frames_of_settings
from .over_frames import Frames, OverFrames

if TYPE_CHECKING:
    import bpy


class CompareFramesRun(OverFrames, CompareRun):
    """Reads all frames, and then compares methods on them. Frames with too little to test are left out."""

    def __init__(self, context, where: Where, frames: Frames | Callable[[], Frames], entries, *, shown: bool = False,
                 **how):
        """frames: which ones, ascending, or what gives them when it begins. All else as for `CompareRun`."""
        super().__init__(context, where, entries, shown=shown, **how)
        self._frames_asked = frames

    @classmethod
    def of_settings(cls, context: "bpy.types.Context") -> "CompareFramesRun":
        """What the sidebar asks for, to be shown in the scene."""
        scene, settings = context.scene, context.scene.touchpoint
        return cls(context, lambda: scope_of(scene), lambda: frames_of_settings(scene), compared_methods(settings),
                   shown=True, clearance=as_typed(settings.clearance), repeats=settings.repeats)

    @property
    def progress(self) -> Progress:
        if self._progress is not None and self._progress.stage == READING:
            return Progress(READING, self._done / max(len(self._frames), 1))
        return super().progress

    def _steps(self) -> Generator[str, None, None]:
        from ...core.sequence.film import Film

        self._begin(self._frames_asked)
        film, swept = Film(), Swept()
        with self._other_frames():
            yield from self._read_all(film, swept)
        self._hand_over((film, swept))
        answer = yield from self._wait()
        if self._shown:
            self._refuse_nothing(answer)
            yield from self._write(answer)
        self.answer = answer

    def _read_all(self, film, swept: Swept) -> Generator[str, None, None]:
        """Read every frame. Raises NothingToTest where none has something to test, Cancelled."""
        refusal = None
        for frame in self._frames:
            if self._cancelled:
                raise Cancelled(self.nothing_found)
            self._frame = frame
            try:
                snapshot: Snapshot = yield from self._read()
                film.add(frame, snapshot.core)
                swept.note(snapshot)
                self._knows_circles = True
            except NothingToTest as error:
                refusal = refusal or error
            self._let_go()
            self._done += 1
        if not len(film):
            raise refusal or NothingToTest("There are no frames to compare.")

    def _ask(self, read, progress):
        film, swept = read
        return questions.compare_frames_in(film, swept, self._entries, progress=progress,
                                           main_thread=self._worker.on_main_thread, **self._how)
