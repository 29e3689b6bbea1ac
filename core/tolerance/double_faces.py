# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a mesh have a face twice at one place? Then its depths may prove nothing."""
import numpy as np

from ..scene import Scene
from ..verdicts.closedness import positions_of


def has_double_faces(scene: Scene, index: int) -> bool:
    """True where two triangles of a mesh have the same corners, whichever way they are turned; kept with the scene.

    Such a mesh may be closed, and still enclose nothing, as where each face of a room is there once for either side.
    """
    kept = scene.cache.setdefault("double faces", {})
    version = int(scene.versions[index])
    if kept.get(index, (None,))[0] != version:
        mesh = scene.meshes[index]
        kept[index] = version, _any_double(mesh.vertices, mesh.triangles)
    return kept[index][1]


def _any_double(vertices: np.ndarray, triangles: np.ndarray) -> bool:
    corners = np.sort(positions_of(vertices)[0][triangles], axis=1)
    corners = corners[(corners[:, 0] < corners[:, 1]) & (corners[:, 1] < corners[:, 2])]
    corners = corners[np.lexsort(corners.T)]
    return bool((corners[1:] == corners[:-1]).all(axis=1).any())
