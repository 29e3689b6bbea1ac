# SPDX-License-Identifier: GPL-3.0-or-later
"""`Worker`: the one thread that runs kernels while Blender stays usable. Nothing in it touches Blender."""
import threading
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """What a run is doing; replaced as a whole, so that another thread never sees a half-written one."""

    stage: str
    fraction: float     # 0 to 1, of the stage


class Worker:
    """Runs `job(progress)` in a thread, where `progress(stage, fraction)` returns False once the run is cancelled.

    After `is_done()` either `result` holds what the job returned or `error` the exception that ended it.
    """

    def __init__(self, job: Callable[[Callable[[str, float], bool]], object]):
        self.progress = Progress("", 0.0)
        self.result: object = None
        self.error: BaseException | None = None
        self._job = job
        self._cancelled = threading.Event()
        # A daemon: a kernel that is being compiled cannot be stopped, and must not hold up the end of Blender.
        self._thread = threading.Thread(target=self._run, name="touchpoint", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Ask the job to stop. Returns at once: the job stops when it next reports its progress."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def is_done(self) -> bool:
        """True when the thread has ended; False before `start`."""
        return self._thread.ident is not None and not self._thread.is_alive()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; True when the thread has ended. Never called while Blender draws."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return self.is_done()

    def _run(self) -> None:
        try:
            self.result = self._job(self._report)
        except BaseException as error:      # kept for the main thread, whatever it is: nobody else would see it
            self.error = error
        finally:
            del self._job                   # with the arrays it holds

    def _report(self, stage: str, fraction: float) -> bool:
        self.progress = Progress(stage, fraction)
        return not self._cancelled.is_set()
