# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects, and which pairs of them, a run is about; what is left out and why."""
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..codes import Skipped
from ..errors import NothingToTest, Refused
from ..rules.applied import Applied
from .frames import Frames
from .scene import Scene
from .state import State

# Of a world coordinate, relative to the sum of its terms' sizes: a vertex takes four units of it, the middle and half
# of the box six, their sum one.
WORLD_ROUNDING = 16.0 * 2.0 ** -53
GAP_GROWTH_RELATIVE = 2.0 ** -30        # more than what a method's gaps may err by
SMALL_MESH = 2048       # vertices: the box of such a mesh is found together with others
VERTICES_AT_ONCE = 1 << 15      # of these: where many more are put together, that takes longer than one by one
BOXES_AT_ONCE = 4096    # objects whose poses stay in the cache of a core
FEW_CHANGED = 8     # where no more than one object in so many has changed, the boxes of the others are kept


@dataclass(eq=False)
class Selection:
    """The tested objects and the rule for pairs of them.

    objects: (n,) int32 indices into scene.objects, ascending; bounds: (n,6) float64, world boxes lo x y z hi x y z
    that hold the objects, a little larger than tight.
    """

    objects: np.ndarray
    bounds: np.ndarray
    skipped: list[Skipped]
    static: np.ndarray                      # (n,) bool
    group: np.ndarray                       # (n,) int32, number of the object's group
    allowed: np.ndarray                     # (groups, groups) bool
    wanted: np.ndarray | None               # sorted codes a·n + b of the only pairs to test, None for all
    rules: Applied | None = None            # what takes pairs away, and takes them down
    resting: np.ndarray | None = None       # (n,) bool: pairs of two of them are not asked again; None: none rests
    frames: Frames | None = None            # pairs are within one of them; None: there is one, and it has all objects

    def moved(self, bounds: np.ndarray) -> "Selection":
        """The same objects elsewhere, with all that is known of them. bounds: (n,6) float64."""
        moved = object.__new__(Selection)
        moved.__dict__.update(self.__dict__, bounds=bounds, allows_all_kinds=self.allows_all_kinds)     # found once
        return moved

    def with_resting(self, resting: np.ndarray) -> "Selection":
        """The same, of which some objects rest. resting: (n,) bool."""
        other = self.moved(self.bounds)
        other.__dict__.pop("allows_all", None)
        other.resting = resting
        return other

    def in_frames(self, frames: Frames) -> "Selection":
        """The same, in several frames."""
        other = self.moved(self.bounds)
        other.frames = frames
        return other

    @property
    def in_one_frame(self) -> np.ndarray:
        """(n,) int32: the tested objects; of several frames those that are in the first one."""
        return self.objects if self.frames is None else self.objects[self.frames.rows[0]]

    def grown(self, shares: float | np.ndarray) -> "Selection":
        """The same with larger boxes: those of two objects that are no farther apart than the sum of their shares
        overlap. shares: of each (n,) float64, or of all."""
        if isinstance(shares, float) and shares == 0.0:
            return self
        half = np.asarray(shares)[..., None]
        with np.errstate(over="ignore"):
            # No two are farther apart than the scene is long; beyond that, boxes would leave the range of float32.
            length = (self.bounds[:, 3:].max(axis=0) - self.bounds[:, :3].min(axis=0)).max()
            reach = np.minimum(half * (1.0 + GAP_GROWTH_RELATIVE), length)
            low = np.nextafter(self.bounds[:, :3] - reach, -np.inf)
            high = np.nextafter(self.bounds[:, 3:] + reach, np.inf)
        most = np.finfo(float).max
        return self.moved(np.clip(np.concatenate([low, high], axis=1), -most, most))

    @cached_property
    def allows_all(self) -> bool:
        """True where nothing takes a pair away."""
        return self.wanted is None and self.rules is None and self.resting is None and self.allows_all_kinds

    @cached_property
    def allows_all_kinds(self) -> bool:
        """True where groups and static objects take no pair away."""
        return bool(self.allowed.all()) and not self.static.any()

    def allows(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Mask of the pairs to be tested. a, b: (k,) positions in `objects`, a < b."""
        if self.allows_all:
            return np.ones(len(a), bool)
        if self.allows_all_kinds:
            mask = np.ones(len(a), bool)
        else:
            mask = ~(self.static[a] & self.static[b]) & self.allowed[self.group[a], self.group[b]]
        if self.resting is not None:
            mask &= ~(self.resting[a] & self.resting[b])
        if self.wanted is not None:
            mask &= np.isin(a.astype(np.int64) * len(self.objects) + b, self.wanted)
        if self.rules is not None:
            rows = np.flatnonzero(mask)
            mask[rows] = self.rules.left_to_test(self.objects, self.bounds, a[rows], b[rows])
        return mask

    def alone(self) -> np.ndarray:
        """(k,) int32 positions in `objects`: those that may be tested with themselves."""
        still = self.static if self.resting is None else self.static | self.resting
        rows = np.flatnonzero(~still).astype(np.int32)
        if self.wanted is not None:
            rows = rows[np.isin(rows.astype(np.int64) * (len(self.objects) + 1), self.wanted)]
        return rows

    def refuse_if_empty(self) -> None:
        """Raise Refused where the rules leave no pair: a run that tests nothing must not say "clear"."""
        n = len(self.objects)
        if self.wanted is not None:
            a, b = np.divmod(self.wanted, n)
            if not self.allows(a, b).any():
                raise NothingToTest("None of the given pairs can be tested: the rules exclude them, or their objects "
                                    "were left out.")
            return
        if n >= 2 and self.allowed.all() and not self.static.all():
            return
        kinds = np.unique(np.stack([self.group, self.static]), axis=1, return_counts=True)
        for (g, s), count in zip(kinds[0].T, kinds[1]):
            for h, t in kinds[0].T:
                if self.allowed[g, h] and not (s and t) and (count > 1 or (g, s) != (h, t)):
                    return
        raise NothingToTest("There is no pair of objects to test: everything is excluded by the rules, or "
                            "nothing moves.")


def select(scene: Scene, pairs=None, groups=None, takes_points: bool = False,
           self_collisions: bool = False) -> Selection:
    """The objects of the scene that can be tested.

    pairs: (k,2) indices of objects, the only pairs to test; groups: pairs of group names that are tested against each
    other; takes_points: objects without faces are tested too; self_collisions: objects are tested with themselves, so
    that one is enough. Raises Refused where fewer than two objects have faces
    (or points), ValueError for pairs that name no object.
    """
    layout = scene.layout
    enabled = layout.enabled_count
    least = 1 if self_collisions else 2
    if enabled < least:
        raise NothingToTest("At least two objects are needed to look for collisions; one alone can be tested with "
                            "itself." if enabled else "There are no objects to test.")
    bounds, problem, all_well = _bounds(scene, takes_points)
    if not all_well and enabled < len(problem):
        problem = np.where(layout.enabled, problem, 0)
    whole = pairs is None and groups is None and (all_well or not problem.any())
    kept = scene.cache.get("selection")
    if whole and kept is not None and kept[0] is layout:
        same = kept[1]
        if kept[2] is not bounds:
            same = same.moved(bounds if enabled == len(problem) else bounds[same.objects])
            scene.cache["selection"] = layout, same, bounds
        return same
    skipped = [Skipped(index, layout.names[index], *PROBLEMS[problem[index]])
               for index in np.flatnonzero(problem).tolist()]
    objects = np.flatnonzero((problem == 0) & layout.enabled).astype(np.int32)
    if len(objects) < least and all(s.judged for s in skipped):
        what = "points" if takes_points else "faces"
        raise NothingToTest("There is no object with faces to be tested with itself." if self_collisions else
                            f"At least two objects with {what} are needed to look for collisions.")
    number = {name: i for i, name in enumerate(layout.groups)}
    allowed = np.full((len(number), len(number)), groups is None)
    for first, second in groups or ():
        if first in number and second in number:
            allowed[number[first], number[second]] = allowed[number[second], number[first]] = True
    selection = Selection(objects, bounds[objects], skipped, layout.static[objects], layout.group[objects], allowed,
                          None if pairs is None else _codes(pairs, objects, len(scene.objects), self_collisions))
    if len(objects) >= least and not (self_collisions and len(selection.alone())):
        selection.refuse_if_empty()
    if whole:
        scene.cache["selection"] = layout, selection, bounds
    return selection


FACELESS, NOT_FINITE, TOO_LARGE, NO_POINTS = 1, 2, 3, 4
PROBLEMS = {
    FACELESS: ("it has no faces", True),
    NOT_FINITE: ("it has coordinates that are not numbers (NaN or infinite)", False),
    TOO_LARGE: ("its coordinates are too large to be computed with", False),
    NO_POINTS: ("it has no points", True),
}


def world_boxes(scene: Scene) -> np.ndarray:
    """(objects,6) float64, lo x y z hi x y z: boxes that hold the objects, a little larger than tight; NaN and infinity
    where coordinates are not numbers."""
    return _bounds(scene, takes_points=False)[0]


def _bounds(scene: Scene, takes_points: bool) -> tuple[np.ndarray, np.ndarray, bool]:
    """World boxes (n,6) of all objects from their meshes' local boxes, what is wrong with each (n,) int8 (0: nothing),
    and whether nothing is wrong with any. The same arrays as long as nothing moves."""
    state, kept = scene.state, scene.cache.get("bounds")
    if kept is not None and kept[1] == takes_points and kept[0] is state:
        return kept[2]
    middle, reach, problem = _local_bounds(scene, state)
    changed = None if kept is None else state.changed_since(kept[0])
    with np.errstate(all="ignore"):         # NaN and overflow are what we look for
        if kept is not None and changed is not None and FEW_CHANGED * np.count_nonzero(changed) < len(changed):
            rows = changed.nonzero()[0]
            bounds = kept[2][0].copy()
            bounds[rows] = _placed_boxes(state.poses[rows, :3], middle[rows], reach[rows])
        else:
            bounds = _placed_boxes(state.poses[:, :3], middle, reach)
        finite = math.isfinite(bounds.sum())        # or the sum is too large: then it is looked at one by one
    if takes_points or not finite:
        problem = _problems(scene, state.poses[:, :3], bounds, problem, takes_points)
    found = bounds, problem, not np.count_nonzero(problem)
    scene.cache["bounds"] = state, takes_points, found
    return found


def _placed_boxes(poses: np.ndarray, middle: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """(n,6) float64: the boxes in the world of what `_local_bounds` says of meshes. poses: (n,3,4)."""
    bounds = np.empty((len(poses), 6))
    for begin in range(0, len(poses), BOXES_AT_ONCE):
        part = slice(begin, begin + BOXES_AT_ONCE)
        centre = np.einsum("nij,nj->ni", poses[part], middle[part])
        half = np.einsum("nij,nj->ni", np.abs(poses[part]), reach[part])
        np.subtract(centre, half, out=bounds[part, :3])
        np.add(centre, half, out=bounds[part, 3:])
    return bounds


def _problems(scene: Scene, poses: np.ndarray, bounds: np.ndarray, faceless: np.ndarray,
              takes_points: bool) -> np.ndarray:
    """(n,) int8: what is wrong with each object, 0 for nothing. poses: (n,3,4); bounds: (n,6), as `_placed_boxes`;
    faceless: (n,) int8, FACELESS or 0."""
    problem, mesh = np.zeros(len(bounds), np.int8), scene.layout.mesh
    problem[~np.isfinite(bounds).all(axis=1)] = TOO_LARGE
    numbers = np.isfinite(mesh_boxes(scene)[mesh]).all(axis=1) & np.isfinite(poses).all(axis=(1, 2))
    problem[~numbers] = NOT_FINITE
    if takes_points:
        problem[np.array([len(each.vertices) == 0 for each in scene.meshes])[mesh]] = NO_POINTS
    else:
        problem[faceless > 0] = FACELESS
    return problem


def _local_bounds(scene: Scene, state: State) -> tuple[np.ndarray, ...]:
    """Of each object's mesh, to be multiplied by poses and their sizes, (n,4) float64 each: the middle of its box, and
    1; half the box's edges, and 0, grown by what rounding may take off, NaN and infinity passing through. And (n,)
    int8, FACELESS where it has no triangles, else 0. Kept in scene.cache until the layout changes or a mesh is
    deformed."""
    kept = scene.cache.get("local bounds")
    if kept is not None and kept[0] is scene.layout and kept[1] is state.versions:
        return kept[2]
    mesh = scene.layout.mesh
    low, high = np.split(mesh_boxes(scene), 2, axis=1)
    middle, reach = np.ones((2, len(low), 4))
    with np.errstate(all="ignore"):
        middle[:, :3] = 0.5 * low + 0.5 * high
        reach[:, :3] = 0.5 * high - 0.5 * low + WORLD_ROUNDING * np.maximum(np.abs(low), np.abs(high))
    reach[:, 3] = WORLD_ROUNDING
    middle, reach = middle[mesh], reach[mesh]
    if kept is not None and kept[0] is scene.layout:
        faceless = kept[2][2]                       # meshes keep their triangles
    else:
        empty = np.array([len(each.triangles) == 0 for each in scene.meshes])
        faceless = np.where(empty[mesh], FACELESS, 0).astype(np.int8)
    scene.cache["local bounds"] = scene.layout, state.versions, (middle, reach, faceless)
    return middle, reach, faceless


def mesh_boxes(scene: Scene) -> np.ndarray:
    """(meshes,6) float64, lo x y z hi x y z of each mesh, NaN passing through. Kept in scene.cache per version."""
    version = scene.versions.copy()
    kept_version, kept = scene.cache.get("mesh boxes", (version[:0], np.zeros((0, 6))))
    changed = np.ones(len(version), bool)
    changed[:len(kept)] = kept_version != version[:len(kept)]
    result = np.zeros((len(version), 6))
    result[:len(kept)] = kept
    rows = changed.nonzero()[0]
    if len(rows):
        result[rows] = _boxes_of([scene.meshes[index].vertices for index in rows.tolist()])
    scene.cache["mesh boxes"] = version, result
    return result


def lend_boxes(scene: Scene, other: Scene, source: np.ndarray) -> None:
    """Let another scene have the boxes of meshes that are this scene's as they are now. source: (meshes,) int64, which
    of these each of its own is."""
    other.cache["mesh boxes"] = other.versions.copy(), mesh_boxes(scene)[source]


def _boxes_of(vertices: list[np.ndarray]) -> np.ndarray:
    """(meshes,6) float64, lo x y z hi x y z, of the vertices (n,3) of meshes; 0 where there are none."""
    boxes, count = np.zeros((len(vertices), 6)), np.fromiter(map(len, vertices), np.int64, len(vertices))
    few = np.flatnonzero((count > 0) & (count <= SMALL_MESH))
    parts = [few]
    if len(few) * SMALL_MESH > VERTICES_AT_ONCE:
        parts = np.split(few, 1 + np.flatnonzero(np.diff(np.cumsum(count[few]) // VERTICES_AT_ONCE)))
    for rows in parts if len(few) else []:                  # one call of numpy for each takes eight times as long
        columns = np.ascontiguousarray(np.concatenate([vertices[row] for row in rows.tolist()]).T)
        start = np.cumsum(count[rows]) - count[rows]
        boxes[rows, :3] = np.minimum.reduceat(columns, start, axis=1).T
        boxes[rows, 3:] = np.maximum.reduceat(columns, start, axis=1).T
    for row in np.flatnonzero(count > SMALL_MESH).tolist():
        columns = np.ascontiguousarray(vertices[row].T)     # numpy is slow along the other axis
        boxes[row, :3], boxes[row, 3:] = columns.min(axis=1), columns.max(axis=1)
    return boxes + 0.0          # which of two zeros is the least depends on the order


def _codes(pairs, objects: np.ndarray, count: int, self_collisions: bool) -> np.ndarray:
    """Sorted unique codes of the pairs both of whose objects are tested; those of an object with itself only where
    self_collisions says so."""
    pairs = np.asarray(pairs)
    if pairs.size == 0:
        raise Refused("The list of pairs to test is empty.")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"pairs must be whole numbers of shape (k, 2), not {pairs.dtype} {pairs.shape}")
    if pairs.min() < 0 or pairs.max() >= count:
        raise ValueError(f"pairs name objects outside 0 … {count - 1}")
    place = np.full(count, -1, np.int64)
    place[objects] = np.arange(len(objects))
    ends = np.sort(place[pairs], axis=1)
    ends = ends[(ends[:, 0] >= 0) & (ends[:, 0] < ends[:, 1] + self_collisions)]
    return np.unique(ends[:, 0] * len(objects) + ends[:, 1])
