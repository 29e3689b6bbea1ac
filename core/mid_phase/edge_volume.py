# SPDX-License-Identifier: GPL-3.0-or-later
"""Edge-volume traversal: the edges of one object down the balanced tree of the other, then the other way round.

Fan, thesis of 2003, section 4.4 (figures 4-7 and 4-8). A task is (set of edges, node): where the box of some edge meets
the node's box it gives two tasks, not four, and at a leaf pairs of triangles. A task hands down only the edges that
meet its node: no other edge can meet a child.

Complete: of two triangles that meet, an edge of one meets the other (docs/methods/parallel.md has the proof, triangles
in one plane and without area included), so the boxes of both meet, and all boxes around them. Without repetition: a
pair of triangles is given by the first edge of a's triangle whose box meets that of b's; where there is none, by the
first edge of b's triangle whose box meets that of a's.
"""
from typing import NamedTuple

import numpy as np

from ..narrow_phase.pairs import BUFFER
from ..parallel import run_chunks
from ..trees.balanced import BalancedTrees
from .edge_tasks import ALL, STACK, STATE, box_edges, descend_edges, keep_meeting, near_edges

PATIENCE = 1 << 18              # tests of edges in one call of the kernel: about a millisecond
FIRST_LOOK = 1 << 8             # candidates at a time, at first, where one crossing decides a pair
TASKS_PER_THREAD = 16           # K tasks at a time: the document has 32 on four processors
PARTS_PER_THREAD = 8
LIGHT = 1 << 12                 # edges and triangles of a task that is not worth being divided


class Task(NamedTuple):
    """Edges of one object against a node of the other. side 0: edges of a and nodes of b, 1: the other way round."""

    pair: int
    side: int
    node: int
    edges: np.ndarray           # (m,) int32, numbers in the mesh


class EdgeVolumes:
    """Searches pairs of objects by tasks (row of pair, side, node, first edge in `lists` or ALL, number of edges); see
    narrow_phase/sift.py."""

    def __init__(self, trees: BalancedTrees, a: np.ndarray, b: np.ndarray, run):
        self.trees, self.a, self.b, self.run = trees, a, b, run
        self.edges = trees.edges(run)
        self.lists = np.zeros(1, np.int32)
        self.tasks: list[int] = []          # worked off, one number per part

    def parts(self) -> list[np.ndarray]:
        """Tasks for one thread each: the roots for one, for several as many more as make parts of like weight."""
        tasks = np.zeros((2 * len(self.a), 5), np.int32)
        tasks[:, 0] = np.repeat(np.arange(len(self.a)), 2)
        tasks[:, 1] = np.arange(len(tasks)) & 1
        tasks[:, 3] = ALL
        mine, other = (np.stack(sides, axis=1).ravel() for sides in ((self.a, self.b), (self.b, self.a)))
        tasks[:, 4] = self.edges.count[mine]
        weight = tasks[:, 4] + self.trees.placed.triangle_count[other]
        number = min(int(weight.sum()) // LIGHT, self.run.threads * PARTS_PER_THREAD)
        if self.run.threads == 1 or number < 2:
            return [tasks]
        share = max(LIGHT, int(weight.sum()) // (TASKS_PER_THREAD * self.run.threads))
        divided = sorted(self._divide(tasks[weight > share], share), key=lambda task: -len(task.edges))
        sizes = np.array([len(task.edges) for task in divided], np.int64)
        self.lists = np.concatenate([self.lists, *(task.edges for task in divided)])
        heavy = [(*task[:3], first, len(task.edges)) for task, first in zip(divided, 1 + np.cumsum(sizes) - sizes)]
        tasks = np.concatenate([np.array(heavy, np.int32).reshape(-1, 5), tasks[weight <= share]])
        return [np.ascontiguousarray(tasks[i::number]) for i in range(min(number, len(tasks)))]

    def __call__(self, part: np.ndarray, buffer: np.ndarray, done: np.ndarray):
        """Fill the buffer with candidates and yield how many, until no task is left."""
        most = int(part[:, 4].max(initial=0))
        seen = np.zeros(int(self.trees.placed.triangle_count.max()), np.uint32)
        scratch = np.empty(most, np.int32), np.empty((most, 6)), np.empty(most, np.int32), seen
        stack, state, tally = np.empty((STACK, 2), np.int64), np.zeros(len(STATE), np.int64), np.zeros(2, np.int64)
        corners, trees = self.trees.placed.corners, self.trees.arrays
        room = BUFFER if self.run.contacts_wanted else FIRST_LOOK
        count = -1
        try:
            while count:
                count = descend_edges(part, self.lists, self.a, self.b, *trees, corners.triangles, corners.world_start,
                                      corners.world, *self.edges.arrays, done, *scratch, stack, state, PATIENCE,
                                      buffer[:room], tally)
                yield max(0, count)
                room = min(4 * room, BUFFER)
        finally:
            self.tasks.append(int(tally[0]))
            self.run.count(box_pairs=int(tally[1]))

    def _divide(self, roots: np.ndarray, share: int) -> list[Task]:
        """Level by level, the tasks of a level in parallel, until none weighs more than its share or K of them wait.
        Lists of edges are kept from growing without bound where boxes overlap a lot."""
        wanted, room = TASKS_PER_THREAD * self.run.threads, 4 * int(roots[:, 4].sum())
        level, ready = self._in_parallel(self._root, roots.tolist()), []
        while True:
            heavy = [self._weight(task) > share for task in level]
            ready += [task for task, more in zip(level, heavy) if not more and len(task.edges)]
            level = [task for task, more in zip(level, heavy) if more]
            if not 0 < len(level) < wanted - len(ready) or sum(len(task.edges) for task in ready + level) > room:
                return ready + level
            level = self._in_parallel(self._children, level)

    def _in_parallel(self, work, items: list) -> list[Task]:
        """The tasks that work(item) gives for all items, in order."""
        found: list[list[Task]] = [[]] * len(items)

        def one(number):
            found[number] = work(items[number])

        if items:
            run_chunks(one, len(items), self.run.threads, lambda done: self.run.tick())
        return [task for each in found for task in each]

    def _root(self, row: list[int]) -> list[Task]:
        """The edges near the other object, against its root."""
        pair, side, node, _, count = row
        mine, other = self._objects(pair, side)
        edges = np.empty(count, np.int32)
        size = near_edges(mine, other, node, *self.trees.arrays[:5], self.edges.begin_start, self.edges.begin, edges,
                          np.empty((STACK, 2), np.int64), np.zeros(2, np.int64))
        return [Task(pair, side, node, edges[:size])]

    def _children(self, task: Task) -> list[Task]:
        """The two tasks of one over an inner node, each with the edges that meet its node."""
        mine, other = self._objects(task.pair, task.side)
        corners, held = self.trees.placed.corners, np.empty((len(task.edges), 6))
        box_edges(task.edges, len(task.edges), corners.world_start[mine], corners.world, self.edges.start[mine],
                  self.edges.ends, held)
        tasks = []
        for node in self.trees.children[self.trees.node_start[other] + task.node].tolist():
            order = np.arange(len(task.edges), dtype=np.int32)
            size = keep_meeting(order, len(order), held, self.trees.boxes, self.trees.box_start[other] + node)
            tasks.append(Task(task.pair, task.side, node, task.edges[order[:size]]))
        return tasks

    def _weight(self, task: Task) -> int:
        """Edges and triangles of a task; 0 where it cannot be divided."""
        node = self.trees.node_start[self._objects(task.pair, task.side)[1]] + task.node
        return len(task.edges) + int(self.trees.span[node, 1]) if self.trees.children[node, 0] >= 0 else 0

    def _objects(self, pair: int, side: int) -> tuple[int, int]:
        """The object whose edges, and the one whose nodes a task is about."""
        ends = int(self.a[pair]), int(self.b[pair])
        return ends[side], ends[1 - side]
