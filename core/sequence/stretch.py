# SPDX-License-Identifier: GPL-3.0-or-later
"""`Stretch`: one interval between two frames, or several in a row that are looked at together.

An interval of a few objects takes kernels some microseconds, and calling them ten times as long. So several are asked
at once: as one, in which what moves is there once for each interval, and meets only what is in the same one.
"""
from collections.abc import Callable
from functools import cached_property
from operator import is_
from typing import NamedTuple

import numpy as np

from ..continuous.contacts_between import FirstContacts
from ..continuous.cuts import cut_alike
from ..continuous.instant import EVERY, Instant
from ..machine_code.jit import kernel, unsigned
from ..run import Run
from ..scene.select import Selection
from ..self_collision.first_contacts import first_self_contacts
from ..self_collision.known import SelfReference
from .between import Between
from .carried import perhaps_carried
from .frame import met_in
from .moment import UNNUMBERED, Moment
from .rows import OBJECT_BITS, coded, copied, is_among, is_known
from .together import turn_together


class Both(NamedTuple):
    """The objects that were tested in two frames in a row. Most pairs of frames have the same ones as the pair before.
    """

    made_of: tuple                  # layout, numbers and tested of both Moments
    here: np.ndarray                # (n,) int64: their indices in the later frame, ascending
    there: np.ndarray               # (n,) int64: in the earlier one
    are_all: bool                   # the objects of either scene, in its order
    renamed: np.ndarray | None      # as in Between
    own_clearance: np.ndarray       # (n,) float64: what each asks for, in the frame in which it asks for more
    largest_clearance: float        # of these; 0 where there is none

    @classmethod
    def of(cls, before: Moment, now: Moment, known: "Both | None" = None) -> "Both":
        """known: of two other frames, the same one again where it serves these, too."""
        made_of = before.layout, before.numbers, before.tested, now.layout, now.numbers, now.tested
        if known is not None and all(map(is_, made_of, known.made_of)):
            return known
        here, there = now.same_objects(before)
        both = before.tested[there] & now.tested[here]
        here, there = here[both], there[both]
        renamed = np.full(len(now.numbers), UNNUMBERED)
        renamed[here] = before.numbers[there]
        own_clearance = np.maximum(before.layout.clearance[there], now.layout.clearance[here])
        are_all = len(here) == len(now.numbers) == len(before.numbers) and bool((there[1:] > there[:-1]).all())
        return cls(made_of, here, there, are_all, None if np.array_equal(renamed[here], now.numbers[here]) else renamed,
                   own_clearance, own_clearance.max(initial=0.0))


class Interval(NamedTuple):
    """The time between two frames."""

    now: Moment                     # in the later one
    frames: tuple[float, float]
    both: Both                      # the objects that were tested in both
    rests: np.ndarray               # (n,) bool: those of them that certainly do not move
    first: Instant                  # where they are in both, with the same triangles
    last: Instant
    before: tuple[np.ndarray, np.ndarray]   # what the earlier frame lists, and what rules took away in it: `met_in`;
                                            # objects by their numbers
    after: tuple[np.ndarray, np.ndarray]    # and the later one; objects by their indices
    names: int                      # how many numbers of objects there are
    known: SelfReference | None     # what of the objects that are tested with themselves is no finding

    @classmethod
    def of(cls, before: Moment, now: Moment, both: Both, frames: tuple[float, float], rests: np.ndarray,
           rows: tuple[tuple, tuple], names: int, known: SelfReference | None = None) -> "Interval":
        """rests: (n,) bool, of all objects of the scene now. rows: before, after."""
        here, there = both.here, both.there
        ends = (each.instant(None if both.are_all else rows) for each, rows in ((before, there), (now, here)))
        earlier, later = rows
        if now.layout is not before.layout:
            earlier = tuple(_numbered_now(each, before.numbers[there], now.numbers[here]) for each in earlier)
        return cls(now, frames, both, rests[here], *cut_alike(*ends), earlier, later, names, known)

    @property
    def objects(self) -> np.ndarray:
        """(n,) int64: their indices in the later frame's scene, ascending."""
        return self.both.here

    def follows(self, other: "Interval") -> bool:
        """True where it can be looked at together with another interval, after which it comes: the scene and its
        objects are the same ones."""
        return (self.now.scene is other.now.scene and self.known is other.known and self.names == other.names
                and (self.both is other.both or (
                    self.now.layout is other.now.layout and self.now.numbers is other.now.numbers
                    and np.array_equal(self.objects, other.objects))))


def _numbered_now(rows: np.ndarray, then: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Rows about pairs of the frame before by the numbers that their objects have now, without those of which one is
    not here any more. then, now: (n,) int64, the numbers of the objects in both frames."""
    if np.array_equal(then, now):
        return rows
    of = np.full(1 + max(each.max(initial=0) for each in (rows["a"], rows["b"], then)), -1)
    of[then] = now
    rows = copied(rows)
    rows["a"], rows["b"] = of[rows["a"]], of[rows["b"]]
    return rows[(rows["a"] >= 0) & (rows["b"] >= 0)]


class Meets(NamedTuple):
    """Pairs of a Stretch whose surfaces meet between two frames, and do not meet in one of these, or in neither."""

    sides: np.ndarray               # (2,k) int64: positions, the object with the lesser index first
    start: np.ndarray               # (k,) float64, a frame: the first contact; NaN: they met in the frame before
    end: np.ndarray                 # (k,) float64: the last contact; NaN: they meet in the frame after
    tolerance: float                # the surfaces are no farther apart at these times, a length
    lost: np.ndarray                # (m,) int64: positions of objects that could not be followed
    turned: np.ndarray              # (m,) int64: of objects that turn so far that it is not certain which way round


class Stretch:
    """What is asked of the intervals. An object has a *position* in each of them; one that rests in all of them has the
    same position in all. A *code* names a pair and its interval."""

    def __init__(self, intervals: list[Interval], selection: Selection, alone: bool = False):
        """intervals: in a row, each of which follows the one before. selection: of the frame at the end of one. alone:
        objects are tested with themselves, too."""
        self.intervals, self._selection, self._alone, one = intervals, selection, alone, intervals[0]
        self.frames = np.array([each.frames for each in intervals]).T       # (2, intervals)
        if len(intervals) == 1:
            self.objects, self.rests = one.objects, one.rests
            self.first, self.last = one.first.settled(), one.last.settled()
        else:
            self._join(intervals)
        self.numbers = one.now.numbers[self.objects]
        self._span = np.zeros(len(self.objects), np.int64) if self.first.span is None else self.first.span
        self.places = np.searchsorted(selection.objects, self.objects)     # in the selection
        # Codes: pairs that meet in the later frame, that are worse than touching in one of both, that touch in both,
        # that are contained in both, or contained or cannot be told in one and no more than touching in the other.
        self.met_after = self.worse = self.staying = self.contained = self.leaving = np.zeros(0, np.int64)

    def _join(self, intervals: list[Interval]) -> None:
        one = intervals[0]
        rests = np.logical_and.reduce([each.rests for each in intervals])
        still, moving = rests.nonzero()[0], (~rests).nonzero()[0]
        self.first, self.last = Instant.joined([[each.first for each in intervals], [each.last for each in intervals]],
                                               still, moving)
        self.objects = one.objects[np.concatenate([still, np.tile(moving, len(intervals))])]
        self.rests = np.concatenate([rests[still], *(each.rests[moving] for each in intervals)])

    @property
    def layout(self):
        """Of all frames."""
        return self.intervals[0].now.layout

    def codes(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) int64: those of pairs of positions in one interval, of which at least one moves in it."""
        return coded(self.numbers[a], self.numbers[b]) + np.maximum(self._span[a], self._span[b]) * self._to_next

    @property
    def _to_next(self) -> int:
        """What a pair's code is larger by than that of the same pair in the interval before."""
        return (self.intervals[0].names << OBJECT_BITS) + self.intervals[0].names

    def interval_of(self, codes: np.ndarray) -> np.ndarray:
        """(k,) int64: the number of the interval that each code is about."""
        return (codes >> OBJECT_BITS) // self.intervals[0].names

    def sides_of(self, codes: np.ndarray) -> np.ndarray:
        """(2,k) int64: positions of the objects of pairs, the object with the lesser index first; -1 where one was not
        tested in both frames."""
        number = self.interval_of(codes)
        codes = codes - number * self._to_next
        a, b = self._positions[number, codes >> OBJECT_BITS], self._positions[number, codes & ((1 << OBJECT_BITS) - 1)]
        return self.in_order(a, b)

    def in_order(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(2,k) int64: pairs of positions, the object with the lesser index first. -1 stays -1."""
        turned = self.objects[a] > self.objects[b]
        return np.stack([np.where(turned, b, a), np.where(turned, a, b)])

    @cached_property
    def _positions(self) -> np.ndarray:
        """(intervals, names) int64: the position of each object by its number, -1 where it has none."""
        positions, span = np.full((len(self.intervals), self.intervals[0].names), -1), self.first.span
        if span is None:
            positions[0, self.numbers] = np.arange(len(self.numbers))
        else:
            still = (span == EVERY).nonzero()[0]
            positions[:, self.numbers[still]] = still
            positions[span[len(still):], self.numbers[len(still):]] = np.arange(len(still), len(span))
        return positions

    def search(self, between: Callable, run: Run) -> Meets:
        """Which pairs come together, without those whose surfaces meet in both frames: some of these `sample` looks at.
        between: see `Method.between`. Raises Cancelled."""
        before = met_in([each.before for each in self.intervals], None, self._to_next)
        after = met_in([each.after for each in self.intervals], self.intervals[0].now.numbers, self._to_next)
        inside = before.inside[is_among(before.inside, after.inside)]   # surfaces may be apart, and come together
        self.contained = before.contained[is_among(before.contained, after.contained)]
        met_before, met_after = (each.codes[~is_among(each.codes, inside)] for each in (before, after))
        self.met_after, self.worse = met_after, np.union1d(before.worse, after.worse)
        self.leaving = self._named_alike(np.union1d(before.inside[~is_among(before.inside, after.worse)],
                                                    after.inside[~is_among(after.inside, before.worse)]))
        light = ~is_among(met_after, self.worse) | is_among(met_after, self.leaving)
        self.staying = self._without_parts(met_after[is_among(met_after, met_before) & light])
        coming = between(self.first, self.last, lambda a, b: self.allows_of(a, b, met_before, among=False), run)
        if self._alone:
            coming = coming.joined(self._alone_among(self.first, self.last, met_before, False, met_after, run))
        left = np.sort(np.concatenate([met_before, self.codes(coming.a, coming.b)]))
        left = left[~is_among(left, met_after)]
        which = self.movers_of(left)
        going = coming.none()
        if len(which):
            going = between(self.last.only(which), self.first.only(which), lambda a, b: self.allows_of(a, b, left), run)
        if self._alone:
            going = going.joined(self._alone_among(self.last, self.first, left, True, met_before, run))
        return Meets(*self.times(coming, going), largest_tolerance(coming, going), coming.lost.nonzero()[0],
                     coming.turned.nonzero()[0])

    def _without_parts(self, codes: np.ndarray) -> np.ndarray:
        """Those of these codes whose objects do not turn together."""
        if len(codes) == 0:
            return codes
        a, b = self.sides_of(codes)
        known = (a >= 0) & (b >= 0)
        known[known] = turn_together(self.first, self.last, a[known], b[known])
        return codes[~known]

    def _named_alike(self, codes: np.ndarray) -> np.ndarray:
        """Those of these codes whose objects have their numbers in both frames: of others a row of the earlier frame
        has another name."""
        if len(codes) == 0 or all(each.both.renamed is None for each in self.intervals):
            return codes
        number, (a, b) = self.interval_of(codes), self.sides_of(codes)
        known = (a >= 0) & (b >= 0)
        for k in np.unique(number[known]).tolist():
            renamed, now, rows = self.intervals[k].both.renamed, self.intervals[k].now.numbers, known & (number == k)
            if renamed is not None:
                of = self.objects[np.stack([a, b])[:, rows]]
                known[rows] = (renamed[of] == now[of]).all(axis=0)
        return codes[known]

    def _alone_among(self, first: Instant, last: Instant, codes: np.ndarray, among: bool, met: np.ndarray,
                     run: Run) -> FirstContacts:
        """When objects first meet themselves from one Instant to the other one: those that are among these codes,
        ascending, or are not. met: codes of what meets in the end, ascending."""
        rows = (np.isin(self.places, self._selection.alone()) & ~self.rests).nonzero()[0]
        rows = rows[is_among(self.codes(rows, rows), codes) == among]
        reference, known = self.intervals[0].known, []
        for k in rows.tolist():
            of_object = None if reference is None else reference.known.get(int(self.objects[k]))
            known.append(None if of_object is None else of_object.among(len(first.vertices[k]), first.triangles[k]))
        return first_self_contacts(first, last, rows, known, is_among(self.codes(rows, rows), met), run)

    def times(self, coming: FirstContacts, going: FirstContacts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(sides, start, end), as in Meets: of pairs that come together, forwards and backwards."""
        if len(coming.a) == 0 and len(going.a) == 0:        # most intervals of most scenes
            return np.zeros((2, 0), np.int64), np.zeros(0), np.zeros(0)
        came, went = (self.codes(each.a, each.b) for each in (coming, going))
        codes = np.union1d(came, went)
        begin, end = self.frames[:, self.interval_of(codes)]
        toi, back = np.full((2, len(codes)), np.nan)
        toi[np.searchsorted(codes, came)] = coming.toi
        back[np.searchsorted(codes, went)] = going.toi
        first, last = begin + toi * (end - begin), end - back * (end - begin)
        both = ~np.isnan(first) & ~np.isnan(last)
        last[both] = np.maximum(last[both], first[both])    # each may be early, in its direction
        return self.sides_of(codes), first, last

    def allows(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) bool: pairs of positions in one interval that may be tested."""
        return self._selection.allows(self.places[a], self.places[b])

    def allows_of(self, a: np.ndarray, b: np.ndarray, codes: np.ndarray, among: bool = True) -> np.ndarray:
        """(k,) bool: pairs of positions that may be tested, and that are among these codes, ascending, or are not."""
        mask, a, b = np.empty(len(a), bool), a.astype(np.int32, copy=False), b.astype(np.int32, copy=False)
        if not mark_asked(a, b, self.numbers, self._span, self._to_next, codes, among, mask):
            return mask
        if not self._selection.allows_all:
            mask &= self.allows(a, b)
        mask[mask] = ~turn_together(self.first, self.last, a[mask], b[mask])
        return mask

    def movers_of(self, codes: np.ndarray) -> np.ndarray:
        """(m,) int64, ascending: positions of the objects of those pairs of which one moves."""
        if len(codes) == 0:
            return np.zeros(0, np.int64)
        a, b = self.sides_of(codes)
        moving = (a >= 0) & (b >= 0) & ~(self.rests[a] & self.rests[b])
        return np.unique(np.concatenate([a[moving], b[moving]]))

    def shared_out(self, meets: Meets, also: list[int]) -> dict[int, Between]:
        """What was found in the intervals, by their numbers, without those in which nothing was; of a single interval
        in any case. also: numbers of intervals in which there is more."""
        carried = perhaps_carried(self.first, self.last)
        if len(self.intervals) == 1:
            return {0: self._between(self.intervals[0], meets, slice(None), meets.lost, meets.turned, carried)}
        assert self.first.span is not None
        span, found = self.first.span, dict[int, Between]()
        at = span[meets.sides].max(axis=0) if len(meets.start) else meets.sides[0]
        told_of = [span[each] for each in (meets.lost, meets.turned, carried)]
        numbers = np.unique(np.concatenate([at, np.array(also, np.int64), *told_of]))
        for number in numbers[numbers != EVERY].tolist():
            told = (each[span[each] == number] if len(each) else each for each in (meets.lost, meets.turned, carried))
            found[number] = self._between(self.intervals[number], meets, at == number, *told)
        return found

    def _between(self, interval: Interval, meets: Meets, rows, *told: np.ndarray) -> Between:
        """rows: of the interval. told: positions in it of objects that were lost, turned far, or perhaps carried."""
        a, b = self.objects[meets.sides[:, rows]]
        lost, turned, carried = (self.objects[each] for each in told)
        return Between(a, b, meets.start[rows], meets.end[rows], meets.tolerance, lost, turned, carried,
                       renamed=interval.both.renamed)


@kernel
def mark_asked(a, b, numbers, span, to_next, codes, among, mask):
    """mask[i] = True where positions a[i] and b[i] are of one interval, and the code of this pair is among `codes`
    (m,) int64, ascending, or is not; returns how many these are. a, b: (k,) int32; numbers: (n,) int64, of objects;
    span: (n,) int64, see `Instant.span`; to_next: see `Stretch`; mask: (k,) bool."""
    count = 0
    for row in range(a.shape[0]):
        i = unsigned(a[row])
        j = unsigned(b[row])
        interval = max(span[i], span[j])
        found = min(span[i], span[j]) == interval or min(span[i], span[j]) == EVERY
        if found:
            first = numbers[i]
            second = numbers[j]
            code = ((min(first, second) << OBJECT_BITS) | max(first, second)) + interval * to_next
            found = is_known(code, codes) == among
        mask[row] = found
        count += found
    return count


def largest_tolerance(*found: FirstContacts) -> float:
    return max(each.tolerance.max(initial=0.0) for each in found)
