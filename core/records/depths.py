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
    triangles: np.ndarray           # (objects,) int64, how many each has
    contact_first: np.ndarray       # (pairs,) int64, first row of the pair's contacts, -1: not all are listed
    contact_last: np.ndarray        # (pairs,) int64, one more than the last one
    inner: np.ndarray               # (pairs,) int8, of the PairTable: which object is inside the other as a whole
    vertices: np.ndarray            # (objects,) int64, how many each has
    enough: np.ndarray              # (pairs,) float64: where `upper` is no more, bounds may be apart; 0: nowhere


class SupportPlanes(NamedTuple):
    """Planes that have all of a placed object on one side (depth/supports.py)."""

    row: np.ndarray                 # (objects,) int64, of the arrays below; -1: its planes are not known
    used: np.ndarray                # (rows,) int64, how many planes each has
    plane: np.ndarray               # (rows,MOST_DIRECTIONS,4) float64: normal, and height over the middle of its box
    first: np.ndarray               # (rows + 1,) int64: where the object's triangles are in the next array, by slot
    over_all: np.ndarray            # (…,) uint8: what is known of the triangles' own planes (depth/by_vertices.py)


class ContainedScratch(NamedTuple):
    """What one thread needs to measure contained pairs: by planes of the outer object (depth/contained.py), or by the
    vertices of the inner one (depth/by_vertices.py)."""

    plane: np.ndarray               # (MOST_PLANES,4) float64, as in SupportPlanes
    middle: np.ndarray              # (3,) float64, of the outer object's box
    shallowest: np.ndarray          # (vertices of any object,) int32, the plane or feature that is nearest to a vertex
    vertex_depth: np.ndarray        # (vertices of any object,) float64, how deep each is at least
    triangle_bound: np.ndarray      # (triangles of any object,) float64, how deep each is at most
    plane_of: np.ndarray            # (triangles of any object,) int32, one more than the feature that each serves as
    rows: np.ndarray                # (3,) int64, rows of Corners.world
    slots: np.ndarray               # (MOST_LEFT,2) int32: a triangle that planes do not settle, the nearest one to it
    bounds: np.ndarray              # (MOST_LEFT,) float64, of these
    known: np.ndarray               # (MOST_LEFT,4) float64, the point of each that was measured, and its depth
    used: np.ndarray                # (2,) int64: planes, triangles that are left


class PointDistances(NamedTuple):
    """Points, and how far each is from one surface (depth/surface_distances.py)."""

    points: np.ndarray              # (n,3) float64
    distance: np.ndarray            # (n,) float64, without a sign
    error: np.ndarray               # (n,) float64: the true distance differs by no more
    bits: np.ndarray                # (n,) uint8, of `locate_points`, 0 where the surface has no inside


class DepthItems(NamedTuple):
    """What is left to look at of one pair: a heap, the largest bound first, over rows of nodes and pieces."""

    bound: np.ndarray               # (capacity,) float64, in the order of the heap: nothing of the item is deeper
    row: np.ndarray                 # (capacity,) int32, in the order of the heap
    free: np.ndarray                # (capacity,) int32, rows that are in no use
    kind: np.ndarray                # (capacity,4) int32: side, code of a node or PIECE, how often a piece was cut, 1
                                    # where it waits for its turn with the bound that triangles near it gave
    base: np.ndarray                # (capacity,3,3) float64, of a piece: the triangle that it was cut from
    shares: np.ndarray              # (capacity,3,3) float64: the shares that its corners have of that one's corners
    features: np.ndarray            # (capacity,FEATURES) int32, see depth/features.py, -1: none
    distances: np.ndarray           # (capacity,FEATURES,3) float64, of a piece's corners to these; -1: not measured
    known: np.ndarray               # (capacity,4) float64, a point and how deep it is; 0: not known
    state: np.ndarray               # (4,) int64: items in the heap, free rows, steps, 1 where the search has begun


class CoverScratch(NamedTuple):
    """Memory of depth/covering.py: triangles around a piece, as they are seen along its normal."""

    slots: np.ndarray               # (MOST_BESIDE,) int32, of the triangles
    seen: np.ndarray                # (MOST_BESIDE,3,3) float64, their corners: two shares along the piece, a height
    state: np.ndarray               # (MOST_BESIDE,) uint8: LISTED or COVERS
    queue: np.ndarray               # (MOST_BESIDE,) int32, those that cover and whose neighbours are not known
    piece: np.ndarray               # (3,3) float64, corners of the piece, seen so
    frame: np.ndarray               # (3,3) float64, unit vectors: two along the piece, its normal
    polygons: np.ndarray            # (2,MOST_COVERED_CORNERS,3) float64
    heights: np.ndarray             # (MOST_COVERED_CORNERS,) float64


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
    distances: np.ndarray           # (FEATURES,5) float64, of the corners of a piece to the triangles near it, then of
                                    # where it is cut
    features: np.ndarray            # (FEATURES,) int32
    base: np.ndarray                # (3,3) float64, the triangle that the piece was cut from
    shares: np.ndarray              # (5,3) float64, of corners of the piece, then of where it is cut
    corners: np.ndarray             # (3,3) float64, of the piece
    polygons: np.ndarray            # (2,MOST_CORNERS,3) float64
    heights: np.ndarray             # (MOST_CORNERS,) float64
    meeting: np.ndarray             # (MOST_MEETING,) int32, slots of triangles that a piece may meet
    foot: np.ndarray                # (3,3) float64, of the piece on a plane
    known: np.ndarray               # (4,) float64, of the item
    cover: CoverScratch
    numbers: np.ndarray             # (8,) float64, of the pair: see depth/features.py
    tests: np.ndarray               # (1,) int64, counted up: points whose distance was measured
    stop: np.ndarray                # (1,) int64, not 0: what is searched is not wanted any more; another thread sets it


class LocalPair(NamedTuple):
    """The triangles of both objects of a pair where they meet (depth/local_triangles.py), and parts of one of them
    (depth/local_search.py). The first axis of most arrays is the side: object a, object b."""

    sizes: np.ndarray               # (2,3) int64: triangles, vertices, triangles whose face is known
    origin: np.ndarray              # (3,) float64, what coordinates are counted from
    common: np.ndarray              # (6,) float64, the box that both objects' boxes have in common
    reach: np.ndarray               # (2,) float64: no triangle that is nearer to the common box is left out
    columns: np.ndarray             # (2,COLUMN_ROWS·STRIDE) float64
    slots: np.ndarray               # (2,MOST_TRIANGLES) int32
    corners: np.ndarray             # (2,MOST_TRIANGLES,3) int32, numbers of vertices
    points: np.ndarray              # (2,MOST_VERTICES,3) float64
    rows: np.ndarray                # (2,MOST_VERTICES) int64, of Corners.world
    group: np.ndarray               # (2,MOST_VERTICES) int64, another vertex on the same side of the other surface
    sides: np.ndarray               # (2,MOST_VERTICES) int8: that side, or UNASKED, of a vertex that is its own group
    row_start: np.ndarray           # (2,MOST_VERTICES) int64, of the vertex in `squares`, -1: it has no row yet
    vertex_of: np.ndarray           # (2,vertices of any object) int32: its number here, -1: it is not here
    triangle_of: np.ndarray         # (2,triangles of any mesh) int32, the same, by number in the mesh
    first: np.ndarray               # (2,MOST_TRIANGLES + 1) int64, first row of `listed`
    listed: np.ndarray              # (2,MOST_LISTED) int64, rows of contacts, by triangle
    whole: np.ndarray               # (2,MOST_TRIANGLES) uint8: what contacts do not tell, see depth/local_triangles.py
    plane: np.ndarray               # (2,MOST_TRIANGLES) int8, of local_planes.py, NOT_ASKED at first
    outer: np.ndarray               # (2,MOST_TRIANGLES,3) float64, a point outside on the plane
    above: np.ndarray               # (2,MOST_TRIANGLES,MOST_ABOVE) int32, triangles that are not all below the plane
    above_count: np.ndarray         # (2,MOST_TRIANGLES) int32
    face_first: np.ndarray          # (2,MOST_TRIANGLES) int32, first row of `members`, -1: the face is not known
    face_count: np.ndarray          # (2,MOST_TRIANGLES) int32, triangles of the face (local_faces.py)
    face_slack: np.ndarray          # (2,MOST_TRIANGLES) float64, how much farther than measured the face may be
    members: np.ndarray             # (2,MOST_TRIANGLES) int32, triangles by face
    coplanar: np.ndarray            # (MOST_TRIANGLES,) int32, scratch: triangles in one plane
    known: np.ndarray               # (2,6) float64: no triangle that reaches into this box is left out
    reached: np.ndarray             # (MOST_TRIANGLES,) uint8, scratch: 1 for those of them that hang together
    queue: np.ndarray               # (MOST_TRIANGLES,) int32, scratch: these, in turn
    edge_head: np.ndarray           # (MOST_VERTICES,) int32, scratch: an edge that begins at a vertex
    edge_next: np.ndarray           # (3·MOST_TRIANGLES,) int32, scratch: the next one there
    border: np.ndarray              # (MOST_BORDER,) int32, scratch: edges around a face
    away: np.ndarray                # (MOST_LOOP,) float64, scratch: of corners from a plane, along its normal
    nearest: np.ndarray             # (2,MOST_VERTICES) int64, the nearest triangle of the other side, where measured
    deepest: np.ndarray             # (2,) int64, the triangle of a side that is nearest to the deepest point inside; -1
    deepest_by: np.ndarray          # (2,) float64, how far that point is from it; 0: there is none
    squares: np.ndarray             # (…,) float64, squared distances of points to all triangles of the other side
    used: np.ndarray                # (7,) int64, see local_triangles.py: numbers in `squares`, points, corners
    largest: np.ndarray             # (MOST_TRIANGLES,) float64, scratch
    corner_points: np.ndarray       # (MOST_CORNERS,3) float64, of pieces of a triangle
    corner_slack: np.ndarray        # (MOST_CORNERS,) float64, how far they may be from where they should be
    corner_rows: np.ndarray         # (MOST_CORNERS,) int64, their rows in `squares`
    corner_nearest: np.ndarray      # (MOST_CORNERS,) int64, the nearest triangle, where they have a row
    order: np.ndarray               # (MOST_ENDS + 3,) int64, scratch
    ring: np.ndarray                # (2·MOST_ENDS + 6,) int64, corners of a hull
    near: np.ndarray                # (2,MOST_SEEDED) int32, scratch: slots of triangles in a box,
    near_count: np.ndarray          # (2,) int64, and how many
    parent: np.ndarray              # (vertices of any object,) int32, scratch: another vertex on the same side
    side_of: np.ndarray             # (vertices of any object,) int8, scratch: that side (local_common.py)
    next_contact: np.ndarray        # (MOST_CHAINED,) int32, scratch: another contact of the same triangle (seeds.py)
    inner: np.ndarray               # (6,) float64, scratch: box of what either surface has inside the other solid
    boxes: np.ndarray               # (MOST_BOXES_WAITING,6) float64, scratch: parts of what is common, in the world
    mesh: np.ndarray                # (MOST_MESHED,6) int64, scratch: a hull's triangles and neighbours (local_mesh.py)
    meshed: np.ndarray              # (MOST_FLIPS + 4,) int64, scratch: those whose edges are to be flipped
    ways: np.ndarray                # (MOST_ENDS + 1,4) float64, scratch: direction of a contact, how many end there
    loop_of: np.ndarray             # (MOST_ENDS,) int32, scratch: another end of the same loop (local_loops.py)
    ends: np.ndarray                # (MOST_ENDS,6) int64, scratch: of ends of contacts, and of loops
    loop_boxes: np.ndarray          # (MOST_ENDS,6) float64, scratch: of the ends of a loop
    part_box: np.ndarray            # (6,) float64, scratch: box of what a triangle has inside
    across: np.ndarray              # (6,5) float64, scratch: ways past edges and corners of a piece (local_outside.py)
    end_doubt: np.ndarray           # (1,) float64: how much ends of contacts are rounded, as they are world coordinates
