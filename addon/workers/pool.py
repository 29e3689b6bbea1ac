# SPDX-License-Identifier: GPL-3.0-or-later
"""`Pool`: workers. One that dies is replaced, and what it was doing is done again."""
import heapq
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

from ...core.errors import TouchpointError
from . import launch
from .job import Job
from .messages import DONE, PART, REFUSED, Gone, receive, send, skip_to_ready

MOST_DEATHS = 3         # of workers at the same frames
AHEAD = 2               # times the number of workers: parts that may wait for one that is not done

Range = tuple[int, int]


class Worker(Protocol):
    """One process."""

    def do(self, wanted: Range) -> Iterator[tuple[str, object]]:
        """Yield what it says about a part, see `child.answer`, to the end. Raises Gone where it died."""

    def end(self) -> None:
        """End it, from any thread."""

    def why(self) -> str:
        """How it died: `by SIGKILL`, `with code 3`."""


class LocalWorker:
    """One process on this machine; a Worker."""

    def __init__(self, job: Job, threads: int):
        """threads: how many it uses, where the job says nothing."""
        self._asked, self._process = (job, threads), launch.start()
        self._begun = False

    def do(self, wanted: Range) -> Iterator[tuple[str, object]]:
        reading, writing = self._process.stdout, self._process.stdin
        assert reading is not None and writing is not None
        try:
            if not self._begun:
                skip_to_ready(reading)
                send(writing, self._asked)
                self._begun = True
            send(writing, wanted)
            kind = DONE
            while kind == DONE:
                kind, what = receive(reading)
                yield kind, what
        except (OSError, ValueError):       # ValueError: `end` has closed a stream
            raise Gone from None

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def why(self) -> str:
        return launch.how_it_ended(self._process)


class Pool:
    """A thread per worker tells it what to do, and hands on what it says."""

    def __init__(self, frames: tuple[float, ...], wanted: list[Range], workers: int, new_worker: Callable[[], Worker]):
        """frames: all of them. wanted: the parts to test, first frame and last + 1 by number, in order. workers: how
        many there are at once."""
        self._frames, self._wanted, self._new = frames, wanted, new_worker
        self._left = list(range(len(wanted)))           # numbers of parts that nobody does; a heap
        self._deaths = [0] * len(wanted)
        self._handed_on, self._ahead = 0, AHEAD * workers
        self._free = threading.Condition()
        self._ended = False
        self._said: queue.SimpleQueue = queue.SimpleQueue()     # (number of a part or None, kind, what)
        self._workers: set[Worker] = set()
        for _ in range(min(workers, len(wanted))):
            threading.Thread(target=self._drive, daemon=True).start()

    def parts(self, progress: Callable[[int], object]) -> Iterator:
        """Yield a SweptPart for each part, in order. progress: called with the number of frames that are done. Raises
        TouchpointError."""
        done, parts = [0] * len(self._wanted), {}
        while self._handed_on < len(self._wanted):
            number, kind, what = self._said.get()
            if kind == DONE:
                done[number] = what
                progress(sum(done))
            elif kind == PART:
                parts[number] = what
            else:
                raise TouchpointError(what)
            while self._handed_on in parts:
                yield parts.pop(self._handed_on)
                with self._free:
                    self._handed_on += 1
                    self._free.notify_all()

    def end(self) -> None:
        """End all workers."""
        with self._free:
            self._ended = True
            self._free.notify_all()
            for worker in self._workers:
                worker.end()

    def _drive(self) -> None:
        """One worker after the other, until nothing is left to do."""
        worker = None
        try:
            while (number := self._next()) is not None:
                worker = worker or self._new_worker()
                try:
                    for kind, what in worker.do(self._wanted[number]):
                        self._said.put((number, kind, what))
                except Gone:
                    self._died(number, worker.why())
                    self._bury(worker)
                    worker = None
        except Exception as error:      # nobody else would see it
            self._said.put((None, REFUSED, f"No worker can be started: {error}"))
        if worker is not None:
            self._bury(worker)

    def _next(self) -> int | None:
        """The number of the next part, None where none is left. Waits where too many parts wait for an earlier one."""
        with self._free:
            while not self._ended and self._handed_on < len(self._wanted):
                if self._left and self._left[0] < self._handed_on + self._ahead:
                    return heapq.heappop(self._left)
                self._free.wait()
            return None

    def _new_worker(self) -> Worker:
        with self._free:
            if self._ended:
                raise Gone
            worker = self._new()
            self._workers.add(worker)
        return worker

    def _bury(self, worker: Worker) -> None:
        worker.end()
        with self._free:
            self._workers.discard(worker)

    def _died(self, number: int, why: str) -> None:
        with self._free:
            if self._ended:
                return
            self._deaths[number] += 1
            heapq.heappush(self._left, number)
            self._free.notify_all()
        if self._deaths[number] >= MOST_DEATHS:
            first, last = self._wanted[number]
            frames = self._frames
            self._said.put((number, REFUSED, f"Frames {frames[first]:g} to {frames[last - 1]:g} cannot be tested: "
                                             f"{MOST_DEATHS} workers ended over them, the last one {why}."))
