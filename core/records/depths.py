# SPDX-License-Identifier: GPL-3.0-or-later
"""What the search for depths goes through (depth/)."""
from typing import NamedTuple

import numpy as np

from .searches import RayScratch


class PairDepths(NamedTuple):
    """Pairs of placed objects that meet, and how deep they reach into each other as far as known."""

    a: np.ndarray                   # (pairs,) int32, objects
    b: np.ndarray                   # (pairs,) int32
    bounds: np.ndarray              # (objects,6) float64, tight boxes lo x y z hi x y z
    decides: np.ndarray             # (objects,) uint8, the bit of a ray that means "inside", 0: the mesh is open
    lower: np.ndarray               # (pairs,) float64, bounds of the depth
    upper: np.ndarray               # (pairs,) float64
    points: np.ndarray              # (pairs,2,3) float64: on a and on b, NaN until an inner point is found
    done: np.ndarray                # (pairs,) uint8: 1 where the search is over


class DepthItems(NamedTuple):
    """What is left to look at of one pair: a heap, the largest bound first, over rows of nodes and pieces."""

    bound: np.ndarray               # (capacity,) float64, in the order of the heap: nothing of the item is deeper
    row: np.ndarray                 # (capacity,) int32, in the order of the heap
    free: np.ndarray                # (capacity,) int32, rows that are in no use
    kind: np.ndarray                # (capacity,3) int32: side, code of a node or PIECE, how often a piece was cut
    base: np.ndarray                # (capacity,3,3) float64, of a piece: the triangle that it was cut from
    shares: np.ndarray              # (capacity,3,3) float64: the shares that its corners have of that one's corners
    features: np.ndarray            # (capacity,FEATURES) int32, see depth/features.py, -1: none
    known: np.ndarray               # (capacity,4) float64, a point and how deep it is; 0: not known
    state: np.ndarray               # (4,) int64: items in the heap, free rows, steps, 1 where the search has begun


class DepthScratch(NamedTuple):
    """What one thread needs to search the depth of a pair (depth/search.py)."""

    rays: RayScratch
    stack: np.ndarray               # (STACK_SIZE,) int32, codes of nodes still to visit
    lower_bounds: np.ndarray        # (STACK_SIZE,) float32, squared distances of their boxes
    box: np.ndarray                 # (1,6,4) float32, a node whose first box is asked for, the others are empty
    apart: np.ndarray               # (16,) float32
    rows: np.ndarray                # (3,) int64, rows of Corners.world
    points: np.ndarray              # (2,3) float64: the point that is measured, the nearest one
    outer: np.ndarray               # (3,) float64, a point of the piece that is outside
    share: np.ndarray               # (3,) float64
    distances: np.ndarray           # (FEATURES,3) float64, of the corners of a piece to the triangles near it
    features: np.ndarray            # (FEATURES,) int32
    base: np.ndarray                # (3,3) float64, the triangle that the piece was cut from
    shares: np.ndarray              # (5,3) float64, of corners of the piece, then of where it is cut
    corners: np.ndarray             # (3,3) float64, of the piece
    polygons: np.ndarray            # (2,MOST_CORNERS,3) float64
    heights: np.ndarray             # (MOST_CORNERS,) float64
    meeting: np.ndarray             # (MOST_MEETING,) int32, slots of triangles that a piece may meet
    foot: np.ndarray                # (3,3) float64, of the piece on a plane
    known: np.ndarray               # (4,) float64, of the item
    numbers: np.ndarray             # (5,) float64, of the pair: see depth/pieces.py
    tests: np.ndarray               # (1,) int64, counted up: points whose distance was measured
