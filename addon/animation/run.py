# SPDX-License-Identifier: GPL-3.0-or-later
"""`AnimationRun`: one Check Animation, from the click to the written result."""
import math
import threading
import time
from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...core import Cancelled
from ...core.declarations import declaration
from ...core.errors import NothingToTest
from ...core.sequence.ranges import ANEW
from .. import questions
from ..again import selected_before
from ..against_pose import AgainstPose
from ..asked import as_text
from ..pumped_run import AT_ONCE_SECONDS, WORKED, WRITING, Where
from ..rules.kept import kept_rules
from ..run import how_of, needs_others, scope_of
from ..scene_read import Snapshot
from ..scene_read.swept import Swept
from ..self_reference_properties import reference_of
from ..worker import Progress
from .ahead import Ahead
from .frames import frames_of_settings
from .over_frames import Frames, OverFrames

if TYPE_CHECKING:
    import bpy

    from ...core.sequence.report import SweepReport

CHECKING = "checking"
SHORT_SECONDS = 0.002       # a frame that is tested so soon is mostly Python, which two threads cannot run at once
NOTHING_CHECKED = "Check Animation was cancelled before a frame was tested."


class AnimationRun(OverFrames, AgainstPose):
    """One Check Animation; its answer is a `core.sequence.SweepReport`. A cancelled run answers for the frames that it
    had tested."""

    title = "Check Animation"
    nothing_found = NOTHING_CHECKED
    answers_reports = False     # the worker would wait for each while the next frame is being read

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
        self._place = 0                 # number of the frame that is being read,
        self._tested = 0.0              # and the frame that the worker tests
        self._took = math.inf           # seconds, for the test of the frame before
        self._ahead: Ahead | None = None
        self._is_tested = False         # all frames are, or it was cancelled
        self._together: SweepReport | None = None       # what they say together
        self._ending = threading.Lock()
        self._is_busy = self._is_over = False           # the worker; the run, whose Scene the worker may still have
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
        try:
            with self._other_frames():
                yield from self._test_all()
            yield from self._put_together()
        finally:
            self._end()
        report = self._whole_report()
        if self._shown:
            yield from self._write(report)
        self.answer = report

    def _test_all(self) -> Generator[str, None, None]:
        """Test one frame after the other, until the last one or a cancel."""
        if self._reference is not None:
            self._frame = self._first_frame()
            yield from self._look_at_reference(self._frame)
        yield from self._approach()
        while self._done < len(self._frames) and not self._cancelled:
            if self._done:
                yield WORKED        # so that everybody sees how far it is
            if not (yield from self._test()):
                break
            self._done = self._following()

    def _test(self) -> Generator[str, None, bool]:
        """Test one frame, while the next one is read as far as may be; returns False where it was cancelled."""
        try:
            snapshot = yield from self._read(self._reading_begun())
        except Cancelled:
            return False
        except NothingToTest as refusal:    # things may be hidden in some frames: nothing collides there
            self._refusal, snapshot = self._refusal or refusal, None
        self._hand_over(snapshot)
        if self._done + 1 < len(self._frames):
            self._ahead = Ahead(self._done + 1, partial(self._reading_of, self._done + 1))
        if not (yield from self._wait(
                lambda: not self._cancelled and self._ahead is not None and self._ahead.go_on())):
            return False
        if snapshot is not None:
            self._note(snapshot)
        return True

    def _reading_begun(self) -> Generator[float, None, Snapshot] | None:
        """The reading of the frame whose turn it is, where it has begun ahead; None where it is to be begun."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead.has_begun:
            if ahead.place == self._done:
                return ahead.rest()
            ahead.close()
        self._frame, self._place = self._frames[self._done], self._done
        return None

    def _reading_of(self, place: int) -> Generator[float, None, Snapshot]:
        self._frame, self._place = self._frames[place], place
        return self._reading()

    def _hand_over(self, snapshot) -> None:
        self._tested, self._is_busy = self._frame, True
        try:
            super()._hand_over(snapshot)
        except BaseException:       # there is no thread
            self._is_busy = False
            raise

    def _has_asked(self) -> None:
        """The Scene stays with the run, for the next frame."""
        with self._ending:
            self._is_busy = False
            if self._is_over:
                self._let_go()

    def _end(self) -> None:
        """No frame follows. An abandoned worker may still be busy, and then lets go of the Scene itself."""
        if self._ahead is not None:
            self._ahead.close()
        with self._ending:
            self._is_over = True
            if not self._is_busy:
                self._let_go()

    def _note(self, snapshot: Snapshot) -> None:
        """A frame with something to test is done."""
        self._swept.note(snapshot)
        self._knows_circles = True

    def _following(self) -> int:
        """The number of the frame after the one that is done."""
        return self._done + 1

    def _first_frame(self) -> float:
        """Of the animation, of which this may be a part."""
        return self._frames[0]

    def _number(self) -> int:
        """How many frames of the animation are before the one that is being read."""
        return self._place

    def _reading(self) -> Generator[float, None, Snapshot]:
        pieces = super()._reading()
        if self._follower is not None:
            self._follower.stays = self._number() % ANEW > 0
        return pieces

    def _ask(self, snapshot, progress):
        if self._is_tested:
            return self._sweep.report(lambda _stage, _fraction: progress(CHECKING, 1.0))
        if self._reference is not None:
            return self._known_in(snapshot, lambda _stage, _fraction: progress(CHECKING, 0.0))
        if self._sweep is None:
            self._sweep = self._new_sweep()
        fraction, begun = self._done / len(self._frames), time.perf_counter()
        try:
            return questions.take_frame(self._sweep, self._tested, snapshot,
                                        lambda _stage, _fraction: progress(CHECKING, fraction), self._known)
        finally:
            self._took = time.perf_counter() - begun

    def _is_short(self) -> bool:
        return self._took < SHORT_SECONDS

    def _new_sweep(self):
        return questions.new_sweep(main_thread=self._on_main_thread, **self._how)

    def _on_main_thread(self, work: Callable[[], object]):
        return self._worker.on_main_thread(work)    # each frame has a worker of its own

    def _patience(self) -> float:
        return AT_ONCE_SECONDS      # again in each frame: a tick of the window would be longer than most of them take

    def _put_together(self) -> Generator[str, None, None]:
        """Have a worker say what all frames say together: with millions of contacts that takes some tenths of a second,
        in which a window is to stay usable and a cancel to be heard."""
        if self._swept.frames:
            self._is_tested = True
            self._hand_over(None)
            self._together = yield from self._wait()

    def _whole_report(self):
        """The report of the frames that were tested. Raises what `pump` raises where there is none."""
        if self._together is None:
            raise self._refusal or Cancelled(self.nothing_found)
        return questions.swept(self._together, self._swept, cancelled=self._cancelled)

    def _refuse_nothing(self, report) -> None:
        """A report has at least one frame, which is worth showing."""

    def _writing(self, report, scene) -> Generator[float, None, None]:
        from ..write_back import writing

        return writing(report, scene, lambda: self._stop_writing, self._asked)
