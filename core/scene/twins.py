# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are the same shape at the same place: what is found of one of them is true of all."""
from collections import Counter
from hashlib import blake2b

import numpy as np

from .scene import Mesh, Scene


def twins(scene: Scene, objects: np.ndarray) -> np.ndarray:
    """(n,) int64: for each object the first one, by its position, that has the same vertices, triangles and pose, bit
    by bit, and is static and a shell as it is. objects: (n,) int32 indices into scene.objects."""
    first = np.arange(len(objects))
    poses = np.ascontiguousarray(scene.poses[objects, :3]).reshape(len(objects), 12).view(np.int64)
    kinds = np.stack([scene.layout.static[objects], scene.layout.shell[objects]], axis=1)
    places = np.concatenate([poses, kinds], axis=1)
    _, place, count = np.unique(places, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    rows = np.flatnonzero(count[place] > 1)         # nothing else stands where the others do
    mesh = scene.layout.mesh[objects[rows]]
    used = np.unique(mesh)
    shape = np.array(_shapes([scene.meshes[index] for index in used.tolist()]), np.int64)[np.searchsorted(used, mesh)]
    _, where, which = np.unique(np.stack([place[rows], shape], axis=1), axis=0, return_index=True, return_inverse=True)
    first[rows] = rows[where[which.ravel()]]
    return first


def _shapes(meshes: list[Mesh]) -> list[int]:
    """A number for each mesh, the same one for meshes whose arrays are the same bit by bit."""
    sizes = [(len(mesh.vertices), len(mesh.triangles)) for mesh in meshes]
    of_size = Counter(sizes)
    number_of: dict[tuple, int] = {}
    shapes = []
    for mesh, size in zip(meshes, sizes):
        digest = b""
        if of_size[size] > 1:
            hashed = blake2b(mesh.vertices.reshape(-1).data)
            hashed.update(mesh.triangles.reshape(-1).data)
            digest = hashed.digest()
        shapes.append(number_of.setdefault((*size, digest), len(number_of)))
    return shapes
