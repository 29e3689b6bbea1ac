# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on one pair of objects."""
from dataclasses import dataclass

import numpy as np

from ..contacts import Contacts
from ..report import CANNOT_TELL, CLEAR, CONTAINED, CROSSING, NOT_CLOSED, OK, OVERLAP, TOUCHING
from ..scene import Scene
from .inside import OPEN, closedness, has_part_inside, seems_enclosed
from .pieces import Solid, shared_volume
from .placed import placed_vertices
from .verdict import crosses


@dataclass(eq=False)
class Surface:
    """One object in world coordinates: (n,3) float64 and (m,3) int32; whether its mesh encloses space."""

    vertices: np.ndarray
    triangles: np.ndarray
    closed: int

    @classmethod
    def of(cls, scene: Scene, index: int) -> "Surface":
        """An object of a scene."""
        mesh = scene.meshes[scene.objects[index].mesh]
        return cls(placed_vertices(mesh.vertices, scene.objects[index].pose), mesh.triangles,
                   closedness(mesh.vertices, mesh.triangles))

    @property
    def corners(self) -> np.ndarray:
        return self.vertices[self.triangles]


def judge(one: Surface, other: Surface, found: Contacts) -> tuple[int, int]:
    """Codes of report.VERDICTS and STATUSES. found: all contacts of the pair, triangle_a being of `one`."""
    if len(found) == 0:
        return apart(one, other)
    if crosses(one.vertices, one.triangles, other.vertices, other.triangles, found):
        return CROSSING, OK
    return touching(one, other, found), OK


def touching(one: Surface, other: Surface, found: Contacts) -> int:
    """Verdict of two surfaces that meet without passing through each other: do they share volume all the same?"""
    shared = shared_volume(Solid(one.corners, one.closed), Solid(other.corners, other.closed), found)
    return {"contained": CONTAINED, "overlap": OVERLAP, "": TOUCHING}[shared]


def apart(one: Surface, other: Surface) -> tuple[int, int]:
    """Verdict and status of two surfaces that do not meet."""
    both = ((one, other), (other, one))
    if any(outer.closed != OPEN and has_part_inside(inner.vertices, inner.triangles, outer.vertices, outer.triangles,
                                                    outer.closed) for inner, outer in both):
        return CONTAINED, OK
    if any(outer.closed == OPEN and seems_enclosed(inner.vertices, inner.triangles, outer.vertices, outer.triangles)
           for inner, outer in both):
        return CANNOT_TELL, NOT_CLOSED
    return CLEAR, OK
