# SPDX-License-Identifier: GPL-3.0-or-later
"""`AnimationRun`: one Check Animation, from the click to the written result."""
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import bpy

from ...core import Cancelled
from ...core.declarations import declaration
from ...core.errors import NothingToTest
from .. import questions, session
from ..rules.kept import kept_rules
from ..run import AT_ONCE_SECONDS, WRITING, PumpedRun, Where, how_of, needs_others, scope_of
from ..scene_read import Snapshot, show_frame
from ..worker import Progress
from .frames import frames_of_settings
from .swept import Swept

CHECKING = "checking"
NOTHING_CHECKED = "Check Animation was cancelled before a frame was tested."
Frames = tuple[float, ...]


class AnimationRun(PumpedRun):
    """One Check Animation; its answer is a `core.sequence.SweepReport`. A cancelled run answers for the frames that it
    had tested.

    While it runs, the scene is at the frame that is being read. However it ends, the user's frame is put back.
    """

    title = "Check Animation"
    nothing_found = NOTHING_CHECKED

    def __init__(self, context, where: Where, frames: Frames | Callable[[], Frames], method: str, *,
                 shown: bool = False, **how):
        """where: what is tested, without a frame. frames: which ones, ascending, or what gives them when it begins.
        how: the other arguments of `questions.new_sweep`."""
        super().__init__(context, where, takes_points=questions.takes_points(method),
                         needs_kernels=declaration(method).compiled, shown=shown,
                         alone=how.get("self_collisions", False))
        self._needs_others = needs_others(method, how)
        self._frames_asked = frames
        self._frames: Frames = ()
        self._how = {"method": method, **how}
        self._done = 0      # frames
        self._swept = Swept()
        self._refusal: NothingToTest | None = None      # of the first frame that has too little to test

    @classmethod
    def of_settings(cls, context) -> "AnimationRun":
        """What the sidebar asks for, to be shown in the scene."""
        scene = context.scene
        return cls(context, lambda: {**scope_of(scene), "rules": kept_rules(scene)}, lambda: frames_of_settings(scene),
                   shown=True, continuous=scene.touchpoint.animation.continuous, **how_of(scene))

    @property
    def progress(self) -> Progress:
        if self._progress is not None and self._progress.stage == WRITING:
            return self._progress
        return Progress(CHECKING, self._done / max(len(self._frames), 1))

    def abandon(self) -> None:
        super().abandon()
        if inspect.getgeneratorstate(self._pieces) != inspect.GEN_RUNNING:      # else it ends by itself
            self._pieces.close()        # which puts the user's frame back

    def _steps(self) -> Generator[str, None, None]:
        self._begun = True
        frames, where = self._frames_asked, self._where
        self._frames = frames() if callable(frames) else frames
        self._where = where() if callable(where) else where
        self._sweep: Any = None
        with users_frame(self._context.scene):
            for frame in self._frames:
                if self._cancelled:
                    break
                if not (yield from self._test(frame)):
                    break
                self._done += 1
        report = self._whole_report()
        if self._shown:
            yield from self._write(report)
        self.answer = report

    def _test(self, frame: float) -> Generator[str, None, bool]:
        """Test one frame; returns False where it was cancelled."""
        self._frame = frame
        try:
            snapshot = yield from self._read()
        except Cancelled:
            return False
        except NothingToTest as refusal:    # things may be hidden in some frames: nothing collides there
            self._refusal, snapshot = self._refusal or refusal, None
        self._hand_over(snapshot)
        report = yield from self._wait()
        if report.cancelled:
            return False
        if snapshot is not None:
            self._swept.note(snapshot)
        return True

    def _reading(self) -> Generator[float, None, Snapshot]:
        # Again after the user went to another frame meanwhile, or an undo did.
        with session.writing():
            show_frame(self._context.scene, self._frame)
        return super()._reading()

    def _ask(self, snapshot, progress):
        if self._sweep is None:
            self._sweep = questions.new_sweep(main_thread=self._on_main_thread, **self._how)
        fraction = self._done / len(self._frames)
        return questions.sweep_frame(self._sweep, self._frame, snapshot,
                                     lambda _stage, _fraction: progress(CHECKING, fraction))

    def _on_main_thread(self, work: Callable[[], object]):
        return self._worker.on_main_thread(work)    # each frame has a worker of its own

    def _patience(self) -> float:
        return AT_ONCE_SECONDS      # again in each frame: a tick of the window would be longer than most of them take

    def _whole_report(self):
        """The report of the frames that were tested. Raises what `pump` raises where there is none."""
        if not self._swept.frames:
            raise self._refusal or Cancelled(self.nothing_found)
        return questions.swept(self._sweep, self._swept, cancelled=self._cancelled)

    def _refuse_nothing(self, report) -> None:
        """A report has at least one frame, which is worth showing."""

    def _writing(self, report, scene) -> Generator[float, None, None]:
        from ..write_back import writing

        return writing(report, scene, lambda: self._stop_writing)


@contextmanager
def users_frame(scene):
    """Whatever frames are shown meanwhile, the scene is at the user's frame afterwards; where it was replaced by an
    undo, too."""
    uid, frame, subframe = scene.session_uid, scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene = next((each for each in bpy.data.scenes if each.session_uid == uid), None)
        if scene is not None:
            with session.writing():
                scene.frame_set(frame, subframe=subframe)
