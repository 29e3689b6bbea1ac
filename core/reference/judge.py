# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on one pair of objects."""
from dataclasses import dataclass

import numpy as np

from ..codes import A_IN_B, B_IN_A, CANNOT_TELL, CLEAR, CONTAINED, CROSSING, NEITHER, NOT_CLOSED, OK, OVERLAP, TOUCHING
from ..contacts import Contacts
from ..scene import Scene
from .inside import OPEN, closedness, parts_inside, seems_enclosed
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


def judge(one: Surface, other: Surface, found: Contacts) -> tuple[int, int, int]:
    """Codes of report.VERDICTS and STATUSES and of which one lies in the other (A_IN_B: `one` does). found: all
    contacts of the pair, triangle_a being of `one`."""
    if len(found) == 0:
        return apart(one, other)
    if crosses(one, other, found):
        return CROSSING, OK, NEITHER
    return touching(one, other, found)


def touching(one: Surface, other: Surface, found: Contacts) -> tuple[int, int, int]:
    """The same of two surfaces that meet without passing through each other: do they share volume all the same?"""
    shared = shared_volume(Solid(one.corners, one.closed), Solid(other.corners, other.closed), found)
    return {"a in b": (CONTAINED, OK, A_IN_B), "b in a": (CONTAINED, OK, B_IN_A), "overlap": (OVERLAP, OK, NEITHER),
            "": (TOUCHING, OK, NEITHER)}[shared]


def apart(one: Surface, other: Surface) -> tuple[int, int, int]:
    """The same of two surfaces that do not meet."""
    one_in_other, other_in_one = lies_within(one, other), lies_within(other, one)
    if one_in_other == {True} and True not in other_in_one:
        return CONTAINED, OK, A_IN_B
    if other_in_one == {True} and True not in one_in_other:
        return CONTAINED, OK, B_IN_A
    if True in one_in_other | other_in_one:
        return OVERLAP, OK, NEITHER
    if any(outer.closed == OPEN and seems_enclosed(inner.vertices, inner.triangles, outer.vertices, outer.triangles)
           for inner, outer in ((one, other), (other, one))):
        return CANNOT_TELL, NOT_CLOSED, NEITHER
    return CLEAR, OK, NEITHER


def lies_within(inner: Surface, outer: Surface) -> set[bool]:
    """Of each connected part of the one surface, whether it is inside the other: nothing where that is not closed."""
    if outer.closed == OPEN:
        return set()
    return parts_inside(inner.vertices, inner.triangles, outer.corners, outer.closed)
