# SPDX-License-Identifier: GPL-3.0-or-later
"""The forms: how the edges of objects are brought to the triangles of others.

Each is a generator of hits, (k,3) int32 rows of edge, side, triangle, in slices that one call of the port does. A
*side* is an object with edges and one with triangles; every pair of objects has two.
"""
from collections.abc import Iterator

import numpy as np

from ..arrays import starts_of
from ..run import Run
from .port import END, NODE_COUNT, NODE_FIRST, NODE_SKIP, Loaded
from .rows import StreamedObjects

TESTS_AT_ONCE = 1 << 21         # of an edge with a triangle or a box, in one call: some hundredths of a second
TRIANGLES_PER_TASK = 1 << 8
WALKS_AT_ONCE = 1 << 13         # items that go on at once, for some hundred steps each
STREAM_TASKS_AT_ONCE = 1 << 12  # whose rows are made at once
NO_CANDIDATES = np.zeros((0, 3), np.int32)


class Search:
    """The streams of some sides. edged, other: (k,) objects with edges, and with triangles."""

    def __init__(self, objects: StreamedObjects, loaded: Loaded, edged: np.ndarray, other: np.ndarray, run: Run):
        self.objects, self.loaded, self.edged, self.other, self.run = objects, loaded, edged, other, run

    def brute(self) -> Iterator[np.ndarray]:
        """SCD0: every edge against every triangle."""
        yield from self._meet(np.arange(len(self.edged)), self.objects.triangle_start[self.other],
                              self.objects.triangle_count[self.other], *self._all_edges(), None)

    def boxes(self) -> Iterator[np.ndarray]:
        """SCD1: the boxes of the tree against all edges, down to leaves that some edge meets; there, all edges."""
        yield from self._down(gather=False)

    def gathered(self) -> Iterator[np.ndarray]:
        """SCD2: the same, but only the edges that meet a box go on to what is inside it."""
        yield from self._down(gather=True)

    def walk(self) -> Iterator[np.ndarray]:
        """Every edge goes down the tree by itself."""
        side = np.arange(len(self.edged))
        tasks = self.objects.tasks(self.edged, self.other, np.zeros(len(side)), 0)
        for items in _items(side, *self._all_edges(), None, WALKS_AT_ONCE):
            at = self.objects.node_start[self.other[items[:, 1]]].astype(np.int32)
            while len(items):
                hits, _, at = self.loaded.walk(items, tasks, at)
                items, at = np.ascontiguousarray(items[at != END]), at[at != END]
                yield hits

    def _all_edges(self) -> tuple[np.ndarray, np.ndarray]:
        """(first, count) of the edges of each side."""
        return self.objects.edge_start[self.edged], self.objects.edge_count[self.edged]

    def _down(self, gather: bool) -> Iterator[np.ndarray]:
        """Level by level. A level is all nodes, of all sides, that some edge is tested against at the same time."""
        side, node = np.arange(len(self.edged)), self.objects.node_start[self.other]
        first, count = self._all_edges()
        edges = None
        while len(side):
            met = []
            for items in self._slices(side, node, first, count, edges):
                met.append(items)
                yield NO_CANDIDATES
            items = np.concatenate([np.zeros((0, 2), np.int32), *met])
            number = np.bincount(items[:, 1], minlength=len(side))
            if gather:
                edges, first, count = items[:, 0], starts_of(number)[:-1], number
            kept = np.flatnonzero(number)
            side, node, first, count = side[kept], node[kept], first[kept], count[kept]
            rows = self.objects.rows.nodes[node]
            leaf = rows[:, NODE_COUNT] > 0
            begin, size = rows[leaf, NODE_FIRST].astype(np.int64), rows[leaf, NODE_COUNT].astype(np.int64)
            yield from self._meet(side[leaf], begin, size, first[leaf], count[leaf], edges)
            child = node[~leaf] + 1
            after = self.objects.rows.nodes[child, NODE_SKIP].astype(np.int64)
            side, first, count = (np.repeat(each[~leaf], 2) for each in (side, first, count))
            node = np.stack([child, after], axis=1).ravel()

    def _slices(self, side, node, first, count, edges) -> Iterator[np.ndarray]:
        """(k,2) int32: the edges of each task, and its number, that meet the box of its node."""
        for begin in range(0, len(side), STREAM_TASKS_AT_ONCE):
            part = slice(begin, begin + STREAM_TASKS_AT_ONCE)
            tasks = self.objects.tasks(self.edged[side[part]], self.other[side[part]], node[part], 1)
            for items in _items(np.arange(len(tasks)), first[part], count[part], edges, TESTS_AT_ONCE):
                met = items[self.loaded.boxes(items, tasks)]
                self.run.count(box_pairs=len(items))
                yield met + np.array([0, begin], np.int32)

    def _meet(self, side, start, number, first, count, edges) -> Iterator[np.ndarray]:
        """The hits of the edges of some sides among `number` triangles from the rows `start` on."""
        blocks = -(-number // TRIANGLES_PER_TASK)
        of = np.repeat(np.arange(len(side)), blocks)
        block = np.arange(len(of)) - np.repeat(starts_of(blocks)[:-1], blocks)
        begin = start[of] + TRIANGLES_PER_TASK * block
        size = np.minimum(TRIANGLES_PER_TASK, start[of] + number[of] - begin)
        for at in range(0, len(of), STREAM_TASKS_AT_ONCE):
            part = of[at:at + STREAM_TASKS_AT_ONCE]
            sizes = size[at:at + STREAM_TASKS_AT_ONCE]
            tasks = self.objects.tasks(self.edged[side[part]], self.other[side[part]],
                                       begin[at:at + STREAM_TASKS_AT_ONCE],
                                       sizes)
            most = TESTS_AT_ONCE // int(sizes.max())
            for items in _items(np.arange(len(part)), first[part], count[part], edges, most):
                hits, _ = self.loaded.meet(items, tasks)
                hits[:, 1] = side[part][hits[:, 1]]
                yield hits


def _items(task: np.ndarray, first: np.ndarray, count: np.ndarray, edges: np.ndarray | None,
           most: int) -> Iterator[np.ndarray]:
    """(≤ most,2) int32, edge and task: count[i] edges from first[i] on of task[i]. edges: what `first` counts in; None:
    the rows of edges themselves."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    for begin in range(0, total, most):
        place = np.arange(begin, min(total, begin + most))
        of = np.searchsorted(ends, place, side="right")
        items = np.empty((len(place), 2), np.int32)
        edge = first[of] + place - (ends[of] - count[of])
        items[:, 0], items[:, 1] = edge if edges is None else edges[edge], task[of]
        yield items
