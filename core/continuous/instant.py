# SPDX-License-Identifier: GPL-3.0-or-later
"""`Instant`: what a scene was at one moment."""
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from operator import is_, is_not
from typing import Any

import numpy as np

from ..scene import Scene
from ..scene.select import mesh_boxes
from ..trees.bvh.refit import move_vertices
from .following import mark_finite
from .motion_bounds import differ

EVERY = -1      # see `Instant.span`
OF_OBJECTS = ("objects", "mesh", "vertices", "triangles", "faces", "poses", "local", "triangle_counts")


class Picked(Sequence):
    """Some items of a list, in an order of their own: of very many objects few are ever looked at."""

    def __init__(self, items: Sequence, order: np.ndarray):
        """order: (n,) int64, places in `items`."""
        self.items, self.order = items, order

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, k):
        return self.items[self.order[k]]


@dataclass(frozen=True, eq=False)
class Instant:
    """Objects at one moment, by position 0 … n-1; `contacts_between` follows them from one Instant to another one.

    It refers to the scene's vertices, and to poses that nobody writes into, so it stays what it is when the scene is
    moved or deformed.
    """

    scene: Scene                        # whose trees are used
    objects: np.ndarray                 # (n,) int64, index in scene.objects at that moment
    mesh: np.ndarray                    # (n,) int64, index in scene.meshes at that moment
    vertices: Sequence[np.ndarray]      # (n) of (v,3) float64, local coordinates
    triangles: Sequence[np.ndarray]     # (n) of (m,3) int32
    faces: Sequence[np.ndarray | None]  # (n) of (m,) int32, see `Mesh`
    poses: np.ndarray                   # (n,3,4) float64, local to world
    local: np.ndarray                   # (n,6) float64, lo x y z hi x y z of the vertices; 0 where there are none
    triangle_counts: np.ndarray         # (n,) int64
    part: bool = False                  # of an Instant with more objects: a search among these keeps nothing
    span: np.ndarray | None = None      # (n,) int64: the number of the interval that an object is in, of several that
                                        # are looked at together; first those that are in EVERY one; None: there is one
    _world: dict[int, np.ndarray] = field(default_factory=dict, init=False, repr=False)     # see `world_vertices`

    @classmethod
    def of(cls, scene: Scene, objects=None) -> "Instant":
        """The scene as it is now. objects: (n,) indices into scene.objects, which become the positions 0 … n-1; None:
        all objects. Raises IndexError for an index that the scene does not have."""
        which = np.arange(len(scene.objects)) if objects is None else np.asarray(objects, np.int64)
        mesh = scene.layout.mesh[which]
        numbers = mesh.tolist()
        vertices, triangles = [each.vertices for each in scene.meshes], [each.triangles for each in scene.meshes]
        faces = [each.faces for each in scene.meshes]
        counts = np.array([len(each) for each in triangles], np.int64)
        return cls(scene, which, mesh, [vertices[index] for index in numbers], [triangles[index] for index in numbers],
                   [faces[index] for index in numbers], scene.poses[which, :3].copy(), mesh_boxes(scene)[mesh],
                   counts[mesh])

    def moved(self, poses: np.ndarray) -> "Instant":
        """The same objects at other poses (n,4,4), into which nobody writes, at another moment."""
        found = object.__new__(Instant)     # in a fifth of the time that `replace` takes
        found.__dict__.update(self.__dict__, poses=poses[:, :3], _world={})
        found.__dict__.pop("finite", None)
        return found

    def deformed(self, poses: np.ndarray) -> "Instant":
        """As `moved`, where meshes were deformed, too: with the vertices that the scene has now."""
        found, meshes = self.moved(poses), self.scene.meshes
        found.__dict__.update(vertices=[meshes[index].vertices for index in self.mesh.tolist()],
                              local=mesh_boxes(self.scene)[self.mesh])
        return found

    def settled(self) -> "Instant":
        """This one, with poses next to each other from now on, as kernels take them. Of many objects few move, and only
        the poses of these are ever copied where several intervals are looked at together."""
        self.__dict__["poses"] = np.ascontiguousarray(self.poses)
        return self

    def taken(self, positions) -> "Instant":
        """The same moment with these objects only, in this order. positions: (k,)."""
        positions = np.asarray(positions, np.int64)
        at = positions.tolist()
        taken = Instant(self.scene, self.objects[positions], self.mesh[positions], [self.vertices[k] for k in at],
                        [self.triangles[k] for k in at], [self.faces[k] for k in at], self.poses[positions],
                        self.local[positions], self.triangle_counts[positions], part=True)
        taken._world.update({here: self._world[k] for here, k in enumerate(at) if k in self._world})
        return taken

    @classmethod
    def joined(cls, ends: Sequence[list["Instant"]], still: np.ndarray, moving: np.ndarray) -> list["Instant"]:
        """Of each of both ends, the Instants of several intervals, all with the same objects, as one: those that are
        `still`, once, and behind them those that move, once for each interval. still, moving: (k,) int64, positions.
        What is one and the same in all of them, the new ones share."""
        count, known = len(ends[0]), dict[tuple[str, int], Any]()
        span = np.repeat(np.arange(EVERY, count), [len(still), *count * [len(moving)]])
        order = np.concatenate([still, np.tile(moving, count)])

        def of_all(name: str, every: list) -> Any:
            one = every[0]
            is_array = isinstance(one, np.ndarray)
            if all(map(is_, every, repeat(one))):
                if (name, id(one)) not in known:
                    known[name, id(one)] = one[order] if is_array else Picked(one, order)
                return known[name, id(one)]
            if is_array:
                return np.concatenate([one[still], *(each[moving] for each in every)])
            return [every[n][k] for n, k in zip(np.maximum(span, 0).tolist(), order.tolist())]

        return [cls(scene=parts[0].scene, part=True, span=span,
                    **{name: of_all(name, [getattr(each, name) for each in parts]) for name in OF_OBJECTS})
                for parts in ends]

    def only(self, positions: np.ndarray) -> "Instant":
        """The same moment, of which these objects alone count: all others have no triangles. positions: (k,) int64."""
        counts = np.zeros_like(self.triangle_counts)
        counts[positions] = self.triangle_counts[positions]
        found = replace(self, triangle_counts=counts)
        found.__dict__.update(_world=self._world, finite=self.finite)       # what is known of the moment
        return found

    def world_vertices(self, k: int) -> np.ndarray:
        """(v,3) float64: an object's vertices in the world. The next interval, which begins where this one ends, asks
        for them again, and gets the same array."""
        if k not in self._world:
            world = np.empty(self.vertices[k].shape)
            move_vertices(self.poses, k, self.vertices[k], 0, len(world), world, 0)
            self._world[k] = world
        return self._world[k]

    @cached_property
    def finite(self) -> np.ndarray:
        """(n,) bool: objects all of whose numbers are finite."""
        finite = np.empty(len(self.mesh), bool)
        mark_finite(self.local, self.poses, finite)
        return finite

    def changed(self, other: "Instant") -> tuple[np.ndarray, np.ndarray]:
        """(vertices, triangles), (n,) bool each: the objects whose vertices, or triangles, are others than those of
        another Instant. Other triangles are other vertices, too."""
        n, found = len(self.mesh), []
        for mine, theirs in ((self.vertices, other.vertices), (self.triangles, other.triangles)):
            if mine is theirs:
                found.append(np.zeros(n, bool))
                continue
            changed = np.fromiter(map(is_not, mine, theirs), bool, n)
            for k in changed.nonzero()[0].tolist():
                changed[k] = (differ(mine[k], theirs[k]) if mine[k].dtype == np.float64
                              else not np.array_equal(mine[k], theirs[k]))
            found.append(changed)
        return found[0] | found[1], found[1]

    def has_meshes(self, positions: np.ndarray) -> bool:
        """True while the scene still has the meshes of these objects under their indices, deformed or not."""
        meshes, items, which, mesh = self.scene.meshes, self.triangles, positions, self.mesh[positions]
        if isinstance(items, Picked):
            which, items = items.order[positions], items.items
        mesh_of = np.full(len(items), -1)       # of each item once, however often it was picked
        mesh_of[which] = mesh
        if mesh.max(initial=-1) >= len(meshes) or (mesh_of[which] != mesh).any():
            return False
        which = (mesh_of >= 0).nonzero()[0]
        return all(map(is_, [meshes[k].triangles for k in mesh_of[which].tolist()],
                       map(items.__getitem__, which.tolist())))
