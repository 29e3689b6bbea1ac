# SPDX-License-Identifier: GPL-3.0-or-later
"""What verdicts need to know of meshes: are they closed, their parts and edges. Found once, kept with the scene."""
from dataclasses import dataclass, field

import numpy as np

from ..scene import Scene
from ..trees.bvh.mesh_trees import MeshTrees
from .closedness import closedness, parts, vertex_per_part
from .edges import Edges, edges_of, join_edges

UNKNOWN = -1


@dataclass(eq=False)
class Kept:
    """What is known of the meshes of a scene, by their index there; lives in its cache."""

    closed: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))        # UNKNOWN where not asked yet
    version: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))      # of the mesh when it was asked
    parts: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    part_count: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))   # UNKNOWN where not asked yet
    built: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))        # `MeshTrees.built` when it was
    part_start: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))   # into part_vertices
    part_vertices: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    edges: dict[int, Edges] = field(default_factory=dict)
    joined: tuple[tuple[int, ...], Edges] | None = None         # `MeshTopology.joined_edges` of these meshes


class MeshTopology:
    """Closedness and connected parts of the meshes of a scene, by their index there."""

    def __init__(self, scene: Scene):
        self.scene = scene
        self.kept = scene.cache.setdefault("mesh facts", Kept())
        more = len(scene.meshes) - len(self.kept.closed)
        if more:
            self.kept.closed = np.append(self.kept.closed, np.full(more, UNKNOWN, np.int8))
            self.kept.version = np.append(self.kept.version, np.zeros(more, np.int64))
            self.kept.part_count = np.append(self.kept.part_count, np.full(more, UNKNOWN))
            self.kept.built = np.append(self.kept.built, np.zeros(more, np.int64))
            self.kept.part_start = np.append(self.kept.part_start, np.zeros(more, np.int64))

    def closed(self, meshes: np.ndarray) -> np.ndarray:
        """(n,) int8 OPEN, EVEN or ORIENTED of the meshes (n,)."""
        stale = (self.kept.closed == UNKNOWN) | (self.kept.version != self.scene.versions)
        if stale[meshes].any():
            for index in np.unique(meshes[stale[meshes]]).tolist():
                mesh = self.scene.meshes[index]
                self.kept.closed[index] = closedness(mesh.vertices, mesh.triangles,
                                                     lambda index=index: self.edges(index))
                self.kept.version[index] = self.scene.versions[index]   # moved vertices may fall together
        return self.kept.closed[meshes]

    def edges(self, index: int) -> Edges:
        """Of one mesh."""
        if index not in self.kept.edges:
            mesh = self.scene.meshes[index]
            self.kept.edges[index] = edges_of(mesh.triangles, len(mesh.vertices))
        return self.kept.edges[index]

    def joined_edges(self, meshes: list[int]) -> Edges:
        """Of several meshes, whose vertices are numbered one mesh after the other."""
        if self.kept.joined is None or self.kept.joined[0] != tuple(meshes):
            self.kept.joined = tuple(meshes), join_edges([self.edges(index) for index in meshes])
        return self.kept.joined[1]

    def parts(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """`closed.parts` of one mesh."""
        if index not in self.kept.parts:
            mesh = self.scene.meshes[index]
            self.kept.parts[index] = parts(mesh.triangles, len(mesh.vertices))
        return self.kept.parts[index]

    def single(self, meshes: np.ndarray) -> np.ndarray:
        """(n,) bool: the mesh is of one connected part."""
        self._find_parts(meshes)
        return self.kept.part_count[meshes] == 1

    def vertices_of_parts(self, meshes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A vertex, in the numbers of `MeshTrees`, of each part of meshes[k]: vertices[first[k]:last[k]]. int64."""
        self._find_parts(meshes)
        first = self.kept.part_start[meshes]
        return first, first + self.kept.part_count[meshes], self.kept.part_vertices

    def _find_parts(self, meshes: np.ndarray) -> None:
        trees = MeshTrees.of(self.scene)
        unknown = (self.kept.part_count[meshes] == UNKNOWN) | (self.kept.built[meshes] != trees.built[meshes])
        new = np.unique(meshes[unknown]) if unknown.any() else meshes[:0]
        if len(new):
            kept = self.kept
            rows = trees.row[new]
            used = trees.vertex_count[rows]
            start, count = np.empty((2, len(new)), np.int64)
            found = np.empty(used.sum(), np.int64)
            number = vertex_per_part(rows, trees.vertex_count, trees.triangle_start, trees.triangles,
                                     np.empty(used.max(), np.int32), start, count, found)
            again = kept.part_count[new] != UNKNOWN     # a tree that was built anew, over as many parts
            for k, index in zip(np.flatnonzero(again), new[again]):
                place = kept.part_start[index]
                kept.part_vertices[place:place + count[k]] = found[start[k]:start[k] + count[k]]
            kept.part_start[new[~again]], kept.part_count[new] = start[~again] + len(kept.part_vertices), count
            if not again.all():
                kept.part_vertices = np.concatenate([kept.part_vertices, found[:number]])
            kept.built[new] = trees.built[new]
