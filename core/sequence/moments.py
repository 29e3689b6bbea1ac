# SPDX-License-Identifier: GPL-3.0-or-later
"""How pairs stand between two frames: they are posed and tested at some moments, and the worst one is taken.

Asked of pairs that meet in neither frame, or are inside each other in both, while their surfaces meet, and of those
that touch in a frame or in both, which says nothing of the time between: a box may pass through another one and touch
its far side.
"""
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..arrays import first_of_each
from ..codes import CANNOT_TELL, CONTAINED, CROSSING, NEAR, TOUCHING
from ..contacts import Contacts
from ..continuous.contacts_between import tolerances
from ..continuous.motions import Movement
from ..continuous.staying import stay_on_their_sides
from ..findings import BLANK, badness
from ..report import Report
from ..rules.applied import NO_RULE
from ..rules.outcome import TAKEN_DTYPE
from ..scene import Scene
from ..self_collision.known import SelfReference
from ..tolerance.asked import AUTOMATIC
from .between import Between
from .history import precedes
from .moment import Moment
from .passing import passed_through
from .posing import posed
from .rows import is_among, joined
from .stretch import Meets, Stretch

SAMPLES = (0.5, 0.25, 0.75, 0.0625, 0.9375)     # of the time between first and last contact: there a pair is tested
TO_THE_WALL = (0.25, 0.0625, 0.5, 2.0 ** -6, 2.0 ** -8)     # of what may be inside in one frame and free in the other:
                                                            # how long before, or after, it is free, of that time
FROM_INSIDE = (0.5, 0.25, 0.75, 2.0 ** -6, 2.0 ** -8)       # of what is inside in both: it may cross a wall at first,
                                                            # and be outside until shortly before the end
HIDDEN = 2.0 ** -10         # of the smaller object's size: what touches in a frame may reach so deep unseen,
HIDDEN_BRIEFLY = 0.25       # and is tested at the first moment only where it could reach no deeper than this
SINGLE_TO_DOUBLE = 2.0 ** 22    # how much more vertices err by in single precision than `ObjectMotions.rounding`
UNFOUND = -1
PAIRS_TOGETHER = 1 << 10    # pairs of several intervals that are tested together: each moment has meshes of its own


class Pairs(NamedTuple):
    """Pairs and when they are to be looked at."""

    sides: np.ndarray       # (2,k) int64: positions of the objects
    start: np.ndarray       # (k,) float64, frames
    end: np.ndarray         # (k,)
    touch: np.ndarray       # (k,) bool: in a frame or in both, and are no worse in either
    inside: np.ndarray      # (k,) bool: contained in both
    leaves: np.ndarray      # (k,) bool: contained in one, or not to be told, and touch in the other or do not meet
    interval: np.ndarray    # (k,) int64: the number of the interval
    row: np.ndarray         # (k,) int64, of Meets; UNFOUND for others

    def take(self, rows: np.ndarray) -> "Pairs":
        return Pairs(*(each[..., rows] for each in self))


NOBODY = Pairs(np.zeros((2, 0), np.int64), *np.zeros((2, 0)), *np.zeros((3, 0), bool), *np.zeros((2, 0), np.int64))


class Moments(NamedTuple):
    """When pairs are looked at, each once or several times."""

    row: np.ndarray         # (m,) int64, of the pair
    number: np.ndarray      # (m,) int64, of the moment in SAMPLES
    time: np.ndarray        # (m,) float64, frames


class Posed:
    """The `found.Normals` of contacts in another scene, which stands as things are between two frames."""

    def __init__(self, scene: Scene, objects: np.ndarray):
        """objects: (contacts,) the object a of each contact, as an index in that scene."""
        self._moment, self._objects = Moment(scene, np.zeros(len(scene.objects), np.int64)), objects

    def normals(self, rows: np.ndarray, _objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        return self._moment.normals(rows, self._objects[rows], triangles)


class Worst(NamedTuple):
    """Pairs that are worse between the frames than in both, each as in the worst moment that was tested."""

    scene: Scene            # of all moments
    report: Report          # of it
    pairs: np.ndarray       # (k,) of PAIR_DTYPE, rows of the report; objects by their indices in the later frame
    moments: np.ndarray     # (k,3) float64, see `Between.moments`
    rules: np.ndarray       # (k,) int32: which concerns each, or NO_RULE
    number: np.ndarray      # (k,) int64: of the interval
    taken: np.ndarray       # (m,) of TAKEN_DTYPE: other pairs, that a rule takes away; objects as in `pairs`
    taken_in: np.ndarray    # (m,) int64: the number of the interval

    def intervals(self) -> list[int]:
        """The numbers of those about which it says something."""
        return np.union1d(self.number, self.taken_in).tolist()


def sample(stretch: Stretch, meets: Meets, ask: Callable, rules_of: Callable,
           tolerance: float | str) -> tuple[Meets, list[Worst]]:
    """Test pairs between the frames, after `Stretch.search`. Returns what meets there, as the moments show it, too, and
    the worst ones, those of an interval together.

    ask(scene, pairs, rounding, known): the report of `detect` for these pairs of another scene's objects, where pairs
    that reach into each other by no more than a length are touching, and a SelfReference, or None, says what of objects
    with themselves is no finding. rules_of(a, b): (k,) int32 and (k,) float64, which rule
    concerns pairs of this frame's objects, or NO_RULE, and the depth that it allows. tolerance: as in `detect`.
    """
    known, staying = _coming_or_going(stretch, meets), _staying(stretch)
    wanted, found = Pairs(*(np.concatenate(each, axis=-1) for each in zip(known, staying))), []
    for rows in _parts(wanted.interval):
        sampled = _sample(stretch, wanted.take(rows), ask, rules_of, tolerance)
        if sampled is not None:
            meets = _with(meets, sampled[0])
            found.append(sampled[1])
    return meets, found


def _parts(interval: np.ndarray) -> list[np.ndarray]:
    """Rows of pairs that are tested together: of as many intervals as have at most PAIRS_TOGETHER, or of one. interval:
    (k,) int64, of each pair."""
    if len(interval) <= PAIRS_TOGETHER:
        return [np.arange(len(interval))] if len(interval) else []
    part, size = [0], 0
    for count in np.bincount(interval).tolist():
        more = size > 0 and size + count > PAIRS_TOGETHER
        size = count if more else size + count
        part.append(part[-1] + more)
    part_of = np.array(part[1:])[interval]
    return [rows for rows in (np.flatnonzero(part_of == number) for number in range(part[-1] + 1)) if len(rows)]


def _sample(stretch: Stretch, wanted: Pairs, ask: Callable, rules_of: Callable,
            tolerance: float | str) -> tuple[Pairs, Worst] | None:
    """Those of these pairs that are worse between the frames, and as what; None where no moment is tested."""
    which = np.unique(wanted.sides)
    movement = Movement(stretch.first.taken(which), stretch.last.taken(which))
    places = np.searchsorted(which, wanted.sides)
    samples = np.full(len(wanted.start), len(SAMPLES))
    samples[wanted.touch] = _samples_of_touches(movement, *places[:, wanted.touch].astype(np.int32))
    nothing = _counts_as_touching(movement, places, tolerance)
    samples[_stays_as_it_is(wanted, samples, movement, places, nothing)] = 0
    brush = ~(wanted.touch | wanted.inside | wanted.leaves)     # a wheel that rolls over a floor, and is free in frames
    brush[brush] = stay_on_their_sides(movement, places[0, brush], places[1, brush], nothing[brush])
    samples[brush] = 1
    rows = samples.nonzero()[0]
    wanted, places, samples, brush = wanted.take(rows), places[:, rows], samples[rows], brush[rows]
    if len(rows) == 0:
        return None
    row = np.repeat(np.arange(len(rows)), samples)              # of each moment, and which of its pair's it is
    number = np.arange(len(row)) - np.repeat(np.cumsum(samples) - samples, samples)
    moments = Moments(row, number, _times(wanted, stretch.frames)[row, number])
    begin, end = stretch.frames[:, wanted.interval[row]]
    scene = posed(stretch, movement, wanted.sides[:, row], places[:, row], (moments.time - begin) / (end - begin))
    alone, asked = places[0] == places[1], np.arange(len(scene.objects)).reshape(-1, 2)
    asked[alone[row], 1] -= 1
    light = wanted.touch | brush
    report = _tested(scene, asked, light[row], ask, tolerances(movement, places[0], places[1], None)[light],
                     _known(stretch, wanted.sides[:, row]))
    a, b = stretch.objects[wanted.sides]
    rules, allowed = rules_of(a, b)
    rules = np.where(alone, NO_RULE, rules)
    of_row = moments.row[report.pairs["a"] // 2]
    passing = ~(wanted.touch | wanted.inside | wanted.leaves | brush)
    _tell_what_passed(stretch, movement, wanted, places, passing, report, of_row, tolerance)
    normal = _normal(report.pairs, of_row, rules, allowed)
    pairs, worst, seen = _worst(report, ~normal, wanted.start, moments)
    pairs["a"], pairs["b"] = a, b
    unseen = (brush & ~seen).nonzero()[0]
    pairs["verdict"][unseen] = TOUCHING
    if tolerance == 0.0:
        pairs["exact"][unseen] = TOUCHING
    kept = np.ones(len(rows), bool)
    kept[of_row[normal]] = False                                # no moment shows more than a rule allows,
    kept |= seen                                                # or one does
    unseen = unseen[rules[unseen] != NO_RULE]
    kept[unseen] = False
    of_frames = wanted.touch | wanted.leaves            # of these nothing else is new
    kept &= ~of_frames | (seen & ~np.isin(pairs["verdict"], (NEAR, TOUCHING))
                          & ~(wanted.leaves & np.isin(pairs["verdict"], (CONTAINED, CANNOT_TELL))))
    when = np.stack([wanted.start, wanted.start, worst], axis=1)
    away = normal & ~kept[of_row]
    taken, which = _taken(joined(report.pairs[away], pairs[unseen]), np.append(of_row[away], unseen), pairs, rules)
    return (wanted.take(kept.nonzero()[0]),
            Worst(scene, report, pairs[kept], when[kept], rules[kept], wanted.interval[kept], taken,
                  wanted.interval[which]))


def _with(meets: Meets, pairs: Pairs) -> Meets:
    """Also these pairs. Of those that are known the end is, too, where the frame after does not list them, as a rule
    takes them away there."""
    known, end = pairs.row != UNFOUND, meets.end.copy()
    end[pairs.row[known]] = pairs.end[known]
    return meets._replace(sides=np.concatenate([meets.sides, pairs.sides[:, ~known]], axis=1),
                          start=np.concatenate([meets.start, pairs.start[~known]]),
                          end=np.concatenate([end, pairs.end[~known]]))


def _coming_or_going(stretch: Stretch, meets: Meets) -> Pairs:
    """Of what was found those that meet between the frames only, or are inside each other in both, from first to last
    contact; and those that touch in one of the frames, or are contained in it, from there or until then."""
    codes = stretch.codes(*meets.sides)
    met, still = np.isnan(meets.start), np.isnan(meets.end)     # in the frame before, and in the one after
    passing = ~met & ~is_among(codes, stretch.met_after)
    one_of_both = ~passing & (met ^ still)
    touch = one_of_both & ~is_among(codes, stretch.worse) & (meets.sides[0] != meets.sides[1])
    leaves = one_of_both & is_among(codes, stretch.leaving)
    rows = (passing | touch | leaves).nonzero()[0]
    if len(rows) == 0:
        return NOBODY
    interval = stretch.interval_of(codes[rows])
    first, last = stretch.frames[:, interval]
    met, still, passing, begin, end = (each[rows] for each in (met, still, passing, meets.start, meets.end))
    start = np.where(met, first, begin)
    end = np.where(still, np.where(passing, start, last), end)  # a touch may be seen in one direction only
    inside = is_among(codes[rows], stretch.contained)
    return Pairs(meets.sides[:, rows], start, end, touch[rows], inside, leaves[rows], interval, rows)


def _staying(stretch: Stretch) -> Pairs:
    """Those that touch in both frames, or in one and are contained in the other, and of which one moves."""
    if len(stretch.staying) == 0:           # most intervals of most scenes
        return NOBODY
    (a, b), interval = stretch.sides_of(stretch.staying), stretch.interval_of(stretch.staying)
    rows = ((a >= 0) & (b >= 0) & (a != b)).nonzero()[0]
    rows = rows[~(stretch.rests[a[rows]] & stretch.rests[b[rows]])]
    rows = rows[stretch.allows(a[rows], b[rows])]
    start, end = stretch.frames[:, interval[rows]]
    leaves, unfound = is_among(stretch.staying[rows], stretch.leaving), np.full(len(rows), UNFOUND)
    return Pairs(np.stack([a[rows], b[rows]]), start, end, ~leaves, np.zeros(len(rows), bool), leaves, interval[rows],
                 unfound)


def _times(wanted: Pairs, frames: np.ndarray) -> np.ndarray:
    """(k,len(SAMPLES)) float64: when these pairs are to be tested, in frames. frames: (2,intervals), as in Stretch."""
    share, back = np.tile(SAMPLES, (len(wanted.start), 1)), np.array(TO_THE_WALL)
    leaves = wanted.leaves & (wanted.row != UNFOUND)
    first = (wanted.start == frames[0, wanted.interval])[:, None]       # it is contained, or free, in the earlier frame
    share[leaves] = np.where(first, 1.0 - back, back)[leaves]
    share[wanted.inside] = FROM_INSIDE
    return wanted.start[:, None] + (wanted.end - wanted.start)[:, None] * share


def _samples_of_touches(movement: Movement, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) int64: at how many moments to test pairs that touch, by how deep they could reach into each other and be out
    again: half of how far they move, and no farther than their boxes overlap along some direction all the while. None
    for those of which one could not be followed: another note names these. a, b: (k,) int32."""
    size = np.minimum(movement.sizes(a), movement.sizes(b))
    reach = 0.5 * (movement.motions.speed[a] + movement.motions.speed[b])
    samples = np.full(len(a), len(SAMPLES))
    for part, enough in ((HIDDEN_BRIEFLY, 1), (HIDDEN, 0)):
        shallow = reach <= part * size
        rows = (~shallow).nonzero()[0]
        shallow[rows] = movement.apart(a[rows], b[rows], part * size[rows])
        samples[shallow] = enough
    samples[~(movement.followed[a] & movement.followed[b])] = 0
    return samples


def _counts_as_touching(movement: Movement, places: np.ndarray, tolerance: float | str) -> np.ndarray:
    """(k,) float64: how deep pairs may reach into each other and count as touching all the same. places: (2,k), of
    their objects in the movement; tolerance: as in `detect`."""
    a, b = places
    least = tolerances(movement, a, b, None)
    if tolerance == AUTOMATIC:
        return np.maximum(least, SINGLE_TO_DOUBLE * (movement.motions.rounding[a] + movement.motions.rounding[b]))
    return np.maximum(least, tolerance)


def _stays_as_it_is(wanted: Pairs, samples: np.ndarray, movement: Movement, places: np.ndarray,
                    nothing: np.ndarray) -> np.ndarray:
    """(m,) int64: those pairs that touch, and whose surfaces reach through each other no deeper than HIDDEN, and those
    that are contained in a frame, and whose surfaces do not, however far they move. samples: (k,) int64, at how many
    moments they would be tested; nothing: (k,) float64, the depth that is none; places: as above."""
    rows = ((wanted.touch | wanted.inside | wanted.leaves) & (samples > 0)).nonzero()[0]
    a, b = places[:, rows]
    hidden = HIDDEN * np.minimum(movement.sizes(a), movement.sizes(b))
    return rows[stay_on_their_sides(movement, a, b, np.where(wanted.touch[rows], hidden, nothing[rows]))]


def _known(stretch: Stretch, sides: np.ndarray) -> SelfReference | None:
    """What of objects with themselves is no finding, by the objects of moments. sides: (2,m), as in Pairs."""
    reference = stretch.intervals[0].known
    if reference is None:
        return None
    alone = (sides[0] == sides[1]).nonzero()[0].tolist()
    of = {2 * k: reference.known.get(int(stretch.objects[sides[0, k]])) for k in alone}
    return replace(reference, known={k: known for k, known in of.items() if known is not None})


def _tested(scene: Scene, pairs: np.ndarray, touch: np.ndarray, ask: Callable, rounding: np.ndarray,
            known: SelfReference | None) -> Report:
    """The report of all pairs (m,2) at their moments: of objects 2 * k and 2 * k + 1 of the scene in moment k. touch:
    (m,) bool, as in Pairs; rounding: (…,) float64, of these: where objects slide along each other, that of their poses
    is no finding."""
    reports = [ask(scene, pairs[which], length, known) for which, length in
               ((~touch, 0.0), (touch, rounding.max(initial=0.0))) if which.any()]
    if len(reports) == 1:
        return reports[0]
    first, second = reports
    rows = second.pairs.copy()
    rows["contact_start"] += len(first.contacts)
    contacts = [first.contacts, second.contacts.take(slice(None))]
    contacts[1].pair = contacts[1].pair + np.int32(len(first.pairs))
    return Report(first.method, first.settings, [], [], np.concatenate([first.pairs, rows]), Contacts.join(contacts))


def _tell_what_passed(stretch: Stretch, movement: Movement, wanted: Pairs, places: np.ndarray, asked: np.ndarray,
                      report: Report, of_row: np.ndarray, tolerance: float | str) -> None:
    """Call pairs crossing that touch in all their moments, and have passed through each other. places: as in
    `_counts_as_touching`; asked: (k,) bool, those that may have; of_row: (rows of the report,) int64, the pair of each;
    tolerance: as in `detect`."""
    worst = np.zeros(len(asked), bool)
    worst[of_row[~np.isin(report.pairs["verdict"], (NEAR, TOUCHING))]] = True
    rows = np.intersect1d(np.flatnonzero(asked & ~worst), of_row)
    if len(rows) == 0:
        return
    places, meet = places[:, rows], np.stack([wanted.start[rows], wanted.end[rows]])
    passed = rows[passed_through(stretch, movement, wanted.sides[:, rows], places, meet,
                                 stretch.frames[:, wanted.interval[rows]],
                                 _counts_as_touching(movement, places, tolerance))]
    through = np.isin(of_row, passed)
    report.pairs["verdict"][through] = report.pairs["exact"][through] = CROSSING
    for figure in ("gap", "gap_points", "depth", "depth_upper", "depth_points"):
        report.pairs[figure][through] = np.nan          # none tells how far


def _normal(pairs: np.ndarray, which: np.ndarray, rules: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """(m,) bool: rows of the report of moments that a rule takes away, as `Applied.tolerated` does in frames. which:
    (m,), the pair of each; rules, allowed: (k,), of the pairs."""
    shallow = (pairs["verdict"] == TOUCHING) | (pairs["depth_upper"] <= allowed[which])
    return (rules[which] != NO_RULE) & shallow & (pairs["verdict"] != CANNOT_TELL)


def _taken(rows: np.ndarray, which: np.ndarray, pairs: np.ndarray, rules: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(taken, which): (m,) of TAKEN_DTYPE, pairs that a rule takes away in moments, each as in the deepest one, and
    which pairs they are, (m,) int64. rows: of PAIR_DTYPE, these moments; which: the pair of each; pairs, rules: (k,),
    of all pairs."""
    order = np.lexsort((-np.nan_to_num(rows["depth"]), which))
    which, first = np.unique(which[order], return_index=True)
    taken, rows = np.zeros(len(which), TAKEN_DTYPE), rows[order[first]]
    taken["a"], taken["b"], taken["rule"], taken["tested"] = pairs["a"][which], pairs["b"][which], rules[which], True
    for name in ("verdict", "depth", "depth_upper"):
        taken[name] = rows[name]
    return taken, which


def _worst(report: Report, counts: np.ndarray, start: np.ndarray, moments: Moments) -> tuple[np.ndarray, np.ndarray,
                                                                                             np.ndarray]:
    """(pairs, when, seen): (k,) of PAIR_DTYPE, each pair as in its worst moment, that time, (k,) float64, and whether
    any counts. counts: (m,) bool, rows of the report; start: (k,), the time where none does."""
    pairs, when = np.repeat(BLANK, len(start)), start.copy()
    pairs["verdict"] = pairs["exact"] = CROSSING        # of what meets for an instant, which no sample shows
    worst = np.full((len(start), 5), np.inf)
    best = np.full(len(start), -1)
    bad, which = badness(report.pairs), report.pairs["a"] // 2
    for number in range(len(SAMPLES)):                  # the middle first: of equal ones it stays
        here = (counts & (moments.number[which] == number)).nonzero()[0]
        at = moments.row[which[here]]
        worse = precedes(bad[here], worst[at])
        worst[at[worse]], best[at[worse]] = bad[here[worse]], here[worse]
        when[at[worse]] = moments.time[which[here[worse]]]
    seen = best >= 0
    pairs[seen] = report.pairs[best[seen]]
    return pairs, when, seen


def put(worst: Worst, betweens: dict[int, Between]) -> None:
    """Let these pairs be what passes in their intervals, and what rules take away there; these have no others."""
    for number in np.unique(worst.taken_in).tolist():
        betweens[number].taken = worst.taken[worst.taken_in == number]
    for number in np.unique(worst.number).tolist():
        rows, found = worst.number == number, betweens[number]
        pairs, found.moments, found.rules = worst.pairs[rows], worst.moments[rows], worst.rules[rows]
        listed = pairs["contacts"].astype(np.int64)
        contacts = worst.report.contacts.take(first_of_each(pairs["contact_start"], listed))
        found.normals = Posed(worst.scene, worst.report.pairs["a"][contacts.pair])
        contacts.pair = np.repeat(np.arange(len(pairs), dtype=np.int32), listed)
        pairs["contact_start"] = np.cumsum(listed) - listed
        found.passing = Report(worst.report.method, worst.report.settings, [], [], pairs, contacts)
