# SPDX-License-Identifier: GPL-3.0-or-later
"""Mid and narrow phase fused: candidates stream through fixed buffers, so that memory does not grow with them.

Threads share the pairs; a big pair is first divided into tasks, so that they share it too. Hits are put in canonical
order, and only then are contacts made of them (contact_search.py): the order in which threads find things leaves no
trace.
"""
from collections.abc import Iterable, Iterator

import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled
from ..mid_phase.bars import axis_of, candidates_of_bars, pairs_of_bars
from ..mid_phase.descend import MAX_TASKS_PER_CALL, descend, divide_tasks
from ..mid_phase.thin_objects import thin_objects
from ..narrow_phase.triangle_pairs import CandidateFilter
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import ObjectPairs
from ..run import Run
from ..trees.bvh.forest import Forest
from ..trees.bvh.nodes import CHILD_PAIRS
from .contact_budget import TooManyHits
from .contact_search import ContactSearch
from .first_crossings import descend_to_crossings

# Whose tasks are made and shared out before somebody looks whether the run is cancelled.
STREAMED_PAIRS_AT_ONCE = 1 << 19
TASKS_PER_CHUNK = 4             # at least, so that chunks are alike
HEAD_START_CALLS = 1            # of the kernel before other threads are worth their start: about a millisecond
# How much of the work is done, in tests of two boxes, of 6 to 7 ns each:
BOXES_PER_CONTACT = 30          # to order hits and to make contacts of them
BOXES_PER_EXACT = 130           # to decide exactly what they share, where floats cannot


def stream_contacts(forest: Forest, table: PairTable, run: Run) -> Contacts:
    """The contacts of the pairs of objects in the table, in canonical order.

    table.a, table.b: positions in the forest. Sets table.finished; the counts of the run grow. A run that is cancelled
    here returns what it has found so far. Its progress is that of the work: searching, and making contacts of what was
    found, which can take longer.
    """
    a, b = table.a, table.b
    found: list[Contacts] = []
    try:
        for batch in _slices(forest.batches(a, b)) if len(a) else ():
            search = Search(forest, table, run)
            with run.share(batch.start / len(a), (batch.stop - batch.start) / len(a)):
                run.tick(0.0)
                if run.cancelled:       # in the batch before, when this thread did all of it
                    break
                try:
                    search.through(batch, lambda done, search=search: run.tick(done * search.share))
                finally:
                    table.finished[batch] = True
                    if len(search.unfinished):
                        table.finished[search.unfinished] = False
                    with run.share(search.share, 1.0 - search.share):
                        found.append(search.contact_search.contacts())
            if run.most_hits is not None and sum(map(len, found)) > run.most_hits:
                raise TooManyHits
    except Cancelled:
        pass
    return Contacts.join(found)


def _slices(batches: Iterable[slice]) -> Iterator[slice]:
    """The same pairs, at most STREAMED_PAIRS_AT_ONCE at a time."""
    for batch in batches:
        for start in range(batch.start, batch.stop, STREAMED_PAIRS_AT_ONCE):
            yield slice(start, min(batch.stop, start + STREAMED_PAIRS_AT_ONCE))


class Search:
    """The search through some pairs of placed objects."""

    def __init__(self, forest: Forest, table: PairTable, run: Run):
        """table.a, table.b: positions in the forest."""
        self.forest, self.a, self.b, self.run = forest, table.a, table.b, run
        self.contact_search = ContactSearch(table, forest.corners, run)
        self.unfinished = np.zeros(0, np.int32)     # pairs with tasks left, when the run was cancelled
        self._boxes = self._exact = 0               # tested, and decided, or a few less: threads add to them
        self._one_crossing_is_enough = not run.contacts_wanted and table.piece is None
        self._pairs, self._trees = ObjectPairs(table.a, table.b, self.contact_search.done), forest.placed_trees

    @property
    def share(self) -> float:
        """Which part of the work on what was found so far was to search it; the rest makes contacts of it."""
        making = BOXES_PER_CONTACT * self.contact_search.held + BOXES_PER_EXACT * self._exact
        return self._boxes / (self._boxes + making) if making else 1.0

    def through(self, batch: slice, tick) -> None:
        """Search the pairs of the batch: the first tasks at once, what is left after that on several threads.
        tick(fraction done): may raise Cancelled."""
        a, b = self.a[batch], self.b[batch]
        self._thin = thin_objects(self.forest, a, b)
        tasks = np.empty((len(a), 3), np.int32)
        tasks[:, 0] = np.arange(batch.start, batch.stop)
        tasks[:, 1], tasks[:, 2] = self.forest.root[a], self.forest.root[b]
        bars = pairs_of_bars(self.forest, self._thin, a, b)
        if len(bars):
            self.unfinished = tasks[:, 0]           # where the run is cancelled among the bars
            self.unfinished, tasks = self._compare_bars(tasks[bars, 0]), np.delete(tasks, bars, axis=0)
        left = self._search(tasks, HEAD_START_CALLS)
        left = left[self.contact_search.done[left[:, 0]] == 0] if len(left) else left
        if len(left) == 0:
            return
        chunks = self._chunks(left)

        def work(number):
            chunks[number] = self._search(chunks[number], None)

        try:
            run_chunks(work, len(chunks), self.run.threads, lambda done: tick(done / max(1, len(chunks))))
        finally:
            if chunks:
                self.unfinished = np.unique(np.concatenate([self.unfinished, *(chunk[:, 0] for chunk in chunks)]))

    def _compare_bars(self, pairs: np.ndarray) -> np.ndarray:
        """Collect the hits of pairs of bars, (k,) int32, which trees do not help to find; returns the pairs that are
        left where the run stopped. Raises Cancelled."""
        run, whole = self.run, np.zeros(len(pairs), bool)
        axes = {each: axis_of(self.forest, self._thin, each)
                for each in np.unique(np.concatenate([self.a[pairs], self.b[pairs]])).tolist()}

        def work(number):
            pair, candidate_filter, candidates = int(pairs[number]), self._filter(), 0
            for count in candidates_of_bars(self.forest, self._thin, axes, pair, int(self.a[pair]), int(self.b[pair]),
                                            candidate_filter.candidates):
                candidates += count
                self.contact_search.take(candidate_filter, count)
                if run.stopped():
                    return
                if self.contact_search.done[pair]:
                    break
            run.count(triangle_pairs=candidates, exact_decisions=int(candidate_filter.undecided[0]))
            self.forest.spare.append(candidate_filter)
            whole[number] = True

        run_chunks(work, len(pairs), run.threads, lambda done: run.tick())
        return pairs[~whole]

    def _chunks(self, tasks: np.ndarray) -> list[np.ndarray]:
        """The tasks in as many chunks as keep all threads busy and progress visible."""
        number = self.run.threads * CHUNKS_PER_THREAD
        wanted = TASKS_PER_CHUNK * number
        if len(tasks) < wanted:
            queue = np.empty((4 * wanted + CHILD_PAIRS * len(tasks), 3), np.int32)
            queue[:len(tasks)] = tasks
            head, tail = divide_tasks(self._pairs, self._trees, queue, len(tasks), wanted)
            tasks = queue[head:tail]
        number = min(len(tasks), number)
        return [np.ascontiguousarray(tasks[i::number]) for i in range(number)]

    def _search(self, tasks: np.ndarray, calls: int | None) -> np.ndarray:
        """Collect the hits of the tasks until none is left, the run is cancelled or that many calls are made; returns
        the tasks that are left. calls: None for no limit."""
        run, candidate_filter = self.run, self._filter()
        stack = np.empty((len(tasks) + 4096, 3), np.int32)
        stack[:len(tasks)] = tasks
        stats, depth = np.zeros(2, np.int64), len(tasks)
        while depth and calls != 0 and not run.stopped():
            if self._one_crossing_is_enough:
                depth, kept = descend_to_crossings(self._pairs, self._trees, self._thin, stack, depth,
                                                   MAX_TASKS_PER_CALL, candidate_filter.candidates,
                                                   candidate_filter.scratch, candidate_filter.result,
                                                   candidate_filter.undecided, stats)
                self.contact_search.hold(candidate_filter.candidates[:kept])
            else:
                depth, count = descend(self._pairs, self._trees, self._thin, stack, depth, MAX_TASKS_PER_CALL,
                                       candidate_filter.candidates, stats)
                stats[1] += count
                self.contact_search.take(candidate_filter, count)
            if depth + CHILD_PAIRS > len(stack):
                stack = np.concatenate([stack, np.empty_like(stack)])
            calls = None if calls is None else calls - 1
        boxes, exact = int(stats[0]) * CHILD_PAIRS, int(candidate_filter.undecided[0])
        run.count(box_pairs=boxes, triangle_pairs=int(stats[1]), exact_decisions=exact)
        self._boxes, self._exact = self._boxes + boxes, self._exact + exact
        self.forest.spare.append(candidate_filter)
        return stack[:depth]

    def _filter(self) -> CandidateFilter:
        """One that no thread uses. Its buffers are kept with the forest: to make them takes as long as a small search.
        """
        try:
            candidate_filter = self.forest.spare.pop()
        except IndexError:
            return CandidateFilter()
        candidate_filter.undecided[0] = 0
        return candidate_filter
