# SPDX-License-Identifier: GPL-3.0-or-later
"""Mid and narrow phase fused: candidates stream through fixed buffers, so that memory does not grow with them.

Threads share the pairs; a big pair is first spread into tasks, so that they share it too. The contacts are put in
canonical order at the end, whatever order they were found in.
"""
import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled
from ..mid_phase.descend import FAN, descend, spread
from ..parallel import run_chunks
from ..trees.forest import Forest
from .pairs import Buffers, meeting_pairs

TASKS_PER_THREAD = 32       # enough that the last one to finish does not matter
PATIENCE = 1 << 16          # tasks in one call of the kernel: some milliseconds
HEAD_START = 2              # calls of the kernel before other threads are worth their start


def stream_contacts(forest: Forest, a: np.ndarray, b: np.ndarray, run) -> Contacts:
    """All pairs of triangles of the pairs of objects (a[i], b[i]) that meet.

    a, b: (pairs,) int32, positions in the forest. run: pipeline.Run; run.finished is set per pair, its counts grow.
    Contacts.pair is the row of a and b. A run that is cancelled here returns what it has found so far.
    """
    parts: list[Contacts] = []
    try:
        for batch in forest.batches(a, b) if len(a) else ():
            work = Work(forest, a, b, run)
            run.tick(batch.start / len(a))
            try:
                work.off(work.tasks(batch), lambda done, batch=batch: run.tick(
                    (batch.start + (batch.stop - batch.start) * done) / len(a)))
            finally:
                run.finished[batch] = True
                run.finished[work.unfinished] = False
                parts += work.parts
    except Cancelled:
        pass
    return Contacts.join(parts).ordered()


class Work:
    """The search through some pairs of placed objects."""

    def __init__(self, forest: Forest, a: np.ndarray, b: np.ndarray, run):
        self.forest, self.a, self.b, self.run = forest, a, b, run
        self.done = np.zeros(len(a), np.uint8)      # pairs that need no further look, when only verdicts are wanted
        self.parts: list[Contacts] = []
        self.unfinished = np.zeros(0, np.int32)     # pairs with tasks left, when the run was cancelled

    def tasks(self, batch: slice) -> np.ndarray:
        """(k,3) int32, one task per pair: both trees from their roots."""
        tasks = np.empty((batch.stop - batch.start, 3), np.int32)
        tasks[:, 0] = np.arange(batch.start, batch.stop)
        tasks[:, 1] = self.forest.root[self.a[batch]]
        tasks[:, 2] = self.forest.root[self.b[batch]]
        return tasks

    def off(self, tasks: np.ndarray, tick) -> None:
        """Work the tasks off: the first part at once, what is left after that on several threads."""
        rest = self._search(tasks, HEAD_START)
        chunks = self._chunks(rest)

        def work(number):
            chunks[number] = self._search(chunks[number], None)

        try:
            run_chunks(work, len(chunks), self.run.threads, lambda done: tick(done / max(1, len(chunks))))
        finally:
            self.unfinished = np.unique(np.concatenate([chunk[:, 0] for chunk in [*chunks, rest[:0]]]))

    def _chunks(self, tasks: np.ndarray) -> list[np.ndarray]:
        """The tasks in as many parts as keep all threads busy and progress visible."""
        if len(tasks) == 0:
            return []
        wanted = self.run.threads * TASKS_PER_THREAD
        if len(tasks) < wanted:
            queue = np.empty((4 * wanted + FAN * len(tasks), 3), np.int32)
            queue[:len(tasks)] = tasks
            head, tail = spread(self.a, self.b, self.forest.box_start, self.forest.node_start,
                                self.forest.meshes.children, self.forest.boxes, queue, len(tasks), wanted)
            tasks = queue[head:tail]
        number = min(len(tasks), wanted)
        return [np.ascontiguousarray(tasks[i::number]) for i in range(number)]

    def _search(self, tasks: np.ndarray, calls: int | None) -> np.ndarray:
        """Collect the contacts of the tasks until none is left, the run is cancelled or the number of calls is used
        up; returns the tasks that are left."""
        forest, a, b, run = self.forest, self.a, self.b, self.run
        use = Buffers()
        stack = np.empty((len(tasks) + 4096, 3), np.int32)
        stack[:len(tasks)] = tasks
        depth, candidates = len(tasks), 0
        while depth and not run.cancelled and calls != 0:
            depth, count = descend(a, b, forest.box_start, forest.node_start, forest.meshes.children, forest.boxes,
                                   self.done, stack, depth, PATIENCE, use.candidates, use.tasks)
            candidates += count
            part = meeting_pairs(count, a, b, forest.corners, use)
            if not run.contacts_wanted:
                self.done[part.pair[part.proper]] = 1
            if len(part):
                self.parts.append(part)
            if depth + FAN > len(stack):
                stack = np.concatenate([stack, np.empty_like(stack)])
            calls = None if calls is None else calls - 1
        run.count(box_pairs=int(use.tasks[0]) * 16, triangle_pairs=candidates,
                  exact_decisions=int(use.undecided[0]))
        return stack[:depth]
