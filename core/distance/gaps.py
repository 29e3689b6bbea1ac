# SPDX-License-Identifier: GPL-3.0-or-later
"""The distances of many pairs of objects, up to a limit: threads, cancelling, and what the kernels leave open."""
import math
import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..arrays import filled, pieces
from ..errors import Cancelled
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..records import DistanceScratch, DistanceTasks, PairGaps, PlacedTrees
from ..reference import last_resort
from ..run import Run
from ..trees.bvh.forest import Forest
from .leaves import WIDE
from .nearest import FAN, comes_first, search_pairs
from .pair import RELATIVE_ERROR, pair_scratch, triangle_columns
from .triangles import COLUMNS

DISTANCE_STEPS_PER_CALL = 1 << 12   # of the kernel: some milliseconds
GAP_CHUNKS_PER_THREAD = 16  # enough that the last one to finish does not matter
FEW_GAP_PAIRS = 64          # not worth the start of a thread
CALLS_BEFORE_SHARING = 4    # of the kernel for one pair, before threads share what is left of it


def within(clearance):
    """The limit to ask for so that no pair is missed whose true distance is at most the clearance: a length, or an
    array of such."""
    return np.nextafter(clearance * (1.0 + 2.0 * RELATIVE_ERROR), np.inf)


def gaps(forest: Forest, a: np.ndarray, b: np.ndarray, limit: float | np.ndarray,
         run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances of the pairs of objects (a[i], b[i]): gap (pairs,) float64 in world units, infinity where it is more
    than `limit`; points (pairs,2,3) float64 where they come nearest, NaN where the gap is infinite; done (pairs,) bool,
    False only for pairs that a cancelled run has not finished.

    a, b: (pairs,) int32, positions in the forest; limit: of all pairs, or (pairs,) of each. A gap errs by less than
    2^-40 of itself and is exactly 0 where the surfaces meet. Gaps and points do not depend on threads or on the order
    of objects, pairs or triangles. Only which of many common points of two surfaces is given is left open. Never raises
    Cancelled.
    """
    points = filled((len(a), 2, 3), np.nan, run.stopped)
    pairs = PairGaps(a, b, np.full(len(a), limit), points, np.zeros(len(a), np.uint8))
    try:
        for batch in forest.batches(a, b) if len(a) else ():
            _batch(Work(forest.placed_trees, pairs, run), batch)
    except Cancelled:
        pass
    pairs.gap[np.isnan(pairs.points[:, 0, 0])] = np.inf
    return pairs.gap, pairs.points, pairs.done > 0


def near_pairs(forest: Forest, table: PairTable, rows: np.ndarray,
               run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The stage `clearances` of a method, for the pairs in `rows`: near (rows,) bool, gap (rows,) and points
    (rows,2,3), NaN where not near; see `Method`.

    A pair is near when its gap, less what the gap may err by, is at most `table.reach`. So none is missed, and a pair
    may be called near whose gap is more than that by 2^-39 of it.
    """
    if len(rows) == 0:
        return np.zeros(0, bool), np.zeros(0), np.zeros((0, 2, 3))
    gap, points, done = gaps(forest, table.a[rows], table.b[rows], within(table.reach[rows]), run)
    table.finished[rows[~done]] = False
    near = done & np.isfinite(gap)
    for some in pieces(len(rows), run.stopped):
        gap[some][~near[some]], points[some][~near[some]] = np.nan, np.nan
    return near, gap, points


class Work(NamedTuple):
    """What threads share: pairs whose objects are placed."""

    trees: PlacedTrees
    pairs: PairGaps
    run: Run


class Unfinished(NamedTuple):
    """What is left of a pair that takes long."""

    row: int
    tasks: DistanceTasks


def distance_scratch() -> DistanceScratch:
    """Memory for `nearest.search`."""
    return DistanceScratch(np.empty(16, np.float32), np.empty((COLUMNS, 3), np.int32), np.empty(9 * WIDE),
                           np.empty(6 * WIDE, np.float32), np.empty((4, 3)), triangle_columns(),
                           np.empty(COLUMNS, np.int64), np.empty(COLUMNS), pair_scratch(),
                           np.empty((COLUMNS, 2), np.int32), np.zeros(2, np.int64))


class Search:
    """One thread's part of the work, with the memory that the kernels need."""

    def __init__(self, work: Work):
        self.work = work
        self.tasks = DistanceTasks(np.empty((1024, 2), np.int32), np.zeros(1024, np.float32))
        self.scratch = distance_scratch()

    def measure(self, rows: np.ndarray, calls: int | None, tick: Callable[[float], None] | None) -> list[Unfinished]:
        """What is left of the pairs in these rows that would take more than so many calls of the kernel; the others are
        finished, unless the run is cancelled. tick: called with the fraction done after each call."""
        state, left = np.array([0, -1], np.int64), []
        at, called = 0, 0
        while state[0] < len(rows) and not self.work.run.stopped():
            self._call(rows, state)
            called = called + 1 if state[0] == at and state[1] > 0 else 0
            at = state[0]
            if called and called == calls:
                left.append(Unfinished(int(rows[at]), DistanceTasks(*(each[:state[1]].copy() for each in self.tasks))))
                state[:] = at + 1, -1
            if tick:
                tick(state[0] / len(rows))
        self._count()
        return left

    def resume(self, tasks: DistanceTasks, agree: Callable[[], None]) -> None:
        """Work off some tasks of the only pair. agree: called after each call of the kernel."""
        depth = len(tasks.nodes)
        self.tasks.nodes[:depth], self.tasks.lower_bounds[:depth] = tasks
        rows, state = np.zeros(1, np.int64), np.array([0, depth], np.int64)
        while state[0] == 0 and not self.work.run.stopped():
            self._call(rows, state)
            agree()
        self._count()

    def _call(self, rows: np.ndarray, state: np.ndarray) -> None:
        count = search_pairs(rows, state, self.work.pairs, self.work.trees, self.tasks, DISTANCE_STEPS_PER_CALL,
                             self.scratch)
        for slots in self.scratch.undecided[:count].tolist():
            self._decide(int(rows[state[0]]), *slots)
        if state[1] + FAN > len(self.tasks.nodes):
            nodes, lower_bounds = self.tasks
            self.tasks = DistanceTasks(np.concatenate([nodes, np.empty_like(nodes)]),
                                       np.concatenate([lower_bounds, np.zeros_like(lower_bounds)]))

    def _count(self) -> None:
        tasks, triangle_pairs = self.scratch.stats.tolist()
        self.work.run.count(box_pairs=16 * tasks, triangle_pairs=triangle_pairs)

    def _decide(self, row: int, slot_a: int, slot_b: int) -> None:
        """The distance of two triangles in rational arithmetic: they meet, or their numbers are too much for the
        kernels."""
        pairs, corners = self.work.pairs, self.work.trees.corners
        distance, points = last_resort.gap(corners.of(pairs.a[row], slot_a), corners.of(pairs.b[row], slot_b))
        self.work.run.count(exact_decisions=1)
        if distance <= pairs.gap[row] and comes_first(distance, points, pairs, row):
            pairs.gap[row], pairs.points[row] = distance, points


def _batch(work: Work, batch: slice) -> None:
    """Find the distances of the pairs in a slice: threads share the pairs, then what is left of those that take
    long."""
    run, rows = work.run, np.arange(batch.start, batch.stop, dtype=np.int64)
    count = min(len(rows), GAP_CHUNKS_PER_THREAD * run.threads) if len(rows) > FEW_GAP_PAIRS else 1
    chunks = [np.ascontiguousarray(rows[i::count]) for i in range(count)]
    calls = CALLS_BEFORE_SHARING if run.threads > 1 else None
    left: list[Unfinished] = []

    def tick(done: float) -> None:
        run.tick((batch.start + len(rows) * done) / len(work.pairs.a))

    def measure(i: int) -> None:
        # A single chunk runs on the thread that may tick; with several, run_chunks does it.
        left.extend(Search(work).measure(chunks[i], calls, tick if count == 1 else None))

    run_chunks(measure, count, run.threads, lambda finished: tick(finished / count))
    for each in left:
        _share(work, each, lambda *_: tick(1.0))


def _share(work: Work, left: Unfinished, tick) -> None:
    """Let threads share what is left of one pair. Each has its own best so far, and looks after each call of the kernel
    whether another one has come nearer."""
    pairs, row = work.pairs, left.row
    count = min(len(left.tasks.nodes), GAP_CHUNKS_PER_THREAD * work.run.threads)
    lock = threading.Lock()
    finished = np.zeros(count, bool)

    def agree(own: PairGaps) -> None:
        with lock:
            if comes_first(own.gap[0], own.points[0], pairs, row):
                pairs.gap[row], pairs.points[row] = own.gap[0], own.points[0]
            own.gap[0], own.points[0] = pairs.gap[row], pairs.points[row]

    def measure(i: int) -> None:
        own = PairGaps(*(column[row:row + 1].copy() for column in pairs))
        tasks = DistanceTasks(*(each[i::count] for each in left.tasks))
        Search(Work(work.trees, own, work.run)).resume(tasks, lambda: agree(own))
        finished[i] = own.done[0]

    run_chunks(measure, count, work.run.threads, tick)
    pairs.done[row] = finished.all()
    if pairs.gap[row] == 0.0:       # of many common points, the one that a single thread finds
        pairs.gap[row], pairs.points[row] = math.ulp(0.0), np.nan
        Search(work).measure(np.array([row], np.int64), None, tick)
