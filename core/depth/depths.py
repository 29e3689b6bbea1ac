# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage `depths`: how deep the objects of each pair reach into each other. Threads, cancelling, memory."""
import numpy as np

from ..codes import CONTAINED, CROSSING, OVERLAP, TOUCHING
from ..errors import Cancelled
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..records import DepthItems, DepthScratch, PairDepths, PlacedTrees
from ..run import Run
from ..trees.bvh.forest import Forest
from ..verdicts.mesh_topology import MeshTopology
from ..verdicts.rays import INSIDE_BITS, STACK_SIZE, ray_scratch
from .crossing import MOST_MEETING
from .cutting import MOST_CORNERS
from .items import FEATURES, FREE
from .search import FINISHED, FULL, search_pairs

DEPTH_STEPS_PER_CALL = 1 << 10      # of the kernel: some milliseconds
DEPTH_CHUNKS_PER_THREAD = 16        # enough that the last one to finish does not matter
FIRST_ITEMS = 1 << 8                # that a thread has memory for


def measure_depths(forest: Forest, table: PairTable, run: Run) -> dict[str, np.ndarray]:
    """The columns depth and depth_upper (pairs,) and depth_points (pairs,2,3) of a table, float64, world units.

    The true depth is from depth to depth_upper. NaN: not measured; docs/depth.md says where. Pairs that touch have the
    depth 0. The points, on a and on b, are where the depth was found, NaN where it is 0.
    """
    lower, upper = np.full((2, len(table)), np.nan)
    points = np.full((len(table), 2, 3), np.nan)
    columns = {"depth": lower, "depth_upper": upper, "depth_points": points}
    lower[table.verdict == TOUCHING] = upper[table.verdict == TOUCHING] = 0.0
    rows = np.flatnonzero(np.isin(table.verdict, (CONTAINED, OVERLAP, CROSSING)) & table.finished)
    if len(rows) == 0 or run.cancelled:
        return columns
    a, b = table.a[rows], table.b[rows]
    decides = _inside_bits(forest, a, b)
    try:
        for batch in forest.batches(a, b):
            i, j = np.ascontiguousarray(a[batch]), np.ascontiguousarray(b[batch])
            pairs = PairDepths(i, j, forest.tight_bounds(i, j), decides, lower[rows[batch]], upper[rows[batch]],
                               points[rows[batch]], np.zeros(len(i), np.uint8))
            try:
                _search(forest.placed_trees, pairs, run)
            finally:
                done = pairs.done > 0
                for column, found in zip(columns.values(), (pairs.lower, pairs.upper, pairs.points)):
                    column[rows[batch][done]] = found[done]
    except Cancelled:
        pass
    return columns


def _inside_bits(forest: Forest, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(objects,) uint8: the bit of a ray that means "inside" the object, 0 where its mesh is open, or it is in no
    pair."""
    decides = np.zeros(len(forest.objects), np.uint8)
    used = np.unique(np.concatenate([a, b]))
    decides[used] = INSIDE_BITS[MeshTopology(forest.scene).solid(forest.objects[used])]
    return decides


def _search(trees: PlacedTrees, pairs: PairDepths, run: Run) -> None:
    """Measure all pairs, on several threads. Raises Cancelled."""
    rows = np.arange(len(pairs.a), dtype=np.int64)
    count = min(len(rows), DEPTH_CHUNKS_PER_THREAD * run.threads)

    def measure(number: int) -> None:
        _measure_rows(np.ascontiguousarray(rows[number::count]), trees, pairs, run)

    run_chunks(measure, count, run.threads, lambda finished: run.tick(finished / count))


def _measure_rows(rows: np.ndarray, trees: PlacedTrees, pairs: PairDepths, run: Run) -> None:
    """One thread's part of the pairs; those that a cancelled run has no time for are not done."""
    state, items, scratch = np.zeros(1, np.int64), _items(FIRST_ITEMS), _scratch()
    answer = -1
    while answer != FINISHED and not run.stopped():
        answer = search_pairs(rows, state, pairs, trees, items, DEPTH_STEPS_PER_CALL, scratch)
        if answer == FULL:
            items = _grown(items)
    run.count(depth_tests=int(scratch.tests[0]))


def _items(capacity: int) -> DepthItems:
    """Memory for so many items."""
    return DepthItems(np.empty(capacity), np.empty(capacity, np.int32), np.empty(capacity, np.int32),
                      np.empty((capacity, 3), np.int32), np.empty((capacity, 3, 3)), np.empty((capacity, 3, 3)),
                      np.empty((capacity, FEATURES), np.int32), np.empty((capacity, 4)), np.zeros(4, np.int64))


def _grown(items: DepthItems) -> DepthItems:
    """The same items in twice the memory."""
    count = len(items.bound)
    more = _items(2 * count)
    for old, new in zip(items[:-1], more[:-1]):
        new[:count] = old
    more.state[:] = items.state
    free = int(items.state[FREE])
    more.free[free:free + count] = np.arange(2 * count - 1, count - 1, -1)
    more.state[FREE] = free + count
    return more


def _scratch() -> DepthScratch:
    """Memory of one thread."""
    rays = ray_scratch()
    return DepthScratch(rays, np.empty(STACK_SIZE, np.int32), np.empty(STACK_SIZE, np.float32), rays.ray.copy(),
                        np.empty(16, np.float32), np.empty(3, np.int64), np.empty((2, 3)), np.empty(3), np.empty(3),
                        np.empty((FEATURES, 3)), np.empty(FEATURES, np.int32), np.empty((3, 3)), np.empty((5, 3)),
                        np.empty((3, 3)), np.empty((2, MOST_CORNERS, 3)), np.empty(MOST_CORNERS),
                        np.empty(MOST_MEETING, np.int32), np.empty((3, 3)), np.empty(4), np.empty(5),
                        np.zeros(1, np.int64))
