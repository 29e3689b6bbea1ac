# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs come within their clearance between two frames, when, and how near they come there."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..codes import NEAR, TOUCHING
from ..contacts import Contacts
from ..continuous.near_between import LeastGaps, least_gaps, near_between
from ..distance.asked import Clearance
from ..distance.gaps import within
from ..findings import BLANK, Findings
from ..rules.applied import NO_RULE
from ..run import Run
from .between import Between, NearTimes
from .numbered import StoredNormals
from .rows import coded, is_among, joined, times_of
from .stretch import Stretch, largest_tolerance


class Listed(NamedTuple):
    """Pairs that a frame lists, or that a rule took away in it: codes, (k,) int64, ascending."""

    codes: np.ndarray
    gap: np.ndarray         # (k,) float64: of those that are near; NaN: they are worse, or taken away

    @classmethod
    def of(cls, pairs: np.ndarray, taken: np.ndarray, numbers: np.ndarray | None = None) -> "Listed":
        """numbers: of the objects that the rows of a report speak of; None: they speak of numbers."""
        sides = [np.concatenate([pairs[side], taken[side]]) for side in "ab"]
        codes = coded(*(sides if numbers is None else (numbers[side] for side in sides)))
        gap = np.concatenate([np.where(pairs["verdict"] == NEAR, pairs["gap"], np.nan), np.full(len(taken), np.nan)])
        order = codes.argsort()
        return cls(codes[order], gap[order])

    @property
    def near(self) -> np.ndarray:
        return self.codes[~np.isnan(self.gap)]

    @property
    def worse(self) -> np.ndarray:
        return self.codes[np.isnan(self.gap)]

    def gaps(self, codes: np.ndarray) -> np.ndarray:
        """(n,) float64: of pairs, infinity where none is known."""
        found = np.full(len(codes), np.inf)
        known = is_among(codes, self.codes)
        found[known] = self.gap[np.searchsorted(self.codes, codes[known])]
        return found


def find_gaps(stretch: Stretch, found: Between, clearance: Clearance, rules_of: Callable, tolerated: Callable,
              run: Run) -> None:
    """Look for pairs that come within their clearance between two frames, after `moments.sample`: set `near`, and add
    to `passing` those that do not meet and are nearer there than in both frames.

    stretch: of one interval. clearance: of its objects. rules_of: as in `sample`; pairs that a rule
    concerns are clear while they are only near. tolerated(a, b): (k,) float64, the tolerances of pairs of positions.
    Raises Cancelled.
    """
    objects = stretch.objects
    interval = stretch.intervals[0]
    before, after = Listed.of(*interval.before), Listed.of(*interval.after, interval.now.numbers)
    wish = np.full(len(objects), clearance.of_all) if clearance.own is None else clearance.own

    def allows(a, b, codes, among=False):
        mask = stretch.allows_of(a, b, codes, among)
        mask[mask] = rules_of(objects[a[mask]], objects[b[mask]])[0] == NO_RULE
        return mask

    coming = near_between(stretch.first, stretch.last, wish, lambda a, b: allows(a, b, before.codes), run)
    came = stretch.codes(coming.a, coming.b)
    left = np.union1d(before.codes, came)
    left = left[~is_among(left, after.codes)]
    which = stretch.movers_of(left)
    going = coming.none()
    if len(which):
        going = near_between(stretch.last.only(which), stretch.first.only(which), wish,
                             lambda a, b: allows(a, b, left, among=True), run)
    near, start, end = stretch.times(coming, going)
    codes = stretch.codes(*near)
    briefly = ~np.isnan(start) & np.isnan(end) & ~is_among(codes, after.codes)      # seen in one direction only
    end[briefly] = start[briefly]
    found.tolerance = max(found.tolerance, largest_tolerance(coming, going))
    found.lost = np.union1d(found.lost, objects[coming.lost])
    a, b = objects[near]
    opens = times_of(a, b, start, end)
    if found.passing is not None:
        found.moments[:, 0] = np.fmin(found.moments[:, 0], opens(found.passing.pairs["a"], found.passing.pairs["b"])[0])
    sides, known = _candidates(stretch, found, came, before, after, allows)
    least = least_gaps(stretch.first, stretch.last, sides[0], sides[1], wish[sides].max(axis=0), known, run)
    rows = np.isfinite(least.gap).nonzero()[0]
    found.near = NearTimes(a, b, start, end, least.slack[rows].max(initial=0.0))
    if len(rows):
        _add(stretch, found, sides[:, rows], LeastGaps(*(each[rows] for each in least)), opens, tolerated)


def _candidates(stretch: Stretch, found: Between, came: np.ndarray, before: Listed, after: Listed,
                allows: Callable) -> tuple[np.ndarray, np.ndarray]:
    """(sides, known): pairs that are near in a frame or between, and meet nowhere: (2,k) int32, positions, a < b; and
    (k,) float64, the lesser one of their gaps in both frames, infinity where they have none."""
    numbers = stretch.intervals[0].now.numbers
    meets = np.unique(np.concatenate([coded(numbers[found.a], numbers[found.b]), before.worse, after.worse]))
    codes = np.unique(np.concatenate([came, before.near, after.near]))
    codes = codes[~is_among(codes, meets)]
    a, b = stretch.sides_of(codes)
    known = (a >= 0) & (b >= 0)
    known[known] = allows(a[known], b[known], meets)
    codes = codes[known]
    return np.stack([a[known], b[known]]).astype(np.int32), np.minimum(before.gaps(codes), after.gaps(codes))


def _add(stretch: Stretch, found: Between, sides: np.ndarray, least: LeastGaps, opens: Callable,
         tolerated: Callable) -> None:
    """Add pairs as they are where they come nearest. sides: (2,k), positions; opens: when they come near."""
    (start,), (end,) = stretch.frames
    pairs = np.full(sides.shape[1], BLANK)
    pairs["a"], pairs["b"] = stretch.objects[sides]
    pairs["gap"], pairs["gap_points"] = least.gap, least.points
    pairs["tolerance"] = tolerated(*sides)
    pairs["exact"] = NEAR
    pairs["verdict"] = np.where(least.gap <= within(pairs["tolerance"]), TOUCHING, NEAR)
    worst = start + least.when * (end - start)
    since = np.fmin(opens(pairs["a"], pairs["b"])[0], worst)    # of what was near before the interval has begun
    moments = np.stack([since, np.where(pairs["verdict"] == NEAR, np.nan, worst), worst], axis=1)
    rules = np.full(len(pairs), NO_RULE, np.int32)
    if found.passing is None:
        found.normals = StoredNormals(np.zeros((0, 3)))
        found.passing = Findings("", {}, [], [], pairs, Contacts.empty())
        found.moments, found.rules = moments, rules
        return
    found.passing.pairs = joined(found.passing.pairs, pairs)
    found.moments, found.rules = np.concatenate([found.moments, moments]), np.concatenate([found.rules, rules])
