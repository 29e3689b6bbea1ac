# SPDX-License-Identifier: GPL-3.0-or-later
"""The distances of many pairs of objects, up to a limit: threads, cancelling, and what the kernels leave open."""
import math

import numpy as np

from ..errors import Cancelled
from ..parallel import run_chunks
from ..reference.distance import triangle_gap
from ..reference.rational import square_root
from ..trees.forest import Forest
from .nearest import FAN, comes_first, search_pairs
from .pair import TOLERANCE
from .triangles import COLUMNS, LANES

PATIENCE = 1 << 12          # tasks in one call of the kernel: some milliseconds
CHUNKS_PER_THREAD = 16      # enough that the last one to finish does not matter
ALONE = 64                  # pairs that are not worth the start of a thread


def within(clearance: float) -> float:
    """The limit to ask for so that no pair is missed whose true distance is at most the clearance."""
    return math.nextafter(clearance * (1.0 + 2.0 * TOLERANCE), math.inf)


def gaps(forest: Forest, a: np.ndarray, b: np.ndarray, limit: float, run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances of the pairs of objects (a[i], b[i]): gap (pairs,) float64, infinity where it is more than `limit`;
    points (pairs,2,3) where they come nearest, NaN where they do not; done (pairs,) bool, all but in a cancelled run.

    a, b: (pairs,) int32, positions in the forest. run: pipeline.Run. A gap errs by less than 2^-40 of itself, is
    exactly 0 where the surfaces meet. Gaps and points do not depend on threads or on the order of objects, pairs or
    triangles, but for which one of many points is given that two surfaces have in common.
    """
    gap, points = np.full(len(a), limit), np.full((len(a), 2, 3), np.nan)
    done = np.zeros(len(a), np.uint8)
    try:
        for batch in forest.batches(a, b) if len(a) else ():
            _batch(forest, a, b, batch, gap, points, done, run)
    except Cancelled:
        pass
    gap[np.isnan(points[:, 0, 0])] = np.inf
    return gap, points, done > 0


def _batch(forest: Forest, a, b, batch: slice, gap, points, done, run) -> None:
    """Find the distances of some pairs whose objects are placed."""
    rows = np.arange(batch.start, batch.stop)
    count = min(len(rows), CHUNKS_PER_THREAD * run.threads) if len(rows) > ALONE else 1
    chunks = [np.ascontiguousarray(rows[i::count]) for i in range(count)]

    def tick(part):
        run.tick((batch.start + len(rows) * part) / len(a))

    def work(i):
        # A single chunk runs on the thread that may tick; with several, run_chunks does it.
        Search(forest, a, b, gap, points, done, run).off(chunks[i], tick if count == 1 else None)

    run_chunks(work, count, run.threads, lambda finished: tick(finished / count))


def near_pairs(forest: Forest, a: np.ndarray, b: np.ndarray, rows: np.ndarray, clearance: float, run):
    """The stage `clearances` of a method: near, gap and points, see `Method`.

    A pair is near when its gap, less what the gap may err by, is at most the clearance: none is missed, and a pair may
    be called near whose gap is more than the clearance by 2^-39 of it.
    """
    gap, points, done = gaps(forest, a[rows], b[rows], within(clearance), run)
    run.finished[rows[~done]] = False
    near = done & np.isfinite(gap)
    gap[~near], points[~near] = np.nan, np.nan
    return near, gap, points


class Search:
    """One thread's part of the work, with the memory that the kernels need."""

    def __init__(self, forest: Forest, a, b, gap, points, done, run):
        self.forest, self.a, self.b, self.run = forest, a, b, run
        self.gap, self.points, self.done = gap, points, done
        self.stack, self.lows = np.empty((1024, 2), np.int32), np.zeros(1024, np.float32)
        self.untold, self.tally = np.empty((FAN, 2), np.int32), np.zeros(2, np.int64)
        self.scratch = (np.empty(16, np.float32), np.empty((6, 3)), np.empty((6, 3)), np.empty((6, 3)),
                        np.empty((2, 3)), np.zeros((COLUMNS, LANES)), np.empty((15, 2)), np.empty((2, 3)),
                        np.empty((4, 3)), np.empty((2, 4, 6)))

    def off(self, rows: np.ndarray, tick) -> None:
        """Find the distances of the pairs in these rows, unless the run is cancelled."""
        state = np.array([0, -1])
        while state[0] < len(rows) and not self.run.cancelled:
            count = search_pairs(rows, state, self.a, self.b, *self.forest.placed_trees, self.stack, self.lows,
                                 PATIENCE, *self.scratch, self.gap, self.points, self.done, self.untold, self.tally)
            for slots in self.untold[:count].tolist():
                self._rationally(int(rows[state[0]]), *slots)
            if state[1] + FAN > len(self.stack):
                self.stack = np.concatenate([self.stack, np.empty_like(self.stack)])
                self.lows = np.concatenate([self.lows, np.zeros_like(self.lows)])
            if tick:
                tick(state[0] / len(rows))
        self.run.count(box_pairs=16 * int(self.tally[0]), triangle_pairs=int(self.tally[1]))

    def _rationally(self, row: int, slot_a: int, slot_b: int) -> None:
        """The distance of two triangles that meet, or whose numbers are too much for the kernels."""
        corners = self.forest.corners
        found = triangle_gap(corners.of(self.a[row], slot_a).tolist(), corners.of(self.b[row], slot_b).tolist())
        distance = square_root(found.squared)
        points = np.array([[float(x) for x in place] for place in (found.on_a, found.on_b)])
        self.run.count(exact_decisions=1)
        if distance <= self.gap[row] and comes_first(distance, points, self.gap, self.points, row):
            self.gap[row], self.points[row] = distance, points
