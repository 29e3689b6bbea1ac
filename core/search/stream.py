# SPDX-License-Identifier: GPL-3.0-or-later
"""Mid and narrow phase fused: candidates stream through fixed buffers, so that memory does not grow with them.

Threads share the pairs; a big pair is first spread into tasks, so that they share it too. What is found is put in
canonical order, and only then are contacts made of it, each in its final place (`sift.py`): the order that threads
find things in leaves no trace.
"""
import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled
from ..mid_phase.descend import FAN, descend, spread
from ..narrow_phase.triangle_pairs import BUFFER, Sieve
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..run import Run
from ..trees.bvh.forest import Forest
from .contact_search import ContactSearch

CHUNKS_PER_THREAD = 8       # enough that the last one hardly matters; 32 made 200,000 triangles a third slower
TASKS_PER_CHUNK = 4         # at least, so that chunks are alike
PATIENCE = 1 << 16          # tasks in one call of the kernel: some milliseconds
HEAD_START = 1              # calls of the kernel before other threads are worth their start: about a millisecond
FIRST_LOOK = 1 << 6         # candidates of a task, at first, where one crossing decides its pair


def stream_contacts(forest: Forest, table: PairTable, run: Run) -> Contacts:
    """All pairs of triangles that meet, of the pairs of objects in the table.

    table.a, table.b: positions in the forest. Sets table.finished; the counts of the run grow. A run that is cancelled
    here returns what it has found so far.
    """
    a, b = table.a, table.b
    parts: list[Contacts] = []
    try:
        for batch in forest.batches(a, b) if len(a) else ():
            search = Search(forest, table, run)
            run.tick(batch.start / len(a))
            if run.cancelled:       # in the batch before, when this thread did all of it
                break
            try:
                search.through(batch, lambda done, batch=batch: run.tick(
                    (batch.start + (batch.stop - batch.start) * done) / len(a)))
            finally:
                table.finished[batch] = True
                table.finished[search.unfinished] = False
                parts.append(search.sift.contacts())
    except Cancelled:
        pass
    return Contacts.join(parts)


class Search:
    """The search through some pairs of placed objects; `sift` holds the pairs of triangles that it finds."""

    def __init__(self, forest: Forest, table: PairTable, run: Run):
        self.forest, self.a, self.b, self.run = forest, table.a, table.b, run
        self.sift = ContactSearch(table, forest.corners, run)
        self.unfinished = np.zeros(0, np.int32)     # pairs with tasks left, when the run was cancelled

    def through(self, batch: slice, tick) -> None:
        """Search the pairs of the batch: the first part at once, what is left after that on several threads."""
        tasks = np.empty((batch.stop - batch.start, 3), np.int32)
        tasks[:, 0] = np.arange(batch.start, batch.stop)
        tasks[:, 1] = self.forest.root[self.a[batch]]
        tasks[:, 2] = self.forest.root[self.b[batch]]
        left = self._search(tasks, HEAD_START)
        chunks = self._chunks(left[self.sift.done[left[:, 0]] == 0])

        def work(number):
            chunks[number] = self._search(chunks[number], None)

        try:
            run_chunks(work, len(chunks), self.run.threads, lambda done: tick(done / max(1, len(chunks))))
        finally:
            if chunks:
                self.unfinished = np.unique(np.concatenate([chunk[:, 0] for chunk in chunks]))

    def _chunks(self, tasks: np.ndarray) -> list[np.ndarray]:
        """The tasks in as many parts as keep all threads busy and progress visible."""
        if len(tasks) == 0:
            return []
        number = self.run.threads * CHUNKS_PER_THREAD
        wanted = TASKS_PER_CHUNK * number
        if len(tasks) < wanted:
            queue = np.empty((4 * wanted + FAN * len(tasks), 3), np.int32)
            queue[:len(tasks)] = tasks
            head, tail = spread(self.a, self.b, self.forest.box_start, self.forest.node_start,
                                self.forest.meshes.children, self.forest.boxes, queue, len(tasks), wanted)
            tasks = queue[head:tail]
        number = min(len(tasks), number)
        return [np.ascontiguousarray(tasks[i::number]) for i in range(number)]

    def _search(self, tasks: np.ndarray, calls: int | None) -> np.ndarray:
        """Collect the hits of the tasks until none is left, the run is cancelled or the number of calls is used up;
        returns the tasks that are left."""
        forest, run, sieve = self.forest, self.run, Sieve()
        stack = np.empty((len(tasks) + 4096, 3), np.int32)
        stack[:len(tasks)] = tasks
        visited = np.zeros(1, np.int64)
        depth, candidates = len(tasks), 0
        room = BUFFER if run.contacts_wanted else min(BUFFER, FIRST_LOOK * len(tasks))
        while depth and calls != 0 and not run.stopped():
            depth, count = descend(self.a, self.b, forest.box_start, forest.node_start, forest.meshes.children,
                                   forest.boxes, self.sift.done, stack, depth, PATIENCE, sieve.candidates[:room],
                                   visited)
            candidates += count
            self.sift.take(sieve, count)
            if depth + FAN > len(stack):
                stack = np.concatenate([stack, np.empty_like(stack)])
            room = min(4 * room, BUFFER)
            calls = None if calls is None else calls - 1
        run.count(box_pairs=int(visited[0]) * 16, triangle_pairs=candidates, exact_decisions=int(sieve.undecided[0]))
        return stack[:depth]
