# SPDX-License-Identifier: GPL-3.0-or-later
"""`Forest`: the trees of all tested objects in flat arrays, and the part of them that is placed in the world.

Objects that share a mesh share its tree. Only objects that stand in a candidate pair are placed, and while a scene is
kept between calls only those that moved or were deformed. When all of them together would not fit into the budget,
pairs are worked off in batches.
"""
import math

import numpy as np

from ..arrays import Corners, starts_of
from ..jit import kernel
from ..parallel import run_chunks
from ..scene import Scene
from .mesh_trees import MeshTrees
from .place import fit_triangles, move_vertices, round_vertices, unfitted

BUDGET = 1 << 30                # bytes for placed vertices and boxes
NODE_BYTES, VERTEX_BYTES = 96, 24
OF_MESHES = ("vertex_start", "vertex_count", "triangle_start", "triangle_count", "node_start", "node_count", "root",
             "in_batches")      # what does not change while objects, meshes and trees are the same
PLACED_AT_ONCE = 1 << 16        # triangles that are worth a thread


class Forest:
    """Per tested object (arrays of length n, in the order of `objects`) where its data begin in the flat arrays."""

    def __init__(self, scene: Scene, objects: np.ndarray, bounds: np.ndarray, tick, threads: int = 1):
        """objects: (n,) indices into scene.objects; bounds: (n,6) float64, world boxes that hold the objects.

        tick: called with the fraction done, or nothing, between pieces of work; it may raise Cancelled.
        """
        self.mesh_index: np.ndarray         # (n,) int64, index in scene.meshes
        self._wanted: np.ndarray            # (k,) meshes of the tested objects, each once
        self.built: np.ndarray              # (k,) int64: how often their trees were built
        self.frame: np.ndarray              # (4,) float64, see trees/place.py
        self.scene = scene
        self._tick, self._threads = tick, threads
        self.objects, self.bounds = objects, bounds
        self.layout = scene.layout
        self.meshes = MeshTrees.of(scene)
        kept: Forest | None = scene.cache.get("forest")
        if kept is not None and kept.layout is self.layout and kept.objects is objects:
            self.mesh_index, self._wanted = kept.mesh_index, kept._wanted
        else:
            self.mesh_index = self.layout.mesh[objects]
            self._wanted = np.unique(self.mesh_index)
        self.meshes.update(scene, self._wanted, tick, threads)
        self.built = self.meshes.built[self._wanted]
        same = kept is not None and kept._wanted is self._wanted and np.array_equal(kept.built, self.built)
        if same:
            for name in OF_MESHES:
                setattr(self, name, getattr(kept, name))
        else:
            self._find_meshes()
        self.poses = scene.poses[objects, :3]
        self.versions = scene.versions[self.mesh_index]
        self.frame = frame_around(bounds, None if kept is None else kept.frame)
        self._reserve(kept, same)
        scene.cache["forest"] = self

    def _find_meshes(self) -> None:
        """Where the data of each object's mesh begin, which stays as it is when meshes are added."""
        mesh = self.meshes.place[self.mesh_index]
        self.vertex_start = self.meshes.vertex_start[mesh]
        self.vertex_count = self.meshes.vertex_count[mesh]
        self.triangle_start = self.meshes.triangle_start[mesh]
        self.triangle_count = self.meshes.triangle_start[mesh + 1] - self.triangle_start
        self.node_start = self.meshes.node_start[mesh]
        self.node_count = self.meshes.node_count[mesh]
        self.root = self.meshes.root[mesh]
        self.in_batches = (NODE_BYTES * self.node_count + VERTEX_BYTES * self.vertex_count).sum() > BUDGET

    def _reserve(self, kept: "Forest | None", same: bool) -> None:
        """Memory for placed objects: kept from the last call where it still fits, else new. same: the objects and
        their meshes are those of the last call."""
        self.world: np.ndarray              # (…,3) float64, vertices of placed objects
        self.boxes: np.ndarray              # (…,6,4) float32, their nodes, and an empty one at the end
        self.world_start: np.ndarray        # (n,) int64 into these two
        self.box_start: np.ndarray
        self.placed: np.ndarray             # (n,) bool
        n = len(self.objects)
        if (kept is not None and not self.in_batches and not kept.in_batches
                and (same or (np.array_equal(kept.objects, self.objects)
                              and np.array_equal(kept.mesh_index, self.mesh_index)
                              and np.array_equal(kept.built, self.built)))
                and kept.frame is self.frame):
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
        starts = starts_of(self.vertex_count[which])
        self.world_start[which] = starts[:-1]
        self.world = np.empty((starts[-1], 3))
        starts = starts_of(self.node_count[which])
        self.box_start[which] = starts[:-1]
        self.boxes = unfitted(starts[-1])

    @property
    def corners(self) -> Corners:
        """Where the placed triangles are."""
        return Corners(self.triangle_start, self.meshes.triangles, self.meshes.order, self.world_start, self.world)

    @property
    def placed_trees(self) -> tuple[np.ndarray, ...]:
        """root, box_start, node_start, children, boxes, frame and `corners`: what kernels need to follow a ray."""
        return (self.root, self.box_start, self.node_start, self.meshes.children, self.boxes, self.frame,
                *self.corners)

    def triangle_corners(self, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
        """(n,3,3) float64 world corners of triangles, by number in their meshes: the very numbers of placed ones."""
        local = np.empty((len(objects), 3, 3))
        meshes = self.mesh_index[objects]
        for index in np.unique(meshes):
            mine = np.flatnonzero(meshes == index)
            mesh = self.scene.meshes[index]
            local[mine] = mesh.vertices[mesh.triangles[triangles[mine]]]
        m = self.poses[objects][:, None]
        return ((m[..., 0] * local[..., :1] + m[..., 1] * local[..., 1:2]) + m[..., 2] * local[..., 2:]) + m[..., 3]

    def mesh_of(self, objects):
        """Index in scene.meshes of the mesh of each position in the forest."""
        return self.mesh_index[objects]

    def occurring(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(k,) int64: the positions that stand in a or in b, each once, ascending."""
        mark = np.zeros(len(self.objects), bool)
        mark[a] = mark[b] = True
        return np.flatnonzero(mark)

    def tight_bounds(self, which: np.ndarray) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z of the triangles of the placed objects `which`; zero for all others."""
        bounds = np.zeros((len(self.objects), 6))
        fit_objects(which, self.vertex_count, self.world_start, self.world, bounds)
        return bounds

    def batches(self, a: np.ndarray, b: np.ndarray):
        """Yield slices of the pairs (a[i], b[i]), each time with all their objects placed."""
        if not self.in_batches:
            self._place(self.occurring(a, b))
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
        if len(which) == 0:
            return
        meshes = self.meshes
        ends = np.cumsum(self.triangle_count[which])
        parts = np.split(which, 1 + np.flatnonzero(np.diff(ends // PLACED_AT_ONCE)))

        def work(number):
            place_objects(parts[number], self.poses, self.vertex_start, self.vertex_count, meshes.vertices,
                          self.world_start, self.world, self.node_start, self.node_count, meshes.children,
                          meshes.bottom, self.triangle_start, meshes.triangles, self.frame, self.box_start, self.boxes,
                          np.empty((self.vertex_count[parts[number]].max() + 1, 8), np.float32), np.empty(12, np.int64))
            self.placed[parts[number]] = True

        run_chunks(work, len(parts), self._threads, lambda done: self._tick())


@kernel
def place_objects(which, poses, vertex_start, vertex_count, vertices, world_start, world, node_start, node_count,
                  children, bottom, triangle_start, triangles, frame, box_start, boxes, rounded, at):
    """Move the vertices of some objects into the world and fit their trees' boxes around them. rounded: (v + 1, 8)
    float32 for the v vertices of the largest of them, at: (12,) int64, scratch."""
    for k in range(which.shape[0]):
        i = which[k]
        move_vertices(poses, i, vertices, vertex_start[i], vertex_count[i], world, world_start[i])
        round_vertices(world, world_start[i], vertex_count[i], frame, rounded)
        fit_triangles(children, bottom, node_start[i], node_count[i], triangles, triangle_start[i],
                      vertex_count[i], rounded, at, boxes, box_start[i])


@kernel
def fit_objects(which, vertex_count, world_start, world, bounds):
    """bounds[i] = box of the placed triangles of object i, for i in which."""
    for k in range(which.shape[0]):
        i = which[k]
        for x in range(3):
            low = world[world_start[i], x]
            high = low
            for v in range(world_start[i], world_start[i] + vertex_count[i]):
                low = min(low, world[v, x])
                high = max(high, world[v, x])
            bounds[i, x] = low
            bounds[i, 3 + x] = high


def frame_around(bounds: np.ndarray, kept: np.ndarray | None = None) -> np.ndarray:
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
