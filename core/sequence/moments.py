# SPDX-License-Identifier: GPL-3.0-or-later
"""How pairs stand between two frames: they are posed and tested at some moments, and the worst one is taken.

Asked of pairs that meet in neither frame, or are inside each other in both, while their surfaces meet, and of those
that touch in a frame or in both, which says nothing of the time between: a box may pass through another one and touch
its far side.
"""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..codes import CANNOT_TELL, CROSSING, NEAR, TOUCHING
from ..contacts import Contacts
from ..continuous.contacts_between import tolerances
from ..continuous.motions import Movement
from ..findings import BLANK, badness
from ..report import Report
from ..rules.applied import NO_RULE
from ..scene import Scene
from ..search.contact_budget import first_of_each
from .between import Between, Interval
from .history import precedes
from .moment import Moment
from .rows import coded, is_among

SAMPLES = (0.5, 0.25, 0.75, 0.0625, 0.9375)     # of the time between first and last contact: there a pair is tested
HIDDEN = 2.0 ** -10         # of the smaller object's size: what touches in a frame may reach so deep unseen,
HIDDEN_BRIEFLY = 0.25       # and is tested at the first moment only where it could reach no deeper than this
UNFOUND = -1


class Pairs(NamedTuple):
    """Pairs and when they are to be looked at."""

    sides: np.ndarray       # (2,k) int64: positions of the objects
    start: np.ndarray       # (k,) float64, frames
    end: np.ndarray         # (k,)
    touch: np.ndarray       # (k,) bool: in a frame or in both, and are no worse in either
    row: np.ndarray         # (k,) int64, of `Between`; UNFOUND for others

    def take(self, rows: np.ndarray) -> "Pairs":
        return Pairs(self.sides[:, rows], *(each[rows] for each in self[1:]))


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


def sample(interval: Interval, found: Between, ask: Callable, rules_of: Callable) -> None:
    """Test pairs between the frames, after `Interval.search`, and set `passing` and what belongs to it.

    ask(scene, pairs, rounding): the report of `detect` for these pairs of another scene's objects, where pairs that
    reach into each other by no more than a length are touching. rules_of(a, b): (k,) int32 and (k,) float64, which rule
    concerns pairs of this frame's objects, or NO_RULE, and the depth that it allows.
    """
    known, staying = _coming_or_going(interval, found), _staying(interval)
    wanted = Pairs(*(np.concatenate(each, axis=-1) for each in zip(known, staying)))
    if len(wanted.start) == 0:
        return
    which = np.unique(wanted.sides)
    movement = Movement(interval.first.taken(which), interval.last.taken(which))
    places = np.searchsorted(which, wanted.sides)
    samples = np.full(len(wanted.start), len(SAMPLES))
    samples[wanted.touch] = _samples_of_touches(movement, *places[:, wanted.touch].astype(np.int32))
    rows = samples.nonzero()[0]
    wanted, places, samples = wanted.take(rows), places[:, rows], samples[rows]
    if len(rows) == 0:
        return
    row = np.repeat(np.arange(len(rows)), samples)              # of each moment, and which of its pair's it is
    number = np.arange(len(row)) - np.repeat(np.cumsum(samples) - samples, samples)
    part = np.array(SAMPLES)[number]
    moments = Moments(row, number, wanted.start[row] + (wanted.end - wanted.start)[row] * part)
    scene = _posed(interval, movement, wanted.sides[:, row], places[:, row], moments.time)
    report = _tested(scene, wanted.touch[row], ask, tolerances(movement, places[0], places[1], None)[wanted.touch])
    a, b = interval.objects[wanted.sides]
    rules, allowed = rules_of(a, b)
    normal = _normal(report.pairs, moments.row[report.pairs["a"] // 2], rules, allowed)
    pairs, worst, seen = _worst(report, ~normal, wanted.start, moments)
    pairs["a"], pairs["b"] = a, b
    kept = np.ones(len(rows), bool)
    kept[moments.row[report.pairs["a"][normal] // 2]] = False   # no moment shows more than a rule allows,
    kept |= seen                                                # or one does
    kept &= ~wanted.touch | (seen & ~np.isin(pairs["verdict"], (NEAR, TOUCHING)))     # of others nothing is new
    _put(found, scene, report, pairs[kept], np.stack([wanted.start, wanted.start, worst], axis=1)[kept], rules[kept])
    new = wanted.row == UNFOUND
    for name, more in (("a", a), ("b", b), ("start", wanted.start), ("end", wanted.end)):
        setattr(found, name, np.concatenate([getattr(found, name), more[kept & new]]))
    known_too = kept & ~new         # also where the frame after does not list them, as a rule takes them away there
    found.end[wanted.row[known_too]] = wanted.end[known_too]


def _coming_or_going(interval: Interval, found: Between) -> Pairs:
    """Of what was found those that meet between the frames only, or are inside each other in both, from first to last
    contact; and those that touch in one of the frames, from there or until then."""
    codes = coded(interval.now.numbers[found.a], interval.now.numbers[found.b])
    met, meets = np.isnan(found.start), np.isnan(found.end)
    passing = ~met & ~is_among(codes, interval.met_now)
    touch = ~passing & (met ^ meets) & ~is_among(codes, interval.worse)
    rows = (passing | touch).nonzero()[0]
    first, last = interval.frames
    start = np.where(met, first, found.start)
    end = np.where(meets, np.where(passing, start, last), found.end)    # a touch may be seen in one direction only
    sides = np.searchsorted(interval.objects, np.stack([found.a[rows], found.b[rows]]))
    return Pairs(sides, start[rows], end[rows], touch[rows], rows)


def _staying(interval: Interval) -> Pairs:
    """Those that touch in both frames, and of which one moves."""
    if len(interval.staying) == 0:          # most intervals of most scenes
        return Pairs(np.zeros((2, 0), np.int64), np.zeros(0), np.zeros(0), np.zeros(0, bool), np.zeros(0, np.int64))
    a, b = np.sort(interval.sides(interval.staying), axis=0)
    rows = ((a >= 0) & (a != b)).nonzero()[0]
    rows = rows[~(interval.rests[a[rows]] & interval.rests[b[rows]])]
    rows = rows[interval.allows(a[rows], b[rows])]
    start, end = np.repeat(np.array(interval.frames)[:, None], len(rows), axis=1)
    return Pairs(np.stack([a[rows], b[rows]]), start, end, np.ones(len(rows), bool), np.full(len(rows), UNFOUND))


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


def _tested(scene: Scene, touch: np.ndarray, ask: Callable, rounding: np.ndarray) -> Report:
    """The report of all pairs at their moments: objects 2 * k and 2 * k + 1 of the scene in moment k. touch: (m,) bool,
    as in Pairs; rounding: (…,) float64, of these: where objects slide along each other, that of their poses is no
    finding."""
    pairs = np.arange(len(scene.objects)).reshape(-1, 2)
    reports = [ask(scene, pairs[which], length) for which, length in
               ((~touch, 0.0), (touch, rounding.max(initial=0.0))) if which.any()]
    if len(reports) == 1:
        return reports[0]
    first, second = reports
    rows = second.pairs.copy()
    rows["contact_start"] += len(first.contacts)
    contacts = [first.contacts, second.contacts.take(slice(None))]
    contacts[1].pair = contacts[1].pair + np.int32(len(first.pairs))
    return Report(first.method, first.settings, [], [], np.concatenate([first.pairs, rows]), Contacts.join(contacts))


def _normal(pairs: np.ndarray, which: np.ndarray, rules: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """(m,) bool: rows of the report of moments that a rule takes away, as `Applied.tolerated` does in frames. which:
    (m,), the pair of each; rules, allowed: (k,), of the pairs."""
    shallow = (pairs["verdict"] == TOUCHING) | (pairs["depth_upper"] <= allowed[which])
    return (rules[which] != NO_RULE) & shallow & (pairs["verdict"] != CANNOT_TELL)


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


def _put(found: Between, scene: Scene, report: Report, pairs: np.ndarray, moments: np.ndarray,
         rules: np.ndarray) -> None:
    """Let these rows of the report be what passes."""
    found.moments, found.rules = moments, rules
    listed = pairs["contacts"].astype(np.int64)
    contacts = report.contacts.take(first_of_each(pairs["contact_start"], listed))
    found.normals = Posed(scene, report.pairs["a"][contacts.pair])
    contacts.pair = np.repeat(np.arange(len(pairs), dtype=np.int32), listed)
    pairs["contact_start"] = np.cumsum(listed) - listed
    found.passing = Report(report.method, report.settings, [], [], pairs, contacts)


def _posed(interval: Interval, movement: Movement, sides: np.ndarray, places: np.ndarray, times: np.ndarray) -> Scene:
    """Two objects for each moment, where they are then. sides: positions of a and of b, (2,m); places: (2,m), of these
    in the movement; times: (m,)."""
    start, end = interval.frames
    positions, places = sides.T.ravel(), places.T.ravel()
    every = np.repeat((times - start) / (end - start), 2)
    shells = interval.now.layout.shell[interval.objects[positions]].tolist()
    scene, meshes = Scene(), dict[int, int]()
    poses = _poses(movement, places, every)
    for number, (k, position) in enumerate(zip(places.tolist(), positions.tolist())):
        triangles = interval.first.triangles[position]
        if movement.linear[k]:
            one, other = movement.world_ends(k)
            mesh, pose = scene.add_mesh((1.0 - every[number]) * one + every[number] * other, triangles), None
        else:
            if k not in meshes:
                meshes[k] = scene.add_mesh(interval.first.vertices[position], triangles)
            mesh, pose = meshes[k], poses[number]
        scene.add_object(mesh, pose, shell=shells[number])
    return scene


def _poses(movement: Movement, objects: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(k,4,4): those of objects that turn, at times from 0 to 1; of others anything. objects: (k,) int64; times: (k,).
    """
    motions, t = movement.motions, times[:, None, None]
    poses, cross = np.zeros((len(objects), 4, 4)), np.zeros((len(objects), 3, 3))
    x, y, z = motions.axis[objects].T
    cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -z, y, -x
    cross[:, 1, 0], cross[:, 2, 0], cross[:, 2, 1] = z, -y, x
    angle = t * motions.angle[objects][:, None, None]
    turned = np.eye(3) + np.sin(angle) * cross + 2.0 * np.sin(0.5 * angle) ** 2 * (cross @ cross)
    stretch, origin = motions.stretch[objects], motions.origin[objects]
    poses[:, :3, :3] = motions.rotation[objects] @ turned @ ((1.0 - t) * stretch[:, 0] + t * stretch[:, 1])
    poses[:, :3, 3] = (1.0 - t[:, 0]) * origin[:, 0] + t[:, 0] * origin[:, 1]
    poses[:, 3, 3] = 1.0
    return poses
