# SPDX-License-Identifier: GPL-3.0-or-later
"""Is a mesh a convex body, up to a tolerance: does it fill the convex hull of its vertices?

Closed surfaces that are wound one way round, flat meshes in one plane and meshes on one line can get a yes. A yes is
right to the tolerance. Some convex bodies that are wound both ways, or doubled, get a no.
"""
from collections.abc import Callable

import numpy as np

from ...alike import kinds_of
from ...arrays import used_vertices

HEIGHTS_AT_ONCE = 1 << 20       # of vertices over faces
TRIANGLES_AT_ONCE = 1 << 18     # whose normals take some hundredths of a second
SUM_NOISE = 1e-13               # of what was added up: what rounding may leave of a sum that is zero


def is_convex(vertices: np.ndarray, triangles: np.ndarray, tolerance: float,
              tick: Callable[[], None] = lambda: None) -> bool:
    """True where the mesh fills the convex hull of its vertices.

    vertices (n,3) float64, triangles (m,3) int, m ≥ 1. tolerance: by what share of the longest edge of their box
    vertices may stand beyond the plane of a face. tick(): called now and then, may raise.
    """
    points, corners = _points_of(vertices, triangles, tick)
    size = float(np.ptp(0.5 * points, axis=0).max())
    if size == 0.0:
        return True
    tick()
    points = (0.5 * points - 0.5 * points[0]) / size
    normals, areas, volume = _normals_of(points, corners, tick)
    best = int(np.argmax(areas))
    if areas[best] <= tolerance:
        return _fills_a_line(points, corners, tolerance)
    heights = (points - points[corners[best, 0]]) @ (normals[best] / areas[best])
    if np.abs(heights).max() <= tolerance:
        return _fills_an_outline(points, corners, normals, int(np.abs(normals[best]).argmax()), tolerance, tick)
    tick()
    if len(border(corners, tick)) or abs(volume.sum()) <= SUM_NOISE * np.abs(volume).sum():
        return False
    solid = areas > tolerance * areas[best]         # what is left out is a line, which others share
    tick()
    return _behind_planes(points, points[corners[solid, 0]], normals[solid] / areas[solid, None], tolerance, tick)


def _points_of(vertices: np.ndarray, triangles: np.ndarray, tick: Callable[[], None]) -> tuple[np.ndarray, np.ndarray]:
    """(points, corners): the points (k,3) that triangles name, each once, by their coordinates; (m,3) int64, which of
    them are the corners of each triangle."""
    used = used_vertices(triangles, len(vertices))
    tick()
    columns = [np.ascontiguousarray(vertices[used, axis]) + 0.0 for axis in range(3)]
    first, kind = kinds_of(columns, tick)
    number = np.empty(len(vertices), np.int64)
    number[used] = kind
    tick()
    return np.stack([column[first] for column in columns], axis=1), number[triangles]


def _normals_of(points: np.ndarray, corners: np.ndarray, tick: Callable[[], None]) -> tuple[np.ndarray, ...]:
    """(normals (m,3), areas (m,), volumes (m,)) of triangles, each twice; volumes six times, with points[0]."""
    normals, areas, volume = np.empty((len(corners), 3)), np.empty(len(corners)), np.empty(len(corners))
    for begin in range(0, len(corners), TRIANGLES_AT_ONCE):
        tick()
        some = slice(begin, begin + TRIANGLES_AT_ONCE)
        faces = points[corners[some]]
        normals[some] = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
        areas[some] = np.sqrt((normals[some] ** 2).sum(axis=1))
        volume[some] = (normals[some] * (faces[:, 0] - points[0])).sum(axis=1)
    return normals, areas, volume


def _behind_planes(points: np.ndarray, starts: np.ndarray, normals: np.ndarray, tolerance: float,
                   tick: Callable[[], None] = lambda: None) -> bool:
    """True where all points lie on one side of each plane, up to the tolerance. starts: a point in each plane."""
    step = max(1, HEIGHTS_AT_ONCE // len(points))
    offsets = (starts * normals).sum(axis=1)
    for first in range(0, len(normals), step):
        tick()
        heights = points @ normals[first:first + step].T - offsets[first:first + step]
        if ((heights.max(axis=0) > tolerance) & (heights.min(axis=0) < -tolerance)).any():
            return False
    return True


def border(corners: np.ndarray, tick: Callable[[], None] = lambda: None) -> np.ndarray:
    """(k,2) edges that are not used as often in one direction as in the other. corners: (m,3). tick(): as above."""
    edges = corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).astype(np.int64)
    edges = edges[edges[:, 0] != edges[:, 1]]
    tick()
    low, high = np.minimum(edges[:, 0], edges[:, 1]), np.maximum(edges[:, 0], edges[:, 1])
    tick()
    first, which = kinds_of([low, high], tick)
    balance = np.bincount(which, np.where(edges[:, 0] < edges[:, 1], 1, -1), len(first))
    kinds = np.stack([low[first], high[first]], axis=1)
    return kinds[balance != 0]


def _fills_an_outline(points: np.ndarray, corners: np.ndarray, normals: np.ndarray, axis: int,
                      tolerance: float, tick: Callable[[], None]) -> bool:
    """True where a flat mesh, seen along `axis`, lies on one side of each edge of its border."""
    outline = border(corners, tick)
    area = normals[:, axis].sum()
    if len(outline) == 0 or abs(area) <= SUM_NOISE * np.abs(normals[:, axis]).sum():
        return False
    flat = np.delete(points, axis, axis=1)
    along = flat[outline[:, 1]] - flat[outline[:, 0]]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    length = np.sqrt((across ** 2).sum(axis=1))
    rows = np.flatnonzero(length > tolerance)
    return _behind_planes(flat, flat[outline[rows, 0]], across[rows] / length[rows, None], tolerance, tick)


def _fills_a_line(points: np.ndarray, corners: np.ndarray, tolerance: float) -> bool:
    """True where all triangles, which are segments, lie in one line without a gap."""
    column = points[:, int(np.ptp(points, axis=0).argmax())]
    ends = points[[np.argmin(column), np.argmax(column)]]
    direction = (ends[1] - ends[0]) / np.sqrt(((ends[1] - ends[0]) ** 2).sum())
    along = (points - ends[0]) @ direction
    if np.abs(points - ends[0] - along[:, None] * direction).max() > tolerance:
        return False
    low, high = along[corners].min(axis=1), along[corners].max(axis=1)
    order = np.argsort(low, kind="stable")
    return bool((low[order][1:] <= np.maximum.accumulate(high[order])[:-1] + tolerance).all())
