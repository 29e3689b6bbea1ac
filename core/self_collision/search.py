# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of objects with themselves.

Candidates stream through fixed buffers as in search/stream.py, and contacts come in canonical order. Nodes that are
still to be opened, and the tasks that come of them, are what threads share.
"""
from dataclasses import dataclass, field

import numpy as np

from ..contacts import EXACT, Contacts
from ..errors import Cancelled
from ..mid_phase.descend import MAX_TASKS_PER_CALL, descend, divide_tasks
from ..mid_phase.thin_objects import none_thin
from ..narrow_phase.triangle_pairs import CandidateFilter, exact_scratch
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import Corners, NeighbourScratch, ObjectPairs
from ..reference import last_resort
from ..run import Run
from ..search.contact_budget import TooManyHits
from ..search.contact_search import ContactSearch
from ..trees.bvh.forest import Forest
from ..trees.bvh.nodes import CHILD_PAIRS
from .descend_within import CHILDREN, PAIRS_OF_CHILDREN, divide_nodes, open_nodes
from .neighbours import drop_neighbours, drop_parted

NODES_PER_CHUNK = 4             # at least, so that chunks are alike
OPENED_TASKS_AT_ONCE = 1 << 10  # that opened nodes may leave before they are worked off
STACK = 1 << 10                 # nodes, tasks: beyond what a chunk begins with
CALLS_ALONE = 1                 # of the kernels before other threads are worth their start: some milliseconds

Work = tuple[np.ndarray, np.ndarray]        # nodes (…,2) and tasks (…,3) int32, as descend_within.py has them


@dataclass(eq=False)
class NeighbourFilter(CandidateFilter):
    """The float filter for triangles of one mesh: those that share vertices and nothing else are dropped first."""

    neighbours: NeighbourScratch = field(default_factory=lambda: NeighbourScratch(
        np.empty((6, 3)), np.empty((7, 4)), exact_scratch()))
    not_scaled: int = 0         # neighbours that were kept although no kernel could decide them

    def keep(self, count: int, a: np.ndarray, b: np.ndarray, corners: Corners) -> int:
        """As `CandidateFilter.keep`, of pairs of objects with b equal to a."""
        stats = np.zeros(2, np.int64)
        count = drop_neighbours(self.candidates, count, a, corners, self.neighbours, stats)
        self.undecided[0] += stats[0]
        self.not_scaled += int(stats[1])
        count = super().keep(count, a, b, corners)
        kept = drop_parted(self.candidates, self.result, count, a, corners, self.neighbours)
        self.undecided[0] -= count - kept
        return kept


def contacts_within(forest: Forest, table: PairTable, run: Run) -> Contacts:
    """The contacts of objects with themselves, in canonical order, triangle_a being smaller than triangle_b.

    table.a, equal to table.b: positions in the forest. Sets table.finished; the counts of the run grow. A run that is
    cancelled here returns what it has found so far.
    """
    found: list[Contacts] = []
    try:
        for batch in forest.batches(table.a, table.b) if len(table) else ():
            search = SearchWithin(forest, table, run)
            run.tick(batch.start / len(table))
            if run.cancelled:       # in the batch before, when this thread did all of it
                break
            try:
                search.through(batch)
            finally:
                table.finished[batch] = True
                table.finished[search.unfinished] = False
                found.append(search.contacts())
            if run.most_hits is not None and sum(map(len, found)) > run.most_hits:
                raise TooManyHits
    except Cancelled:
        pass
    return Contacts.join(found)


class SearchWithin:
    """The search through some placed objects, each against itself."""

    def __init__(self, forest: Forest, table: PairTable, run: Run):
        self.forest, self.a, self.run = forest, table.a, run
        self.contact_search = ContactSearch(table, forest.corners, run)
        self.unfinished = np.zeros(0, np.int32)     # rows with something left, when the run was cancelled
        self._not_scaled = False
        self._pairs, self._trees = ObjectPairs(table.a, table.b, self.contact_search.done), forest.placed_trees
        self._thin = none_thin(len(forest.objects))

    def through(self, batch: slice) -> None:
        """Search the objects of the batch: a little at once, what is left after that on several threads."""
        rows = np.arange(batch.start, batch.stop, dtype=np.int32)
        left = self._search((np.stack([rows, self.forest.root[self.a[batch]]], axis=1), np.zeros((0, 3), np.int32)),
                            CALLS_ALONE)
        if not any(map(len, left)):
            return
        chunks = self._chunks(left)

        def work(number):
            chunks[number] = self._search(chunks[number], None)

        try:
            run_chunks(work, len(chunks), self.run.threads, lambda done: self.run.tick(
                (batch.start + (batch.stop - batch.start) * done / len(chunks)) / len(self.a)))
        finally:
            self.unfinished = np.unique(np.concatenate([part[:, 0] for chunk in chunks for part in chunk]))

    def contacts(self) -> Contacts:
        """The contacts of all that was kept. Neighbours that no kernel could decide are asked of rational arithmetic.
        """
        found = self.contact_search.contacts()
        if not self._not_scaled:
            return found
        meet = np.ones(len(found), bool)
        for row in np.flatnonzero(found.status == EXACT).tolist():
            position = np.full(1, self.a[found.pair[row]])
            one, other = (self.forest.triangle_corners(position, side[row:row + 1])[0]
                          for side in (found.triangle_a, found.triangle_b))
            meet[row] = last_resort.meet_beyond(one, other)
        return found.take(meet)

    def _chunks(self, left: Work) -> list[Work]:
        """What is left in as many chunks as keep all threads busy and progress visible."""
        nodes, tasks = left
        number = self.run.threads * CHUNKS_PER_THREAD
        wanted = NODES_PER_CHUNK * number
        queue, opened = np.empty((CHILDREN * (wanted + len(nodes)), 2), np.int32), np.empty(
            (PAIRS_OF_CHILDREN * (wanted + len(nodes)), 3), np.int32)
        queue[:len(nodes)] = nodes
        none = np.empty((0, 3), np.int32)
        head, tail, count = divide_nodes(self._pairs, self._trees, queue, len(nodes), wanted, opened, none)
        nodes, tasks = queue[head:tail], np.concatenate([opened[:count], tasks])
        if 0 < len(tasks) < wanted:
            queue = np.empty((4 * wanted + CHILD_PAIRS * len(tasks), 3), np.int32)
            queue[:len(tasks)] = tasks
            head, tail = divide_tasks(self._pairs, self._trees, queue, len(tasks), wanted)
            tasks = queue[head:tail]
        return [(np.ascontiguousarray(nodes[i::number]), np.ascontiguousarray(tasks[i::number]))
                for i in range(min(number, max(len(nodes), len(tasks))))]

    def _search(self, work: Work, calls: int | None) -> Work:
        """Collect the hits of nodes and tasks until none is left, the run is cancelled or that many calls are made;
        returns what is left. calls: None for no limit."""
        run, keeper = self.run, NeighbourFilter()
        nodes, tasks = (np.concatenate([part, np.empty((STACK, part.shape[1]), np.int32)]) for part in work)
        depth, waiting = map(len, work)
        stats, candidates = np.zeros(1, np.int64), 0
        while (depth or waiting) and calls != 0 and not run.stopped():
            if depth and waiting < OPENED_TASKS_AT_ONCE:
                if waiting + OPENED_TASKS_AT_ONCE > len(tasks) or depth + CHILDREN > len(nodes):
                    nodes, tasks = (np.concatenate([part, np.empty_like(part)]) for part in (nodes, tasks))
                depth, waiting, count = open_nodes(self._pairs, self._trees, nodes, depth, tasks, waiting,
                                                   keeper.candidates)
                candidates += count
                self.contact_search.take(keeper, count)
            waiting, count = descend(self._pairs, self._trees, self._thin, tasks, waiting, MAX_TASKS_PER_CALL,
                                     keeper.candidates, stats)
            candidates += count
            self.contact_search.take(keeper, count)
            if waiting + CHILD_PAIRS > len(tasks):
                tasks = np.concatenate([tasks, np.empty_like(tasks)])
            calls = None if calls is None else calls - 1
        run.count(box_pairs=int(stats[0]) * CHILD_PAIRS, triangle_pairs=candidates,
                  exact_decisions=int(keeper.undecided[0]))
        self._not_scaled |= keeper.not_scaled > 0
        return nodes[:depth], tasks[:waiting]
