# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two oriented box trees at once, to the pairs of triangles whose boxes meet.

A task is (pair of objects, node of a, node of b), whose boxes meet. Its larger node gives way to its children, as in
RAPID; two leaves are a candidate. With the order LEAF, as the documents of 2017 (§3.2) and 2018 (§2.4) have it,
the whole of a stays against b's tree until a leaf of b is reached, and that leaf then goes down a's tree.

The children of a node are compared with the other box in the coordinates of their own tree, not scaled: the other box
is brought there once for both. With u = 2^-53 and τ the way from place to place, that errs by 16 u |τ| + 16 u size, and
turns that are orthonormal only to 24 u by 48 u (|τ| + both sizes): NOISE takes 128 u, in the other box's margin.
"""
from collections.abc import Iterator

import numpy as np

from ..machine_code.jit import kernel
from ..parallel import run_chunks
from ..run import Run
from ..trees.obb.fit import AXES, BOX, HALF
from ..trees.obb.trees import MARGIN, SIZE, ObbTrees
from .obb_overlap import separating_axis

FAN = 2                         # most tasks that one task gives
PATIENCE = 1 << 14              # tasks in one call of the kernel: a millisecond or two
BLOCK = 1 << 15                 # pairs of objects, or tasks, at a time: a millisecond or two
PARTS_PER_THREAD = 8            # enough that the last one hardly matters
TASKS_PER_PART = 4              # at least, so that parts are alike
NOISE = 2.0 ** -46
SAME = 16                       # numbers of `relate`
ORDERS = LARGER, LEAF = "larger_first", "leaf_first"


def search(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run, order: str = LARGER, tested: bool = False):
    """The search for search.contact_search.contacts_of_pairs in the pairs of objects (a[i], b[i]).

    The returned function takes pairs, which begin at the roots, or tasks to begin with, (k,3) int32. Boxes of a first
    task are tested, unless tested=True says that they are known to meet (`parts`). run: run.Run, whose counts
    grow: broad_tests by the tests of the boxes that the search begins with, box_pairs by those below them.
    """
    def candidates(part: np.ndarray, buffer: np.ndarray, done: np.ndarray) -> Iterator[int]:
        descent = Descent(trees, a, b, order, done)
        try:
            for begin in range(0, len(part), BLOCK):
                tasks = part[begin:begin + BLOCK]
                tasks = _root_tasks(trees, a, b, tasks) if tasks.ndim == 1 else tasks.copy()
                yield from descent.down(tasks if tested else descent.meeting(tasks), buffer)
        finally:
            run.count(broad_tests=descent.first_tests, box_pairs=descent.box_pairs)

    return candidates


def parts(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run, order: str = LARGER,
          tasks: np.ndarray | None = None) -> list[np.ndarray]:
    """The whole search in parts that threads can share, even if one pair is most of it: (k,3) int32 tasks each.

    tasks: to begin with, (k,3) int32; None: the roots of all pairs. Other arguments as for `search`. The tests of the
    boxes that the search begins with are done here. May raise Cancelled.
    """
    done = np.zeros(len(a), np.uint8)
    first = np.arange(len(a), dtype=np.int32) if tasks is None else tasks
    blocks = [first[begin:begin + BLOCK] for begin in range(0, len(first), BLOCK)]
    found = [np.zeros((0, 3), np.int32)] * (1 + len(blocks))

    def work(number):
        descent = Descent(trees, a, b, order, done)
        block = blocks[number]
        found[number] = descent.meeting(_root_tasks(trees, a, b, block) if block.ndim == 1 else block.copy())
        run.count(broad_tests=descent.first_tests)

    run_chunks(work, len(blocks), run.threads, lambda ready: run.tick(0.0))
    meeting = np.concatenate(found)
    descent = Descent(trees, a, b, order, done)
    number = run.threads * PARTS_PER_THREAD
    if len(meeting) < TASKS_PER_PART * number:
        meeting = descent.spread(meeting, TASKS_PER_PART * number)
    run.count(box_pairs=descent.box_pairs)
    number = min(len(meeting), number)
    return [np.ascontiguousarray(meeting[i::number]) for i in range(number)]


def _root_tasks(trees: ObbTrees, a: np.ndarray, b: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(k,3) int32: the tasks that some pairs begin with."""
    return np.stack([rows, trees.root[a[rows]], trees.root[b[rows]]], axis=1).astype(np.int32)


class Descent:
    """The kernels with what they need; one per thread."""

    def __init__(self, trees: ObbTrees, a: np.ndarray, b: np.ndarray, order: str, done: np.ndarray):
        """done: (pairs,) uint8, tasks of a pair that is marked there are dropped."""
        self._trees = a, b, trees.poses, trees.boxes
        self._code, self._leaf_first, self._done = trees.code, ORDERS.index(order), done
        self.first_tests = 0        # tests of boxes that tasks begin with
        self._tally = np.zeros(1, np.int64)
        self._scratch = np.empty((2, SAME)), np.empty((2, BOX)), np.empty((4, 3)), self._tally

    @property
    def box_pairs(self) -> int:
        """Tests of boxes that were made below those."""
        return int(self._tally[0]) - self.first_tests

    def meeting(self, tasks: np.ndarray) -> np.ndarray:
        """Those of the tasks, (k,3) int32, whose boxes meet; the array is overwritten."""
        below = self.box_pairs
        meeting = tasks[:meeting_tasks(*self._trees, self._done, tasks, *self._scratch)]
        self.first_tests = int(self._tally[0]) - below
        return meeting

    def spread(self, tasks: np.ndarray, wanted: int) -> np.ndarray:
        """The same search as at least so many tasks, breadth first, where there are that many."""
        queue = np.empty((2 * (len(tasks) + 2 * wanted), 3), np.int32)
        queue[:len(tasks)] = tasks
        head, tail = spread(*self._trees, self._code, self._leaf_first, queue, len(tasks), wanted, *self._scratch)
        return queue[head:tail]

    def down(self, tasks: np.ndarray, buffer: np.ndarray) -> Iterator[int]:
        """Fill the buffer (…,3) int32 with candidates below the tasks, and yield how many, as often as needed."""
        stack = np.concatenate([tasks[::-1], np.empty((1024, 3), np.int32)])
        depth = len(tasks)
        while depth:
            depth, count = descend(*self._trees, self._code, self._leaf_first, self._done, stack, depth, PATIENCE,
                                   buffer, *self._scratch)
            yield count
            if depth + FAN > len(stack):
                stack = np.concatenate([stack, np.empty_like(stack)])


@kernel
def relate(a, b, poses, same):
    """What boxes of objects a and b need to be compared, same[0] where a stays and same[1] where b does.

    Each has Q (9), which turns the other into the coordinates of the one that stays, and τ (3), its place there; then
    size and margin of the one that stays, and those of the other.
    """
    way = poses[a, SIZE] + poses[b, SIZE]
    for i in range(3):
        same[0, 9 + i] = 0.0
        for x in range(3):
            same[0, 9 + i] += poses[a, 3 * x + i] * (poses[b, 9 + x] - poses[a, 9 + x])
        way += abs(same[0, 9 + i])
        for j in range(3):
            same[0, 3 * i + j] = 0.0
            for x in range(3):
                same[0, 3 * i + j] += poses[a, 3 * x + i] * poses[b, 3 * x + j]
            same[1, 3 * j + i] = same[0, 3 * i + j]
    for j in range(3):
        same[1, 9 + j] = -(same[0, j] * same[0, 9] + same[0, 3 + j] * same[0, 10] + same[0, 6 + j] * same[0, 11])
    for side in range(2):
        stays = a if side == 0 else b
        other = b if side == 0 else a
        same[side, 12] = poses[stays, SIZE]
        same[side, 13] = poses[stays, MARGIN]
        same[side, 14] = poses[other, SIZE]
        same[side, 15] = poses[other, MARGIN] + NOISE * way


@kernel
def box_that_stays(same, box, placed):
    """placed (BOX,): a box of the object in whose coordinates boxes are compared."""
    for x in range(3):
        placed[x] = same[12] * box[x]
        placed[HALF + x] = same[12] * box[HALF + x] + same[13]
    for x in range(AXES, HALF):
        placed[x] = box[x]


@kernel
def box_of_other(same, box, placed):
    """placed (BOX,): a box of the other object."""
    for x in range(3):
        p = same[3 * x]
        q = same[3 * x + 1]
        r = same[3 * x + 2]
        placed[x] = same[9 + x] + same[14] * (p * box[0] + q * box[1] + r * box[2])
        placed[HALF + x] = same[14] * box[HALF + x] + same[15]
        for i in range(AXES, HALF, 3):
            placed[i + x] = p * box[i] + q * box[i + 1] + r * box[i + 2]


@kernel
def _meet(pair, C, tally):
    tally[0] += 1
    return separating_axis(pair[0], pair[1], C) == 0


@kernel
def meeting_tasks(object_a, object_b, poses, boxes, done, tasks, same, both, C, tally):
    """Move the tasks whose boxes meet to the front; returns how many they are. Arguments as in `descend`."""
    kept = 0
    current = -1
    for k in range(tasks.shape[0]):
        pair = tasks[k, 0]
        if done[pair]:
            continue
        if pair != current:
            current = pair
            relate(object_a[pair], object_b[pair], poses, same)
        box_that_stays(same[0], boxes[tasks[k, 1]], both[0])
        box_of_other(same[0], boxes[tasks[k, 2]], both[1])
        if _meet(both, C, tally):
            for x in range(3):
                tasks[kept, x] = tasks[k, x]
            kept += 1
    return kept


@kernel
def open_task(pair, i, j, boxes, code, leaf_first, same, both, C, tally, tasks, n):
    """One of the nodes i and j, not both leaves, gives way to its children: those that meet the other are the tasks
    tasks[n:]; returns their end."""
    side = 1 if code[i] < 0 else 0
    if code[i] >= 0 and code[j] >= 0:
        side = leaf_first | (same[0, 12] * boxes[i, HALF] < same[1, 12] * boxes[j, HALF])
    left = code[j] if side else code[i]
    box_of_other(same[side], boxes[i if side else j], both[1])
    for child in range(left + 1, left - 1, -1):
        box_that_stays(same[side], boxes[child], both[0])
        if _meet(both, C, tally):
            tasks[n, 0] = pair
            tasks[n, 1] = i if side else child
            tasks[n, 2] = child if side else j
            n += 1
    return n


@kernel
def descend(object_a, object_b, poses, boxes, code, leaf_first, done, stack, depth, patience, candidates, same, both, C,
            tally):
    """Work off at most `patience` of the tasks in stack[:depth]; returns (depth, number of candidates).

    object_a, object_b: (pairs,) int32; poses, boxes, code: see trees.obb.ObbTrees; leaf_first: 1 for that order, or 0;
    done: (pairs,) uint8, tasks of a pair marked there are dropped; stack: (≥ depth + FAN, 3) int32; candidates: (…,3)
    int32 rows of pair, slot of a, slot of b; same (2,SAME), both (2,BOX), C (4,3): scratch; tally: (1,) int64, counts
    tests of boxes.
    """
    count = 0
    current = -1
    room = stack.shape[0] - FAN
    while depth > 0 and depth <= room and count < candidates.shape[0] and patience > 0:
        depth -= 1
        patience -= 1
        pair = stack[depth, 0]
        i = stack[depth, 1]
        j = stack[depth, 2]
        if done[pair]:
            continue
        if code[i] < 0 and code[j] < 0:
            candidates[count, 0] = pair
            candidates[count, 1] = ~code[i]
            candidates[count, 2] = ~code[j]
            count += 1
            continue
        if pair != current:
            current = pair
            relate(object_a[pair], object_b[pair], poses, same)
        depth = open_task(pair, i, j, boxes, code, leaf_first, same, both, C, tally, stack, depth)
    return depth, count


@kernel
def spread(object_a, object_b, poses, boxes, code, leaf_first, queue, tail, wanted, same, both, C, tally):
    """Breadth first from queue[:tail] until `wanted` tasks wait, or a pair of leaves is next; returns (first waiting,
    tail). Other arguments as in `descend`."""
    head = 0
    current = -1
    while head < tail and tail - head < wanted and tail + FAN <= queue.shape[0]:
        pair = queue[head, 0]
        i = queue[head, 1]
        j = queue[head, 2]
        if code[i] < 0 and code[j] < 0:
            break
        head += 1
        if pair != current:
            current = pair
            relate(object_a[pair], object_b[pair], poses, same)
        tail = open_task(pair, i, j, boxes, code, leaf_first, same, both, C, tally, queue, tail)
    return head, tail
