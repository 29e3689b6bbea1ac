# SPDX-License-Identifier: GPL-3.0-or-later
"""`Forest`: the trees of all tested objects in flat arrays, and the part of them that is placed in the world.

Objects that share a mesh share its tree. Only objects that stand in a candidate pair are placed, and while a scene is
kept between calls only those that moved or were deformed. When all of them together would not fit into the budget,
pairs are worked off in batches.
"""
import math

import numpy as np

from ..arrays import Corners
from ..jit import kernel
from ..scene import Scene
from .build import Tree, build, triangle_centres
from .place import fit_triangles, move_vertices, refit

BUDGET = 1 << 30                # bytes for placed vertices and boxes
NODE_BYTES, VERTEX_BYTES = 96, 24
PLACED_AT_ONCE = 1 << 19        # triangles between two looks at whether the run was cancelled


class MeshTrees:
    """Trees of a scene's meshes, one after the other in flat arrays; kept in `Scene.cache`."""

    def __init__(self):
        self.trees: dict[int, Tree] = {}
        self.versions: dict[int, int] = {}
        self.flat: tuple[int, ...] = ()         # the meshes in the flat arrays, in that order

    @classmethod
    def of(cls, scene: Scene) -> "MeshTrees":
        return scene.cache.setdefault("mesh trees", cls())

    def update(self, scene: Scene, wanted: list[int], tick) -> None:
        """Build what is missing, take over deformed vertices. wanted: meshes with at least one triangle."""
        for done, index in enumerate(wanted):
            if index not in self.trees:
                tick(done / len(wanted))
                mesh = scene.meshes[index]
                centres = np.empty((len(mesh.triangles), 3))
                triangle_centres(mesh.vertices, mesh.triangles, centres)
                self.trees[index] = build(centres)
        if tuple(wanted) != self.flat:
            self._flatten(scene, wanted)
        for place, index in enumerate(wanted):
            mesh = scene.meshes[index]
            if self.versions[index] != mesh.version:
                self.vertices[self.vertex_start[place]:self.vertex_start[place + 1]] = mesh.vertices
                self.versions[index] = mesh.version

    def _flatten(self, scene: Scene, wanted: list[int]) -> None:
        meshes = [scene.meshes[index] for index in wanted]
        trees = [self.trees[index] for index in wanted]
        self.flat = tuple(wanted)
        self.versions = {index: mesh.version for index, mesh in zip(wanted, meshes)}
        self.place = {index: place for place, index in enumerate(wanted)}
        self.vertices = np.concatenate([mesh.vertices for mesh in meshes])
        self.triangles = np.concatenate([mesh.triangles[tree.order] for mesh, tree in zip(meshes, trees)])
        self.order = np.concatenate([tree.order for tree in trees])
        self.children = np.concatenate([tree.children for tree in trees])
        self.bottom = np.concatenate([tree.bottom for tree in trees])
        self.root = np.array([tree.root for tree in trees], np.int32)
        self.vertex_start = _starts([len(mesh.vertices) for mesh in meshes])
        self.triangle_start = _starts([len(mesh.triangles) for mesh in meshes])
        self.node_start = _starts([len(tree.children) for tree in trees])


def _starts(counts) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


class Forest:
    """Per tested object (arrays of length n, in the order of `objects`) where its data begin in the flat arrays."""

    def __init__(self, scene: Scene, objects: np.ndarray, bounds: np.ndarray, tick):
        """objects: (n,) indices into scene.objects; bounds: (n,6) float64, world boxes that hold the objects.

        tick: called with the fraction done, or nothing, between pieces of work; it may raise Cancelled.
        """
        tested = [scene.objects[i] for i in objects]
        wanted = sorted({obj.mesh for obj in tested})
        self.meshes = MeshTrees.of(scene)
        self.meshes.update(scene, wanted, tick)
        mesh = np.array([self.meshes.place[obj.mesh] for obj in tested], np.int64)
        self.scene = scene
        self._tick = tick
        self.mesh_index = np.array([obj.mesh for obj in tested], np.int64)
        self.objects = objects
        self.poses = np.array([obj.pose[:3] for obj in tested])
        self.versions = np.array([scene.meshes[obj.mesh].version for obj in tested])
        self.vertex_start = self.meshes.vertex_start[mesh]
        self.vertex_count = self.meshes.vertex_start[mesh + 1] - self.vertex_start
        self.triangle_start = self.meshes.triangle_start[mesh]
        self.triangle_count = self.meshes.triangle_start[mesh + 1] - self.triangle_start
        self.node_start = self.meshes.node_start[mesh]
        self.node_count = self.meshes.node_start[mesh + 1] - self.node_start
        self.root = self.meshes.root[mesh]
        kept = scene.cache.get("forest")
        self.frame = _frame(bounds, None if kept is None else kept.frame)
        self._reserve(scene, kept)
        scene.cache["forest"] = self

    def _reserve(self, scene: Scene, kept: "Forest | None") -> None:
        """Memory for placed objects: kept from the last call where it still fits, else new."""
        self.world: np.ndarray              # (…,3) float64, vertices of placed objects
        self.boxes: np.ndarray              # (…,6,4) float32, their nodes
        self.world_start: np.ndarray        # (n,) int64 into these two
        self.box_start: np.ndarray
        self.placed: np.ndarray             # (n,) bool
        bytes_each = NODE_BYTES * self.node_count + VERTEX_BYTES * self.vertex_count
        self.in_batches = bytes_each.sum() > BUDGET
        n = len(self.objects)
        if (kept is not None and not self.in_batches and not kept.in_batches
                and np.array_equal(kept.objects, self.objects) and np.array_equal(kept.frame, self.frame)
                and np.array_equal(kept.node_count, self.node_count)
                and np.array_equal(kept.vertex_count, self.vertex_count)):
            self.world, self.boxes = kept.world, kept.boxes
            self.world_start, self.box_start = kept.world_start, kept.box_start
            moved = (kept.poses != self.poses).any(axis=(1, 2)) | (kept.versions != self.versions)
            self.placed = kept.placed & ~moved
            return
        self.placed = np.zeros(n, bool)
        self.world_start, self.box_start = np.zeros(n, np.int64), np.zeros(n, np.int64)
        if not self.in_batches:
            self._allocate(np.arange(n))

    def _allocate(self, which: np.ndarray) -> None:
        starts = _starts(self.vertex_count[which])
        self.world_start[which] = starts[:-1]
        self.world = np.empty((starts[-1], 3))
        starts = _starts(self.node_count[which])
        self.box_start[which] = starts[:-1]
        self.boxes = np.empty((starts[-1], 6, 4), np.float32)

    @property
    def corners(self) -> Corners:
        """Where the placed triangles are."""
        return Corners(self.triangle_start, self.meshes.triangles, self.meshes.order, self.world_start, self.world)

    @property
    def placed_trees(self) -> tuple[np.ndarray, ...]:
        """root, box_start, node_start, children, boxes, frame and `corners`: what kernels need to follow a ray."""
        return (self.root, self.box_start, self.node_start, self.meshes.children, self.boxes, self.frame,
                *self.corners)

    def mesh_of(self, objects):
        """Index in scene.meshes of the mesh of each position in the forest."""
        return self.mesh_index[objects]

    def tight_bounds(self, which: np.ndarray) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z of the triangles of the placed objects `which`; zero for all others."""
        bounds = np.zeros((len(self.objects), 6))
        fit_objects(which, self.triangle_start, self.triangle_count, self.meshes.triangles, self.world_start,
                    self.world, bounds)
        return bounds

    def batches(self, a: np.ndarray, b: np.ndarray):
        """Yield slices of the pairs (a[i], b[i]), each time with all their objects placed."""
        if not self.in_batches:
            self._place(np.unique(np.concatenate([a, b])))
            yield slice(0, len(a))
            return
        start = 0
        while start < len(a):
            stop, which = self._fill_batch(a, b, start)
            self.placed[:] = False
            self._allocate(which)
            self._place(which)
            yield slice(start, stop)
            start = stop

    def _fill_batch(self, a, b, start: int) -> tuple[int, np.ndarray]:
        """As many of the pairs from `start` on as the budget holds, at least one; (stop, their objects)."""
        held, used = set(), 0
        stop = start
        while stop < len(a):
            new = {int(a[stop]), int(b[stop])} - held
            size = sum(NODE_BYTES * int(self.node_count[i]) + VERTEX_BYTES * int(self.vertex_count[i]) for i in new)
            if stop > start and used + size > BUDGET:
                break
            held |= new
            used += size
            stop += 1
        return stop, np.array(sorted(held))

    def _place(self, which: np.ndarray) -> None:
        which = which[~self.placed[which]].astype(np.int64)
        meshes = self.meshes
        parts = 1 + int(self.triangle_count[which].sum()) // PLACED_AT_ONCE
        for part in np.array_split(which, parts):
            self._tick()
            place_objects(part, self.poses, self.vertex_start, self.vertex_count, meshes.vertices, self.world_start,
                          self.world, self.node_start, self.node_count, meshes.children, meshes.bottom,
                          self.triangle_start, meshes.triangles, self.frame, self.box_start, self.boxes)
            self.placed[part] = True


@kernel
def place_objects(which, poses, vertex_start, vertex_count, vertices, world_start, world, node_start, node_count,
                  children, bottom, triangle_start, triangles, frame, box_start, boxes):
    """Move the vertices of some objects into the world and fit their trees' boxes around them."""
    for k in range(which.shape[0]):
        i = which[k]
        move_vertices(poses, i, vertices, vertex_start[i], vertex_count[i], world, world_start[i])
        fit_triangles(children, bottom, node_start[i], node_count[i], triangles, triangle_start[i], world,
                      world_start[i], frame, boxes, box_start[i])
        refit(children, bottom, node_start[i], node_count[i], boxes, box_start[i])


@kernel
def fit_objects(which, triangle_start, triangle_count, triangles, world_start, world, bounds):
    """bounds[i] = box of the placed triangles of object i, for i in which."""
    for k in range(which.shape[0]):
        i = which[k]
        for x in range(3):
            bounds[i, x] = world[world_start[i] + triangles[triangle_start[i], 0], x]
            bounds[i, 3 + x] = bounds[i, x]
        for t in range(triangle_start[i], triangle_start[i] + triangle_count[i]):
            for c in range(3):
                vertex = world_start[i] + triangles[t, c]
                for x in range(3):
                    bounds[i, x] = min(bounds[i, x], world[vertex, x])
                    bounds[i, 3 + x] = max(bounds[i, 3 + x], world[vertex, x])


def _frame(bounds: np.ndarray, kept: np.ndarray | None) -> np.ndarray:
    """Origin and power-of-two scale in which float32 boxes tell the scene's objects apart.

    The kept frame is used again while it serves, as another one would move every box.
    """
    low, high = bounds[:, :3].min(axis=0), bounds[:, 3:].max(axis=0)
    origin = 0.5 * low + 0.5 * high
    half = float((0.5 * high - 0.5 * low).max())
    scale = 1.0
    if half > 0.0 and not 1e-12 < half < 1e30:
        scale = math.ldexp(1.0, -max(-1000, min(1000, math.frexp(half)[1])))
    if kept is not None and kept[3] == scale and np.all(np.abs(kept[:3] - origin) <= half):
        return kept
    return np.append(origin, scale)
