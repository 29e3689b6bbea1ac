# SPDX-License-Identifier: GPL-3.0-or-later
"""`AnimationRun`: one Check Animation, from the click to the written result."""
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from ...core import Cancelled
from ...core.declarations import declaration
from ...core.errors import NothingToTest
from ...core.sequence.ranges import ANEW
from .. import questions
from ..again import selected_before
from ..against_pose import AgainstPose
from ..asked import as_text
from ..pumped_run import AT_ONCE_SECONDS, WRITING, Where
from ..rules.kept import kept_rules
from ..run import how_of, needs_others, scope_of
from ..scene_read import Snapshot
from ..scene_read.swept import Swept
from ..self_reference_properties import reference_of
from ..worker import Progress
from .frames import frames_of_settings
from .over_frames import Frames, OverFrames

if TYPE_CHECKING:
    import bpy

CHECKING = "checking"
NOTHING_CHECKED = "Check Animation was cancelled before a frame was tested."


class AnimationRun(OverFrames, AgainstPose):
    """One Check Animation; its answer is a `core.sequence.SweepReport`. A cancelled run answers for the frames that it
    had tested."""

    title = "Check Animation"
    nothing_found = NOTHING_CHECKED

    def __init__(self, context, where: Where, frames: Frames | Callable[[], Frames], method: str, *,
                 shown: bool = False, self_reference: Any = None, **how):
        """where: what is tested, without a frame. frames: which ones, ascending, or what gives them when it begins.
        self_reference: as in `api.detect`; how: the other arguments of `questions.new_sweep`."""
        super().__init__(context, where, takes_points=questions.takes_points(method),
                         needs_kernels=declaration(method).compiled, shown=shown,
                         alone=how.get("self_collisions", False))
        self._needs_others = needs_others(method, how)
        self._frames_asked = frames
        self._how = {"method": method, **how}
        self._swept = Swept()
        self._refusal: NothingToTest | None = None      # of the first frame that has too little to test
        self._compare_with(self_reference)

    @classmethod
    def of_settings(cls, context: "bpy.types.Context") -> "AnimationRun":
        """What the sidebar asks for, to be shown in the scene."""
        scene = context.scene
        again = selected_before(context)        # not asked again in each frame: it is another question then
        run = cls(context, lambda: {**scope_of(scene), "objects": again, "rules": kept_rules(scene)},
                  lambda: frames_of_settings(scene), shown=True, continuous=scene.touchpoint.animation.continuous,
                  self_reference=reference_of(scene.touchpoint), **how_of(scene))
        run._asked = as_text(scene.touchpoint)
        return run

    @property
    def progress(self) -> Progress:
        if self._progress is not None and self._progress.stage == WRITING:
            return self._progress
        return Progress(CHECKING, self._done / max(len(self._frames), 1))

    def _steps(self) -> Generator[str, None, None]:
        self._begin(self._frames_asked)
        self._sweep: Any = None
        with self._other_frames():
            if self._reference is not None:
                self._frame = self._first_frame()
                yield from self._look_at_reference(self._frame)
            while self._done < len(self._frames):
                if self._cancelled:
                    break
                if not (yield from self._test(self._frames[self._done])):
                    break
                self._done = self._following()
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
            self._note(snapshot)
        return True

    def _note(self, snapshot: Snapshot) -> None:
        """A frame with something to test is done."""
        self._swept.note(snapshot)

    def _following(self) -> int:
        """The number of the frame after the one that is done."""
        return self._done + 1

    def _first_frame(self) -> float:
        """Of the animation, of which this may be a part."""
        return self._frames[0]

    def _number(self) -> int:
        """How many frames of the animation are before the one that is being tested."""
        return self._done

    def _reading(self) -> Generator[float, None, Snapshot]:
        pieces = super()._reading()
        if self._follower is not None:
            self._follower.stays = self._number() % ANEW > 0
        return pieces

    def _ask(self, snapshot, progress):
        if self._reference is not None:
            return self._known_in(snapshot, lambda _stage, _fraction: progress(CHECKING, 0.0))
        if self._sweep is None:
            self._sweep = self._new_sweep()
        fraction = self._done / len(self._frames)
        return questions.sweep_frame(self._sweep, self._frame, snapshot,
                                     lambda _stage, _fraction: progress(CHECKING, fraction), self._known)

    def _new_sweep(self):
        return questions.new_sweep(main_thread=self._on_main_thread, **self._how)

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

        return writing(report, scene, lambda: self._stop_writing, self._asked)
