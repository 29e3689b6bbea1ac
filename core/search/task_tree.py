# SPDX-License-Identifier: GPL-3.0-or-later
"""The task tree over two balanced trees: tasks (node of a, node of b), down to the pairs of triangles whose boxes meet.

Fan, thesis of 2003, sections 4.3.3 and 4.3.4 (figures 4-5 and 4-6). A task whose boxes meet gives four, or where one
node is a leaf two, and two leaves give pairs of triangles. The tasks that wait (LIVESET) are worked off last come,
first served: the same tasks as from the document's queue, in memory that grows with the depth of the tree and not with
the width of a level. The kernel stops when the output is full, or its patience ends, and can be called again.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..narrow_phase.triangle_pairs import BUFFER
from ..run import Run
from ..trees.balanced.build import LEAF
from ..trees.balanced.trees import BalancedTrees, meet

PATIENCE = 1 << 16              # tasks in one call of the kernel: some milliseconds
FIRST_LOOK = 1 << 8             # candidates at a time, at first, where one crossing decides a pair
SHORT = 1 << 11                 # tasks in a call, while it is open whether threads are worth their start
FAN = 4                         # most tasks that one task gives
TASKS_PER_THREAD = 128          # that big pairs are spread into, several for each part, so that parts are alike
PARTS_PER_THREAD = 8            # tasks are worked off in, so that the last one hardly matters
LIGHT = 1 << 11                 # triangles in pairs that are not worth a part of their own


class TaskTree:
    """Searches pairs of objects by tasks (row of pair, node of a, node of b); see search/contact_search.py."""

    def __init__(self, trees: BalancedTrees, a: np.ndarray, b: np.ndarray, run: Run):
        self.trees, self.a, self.b, self.run = trees, a, b, run
        self.tasks: list[int] = []          # worked off, one number per part

    def begin(self, buffer: np.ndarray, done: np.ndarray):
        """The whole search in short steps."""
        return self(self._roots(), buffer, done, SHORT)

    def _roots(self) -> np.ndarray:
        tasks = np.zeros((len(self.a), 3), np.int32)
        tasks[:, 0] = np.arange(len(self.a))
        return tasks

    def parts(self) -> list[np.ndarray]:
        """Tasks for one thread each: the roots for one, for several as many more as make parts of like weight."""
        tasks = self._roots()
        count = self.trees.placed.triangle_count
        weight = count[self.a] + count[self.b]
        number = min(int(weight.sum()) // LIGHT, self.run.threads * PARTS_PER_THREAD)
        if self.run.threads == 1 or number < 2:
            return [tasks]
        share = int(weight.sum()) // (TASKS_PER_THREAD * self.run.threads)
        heavy = weight > max(share, 2 * LEAF)
        queue, ready = np.empty((2, heavy.sum() + 64 * TASKS_PER_THREAD * self.run.threads, 3), np.int32)
        queue[:heavy.sum()] = tasks[heavy]
        head, tail, light = spread(self.a, self.b, *self.trees.arrays[:5], queue, int(heavy.sum()), share, ready)
        tasks = np.concatenate([queue[head:tail], ready[:light], tasks[~heavy]])
        return [np.ascontiguousarray(tasks[i::number]) for i in range(min(number, len(tasks)))]

    def __call__(self, part: np.ndarray, buffer: np.ndarray, done: np.ndarray, patience: int = PATIENCE):
        """Fill the buffer with candidates and yield how many, until no task is left."""
        stack = np.empty((len(part) + 4096, 3), np.int32)
        stack[:len(part)] = part
        within, tally = np.zeros(2, np.int64), np.zeros(2, np.int64)
        depth, room = len(part), BUFFER if self.run.contacts_wanted else FIRST_LOOK
        try:
            while depth:
                depth, count = descend_tasks(self.a, self.b, *self.trees.arrays, done, stack, depth, patience, within,
                                             buffer[:room], tally)
                yield count
                if depth + FAN > len(stack):
                    stack = np.concatenate([stack, np.empty_like(stack)])
                room = min(4 * room, BUFFER)
        finally:
            self.tasks.append(int(tally[0]))
            self.run.count(box_pairs=int(tally[1]))


@kernel
def descend_tasks(object_a, object_b, node_start, children, span, box_start, boxes, triangle_start, slots, leaf_start,
                  leaf_boxes, done, stack, depth, patience, within, candidates, tally):
    """Work off at most `patience` of the tasks in stack[:depth]; returns (depth, number of candidates).

    object_a, object_b: (pairs,) int32; then BalancedTrees.arrays; done: (pairs,) uint8, tasks of a pair marked there
    are dropped. stack: (≥ depth + FAN, 3) int32; within: (2,) int64, zero at first: how far two leaves at the top of
    the stack have been compared; candidates: (…,3) int32 rows of pair, triangle of a, triangle of b; tally: (2,)
    int64, counts tasks and tests of two boxes.
    """
    count = 0
    tasks = 0
    while depth > 0 and count < candidates.shape[0] and depth + 3 <= stack.shape[0] and tasks < patience:
        depth -= 1
        pair = stack[depth, 0]
        i = np.int64(stack[depth, 1])
        j = np.int64(stack[depth, 2])
        if done[pair]:
            within[0] = 0
            within[1] = 0
            continue
        a = object_a[pair]
        b = object_b[pair]
        if within[0] + within[1] == 0:
            tasks += 1
            if not meet(boxes, box_start[a] + i, boxes, box_start[b] + j):
                continue
        node_a = node_start[a] + i
        node_b = node_start[b] + j
        leaf_a = children[node_a, 0] < 0
        leaf_b = children[node_b, 0] < 0
        if leaf_a and leaf_b:
            count = leaf_pairs(pair, span[node_a], span[node_b], boxes, box_start[b] + j, triangle_start[a],
                               triangle_start[b], slots, leaf_start[a], leaf_start[b], leaf_boxes, within, candidates,
                               count, tally)
            if within[0] + within[1] > 0:
                depth += 1                          # the same task goes on here
            continue
        for p in range(1 if leaf_a else 2):
            for q in range(1 if leaf_b else 2):
                put(stack, depth, pair, i if leaf_a else np.int64(children[node_a, p]),
                    j if leaf_b else np.int64(children[node_b, q]))
                depth += 1
    tally[0] += tasks
    tally[1] += tasks
    return depth, count


@kernel
def leaf_pairs(pair, span_a, span_b, boxes, box_b, start_a, start_b, slots, leaf_a, leaf_b, leaf_boxes, within,
               candidates, count, tally):
    """Append the pairs of triangles of two leaves whose boxes meet; returns their number. Where there is no more room,
    `within` says where to go on, else it is zero."""
    for s in range(span_a[0] + within[0], span_a[0] + span_a[1]):
        tally[1] += 1
        if meet(leaf_boxes, leaf_a + s, boxes, box_b):
            for t in range(span_b[0] + within[1], span_b[0] + span_b[1]):
                tally[1] += 1
                if meet(leaf_boxes, leaf_a + s, leaf_boxes, leaf_b + t):
                    if count == candidates.shape[0]:
                        within[0] = s - span_a[0]
                        within[1] = t - span_b[0]
                        return count
                    candidates[count, 0] = pair
                    candidates[count, 1] = slots[start_a + s]
                    candidates[count, 2] = slots[start_b + t]
                    count += 1
        within[1] = 0
    within[0] = 0
    return count


@kernel
def spread(object_a, object_b, node_start, children, span, box_start, boxes, queue, tail, share, ready):
    """Divide the tasks in queue[:tail], first come, first served, until none is over more than `share` triangles, or
    one of the arrays is full; returns (first of the queue that waits, tail, number of tasks that are ready).

    queue, ready: (…,3) int32. One big pair becomes many tasks that threads can share.
    """
    head = 0
    light = 0
    while head < tail and tail + FAN <= queue.shape[0] and light + FAN <= ready.shape[0]:
        pair = queue[head, 0]
        i = np.int64(queue[head, 1])
        j = np.int64(queue[head, 2])
        head += 1
        a = object_a[pair]
        b = object_b[pair]
        if not meet(boxes, box_start[a] + i, boxes, box_start[b] + j):
            continue
        node_a = node_start[a]
        node_b = node_start[b]
        leaf_a = children[node_a + i, 0] < 0
        leaf_b = children[node_b + j, 0] < 0
        for p in range(1 if leaf_a else 2):
            for q in range(1 if leaf_b else 2):
                k = i if leaf_a else np.int64(children[node_a + i, p])
                m = j if leaf_b else np.int64(children[node_b + j, q])
                whole = children[node_a + k, 0] < 0 and children[node_b + m, 0] < 0
                if whole or np.int64(span[node_a + k, 1]) + span[node_b + m, 1] <= share:
                    put(ready, light, pair, k, m)
                    light += 1
                else:
                    put(queue, tail, pair, k, m)
                    tail += 1
    return head, tail, light


@kernel
def put(tasks, row, pair, i, j):
    tasks[row, 0] = pair
    tasks[row, 1] = i
    tasks[row, 2] = j
