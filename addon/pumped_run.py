# SPDX-License-Identifier: GPL-3.0-or-later
"""`PumpedRun`: one question from the click to the written result. The same steps serve a window, scripts and the
command line."""
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

import bpy

from ..core import Cancelled, TouchpointError
from . import kernels, questions, session
from .pieces import finished
from .rest import Rest
from .scene_read import Follower, Moved, Snapshot, reading
from .worker import Progress, Worker

READING, WRITING = "reading the scene", "showing the result"
AT_ONCE_SECONDS = 0.03      # a run that takes no longer is not worth a redraw of the panel
WRITTEN_AGAIN = 5       # times, where somebody deletes what is being written to
PREPARING = "preparing for the first run"
POLL_SECONDS = 0.05
# What a step says: it did a piece; it did one for the worker; only the worker has something to do.
WORKED, HELPED, WAITING = "worked", "helped", "waiting"
NEXT_SLICE_SECONDS = 0.01       # how soon a worker that hands over slices of work has the next one


Where = dict | Callable[[], dict]


class PumpedRun(ABC):
    """A run is a generator of short steps on the main thread: read, hand over to the worker, wait, write back.

    A window calls `pump` on each tick of a timer until it returns True, scripts call `complete`. A cancelled run still
    has a (partial) answer; an abandoned one has none that anybody wants.

    A step may do what it likes while a worker is busy, but for what changes the Scene that the worker has: that is the
    end of a reading, see `animation/ahead.py`.
    """

    title: str
    nothing_found: str      # what the user reads when it was cancelled too early
    answers_reports = True  # of the worker, one by one, where somebody attends to its progress

    def __init__(self, context, where: Where, *, takes_points: bool, needs_kernels: bool, shown: bool,
                 alone: bool = False):
        """where: what is tested, arguments of `scene_read.reading`, or what gives them when it begins. needs_kernels:
        False for what runs without numba. shown: write the answer into the scene. alone: one object is enough."""
        self.abandoned = False
        self.answer: Any = None
        self.rest = Rest()
        self._context = context or bpy.context
        self._where, self._takes_points, self._alone = where, takes_points, alone
        self._needs_kernels, self._shown = needs_kernels, shown
        self._needs_others = True       # kernels that a plain Detect does not call
        self._scene_uid = self._context.scene.session_uid       # a reference would not survive an undo
        self._worker: Worker | None = None
        self._follower: Follower | None = None      # while this run has its Scene
        self._attended = False
        self._look: Callable[[], None] | None = None    # asks whoever waits in `complete` whether to go on; None: a
                                                        # window, which stays usable
        self._asked = ""                # by which settings, as a result keeps them
        self._begun = self._cancelled = self._stop_writing = False
        self._progress: Progress | None = Progress(READING, 0.0)    # None: that of the worker
        self._at_once = AT_ONCE_SECONDS
        self._pieces = self._steps()

    @property
    def is_handed_over(self) -> bool:
        """True once the scene was read and the worker has begun."""
        return self._worker is not None

    @property
    def is_done(self) -> bool:
        """True when the worker has answered; the answer may still have to be written."""
        return self._worker is not None and self._worker.is_done()

    @property
    def is_writing(self) -> bool:
        return self.progress.stage == WRITING

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled

    @property
    def progress(self) -> Progress:
        return self._progress or self._worker.progress

    def pump(self, seconds: float) -> bool:
        """Go on for about so long; returns True when all is done and `answer` is there. Raises what ends the run:
        TouchpointError where the question makes no sense, Cancelled where there is nothing to write, so that an
        earlier result stays, and what the worker raised."""
        end = time.perf_counter() + seconds
        for step in self._pieces:
            if step is WAITING:
                if not self._worker.wait(self._patience()):
                    return False
            elif step is HELPED and time.perf_counter() < end:
                if not self._worker.wait_for_work(NEXT_SLICE_SECONDS):
                    return False
            elif time.perf_counter() >= end:
                return False
        return True

    def complete(self, progress: Callable[[str, float], object] | None = None) -> Any:
        """Do all of it now and return the answer. progress: called on this thread as progress(stage, fraction);
        returning False cancels. Raises what `pump` raises, and what progress raises."""
        self._attended = self.answers_reports and progress is not None

        def look() -> None:
            if progress and progress(self.progress.stage, self.progress.fraction) is False:
                self.cancel()

        self._look = look
        try:
            for step in self._pieces:
                if step is WAITING and progress and self._attended:
                    self._worker.attend(progress, POLL_SECONDS)
                    continue
                if step is WAITING:
                    self._worker.wait_for_work(POLL_SECONDS)
                if step is not HELPED:
                    look()
        except BaseException:
            self.abandon()
            raise
        return self.answer

    def cancel(self) -> None:
        """Ask for an end; what was found until then is kept. Before the reading there is nothing to keep."""
        self._cancelled = True
        if not self._begun:
            self.abandoned = True
        if self._worker is not None:
            self._worker.cancel()
        self._stop_writing = self.is_writing or self.is_done    # what is found is whole; to show it may take seconds

    def abandon(self) -> None:
        """Ask for an end, and drop the result."""
        self.abandoned = True
        self.cancel()

    def wait(self, seconds: float) -> None:
        """Give the thread that long to end."""
        if self._worker is not None:
            self._worker.wait(seconds)

    def _steps(self) -> Generator[str, None, None]:
        self._begun = True
        snapshot = yield from self._read()
        self._hand_over(snapshot)
        answer = yield from self._wait()
        if self._shown:
            self._refuse_nothing(answer)
            self._progress = Progress(WRITING, 0.0)
            yield WORKED
            yield from self._write(answer)
        self.answer = answer

    def _read(self, begun: Generator[float, None, Snapshot] | None = None):
        """Read what is to be tested; returns a Snapshot. begun: a reading of it that is to be ended."""
        if self._needs_kernels:
            questions.prepare()
        if self._context.scene.session_uid != self._scene_uid:
            raise TouchpointError("Another scene was opened before this one was read.")
        try:
            try:
                return (yield from self._read_from(begun or self._reading()))
            except Moved:
                return finished(self._reading())
        except BaseException:
            self._let_go()
            raise

    def _what(self) -> dict:
        """What is tested, arguments of `scene_read.reading`."""
        return self._where() if callable(self._where) else self._where

    def _reading(self) -> Generator[float, None, Snapshot]:
        where = self._what()
        key = (self._scene_uid, self._context.view_layer.name, self._takes_points, where.get("scope"),
               where.get("objects") is None)
        if self._follower is None:
            follower = session.follower(key, Follower)
            if follower.lock.acquire(blocking=False):   # else a run that was abandoned is still busy with its Scene
                self._follower = follower
        return reading(self._context, **where, takes_points=self._takes_points, alone=self._alone,
                       follower=self._follower)

    def _let_go(self) -> None:
        """Another run may have the Scene."""
        follower, self._follower = self._follower, None
        if follower is not None:
            follower.lock.release()

    def _read_from(self, pieces: Generator[float, None, Snapshot]):
        with closing(pieces):       # before another run may have the Scene
            while True:
                try:
                    self._progress = Progress(READING, next(pieces))
                except StopIteration as end:
                    return end.value
                yield WORKED
                if self._cancelled:
                    raise Cancelled(self.nothing_found)

    def _hand_over(self, snapshot) -> None:
        """Let the worker begin."""
        def job(progress):
            try:
                if self._needs_kernels:
                    _wait_for_kernels(progress, self.nothing_found, self._needs_others)
                return self._ask(snapshot, progress)
            except KeyboardInterrupt:       # on the main thread, wherever the core is
                if self._follower is not None:
                    self._follower.forget()
                raise
            finally:
                self._has_asked()

        self._worker, self._progress = Worker(job, self._attended), None
        if self._look is not None and self._is_short():
            self._worker.work_here(self._look)
        else:
            self._worker.start()

    def _is_short(self) -> bool:
        """True where what the worker is about to do is over sooner than a thread is worth."""
        return False

    def _has_asked(self) -> None:
        """The worker does not need the Scene any more. In its thread."""
        self._let_go()

    def _wait(self, meanwhile: Callable[[], bool] = lambda: False):
        """Wait for the worker; returns what it found. meanwhile(): does a piece of other work, False where there is
        none left."""
        while not self._worker.is_done():
            if self._worker.do_handed_over():
                yield HELPED
            else:
                yield WORKED if meanwhile() else WAITING
        if self._worker.error is not None:
            raise self._worker.error
        return self._worker.result

    def _write(self, answer):
        """Write the answer into the scene; from the beginning, where the file was replaced by an undo meanwhile, or
        something that is written to was deleted. Raises TouchpointError where the scene is gone."""
        whole, again = False, WRITTEN_AGAIN
        while not whole:
            scene = next((each for each in bpy.data.scenes if each.session_uid == self._scene_uid), None)
            if scene is None:
                raise TouchpointError(f"The scene was deleted while {self.title} was running, so there is nothing to "
                                      "show.")
            replacements, whole = session.replacements(), True
            try:
                for done in self._writing(answer, scene):
                    self._progress = Progress(WRITING, done)
                    yield WORKED
                    if session.replacements() != replacements:
                        whole = False
                        break
            except ReferenceError:
                if not again:
                    raise
                whole, again = False, again - 1

    def _patience(self) -> float:
        """How long a window may wait for the worker: a moment, once."""
        patience, self._at_once = self._at_once, 0.0
        return patience

    @abstractmethod
    def _ask(self, snapshot, progress):
        """The answer, found in the worker's thread."""

    @abstractmethod
    def _refuse_nothing(self, answer) -> None:
        """Raise Cancelled where the answer of a cancelled run is not worth showing."""

    @abstractmethod
    def _writing(self, answer, scene) -> Generator[float, None, None]:
        """Write the answer, in pieces; yields the fraction done. Where `_stop_writing` is set, it ends."""


def _wait_for_kernels(progress, nothing_found: str, others: bool) -> None:
    """Another process may be compiling the very kernels that are about to be called: doing it twice takes longer.
    others: not only those that Detect calls."""
    while kernels.state.stage in ("starting", "compiling") or others and kernels.state.others_wait:
        if progress(PREPARING, kernels.state.fraction) is False:
            raise Cancelled(nothing_found)
        time.sleep(POLL_SECONDS)
