# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that are the same shape at the same place: what is found of one of them is true of all."""
from collections import Counter
from hashlib import blake2b

import numpy as np

from .scene import Mesh, Scene

MIXED = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F,
                  0xE7037ED1A0B428DB], np.uint64).view(np.int64)        # odd: sums of rows' bits that differ mostly do

COMPARED_AT_ONCE = 1 << 14


def some_have_one_place(bounds: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
    """False where no two objects of a pair can be twins, as their boxes are not the same. bounds: (n,6) float64 boxes
    of objects; a, b: (pairs,) int32, rows of these."""
    begin = bounds[:, 0]
    rows = (begin[a] == begin[b]).nonzero()[0]
    for first in range(0, len(rows), COMPARED_AT_ONCE):         # where there are many, the first ones tell
        some = rows[first:first + COMPARED_AT_ONCE]
        if (bounds[a[some]] == bounds[b[some]]).all(axis=1).any():
            return True
    return False


def twins(scene: Scene, objects: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """(n,) int64: for each object the first one, by its position, that has the same vertices, triangles and pose, bit
    by bit, and is static and a shell as it is. objects: (n,) int32 indices into scene.objects; bounds: (n,6) float64,
    their boxes in the world."""
    first = np.arange(len(objects))
    rows = _repeated(bounds)            # nothing else stands where the others do
    if len(rows) == 0:
        return first
    layout, here = scene.layout, objects[rows]
    poses = np.ascontiguousarray(scene.poses[here, :3]).reshape(len(rows), 12).view(np.int64)
    mesh = layout.mesh[here]
    used, number = np.unique(mesh, return_inverse=True)
    shape = np.array(_shapes([scene.meshes[index] for index in used.tolist()]), np.int64)[number]
    kinds = np.stack([layout.static[here], layout.shell[here], shape], axis=1)
    _, where, which = np.unique(np.concatenate([poses, kinds], axis=1), axis=0, return_index=True, return_inverse=True)
    first[rows] = rows[where[which.ravel()]]
    return first


def _repeated(bounds: np.ndarray) -> np.ndarray:
    """(k,) int64: rows of bounds, (n,6) float64, that come more than once, and hardly any others."""
    mixed = np.ascontiguousarray(bounds).view(np.int64) @ MIXED
    _, place, count = np.unique(mixed, return_inverse=True, return_counts=True)
    return np.flatnonzero(count[place.ravel()] > 1)


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
