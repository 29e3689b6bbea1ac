# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates → contacts, for any method: filter, exact decision, canonical order. Which candidates there are is the
method's affair; they come a bufferful at a time, so that memory does not grow with them."""
import time
from collections.abc import Callable, Generator, Iterator

import numpy as np

from ..arrays import Corners
from ..contacts import Contacts
from ..errors import Cancelled
from ..machine_code.jit import kernel
from ..narrow_phase.canonical_order import canonical_order
from ..narrow_phase.triangle_filter import PROPER
from ..narrow_phase.triangle_pairs import Sieve, contacts_at
from ..pair_table import PairTable
from ..parallel import run_chunks
from ..run import Run

PARTS_PER_THREAD = 8        # enough that the last one hardly matters
HEAD_START = 3e-4           # seconds: about what dividing a search and waking threads takes
MOST_OF_CANCELLED = 1 << 17     # contacts that a cancelled run is worth: a tenth of a second
PARTS_AT_ONCE = 1 << 6          # that are joined before somebody looks whether the run is cancelled: a million hits

SearchFunction = Callable[[np.ndarray, np.ndarray, np.ndarray], Iterator[int]]


class ContactSearch:
    """What threads find in the pairs of a table, whose a and b are objects that `corners` knows."""

    def __init__(self, table: PairTable, corners: Corners, run: Run):
        self.table, self.a, self.b, self.corners, self.run = table, table.a, table.b, corners, run
        self.done = np.zeros(len(table), np.uint8)      # pairs that surely cross, when only verdicts are wanted
        self._hits: list[np.ndarray] = []           # (…,3) int32 rows of pair, slot of a, slot of b each

    def take(self, sieve: Sieve, count: int) -> None:
        """Keep those of sieve.candidates[:count] that meet, or may meet; called from any thread."""
        kept = sieve.keep(count, self.a, self.b, self.corners)
        if not self.run.contacts_wanted:
            kept = up_to_one_crossing(sieve.candidates, sieve.result, kept, self.done)
        if kept:
            self._hits.append(sieve.candidates[:kept].copy())

    def head_start(self, steps: Generator[int, None, None], sieve: Sieve) -> bool:
        """Search on this thread for HEAD_START seconds, where only verdicts are wanted. steps: what a search of all
        pairs yields into the sieve's buffer. Returns whether that was all; if not, pairs that are not done begin anew.
        """
        end, candidates, whole = time.perf_counter() + HEAD_START, 0, True
        for count in steps:
            candidates += count
            self.take(sieve, count)
            if time.perf_counter() > end or self.run.cancelled:
                whole = False
                break
        steps.close()               # it counts its tests when it ends
        self.run.count(triangle_pairs=candidates, exact_decisions=int(sieve.undecided[0]))
        if not whole:
            self._hits = [hits[self.done[hits[:, 0]] == 1] for hits in self._hits]
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
        """Contacts of all that was kept, in canonical order; marks pairs that are done in table.crossing.

        After a cancel, contact lists may be truncated; such pairs are marked unfinished. Raises Cancelled where the
        caller wants nothing kept.
        """
        if not self.run.contacts_wanted:
            self.table.crossing[self.done > 0] = True
        parts = self._parts()
        if not any(len(hits) for hits in parts):
            return Contacts.empty()
        try:
            self.run.tick()
            if not self.run.cancelled:
                return self._made_of(_joined(parts, self._tick), self._tick)
        except Cancelled:
            if self.run.dropped:
                raise
        return self._made_of(self._fewer(parts), lambda done=0.0: None)

    def _tick(self, done: float = 0.0) -> None:
        self.run.tick()

    def _made_of(self, hits: np.ndarray, tick) -> Contacts:
        rows = canonical_order(hits, self.a, self.b, self.corners, tick)
        return contacts_at(hits, rows, self.a, self.b, self.corners, self.run.threads, tick)

    def _fewer(self, parts: list[np.ndarray]) -> np.ndarray:
        """(n,3) int32: as many hits of each pair as there is room for, the first ones found; pairs that have more are
        not finished. Looks at each hit once: a cancelled run may hold many millions."""
        total, count = sum(len(hits) for hits in parts), np.zeros(len(self.a), np.int64)
        most = MOST_OF_CANCELLED
        if total > most:
            for hits in parts:
                count_pairs(hits, count)
            most = max(1, MOST_OF_CANCELLED // int((count > 0).sum()))
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
        if number % PARTS_AT_ONCE == PARTS_AT_ONCE - 1:
            tick()
    return hits


@kernel
def up_to_one_crossing(hits, result, count, done):
    """Move those of hits[:count] to the front whose pair is open when they come: the first sure crossing closes it.
    Returns how many they are."""
    kept = 0
    for k in range(count):
        pair = hits[k, 0]
        if done[pair] == 0:
            for column in range(3):
                hits[kept, column] = hits[k, column]
            kept += 1
            if result[k] == PROPER:
                done[pair] = 1
    return kept


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
                      parts: list[np.ndarray] | Callable[[], list[np.ndarray]] | None = None,
                      begin: Callable[[np.ndarray, np.ndarray], Generator[int, None, None]] | None = None) -> Contacts:
    """All pairs of triangles that meet, of the pairs of objects in the table, among the candidates of `search`.

    table.a, table.b: objects that `corners` knows. search(part, buffer, done): a generator that fills the
    buffer, (BUFFER,3) int32 rows of pair, slot of a, slot of b, with candidates and yields how many, as often as
    needed; pairs i with done[i], (pairs,) uint8, need no more. parts: what is searched, each by one thread: (k,)
    int32 pairs, by default all of them shared out, or (k,…) int32 tasks with the pair in the first column; or what
    gives such a list. begin(buffer, done): the whole search in short steps, for one thread. Where only verdicts are
    wanted, which a crossing found soon may decide, it is tried before the work is divided.
    Sets table.finished; the counts of the run grow. A run that is cancelled here returns what it has found so far.
    """
    sift = ContactSearch(table, corners, run)
    if begin is not None and run.threads > 1 and not run.contacts_wanted and len(table):
        run.tick(0.0)
        sieve = Sieve()
        if sift.head_start(begin(sieve.candidates, sift.done), sieve):
            table.finished[:] = True
            return sift.contacts()
    if callable(parts):
        parts = parts()
    if parts is None:
        number = min(len(table), run.threads * PARTS_PER_THREAD)
        parts = [np.arange(i, len(table), number, dtype=np.int32) for i in range(number)]
    complete = np.zeros(len(parts), bool)

    def work(number):
        sieve, candidates = Sieve(), 0
        for count in search(parts[number], sieve.candidates, sift.done):
            candidates += count
            sift.take(sieve, count)
            if run.stopped():
                break
        else:
            complete[number] = True
        run.count(triangle_pairs=candidates, exact_decisions=int(sieve.undecided[0]))

    try:
        run_chunks(work, len(parts), run.threads, lambda ready: run.tick(ready / max(1, len(parts))))
    except Cancelled:
        pass
    table.finished[:] = True
    for part, whole in zip(parts, complete):
        if not whole:
            table.finished[part if part.ndim == 1 else part[:, 0]] = False
    return sift.contacts()
