# SPDX-License-Identifier: GPL-3.0-or-later
"""`Instant`: what a scene was at one moment."""
from dataclasses import dataclass, replace

import numpy as np

from ..scene import Scene
from ..scene.select import mesh_boxes, world_boxes


@dataclass(frozen=True, eq=False)
class Instant:
    """Objects at one moment, by position 0 … n-1; `contacts_between` follows them from one Instant to another one.

    It refers to the scene's vertices and copies poses, so it stays what it is when the scene is moved or deformed.
    """

    scene: Scene                        # whose trees are used
    meshes: list[tuple[np.ndarray, np.ndarray]]     # vertices (v,3) float64 and triangles (m,3) int32, as in the scene
    mesh: np.ndarray                    # (n,) int64, index of each object's mesh
    versions: np.ndarray                # (n,) int64, of its vertices, as the scene counts them
    poses: np.ndarray                   # (n,3,4) float64, local to world
    local: np.ndarray                   # (n,6) float64, lo x y z hi x y z of the vertices
    bounds: np.ndarray                  # (n,6) float64, boxes in the world, a little larger than tight

    @classmethod
    def of(cls, scene: Scene, objects=None) -> "Instant":
        """The scene as it is now. objects: (n,) indices into scene.objects, which become the positions 0 … n-1; None:
        all objects. Raises IndexError for an index that the scene does not have."""
        which = slice(None) if objects is None else np.asarray(objects, np.int64)
        mesh = scene.layout.mesh[which]
        return cls(scene, [(each.vertices, each.triangles) for each in scene.meshes], mesh, scene.versions[mesh],
                   scene.poses[which, :3].copy(), mesh_boxes(scene)[mesh], world_boxes(scene)[which].copy())

    def taken(self, positions) -> "Instant":
        """The same moment with these objects only, in this order. positions: (k,)."""
        positions = np.asarray(positions, np.int64)
        return replace(self, **{name: getattr(self, name)[positions]
                                for name in ("mesh", "versions", "poses", "local", "bounds")})

    def __len__(self) -> int:
        return len(self.mesh)

    def vertices(self, k: int) -> np.ndarray:
        """(v,3) float64, local coordinates."""
        return self.meshes[self.mesh[k]][0]

    def triangles(self, k: int) -> np.ndarray:
        """(m,3) int32."""
        return self.meshes[self.mesh[k]][1]

    def triangle_counts(self) -> np.ndarray:
        """(n,) int64."""
        return np.array([len(triangles) for _, triangles in self.meshes], np.int64)[self.mesh]

    def changed(self, other: "Instant") -> tuple[np.ndarray, np.ndarray]:
        """(vertices, triangles), (n,) bool each: the objects whose vertices, or triangles, are others than those of
        another Instant. Other triangles are other vertices, too."""
        surely_same = (self.mesh == other.mesh) & (self.versions == other.versions) & (self.scene is other.scene)
        vertices, triangles = np.zeros((2, len(self)), bool)
        for k in np.flatnonzero(~surely_same).tolist():
            triangles[k] = not _same(self.triangles(k), other.triangles(k))
            vertices[k] = triangles[k] or not _same(self.vertices(k), other.vertices(k))
        return vertices, triangles

    def has_meshes(self, positions: np.ndarray) -> bool:
        """True while the scene still has the meshes of these objects under their indices, deformed or not."""
        meshes = self.scene.meshes
        return all(index < len(meshes) and meshes[index].triangles is self.meshes[index][1]
                   for index in np.unique(self.mesh[positions]).tolist())


def _same(first: np.ndarray, second: np.ndarray) -> bool:
    return first is second or np.array_equal(first, second)
