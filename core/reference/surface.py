# SPDX-License-Identifier: GPL-3.0-or-later
"""`Surface`: one object of a scene, as the reference sees it."""
from dataclasses import dataclass

import numpy as np

from ..scene import Scene
from .inside import closedness
from .placed import placed_vertices


@dataclass(eq=False)
class Surface:
    """One object in world coordinates, and whether its mesh encloses space."""

    vertices: np.ndarray        # (n,3) float64
    triangles: np.ndarray       # (m,3) int32
    closed: int                 # OPEN, EVEN or ORIENTED

    @classmethod
    def of(cls, scene: Scene, index: int) -> "Surface":
        """An object of a scene."""
        mesh = scene.meshes[scene.objects[index].mesh]
        return cls(placed_vertices(mesh.vertices, scene.objects[index].pose), mesh.triangles,
                   closedness(mesh.vertices, mesh.triangles))

    @property
    def corners(self) -> np.ndarray:
        """(m,3,3) float64: the corners of each triangle."""
        return self.vertices[self.triangles]
