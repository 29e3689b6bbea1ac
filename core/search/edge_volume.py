# SPDX-License-Identifier: GPL-3.0-or-later
"""Edge-volume traversal: the edges of one object down the balanced tree of the other, then the other way round.

Fan, thesis of 2003, section 4.4 (figures 4-7 and 4-8). A task is (set of edges, node): where the box of some edge meets
the node's box it gives two tasks, not four, and at a leaf pairs of triangles. A task hands down only the edges that
meet its node: no other edge can meet a child.

Complete: of two triangles that meet, an edge of one meets the other (docs/methods/parallel.md has the proof, triangles
in one plane and without area included), so the boxes of both meet, and all boxes around them. Each pair of triangles is
given once: by edges of a's triangle where the box of one meets that of b's, else by edges of b's triangle.
"""
import numpy as np

from ..mid_phase.edge_tasks import ALL, STACK, STATE, descend_edges, near_edges
from ..narrow_phase.triangle_pairs import BUFFER
from ..parallel import run_chunks
from ..run import Run
from ..trees.balanced.trees import BalancedTrees

BLOCK = 1 << 11                 # edges of a task at a time: their boxes stay in the processor's cache
PATIENCE = 1 << 18              # tests of edges in one call of the kernel: about a millisecond
FIRST_LOOK = 1 << 8             # candidates at a time, at first, where one crossing decides a pair
SHORT = 1 << 14                 # tests of edges in a call, while it is open whether threads are worth their start
TASKS_PER_THREAD = 16           # that big pairs are cut into: the document has 32 at a time on four processors
PARTS_PER_THREAD = 8            # tasks are worked off in, so that the last one hardly matters
LIGHT = 1 << 12                 # edges and triangles of a task that is not worth being divided


class EdgeVolumes:
    """Searches pairs of objects by tasks (row of pair, side, first edge in `lists` or ALL, number of edges), each a set
    of edges against the other object's root; side 0: edges of a and tree of b, 1: the other way round. See
    search/contact_search.py."""

    def __init__(self, trees: BalancedTrees, a: np.ndarray, b: np.ndarray, run: Run):
        self.trees, self.a, self.b, self.run = trees, a, b, run
        self.edges = trees.edges(run)
        self.lists = np.zeros(1, np.int32)
        self.tasks: list[int] = []          # worked off, one number per part

    def begin(self, buffer: np.ndarray, done: np.ndarray):
        """The whole search in short steps."""
        return self(self._whole_tasks(), buffer, done, SHORT)

    def _whole_tasks(self) -> np.ndarray:
        """Both sides of every pair with all edges."""
        tasks = np.empty((2 * len(self.a), 4), np.int32)
        tasks[:, 0] = np.repeat(np.arange(len(self.a)), 2)
        tasks[:, 1] = np.arange(len(tasks)) & 1
        tasks[:, 2], tasks[:, 3] = ALL, self.edges.count[np.stack([self.a, self.b], axis=1).ravel()]
        return tasks

    def parts(self) -> list[np.ndarray]:
        """Tasks for one thread each. For several threads, sets of many edges are cut, so that parts are of like weight:
        that of a task is the number of its edges and of the triangles that they may meet."""
        tasks = self._whole_tasks()
        weight = tasks[:, 3] + self.trees.placed.triangle_count[np.stack([self.b, self.a], axis=1).ravel()]
        total, threads = int(weight.sum()), self.run.threads
        number = min(total // LIGHT, threads * PARTS_PER_THREAD)
        if threads == 1 or number < 2:
            return [tasks]
        share = max(LIGHT, total // (TASKS_PER_THREAD * threads))
        heavy = weight > 2 * share
        tasks = np.concatenate([tasks[~heavy], self._cut(tasks[heavy].tolist(), share)])
        return [np.ascontiguousarray(tasks[i::number]) for i in range(min(number, len(tasks)))]

    def _cut(self, heavy: list[list[int]], share: int) -> np.ndarray:
        """Tasks of about their share each, with the edges of these that are near the other object."""
        near: list[np.ndarray] = [self.lists] * len(heavy)

        def work(number):
            near[number] = self._near(*heavy[number])

        if heavy:
            run_chunks(work, len(heavy), self.run.threads, lambda done: self.run.tick())
        cut, first = [np.zeros((0, 4), np.int32)], 0
        for (pair, side, _, _), edges in zip(heavy, near):
            faces = self.trees.placed.triangle_count[(self.b, self.a)[side][pair]]
            pieces = min(len(edges), -(-(len(edges) + int(faces)) // share))
            ends = first + np.arange(pieces + 1) * len(edges) // max(1, pieces)
            each = np.empty((pieces, 4), np.int32)
            each[:, 0], each[:, 1], each[:, 2], each[:, 3] = pair, side, ends[:-1], np.diff(ends)
            cut.append(each)
            first += len(edges)
        self.lists = np.concatenate([*near, self.lists])
        return np.concatenate(cut)

    def __call__(self, part: np.ndarray, buffer: np.ndarray, done: np.ndarray, patience: int = PATIENCE):
        """Fill the buffer with candidates and yield how many, until no task is left."""
        most = int(part[:, 3].max(initial=0))
        seen = np.zeros(int(self.trees.placed.triangle_count.max()), np.uint32)
        scratch = np.empty(most, np.int32), np.empty((BLOCK + 1, 6)), np.empty(BLOCK, np.int32), seen
        stack, state, tally = np.empty((STACK, 2), np.int64), np.zeros(len(STATE), np.int64), np.zeros(2, np.int64)
        corners, trees = self.trees.placed.corners, self.trees.arrays
        room = BUFFER if self.run.contacts_wanted else FIRST_LOOK
        count = -1
        try:
            while count:
                count = descend_edges(part, self.lists, self.a, self.b, *trees, corners.triangles, corners.world_start,
                                      corners.world, *self.edges.arrays, done, *scratch, stack, state, patience,
                                      buffer[:room], tally)
                yield max(0, count)
                room = min(4 * room, BUFFER)
        finally:
            self.tasks.append(int(tally[0]))
            self.run.count(box_pairs=int(tally[1]))

    def _near(self, pair: int, side: int, _: int, count: int) -> np.ndarray:
        """The edges near the other object."""
        ends = int(self.a[pair]), int(self.b[pair])
        edges = np.empty(count, np.int32)
        size = near_edges(ends[side], ends[1 - side], *self.trees.arrays[:5], self.edges.begin_start,
                          self.edges.begin, edges, np.empty((STACK, 2), np.int64), np.zeros(2, np.int64))
        return edges[:size]
