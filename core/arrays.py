# SPDX-License-Identifier: GPL-3.0-or-later
"""The casts at the door, behind which every array has one dtype and C order, so that each kernel is compiled once;
and the hand-overs that belong to no single stage."""
from typing import NamedTuple

import numpy as np


def as_vertices(vertices) -> np.ndarray:
    """(n,3) float64, C order, writable. Copies only when it must. Raises ValueError for another shape."""
    array = np.require(vertices, np.float64, ["C", "W"])
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"vertices must have the shape (n, 3), not {array.shape}")
    return array


def as_triangles(triangles, vertex_count: int) -> np.ndarray:
    """(m,3) int32, C order, writable; ValueError for another shape or an index outside 0 … vertex_count-1."""
    given = np.asarray(triangles)
    if given.size == 0:
        return np.zeros((0, 3), np.int32)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"triangles must have the shape (m, 3), not {given.shape}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"triangles must be whole numbers, not {given.dtype}")
    if given.min() < 0 or given.max() >= vertex_count:
        raise ValueError(f"triangles name vertices outside 0 … {vertex_count - 1}")
    return np.require(given, np.int32, ["C", "W"])


def as_poses(poses) -> np.ndarray:
    """(n,4,4) float64 affine matrices, last rows 0 0 0 1 (other numbers that are not finite pass: the object is then
    skipped by name). Raises ValueError for anything else."""
    array = np.asarray(poses, np.float64)
    if array.shape == (0,):
        return np.zeros((0, 4, 4))
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        raise ValueError(f"a pose is a 4×4 matrix, not {array.shape[1:]}")
    if not (array[:, 3] == (0.0, 0.0, 0.0, 1.0)).all():
        raise ValueError("the last row of a pose must be 0 0 0 1: perspective is not a rigid or affine motion")
    return array


def starts_of(counts) -> np.ndarray:
    """(n+1,) int64: where n pieces of these lengths begin when they follow one another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


class Corners(NamedTuple):
    """Where the corners of placed triangles are. Slot s of object o is row triangle_start[o] + s of `triangles`."""

    triangle_start: np.ndarray      # (objects,) int64
    triangles: np.ndarray           # (…,3) int32, vertices counted from the object's world_start
    order: np.ndarray               # (…,) int32, number of the triangle in its mesh
    world_start: np.ndarray         # (objects,) int64
    world: np.ndarray               # (…,3) float64

    def of(self, obj: int, slot: int) -> np.ndarray:
        """(3,3) float64 world corners of one triangle."""
        return self.world[self.world_start[obj] + self.triangles[self.triangle_start[obj] + slot]]


def moved_poses(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """(n,) bool: poses that differ in any bit, as 0 and -0 do. before, now: (n,rows,4) float64, C order."""
    return (before.view(np.int64) != now.view(np.int64)).any(axis=(1, 2))
