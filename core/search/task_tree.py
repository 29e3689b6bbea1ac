# SPDX-License-Identifier: GPL-3.0-or-later
"""The task tree over two balanced trees: tasks (node of a, node of b), down to the pairs of triangles whose boxes meet.

Fan, thesis of 2003, sections 4.3.3 and 4.3.4 (figures 4-5 and 4-6). A task whose boxes meet gives four, or where one
node is a leaf two; two leaves give pairs of triangles. The task that came last (of the LIVESET) is worked off first.
These are the same tasks as from the document's queue, in memory that grows with the depth of the tree and not with the
width of a level. The kernel stops when the output is full or when it has worked off `max_tasks`, and can be called
again.
"""
from collections.abc import Generator

import numpy as np

from ..machine_code.jit import kernel
from ..mid_phase.descend import MAX_TASKS_PER_CALL
from ..narrow_phase.triangle_pairs import BUFFER
from ..parallel import CHUNKS_PER_THREAD
from ..records import ObjectPairs
from ..run import Run
from ..trees.balanced.build import MIN_DIVIDED
from ..trees.balanced.trees import BalancedTrees
from ..trees.bounds import bounds_overlap

FIRST_CANDIDATES = 1 << 8       # at a time, at first, where one crossing decides a pair
TASKS_PER_SHORT_CALL = 1 << 11  # while it is open whether threads are worth their start
CHILD_TASKS = 4                 # most tasks that one task gives
NODE_TASKS_PER_THREAD = 128     # that big pairs are divided into, several for each chunk, so that chunks are alike
TRIANGLES_PER_CHUNK = 1 << 11   # in pairs, at least


class TaskTree:
    """Searches pairs of objects by tasks (row of pair, node of a, node of b); see search/contact_search.py."""

    def __init__(self, trees: BalancedTrees, a: np.ndarray, b: np.ndarray, run: Run):
        """trees: fitted to the objects of all pairs; a, b: (pairs,) int32."""
        self.trees, self.a, self.b, self.run = trees, a, b, run
        self.tasks: list[int] = []          # worked off, one number per chunk

    def begin(self, buffer: np.ndarray, done: np.ndarray) -> Generator[int, None, None]:
        """The whole search in short steps."""
        return self._search(self._roots(), buffer, done, TASKS_PER_SHORT_CALL)

    def _roots(self) -> np.ndarray:
        """(pairs,3) int32: the tasks at the roots."""
        tasks = np.zeros((len(self.a), 3), np.int32)
        tasks[:, 0] = np.arange(len(self.a))
        return tasks

    def chunks(self) -> list[np.ndarray]:
        """Tasks for one thread each: the roots for one thread, for several as many tasks as make chunks alike."""
        tasks = self._roots()
        count = self.trees.placed.triangle_count
        weight = count[self.a] + count[self.b]
        number = min(int(weight.sum()) // TRIANGLES_PER_CHUNK, self.run.threads * CHUNKS_PER_THREAD)
        if self.run.threads == 1 or number < 2:
            return [tasks]
        share = int(weight.sum()) // (NODE_TASKS_PER_THREAD * self.run.threads)
        heavy = weight > max(share, 2 * MIN_DIVIDED)
        rows = heavy.sum() + 64 * NODE_TASKS_PER_THREAD * self.run.threads
        queue, ready = np.empty((2, rows, 3), np.int32)
        queue[:heavy.sum()] = tasks[heavy]
        pairs = ObjectPairs(self.a, self.b, np.zeros(len(self.a), np.uint8))
        head, tail, light = divide_tasks(pairs, self.trees.placed_trees, queue, int(heavy.sum()), share, ready)
        tasks = np.concatenate([queue[head:tail], ready[:light], tasks[~heavy]])
        return [np.ascontiguousarray(tasks[i::number]) for i in range(min(number, len(tasks)))]

    def __call__(self, chunk: np.ndarray, buffer: np.ndarray, done: np.ndarray) -> Generator[int, None, None]:
        """Fill the buffer with candidates and yield how many, until no task of the chunk is left."""
        return self._search(chunk, buffer, done, MAX_TASKS_PER_CALL)

    def _search(self, chunk: np.ndarray, buffer: np.ndarray, done: np.ndarray,
                max_tasks: int) -> Generator[int, None, None]:
        stack = np.empty((len(chunk) + 4096, 3), np.int32)
        stack[:len(chunk)] = chunk
        within, stats = np.zeros(2, np.int64), np.zeros(2, np.int64)
        pairs, trees = ObjectPairs(self.a, self.b, done), self.trees.placed_trees
        depth, capacity = len(chunk), BUFFER if self.run.contacts_wanted else FIRST_CANDIDATES
        try:
            while depth:
                depth, count = descend_tasks(pairs, trees, stack, depth, max_tasks, within, buffer[:capacity], stats)
                yield count
                if depth + CHILD_TASKS > len(stack):
                    stack = np.concatenate([stack, np.empty_like(stack)])
                capacity = min(4 * capacity, BUFFER)
        finally:
            self.tasks.append(int(stats[0]))
            self.run.count(box_pairs=int(stats[1]))


@kernel
def descend_tasks(pairs, trees, stack, depth, max_tasks, within, candidates, stats):
    """Work off at most `max_tasks` of the tasks in stack[:depth]; returns (depth, number of candidates).

    pairs: ObjectPairs, whose tasks are dropped where it is done; trees: PlacedBalancedTrees. stack: (≥ depth +
    CHILD_TASKS, 3) int32; within: (2,) int64, zero at first: how far two leaves at the top of the stack have been
    compared; candidates: (…,3) int32 rows of pair, triangle of a, triangle of b; stats: (2,) int64, counts tasks and
    tests of two boxes.
    """
    children = trees.children
    boxes = trees.boxes
    count = 0
    tasks = 0
    while depth > 0 and count < candidates.shape[0] and depth + 3 <= stack.shape[0] and tasks < max_tasks:
        depth -= 1
        pair = stack[depth, 0]
        i = np.int64(stack[depth, 1])
        j = np.int64(stack[depth, 2])
        if pairs.done[pair]:
            within[0] = 0
            within[1] = 0
            continue
        a = pairs.a[pair]
        b = pairs.b[pair]
        if within[0] + within[1] == 0:
            tasks += 1
            if not bounds_overlap(boxes, trees.box_start[a] + i, boxes, trees.box_start[b] + j):
                continue
        node_a = trees.node_start[a] + i
        node_b = trees.node_start[b] + j
        leaf_a = children[node_a, 0] < 0
        leaf_b = children[node_b, 0] < 0
        if leaf_a and leaf_b:
            count = leaf_pairs(pair, a, b, node_a, node_b, trees, within, candidates, count, stats)
            if within[0] + within[1] > 0:
                depth += 1                          # the same task goes on here
            continue
        for p in range(1 if leaf_a else 2):
            for q in range(1 if leaf_b else 2):
                put_task(stack, depth, pair, i if leaf_a else np.int64(children[node_a, p]),
                         j if leaf_b else np.int64(children[node_b, q]))
                depth += 1
    stats[0] += tasks
    stats[1] += tasks
    return depth, count


@kernel
def leaf_pairs(pair, a, b, leaf_a, leaf_b, trees, within, candidates, count, stats):
    """Append the pairs of triangles whose boxes meet of two leaves, rows of nodes; returns their number. Where there is
    no more room, `within` says where to go on, else it is zero."""
    slots = trees.slots
    boxes = trees.boxes
    slot_boxes = trees.slot_boxes
    first_a = trees.span[leaf_a, 0]
    first_b = trees.span[leaf_b, 0]
    box_a = trees.slot_box_start[a] + first_a
    box_b = trees.slot_box_start[b] + first_b
    slot_a = trees.corners.triangle_start[a] + first_a
    slot_b = trees.corners.triangle_start[b] + first_b
    leaf_box = trees.box_start[b] + leaf_b - trees.node_start[b]
    for s in range(within[0], trees.span[leaf_a, 1]):
        stats[1] += 1
        if bounds_overlap(slot_boxes, box_a + s, boxes, leaf_box):
            for t in range(within[1], trees.span[leaf_b, 1]):
                stats[1] += 1
                if bounds_overlap(slot_boxes, box_a + s, slot_boxes, box_b + t):
                    if count == candidates.shape[0]:
                        within[0] = s
                        within[1] = t
                        return count
                    candidates[count, 0] = pair
                    candidates[count, 1] = slots[slot_a + s]
                    candidates[count, 2] = slots[slot_b + t]
                    count += 1
        within[1] = 0
    within[0] = 0
    return count


@kernel
def divide_tasks(pairs, trees, queue, tail, share, ready):
    """Divide the tasks in queue[:tail], first come, first served, until none has more than `share` triangles, or one of
    the arrays is full; returns (first of the queue that waits, tail, number of tasks that are ready).

    queue, ready: (…,3) int32. One big pair becomes many tasks that threads can share.
    """
    children = trees.children
    span = trees.span
    boxes = trees.boxes
    head = 0
    light = 0
    while head < tail and tail + CHILD_TASKS <= queue.shape[0] and light + CHILD_TASKS <= ready.shape[0]:
        pair = queue[head, 0]
        i = np.int64(queue[head, 1])
        j = np.int64(queue[head, 2])
        head += 1
        a = pairs.a[pair]
        b = pairs.b[pair]
        if not bounds_overlap(boxes, trees.box_start[a] + i, boxes, trees.box_start[b] + j):
            continue
        node_a = trees.node_start[a]
        node_b = trees.node_start[b]
        leaf_a = children[node_a + i, 0] < 0
        leaf_b = children[node_b + j, 0] < 0
        for p in range(1 if leaf_a else 2):
            for q in range(1 if leaf_b else 2):
                k = i if leaf_a else np.int64(children[node_a + i, p])
                m = j if leaf_b else np.int64(children[node_b + j, q])
                whole = children[node_a + k, 0] < 0 and children[node_b + m, 0] < 0
                if whole or np.int64(span[node_a + k, 1]) + span[node_b + m, 1] <= share:
                    put_task(ready, light, pair, k, m)
                    light += 1
                else:
                    put_task(queue, tail, pair, k, m)
                    tail += 1
    return head, tail, light


@kernel
def put_task(tasks, row, pair, i, j):
    """tasks[row] = a task."""
    tasks[row, 0] = pair
    tasks[row, 1] = i
    tasks[row, 2] = j
