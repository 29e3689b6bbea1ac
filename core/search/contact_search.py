# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → contacts, for any method: filter, exact decision, canonical order.

The method generates the candidates. They come a bufferful at a time, so that memory does not grow with them.
"""
import time
from collections.abc import Callable, Generator, Iterator

import numpy as np

from ..arrays import Corners
from ..contacts import Contacts
from ..errors import Cancelled
from ..machine_code.jit import kernel
from ..narrow_phase.canonical_order import canonical_order
from ..narrow_phase.triangle_filter import CROSSING
from ..narrow_phase.triangle_pairs import CandidateFilter, contacts_at
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..run import Run

HEAD_START_SECONDS = 3e-4       # about what dividing a search and waking threads takes
MAX_CANCELLED_CONTACTS = 1 << 18    # that a cancelled run is worth: a tenth of a second

SearchFunction = Callable[[np.ndarray, np.ndarray, np.ndarray], Iterator[int]]


class ContactSearch:
    """What threads find in the pairs of a table."""

    def __init__(self, table: PairTable, corners: Corners, run: Run):
        """table.a, table.b: objects of `corners`."""
        self.table, self.a, self.b, self.corners, self.run = table, table.a, table.b, corners, run
        self.done = np.zeros(len(table), np.uint8)  # 1 for pairs that surely cross, where only verdicts are wanted
        self._hits: list[np.ndarray] = []           # (…,3) int32 rows of pair, slot of a, slot of b each

    def take(self, candidate_filter: CandidateFilter, count: int) -> None:
        """Keep those of the first `count` candidates of the filter that meet, or may meet. Safe in any thread."""
        kept = candidate_filter.keep(count, self.a, self.b, self.corners)
        if not self.run.contacts_wanted:
            kept = up_to_one_crossing(candidate_filter.candidates, candidate_filter.result, kept, self.done)
        if kept:
            self._hits.append(candidate_filter.candidates[:kept].copy())

    def head_start(self, steps: Generator[int, None, None], candidate_filter: CandidateFilter) -> bool:
        """Search on this thread for HEAD_START_SECONDS; returns whether that was all. If not, pairs that are not done
        have to begin anew. Only for runs that want nothing but verdicts.

        steps: a search of all pairs, which yields how many candidates it has written to the filter's buffer.
        """
        end, candidates, whole = time.perf_counter() + HEAD_START_SECONDS, 0, True
        for count in steps:
            candidates += count
            self.take(candidate_filter, count)
            if time.perf_counter() > end or self.run.cancelled:
                whole = False
                break
        steps.close()               # it counts its tests when it ends
        self.run.count(triangle_pairs=candidates, exact_decisions=int(candidate_filter.undecided[0]))
        if not whole:
            self._hits = [hits[self.done[hits[:, 0]] == 1] for hits in self._hits]
        return whole

    @property
    def hits(self) -> np.ndarray:
        """(n,3) int32: all that was kept of pairs that are not done, in the order in which it was found."""
        parts = [hits for hits in self._hits if len(hits)]
        if not self.run.contacts_wanted:
            parts = [hits[self.done[hits[:, 0]] == 0] for hits in parts]
        return np.concatenate(parts) if parts else np.zeros((0, 3), np.int32)

    def contacts(self) -> Contacts:
        """The contacts of all that was kept, in canonical order. Pairs that are done are marked in table.crossing.

        After a cancel, contact lists may be truncated; such pairs are marked unfinished. Raises Cancelled where the
        caller wants nothing kept.
        """
        if not self.run.contacts_wanted:
            self.table.crossing[self.done > 0] = True
        hits = self.hits
        if len(hits) == 0:
            return Contacts.empty()
        try:
            self.run.tick()
            if not self.run.cancelled:
                return self._made_of(hits, lambda done: self.run.tick())
        except Cancelled:
            if self.run.dropped:
                raise
        return self._made_of(self._truncated(hits) if len(hits) > MAX_CANCELLED_CONTACTS else hits, lambda done: None)

    def _made_of(self, hits: np.ndarray, tick) -> Contacts:
        """The contacts of these hits, in canonical order."""
        rows = canonical_order(hits, self.a, self.b, self.corners)
        return contacts_at(hits, rows, self.a, self.b, self.corners, self.run.threads, tick)

    def _truncated(self, hits: np.ndarray) -> np.ndarray:
        """About MAX_CANCELLED_CONTACTS hits, up to as many of each pair. Pairs that have more are marked unfinished."""
        count = np.bincount(hits[:, 0], minlength=len(self.a))
        most = max(1, MAX_CANCELLED_CONTACTS // int((count > 0).sum()))
        rows = np.argsort(hits[:, 0], kind="stable")
        rank = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        self.table.finished[count > most] = False
        return np.ascontiguousarray(hits[rows[rank < most]])


@kernel
def up_to_one_crossing(hits, result, count, done):
    """Move those of hits[:count] to the front whose pair is not done when they come; returns how many they are. The
    first sure crossing makes a pair done."""
    kept = 0
    for k in range(count):
        pair = hits[k, 0]
        if done[pair] == 0:
            for column in range(3):
                hits[kept, column] = hits[k, column]
            kept += 1
            if result[k] == CROSSING:
                done[pair] = 1
    return kept


def contacts_of_pairs(table: PairTable, corners: Corners, run: Run, search: SearchFunction,
                      chunks: list[np.ndarray] | Callable[[], list[np.ndarray]] | None = None,
                      begin: Callable[[np.ndarray, np.ndarray], Generator[int, None, None]] | None = None) -> Contacts:
    """The contacts of the pairs of objects in the table, among the candidates of `search`.

    table.a, table.b: objects of `corners`.
    search(chunk, buffer, done): a generator that fills the buffer, (BUFFER,3) int32 rows of pair, slot of a, slot of b,
    with candidates and yields how many, as often as needed; pairs i with done[i], (pairs,) uint8, need no more.
    chunks: what is searched, each by one thread, or a function that makes that list: (k,) int32 pairs, by default all
    of them shared out, or (k,…) int32 tasks with the pair in the first column.
    begin(buffer, done): the whole search in short steps, for one thread. Where only verdicts are wanted, a crossing
    found soon may decide them, so it is tried before the work is divided.
    Sets table.finished; the counts of the run grow. A run that is cancelled here returns what it has found so far.
    """
    contact_search = ContactSearch(table, corners, run)
    if begin is not None and run.threads > 1 and not run.contacts_wanted and len(table):
        run.tick(0.0)
        candidate_filter = CandidateFilter()
        if contact_search.head_start(begin(candidate_filter.candidates, contact_search.done), candidate_filter):
            table.finished[:] = True
            return contact_search.contacts()
    if callable(chunks):
        chunks = chunks()
    if chunks is None:
        number = min(len(table), run.threads * CHUNKS_PER_THREAD)
        chunks = [np.arange(i, len(table), number, dtype=np.int32) for i in range(number)]
    complete = np.zeros(len(chunks), bool)

    def work(number):
        candidate_filter, candidates = CandidateFilter(), 0
        for count in search(chunks[number], candidate_filter.candidates, contact_search.done):
            candidates += count
            contact_search.take(candidate_filter, count)
            if run.stopped():
                break
        else:
            complete[number] = True
        run.count(triangle_pairs=candidates, exact_decisions=int(candidate_filter.undecided[0]))

    try:
        run_chunks(work, len(chunks), run.threads, lambda ready: run.tick(ready / max(1, len(chunks))))
    except Cancelled:
        pass
    table.finished[:] = True
    for chunk, whole in zip(chunks, complete):
        if not whole:
            table.finished[chunk if chunk.ndim == 1 else chunk[:, 0]] = False
    return contact_search.contacts()
