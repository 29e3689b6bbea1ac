# SPDX-License-Identifier: GPL-3.0-or-later
"""`History`: what became of each pair over the frames. Only what happens in a frame costs time in it."""
from collections.abc import Callable, Sequence

import numpy as np

from ..arrays import first_of_each, starts_of
from ..codes import CROSSING, NEAR, OVERLAP
from ..contacts import Contacts
from ..errors import Cancelled
from ..findings import PAIR_DTYPE, RANKS, Findings
from ..machine_code.jit import kernel
from .asking import NO_QUESTIONS, Asking
from .contact_store import ContactStore, list_fewer, list_none
from .rows import Rows, put_rows, with_rows

CLOSED_DTYPE = np.dtype([("row", np.int64), ("start", np.float64), ("end", np.float64), ("verdict", np.int8)])
# What is known of a pair, a column each of `History.whole`:
A, B = 0, 1             # numbers of its objects
IS_OPEN = 2             # 1: not clear in the frame before
ITS_RULE = 3            # that concerns it, or NO_RULE
START_VERDICT = 4       # of the worst frame of the interval that is open
SEEN = 5                # the step in which it was not clear, the last time; 0: never
SPELL_VERDICT = 6       # what it is in the spell that is open: part of an interval in which it is one and the same
WHOLE_COLUMNS = 7
# and of `History.numbers`:
WORST_FRAME, FIRST = 0, 1       # its worst frame, and the first frame in which it is not clear
FIRST_MET = 2           # the first frame in which it is worse than near; NaN: never
START = 3               # of the interval that is open
SPELL_START = 4         # of the spell that is open
SPELL_SEEN = 5          # when it was last looked at
LIMIT = 6               # what is worse than in its worst frame comes before these, see `worsen`
BADNESS_COLUMNS = 5     # see `findings.badness`
START_LIMIT = LIMIT + BADNESS_COLUMNS       # the same, of the worst frame of the interval that is open
NUMBER_COLUMNS = START_LIMIT + BADNESS_COLUMNS
# What a frame says of a pair, a row each of two arrays: numbers of kernels that take few arguments.
ROW, VERDICT, CONTACTS_FOUND, FRAME_RULE = 0, 1, 2, 3
DEPTH, DEPTH_UPPER, GAP, BEGINS, MEETS, TIME, PARTED = 0, 1, 2, 3, 4, 5, 6
VALUES = 7
NEVER_SEEN = 0
RANKS_BESIDE_DEPTHS = RANKS.astype(float)     # what a tuple has beside depths


class History:
    """Intervals of contact and worst frames of pairs. Objects are known by their numbers (`moment.Names`)."""

    def __init__(self):
        self._row_of = Rows()
        self._worst = np.zeros(0, PAIR_DTYPE)                   # each pair as in its worst frame
        self._whole = np.zeros((0, WHOLE_COLUMNS), np.int64)
        self._numbers = np.zeros((0, NUMBER_COLUMNS))
        self._closed: list[np.ndarray] = []
        self._spells: list[np.ndarray] = []                     # (k,4) float64 each: row, start, end, verdict
        self._contacts = ContactStore()
        self._step = NEVER_SEEN
        self._open = 0                                          # how many intervals are open

    @property
    def whole(self) -> np.ndarray:
        """(pairs,WHOLE_COLUMNS) int64, in the order in which pairs came up."""
        return self._whole[:len(self._row_of)]

    @property
    def numbers(self) -> np.ndarray:
        """(pairs,NUMBER_COLUMNS) float64, in the same order."""
        return self._numbers[:len(self._row_of)]

    def pass_between(self, before: float, found: Findings, moments: np.ndarray, rules: np.ndarray,
                     asking: Asking = NO_QUESTIONS) -> None:
        """Pairs that met or were near between two frames, and how they were in the worst moment there; to be called
        before the later frame is added.

        before: the earlier frame. found: as in `add`, each pair as in that moment. moments: (k,3) float64, see
        `Between.moments`; asking: as in `add`, too.
        """
        opens, met, worst = moments.T
        self._step += 1
        self._take(found, before, opens, met, worst, np.nan, rules, asking)

    def add(self, frame: float, before: float, found: Findings, rules: np.ndarray, rests: np.ndarray,
            between: Callable | None = None, near: Callable | None = None, parted: Sequence[Callable] = (),
            left: Sequence[Callable] = (), asking: Asking = NO_QUESTIONS) -> None:
        """Go on by a frame. before: the frame before it. found: the pairs that were tested and are not clear, with
        their contacts, objects by their numbers. rules: (k,) int32, which concerns each, or NO_RULE. rests: (numbers,)
        bool: pairs of two of these are as before. between, near: when pairs met, and were near, since the frame before,
        see `rows.times_of`; parted, left: the same of pairs by the numbers that they had in the frame before. asking:
        where the answer is no, contacts are not listed."""
        pairs = found.pairs
        self._step += 1
        if len(pairs) == 0 and self._open == 0:
            return
        starts, ended = np.full(len(pairs), frame), np.nan
        if between is not None:
            begun, ended = between(pairs["a"], pairs["b"])
            starts = np.fmin(starts, begun)
        opens = starts if near is None else np.fmin(starts, near(pairs["a"], pairs["b"])[0])
        meets = np.where(pairs["verdict"] == NEAR, np.nan, starts)
        self._take(found, before, opens, meets, frame, ended, rules, asking)
        if self._open > len(pairs):
            over = np.empty(self._open, np.int64)
            over = over[:end_intervals(self._step, rests, self.whole, over)]
            if len(over):
                ends = self._latest(over, np.full(len(over), before), (between, *parted))
                met = np.fmax(ends, self._numbers[over, SPELL_SEEN])
                ends = self._latest(over, ends, (near, *left))
                self._closed.append(self._intervals(over, ends))
                self._end_spells(over, met if near is not None else ends, ends)
                self._open -= len(over)

    def _latest(self, rows: np.ndarray, ends: np.ndarray, times: Sequence[Callable | None]) -> np.ndarray:
        """(k,) float64: `ends`, or later where one of these says so of the pairs in these rows."""
        for each in times:
            if each is not None:
                ends = np.fmax(ends, each(self._whole[rows, A], self._whole[rows, B])[1])
        return ends

    def _end_spells(self, rows: np.ndarray, met: np.ndarray, ends: np.ndarray) -> None:
        """Of the open intervals of these rows. met: (k,) float64, until when pairs met; ends: until when intervals
        last, as they are near from then on."""
        were_near = self._whole[rows, SPELL_VERDICT] == NEAR
        self._spells.append(self._open_spells(rows, np.where(were_near, ends, met)))
        after = (~were_near & (met < ends)).nonzero()[0]
        if len(after):
            self._spells.append(np.stack([rows[after].astype(float), met[after], ends[after],
                                          np.full(len(after), float(NEAR))], axis=1))

    def _open_spells(self, rows: np.ndarray, ends) -> np.ndarray:
        """(k,4) float64: the open spells of these rows, as if they ended then."""
        spells = np.empty((len(rows), 4))
        spells[:, 0], spells[:, 1], spells[:, 2] = rows, self._numbers[rows, SPELL_START], ends
        spells[:, 3] = self._whole[rows, SPELL_VERDICT]
        return spells

    def _take(self, found: Findings, before: float, opens: np.ndarray, meets: np.ndarray, times, ended,
              rules: np.ndarray, asking: Asking) -> None:
        """Take over what the frame, or the moments, say of pairs. before: the frame before. opens, meets: (k,) float64,
        when intervals begin that are not open, and when pairs meet, NaN: they are only near; times: of the frame or of
        each moment; ended: when pairs ceased to meet since the frame before, or NaN; (k,) float64 or one number each.
        """
        pairs = found.pairs
        if len(pairs) == 0:
            return
        known = len(self._row_of)
        rows = self._row_of.of(pairs["a"], pairs["b"])
        self._make_room(known)
        whole, values = np.empty((4, len(pairs)), np.int64), np.empty((VALUES, len(pairs)))
        whole[ROW], whole[VERDICT], whole[FRAME_RULE] = rows, pairs["verdict"], rules
        whole[CONTACTS_FOUND] = pairs["contacts"]
        whole[CONTACTS_FOUND] += pairs["unlisted"]
        values[DEPTH], values[DEPTH_UPPER], values[GAP] = pairs["depth"], pairs["depth_upper"], pairs["gap"]
        values[BEGINS], values[MEETS], values[TIME], values[PARTED] = opens, meets, times, ended
        worse, spells = np.empty(len(pairs), np.int64), np.empty((len(pairs), 4))
        changed = change_spells(before, whole, values, self._whole, self._numbers, spells)
        if changed:
            self._spells.append(spells[:changed].copy())
        count, opened = worsen(self._step, whole, values, RANKS_BESIDE_DEPTHS, self._whole, self._numbers, worse)
        self._open += opened
        if count == 0:
            return
        ever = worse[:count]
        if len(self._row_of) > known:
            self._whole[rows, A], self._whole[rows, B] = pairs["a"], pairs["b"]
        worst = pairs.take(ever)
        list_fewer(worst)
        try:
            contacts = _listed(found.contacts, worst, asking)
        except Cancelled:
            contacts = list_none(worst)
        worst["contact_start"] = self._contacts.add(contacts) + starts_of(worst["contacts"])[:-1]
        put_rows(self._worst, rows[ever], worst)
        self._contacts.tidy(self._worst[:len(self._row_of)], asking)

    def _make_room(self, before: int) -> None:
        """Have a row for every pair. before: how many had one."""
        count = len(self._row_of)
        if count == before:
            return
        self._worst = with_rows(self._worst, count)
        more = len(self._worst) - len(self._whole)
        if more:
            self._whole = np.concatenate([self._whole, np.zeros((more, WHOLE_COLUMNS), np.int64)])
            self._numbers = np.concatenate([self._numbers, np.zeros((more, NUMBER_COLUMNS))])

    def _intervals(self, rows: np.ndarray, end) -> np.ndarray:
        """(k,) structured array of CLOSED_DTYPE: the open intervals of these rows, as if they ended then."""
        closed = np.zeros(len(rows), CLOSED_DTYPE)
        closed["row"], closed["end"] = rows, end
        closed["start"], closed["verdict"] = self._numbers[rows, START], self._whole[rows, START_VERDICT]
        return closed

    def intervals(self, last: float) -> np.ndarray:
        """(k,) structured array of CLOSED_DTYPE: all intervals, ordered by row, then by time. last: the last frame."""
        still = self._intervals(self.whole[:, IS_OPEN].nonzero()[0], last)
        every = np.concatenate([*self._closed, still])
        return every[np.argsort(every["row"], kind="stable")]

    def spells(self, last: float) -> np.ndarray:
        """(k,) structured array of CLOSED_DTYPE: all spells, ordered by row, then by time. last: the last frame."""
        still = self.whole[:, IS_OPEN].nonzero()[0]
        every = np.concatenate([*self._spells, self._open_spells(still, last)])
        spells = np.zeros(len(every), CLOSED_DTYPE)
        for column, name in enumerate(CLOSED_DTYPE.names or ()):
            spells[name] = every[:, column]
        return spells[np.argsort(spells["row"], kind="stable")]

    def worst(self, asking: Asking = NO_QUESTIONS) -> tuple[np.ndarray, np.ndarray, Contacts]:
        """(rows, pairs, contacts): (pairs,) int64, all rows ordered by (a, b); of each the pair in its worst frame, as
        in a Report, and these contacts. asking: as in `add`."""
        order = self._row_of.ordered()
        asking.of_many(len(order))
        pairs = self._worst[order]
        try:
            contacts = self._contacts.view(pairs, asking)()
        except Cancelled:
            contacts = list_none(pairs)
        pairs["contact_start"] = starts_of(pairs["contacts"])[:-1]
        return order, pairs, contacts


def _listed(contacts: Contacts, pairs: np.ndarray, asking: Asking) -> Contacts:
    """Those of some pairs, in their order. Raises Cancelled."""
    listed = pairs["contacts"].astype(np.int64)
    starts = starts_of(listed)
    if starts[-1] == len(contacts) and np.array_equal(pairs["contact_start"], starts[:-1]):     # all of them
        return contacts
    return Contacts.picked([contacts], first_of_each(pairs["contact_start"], listed), asking)


@kernel
def worsen(step, whole, values, ranks, known, numbers, worse):
    """Take over what is said of pairs, and write to `worse` which of these are worse than they ever were; returns
    (their number, how many intervals begin).

    whole: (4,k) int64, values: (VALUES,k) float64, see ROW and DEPTH; ranks: RANKS_BESIDE_DEPTHS; known:
    (pairs,WHOLE_COLUMNS) int64; numbers: (pairs,NUMBER_COLUMNS) float64; worse: (k,) int64.

    A pair is worse where its badness (`findings.badness`) comes before the limit. Of two frames whose depths were
    measured the later one is worse only where it is deeper for certain, as depths are known between bounds, and an
    object that slides along another one would else have its worst frame anywhere: so the limit is then the upper bound.
    """
    count = opened = 0
    for k in range(whole.shape[1]):
        row = whole[ROW, k]
        verdict = whole[VERDICT, k]
        depth = values[DEPTH, k]
        gap = values[GAP, k]
        measured = ranks[0, verdict] < 2 and depth == depth
        bad = (ranks[0, verdict], -depth if measured else np.inf, ranks[1, verdict], -float(whole[CONTACTS_FOUND, k]),
               gap if gap == gap else np.inf)
        start = values[BEGINS, k]
        if known[row, SEEN] == NEVER_SEEN:
            numbers[row, FIRST] = start
            numbers[row, FIRST_MET] = np.nan
            numbers[row, LIMIT] = np.inf
        known[row, SEEN] = step
        if not known[row, IS_OPEN]:
            known[row, IS_OPEN] = 1
            opened += 1
            numbers[row, START] = start
            numbers[row, START_LIMIT] = np.inf
        known[row, ITS_RULE] = whole[FRAME_RULE, k]
        met = values[MEETS, k]
        if met == met and not numbers[row, FIRST_MET] <= met:
            numbers[row, FIRST_MET] = met
        upper = values[DEPTH_UPPER, k]
        deepest = upper if upper > depth else depth
        if comes_before(bad, numbers, row, START_LIMIT):
            set_limit(bad, measured, deepest, numbers, row, START_LIMIT)
            known[row, START_VERDICT] = verdict
        if comes_before(bad, numbers, row, LIMIT):
            set_limit(bad, measured, deepest, numbers, row, LIMIT)
            numbers[row, WORST_FRAME] = values[TIME, k]
            worse[count] = k
            count += 1
    return count, opened


@kernel
def change_spells(before, whole, values, known, numbers, spells):
    """Begin a spell of each pair that is another thing than it was, or was clear; those that end are written to
    `spells`, (k,4) float64, as in History. Returns how many these are. To be called before `worsen`. before: the frame
    before; the rest as there.

    Nobody knows what a pair was between two frames in which it met, so that there is room between such spells. But what
    was near has met, or has not met any more, from a known time on.
    """
    count = 0
    for k in range(whole.shape[1]):
        row, verdict = whole[ROW, k], whole[VERDICT, k]
        was, start, met = known[row, SPELL_VERDICT], values[TIME, k], values[MEETS, k]
        begins = known[row, SEEN] == NEVER_SEEN or not known[row, IS_OPEN]
        if begins:
            start = values[BEGINS, k]
            if start < met:
                add_spell(row, start, met, NEAR, spells, count)
                count, start = count + 1, met
        elif was == verdict or (min(was, verdict) == OVERLAP and max(was, verdict) == CROSSING):
            verdict = was           # these two count as one
            start = numbers[row, SPELL_START]
        else:
            end = max(before, numbers[row, SPELL_SEEN])
            if was == NEAR and met < start:
                start = end = max(end, met)
            elif verdict == NEAR and values[PARTED, k] > end:
                start = end = values[PARTED, k]
            add_spell(row, numbers[row, SPELL_START], end, was, spells, count)
            count += 1
        known[row, SPELL_VERDICT], numbers[row, SPELL_START] = verdict, start
        numbers[row, SPELL_SEEN] = values[TIME, k]
    return count


@kernel
def add_spell(row, start, end, verdict, spells, count):
    """The spell with this number."""
    spells[count, 0], spells[count, 1], spells[count, 2], spells[count, 3] = row, start, end, verdict


@kernel
def comes_before(bad, numbers, row, column):
    """True where a badness comes before the limit in this row of numbers, from this column on."""
    for x in range(BADNESS_COLUMNS):
        if bad[x] != numbers[row, column + x]:
            return bad[x] < numbers[row, column + x]
    return False


@kernel
def set_limit(bad, measured, deepest, numbers, row, column):
    """Write the limit that a badness is for what comes later. measured: the pair's depth was, and is `deepest` at most.
    """
    for x in range(BADNESS_COLUMNS):
        numbers[row, column + x] = -np.inf if measured and x >= 2 else bad[x]
    if measured:
        numbers[row, column + 1] = -deepest


@kernel
def end_intervals(step, rests, known, over):
    """Close the intervals of pairs that were not seen in this step, and of which an object does not rest; their rows,
    ascending, in `over`, (open intervals,) int64. Returns how many they are. rests: (numbers,) bool; known:
    (pairs,WHOLE_COLUMNS) int64."""
    count = 0
    for row in range(known.shape[0]):
        if known[row, IS_OPEN] and known[row, SEEN] != step and not (rests[known[row, A]] and rests[known[row, B]]):
            known[row, IS_OPEN] = 0
            over[count] = row
            count += 1
    return count


def precedes(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(k,) bool: rows of `one` that come before those of `other`, by the first column that differs. (k,m) float64."""
    rows = np.arange(len(one))
    first = (one != other).argmax(axis=1)
    return one[rows, first] < other[rows, first]
