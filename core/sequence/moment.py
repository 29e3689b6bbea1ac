# SPDX-License-Identifier: GPL-3.0-or-later
"""`Moment`: what the objects of a scene were in one frame, and which of them rest since."""
from collections.abc import Hashable
from itertools import repeat

import numpy as np

from ..arrays import moved_poses, unit_rows
from ..continuous.instant import Instant
from ..geometry.placed import placed_vertices
from ..scene.scene import Layout, Scene

UNNUMBERED = -1


class Names:
    """Numbers of objects that stay the same over frames. An object is the same in two frames where its name is; of
    objects with the same name in one scene the first is the first, and so on."""

    def __init__(self):
        self.names: list[str] = []
        self._number: dict[tuple[str, int], int] = {}

    def joined(self, later: "Names") -> np.ndarray:
        """(numbers,) int64: what the numbers of later frames, which were numbered by themselves, are among those of the
        frames until then; UNNUMBERED for objects that were enabled in none of them."""
        if not self._number:
            self.names, self._number = list(later.names), dict(later._number)
            return np.arange(len(later.names))
        mine = np.full(len(later.names), UNNUMBERED, np.int64)
        for key, number in later._number.items():       # in the order in which they came up
            if key not in self._number:
                self._number[key] = len(self.names)
                self.names.append(key[0])
            mine[number] = self._number[key]
        return mine

    def of(self, layout: Layout) -> np.ndarray:
        """(objects,) int64: the number of each enabled object, UNNUMBERED for others. Those of the first scene have
        their indices in it; what comes later follows."""
        if not self._number:
            self.names = list(layout.names)
        numbers = np.full(len(layout.names), UNNUMBERED, np.int64)
        seen: dict[str, int] = {}
        first, enabled = not self._number, np.flatnonzero(layout.enabled).tolist()
        unique = dict(zip(zip(map(layout.names.__getitem__, enabled), repeat(0)), enabled)) if first else {}
        if first and len(unique) == len(enabled):       # a sixth of the time of what follows
            self._number, numbers[enabled] = unique, enabled
            return numbers
        for index in enabled:
            name = layout.names[index]
            key = name, seen.get(name, 0)
            seen[name] = key[1] + 1
            if key not in self._number:
                self._number[key] = index if first else len(self.names)
                if not first:
                    self.names.append(name)
            numbers[index] = self._number[key]
        return numbers


class Moment:
    """What a scene was in one frame; `tested` is to be set. Vertices and triangles are those of the scene, not copies.
    """

    def __init__(self, scene: Scene, numbers: np.ndarray, moves_on: bool = False, before: "Moment | None" = None):
        """numbers: (n,) int64, of the objects, see `Names.of`. moves_on: `instant` will be asked for. before: of the
        same scene or another one; of it this one takes over what is the same."""
        self.scene, self.layout, self.numbers, self.state = scene, scene.layout, numbers, scene.state
        self.poses, self.versions = self.state.poses, self.state.versions
        self.tested = np.zeros(len(numbers), bool)      # in this frame
        self.meshes: list[tuple[np.ndarray, np.ndarray]]
        self._whole: Instant | None
        last = before if before is not None and before.layout is self.layout and before.scene is scene else None
        whole = None if last is None else last._whole
        if last is not None and (last.versions is self.versions or np.array_equal(last.versions, self.versions)):
            self.meshes = last.meshes
            self._whole = None if whole is None else whole.moved(self.poses)
        else:
            self.meshes = [(mesh.vertices, mesh.triangles) for mesh in scene.meshes]
            self._whole = None if not moves_on else Instant.of(scene) if whole is None else whole.deformed(self.poses)

    def let_go(self) -> None:
        """Hold no vertices: of one Scene, versions tell what is deformed, and old vertices would take memory."""
        self.meshes = []

    def resting(self, before: "Moment") -> np.ndarray:
        """(n,) bool: objects that were tested in the frame before, and about which nothing is different now."""
        if self.layout is before.layout:
            changed = self.state.changed_since(before.state)
            if changed is not None:
                return before.tested & ~changed
            known = len(before.versions)
            changed = before.versions != self.versions[:known]
            return before.tested & ~moved_poses(before.poses, self.poses) & ~changed[self.layout.mesh]
        (here, there), rests = self._same_by_name(before), np.zeros(len(self.numbers), bool)
        if len(here) == 0 or (np.diff(there) < 0).any():      # pairs would be the other way round
            return rests
        now, then = self.layout, before.layout
        group = [now.groups[i] == then.groups[j] for i, j in zip(now.group[here].tolist(), then.group[there].tolist())]
        rests[here] = (before.tested[there] & ~moved_poses(before.poses[there], self.poses[here])
                       & (now.static[here] == then.static[there]) & (now.shell[here] == then.shell[there])
                       & (now.clearance[here] == then.clearance[there])
                       & np.array(group, bool) & self._same_meshes(before, now.mesh[here], then.mesh[there]))
        return rests

    def is_as(self, before: "Moment") -> bool:
        """True where nothing at all is different, of objects that were tested and of others."""
        return self.state is before.state

    def matched(self, before: "Moment") -> tuple[np.ndarray, np.ndarray]:
        """(k,) int64 each: indices of objects that are in both, here, ascending, and there."""
        if self.numbers is before.numbers:
            here = (self.numbers != UNNUMBERED).nonzero()[0]
            return here, here
        index = np.full(1 + max(self.numbers.max(initial=0), before.numbers.max(initial=0)), -1, np.int64)
        known = np.flatnonzero(before.numbers != UNNUMBERED)
        index[before.numbers[known]] = known
        here = np.flatnonzero(self.numbers != UNNUMBERED)
        here = here[index[self.numbers[here]] >= 0]
        return here, index[self.numbers[here]]

    def same_objects(self, before: "Moment") -> tuple[np.ndarray, np.ndarray]:
        """As `matched`, but what one Scene had in both frames, or what has one identity, is the same whatever it is
        called: instances are numbered in each frame anew, and what goes lets others have its name."""
        here, there = self.matched(before)
        if self.layout is before.layout or (self.scene is not before.scene and not self.layout.has_identities):
            return here, there
        mine, theirs = (np.flatnonzero(each.numbers != UNNUMBERED) for each in (self, before))
        if self.scene is before.scene:
            codes = self.layout.serial[mine], before.layout.serial[theirs]
        else:
            codes = _identified(self.layout.identities, mine, before.layout.identities, theirs)
        _, now, then = np.intersect1d(*codes, assume_unique=True, return_indices=True)
        now, then = mine[now], theirs[then]
        named = ~np.isin(here, now) & ~np.isin(there, then)     # all that others are known by
        here, there = np.concatenate([here[named], now]), np.concatenate([there[named], then])
        order = here.argsort()
        return here[order], there[order]

    def _same_by_name(self, before: "Moment") -> tuple[np.ndarray, np.ndarray]:
        """Those of `matched` that are also `same_objects`. Others stand for what moved, whatever stands as it did."""
        (here, there), (now, then) = self.matched(before), self.same_objects(before)
        was = np.full(len(self.numbers), -1)
        was[now] = then
        same = was[here] == there
        return here[same], there[same]

    def instant(self, objects: np.ndarray | None) -> Instant:
        """Where these objects are, (k,) indices; None: all of them."""
        assert self._whole is not None
        # What it has computed serves this frame and the next one.
        return self._whole if objects is None else self._whole.taken(objects)

    def normals(self, _rows: np.ndarray, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        """(k,3) float64: unit normals in the world, zero where a triangle has no area."""
        normals = np.zeros((len(objects), 3))
        for index in np.unique(objects).tolist():
            rows = objects == index
            vertices, corners = self.meshes[self.layout.mesh[index]]
            local = vertices[corners[triangles[rows]]]
            world = placed_vertices(local.reshape(-1, 3), self.poses[index]).reshape(local.shape)
            normals[rows] = np.cross(world[:, 1] - world[:, 0], world[:, 2] - world[:, 0])
        return unit_rows(normals)

    def _same_meshes(self, before: "Moment", mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
        """(k,) bool: the meshes `mine` of this frame are the meshes `theirs` of the other one, bit by bit."""
        pairs, which = np.unique(np.stack([mine, theirs]), axis=1, return_inverse=True)
        same = [self._same_mesh(before, i, j) for i, j in pairs.T.tolist()]
        return np.array(same, bool)[which.ravel()]

    def _same_mesh(self, before: "Moment", mine: int, theirs: int) -> bool:
        if self.scene is before.scene:
            return mine == theirs and bool(self.versions[mine] == before.versions[theirs])
        (vertices, triangles), (old_vertices, old_triangles) = self.meshes[mine], before.meshes[theirs]
        return (_same(triangles, old_triangles)
                and _same(vertices.view(np.int64), old_vertices.view(np.int64)))


def _identified(identities: list[Hashable], mine: np.ndarray, others: list[Hashable],
                theirs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """((k,), (m,)) int64: a number for each of these objects of two scenes, different ones within a scene, equal ones
    for equal identities. identities, others: of all objects of the scenes; mine, theirs: indices, (k,) and (m,)."""
    place = {others[index]: place for place, index in enumerate(theirs.tolist()) if others[index] is not None}
    own, known = np.empty(len(mine), np.int64), dict[int, int]()
    for number, index in enumerate(mine.tolist()):
        found = -1 if identities[index] is None else place.get(identities[index], -1)
        own[number] = found if known.setdefault(found, number) == number and found >= 0 else len(theirs) + number
    return own, np.arange(len(theirs))


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one is other or np.array_equal(one, other)
