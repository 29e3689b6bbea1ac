# SPDX-License-Identifier: GPL-3.0-or-later
"""The distances of many pairs of objects, up to a limit: threads, cancelling, and what the kernels leave open."""
import math
import threading
from typing import NamedTuple

import numpy as np

from ..errors import Cancelled
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..reference import last_resort
from ..run import Run
from ..trees.bvh.forest import Forest
from .leaves import WIDE
from .nearest import FAN, comes_first, search_pairs
from .pair import TOLERANCE
from .triangles import COLUMNS, FOUND, ROWS

PATIENCE = 1 << 12          # tasks in one call of the kernel: some milliseconds
CHUNKS_PER_THREAD = 16      # enough that the last one to finish does not matter
ALONE = 64                  # pairs that are not worth the start of a thread
HEAD_START = 4              # calls of the kernel for one pair before threads share it


def within(clearance: float) -> float:
    """The limit to ask for so that no pair is missed whose true distance is at most the clearance."""
    return math.nextafter(clearance * (1.0 + 2.0 * TOLERANCE), math.inf)


def gaps(forest: Forest, a: np.ndarray, b: np.ndarray, limit: float,
         run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances of the pairs of objects (a[i], b[i]): gap (pairs,) float64, infinity where it is more than `limit`;
    points (pairs,2,3) where they come nearest, NaN where they do not; done (pairs,) bool, all but in a cancelled run.

    a, b: (pairs,) int32, positions in the forest. run: run.Run. A gap errs by less than 2^-40 of itself, is
    exactly 0 where the surfaces meet. Gaps and points do not depend on threads or on the order of objects, pairs or
    triangles, but for which one of many points is given that two surfaces have in common.
    """
    gap, points = np.full(len(a), limit), np.full((len(a), 2, 3), np.nan)
    done = np.zeros(len(a), np.uint8)
    try:
        for batch in forest.batches(a, b) if len(a) else ():
            _batch(Work(forest, a, b, gap, points, done, run), batch)
    except Cancelled:
        pass
    gap[np.isnan(points[:, 0, 0])] = np.inf
    return gap, points, done > 0


def near_pairs(forest: Forest, table: PairTable, rows: np.ndarray, run: Run):
    """The stage `clearances` of a method: near, gap and points, see `Method`.

    A pair is near when its gap, less what the gap may err by, is at most the clearance: none is missed, and a pair may
    be called near whose gap is more than the clearance by 2^-39 of it.
    """
    gap, points, done = gaps(forest, table.a[rows], table.b[rows], within(run.clearance), run)
    table.finished[rows[~done]] = False
    near = done & np.isfinite(gap)
    gap[~near], points[~near] = np.nan, np.nan
    return near, gap, points


class Work(NamedTuple):
    """The pairs of a run, and what is known of each: gap (the limit at first), points and whether it is finished."""

    forest: Forest
    a: np.ndarray           # (pairs,) int32
    b: np.ndarray
    gap: np.ndarray         # (pairs,) float64
    points: np.ndarray      # (pairs,2,3) float64
    done: np.ndarray        # (pairs,) uint8
    run: Run


class Search:
    """One thread's part of the work, with the memory that the kernels need."""

    def __init__(self, work: Work):
        self.work = work
        self.stack, self.lows = np.empty((1024, 2), np.int32), np.zeros(1024, np.float32)
        self.untold, self.tally = np.empty((COLUMNS, 2), np.int32), np.zeros(2, np.int64)
        self.scratch = (np.empty(16, np.float32), np.empty((COLUMNS, 3), np.int32), np.empty(9 * WIDE),
                        np.empty(6 * WIDE, np.float32), np.zeros((2, ROWS * COLUMNS)), np.zeros((2, FOUND * COLUMNS)),
                        np.empty((6, 3)), np.empty(3), np.empty((15, 2)), np.empty((2, 3)), np.empty((4, 3)))

    def off(self, rows: np.ndarray, calls: int | None, tick) -> list:
        """Find the distances of the pairs in these rows, unless the run is cancelled. Returns (row, tasks, their
        distances) of pairs that would take more than so many calls of the kernel."""
        state, left = np.array([0, -1], np.int64), []
        at, called = 0, 0
        while state[0] < len(rows) and not self.work.run.stopped():
            self._call(rows, state)
            called = called + 1 if state[0] == at and state[1] > 0 else 0
            at = state[0]
            if called and called == calls:
                left.append((int(rows[at]), self.stack[:state[1]].copy(), self.lows[:state[1]].copy()))
                state[:] = at + 1, -1
            if tick:
                tick(state[0] / len(rows))
        self._count()
        return left

    def resume(self, stack: np.ndarray, lows: np.ndarray, agree) -> None:
        """Work off some tasks of the only pair; agree is called after each call of the kernel."""
        self.stack[:len(stack)], self.lows[:len(lows)] = stack, lows
        rows, state = np.zeros(1, np.int64), np.array([0, len(stack)], np.int64)
        while state[0] == 0 and not self.work.run.stopped():
            self._call(rows, state)
            agree()
        self._count()

    def _call(self, rows: np.ndarray, state: np.ndarray) -> None:
        work = self.work
        count = search_pairs(rows, state, work.a, work.b, *work.forest.placed_arrays, self.stack, self.lows, PATIENCE,
                             *self.scratch, work.gap, work.points, work.done, self.untold, self.tally)
        for slots in self.untold[:count].tolist():
            self._rationally(int(rows[state[0]]), *slots)
        if state[1] + FAN > len(self.stack):
            self.stack = np.concatenate([self.stack, np.empty_like(self.stack)])
            self.lows = np.concatenate([self.lows, np.zeros_like(self.lows)])

    def _count(self) -> None:
        self.work.run.count(box_pairs=16 * int(self.tally[0]), triangle_pairs=int(self.tally[1]))

    def _rationally(self, row: int, slot_a: int, slot_b: int) -> None:
        """The distance of two triangles that meet, or whose numbers are too much for the kernels."""
        work, corners = self.work, self.work.forest.corners
        distance, points = last_resort.gap(corners.of(work.a[row], slot_a), corners.of(work.b[row], slot_b))
        work.run.count(exact_decisions=1)
        if distance <= work.gap[row] and comes_first(distance, points, work.gap, work.points, row):
            work.gap[row], work.points[row] = distance, points


def _batch(work: "Work", batch: slice) -> None:
    """Find the distances of some pairs whose objects are placed: threads share the pairs, then what is left of pairs
    that take long."""
    run, rows = work.run, np.arange(batch.start, batch.stop, dtype=np.int64)
    count = min(len(rows), CHUNKS_PER_THREAD * run.threads) if len(rows) > ALONE else 1
    chunks = [np.ascontiguousarray(rows[i::count]) for i in range(count)]
    calls = HEAD_START if run.threads > 1 else None
    left: list[tuple[int, np.ndarray, np.ndarray]] = []

    def tick(part):
        run.tick((batch.start + len(rows) * part) / len(work.a))

    def off(i):
        # A single chunk runs on the thread that may tick; with several, run_chunks does it.
        left.extend(Search(work).off(chunks[i], calls, tick if count == 1 else None))

    run_chunks(off, count, run.threads, lambda finished: tick(finished / count))
    for row, stack, lows in left:
        _share(work, row, stack, lows, lambda *_: tick(1.0))


def _share(work: "Work", row: int, stack: np.ndarray, lows: np.ndarray, tick) -> None:
    """Let threads share the tasks that are left of one pair, (k,2) and their (k,) distances. Each has its own best so
    far and looks now and then whether another one has come nearer."""
    count = min(len(stack), CHUNKS_PER_THREAD * work.run.threads)
    single = slice(row, row + 1)
    lock = threading.Lock()
    finished = np.zeros(count, bool)

    def agree(own):
        with lock:
            if comes_first(own.gap[0], own.points[0], work.gap, work.points, row):
                work.gap[single], work.points[single] = own.gap, own.points
            own.gap[:], own.points[:] = work.gap[single], work.points[single]

    def off(i):
        own = Work(work.forest, work.a[single], work.b[single], work.gap[single].copy(), work.points[single].copy(),
                   np.zeros(1, np.uint8), work.run)
        Search(own).resume(stack[i::count], lows[i::count], lambda: agree(own))
        finished[i] = own.done[0]

    run_chunks(off, count, work.run.threads, tick)
    work.done[row] = finished.all()
    if work.gap[row] == 0.0:        # of many common points, the one that a single thread finds
        work.gap[row], work.points[row] = math.ulp(0.0), np.nan
        Search(work).off(np.array([row], np.int64), None, tick)
