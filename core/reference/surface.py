# SPDX-License-Identifier: GPL-3.0-or-later
"""`Surface`: one object of a scene, as the reference sees it."""
from dataclasses import dataclass

import numpy as np

from ..geometry.placed import placed_vertices
from ..scene import Scene
from .inside import OPEN, closedness


@dataclass(eq=False)
class Surface:
    """One object in world coordinates, and whether its mesh encloses space."""

    vertices: np.ndarray        # (n,3) float64
    triangles: np.ndarray       # (m,3) int32
    closed: int                 # OPEN, EVEN or ORIENTED
    shell: bool = False         # it has no inside, closed or not
    joined: np.ndarray | None = None    # triangles, where it is OPEN with one number for all vertices at a place

    def __post_init__(self):
        if self.joined is None:
            self.joined = by_place(self.vertices, self.triangles, self.closed)

    @classmethod
    def of(cls, scene: Scene, index: int) -> "Surface":
        """An object of a scene."""
        layout = scene.layout
        mesh = scene.meshes[layout.mesh[index]]
        closed = closedness(mesh.vertices, mesh.triangles)
        return cls(placed_vertices(mesh.vertices, scene.poses[index]), mesh.triangles, closed,
                   bool(layout.shell[index]), by_place(mesh.vertices, mesh.triangles, closed))

    @property
    def solid(self) -> int:
        """`closed`, but OPEN for a shell."""
        return OPEN if self.shell else self.closed

    @property
    def corners(self) -> np.ndarray:
        """(m,3,3) float64: the corners of each triangle."""
        return self.vertices[self.triangles]


def by_place(vertices: np.ndarray, triangles: np.ndarray, closed: int) -> np.ndarray:
    """`Surface.joined`: vertices (n,3), where two of them are at one position, triangles (m,3)."""
    first: dict[tuple, int] = {}
    number = [first.setdefault(tuple(position), vertex) for vertex, position in enumerate(vertices.tolist())]
    return np.array(number, np.int64)[triangles] if closed == OPEN and len(vertices) else triangles
