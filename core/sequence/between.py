# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens between two frames: which pairs come together, and when. `moments.py` says how they stand meanwhile."""
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..continuous.contacts_between import FirstContacts
from ..continuous.cuts import cut_alike
from ..findings import Findings
from ..run import Run
from ..scene.select import Selection
from .frame import Met
from .moment import Moment
from .numbered import Normals
from .rows import OBJECT_BITS, coded, is_among

NO_PAIR = -1                    # where a code of two numbers is wanted


@dataclass(eq=False)
class Between:
    """Pairs whose surfaces meet between two frames and do not meet in one of these, or in neither, and those that are
    worse between them than in both. Objects by their indices in the scene of the later frame, a < b; times are frames.
    """

    a: np.ndarray               # (k,) int64
    b: np.ndarray               # (k,) int64
    start: np.ndarray           # (k,) float64: the first contact; NaN: they met in the frame before
    end: np.ndarray             # (k,) float64: the last contact; NaN: they meet in the frame after
    tolerance: float            # the surfaces are no farther apart at these times, a length
    lost: np.ndarray            # (m,) int64: objects that could not be followed
    turned: np.ndarray          # (m,) int64: objects that turn so far that it is not certain which way round
    passing: Findings | None = None     # pairs that are worse than in either frame, as in the worst moment sampled
    moments: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))   # of these: since when they are not clear,
                                                # when they meet, NaN: never, the worst moment,
    rules: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))    # and which rule concerns it, or NO_RULE
    normals: Normals | None = None                # of these pairs in that moment
    near: "NearTimes | None" = None               # None: no clearance is asked for


class NearTimes(NamedTuple):
    """Pairs that come within their clearance, or leave it; objects and times as in Between."""

    a: np.ndarray               # (k,) int64
    b: np.ndarray               # (k,) int64
    start: np.ndarray           # (k,) float64; NaN: they were near, or met, in the frame before
    end: np.ndarray             # (k,) float64; NaN: they are in the frame after
    slack: float                # nowhere between the frames are pairs nearer than is said by more than this, a length


class Interval:
    """The time between two frames, and the objects that were tested in both."""

    def __init__(self, before: Moment, now: Moment, frames: tuple[float, float], selection: Selection,
                 rests: np.ndarray):
        """selection: of the frame now. rests: (n,) bool, objects that certainly do not move."""
        here, there = now.same_objects(before)
        both = before.tested[there] & now.tested[here]
        here, there = here[both], there[both]
        self.now, self.frames = now, frames
        self.objects, self.numbers, self.rests = here, now.numbers[here], rests[here]
        self._numbers_then = before.numbers[there]
        self._selection, self.places = selection, np.searchsorted(selection.objects, here)     # there
        self.first, self.last = cut_alike(before.instant(there), now.instant(here))
        # Codes: pairs that meet now, that are worse than touching in one of the frames, and that touch in both.
        self.met_now = self.worse = self.staying = np.zeros(0, np.int64)

    def search(self, between: Callable, before: Met, now: Met, run: Run) -> Between:
        """Which pairs come together, without those whose surfaces meet in both frames: some of these `sample` looks at.
        between: see `Method.between`. before, now: the pairs that meet in the frames. Raises Cancelled."""
        before = Met(*(np.sort(each[each != NO_PAIR]) for each in map(self.numbered_now, before)))
        inside = before.inside[is_among(before.inside, now.inside)]     # surfaces may be apart, and come together
        met_before, met_now = (each.codes[~is_among(each.codes, inside)] for each in (before, now))
        self.met_now, self.worse = met_now, np.union1d(before.worse, now.worse)
        self.staying = met_now[is_among(met_now, met_before) & ~is_among(met_now, self.worse)]
        coming = between(self.first, self.last, lambda a, b: self.allows_of(a, b, met_before, among=False), run)
        came = coded(self.numbers[coming.a], self.numbers[coming.b])
        left = np.sort(np.concatenate([met_before, came]))
        left = left[~is_among(left, met_now)]
        which = self.movers_of(left)
        if len(which) == 0 and len(came) == 0:      # most intervals of most scenes
            return Between(came, came, coming.toi, coming.toi, 0.0, *self._objects_of(coming))
        going = between(self.last.only(which), self.first.only(which), lambda a, b: self.allows_of(a, b, left), run)
        return Between(*self.times(coming, going), largest_tolerance(coming, going), *self._objects_of(coming))

    def numbered_now(self, codes: np.ndarray) -> np.ndarray:
        """(k,) int64: pairs of the frame before by the numbers that their objects have now; NO_PAIR for those of which
        one is not here any more."""
        if np.array_equal(self._numbers_then, self.numbers):
            return codes
        then = codes >> OBJECT_BITS, codes & ((1 << OBJECT_BITS) - 1)
        now = np.full(1 + max(each.max(initial=0) for each in (*then, self._numbers_then)), -1)
        now[self._numbers_then] = self.numbers
        a, b = now[then[0]], now[then[1]]
        return np.where((a >= 0) & (b >= 0), coded(a, b), NO_PAIR)

    def _objects_of(self, found: FirstContacts) -> tuple[np.ndarray, np.ndarray]:
        """Those that could not be followed, and those that turn far: (m,) int64 each, as in Between."""
        return self.objects[found.lost], self.objects[found.turned]

    def times(self, coming: FirstContacts, going: FirstContacts) -> tuple[np.ndarray, np.ndarray, np.ndarray,
                                                                          np.ndarray]:
        """(a, b, start, end), (k,) each, as in Between: of pairs that come together, forwards and backwards."""
        start, end = self.frames
        came, went = (coded(self.numbers[each.a], self.numbers[each.b]) for each in (coming, going))
        codes = np.union1d(came, went)
        first, last = np.full((2, len(codes)), np.nan)
        first[np.searchsorted(codes, came)] = start + coming.toi * (end - start)
        last[np.searchsorted(codes, went)] = end - going.toi * (end - start)
        both = ~np.isnan(first) & ~np.isnan(last)
        last[both] = np.maximum(last[both], first[both])    # each may be early, in its direction
        a, b = np.sort([self.objects[each] for each in self.sides(codes)], axis=0)
        return a, b, first, last

    def allows(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) bool: pairs of positions that may be tested."""
        return self._selection.allows(self.places[a], self.places[b])

    def allows_of(self, a: np.ndarray, b: np.ndarray, codes: np.ndarray, among: bool = True) -> np.ndarray:
        """(k,) bool: pairs of positions that may be tested, and that are among these codes, ascending, or are not."""
        mask = is_among(coded(self.numbers[a], self.numbers[b]), codes) == among
        if mask.any():
            mask &= self.allows(a, b)
        return mask

    def movers_of(self, codes: np.ndarray) -> np.ndarray:
        """(m,) int64, ascending: positions of the objects of those pairs of which one moves."""
        if len(codes) == 0:
            return np.zeros(0, np.int64)
        a, b = self.sides(codes)
        known = (a >= 0) & (b >= 0)
        a, b = a[known], b[known]
        moving = ~(self.rests[a] & self.rests[b])
        return np.unique(np.concatenate([a[moving], b[moving]]))

    def sides(self, codes: np.ndarray) -> list[np.ndarray]:
        """[a, b], (k,) int64 each: positions of the objects of pairs, -1 for those that are none of ours."""
        numbers = codes >> OBJECT_BITS, codes & ((1 << OBJECT_BITS) - 1)
        place = np.full(1 + max(each.max(initial=0) for each in (*numbers, self.numbers)), -1)
        place[self.numbers] = np.arange(len(self.numbers))
        return [place[each] for each in numbers]


def largest_tolerance(*found: FirstContacts) -> float:
    return max(each.tolerance.max(initial=0.0) for each in found)
