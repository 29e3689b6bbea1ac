# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees of oriented boxes at once, to the pairs of triangles whose boxes meet.

A task is (pair of objects, node of a, node of b), whose boxes meet. Its larger node gives way to its children, as in
RAPID; two leaves are a candidate. With the order LEAF_FIRST, as the documents of 2017 (§3.2) and 2018 (§2.4) have it,
the whole of a stays against b's tree until a leaf of b is reached, and that leaf then goes down a's tree.

The children of a node are compared with the other box in the coordinates of their own tree, not scaled: the other box
is brought there once for both. With u = 2^-53 and τ the way from position to position, that errs by 16 u |τ| + 16 u
size, and rotations that are orthonormal only to 24 u by 48 u (|τ| + both sizes). TRANSFER_NOISE takes 128 u, in the
other box's margin.
"""
from collections.abc import Callable, Iterator

import numpy as np

from ..machine_code.jit import kernel
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import ObbScratch, ObjectPairs
from ..run import Run
from ..trees.obb.nodes import AXES_AT, BOX_NUMBERS, HALF_AT, is_leaf, triangle_of
from ..trees.obb.trees import POSE_MARGIN, POSE_POSITION, POSE_SIZE, ObbTrees
from .obb_overlap import separating_axis

OBB_CHILD_TASKS = 2             # most tasks that one task gives
MAX_OBB_TASKS_PER_CALL = 1 << 14    # of the kernel: a millisecond or two
OBB_TASKS_AT_ONCE = 1 << 15     # tasks, or pairs of objects: a millisecond or two
TASKS_PER_CHUNK = 4             # at least, so that chunks are alike
TRANSFER_NOISE = 2.0 ** -46
# Where the numbers of `relate` begin: rotation (9), way (3), size and margin of the box that stays, and of the other.
WAY, OWN_SIZE, OWN_MARGIN, OTHER_SIZE, OTHER_MARGIN, RELATION_NUMBERS = 9, 12, 13, 14, 15, 16
ORDERS = LARGER_FIRST, LEAF_FIRST = "larger_first", "leaf_first"


def search(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run, order: str = LARGER_FIRST,
           tested: bool = False) -> Callable[[np.ndarray, np.ndarray, np.ndarray], Iterator[int]]:
    """The search in the pairs of objects (a[i], b[i]), for contact_search.contacts_of_pairs.

    The returned function takes pairs, which begin at the roots, or tasks to begin with, (k,3) int32. The boxes of these
    tasks are tested, unless tested=True says that they are known to meet (`search_chunks`). The run's counts grow:
    broad_tests by the tests of the boxes that the search begins with, box_pairs by those below them.
    """
    def candidates(chunk: np.ndarray, buffer: np.ndarray, done: np.ndarray) -> Iterator[int]:
        descent = Descent(trees, a, b, order, done)
        try:
            for begin in range(0, len(chunk), OBB_TASKS_AT_ONCE):
                tasks = chunk[begin:begin + OBB_TASKS_AT_ONCE]
                tasks = _root_tasks(trees, a, b, tasks) if tasks.ndim == 1 else tasks.copy()
                yield from descent.down(tasks if tested else descent.meeting(tasks), buffer)
        finally:
            run.count(broad_tests=descent.first_tests, box_pairs=descent.box_pairs)

    return candidates


def search_chunks(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run, order: str = LARGER_FIRST,
                  tasks: np.ndarray | None = None) -> list[np.ndarray]:
    """The whole search in chunks of tasks, (k,3) int32 each, that threads can share, even if one pair is most of it.

    tasks: to begin with, (k,3) int32; None: the roots of all pairs. Other arguments as for `search`. The boxes that the
    search begins with are tested here. May raise Cancelled.
    """
    done = np.zeros(len(a), np.uint8)
    first = np.arange(len(a), dtype=np.int32) if tasks is None else tasks
    blocks = [first[begin:begin + OBB_TASKS_AT_ONCE] for begin in range(0, len(first), OBB_TASKS_AT_ONCE)]
    found = [np.zeros((0, 3), np.int32)] * (1 + len(blocks))

    def work(number):
        descent = Descent(trees, a, b, order, done)
        block = blocks[number]
        found[number] = descent.meeting(_root_tasks(trees, a, b, block) if block.ndim == 1 else block.copy())
        run.count(broad_tests=descent.first_tests)

    run_chunks(work, len(blocks), run.threads, lambda ready: run.tick(0.0))
    meeting = np.concatenate(found)
    descent = Descent(trees, a, b, order, done)
    number = run.threads * CHUNKS_PER_THREAD
    if len(meeting) < TASKS_PER_CHUNK * number:
        meeting = descent.divide(meeting, TASKS_PER_CHUNK * number)
    run.count(box_pairs=descent.box_pairs)
    number = min(len(meeting), number)
    return [np.ascontiguousarray(meeting[i::number]) for i in range(number)]


def _root_tasks(trees: ObbTrees, a: np.ndarray, b: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(k,3) int32: the tasks that some pairs begin with. rows: (k,) int32."""
    return np.stack([rows, trees.root[a[rows]], trees.root[b[rows]]], axis=1).astype(np.int32)


class Descent:
    """The kernels with their arguments; one per thread."""

    def __init__(self, trees: ObbTrees, a: np.ndarray, b: np.ndarray, order: str, done: np.ndarray):
        """a, b: (pairs,) int32; done: (pairs,) uint8, tasks of a pair that is marked there are dropped."""
        self._pairs, self._trees = ObjectPairs(a, b, done), trees.placed_trees
        self._leaf_first = ORDERS.index(order)
        self.first_tests = 0        # tests of boxes that tasks begin with
        self._scratch = ObbScratch(np.empty((2, RELATION_NUMBERS)), np.empty((2, BOX_NUMBERS)), np.empty((4, 3)),
                                   np.zeros(1, np.int64))

    @property
    def box_pairs(self) -> int:
        """Tests of boxes that were made below those."""
        return int(self._scratch.stats[0]) - self.first_tests

    def meeting(self, tasks: np.ndarray) -> np.ndarray:
        """Those of the tasks, (k,3) int32, whose boxes meet; the array is overwritten."""
        below = self.box_pairs
        meeting = tasks[:meeting_tasks(self._pairs, self._trees, tasks, self._scratch)]
        self.first_tests = int(self._scratch.stats[0]) - below
        return meeting

    def divide(self, tasks: np.ndarray, wanted: int) -> np.ndarray:
        """The same search as at least `wanted` tasks, (k,3) int32, where there are that many."""
        queue = np.empty((2 * (len(tasks) + 2 * wanted), 3), np.int32)
        queue[:len(tasks)] = tasks
        head, tail = divide_tasks(self._pairs, self._trees, self._leaf_first, queue, len(tasks), wanted, self._scratch)
        return queue[head:tail]

    def down(self, tasks: np.ndarray, buffer: np.ndarray) -> Iterator[int]:
        """Fill the buffer, (…,3) int32, with candidates below the tasks, and yield how many, as often as needed."""
        stack = np.concatenate([tasks[::-1], np.empty((1024, 3), np.int32)])
        depth = len(tasks)
        while depth:
            depth, count = descend(self._pairs, self._trees, self._leaf_first, stack, depth, MAX_OBB_TASKS_PER_CALL,
                                   buffer, self._scratch)
            yield count
            if depth + OBB_CHILD_TASKS > len(stack):
                stack = np.concatenate([stack, np.empty_like(stack)])


@kernel
def relate(a, b, poses, relation):
    """What boxes of objects a and b need to be compared: relation[0] where the coordinates are those of a, relation[1]
    where they are those of b.

    Each has the rotation (9) and the way (3) that bring the other box into the coordinates of the one that stays; then
    size and margin of the one that stays, and those of the other.
    """
    way = poses[a, POSE_SIZE] + poses[b, POSE_SIZE]
    for i in range(3):
        relation[0, WAY + i] = 0.0
        for x in range(3):
            relation[0, WAY + i] += poses[a, 3 * x + i] * (poses[b, POSE_POSITION + x] - poses[a, POSE_POSITION + x])
        way += abs(relation[0, WAY + i])
        for j in range(3):
            relation[0, 3 * i + j] = 0.0
            for x in range(3):
                relation[0, 3 * i + j] += poses[a, 3 * x + i] * poses[b, 3 * x + j]
            relation[1, 3 * j + i] = relation[0, 3 * i + j]
    for j in range(3):
        relation[1, WAY + j] = -(relation[0, j] * relation[0, WAY] + relation[0, 3 + j] * relation[0, WAY + 1]
                                 + relation[0, 6 + j] * relation[0, WAY + 2])
    for side in range(2):
        stays = a if side == 0 else b
        other = b if side == 0 else a
        relation[side, OWN_SIZE] = poses[stays, POSE_SIZE]
        relation[side, OWN_MARGIN] = poses[stays, POSE_MARGIN]
        relation[side, OTHER_SIZE] = poses[other, POSE_SIZE]
        relation[side, OTHER_MARGIN] = poses[other, POSE_MARGIN] + TRANSFER_NOISE * way


@kernel
def box_that_stays(relation, box, placed):
    """placed (BOX_NUMBERS,) = a box of the object in whose coordinates boxes are compared."""
    for x in range(3):
        placed[x] = relation[OWN_SIZE] * box[x]
        placed[HALF_AT + x] = relation[OWN_SIZE] * box[HALF_AT + x] + relation[OWN_MARGIN]
    for x in range(AXES_AT, HALF_AT):
        placed[x] = box[x]


@kernel
def box_of_other(relation, box, placed):
    """placed (BOX_NUMBERS,) = a box of the other object, in those coordinates."""
    for x in range(3):
        p = relation[3 * x]
        q = relation[3 * x + 1]
        r = relation[3 * x + 2]
        placed[x] = relation[WAY + x] + relation[OTHER_SIZE] * (p * box[0] + q * box[1] + r * box[2])
        placed[HALF_AT + x] = relation[OTHER_SIZE] * box[HALF_AT + x] + relation[OTHER_MARGIN]
        for i in range(AXES_AT, HALF_AT, 3):
            placed[i + x] = p * box[i] + q * box[i + 1] + r * box[i + 2]


@kernel
def _boxes_meet(scratch):
    """True where the two boxes in the scratch memory meet."""
    scratch.stats[0] += 1
    return separating_axis(scratch.boxes[0], scratch.boxes[1], scratch.cosines) == 0


@kernel
def meeting_tasks(pairs, trees, tasks, scratch):
    """Move the tasks whose boxes meet to the front; returns how many they are. Arguments as for `descend`."""
    boxes = trees.boxes
    relation = scratch.relation
    both = scratch.boxes
    kept = 0
    current = -1
    for k in range(tasks.shape[0]):
        pair = tasks[k, 0]
        if pairs.done[pair]:
            continue
        if pair != current:
            current = pair
            relate(pairs.a[pair], pairs.b[pair], trees.poses, relation)
        box_that_stays(relation[0], boxes[tasks[k, 1]], both[0])
        box_of_other(relation[0], boxes[tasks[k, 2]], both[1])
        if _boxes_meet(scratch):
            for x in range(3):
                tasks[kept, x] = tasks[k, x]
            kept += 1
    return kept


@kernel
def open_task(pair, i, j, trees, leaf_first, scratch, tasks, n):
    """Let one of the nodes i and j, not both leaves, give way to its children: those that meet the other node are the
    tasks tasks[n:]; returns their end."""
    boxes = trees.boxes
    code = trees.code
    relation = scratch.relation
    both = scratch.boxes
    side = 1 if is_leaf(code[i]) else 0
    if not is_leaf(code[i]) and not is_leaf(code[j]):
        side = leaf_first | (relation[0, OWN_SIZE] * boxes[i, HALF_AT] < relation[1, OWN_SIZE] * boxes[j, HALF_AT])
    left = code[j] if side else code[i]
    box_of_other(relation[side], boxes[i if side else j], both[1])
    for child in range(left + 1, left - 1, -1):
        box_that_stays(relation[side], boxes[child], both[0])
        if _boxes_meet(scratch):
            tasks[n, 0] = pair
            tasks[n, 1] = i if side else child
            tasks[n, 2] = child if side else j
            n += 1
    return n


@kernel
def descend(pairs, trees, leaf_first, stack, depth, max_tasks, candidates, scratch):
    """Work off at most `max_tasks` of the tasks in stack[:depth]; returns (depth, number of candidates).

    pairs: ObjectPairs, whose tasks are dropped where it is done; trees: PlacedObbTrees; leaf_first: 1 for that order,
    or 0; stack: (≥ depth + OBB_CHILD_TASKS, 3) int32; candidates: (…,3) int32 rows of pair, triangle of a, triangle of
    b; scratch: ObbScratch, whose stats count tests of boxes.
    """
    code = trees.code
    done = pairs.done
    count = 0
    current = -1
    capacity = stack.shape[0] - OBB_CHILD_TASKS
    while depth > 0 and depth <= capacity and count < candidates.shape[0] and max_tasks > 0:
        depth -= 1
        max_tasks -= 1
        pair = stack[depth, 0]
        i = stack[depth, 1]
        j = stack[depth, 2]
        if done[pair]:
            continue
        if is_leaf(code[i]) and is_leaf(code[j]):
            candidates[count, 0] = pair
            candidates[count, 1] = triangle_of(code[i])
            candidates[count, 2] = triangle_of(code[j])
            count += 1
            continue
        if pair != current:
            current = pair
            relate(pairs.a[pair], pairs.b[pair], trees.poses, scratch.relation)
        depth = open_task(pair, i, j, trees, leaf_first, scratch, stack, depth)
    return depth, count


@kernel
def divide_tasks(pairs, trees, leaf_first, queue, tail, wanted, scratch):
    """Replace tasks in queue[:tail] by those below them, first come, first served, until `wanted` tasks wait or a pair
    of leaves is next; returns (first waiting, tail). Other arguments as for `descend`."""
    code = trees.code
    head = 0
    current = -1
    while head < tail and tail - head < wanted and tail + OBB_CHILD_TASKS <= queue.shape[0]:
        pair = queue[head, 0]
        i = queue[head, 1]
        j = queue[head, 2]
        if is_leaf(code[i]) and is_leaf(code[j]):
            break
        head += 1
        if pair != current:
            current = pair
            relate(pairs.a[pair], pairs.b[pair], trees.poses, scratch.relation)
        tail = open_task(pair, i, j, trees, leaf_first, scratch, queue, tail)
    return head, tail
