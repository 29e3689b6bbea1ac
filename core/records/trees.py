# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees over meshes, where they are placed, and what building and fitting them needs."""
from typing import NamedTuple

import numpy as np


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


class PlacedTrees(NamedTuple):
    """The trees of placed objects, and their triangles; see trees/__init__.py for what the numbers in them mean.

    Nodes of object o are the rows node_start[o] + node of `children` and box_start[o] + node of `boxes`.
    """

    root: np.ndarray                # (objects,) int32, code of the root
    box_start: np.ndarray           # (objects,) int64
    node_start: np.ndarray          # (objects,) int64
    children: np.ndarray            # (…,4) int32
    boxes: np.ndarray               # (…,6,4) float32, rows lo x y z hi x y z, a column per child
    quantization: np.ndarray        # (4,) float64: origin x y z and scale of the numbers in `boxes`
    corners: Corners


class MeshEdges(NamedTuple):
    """The edges of a mesh, or of several, in order, each with the triangles at it: its wings (verdicts/edges.py).

    A row of `wings` is a side of a triangle whose ends differ; rows are ordered by these ends.
    """

    start: np.ndarray               # (vertices + 1,) int64, first row of the edges whose lower end is this vertex
    wings: np.ndarray               # (…,3) int32: higher end, third corner, 1 where the triangle runs up the edge or -1


class PlacedEdges(NamedTuple):
    """Objects by the edges of their meshes, whose vertices are numbered one mesh after another."""

    vertices: np.ndarray            # (…,3) float64, local coordinates
    triangles: np.ndarray           # (…,3) int32, one mesh after another
    triangle_start: np.ndarray      # (objects,) int64, first row of `triangles` of the object's mesh
    poses: np.ndarray               # (objects,3,4) float64
    oriented: np.ndarray            # (objects,) uint8, 1 where the mesh is ORIENTED
    edges: MeshEdges                # of all meshes


class MeshTreeArrays(NamedTuple):
    """The linear BVHs of meshes, one mesh after another; see trees/bvh/mesh_trees.py."""

    vertex_start: np.ndarray        # (meshes + 1,) int64, first row of `vertices` and `vertex_order`
    triangle_start: np.ndarray      # (meshes + 1,) int64, first row of `triangles` and `order`
    node_start: np.ndarray          # (meshes + 1,) int64, first row of `children` and `leaf`
    vertices: np.ndarray            # (…,3) float64, local coordinates
    vertex_order: np.ndarray        # (…,) int32, number of the vertex in its mesh
    triangles: np.ndarray           # (…,3) int32, vertices counted from vertex_start, in leaf order
    order: np.ndarray               # (…,) int32, number of the triangle in its mesh
    slots: np.ndarray               # (…,) int32, slot of each triangle of a mesh
    children: np.ndarray            # (…,4) int32
    leaf: np.ndarray                # (…,) uint8, 1 for leaves
    vertex_count: np.ndarray        # (meshes,) int64, vertices that triangles use
    triangle_count: np.ndarray      # (meshes,) int64
    node_count: np.ndarray          # (meshes,) int64
    root: np.ndarray                # (meshes,) int32, code of the root


class BvhScratch(NamedTuple):
    """Scratch memory for building linear BVHs over up to n items."""

    codes: np.ndarray               # (2,n) uint32, Morton codes and where they are sorted to
    items: np.ndarray               # (n,) int32
    histogram: np.ndarray           # (3,cells per axis) int32
    stack: np.ndarray               # (…,3) int64, nodes to be made: first item, end, where the parent keeps the code
    ranges: np.ndarray              # (4,2) int64, first item and end of a node's children
    splitting: np.ndarray           # (2,) int64, how many nodes are to be made, and are made


class Placement(NamedTuple):
    """What moves objects into the world: poses, local vertices, and the trees whose world arrays are written."""

    poses: np.ndarray               # (objects,3,4) float64
    vertex_start: np.ndarray        # (objects,) int64, first row of `vertices`
    vertex_count: np.ndarray        # (objects,) int64
    vertices: np.ndarray            # (…,3) float64, local coordinates
    node_count: np.ndarray          # (objects,) int64
    leaf: np.ndarray                # (…,) uint8, 1 for leaves, rows as in trees.children
    trees: PlacedTrees


class RefitScratch(NamedTuple):
    """Scratch memory for fitting the boxes of one tree."""

    rounded: np.ndarray             # (vertices + 1, 8) float32, lo x y z · −hi x y z ·; the last row bounds nothing
    rows: np.ndarray                # (12,) int64, rows of `rounded`, three per triangle of a leaf


class ObbNodes(NamedTuple):
    """The nodes of trees of oriented boxes, one tree after another; see trees/obb/."""

    code: np.ndarray                # (nodes,) int32, left child, the right one being next; ~triangle in a leaf
    boxes: np.ndarray               # (nodes,15) float64: centre, three axes, half sizes; see trees/obb/fit.py
    first_slot: np.ndarray          # (nodes,) int32, first row of `slots`
    slot_count: np.ndarray          # (nodes,) int32, triangles in the node
    slots: np.ndarray               # (…,) int32, number of the triangle in its mesh


class ObbBuildScratch(NamedTuple):
    """Scratch memory for building a tree of oriented boxes over n triangles."""

    keys: np.ndarray                # (n,) float64, positions of triangles along the axis of a split
    stack: np.ndarray               # (…,2) int64, nodes to be made and their parents
    covariance: np.ndarray          # (3,3) float64
    axes: np.ndarray                # (candidates,3,3) float64
    extents: np.ndarray             # (candidates,2,3) float64


class PlacedObbTrees(NamedTuple):
    """Trees of oriented boxes and where objects put them; see trees/obb/trees.py."""

    poses: np.ndarray               # (objects,14) float64: rotation, position, size, margin
    code: np.ndarray                # (nodes,) int32, as in ObbNodes
    boxes: np.ndarray               # (nodes,15) float64, as in ObbNodes


class BalancedBuild(NamedTuple):
    """A balanced tree over n items while it is built; see trees/balanced/build.py."""

    ends: np.ndarray                # (6,n) float64, rows lo x y z hi x y z of the items
    orders: np.ndarray              # (6,n) int32, the items in the order of each row
    children: np.ndarray            # (…,2) int32, left and right node, −1 in a leaf
    span: np.ndarray                # (…,2) int32, first place in `orders` and number of a node's items
    side: np.ndarray                # (n,) uint8, scratch
    spare: np.ndarray               # (n,) int32, scratch
    stack: np.ndarray               # (…,4) int64, nodes to be made: first, end, code of the parent, level
    state: np.ndarray               # (2,) int64, how many nodes are to be made, how many are made


class PlacedBalancedTrees(NamedTuple):
    """The balanced trees of placed objects; see trees/balanced/trees.py."""

    node_start: np.ndarray          # (objects,) int64, first row of `children` and `span`
    children: np.ndarray            # (…,2) int32, left and right node, −1 in a leaf
    span: np.ndarray                # (…,2) int32, first slot and number of a node's slots
    box_start: np.ndarray           # (objects,) int64, first row of `boxes`
    boxes: np.ndarray               # (…,6) float64, lo x y z hi x y z of the nodes
    slots: np.ndarray               # (…,) int32, triangle in each slot, from corners.triangle_start on
    slot_box_start: np.ndarray      # (objects,) int64, first row of `slot_boxes`
    slot_boxes: np.ndarray          # (…,6) float64, lo x y z hi x y z of the triangle in each slot
    corners: Corners


class EdgeArrays(NamedTuple):
    """The edges of all tested objects, each once; objects of a mesh share them. See trees/balanced/edges.py."""

    edge_start: np.ndarray          # (objects,) int64, first row of `ends` and `owner_start`
    edge_count: np.ndarray          # (objects,) int64
    ends: np.ndarray                # (…,2) int32, vertices counted from the object's world_start
    owner_start: np.ndarray         # (… + 1,) int64, first row of `owners`
    owners: np.ndarray              # (…,) int32: 3·t + k, the edge being side k of triangle t of the mesh
    sides: np.ndarray               # (…,) int32, the edge that is side k of triangle t: row 3·(triangle_start + t) + k
    slot_start: np.ndarray          # (objects,) int64, first row of `first_edge`
    first_edge: np.ndarray          # (…,) int32: edges first_edge[s] … first_edge[s + 1] − 1 occur first in slot s
