# SPDX-License-Identifier: GPL-3.0-or-later
"""Hits of edges → candidate pairs of triangles, each once, for search/contact_search.py."""
from collections.abc import Callable, Iterator

import numpy as np

from ..memory import refuse_beyond
from ..run import Run
from .forms import Search
from .port import Loaded
from .rows import StreamedObjects

EDGES_AT_ONCE = 1 << 16     # of pairs that are streamed together: a call of the port serves many small pairs
BYTES_PER_STREAMED_HIT = 64  # while hits become candidates


class Candidates:
    """Searches pairs of objects (a[i], b[i]) with one of the forms; see search/contact_search.py."""

    def __init__(self, objects: StreamedObjects, loaded: Loaded, a: np.ndarray, b: np.ndarray,
                 form: Callable[[Search], Iterator[np.ndarray]], run: Run):
        self.objects, self.loaded, self.a, self.b, self.form, self.run = objects, loaded, a, b, form, run

    def __call__(self, chunk: np.ndarray, buffer: np.ndarray, done: np.ndarray) -> Iterator[int]:
        """Fill the buffer with candidates and yield how many, or 0 between two slices of work."""
        edges = self.objects.edge_count[self.a[chunk]] + self.objects.edge_count[self.b[chunk]]
        batch = (np.cumsum(edges) - edges) // EDGES_AT_ONCE
        for pairs in np.split(chunk, np.flatnonzero(np.diff(batch)) + 1):
            pairs = pairs[done[pairs] == 0]
            a, b = self.a[pairs], self.b[pairs]
            search = Search(self.objects, self.loaded, np.concatenate([a, b]), np.concatenate([b, a]), self.run)
            found, held = [], 0
            for hits in self.form(search):
                if len(hits):
                    found.append(self._triangles(search, pairs, hits))
                    held += len(found[-1])
                    refuse_beyond(BYTES_PER_STREAMED_HIT * held, "The pairs of triangles that edges meet")
                yield 0
            yield from _fill(_each_once(found), buffer)

    def _triangles(self, search: Search, pairs: np.ndarray, hits: np.ndarray) -> np.ndarray:
        """(k,3) int32 rows of pair, slot of a, slot of b: the triangles with an edge that hits, and the one it hits."""
        owners, side = self.objects.owners, hits[:, 1]
        edged = search.edged[side]
        edge = hits[:, 0] - self.objects.edge_start[edged] + owners.edge_start[edged]
        start, end = owners.owner_start[edge], owners.owner_start[edge + 1]
        of = np.repeat(np.arange(len(hits)), end - start)
        place = np.arange(len(of)) + np.repeat(start - (np.cumsum(end - start) - (end - start)), end - start)
        with_edge, hit = owners.owners[place] // 3, self.objects.number[hits[of, 2]]
        found = np.empty((len(of), 3), np.int32)
        forth = side[of] < len(pairs)
        found[:, 0] = pairs[side[of] % len(pairs)]
        found[:, 1], found[:, 2] = np.where(forth, with_edge, hit), np.where(forth, hit, with_edge)
        return _each_once([found])


def _each_once(parts: list[np.ndarray]) -> np.ndarray:
    """(k,3) int32: the rows of all parts, each once, in order."""
    rows = np.concatenate([np.zeros((0, 3), np.int32), *parts])
    rows = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
    new = np.ones(len(rows), bool)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[new]


def _fill(rows: np.ndarray, buffer: np.ndarray) -> Iterator[int]:
    for begin in range(0, len(rows), len(buffer)):
        part = rows[begin:begin + len(buffer)]
        buffer[:len(part)] = part
        yield len(part)
