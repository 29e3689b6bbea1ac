# SPDX-License-Identifier: GPL-3.0-or-later
"""`Instant`: what a scene was at one moment."""
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..scene import Scene
from ..scene.select import mesh_boxes
from ..trees.bounds import HIGH


@dataclass(frozen=True, eq=False)
class Instant:
    """Objects at one moment, by position 0 … n-1; `contacts_between` follows them from one Instant to another one.

    It refers to the scene's vertices and copies poses, so it stays what it is when the scene is moved or deformed.
    """

    scene: Scene                        # whose trees are used
    mesh: np.ndarray                    # (n,) int64, index in scene.meshes at that moment
    vertices: list[np.ndarray]          # (n) of (v,3) float64, local coordinates
    triangles: list[np.ndarray]         # (n) of (m,3) int32
    poses: np.ndarray                   # (n,3,4) float64, local to world

    @classmethod
    def of(cls, scene: Scene, objects=None) -> "Instant":
        """The scene as it is now. objects: (n,) indices into scene.objects, which become the positions 0 … n-1; None:
        all objects. Raises IndexError for an index that the scene does not have."""
        which = np.arange(len(scene.objects)) if objects is None else np.asarray(objects, np.int64)
        mesh = scene.layout.mesh[which]
        meshes = [scene.meshes[index] for index in mesh.tolist()]
        return cls(scene, mesh, [each.vertices for each in meshes], [each.triangles for each in meshes],
                   scene.poses[which, :3].copy())

    def taken(self, positions) -> "Instant":
        """The same moment with these objects only, in this order. positions: (k,)."""
        positions = np.asarray(positions, np.int64)
        at = positions.tolist()
        return Instant(self.scene, self.mesh[positions], [self.vertices[k] for k in at],
                       [self.triangles[k] for k in at], self.poses[positions])

    @cached_property
    def triangle_counts(self) -> np.ndarray:
        """(n,) int64."""
        return np.array([len(each) for each in self.triangles], np.int64)

    @cached_property
    def local(self) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z of the vertices; 0 where there are none."""
        meshes, boxes = self.scene.meshes, mesh_boxes(self.scene)
        known: dict[int, np.ndarray] = {}
        local = np.zeros((len(self.mesh), 2 * HIGH))
        for k, (index, vertices) in enumerate(zip(self.mesh.tolist(), self.vertices)):
            if index < len(meshes) and meshes[index].vertices is vertices:
                local[k] = boxes[index]
            elif len(vertices):
                if id(vertices) not in known:
                    known[id(vertices)] = np.concatenate([vertices.min(axis=0), vertices.max(axis=0)])
                local[k] = known[id(vertices)]
        return local

    @cached_property
    def bounds(self) -> np.ndarray:
        """(n,6) float64, lo x y z hi x y z: boxes in the world, but for rounding."""
        low, high = self.local[:, :HIGH, None], self.local[:, HIGH:, None]
        with np.errstate(all="ignore"):
            centre = (self.poses[:, :, :3] @ (0.5 * low + 0.5 * high))[:, :, 0] + self.poses[:, :, 3]
            half = (np.abs(self.poses[:, :, :3]) @ (0.5 * high - 0.5 * low))[:, :, 0]
            return np.concatenate([centre - half, centre + half], axis=1)

    def changed(self, other: "Instant") -> tuple[np.ndarray, np.ndarray]:
        """(vertices, triangles), (n,) bool each: the objects whose vertices, or triangles, are others than those of
        another Instant. Other triangles are other vertices, too."""
        vertices, triangles = ([not _same(*each) for each in zip(mine, theirs)] for mine, theirs in (
            (self.vertices, other.vertices), (self.triangles, other.triangles)))
        return np.array(vertices, bool) | np.array(triangles, bool), np.array(triangles, bool)

    def has_meshes(self, positions: np.ndarray) -> bool:
        """True while the scene still has the meshes of these objects under their indices, deformed or not."""
        meshes, index = self.scene.meshes, self.mesh.tolist()
        return all(index[k] < len(meshes) and meshes[index[k]].triangles is self.triangles[k]
                   for k in positions.tolist())


def _same(first: np.ndarray, second: np.ndarray) -> bool:
    return first is second or np.array_equal(first, second)
