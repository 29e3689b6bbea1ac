# SPDX-License-Identifier: GPL-3.0-or-later
"""`Run`: what the stages of one run share. It stands below all stages that take it."""
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from .errors import Cancelled
from .parallel import thread_count

Item = TypeVar("Item")
ITEMS_PER_TICK = 1 << 12    # objects that Python does something with in some hundredths of a second
COUNTED = {"broad phase": "broad_tests"}    # the count that a stage's own tests are; of the others, triangle_pairs


@dataclass
class StageRecord:
    """One stage of the pipeline: what went in and came out, elementary tests made, wall seconds."""

    name: str
    items_in: int
    items_out: int
    tests: int
    seconds: float


class Timed:
    """A context manager that notes in a record how long its body takes."""

    def __init__(self, record: StageRecord):
        self._record, self._start = record, time.perf_counter()

    def __enter__(self) -> StageRecord:
        return self._record

    def __exit__(self, *_) -> None:
        self._record.seconds = time.perf_counter() - self._start


class Run:
    """Progress and cancelling, threads, options, counts, notes, and which pairs are finished."""

    def __init__(self, progress, threads: int | None, contacts_wanted: bool, options: dict, main_thread=None,
                 gpu=None):
        """progress, threads, options, main_thread, gpu: as in `pipeline.detect`."""
        self.threads = thread_count(threads)
        self.contacts_wanted = contacts_wanted
        self.options = options
        self.notes: list[str] = []
        self.cancelled = False
        self.dropped = False            # cancelled, and what was found is not wanted either
        self.stages: list[StageRecord] = []
        self.counts = {"broad_tests": 0, "box_pairs": 0, "triangle_pairs": 0, "exact_decisions": 0}
        self.gpu = None if isinstance(gpu, str) else gpu
        self.weld = 0.0                 # borders of a mesh that are no farther apart can count as closed
        self._main_thread = main_thread
        self._progress = progress
        self._thread = threading.get_ident()
        self._fraction, self._span = 0.0, (0.0, 1.0)
        self.most_hits: int | None = None   # that a search keeps before it raises TooManyHits; None: any number
        self._lock = threading.Lock()

    @classmethod
    def unwatched(cls, contacts_wanted: bool) -> "Run":
        """A run on all cores that nobody watches or cancels: that of a query."""
        return cls(None, None, contacts_wanted, {})

    def stage(self, name: str, items_in: int) -> "Timed":
        """Begin a stage: `with run.stage(…) as record` times it; the body sets record.items_out."""
        record = StageRecord(name, items_in, 0, 0, 0.0)
        self.stages.append(record)
        self._fraction = 0.0        # and from here on it only grows, even where a piece of work is begun anew
        self.tick(0.0)
        return Timed(record)

    def call(self, recipe, stage: str, *inputs):
        """What a stage of a recipe (a `Method` or a `Measure`) makes of its inputs, on the thread that it asks for."""
        work = getattr(recipe, stage)
        if stage not in recipe.main_thread:
            return work(*inputs, self)
        return self.on_main_thread(lambda: work(*inputs, self))

    def on_main_thread(self, work):
        """What work() returns on the one thread that may draw, or raises there.

        For a stage that runs elsewhere: Blender is usable, and the run can be cancelled, between two slices of work.
        So each is short, a few hundredths of a second. Raises Cancelled where the run is cancelled meanwhile.
        """
        return work() if self._main_thread is None else self._main_thread(work)

    def tick(self, fraction: float | None = None) -> None:
        """Report progress of the running stage. fraction: None for as far as before.

        Raises Cancelled where the callback asks to stop: once where it returned False, so that stages can keep what was
        found; from then on at every call where it raised Cancelled, as nothing is to be kept.
        """
        if self.dropped:
            raise Cancelled
        if self._progress is None or self.cancelled:
            return
        if fraction is not None:
            self._fraction = max(self._fraction, self._span[0] + self._span[1] * float(fraction))
        try:
            go_on = self._progress(self.stages[-1].name, self._fraction)
        except Cancelled:
            self.cancelled = self.dropped = True
            raise
        if go_on is False:
            self.cancelled = True
            raise Cancelled

    @contextmanager
    def share(self, begin: float, size: float):
        """Report progress in the body as that of a piece of the stage, or of the share that this is a share of: from
        the fraction `begin` on, so much of it."""
        outer = self._span
        self._span = outer[0] + outer[1] * begin, outer[1] * size
        try:
            yield
        finally:
            self._span = outer

    @contextmanager
    def what_is_left(self):
        """Report progress in the body as that of what is left of the stage: a piece of work is begun anew in it, and
        would report no progress until it is as far as before."""
        begin, size = self._span
        done = min(1.0, max(0.0, (self._fraction - begin) / size)) if size > 0.0 else 0.0
        with self.share(done, 1.0 - done):
            yield

    def watched(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items, one after the other, each of them little work, with a `tick` now and then."""
        for number, item in enumerate(items):
            if number % ITEMS_PER_TICK == 0:
                self.tick()
            yield item

    def stopped(self) -> bool:
        """True once the run is cancelled. Safe in any thread, never raises. On the run's own thread it also polls the
        progress callback."""
        if threading.get_ident() == self._thread and not self.cancelled:
            try:
                self.tick()
            except Cancelled:
                pass
        return self.cancelled

    def note(self, sentence: str) -> None:
        """Tell the user what the method chose, or what it cannot promise. The same run gives the same sentences."""
        self.notes.append(sentence)

    def count(self, **numbers: int) -> None:
        """Add to the counts, from any thread. A broad phase that tests boxes at once counts the `pairs` it tests."""
        with self._lock:
            for name, number in numbers.items():
                self.counts[name] = self.counts.get(name, 0) + number
                if self.stages and name == COUNTED.get(self.stages[-1].name, "triangle_pairs"):
                    self.stages[-1].tests += number

    def tally(self) -> tuple[dict, int]:
        """All counts as they are now, for `restore`."""
        return dict(self.counts), self.stages[-1].tests

    def restore(self, tally: tuple[dict, int]) -> None:
        """Forget what was counted since then: the work was done in vain, or a second time."""
        self.counts, self.stages[-1].tests = dict(tally[0]), tally[1]
