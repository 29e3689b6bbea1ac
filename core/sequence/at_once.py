# SPDX-License-Identifier: GPL-3.0-or-later
"""`AtOnce`: frames of a few objects, tested together.

Kernels need some microseconds for such a frame, and calling them thirty times as long. So several frames are one scene,
in which what moves is there once for each of them, and is tested against what is in the same one only. What rests in
all of them is there once.
"""
from collections.abc import Callable, Iterator
from operator import is_
from typing import Any, NamedTuple

import numpy as np

from ..arrays import starts_of
from ..contacts import Contacts
from ..depth.kept_depths import KEPT_DEPTHS
from ..errors import TooLarge
from ..memory import let_go
from ..pipeline import detect
from ..report import Report
from ..reporting import note_of_shells
from ..rules import RuleSet
from ..rules.applied import NO_RULE
from ..rules.outcome import Outcome
from ..scene import Scene
from ..scene.frames import Frames
from ..scene.select import lend_boxes, world_boxes
from ..trees.bounds import bounds_of_boxes
from ..trees.bvh.forest import quantization_of
from ..trees.bvh.mesh_trees import MeshTrees
from .moment import Moment


class Waits(NamedTuple):
    """A frame that is still to be tested."""

    frame: float
    now: Moment
    rests: np.ndarray           # (n,) bool: objects of which a pair of two is not tested
    question: tuple             # rules and self_reference
    repeats: bool = False       # nothing is different from the frame before: it is not tested at all


class _Batch(NamedTuple):
    """Frames that are tested at once."""

    rows: np.ndarray            # (frames,n) int64 and bool: as in `Frames`
    rests: np.ndarray
    rules: Any                  # and progress: as in `detect`
    template: tuple             # as in `AtOnce.reports`
    progress: Callable | None
    waiting: list[Waits]        # the frames


class AtOnce:
    """How frames of a sweep are tested together. What is said of each is what `detect` says of it, to the last bit."""

    def __init__(self, method: str, how: dict):
        """method, how: of `detect`."""
        self._method, self._how = method, how
        self._made_of: tuple = (None, None, None, None)     # layout, versions, what moves and what bends
        self._scene: Scene
        self._objects: np.ndarray                   # (n,) int64: those that are tested, by their indices
        self._moves: np.ndarray                     # (n,) bool: those that are there once for each frame
        self._first: np.ndarray                     # (n,) int64: the first of each in the scene of several frames
        self._owner: np.ndarray                     # (m,) int64: of each there, its index in the caller's scene,
        self._place: np.ndarray                     # (m,) int64: and which of its own it is
        self._source: np.ndarray                    # (k,) int64: the caller's mesh of each mesh there
        self._bent: list[tuple[int, int]] = []      # meshes that bend: the caller's, and the first one of it there
        self._trees: tuple = (None, None)           # those of the caller, and how often they were built and moved
        self.is_off = False                         # something was to be said of a frame: each is better alone

    def prepare(self, now: Moment, moves: np.ndarray, bends: np.ndarray, capacity: int) -> None:
        """Have a scene for so many frames like this one, which the caller's scene shows now. moves: (n,) bool, objects
        that may move from frame to frame, or have a mesh that does; bends: (meshes,) bool, meshes that may; to be the
        same arrays as long as they have the same values."""
        made_of = now.layout, None if bends.any() else now.versions, moves, bends
        if not all(map(is_, self._made_of, made_of)):
            self._objects = now.tested.nonzero()[0]
            self._moves = moves[self._objects]
            times, mesh_times = np.where(self._moves, capacity, 1), np.where(bends, capacity, 1)
            self._first = starts_of(times)[:-1]
            self._owner = self._objects.repeat(times)
            self._place = np.arange(len(self._owner)) - self._first.repeat(times)
            self._source = np.arange(len(bends)).repeat(mesh_times)
            bent, first = bends.nonzero()[0], starts_of(mesh_times)
            self._bent = list(zip(bent.tolist(), first[bent].tolist()))
            self._scene, self._made_of = now.scene.repeated(self._objects, times, mesh_times), made_of
            lend_boxes(now.scene, self._scene, self._source)
        self._give_trees(now.scene)

    def _give_trees(self, scene: Scene) -> None:
        """Let the scene of several frames have trees of the caller's scene: those that each frame would have by itself,
        where meshes do not lose their order. What bends has one for each frame."""
        trees, cache, own = MeshTrees.of(scene), self._scene.cache, self._scene.meshes
        made_of = trees, (trees.builds, trees.moves, len(trees.members))
        if not self._bent:
            trees.lend(self._scene)
        elif not trees.have(self._source[self._scene.layout.mesh]):
            return                  # a run of the caller's own ended for want of memory: old ones serve, or are built
        elif "mesh trees" not in cache or self._trees[0] is not trees or self._trees[1] != made_of[1]:
            if self._trees[0] is not trees:     # what is known of meshes counts how often others were built
                cache.pop("mesh topology", None)
            self._trees = made_of
            cache.pop("forest", None)
            cache["mesh trees"] = several = trees.repeated(self._source, self._scene.versions)
            for index in trees.others(self._source, [mesh.vertices for mesh in own]):
                several.take(index, own[index].vertices, int(self._scene.versions[index]))
            if "mesh topology" in scene.cache:
                cache["mesh topology"] = scene.cache["mesh topology"].repeated(self._source)

    def _bend(self, waiting: list[Waits]) -> None:
        """Give the meshes that bend the vertices that they have in each of these frames."""
        scene, trees = self._scene, MeshTrees.of(self._scene)
        for mesh, first in self._bent:
            for index, each in enumerate(waiting, first):
                vertices = each.now.meshes[mesh][0]
                if scene.meshes[index].vertices is not vertices:
                    scene.meshes[index].vertices = vertices
                    scene.versions[index] += 1
                trees.take(index, vertices, int(scene.versions[index]))

    def reports(self, waiting: list[Waits], template: tuple, progress) -> list[Report] | None:
        """The reports of frames, of what is tested in each; None where the run was cancelled. The frames' scene is told
        from where boxes are counted now.

        template: objects and skipped of the report of a frame before with the same ones. progress: as in `detect`.
        Raises what `detect` raises.
        """
        scene, moves, count = self._scene, self._moves, len(waiting)
        rests = np.array([each.rests[self._objects] for each in waiting])
        still, moving = self._objects[~moves], self._objects[moves]
        scene.poses[self._first[~moves]] = waiting[0].now.poses[still]
        scene.poses[self._first[moves] + np.arange(count)[:, None]] = np.array([each.now.poses[moving]
                                                                                for each in waiting])
        if self._bent:      # a run of the caller's own, since the first of these frames, may have built trees anew
            self._give_trees(waiting[0].now.scene)
        self._bend(waiting)
        differs = moves & ~rests.all(axis=0)
        rows = self._first + np.where(differs, np.arange(count)[:, None], 0)
        batch = _Batch(rows, rests, self._repeated(waiting[0].question[0]), template, progress, waiting)
        forest, reports, quantization = waiting[0].now.scene.cache.get("forest"), list[Report](), None
        for part, quantization in _counted_alike(_boxes_in(world_boxes(scene), rows, differs),
                                                 None if forest is None else forest.quantization):
            some = self._reports(batch, part, quantization)
            if some is None:
                return None
            reports += some
        if forest is not None and quantization is not None:
            forest.count_from(quantization)
        return reports

    def _repeated(self, rules):
        """The rules of the caller's scene, for the one of several frames."""
        relations = rules.relations if isinstance(rules, RuleSet) else None
        if relations is None:
            return rules
        return RuleSet(rules.rules, relations.of_objects(self._owner), rules.groups)

    def _reports(self, batch: _Batch, part: range, quantization: np.ndarray) -> list[Report] | None:
        """The reports of a part of the frames, whose boxes are counted from one place."""
        try:
            report = self._tested(batch, part, quantization)
        except (MemoryError, TooLarge) as error:
            if len(part) == 1:
                raise
            let_go(error)
            report = None
        if report is not None and report.cancelled:
            return None
        if report is not None and (len(part) == 1 or not _tells_more(report)):
            return self._shared_out(report, part, batch.template)
        self.is_off, reports = True, list[Report]()
        for number in part:
            one = self._reports(batch, range(number, number + 1), quantization)
            if one is None:
                return None
            reports += one
        return reports

    def _tested(self, batch: _Batch, part: range, quantization: np.ndarray) -> Report:
        scene, some = self._scene, slice(part.start, part.stop)
        if "mesh trees" not in scene.cache:     # a run that ended for want of memory keeps nothing
            self._give_trees(batch.waiting[0].now.scene)
            self._bend(batch.waiting)
        scene.frames = Frames(batch.rows[some], batch.rests[some], quantization)
        scene.cache.pop(KEPT_DEPTHS, None)      # of other frames
        return detect(scene, self._method, rules=batch.rules, progress=batch.progress, **self._how)

    def _shared_out(self, report: Report, part: range, template: tuple) -> list[Report]:
        """The report of each of these frames, with the objects that the caller's scene has."""
        pairs, contacts, count = report.pairs, report.contacts, len(part)
        starts = np.searchsorted(self._frame_of(pairs), np.arange(part.start, part.stop + 1))
        contact_starts = np.append(0, np.cumsum(pairs["contacts"]))[starts]
        of_pair = np.arange(count).repeat(np.diff(starts))
        pairs["contact_start"] -= contact_starts[of_pair]
        contacts.pair -= starts[of_pair].astype(np.int32)[contacts.pair]
        self._name(pairs)
        outcomes = self._outcomes(report.rules, part)
        edges, contact_edges, reports = starts.tolist(), contact_starts.tolist(), []
        for number, outcome in enumerate(outcomes):
            one = object.__new__(Report)        # in a tenth of the time
            first, last = contact_edges[number:number + 2]
            one.__dict__.update(
                report.__dict__, objects=template[0], skipped=template[1], rules=outcome,
                pairs=pairs[edges[number]:edges[number + 1]], notes=list(report.notes),
                contacts=contacts.take(slice(first, last)) if first < last else Contacts.empty(),
                stages=[] if number else report.stages, counts={} if number else report.counts)
            reports.append(one)
        return reports

    def _frame_of(self, rows: np.ndarray) -> np.ndarray:
        """(k,) int64: the number of the frame that each row is about. Of two objects one does not rest in all frames,
        and that one is in the place of its frame. rows: structured, with a and b of the scene of all frames."""
        return np.maximum(self._place[rows["a"]], self._place[rows["b"]])

    def _name(self, rows: np.ndarray) -> None:
        """Write into rows the indices that objects have in the caller's scene."""
        for side in "ab":
            rows[side] = self._owner[rows[side]]

    def _outcomes(self, outcome: Outcome | None, part: range) -> list[Outcome | None]:
        """What rules did in each of these frames. `kept` is left to `Sweep`."""
        if outcome is None:
            return [None] * len(part)
        frame = self._frame_of(outcome.taken)
        self._name(outcome.taken)
        return [Outcome(outcome.rules, outcome.taken[frame == number], outcome.kept) for number in part]


def count_kept(outcome: Outcome | None, rules: np.ndarray) -> None:
    """Say how many pairs of a frame each rule concerns that stay listed. rules: (k,) int32, of the pairs."""
    if outcome is not None:
        outcome.kept = np.bincount(rules[rules != NO_RULE], minlength=len(outcome.rules))


def _tells_more(report: Report) -> bool:
    """True where something is said of the frames together that each has to say of itself."""
    shells = report.settings.get("shells")
    return bool(report.notes != ([note_of_shells(shells)] if shells else []) or report.pairs["unlisted"].any())


def _boxes_in(boxes: np.ndarray, rows: np.ndarray, differs: np.ndarray) -> np.ndarray:
    """(frames,k,6) float64: boxes that together hold what the boxes of the objects of each frame hold: those of objects
    that are elsewhere in some frame, and one around all others. boxes: (m,6), of the scene of all frames; rows: as in
    `Frames`; differs: (n,) bool."""
    found = boxes[rows[:, differs]]
    if differs.all():
        return found
    others = np.array(bounds_of_boxes(boxes[rows[0, ~differs]]))
    return np.concatenate([found, np.broadcast_to(others, (len(rows), 1, 6))], axis=1)


def _counted_alike(bounds: np.ndarray, quantization: np.ndarray | None) -> Iterator[tuple[range, np.ndarray]]:
    """Yield frames in a row with the quantization that serves all of them, as it would if each were tested by itself.
    bounds: (frames,n,6) float64. quantization: (4,) float64, of the frame before; None: there was none."""
    begin = 0
    for number in range(len(bounds)):
        if number > begin and quantization is not None and _serves(quantization, bounds[number:]).all():
            break
        now = quantization_of(bounds[number], quantization)
        if now is not quantization and number > begin:
            assert quantization is not None
            yield range(begin, number), quantization
            begin = number
        quantization = now
    assert quantization is not None
    yield range(begin, len(bounds)), quantization


def _serves(quantization: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """(frames,) bool: `quantization_of` certainly keeps it. bounds: (frames,n,6) float64."""
    low, high = bounds[..., :3].min(axis=1), bounds[..., 3:].max(axis=1)
    half = (0.5 * high - 0.5 * low).max(axis=1)
    away = np.abs(0.5 * low + 0.5 * high - quantization[:3]).max(axis=1)
    return (quantization[3] == 1.0) & (half > 1e-12) & (half < 1e30) & (away <= half)
