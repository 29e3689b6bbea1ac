# SPDX-License-Identifier: GPL-3.0-or-later
"""`Instant`: what a scene was at one moment."""
from dataclasses import dataclass

import numpy as np

from ..scene import Scene


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

    @property
    def has_meshes(self) -> bool:
        """True while the scene still has these meshes under their indices, deformed or not."""
        meshes = self.scene.meshes
        return all(index < len(meshes) and meshes[index].triangles is triangles
                   for index, triangles in zip(self.mesh.tolist(), self.triangles))
