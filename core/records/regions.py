# SPDX-License-Identifier: GPL-3.0-or-later
"""What the regions of pairs are found in (depth/region_labels.py, depth/triangle_cells.py)."""
from typing import NamedTuple

import numpy as np

from .searches import RayScratch


class RegionPairs(NamedTuple):
    """Pairs of placed objects that are divided into regions, and how many each has as far as known."""

    a: np.ndarray                   # (pairs,) int32, objects
    b: np.ndarray                   # (pairs,) int32
    bounds: np.ndarray              # (objects,6) float64, tight boxes lo x y z hi x y z
    decides: np.ndarray             # (objects,) uint8, the bit of a ray that means "inside", 0: the mesh is open
    contact_first: np.ndarray       # (pairs,) int64, first row of the pair's contacts
    contact_last: np.ndarray        # (pairs,) int64, one more than the last one
    place: np.ndarray               # (contacts,) int32, numbered in the order of the contacts
    region: np.ndarray              # (contacts,) int32, of its pair; not written where that has no more than one
    region_count: np.ndarray        # (pairs,) int32; more than MOST_REGIONS: not all were counted


class RegionPatches(NamedTuple):
    """What regions have of surfaces inside the other solid: a row per region, per triangle and per trapezoid, one pair
    after the other. Of a pair with one region, that is there only if it has no contacts, without patches."""

    regions: np.ndarray             # (capacity,4) int64: pair, number, and of a region without contacts side and vertex
    slack: np.ndarray               # (capacity,) float64, by how much depths in a region's patches may be wrong
    triangles: np.ndarray           # (capacity,5) int64: pair, region, side, 1 where the triangle has contacts, slot
    trapezoids: np.ndarray          # (capacity,4,3) float64, corners in the world, the way round
    parts: np.ndarray               # (capacity,5) int64, of each trapezoid: pair, region, side, contacts of its
                                    # triangle, slot of that
    used: np.ndarray                # (3,) int64: rows of regions, triangles and trapezoids


class CellScratch(NamedTuple):
    """A triangle that is divided into cells (depth/triangle_cells.py). Points of two numbers are in its plane."""

    triangle: np.ndarray            # (3,3) float64, corners in the world
    beside: np.ndarray              # (3,3) float64, of another triangle
    segments: np.ndarray            # (MOST_DIVIDING,2,3) float64, what contacts share with it
    axes: np.ndarray                # (2,3) float64, of the plane, from the first corner on
    corners: np.ndarray             # (3,2) float64
    ends: np.ndarray                # (MOST_DIVIDING,2,2) float64, of the segments
    is_wall: np.ndarray             # (MOST_DIVIDING,) uint8: the segment has a length
    lines: np.ndarray               # (MOST_LINES,4) float64: x y of the left end, x y of the right one
    number: np.ndarray              # (MOST_LINES,) int32: the contact that a line is, NO_CONTACT: a side
    span: np.ndarray                # (MOST_LINES,2) int64: first strip, one more than the last one
    x: np.ndarray                   # (MOST_STRIPS,) float64, where strips begin and end
    strip_first: np.ndarray         # (MOST_STRIPS,) int64, first trapezoid of a strip
    there: np.ndarray               # (MOST_LINES,) int32, lines in a strip, the lowest first
    heights: np.ndarray             # (MOST_LINES,3) float64, by line: y on the left and on the right, their sum
    strip: np.ndarray               # (capacity,) int32, of each trapezoid
    sides: np.ndarray               # (capacity,2) int32: the line below it and the one above it
    trapezoids: np.ndarray          # (capacity,4) float64: y below on the left and right, y above
    parent: np.ndarray              # (capacity,) int32: another trapezoid of the cell
    cell: np.ndarray                # (capacity,) int32, of each trapezoid
    cracks: np.ndarray              # (capacity,2) int32: contacts with nothing but a crack between them
    widest: np.ndarray              # (capacity,) int32, by cell: its widest trapezoid
    width: np.ndarray               # (capacity,) float64, of that
    inside: np.ndarray              # (capacity,) uint8, by cell
    place: np.ndarray               # (capacity,) int32, by cell: that of a contact on its border, -1: there is none
    last: np.ndarray                # (MOST_LINES,4) int64, of the trapezoid last kept above a line: its strip, the line
                                    # above it, its cell, its row
    middle: np.ndarray              # (1,3) float64, a point of a cell, in the world
    used: np.ndarray                # (5,) int64: lines, borders of strips, trapezoids, cells, cracks
    numbers: np.ndarray             # (2,) float64: what ends may err by, the width of a crack


class RegionScratch(NamedTuple):
    """What one thread needs to find the regions of a pair. The first axis of some arrays is the side: object a, b."""

    sizes: np.ndarray               # (2,3) int64: triangles with contacts, those without near by, positions of vertices
    triangle_of: np.ndarray         # (2,triangles of any object) int32, by number in the mesh: its row among those with
                                    # contacts, -1: it has none
    slots: np.ndarray               # (2,rows) int32, of triangles with contacts
    first: np.ndarray               # (2,rows + 1) int64, first row of `own`
    own: np.ndarray                 # (2,contacts of any pair) int64, contacts by triangle
    corner_groups: np.ndarray       # (2,rows,3) int32, of the corners of triangles with contacts
    rest: np.ndarray                # (2,triangles of any object) int32, slots of triangles without contacts near by
    rest_groups: np.ndarray         # (2,triangles of any object) int32
    near: np.ndarray                # (triangles of any object,) int32, slots
    vertex_of: np.ndarray           # (vertices of any object,) int32: its number here, -1: it is not here
    vertices: np.ndarray            # (vertices of any object,) int32, by number
    points: np.ndarray              # (vertices of any object,3) float64, in the world
    bits: np.ndarray                # the same memory as uint64
    position: np.ndarray            # (vertices of any object,) int32, the same of vertices at one position
    table: np.ndarray               # (2^k,) int32, at least twice the vertices of any object
    parent: np.ndarray              # (2,vertices of any object) int32, by position: another one of its group
    group_side: np.ndarray          # (2,vertices of any object) uint8, by group: its side of the other surface
    group_vertex: np.ndarray        # (2,vertices of any object) int32, by group: its first vertex
    group_lead: np.ndarray          # (2,vertices of any object) int32, its first triangle without contacts in the mesh
    group_place: np.ndarray         # (2,vertices of any object) int32, a place that it touches, -1: it touches none
    group_region: np.ndarray        # (2,vertices of any object) int32, where it is a region of its own
    place_parent: np.ndarray        # (contacts of any pair,) int32, another place of the region
    place_region: np.ndarray        # (contacts of any pair,) int32, by place that stands for its region
    divided: np.ndarray             # (2·rows,4) int64: side, row, and the trapezoids in RegionPatches
    divided_slack: np.ndarray       # (2·rows,) float64
    divided_count: np.ndarray       # (1,) int64, how many these are
    order: np.ndarray               # (MOST_REGIONS + 1,2) int64, regions without contacts: side, group
    box: np.ndarray                 # (1,6,4) float32, a node: its first box is what is looked for
    cells: CellScratch
    rays: RayScratch
