# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls that stand in a scene, and what is drawn of pairs of them."""
from typing import NamedTuple

import numpy as np


class Drawn(NamedTuple):
    """One body of each of k pairs, as triangles."""

    start: np.ndarray       # (k + 1,) int64, first row of `corners`
    corners: np.ndarray     # (…,3,3) float32: x, y and depth, in the picture from -1 to 1, y up, the nearest depth -1


class PlacedPieces(NamedTuple):
    """Convex pieces of placed objects, one after another."""

    point_start: np.ndarray         # (pieces + 1,) int64, first row of `points`
    points: np.ndarray              # (…,3) float64, world
    triangle_start: np.ndarray      # (pieces + 1,) int64, first row of `triangles`
    triangles: np.ndarray           # (…,3) int32, points counted from the piece's first, counterclockwise from outside
    boxes: np.ndarray               # (pieces,BOX_NUMBERS) float64


class PieceTrees(NamedTuple):
    """Binary trees over the pieces of placed objects, one after another."""

    root: np.ndarray                # (objects,) int64, -1 for an object without pieces
    children: np.ndarray            # (nodes,2) int64, nodes; in a leaf the piece, and -1
    boxes: np.ndarray               # (nodes,BOX_NUMBERS) float64


class ViewScratch(NamedTuple):
    """What choosing a view needs."""

    ends: np.ndarray                # (2,2,3) float64: lower and upper ends of both bodies along three axes
    box: np.ndarray                 # (BOX_NUMBERS,) float64
    tilt: np.ndarray                # (3,3) float64: a rotation


class GrowScratch(NamedTuple):
    """What growing a patch writes."""

    members: np.ndarray             # (most faces,) int32: the faces of the patch in their order
    corners: np.ndarray             # (3 · most faces,) int32: its vertices in their order
    corner_count: np.ndarray        # (most faces,) int64: how many they are with so many faces
    face_seen: np.ndarray           # (faces,) int32: the patch that has tried a face last
    vertex_seen: np.ndarray         # (vertices,) int32: the patch that has reached a vertex last


class HullRoom(NamedTuple):
    """What making the hull of n points needs and writes (image_space/hulls/hull.py)."""

    first: np.ndarray               # (4,) int64: corners to begin with
    order: np.ndarray               # (n,) int64
    ring: np.ndarray                # (2 n,) int64
    flat: np.ndarray                # (n,2) float64: points of a plane, in it
    faces: np.ndarray               # (most faces,3) int32, counterclockwise from outside
    planes: np.ndarray              # (most faces,4) float64, of these: unit normal and offset
    seen: np.ndarray                # (most faces,3) int32


class TriangleBlocks(NamedTuple):
    """Triangles that lie near each other, as many in each block but the last (image_space/hulls/cuts.py)."""

    order: np.ndarray               # (m,) int64: triangles, block after block
    boxes: np.ndarray               # (blocks,6) float64, lo x y z hi x y z


class CutScratch(NamedTuple):
    """What asking for cuts needs."""

    inside: np.ndarray              # (m,) uint8, zeros between calls
    box: np.ndarray                 # (6,) float64, as of a block
    one: np.ndarray                 # (most faces + 4,3) float64: a polygon
    other: np.ndarray               # the same
