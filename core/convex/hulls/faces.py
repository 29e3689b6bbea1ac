# SPDX-License-Identifier: GPL-3.0-or-later
"""`hull_body`: the corners of a mesh's hull, whether the mesh is exactly that hull, and then its faces and edges."""
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..point_clouds.extremes import Extremes
from .convexity import border, is_convex

NEARLY = 2.0 ** -20             # of the size: what is farther from convex is not looked at exactly
MOST_HEIGHTS = 1 << 24          # of vertices over faces: a few seconds
MOST_EXACT = 20_000             # of them that are decided in whole numbers: some 10 µs each
FEW_HULL_POINTS = 32            # of which one does not ask which are corners
DETERMINANT_NOISE = 2.0 ** -48  # of the product of three sums of coordinates: more than a determinant errs by
SAME_AXIS_RELATIVE = 1e-9       # directions that differ by less count as one axis


class HullBody(NamedTuple):
    """What a mesh is as a convex body, in its own coordinates."""

    corners: np.ndarray     # (k,) int64: vertices among which all corners of the hull are
    convex: bool            # the mesh is the border of its hull, exactly
    faces: np.ndarray       # (f,3) int32, of convex bodies: three of `corners` in each, counterclockwise from outside
    edges: np.ndarray       # (e,4) int32: two of `corners`, and two faces, the same one twice in a flat body
    face_axes: int          # so many faces at the front are parallel to no other one of them
    edge_axes: int          # and so many edges


NO_HULL_FACES, NO_EDGES = np.zeros((0, 3), np.int32), np.zeros((0, 4), np.int32)


def hull_body(vertices: np.ndarray, triangles: np.ndarray, threads: int = 1,
              tick: Callable[[], None] = lambda: None) -> HullBody:
    """The mesh as a convex body. vertices (n,3) float64, triangles (m,3) int, m ≥ 1. tick(): called now and then, may
    raise.

    A mesh is `convex` where that is proved: it fills its hull, and no vertex is beyond the plane of any triangle, by
    exact signs. Very large meshes, and such that lie on a line, are not looked at.
    """
    points, first, number = np.unique(vertices[triangles.reshape(-1)] + 0.0, axis=0, return_index=True,
                                      return_inverse=True)
    corners, rows = triangles.reshape(-1)[first].astype(np.int64), number.reshape(-1, 3)
    if len(points) * len(rows) <= MOST_HEIGHTS and is_convex(vertices, triangles, NEARLY, tick):
        found = _faces(points, rows)
        if found is not None:
            return HullBody(corners, True, *found)
    if len(points) > FEW_HULL_POINTS:
        corners = corners[Extremes(points, threads, tick).corners]
    return HullBody(corners, False, NO_HULL_FACES, NO_EDGES, 0, 0)


def deformed_body(triangles: np.ndarray) -> HullBody:
    """A mesh whose vertices go their own ways: any of them can be a corner of the hull at some time."""
    return HullBody(np.unique(triangles).astype(np.int64), False, NO_HULL_FACES, NO_EDGES, 0, 0)


def _faces(points: np.ndarray, rows: np.ndarray):
    """(faces, edges, face_axes, edge_axes) of a mesh that is exactly convex; None: it is not, or nobody knows."""
    signs = _signs(points, rows)
    if signs is None:
        return None
    if not signs.any():
        return _flat_face(points, rows)
    solid = signs.any(axis=1)       # what is left out is a line
    rows, signs = rows[solid], signs[solid]
    if ((signs > 0).any(axis=1) & (signs < 0).any(axis=1)).any():
        return None
    inward = (signs > 0).any(axis=1)
    rows = np.where(inward[:, None], rows[:, ::-1], rows)
    _, kept, face = np.unique(signs == 0, axis=0, return_index=True, return_inverse=True)
    faces, face = rows[kept], face.reshape(-1)
    edges = rows[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edge_face = np.repeat(face, 3)
    kinds, which, uses = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(which.reshape(-1), kind="stable")
    begin = np.cumsum(uses) - uses
    twice = uses == 2
    pairs = edge_face[order[begin[twice][:, None] + np.arange(2)]]
    between = pairs[:, 0] != pairs[:, 1]
    return _with_axes(points, faces, np.concatenate([kinds[twice][between], pairs[between]], axis=1))


def _flat_face(points: np.ndarray, rows: np.ndarray):
    """As `_faces`, of a mesh all of whose vertices lie in one plane."""
    outline = border(rows)
    normals = np.cross(points[rows[:, 1]] - points[rows[:, 0]], points[rows[:, 2]] - points[rows[:, 0]])
    best = int((normals ** 2).sum(axis=1).argmax())
    away = np.zeros(3)
    away[np.abs(normals[best]).argmax()] = 1.0 + np.abs(points).max()      # the plane is certainly not along it
    fences = np.column_stack([outline, np.full(len(outline), len(points))])
    signs = _signs(np.concatenate([points, points[:1] + away]), fences)
    if len(outline) == 0 or signs is None:
        return None
    signs = signs[:, :-1]
    if ((signs > 0).any(axis=1) & (signs < 0).any(axis=1)).any():
        return None
    return _with_axes(points, rows[best:best + 1], np.column_stack([outline, np.zeros((len(outline), 2), np.int64)]))


def _with_axes(points: np.ndarray, faces: np.ndarray, edges: np.ndarray):
    """(faces, edges, face_axes, edge_axes), with what is parallel to nothing before it at the front."""
    normals = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    face_order, face_axes = _distinct_first(normals)
    edge_order, edge_axes = _distinct_first(points[edges[:, 1]] - points[edges[:, 0]])
    place = np.empty(len(faces), np.int64)
    place[face_order] = np.arange(len(faces))
    edges = edges[edge_order]
    edges = np.concatenate([edges[:, :2], place[edges[:, 2:]]], axis=1)
    return faces[face_order].astype(np.int32), edges.astype(np.int32), face_axes, edge_axes


def _distinct_first(directions: np.ndarray) -> tuple[np.ndarray, int]:
    """An order of directions (n,3) with one of each bundle of parallel ones in front, and how many these are."""
    units = directions / np.maximum(np.sqrt((directions ** 2).sum(axis=1)), 1e-300)[:, None]
    largest = np.take_along_axis(units, np.abs(units).argmax(axis=1)[:, None], axis=1)
    keys = np.round(units * np.sign(largest) / SAME_AXIS_RELATIVE)
    _, first = np.unique(keys + 0.0, axis=0, return_index=True)
    rest = np.setdiff1d(np.arange(len(units)), first)
    return np.concatenate([np.sort(first), rest]).astype(np.int64), len(first)


def _signs(points: np.ndarray, rows: np.ndarray) -> np.ndarray | None:
    """(m,n) int8: on which side of the plane of each triangle every point is, 1 in front, -1 behind, 0 in it, exactly;
    None where too many of them have to be decided in whole numbers."""
    p = points[rows[:, 0]]
    u, v = points[rows[:, 1]] - p, points[rows[:, 2]] - p
    w = points[None] - p[:, None]
    heights = (w @ np.cross(u, v)[:, :, None])[:, :, 0]
    noise = DETERMINANT_NOISE * np.abs(u).sum(axis=1) * np.abs(v).sum(axis=1)
    signs = np.sign(heights).astype(np.int8)
    signs[~(np.abs(heights) > noise[:, None] * np.abs(w).sum(axis=2))] = 0
    open_ones = signs == 0
    open_ones[np.arange(len(rows))[:, None], rows] = False
    where = np.argwhere(open_ones)
    if len(where) > MOST_EXACT:
        return None
    exact = [[Fraction(x) for x in point] for point in points.tolist()] if len(where) else []
    for face, k in where.tolist():
        signs[face, k] = _exact_side([exact[row] for row in (*rows[face].tolist(), k)])
    return signs


def _exact_side(points: list[list[Fraction]]) -> int:
    """The side of the plane of three points on which the fourth one is."""
    p, q, r, point = points
    ux, uy, uz = (x - y for x, y in zip(q, p))
    vx, vy, vz = (x - y for x, y in zip(r, p))
    wx, wy, wz = (x - y for x, y in zip(point, p))
    value = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx)
    return (value > 0) - (value < 0)
