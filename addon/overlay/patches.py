# SPDX-License-Identifier: GPL-3.0-or-later
"""Flush patches: what coplanar triangles share, as triangles to fill."""
import numpy as np


def shared_triangles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(m,3,3) float64: triangles that fill what a[i] and b[i] share, for all i; b[i] says which plane they lie in.
    a, b: (n,3,3) corners of triangles that are coplanar, up to rounding."""
    if len(a) == 0:
        return np.zeros((0, 3, 3))
    shared = a
    across = np.cross(b[:, 1] - b[:, 0], b[:, 2] - b[:, 0])
    for side in range(3):
        start, end = b[:, side], b[:, (side + 1) % 3]
        shared = _cut(shared, np.cross(across, end - start), start)
    fan = np.stack([np.broadcast_to(shared[:, :1], shared[:, 1:-1].shape), shared[:, 1:-1], shared[:, 2:]], axis=2)
    return fan[_areas(fan) > 0.0]


def _cut(polygons: np.ndarray, inward: np.ndarray, through: np.ndarray) -> np.ndarray:
    """What of each convex polygon lies on the inner side of a plane; polygons of fewer corners repeat their first one,
    and what lies outside altogether becomes a point. polygons: (n,k,3). inward, through: (n,3), the plane's normal and
    a point in it. Returns (n,j,3), j at most k + 1."""
    height = np.einsum("nkc,nc->nk", polygons - through[:, None], inward)
    following, height_there = np.roll(polygons, -1, axis=1), np.roll(height, -1, axis=1)
    inside = height >= 0.0
    crosses = inside != (height_there >= 0.0)
    drop = np.where(crosses, height - height_there, 1.0)
    met = polygons + (height / drop)[:, :, None] * (following - polygons)
    corners = np.stack([polygons, met], axis=2).reshape(len(polygons), -1, 3)
    kept = np.stack([inside, crosses], axis=2).reshape(len(polygons), -1)
    order = np.argsort(~kept, axis=1, kind="stable")[:, :max(3, int(kept.sum(axis=1).max()))]
    corners = np.take_along_axis(corners, order[:, :, None], axis=1)
    return np.where(np.take_along_axis(kept, order, axis=1)[:, :, None], corners, corners[:, :1])


def _areas(triangles: np.ndarray) -> np.ndarray:
    """Twice the areas of (…,3,3) triangles."""
    along = triangles[..., 1:, :] - triangles[..., :1, :]
    return np.linalg.norm(np.cross(along[..., 0, :], along[..., 1, :]), axis=-1)
