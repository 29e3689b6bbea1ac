# SPDX-License-Identifier: GPL-3.0-or-later
"""Edge-volume traversal: the edges of one object down the balanced tree of the other, then the other way round.

Fan, thesis of 2003, section 4.4 (figures 4-7 and 4-8). A task is (set of edges, node). Where the box of some edge meets
the node's box, the task gives two tasks, not four; at a leaf it gives pairs of triangles. A task hands down only the
edges that meet its node: no other edge can meet a child.

Complete: of two triangles that meet, an edge of one meets the other (docs/methods/parallel.md has the proof, triangles
in one plane and without area included), so the boxes of both meet, and all boxes around them. Each pair of triangles is
given once: by edges of a's triangle where the box of one meets that of b's, else by edges of b's triangle.
"""
from collections.abc import Generator

import numpy as np

from ..mid_phase.edge_tasks import ALL_EDGES, STACK_ROWS, STATE, descend_edges, near_edges
from ..narrow_phase.triangle_pairs import BUFFER
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import EdgeScratch, ObjectPairs
from ..run import Run
from ..trees.balanced.trees import BalancedTrees
from .task_tree import FIRST_CANDIDATES

EDGES_PER_BLOCK = 1 << 11       # their boxes stay in the processor's cache
MAX_TESTS_PER_CALL = 1 << 18    # of edges, in one call of the kernel: about a millisecond
TESTS_PER_SHORT_CALL = 1 << 14  # while it is open whether threads are worth their start
EDGE_TASKS_PER_THREAD = 16      # that big pairs are cut into: the document has 32 at a time on four processors
MIN_TASK_WEIGHT = 1 << 12       # edges and triangles: a task with fewer is not worth being cut


class EdgeVolumes:
    """Searches pairs of objects by tasks (row of pair, side, first edge in `lists` or ALL_EDGES, number of edges).

    A task is a set of edges against the other object's root. Side 0: edges of a and tree of b; side 1: the other way
    round. See search/contact_search.py.
    """

    def __init__(self, trees: BalancedTrees, a: np.ndarray, b: np.ndarray, run: Run):
        """trees: fitted to the objects of all pairs; a, b: (pairs,) int32."""
        self.trees, self.a, self.b, self.run = trees, a, b, run
        self.edges = trees.edges(run)
        self.lists = np.zeros(1, np.int32)
        self.tasks: list[int] = []          # worked off, one number per chunk

    def begin(self, buffer: np.ndarray, done: np.ndarray) -> Generator[int, None, None]:
        """The whole search in short steps."""
        return self._search(self._whole_tasks(), buffer, done, TESTS_PER_SHORT_CALL)

    def _whole_tasks(self) -> np.ndarray:
        """(2·pairs,4) int32: both sides of every pair with all edges."""
        tasks = np.empty((2 * len(self.a), 4), np.int32)
        tasks[:, 0] = np.repeat(np.arange(len(self.a)), 2)
        tasks[:, 1] = np.arange(len(tasks)) & 1
        tasks[:, 2], tasks[:, 3] = ALL_EDGES, self.edges.edge_count[np.stack([self.a, self.b], axis=1).ravel()]
        return tasks

    def chunks(self) -> list[np.ndarray]:
        """Tasks for one thread each. For several threads, sets of many edges are cut, so that chunks weigh alike: the
        weight of a task is the number of its edges and of the triangles that they may meet."""
        tasks = self._whole_tasks()
        weight = tasks[:, 3] + self.trees.placed.triangle_count[np.stack([self.b, self.a], axis=1).ravel()]
        total, threads = int(weight.sum()), self.run.threads
        number = min(total // MIN_TASK_WEIGHT, threads * CHUNKS_PER_THREAD)
        if threads == 1 or number < 2:
            return [tasks]
        share = max(MIN_TASK_WEIGHT, total // (EDGE_TASKS_PER_THREAD * threads))
        heavy = weight > 2 * share
        tasks = np.concatenate([tasks[~heavy], self._cut(tasks[heavy].tolist(), share)])
        return [np.ascontiguousarray(tasks[i::number]) for i in range(min(number, len(tasks)))]

    def _cut(self, heavy: list[list[int]], share: int) -> np.ndarray:
        """(k,4) int32: the heavy tasks, cut to about `share` each, with the edges that are near the other object."""
        near: list[np.ndarray] = [self.lists] * len(heavy)

        def work(number):
            near[number] = self._near(*heavy[number])

        if heavy:
            run_chunks(work, len(heavy), self.run.threads, lambda done: self.run.tick())
        cut, first = [np.zeros((0, 4), np.int32)], 0
        for (pair, side, _, _), edges in zip(heavy, near):
            triangles = self.trees.placed.triangle_count[(self.b, self.a)[side][pair]]
            pieces = min(len(edges), -(-(len(edges) + int(triangles)) // share))
            ends = first + np.arange(pieces + 1) * len(edges) // max(1, pieces)
            each = np.empty((pieces, 4), np.int32)
            each[:, 0], each[:, 1], each[:, 2], each[:, 3] = pair, side, ends[:-1], np.diff(ends)
            cut.append(each)
            first += len(edges)
        self.lists = np.concatenate([*near, self.lists])
        return np.concatenate(cut)

    def __call__(self, chunk: np.ndarray, buffer: np.ndarray, done: np.ndarray) -> Generator[int, None, None]:
        """Fill the buffer with candidates and yield how many, until no task of the chunk is left."""
        return self._search(chunk, buffer, done, MAX_TESTS_PER_CALL)

    def _search(self, chunk: np.ndarray, buffer: np.ndarray, done: np.ndarray,
                max_tests: int) -> Generator[int, None, None]:
        search = EdgeScratch(
            np.empty(int(chunk[:, 3].max(initial=0)), np.int32), np.empty((EDGES_PER_BLOCK + 1, 6)),
            np.empty(EDGES_PER_BLOCK, np.int32), np.zeros(int(self.trees.placed.triangle_count.max()), np.uint32),
            np.empty((STACK_ROWS, 2), np.int64), np.zeros(len(STATE), np.int64))
        pairs, trees, stats = ObjectPairs(self.a, self.b, done), self.trees.placed_trees, np.zeros(2, np.int64)
        capacity = BUFFER if self.run.contacts_wanted else FIRST_CANDIDATES
        count = -1
        try:
            while count:
                count = descend_edges(chunk, self.lists, pairs, trees, self.edges, search, max_tests,
                                      buffer[:capacity], stats)
                yield max(0, count)
                capacity = min(4 * capacity, BUFFER)
        finally:
            self.tasks.append(int(stats[0]))
            self.run.count(box_pairs=int(stats[1]))

    def _near(self, pair: int, side: int, _: int, count: int) -> np.ndarray:
        """(k,) int32: the edges of a task that are near the other object."""
        ends = int(self.a[pair]), int(self.b[pair])
        edges = np.empty(count, np.int32)
        size = near_edges(ends[side], ends[1 - side], self.trees.placed_trees, self.edges, edges,
                          np.empty((STACK_ROWS, 2), np.int64), np.zeros(2, np.int64))
        return edges[:size]
