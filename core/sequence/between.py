# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens between two frames: which pairs come together, when, and how they stand meanwhile."""
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..codes import CANNOT_TELL, CROSSING, TOUCHING
from ..continuous.cuts import cut_alike
from ..continuous.motions import Movement
from ..findings import BLANK, Findings, badness
from ..report import Report
from ..rules.applied import NO_RULE
from ..run import Run
from ..scene import Scene
from ..scene.select import Selection
from ..search.contact_budget import first_of_each
from .history import precedes
from .moment import Moment
from .numbered import Normals
from .rows import OBJECT_BITS, coded, is_among

SAMPLES = (0.5, 0.25, 0.75, 0.0625, 0.9375)     # of the time between first and last contact: there a pair is tested


@dataclass(eq=False)
class Between:
    """Pairs whose surfaces meet between two frames and do not meet in one of these, or in neither. Objects by their
    indices in the scene of the later frame, a < b; times are frames."""

    a: np.ndarray               # (k,) int64
    b: np.ndarray               # (k,) int64
    start: np.ndarray           # (k,) float64: the first contact; NaN: they met in the frame before
    end: np.ndarray             # (k,) float64: the last contact; NaN: they meet in the frame after
    tolerance: float            # the surfaces are no farther apart at these times, a length
    lost: np.ndarray            # (m,) int64: objects that could not be followed
    passing: Findings | None = None                 # pairs that meet in neither frame, as in the worst moment sampled
    moments: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))   # of these: start, end, worst moment,
    rules: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))    # and which rule concerns it, or NO_RULE
    normals: Normals | None = None                # of these pairs in that moment


class Posed:
    """The `found.Normals` of contacts in another scene, which stands as things are between two frames."""

    def __init__(self, scene: Scene, objects: np.ndarray):
        """objects: (contacts,) the object a of each contact, as an index in that scene."""
        self._moment, self._objects = Moment(scene, np.zeros(len(scene.objects), np.int64)), objects

    def normals(self, rows: np.ndarray, _objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        return self._moment.normals(rows, self._objects[rows], triangles)


class Interval:
    """The time between two frames, and the objects that were tested in both."""

    def __init__(self, before: Moment, now: Moment, frames: tuple[float, float], selection: Selection,
                 rests: np.ndarray):
        """selection: of the frame now. rests: (n,) bool, objects that certainly do not move."""
        here, there = now.matched(before)
        both = before.tested[there] & now.tested[here]
        here, there = here[both], there[both]
        self.now, self.frames = now, frames
        self.objects, self.numbers, self.rests = here, now.numbers[here], rests[here]
        self._selection, self._place = selection, np.searchsorted(selection.objects, here)
        self.first, self.last = cut_alike(before.instant(there), now.instant(here))

    def search(self, between: Callable, met_before: np.ndarray, met_now: np.ndarray, run: Run) -> Between:
        """Which pairs come together, without those that meet in both frames. between: see `Method.between`. met_before,
        met_now: codes of the pairs that meet in a frame, and of those that need not be asked. Raises Cancelled."""
        start, end = self.frames
        met_before, met_now = np.sort(met_before), np.sort(met_now)
        coming = between(self.first, self.last, lambda a, b: self._allows(a, b, met_before, among=False), run)
        came = coded(self.numbers[coming.a], self.numbers[coming.b])
        left = np.sort(np.concatenate([met_before, came]))
        left = left[~is_among(left, met_now)]
        which = self._movers_of(left)
        if len(which) == 0 and len(came) == 0:      # most intervals of most scenes
            return Between(came, came, coming.toi, coming.toi, 0.0, self.objects[coming.lost])
        going = between(self.last.only(which), self.first.only(which), lambda a, b: self._allows(a, b, left), run)
        went = coded(self.numbers[going.a], self.numbers[going.b])
        codes = np.union1d(came, went)
        first, last = np.full((2, len(codes)), np.nan)
        first[np.searchsorted(codes, came)] = start + coming.toi * (end - start)
        last[np.searchsorted(codes, went)] = end - going.toi * (end - start)
        both = ~np.isnan(first) & ~np.isnan(last)
        last[both] = np.maximum(last[both], first[both])    # each may be early, in its direction
        a, b = np.sort([self.objects[each] for each in self._sides(codes)], axis=0)
        return Between(a, b, first, last, max(coming.tolerance.max(initial=0.0), going.tolerance.max(initial=0.0)),
                       self.objects[coming.lost])

    def _allows(self, a: np.ndarray, b: np.ndarray, codes: np.ndarray, among: bool = True) -> np.ndarray:
        """(k,) bool: pairs of positions that may be tested, and that are among these codes, ascending, or are not."""
        mask = is_among(coded(self.numbers[a], self.numbers[b]), codes) == among
        if mask.any():
            mask &= self._selection.allows(self._place[a], self._place[b])
        return mask

    def _movers_of(self, codes: np.ndarray) -> np.ndarray:
        """(m,) int64, ascending: positions of the objects of those pairs of which one moves."""
        if len(codes) == 0:
            return np.zeros(0, np.int64)
        a, b = self._sides(codes)
        known = (a >= 0) & (b >= 0)
        a, b = a[known], b[known]
        moving = ~(self.rests[a] & self.rests[b])
        return np.unique(np.concatenate([a[moving], b[moving]]))

    def _sides(self, codes: np.ndarray) -> list[np.ndarray]:
        """[a, b], (k,) int64 each: positions of the objects of pairs, -1 for those that are none of ours."""
        numbers = codes >> OBJECT_BITS, codes & ((1 << OBJECT_BITS) - 1)
        place = np.full(1 + max(each.max(initial=0) for each in (*numbers, self.numbers)), -1)
        place[self.numbers] = np.arange(len(self.numbers))
        return [place[each] for each in numbers]

    def sample(self, found: Between, met_now: np.ndarray, ask: Callable, rules_of: Callable) -> None:
        """Test pairs that meet in neither frame while they do, and set `passing` and `moments`.

        ask(scene, pairs): the report of `detect` for these pairs of another scene's objects. rules_of(a, b): (k,) int32
        and (k,) float64, which rule concerns pairs of this frame's objects, or NO_RULE, and the depth that it allows.
        """
        if len(found.a) == 0:
            return
        codes = coded(self.now.numbers[found.a], self.now.numbers[found.b])
        rows = (~np.isnan(found.start) & ~is_among(codes, np.sort(met_now))).nonzero()[0]
        if len(rows) == 0:
            return
        start = found.start[rows]
        end = np.where(np.isnan(found.end[rows]), start, found.end[rows])
        found.moments = np.stack([start, end, start], axis=1)
        a, b = found.a[rows], found.b[rows]
        sides = [np.searchsorted(self.objects, each) for each in (a, b)]
        times = start[:, None] + (end - start)[:, None] * np.array(SAMPLES)             # (k,samples)
        scene, asked = self._posed(sides, times)
        report = ask(scene, asked)
        pairs = np.repeat(BLANK, len(rows))
        pairs["verdict"] = pairs["exact"] = CROSSING        # of what meets for an instant, which no sample shows
        worst = np.full((len(rows), 5), np.inf)
        best = np.full(len(rows), -1)
        bad, which = badness(report.pairs), report.pairs["a"] // 2
        for number in range(len(SAMPLES)):                  # the middle first: of equal ones it stays
            here = (which % len(SAMPLES) == number).nonzero()[0]
            at = which[here] // len(SAMPLES)
            worse = precedes(bad[here], worst[at])
            worst[at[worse]], best[at[worse]] = bad[here[worse]], here[worse]
            found.moments[at[worse], 2] = times[at[worse], number]
        seen = (best >= 0).nonzero()[0]
        pairs[seen] = report.pairs[best[seen]]
        pairs["a"], pairs["b"] = a, b
        rules, allowed = rules_of(a, b)
        shallow = (pairs["verdict"] == TOUCHING) | (pairs["depth_upper"] <= allowed)
        kept = (rules == NO_RULE) | (pairs["verdict"] == CANNOT_TELL) | ~shallow
        pairs, found.moments, found.rules = pairs[kept], found.moments[kept], rules[kept]
        listed = pairs["contacts"].astype(np.int64)
        contacts = report.contacts.take(first_of_each(pairs["contact_start"], listed))
        found.normals = Posed(scene, report.pairs["a"][contacts.pair])
        contacts.pair = np.repeat(np.arange(len(pairs), dtype=np.int32), listed)
        pairs["contact_start"] = np.cumsum(listed) - listed
        found.passing = Report(report.method, report.settings, [], [], pairs, contacts)

    def _posed(self, sides: list[np.ndarray], times: np.ndarray) -> tuple[Scene, np.ndarray]:
        """(scene, pairs): two objects for each pair and time, where they are then. sides: positions of a and of b,
        (k,) each; times: (k,samples)."""
        which = np.unique(np.concatenate(sides))
        movement = Movement(self.first.taken(which), self.last.taken(which))
        start, end = self.frames
        positions = np.repeat(np.stack(sides, axis=1)[:, None], times.shape[1], axis=1)     # (k,samples,2)
        every = np.repeat(((times - start) / (end - start)).ravel(), 2)                     # (objects,)
        places = np.searchsorted(which, positions.ravel())
        shells = self.now.layout.shell[self.objects[positions.ravel()]].tolist()
        scene, meshes = Scene(), dict[int, int]()
        poses = _poses(movement, places, every)
        for number, (k, position) in enumerate(zip(places.tolist(), positions.ravel().tolist())):
            triangles = self.first.triangles[position]
            if movement.linear[k]:
                one, other = movement.world_ends(k)
                mesh, pose = scene.add_mesh((1.0 - every[number]) * one + every[number] * other, triangles), None
            else:
                if k not in meshes:
                    meshes[k] = scene.add_mesh(self.first.vertices[position], triangles)
                mesh, pose = meshes[k], poses[number]
            scene.add_object(mesh, pose, shell=shells[number])
        return scene, np.arange(2 * times.size).reshape(-1, 2)


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
