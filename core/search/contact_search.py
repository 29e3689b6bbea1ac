# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → contacts, for any method: filter, exact decision, canonical order.

The method generates the candidates. They come a bufferful at a time, so that memory does not grow with them.
"""
import time
from collections.abc import Callable, Generator, Iterator

import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled, TooLarge
from ..machine_code.jit import kernel
from ..memory import refuse_beyond
from ..narrow_phase.canonical_order import canonical_order
from ..narrow_phase.triangle_pairs import CandidateFilter, contacts_at
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import Corners
from ..run import Run
from .contact_budget import BYTES_PER_CONTACT, MAX_CANCELLED_CONTACTS, TooManyHits
from .first_crossings import up_to_one_crossing

HEAD_START_SECONDS = 3e-4       # about what dividing a search and waking threads takes
CHUNKS_JOINED_AT_ONCE = 1 << 6      # before somebody looks whether the run is cancelled: a million hits
HITS_PER_LOOK = 1 << 20         # before somebody looks whether there is memory for so many contacts

SearchFunction = Callable[[np.ndarray, np.ndarray, np.ndarray], Iterator[int]]


class ContactSearch:
    """What threads find in the pairs of a table."""

    def __init__(self, table: PairTable, corners: Corners, run: Run):
        """table.a, table.b: objects of `corners`."""
        self.table, self.a, self.b, self.corners, self.run = table, table.a, table.b, corners, run
        self.done = np.zeros(len(table), np.uint8)  # 1 for pairs that surely cross, where only verdicts are wanted
        self._hits: list[np.ndarray] = []           # (…,3) int32 rows of pair, slot of a, slot of b each
        self.held = 0               # hits, or a few less: threads add to it at the same time

    def take(self, candidate_filter: CandidateFilter, count: int) -> None:
        """Keep those of the first `count` candidates of the filter that meet, or may meet. Safe in any thread."""
        if self.table.piece is not None:
            count = self._in_piece(candidate_filter.candidates, count)
        kept = candidate_filter.keep(count, self.a, self.b, self.corners)
        if not self.run.contacts_wanted:
            kept = up_to_one_crossing(candidate_filter.candidates, candidate_filter.result, kept, self.done)
        self.hold(candidate_filter.candidates[:kept])

    def hold(self, hits: np.ndarray) -> None:
        """Keep a copy of these hits, (n,3) int32. Safe in any thread."""
        if len(hits):
            self._hits.append(hits.copy())
            before, self.held = self.held, self.held + len(hits)
            if before // HITS_PER_LOOK < self.held // HITS_PER_LOOK:
                self._look_at(self.held)

    def _in_piece(self, candidates: np.ndarray, count: int) -> int:
        """Move those of candidates[:count] to the front that are of the table's piece; returns how many they are."""
        assert self.table.piece is not None
        pair, corners = candidates[:count, 0], self.corners
        a, b = self.a[pair], self.b[pair]
        triangle = corners.order[corners.triangle_start[a] + candidates[:count, 1]]
        # Of an object with itself the first triangle is the one with the smaller number.
        triangle = np.where(a == b, np.minimum(triangle, corners.order[corners.triangle_start[b]
                                                                      + candidates[:count, 2]]), triangle)
        kept = candidates[:count][(triangle >= self.table.piece[0]) & (triangle < self.table.piece[1])]
        candidates[:len(kept)] = kept
        return len(kept)

    def _look_at(self, hits: int) -> None:
        """Raise TooManyHits beyond run.most_hits, and TooLarge where there is no memory for so many contacts."""
        if not self.run.cancelled:
            most = self.run.most_hits
            if most is not None and hits > most:
                raise TooManyHits
            try:
                refuse_beyond(BYTES_PER_CONTACT * hits, "The contacts of these objects")
            except TooLarge:
                if most is not None:        # fewer pairs at a time may fit
                    raise TooManyHits from None
                raise

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
            self._hits.clear()
        return whole

    def _parts(self) -> list[np.ndarray]:
        """(…,3) int32 each: all that was kept of pairs that are not done, in the order it was found in."""
        parts = [hits for hits in self._hits if len(hits)]
        if not self.run.contacts_wanted:
            parts = [hits[self.done[hits[:, 0]] == 0] for hits in parts]
        return parts

    @property
    def hits(self) -> np.ndarray:
        """(n,3) int32: `_parts` in one."""
        return np.concatenate([np.zeros((0, 3), np.int32), *self._parts()])

    def contacts(self) -> Contacts:
        """The contacts of all that was kept, in canonical order. Pairs that are done are marked in table.crossing.

        After a cancel, contact lists may be truncated; such pairs are marked unfinished. Raises Cancelled where the
        caller wants nothing kept.
        """
        if not self.run.contacts_wanted:
            self.table.crossing |= self.done.view(bool)
        parts = self._parts()
        if not any(len(hits) for hits in parts):
            return Contacts.empty()
        try:
            self.run.tick()
            if not self.run.cancelled:
                self._look_at(sum(map(len, parts)))
                return self._made_of(_joined(parts, self._tick), self._tick)
        except Cancelled:
            if self.run.dropped:
                raise
        return self._made_of(self._fewer(parts), lambda done=0.0: None)

    def _tick(self, done: float = 0.0) -> None:
        self.run.tick(done)

    def _made_of(self, hits: np.ndarray, tick) -> Contacts:
        rows = canonical_order(hits, self.a, self.b, self.corners, tick)
        return contacts_at(hits, rows, self.a, self.b, self.corners, self.run.threads, tick)

    def _fewer(self, parts: list[np.ndarray]) -> np.ndarray:
        """(n,3) int32: as many hits of each pair as there is room for, the first ones found; pairs that have more are
        not finished. Looks at each hit once: a cancelled run may hold many millions."""
        total, count = sum(len(hits) for hits in parts), np.zeros(len(self.a), np.int64)
        most = MAX_CANCELLED_CONTACTS
        if total > most:
            for hits in parts:
                count_pairs(hits, count)
            most = max(1, MAX_CANCELLED_CONTACTS // int((count > 0).sum()))
            self.table.finished[count > most] = False
            total = int(np.minimum(count, most).sum())
            count[:] = 0
        kept, taken = np.empty((total, 3), np.int32), 0
        for hits in parts:
            taken = take_up_to(hits, most, count, kept, taken)
        return kept


def _joined(parts: list[np.ndarray], tick) -> np.ndarray:
    """(n,3) int32: the hits of all parts. tick: called now and then; may raise Cancelled."""
    hits, stop = np.empty((sum(len(part) for part in parts), 3), np.int32), 0
    for number, part in enumerate(parts):
        start, stop = stop, stop + len(part)
        hits[start:stop] = part
        if number % CHUNKS_JOINED_AT_ONCE == CHUNKS_JOINED_AT_ONCE - 1:
            tick()
    return hits


@kernel
def count_pairs(hits, count):
    """count[i] grows by the hits of pair i."""
    for k in range(hits.shape[0]):
        count[hits[k, 0]] += 1


@kernel
def take_up_to(hits, most, count, kept, taken):
    """Append to kept[:taken] the hits of pairs that have fewer than `most` there. count: (pairs,) int64, how many
    each has. Returns how many there are then."""
    for k in range(hits.shape[0]):
        pair = hits[k, 0]
        if count[pair] < most:
            count[pair] += 1
            for column in range(3):
                kept[taken, column] = hits[k, column]
            taken += 1
    return taken


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
