# SPDX-License-Identifier: GPL-3.0-or-later
"""`Tolerance`: how much a run tolerates, of which every object brings its share."""
import math
from dataclasses import dataclass

import numpy as np

from ..arrays import as_length
from ..errors import Refused
from ..scene import Scene
from ..scene.frames import Frames
from ..scene.scene import Mesh
from ..scene.select import Selection, mesh_boxes
from . import AUTOMATIC

HALF_UNIT = 2.0 ** -24      # what rounding to single precision may change a number by, relative to it
MULTIPLE = 8.0              # of what rounding once may have done: matrices are products, importers and modifiers round


@dataclass(frozen=True, eq=False)
class Tolerance:
    """What is tolerated of a pair is the sum of its objects' shares, by which boxes can be grown."""

    asked: float | str          # a length, or AUTOMATIC
    shares: np.ndarray          # (n,) float64, of the tested objects
    frames: Frames | None = None        # that these are in

    @classmethod
    def of(cls, asked: float | str, scene: Scene, selection: Selection) -> "Tolerance":
        """asked: as `checked` returns it, not 0."""
        if isinstance(asked, str):
            return cls(asked, MULTIPLE * roundings(scene, selection.objects), selection.frames)
        return cls(asked, np.full(len(selection.objects), 0.5 * asked))

    def of_pairs(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(pairs,) float64. a, b: (pairs,) positions in the selection."""
        return self.shares[a] + self.shares[b]

    @property
    def is_length(self) -> bool:
        """True where the caller gave a length, False where it follows from the numbers of the scene."""
        return not isinstance(self.asked, str)

    @property
    def settings(self) -> dict:
        """What a report says of it: the length; of an automatic one, the largest that a pair of these objects has."""
        if self.is_length:
            return {"tolerance": self.asked}
        shares = self.shares[None] if self.frames is None else self.shares[self.frames.rows]
        largest = shares if shares.shape[1] < 2 else np.partition(shares, -2, axis=1)[:, -2:]
        return {"tolerance": self.asked, "tolerance_at_most": float(largest.sum(axis=1).max())}


def checked(tolerance) -> float | str:
    """A length, or AUTOMATIC. Raises Refused for what is neither."""
    if isinstance(tolerance, str) and tolerance == AUTOMATIC:
        return AUTOMATIC
    length = as_length(tolerance)
    if math.isnan(length):
        raise Refused(f'The tolerance must be a length of zero or more, or "{AUTOMATIC}", not {tolerance!r}.')
    return length


def roundings(scene: Scene, objects: np.ndarray) -> np.ndarray:
    """(n,) float64: how far a vertex of each object may be from where it was meant to be, where its coordinates, its
    matrix and the matrix's translation were each rounded to single precision once. objects: (n,) indices. Kept in
    scene.cache, as long as these are the same array, for those that stay as they are."""
    state, kept = scene.state, scene.cache.get("roundings")
    if kept is None or kept[1] is not objects:
        found = _roundings(scene, objects)
    elif kept[0] is state:
        return kept[2]
    else:
        changed, found = state.changed_since(kept[0]), kept[2].copy()
        rows = np.arange(len(objects)) if changed is None else changed[objects].nonzero()[0]
        found[rows] = _roundings(scene, objects[rows])
    scene.cache["roundings"] = state, objects, found
    return found


def _roundings(scene: Scene, objects: np.ndarray) -> np.ndarray:
    """`roundings`, found now."""
    sizes = np.abs(scene.state.affine[objects])
    # Coordinates and entries of the matrix, which are multiplied: twice.
    x, y, z = (2.0 * HALF_UNIT * np.einsum("nij,nj->ni", sizes[:, :, :3], _reaches(scene)[scene.layout.mesh[objects]])
               + HALF_UNIT * sizes[:, :, 3]).T
    return np.hypot(np.hypot(x, y), z)


def _reaches(scene: Scene) -> np.ndarray:
    """(meshes,3) float64: the largest coordinates of each mesh, in size. Kept in scene.cache until one is deformed."""
    versions, kept = scene.state.versions, scene.cache.get("reaches")
    if kept is None or kept[0] is not versions:
        low, high = np.split(_boxes_of_triangles(scene), 2, axis=1)
        kept = scene.cache["reaches"] = versions, np.maximum(np.abs(low), np.abs(high))
    return kept[1]


def _boxes_of_triangles(scene: Scene) -> np.ndarray:
    """(meshes,6) float64: `mesh_boxes` without vertices that no triangle has. One that somebody left far away would
    have whatever is near touch."""
    boxes, known = mesh_boxes(scene), scene.cache.get("loose vertices", np.zeros(0, bool))
    new = [not _used(mesh).all() for mesh in scene.meshes[len(known):]]
    scene.cache["loose vertices"] = loose = np.append(known, np.array(new, bool))     # a mesh keeps its triangles
    if not loose.any():
        return boxes
    boxes = boxes.copy()
    for index in np.flatnonzero(loose).tolist():
        vertices = scene.meshes[index].vertices[_used(scene.meshes[index])]
        if len(vertices):
            boxes[index] = np.append(vertices.min(axis=0), vertices.max(axis=0))
    return boxes


def _used(mesh: Mesh) -> np.ndarray:
    """(vertices,) bool: a triangle has it."""
    used = np.zeros(len(mesh.vertices), bool)
    used[mesh.triangles.ravel()] = True
    return used
