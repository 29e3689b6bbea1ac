# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a mesh have a face twice at one place? Then its depths may prove nothing."""
import numpy as np

from ..scene import Scene
from ..verdicts.closedness import number_positions


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
    number = np.empty(len(vertices), np.int32)
    table = np.full(4 << len(vertices).bit_length(), -1, np.int32)
    number_positions((vertices + 0.0).view(np.uint64), table, number)       # + 0.0: -0 is 0
    corners = np.sort(number[triangles], axis=1)
    corners = corners[(corners[:, 0] < corners[:, 1]) & (corners[:, 1] < corners[:, 2])]
    corners = corners[np.lexsort(corners.T)]
    return bool((corners[1:] == corners[:-1]).all(axis=1).any())
