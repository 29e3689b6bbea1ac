# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of a run in bounded memory: every pair is searched whole, and as many contacts as there is room for are
listed (docs/decisions/0011).

A run whose hits fit takes no notice of this. Where they do not, pairs are searched anew, a batch of bounded size after
the other. All contacts of a batch are made, counted and looked at, and only those that may be listed are kept. Pairs
of the same two shapes at the same two places have the same contacts: where there are many such pairs, one of them is
searched. No kernels are needed here: methods that have none share it.
"""
from collections.abc import Callable, Iterator

import numpy as np

from ..arrays import first_of_each, starts_of
from ..contacts import Contacts
from ..errors import Cancelled
from ..memory import SMALL_BYTES, SPARE_BYTES, free, let_go
from ..pair_table import BYTES_PER_FOUND, Cut, PairTable
from ..run import Run

BYTES_PER_CONTACT = 160         # of a hit, its key twice, its row in order, and its contact
MOST_LISTED_CONTACTS = 2_000_000    # that are listed: as arrays 200 MB; more points than a person or Blender can use
FEWEST_CONTACTS = 1 << 10       # that are listed where memory is short
MAX_CANCELLED_CONTACTS = 1 << 17    # that a cancelled run is worth: a tenth of a second
BATCH_CONTACTS = 1 << 19        # at a time, at most, of several pairs
PIECE_CONTACTS = 1 << 24        # at a time, at most, of one pair that does not fit: two gigabytes
WORTH_SHARING = 0.25            # of the pairs that are like others: then those are not searched
ANY_NUMBER = 1 << 62            # of hits of one pair, as far as there is memory for them
FIRST_BATCH = 1 << 10           # pairs

Stage = Callable[[PairTable], Contacts]


class TooManyHits(Exception):
    """Raised by a search that has found more hits than run.most_hits, or than there is memory for."""


def contacts_within_budget(stage: Stage, table: PairTable, run: Run) -> Contacts:
    """The contacts of the pairs in the table, of which at most `contact_budget` are listed.

    stage(table): all contacts of some pairs, in canonical order; raises TooManyHits beyond run.most_hits. Sets
    table.finished and, where the hits were too many to be kept, table.crossing and table.cut. Which contacts are listed
    does not depend on threads.
    """
    like = table.like
    if like is None or np.count_nonzero(like != np.arange(len(table))) < WORTH_SHARING * len(table):
        contacts = _at_once(stage, table, run)
        if contacts is not None:
            return contacts
    searched, pair_of = np.unique(np.arange(len(table)) if like is None else like, return_inverse=True)
    listing = Listing(np.bincount(pair_of), contact_budget(len(table)), run)
    finished = np.zeros(len(searched), bool)
    with run.what_is_left():
        for rows, part in _batches(stage, table, searched, run):
            here = np.searchsorted(searched, rows)
            finished[here] = part.finished & part.last_piece
            listing.add(here, part)
    table.finished[:] = finished[pair_of]
    table.crossing |= listing.crossing[pair_of]
    found, contacts = listing.found[pair_of], listing.contacts(pair_of)
    if len(contacts) < found.sum():
        table.cut = Cut(found, lambda rows: _again(stage, table, rows, run))
    return contacts


def _at_once(stage: Stage, table: PairTable, run: Run) -> Contacts | None:
    """All contacts of the table, of which all pairs are searched; None where they are too many."""
    before = run.tally()
    run.most_hits = MOST_LISTED_CONTACTS
    try:
        return stage(table)
    except TooManyHits as error:
        let_go(error)
        run.restore(before)
    finally:
        run.most_hits = None
    if run.cancelled:
        table.finished[:] = False
        return Contacts.empty()
    return None


def contact_budget(pairs: int = 0) -> int:
    """How many contacts a run of so many pairs lists: MOST_LISTED_CONTACTS or, where memory is short, so many halves of
    it as fit beside what else is kept of these, should none be clear."""
    budget, left, others = MOST_LISTED_CONTACTS, free(), SPARE_BYTES + BYTES_PER_FOUND * pairs
    while left is not None and budget > FEWEST_CONTACTS and 2 * budget * BYTES_PER_CONTACT > left - others:
        budget //= 2
    return budget


def _batches(stage: Stage, table: PairTable, rows: np.ndarray, run: Run) -> Iterator[tuple[np.ndarray, PairTable]]:
    """Yield some of the rows and a table of these pairs with all their contacts, until all are through or the run is
    cancelled; a pair whose contacts do not fit several times, in pieces. rows: (k,) int64, ascending."""
    start, size, most = 0, FIRST_BATCH, min(BATCH_CONTACTS, contact_budget(len(table)))
    while start < len(rows) and not run.cancelled:
        here = rows[start:start + size]
        part, before = table.part(here), run.tally()
        try:
            run.most_hits = most if len(here) > 1 else ANY_NUMBER
            with run.share(start / len(rows), len(here) / len(rows)):
                part.contacts = stage(part)
        except TooManyHits as error:
            let_go(error)
            run.restore(before)
            size = max(1, len(here) // 4)
            if len(here) == 1:
                yield from _pieces(stage, table, here, run, start / len(rows), 1 / len(rows))
                start += 1
            continue
        finally:
            run.most_hits = None
        yield here, part
        start += len(here)
        if 8 * len(part.contacts) <= most:
            size *= 4


def _pieces(stage: Stage, table: PairTable, row: np.ndarray, run: Run, begin: float,
            width: float) -> Iterator[tuple[np.ndarray, PairTable]]:
    """Yield (row, a table of that pair with the contacts of some triangles of a), the first triangles first, until all
    are through or the run is cancelled. Raises TooLarge where those of one triangle do not fit.

    row: (1,) int64; begin, width: what the progress of the stage is here, and how far it gets. Every piece goes down
    the trees from the top, and tests only its own triangles.
    """
    assert table.triangle_count is not None
    count = table.triangle_count(int(table.a[row[0]]))
    start, size, most = 0, -(-count // 4), piece_budget()
    while start < count and not run.cancelled:
        stop, part, before = min(count, start + size), table.part(row), run.tally()
        part.piece, part.last_piece = (start, stop), stop == count
        try:
            run.most_hits = most if size > 1 else None
            with run.share(begin + width * start / count, width * (stop - start) / count):
                part.contacts = stage(part)
        except TooManyHits as error:
            let_go(error)
            run.restore(before)
            size = max(1, (stop - start) // 4)
            continue
        finally:
            run.most_hits = None
        if start:               # its way down the trees was counted with the first piece
            decided = run.counts["exact_decisions"] - before[0]["exact_decisions"]
            run.restore(before)
            run.count(exact_decisions=decided)
        yield row, part
        start = stop
        if 4 * len(part.contacts) <= most:
            size *= 2


def piece_budget() -> int:
    """How many contacts a piece of a pair may have: a quarter of what there is memory for, as they are judged, too.
    Each piece costs a way down the trees, so never fewer than a quarter of what is too small to be refused."""
    left = free()
    room = MOST_LISTED_CONTACTS if left is None else (left - SPARE_BYTES) // (4 * BYTES_PER_CONTACT)
    return max(SMALL_BYTES // (4 * BYTES_PER_CONTACT), min(PIECE_CONTACTS, room))


def _again(stage: Stage, table: PairTable, rows: np.ndarray, run: Run) -> Iterator[tuple[np.ndarray, PairTable]]:
    """`_batches` of pairs that were searched before: the run's counts do not grow."""
    before = run.tally()
    for here, part in _batches(stage, table, rows, run):
        run.restore(before)
        yield here, part
        before = run.tally()


class Listing:
    """The contacts that are listed, as far as pairs have been searched. Searched pairs are numbered from 0."""

    def __init__(self, times: np.ndarray, budget: int, run: Run):
        """times: (k,) int64, how many pairs of objects each searched pair stands for. run: where it is cancelled,
        MAX_CANCELLED_CONTACTS at most are listed."""
        self.times, self.budget, self._run = times, budget, run
        self.found = np.zeros(len(times), np.int64)     # contacts of each
        self.crossing = np.zeros(len(times), bool)      # some contact goes through both triangles
        self._kept: list[Contacts] = []                 # of each the first ones, ordered by number
        self._held, self._room = 0, budget              # contacts that are kept, and before some are dropped

    def add(self, numbers: np.ndarray, part: PairTable) -> None:
        """Take over the contacts of the searched pairs `numbers` (m,), which follow those of all calls before, or are
        of another piece of the last one."""
        contacts = part.contacts
        assert contacts is not None
        contacts.pair = numbers[contacts.pair].astype(np.int32)
        self.found += np.bincount(contacts.pair, minlength=len(self.found))
        self.crossing[numbers[part.crossing]] = True
        self.crossing[contacts.pair[contacts.proper]] = True
        self._kept.append(contacts)
        self._held += len(contacts)
        if self._run.cancelled:
            self._hurry()
        if self._held > self._room:
            self._unless_cancelled(lambda: self._shorten(None if part.last_piece else int(numbers[0])))
            self._room = max(self.budget, self._held + self.budget // 2)

    def _shorten(self, begun: int | None) -> None:
        """Drop contacts that will not be listed, whatever is found in pairs that are still to come: with more pairs,
        the others only get fewer. begun: the pair of which there are more pieces to come, and may be found to cross."""
        most = np.where(self.crossing, *levels(self.found, self.crossing, self.times, self.budget))
        for kind in (self.crossing, ~self.crossing):
            most[np.flatnonzero(kind & (self.found > 0))[self.budget:]] = 0
        if begun is not None:
            most[begun] = self.budget
        count = np.bincount(np.concatenate([each.pair for each in self._kept]), minlength=len(most))
        rows = first_of_each(starts_of(count)[:-1], np.minimum(count, most))
        self._kept, self._held = [Contacts.gathered(self._kept, rows, self._run.tick)], len(rows)

    def contacts(self, pair_of: np.ndarray) -> Contacts:
        """The listed contacts. pair_of: (pairs,) number of the searched pair that has those of each pair."""
        found = self._unless_cancelled(lambda: self._listed(pair_of))
        return self._listed(pair_of) if found is None else found

    def _unless_cancelled(self, work: Callable[[], Contacts | None]) -> Contacts | None:
        """What work() returns; None where the run is cancelled meanwhile, and the budget is smaller now. Raises
        Cancelled where nothing of the run is wanted."""
        try:
            return work()
        except Cancelled:
            if self._run.dropped:
                raise
            self._hurry()
            return None

    def _hurry(self) -> None:
        self.budget = min(self.budget, MAX_CANCELLED_CONTACTS)

    def _listed(self, pair_of: np.ndarray) -> Contacts:
        share = shares(self.found[pair_of], self.crossing[pair_of], self.budget)
        count = sum((np.bincount(each.pair, minlength=len(self.found)) for each in self._kept), np.int64(0))
        first = starts_of(np.broadcast_to(count, len(self.found)))[:-1][pair_of]
        listed = Contacts.of_runs(self._kept, first, share, self._run.tick)
        listed.pair = np.repeat(np.arange(len(share), dtype=np.int32), share)
        return listed


def shares(found: np.ndarray, crossing: np.ndarray, budget: int) -> np.ndarray:
    """(pairs,) int64: how many of its contacts each pair lists, the first ones in canonical order.

    Together at most `budget`. Each pair that has contacts lists one, the crossing ones first where there are more pairs
    than that. Then crossing pairs get as many as they have, up to a number that is the same for all; what is left goes
    to the others in the same way. found: (pairs,) int64; crossing: (pairs,) bool.
    """
    some = found > 0
    if np.count_nonzero(some) > budget:
        share = np.zeros(len(found), np.int64)
        share[np.concatenate([np.flatnonzero(some & crossing), np.flatnonzero(some & ~crossing)])[:budget]] = 1
        return share
    of_crossing, of_others = levels(found, crossing, np.ones(len(found), np.int64), budget)
    return np.minimum(found, np.where(crossing, of_crossing, of_others))


def levels(found: np.ndarray, crossing: np.ndarray, times: np.ndarray, budget: int) -> tuple[int, int]:
    """The most contacts that a crossing pair and another one may list, at least 1. Arguments as for `shares`; times:
    (pairs,) int64, how often each pair counts. With more pairs, or more contacts in them, neither number grows."""
    others = ~crossing & (found > 0)
    of_crossing = _level(found[crossing], times[crossing], budget - int(times[others].sum()))
    if of_crossing < found[crossing].max(initial=0):
        return of_crossing, 1
    left = budget - int((times * found)[crossing].sum())
    return max(1, of_crossing), _level(found[others], times[others], left)


def _level(found: np.ndarray, times: np.ndarray, room: int) -> int:
    """The largest number so that no more than `room` are listed if no pair lists more than that; at least 1, and at
    most what some pair has."""
    low, high = 1, int(found.max(initial=1))
    while low < high:
        middle = (low + high + 1) // 2
        if int((times * np.minimum(found, middle)).sum()) <= room:
            low = middle
        else:
            high = middle - 1
    return low
