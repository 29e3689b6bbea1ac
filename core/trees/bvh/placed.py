# SPDX-License-Identifier: GPL-3.0-or-later
"""`PlacedMeshes`: the vertices of all tested objects in the world, for methods that have trees of their own."""
from functools import cached_property

import numpy as np

from ...arrays import moved_poses, starts_of
from ...machine_code.jit import kernel
from ...memory import reserve
from ...parallel import run_chunks
from ...records import Corners
from ...run import Run
from ...scene.kept import KeptByScene
from ...scene.scene import Scene
from ...scene.select import Selection
from .forest import Forest
from .refit import move_vertices

VERTICES_PER_THREAD = 1 << 16   # that are worth one


class PlacedMeshes(KeptByScene):
    """Per tested object (arrays of length n, in the order of selection.objects): its mesh and its placed vertices.

    Triangles stand in the order of the mesh: here a slot is a number in the mesh. World coordinates are those of
    trees/bvh/refit.py. They are kept in scene.cache: only objects that moved or were deformed are placed again.
    """

    def __init__(self, scene: Scene, selection: Selection, run: Run):
        """Place all objects. Raises Cancelled, and Unsupported where memory is too small."""
        super().__init__(scene)
        self.selection = selection
        self._tick, self._threads = run.tick, run.threads
        self.objects = selection.objects                                        # (n,) int32
        self.mesh_index = scene.layout.mesh[self.objects]
        self.poses = scene.poses[self.objects, :3]                              # (n,3,4) float64
        self.versions = scene.versions[self.mesh_index]
        run.tick()
        used, mesh = np.unique(self.mesh_index, return_inverse=True)
        meshes = [scene.meshes[index] for index in used.tolist()]
        run.tick()
        vertices = [len(mesh.vertices) for mesh in meshes]
        triangles = [len(mesh.triangles) for mesh in meshes]
        run.tick()
        self.vertex_start = starts_of(vertices)[mesh]                           # (n,) int64, into `vertices`
        self.vertex_count = np.array(vertices, np.int64)[mesh]
        self.triangle_start = starts_of(triangles)[mesh]                        # (n,) int64, into `triangles`
        self.triangle_count = np.array(triangles, np.int64)[mesh]
        self._place(scene.cache.get("placed meshes"), meshes)
        scene.cache["placed meshes"] = self

    def _place(self, kept: "PlacedMeshes | None", meshes: list) -> None:
        """Place what has changed since the last call. meshes: those of the tested objects, each once."""
        self.vertices: np.ndarray           # (…,3) float64, local coordinates of the meshes
        self.triangles: np.ndarray          # (…,3) int32, vertices counted from the object's vertex_start
        self._order: np.ndarray             # (…,) int32: a slot is the triangle's number
        self.world_start: np.ndarray        # (n,) int64, into `world`
        self.world: np.ndarray              # (…,3) float64
        if (kept is not None and np.array_equal(kept.objects, self.objects)
                and np.array_equal(kept.mesh_index, self.mesh_index)):
            same = kept.versions == self.versions
            moved = moved_poses(kept.poses, self.poses) | ~same
            self.triangles, self._order = kept.triangles, kept._order
            self.world_start, self.world = kept.world_start, kept.world
            self.vertices = kept.vertices if same.all() else np.concatenate([mesh.vertices for mesh in meshes])
        else:
            moved = np.ones(len(self.objects), bool)
            starts = starts_of(self.vertex_count)
            size = 24 * int(starts[-1]) + sum(24 * len(mesh.vertices) + 16 * len(mesh.triangles) for mesh in meshes)
            with reserve(size, "the placed vertices"):
                self._tick()
                self.vertices = np.concatenate([np.zeros((0, 3)), *(mesh.vertices for mesh in meshes)])
                self._tick()
                self.triangles = np.concatenate([np.zeros((0, 3), np.int32), *(mesh.triangles for mesh in meshes)])
                self._tick()
                counts = np.array([len(mesh.triangles) for mesh in meshes], np.int64)
                self._order = np.arange(len(self.triangles), dtype=np.int32)
                self._order -= np.repeat(starts_of(counts)[:-1], counts).astype(np.int32)
                self._tick()
                self.world_start, self.world = starts[:-1], np.empty((starts[-1], 3))
        which = np.flatnonzero(moved)
        ends = np.cumsum(self.vertex_count[which])
        chunks = np.split(which, 1 + np.flatnonzero(np.diff(ends // VERTICES_PER_THREAD)))

        def work(number):
            place_vertices(chunks[number], self.poses, self.vertex_start, self.vertex_count, self.vertices,
                           self.world_start, self.world)

        self.scene.cache.pop("placed meshes", None)     # cancelled half way, nothing is left that looks right
        run_chunks(work, len(chunks), self._threads, lambda done: self._tick())

    @property
    def corners(self) -> Corners:
        """Where the corners of placed triangles are."""
        return Corners(self.triangle_start, self.triangles, self._order, self.world_start, self.world)

    def world_of(self, obj: int) -> np.ndarray:
        """(vertices,3) float64: the placed vertices of one object, a view."""
        start = self.world_start[obj]
        return self.world[start:start + self.vertex_count[obj]]

    @cached_property
    def forest(self) -> Forest:
        """The linear BVHs that verdicts and clearances use, made when the first of them needs it."""
        return Forest(self.scene, self.objects, self.selection.bounds, self._tick, self._threads)


@kernel
def place_vertices(which, poses, vertex_start, vertex_count, vertices, world_start, world):
    """Move the vertices of some objects into the world. which: (k,) int64."""
    for k in range(which.shape[0]):
        i = which[k]
        move_vertices(poses, i, vertices, vertex_start[i], vertex_count[i], world, world_start[i])
