# SPDX-License-Identifier: GPL-3.0-or-later
"""`Worker`: the one thread that runs kernels while Blender stays usable. Nothing in it touches Blender."""
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any

from ..core import Cancelled

LOOK_SECONDS = 0.1      # how often work that waits for the main thread looks whether the job is cancelled
ASK_SECONDS = 0.05      # how often a job on the main thread lets its caller look at its progress


@dataclass(frozen=True)
class Progress:
    """What a run is doing; replaced as a whole, so that another thread never sees a half-written one."""

    stage: str
    fraction: float     # 0 to 1, of the stage


HANDED_OVER = Progress("", 0.0)     # no report: it wakes a main thread that waits for one


class Worker:
    """Runs `job(progress)` in a thread, where `progress(stage, fraction)` returns False once the run is cancelled.

    After `is_done()` either `result` holds what the job returned or `error` the exception that ended it. attended: the
    main thread keeps calling `attend`, and the job's reports of progress are answered there, each of them. What the job
    hands to `on_main_thread` is done there when `do_handed_over` is called.
    """

    def __init__(self, job: Callable[[Callable[[str, float], bool]], object], attended: bool = False):
        self.progress = Progress("", 0.0)
        self.result: object = None
        self.error: BaseException | None = None
        self._job = job
        self._attended = attended
        self._reports: queue.SimpleQueue[Progress | None] = queue.SimpleQueue()     # None: the job has ended
        self._answers: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._handed_over: queue.SimpleQueue[tuple[Callable[[], object], Future]] = queue.SimpleQueue()
        self._cancelled = threading.Event()
        self._wanted = threading.Event()        # the main thread is: work was handed over, or the job has ended
        self._look: Callable[[], None] | None = None    # see `work_here`; None: the job is in a thread of its own
        self._looked = 0.0                      # when that was called, in seconds
        self._has_ended = False                 # on the main thread
        # A daemon: a kernel that is being compiled cannot be stopped, and must not hold up the end of Blender.
        self._thread = threading.Thread(target=self._run, name="touchpoint", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def work_here(self, look: Callable[[], None]) -> None:
        """Instead of `start`: do the job on this thread, the main one, and return when it has ended. Two threads that
        take turns at Python cost a short job as much again. look(): called now and then while it reports its progress;
        may call `cancel`. What it raises is raised in the job."""
        self._look, self._looked = look, time.perf_counter()
        self._run()
        self._has_ended = True

    def cancel(self) -> None:
        """Ask the job to stop. Returns at once: the job stops when it next reports its progress."""
        self._cancelled.set()
        self._answers.put(False)        # where it waits for one

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def is_done(self) -> bool:
        """True when the job and its thread have ended; False before `start`."""
        return self._has_ended or (self._thread.ident is not None and not self._thread.is_alive())

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; True when the thread has ended. Never called while Blender draws."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return self.is_done()

    def wait_for_work(self, seconds: float) -> bool:
        """Wait until there is something for `do_handed_over`, or the job has ended, at most so long; True when so."""
        return self._wanted.wait(seconds)

    def attend(self, progress: Callable[[str, float], object], seconds: float) -> None:
        """Answer one report of an attended job, if there is one within so many seconds: progress(stage, fraction)
        returns False to cancel. What it raises is raised in the job, too, and ends it. Returns sooner where the job
        hands work over."""
        try:
            report = self._reports.get(timeout=seconds)
        except queue.Empty:
            return
        if report is HANDED_OVER:
            return
        if report is None:
            self._thread.join()
            return
        try:
            answer = progress(report.stage, report.fraction)
        except Exception as error:
            answer = error
        self._answers.put(answer)

    def on_main_thread(self, work: Callable[[], object]) -> Any:
        """Called by the job: what work() returns on the main thread, or raises there. Raises Cancelled where the job is
        cancelled before it begins."""
        if self._look is not None:
            return work()
        done: Future = Future()
        self._handed_over.put((work, done))
        self._wanted.set()
        if self._attended:
            self._reports.put(HANDED_OVER)
        while not wait([done], LOOK_SECONDS).done:
            if self.is_cancelled and done.cancel():
                raise Cancelled
        return done.result()

    def do_handed_over(self) -> bool:
        """Do what the job has handed to `on_main_thread`, on this thread; True when there was any."""
        if self._handed_over.empty():
            return False
        self._wanted.clear()
        while not self._handed_over.empty():
            work, done = self._handed_over.get()
            if done.set_running_or_notify_cancel():
                try:
                    done.set_result(work())
                except BaseException as error:      # the job decides what becomes of it
                    done.set_exception(error)
        return True

    def _run(self) -> None:
        try:
            self.result = self._job(self._report)
        except BaseException as error:      # kept for the main thread, whatever it is: nobody else would see it
            self.error = error
        finally:
            del self._job                   # with the arrays it holds
            self._reports.put(None)
            self._wanted.set()

    def _report(self, stage: str, fraction: float) -> bool:
        self.progress = Progress(stage, fraction)
        if self._look is not None and time.perf_counter() - self._looked >= ASK_SECONDS:
            self._look()
            self._looked = time.perf_counter()
        if self._attended and not self._cancelled.is_set():
            self._reports.put(self.progress)
            answer = self._answers.get()
            if isinstance(answer, Exception):
                raise answer
            return answer is not False and not self._cancelled.is_set()
        return not self._cancelled.is_set()
