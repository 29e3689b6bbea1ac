# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes through trees and grids: pairs, candidates, rays, distances, contacts."""
from typing import NamedTuple

import numpy as np


class PairGaps(NamedTuple):
    """Pairs of placed objects, and the least distance found of each so far (distance/)."""

    a: np.ndarray                   # (pairs,) int32, objects
    b: np.ndarray                   # (pairs,) int32
    gap: np.ndarray                 # (pairs,) float64, at first the limit
    points: np.ndarray              # (pairs,2,3) float64: on a and on b, NaN until one is found
    done: np.ndarray                # (pairs,) uint8: 1 where nothing is left to search


class DistanceTasks(NamedTuple):
    """A stack of pairs of nodes that distance/nearest.py has to look at, the nearest on top."""

    nodes: np.ndarray               # (capacity,2) int32, codes of a node of a and of a node of b
    lower_bounds: np.ndarray        # (capacity,) float32, squared distances of their boxes


class TriangleColumns(NamedTuple):
    """Pairs of triangles side by side, as vector code wants them: rows of COLUMNS numbers (distance/triangles.py)."""

    given: np.ndarray               # (ROWS · COLUMNS,) float64: corners, and what follows from them
    found: np.ndarray               # (FOUND · COLUMNS,) float64: the nearest features and their distances


class TrianglePairScratch(NamedTuple):
    """Memory to measure one pair of triangles (distance/pair.py)."""

    columns: TriangleColumns        # the first column is used
    corners: np.ndarray             # (6,3) float64: three of each triangle
    normal: np.ndarray              # (3,) float64
    vectors: np.ndarray             # (21,2) float64: seven vectors in double-double
    expansion: np.ndarray           # (EXPANSION_SIZE,) float64
    points: np.ndarray              # (2,3) float64: where the two come nearest


class DistanceScratch(NamedTuple):
    """What one thread needs to search two trees for their distance (distance/nearest.py)."""

    lower_bounds: np.ndarray        # (16,) float32, squared distances of the boxes of two nodes
    slots: np.ndarray               # (COLUMNS,3) int32: slot of a, slot of b, 1 where `columns` has b's triangle first
    corners: np.ndarray             # (9 · WIDE,) float64: the triangles of two leaf nodes
    aimed_boxes: np.ndarray         # (6 · WIDE,) float32: their boxes along `axes`
    axes: np.ndarray                # (4,3) float64: three axes and the place that they begin at
    columns: TriangleColumns        # pairs of triangles that wait to be measured together
    left: np.ndarray                # (COLUMNS,) int64: those of these columns that are to be measured one by one
    lower: np.ndarray               # (COLUMNS,) float64: how far apart they surely are
    pair: TrianglePairScratch       # for a pair that is measured alone
    undecided: np.ndarray           # (COLUMNS,2) int32, handed back: slots of pairs that need rational arithmetic
    stats: np.ndarray               # (2,) int64, counted up: tasks, pairs of triangles


class ContactColumns(NamedTuple):
    """The columns of `Contacts` that narrow_phase/triangle_contacts.py writes, a row per contact."""

    pair: np.ndarray                # (n,) int32
    triangle_a: np.ndarray          # (n,) int32
    triangle_b: np.ndarray          # (n,) int32
    kind: np.ndarray                # (n,) int8
    proper: np.ndarray              # (n,) bool
    point: np.ndarray               # (n,2,3) float64
    normal: np.ndarray              # (n,3) float64
    status: np.ndarray              # (n,) uint8


class FilterScratch(NamedTuple):
    """Memory of one thread that filters pairs of triangles, a block at a time (narrow_phase/triangle_filter.py)."""

    vertices: np.ndarray            # (BLOCK,6) int64, rows of Corners.world: three of each triangle
    columns: np.ndarray             # (COLUMN_SIZE · BLOCK,) float64, a column per pair: see `classify_block`
    answer: np.ndarray              # (BLOCK,) uint8


class ExactScratch(NamedTuple):
    """Memory of one thread that decides pairs of triangles exactly (geometry/triangle_triangle.py, `exact_contact`)."""

    rows: np.ndarray                # (6,) int64
    side: np.ndarray                # (6,) float64
    edges: np.ndarray               # (6,3) float64
    points: np.ndarray              # (MOST_POINTS,3) float64, the corners that the triangles share
    expansion: np.ndarray           # (EXPANSION_SIZE,) float64


class NeighbourScratch(NamedTuple):
    """Memory of one thread that looks at triangles with common vertices (self_collision/neighbours.py)."""

    corners: np.ndarray             # (6,3) float64, those of both triangles
    points: np.ndarray              # (7,4) float64: corners of both, homogeneous, and a plane
    exact: ExactScratch


class ContactScratch(NamedTuple):
    """Memory of one thread that makes contacts (narrow_phase/triangle_contacts.py)."""

    corners: np.ndarray             # (BLOCK,6,3) float64, those of both triangles
    filter: FilterScratch
    parted: np.ndarray              # (PARTED_ROWS · COLUMNS,) float64, corners in columns: see `parted_by`
    lower: np.ndarray               # (COLUMNS,) float64: how far apart these triangles surely are
    exact: ExactScratch


class RayScratch(NamedTuple):
    """Memory of one thread that follows rays through trees (verdicts/rays.py, verdicts/points_in_mesh.py)."""

    P: np.ndarray                   # (7,3) float64: the corners of a triangle, then where the ray starts;
                                    # (4,3) where it starts at a point
    expansion: np.ndarray           # (EXPANSION_SIZE,) float64
    ray: np.ndarray                 # (1,6,4) float32, a node: its first box holds the ray, the others are empty
    stack: np.ndarray               # (STACK_SIZE,) int32, codes of nodes still to visit


class TriangleMarks(NamedTuple):
    """What is known of triangles of an object that meet another one (verdicts/whole_triangles.py)."""

    mark: np.ndarray                # (triangles,) int32, bits
    link: np.ndarray                # (vertices,) int32: 1 more than the number of a vertex that it hangs together with
    P: np.ndarray                   # (8,3) float64, scratch: two triangles, and both ends of what they share
    expansion: np.ndarray           # (EXPANSION_SIZE,) float64, scratch


class BoxSearch(NamedTuple):
    """Memory of one thread that looks for what of an object is in a box (verdicts/rays.py)."""

    box: np.ndarray                 # (1,6,4) float32, a node: its first box is that box, the others are empty
    stack: np.ndarray               # (STACK_SIZE,) int32, codes of nodes still to visit


class Rims(NamedTuple):
    """The edges of some meshes in which triangles do not cancel (verdicts/winding.py)."""

    row: np.ndarray                 # (pairs,) int64, the mesh of each pair
    start: np.ndarray               # (meshes+1,) int64, into ends
    ends: np.ndarray                # (edges,2,3) float64, world coordinates, turned as their triangles have them


class Lids(NamedTuple):
    """Boxes in which the rims of some meshes can be shut (verdicts/openings.py)."""

    row: np.ndarray                 # (pairs,) int64, the mesh of each pair
    start: np.ndarray               # (meshes+1,) int64, into boxes
    boxes: np.ndarray               # (n,6) float64, world coordinates, lo x y z hi x y z


class ObjectPairs(NamedTuple):
    """The pairs of objects that a search goes through."""

    a: np.ndarray                   # (pairs,) int32
    b: np.ndarray                   # (pairs,) int32
    done: np.ndarray                # (pairs,) uint8, 1 where no more candidates are wanted


class TriangleShapes(NamedTuple):
    """The triangles of a mesh, in its own coordinates (tolerance/chords.py)."""

    vertices: np.ndarray            # (n,3) float64
    triangles: np.ndarray           # (m,3) int32
    normals: np.ndarray             # (m,3) float64, of length 1; 0 of those without area
    middles: np.ndarray             # (m,3) float64
    low: np.ndarray                 # (m,3) float64, of their boxes
    high: np.ndarray                # (m,3) float64


class ThinObjects(NamedTuple):
    """Which objects are long and thin (mid_phase/thin_objects.py)."""

    kind: np.ndarray                # (objects,) uint8: UNSEEN, NOT_THIN, STRAIGHT_BAR, THIN, ASKEW_BAR
    core: np.ndarray                # (objects,CORE_NUMBERS) float64 of those that are more; no rows: nobody asked


class Extents(NamedTuple):
    """How far triangles of an object reach along a direction (mid_phase/bars.py), the lowest first."""

    low: np.ndarray                 # (n,) float64, ascending
    high: np.ndarray                # (n,) float64
    slot: np.ndarray                # (n,) int32
    box: np.ndarray                 # (n,6) float64


class ObbScratch(NamedTuple):
    """Scratch memory for comparing the oriented boxes of two objects."""

    relation: np.ndarray            # (2,16) float64, see mid_phase/obb_descend.relate
    boxes: np.ndarray               # (2,15) float64, the two boxes in common coordinates
    cosines: np.ndarray             # (4,3) float64
    stats: np.ndarray               # (1,) int64, counts tests of two boxes


class EdgeScratch(NamedTuple):
    """The state of a search of edges down trees between two calls of the kernel; see mid_phase/edge_tasks.py."""

    edges: np.ndarray               # (…,) int32, the edges of the task
    boxes: np.ndarray               # (block + 1, 6) float64, boxes of a block of them, and one to spare
    order: np.ndarray               # (block,) int32, rows of `boxes`, those that meet the node first
    seen: np.ndarray                # (triangles of any object,) uint32, zero at first
    stack: np.ndarray               # (…,2) int64, nodes to be visited and how many edges to take there
    state: np.ndarray               # (8,) int64, zero at first


class GridBoxes(NamedTuple):
    """Oriented boxes in cell units, and the cells that they may be in; see broad_phase/grid_cells.py."""

    centre: np.ndarray              # (n,3) float64
    axes: np.ndarray                # (n,3,3) float64, as rows
    half: np.ndarray                # (n,3) float64
    low: np.ndarray                 # (n,3) float64, where projections on x, y and z begin, a little beyond the box
    high: np.ndarray                # (n,3) float64, where they end
    first: np.ndarray               # (n,3) int64, cell per axis that the projection begins in
    last: np.ndarray                # (n,3) int64, cell per axis that it ends in
    inside: np.ndarray              # (n,) uint8, 1 where the scene's cube holds the object


class CellRegister(NamedTuple):
    """Which items are in which cells: an entry per item and cell; see broad_phase/cell_register.py."""

    start: np.ndarray               # (items + 1,) int64, first entry of each item
    group: np.ndarray               # (entries,) int64, in the order of items: which of `cells`
    cells: np.ndarray               # (groups,) int64, ascending numbers of the cells that are not empty
    group_start: np.ndarray         # (groups + 1,) int64, first row of `members`
    members: np.ndarray             # (entries,) int32, items by cell, ascending in each
    everywhere: np.ndarray          # (…,) int64, items that count as being in every cell; they have no entries


class GridItems(NamedTuple):
    """Objects, or sub-objects of large ones, in the cells of a grid."""

    owner: np.ndarray               # (items,) int64, the object
    node: np.ndarray                # (items,) int32, node of its tree
    low: np.ndarray                 # (items,3) float64, where projections on x, y and z begin; NaN: not known
    high: np.ndarray                # (items,3) float64, where they end
    register: CellRegister
