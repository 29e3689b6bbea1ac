# SPDX-License-Identifier: GPL-3.0-or-later
"""`cut_alike`: the same triangles at both ends of an interval, for meshes whose faces are cut otherwise at its end.

A face of four and more corners is cut into triangles by where its corners are, so the cut of a deforming mesh changes
now and then. docs/animation.md says which one counts between two frames, and why.
"""
from dataclasses import replace
from operator import is_not

import numpy as np

from .instant import Instant

FOLD_BACK_RELATIVE = 2.0 ** -40  # of a face's area: what folds back by less may do so by rounding


def cut_alike(start: Instant, end: Instant) -> tuple[Instant, Instant]:
    """Both, with the same triangles for each object that was deformed, and has the same faces cut otherwise at the end:
    those that it has at the end, or of single faces those that it has at the start. Others stay as they are."""
    others = np.fromiter(map(is_not, start.triangles, end.triangles), bool, len(start.mesh))
    sides = [list(start.triangles), list(end.triangles)]
    known: dict[tuple[int, ...], np.ndarray | None] = {}
    for k in np.flatnonzero(others).tolist():
        key = id(start.vertices[k]), id(start.triangles[k]), id(end.vertices[k]), id(end.triangles[k])
        if key not in known:
            known[key] = _shared(start, end, k)
        if (shared := known[key]) is not None:
            sides[0][k] = sides[1][k] = shared
    if not any(each is not None for each in known.values()):
        return start, end
    return replace(start, triangles=sides[0]), replace(end, triangles=sides[1])


def _shared(start: Instant, end: Instant, k: int) -> np.ndarray | None:
    """(m,3) int32: the triangles of an object at both ends; None where it has others, or where nothing has to be done.
    """
    before, after, face, then = start.triangles[k], end.triangles[k], end.faces[k], start.faces[k]
    if (face is None or then is None or start.vertices[k].shape != end.vertices[k].shape
            or not np.array_equal(then, face) or np.array_equal(before, after)
            or np.array_equal(start.vertices[k], end.vertices[k])):
        return None
    cut_otherwise = np.zeros(face.max() + 1, bool)
    cut_otherwise[face[(before != after).any(axis=1)]] = True
    rows = np.flatnonzero(cut_otherwise[face])
    _, number = np.unique(face[rows], return_inverse=True)
    if not _have_same_borders(before[rows], after[rows], number):
        return None
    folds = (_folds(start.vertices[k], after[rows], number) & ~_folds(end.vertices[k], before[rows], number))[number]
    if not folds.any():
        return after
    shared = after.copy()
    shared[rows[folds]] = before[rows[folds]]
    return shared


def _have_same_borders(before: np.ndarray, after: np.ndarray, number: np.ndarray) -> bool:
    """True where each face has the same border in both cuts: its edges that only one of its triangles has, in the same
    direction. So it has the same corners in the same order. before, after: (k,3); number: (k,), of the face."""
    corners = np.concatenate([before, after])
    ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2)
    sign = np.where(ends[:, 0] < ends[:, 1], 1, -1) * np.repeat([1, -1], 3 * len(before))
    low, high, of = ends.min(axis=1), ends.max(axis=1), np.tile(np.repeat(number, 3), 2)
    order = np.lexsort((high, low, of))
    edges = np.stack([of, low, high])[:, order]
    first = np.flatnonzero(np.append(True, (edges[:, 1:] != edges[:, :-1]).any(axis=0)))
    return not np.add.reduceat(sign[order], first).any()      # inner edges cancel, and then those of both cuts


def _folds(vertices: np.ndarray, triangles: np.ndarray, number: np.ndarray) -> np.ndarray:
    """(faces,) bool: faces that have a triangle which looks the other way than the face on the whole. triangles: (k,3);
    number: (k,), of the face."""
    corners = vertices[triangles]
    with np.errstate(all="ignore"):
        areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        whole = np.stack([np.bincount(number, areas[:, x]) for x in range(3)], axis=1)     # the same however it is cut
        backward = (areas * whole[number]).sum(axis=1) < -FOLD_BACK_RELATIVE * (whole * whole).sum(axis=1)[number]
    return np.bincount(number, backward) > 0
