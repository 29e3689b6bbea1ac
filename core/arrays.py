# SPDX-License-Identifier: GPL-3.0-or-later
"""The casts at the door, behind which every array has one dtype and C order, so that each kernel is compiled once; and
the records of arrays that stages hand on and kernels take.

Records are NamedTuples: a kernel takes one as it is, for about a microsecond per call from Python. All of them are
defined here: machine code on disk may name no other classes of ours, and depends on this file (packed_kernel.py).
"""
from numbers import Integral
from typing import NamedTuple

import numpy as np

WHOLE = 2.0 ** 53       # below, float64 holds every whole number


def as_numbers(given, name: str) -> np.ndarray:
    """The same numbers as float64, C order, writable. Copies only when it must.

    given: an array, a buffer or nested sequences of real numbers. Raises ValueError, with the name of the argument, for
    anything else (complex numbers, truth values, dates, records, text, masked entries, rows of different lengths), and
    for numbers that float64 does not hold exactly.
    """
    if type(given) is np.ndarray and given.dtype == np.float64:
        return np.require(given, None, ["C", "W"])
    array = _as_array(given, name)
    if array.size == 0:
        return np.zeros(array.shape)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be real numbers, not {_kind(array)}")
    with np.errstate(over="ignore"):
        numbers = np.require(array, np.float64, ["C", "W"])
    if array.dtype.itemsize >= 8 and not _holds(numbers, array, given):
        raise ValueError(f"{name} has numbers that float64 cannot hold exactly")
    return numbers


def _as_array(given, name: str) -> np.ndarray:
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise ValueError(f"{name} must not have masked entries")
    try:
        return np.asarray(given)
    except (TypeError, ValueError, BufferError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from None


def _kind(array: np.ndarray) -> str:
    """What an array holds, in a sentence."""
    return f"a mixture of things such as {type(array.flat[0]).__name__}" if array.dtype == object else str(array.dtype)


def _holds(numbers: np.ndarray, array: np.ndarray, given) -> bool:
    """True where float64 changed no number. Sequences are looked at as they were given: numpy makes one array of whole
    and other numbers by rounding the whole ones."""
    if array.dtype.itemsize > 8:
        return bool(((numbers == array) | (array != array)).all())
    large = np.abs(numbers) >= WHOLE
    if not large.any():
        return True
    if array.dtype.kind == "f" and isinstance(given, np.ndarray):
        return True
    source = array if array.dtype.kind in "iu" else np.array(given, object)
    return all(int(number) == whole for number, whole in zip(numbers[large].tolist(), source[large].tolist())
               if isinstance(whole, Integral))


def as_vertices(vertices, name: str = "vertices") -> np.ndarray:
    """(n,3) float64, C order, writable. Copies only when it must. Raises ValueError for another shape, and like
    `as_numbers`."""
    array = as_numbers(vertices, name)
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (n, 3), not {array.shape}")
    return array


def as_triangles(triangles, vertex_count: int, name: str = "triangles") -> np.ndarray:
    """(m,3) int32, C order, writable; ValueError for another shape, for what is no whole number, and for an index
    outside 0 … vertex_count-1."""
    given = _as_array(triangles, name)
    if given.size == 0:
        return np.zeros((0, 3), np.int32)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"{name} must have the shape (m, 3), not {given.shape}")
    if given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, not {_kind(given)}")
    if given.min() < 0 or given.max() >= vertex_count:
        raise ValueError(f"{name} must name vertices 0 … {vertex_count - 1}")
    return np.require(given, np.int32, ["C", "W"])


def as_poses(poses, name: str = "poses") -> np.ndarray:
    """(n,4,4) float64 affine matrices, last rows 0 0 0 1 (other numbers that are not finite pass: the object is then
    skipped by name). Raises ValueError for anything else."""
    array = as_numbers(poses, name)
    if array.shape == (0,):
        return np.zeros((0, 4, 4))
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        raise ValueError(f"{name} must be 4×4 matrices, not {array.shape[1:]}")
    if not (array[:, 3] == (0.0, 0.0, 0.0, 1.0)).all():
        raise ValueError(f"{name} must have the last row 0 0 0 1: perspective is not a rigid or affine motion")
    return array


def as_pose(pose, name: str) -> np.ndarray:
    """(4,4): one of them."""
    return as_poses(pose[None] if isinstance(pose, np.ndarray) else [pose], name)[0]


def starts_of(counts) -> np.ndarray:
    """(n+1,) int64: where n pieces of these lengths begin when they follow one another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)


def moved_poses(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """(n,) bool: poses that differ in any bit, as 0 and -0 do. before, now: (n,rows,4) float64, C order."""
    return (before.view(np.int64) != now.view(np.int64)).any(axis=(1, 2))


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
    vectors: np.ndarray             # (15,2) float64: five vectors in double-double
    points: np.ndarray              # (2,3) float64: where the two come nearest


class DistanceScratch(NamedTuple):
    """What one thread needs to search two trees for their distance (distance/nearest.py)."""

    lower_bounds: np.ndarray        # (16,) float32, squared distances of the boxes of two nodes
    slots: np.ndarray               # (COLUMNS,3) int32: slot of a, slot of b, 1 where `columns` has b's triangle first
    corners: np.ndarray             # (9 · WIDE,) float64: the triangles of two leaf nodes
    aimed_boxes: np.ndarray         # (6 · WIDE,) float32: their boxes along `axes`
    axes: np.ndarray                # (4,3) float64: three axes and the place that they begin at
    columns: TriangleColumns        # pairs of triangles that wait to be measured together
    pair: TrianglePairScratch       # for a pair that is measured alone
    undecided: np.ndarray           # (COLUMNS,2) int32, handed back: slots of pairs that need rational arithmetic
    stats: np.ndarray               # (2,) int64, counted up: tasks, pairs of triangles


class Hulls(NamedTuple):
    """Convex hulls of points. Hull k has counts[k] rows of `points` from row starts[k] on."""

    points: np.ndarray              # (…,3) float64
    starts: np.ndarray              # (N,) int64
    counts: np.ndarray              # (N,) int64, at least 1

    def of(self, k: int) -> list[list[float]]:
        """The points of one hull."""
        return self.points[self.starts[k]:self.starts[k] + self.counts[k]].tolist()


class HullAnswers(NamedTuple):
    """Where the search of each pair of hulls ended (convex/gjk/gjk.py)."""

    answer: np.ndarray              # (N,) uint8: APART, MEET or UNDECIDED
    corners: np.ndarray             # (N,8) int32: up to four corners of the last simplex, each the number of a point of
                                    # P and the number of a point of Q; -1 for none


class HullScratch(NamedTuple):
    """What one thread needs to search pairs of hulls (convex/gjk/)."""

    packed_p: np.ndarray            # (≥ 3 · (count + LANES),) float64, the points of a hull as support.py packs them
    packed_q: np.ndarray
    simplex: np.ndarray             # (6,5) float64, see simplex.py
    nearest: np.ndarray             # (3,) float64, the point of the simplex closest to the origin
    weights: np.ndarray             # (4,) float64, of its corners
    expansion: np.ndarray           # (SIMPLEX_TERMS,) float64, see exact_simplex.py


class PolytopeScratch(NamedTuple):
    """A closed surface of triangles between corners of the set of differences P − Q (convex/gjk/penetration.py)."""

    corners: np.ndarray             # (MOST_CORNERS,3) float64
    numbers: np.ndarray             # (MOST_CORNERS,2) int64, of the points of P and Q that corners are differences of
    faces: np.ndarray               # (MOST_FACES,3) int64, their corners, counterclockwise from outside
    planes: np.ndarray              # (MOST_FACES,7) float64
    edges: np.ndarray               # (3 · MOST_FACES,2) int64, of faces that are replaced
    balance: np.ndarray             # (MOST_CORNERS,MOST_CORNERS) int8, zeros between calls


class Parallelepipeds(NamedTuple):
    """Boxes whose edges may have any directions: centre + axes @ x with |x| ≤ half size (convex/boxes.py)."""

    centres: np.ndarray             # (N,3) float64
    axes: np.ndarray                # (N,3,3) float64, a column per edge
    half_sizes: np.ndarray          # (N,3) float64


class BoxScratch(NamedTuple):
    """Two boxes, ready to be compared along axes (convex/boxes.py)."""

    directions: np.ndarray          # (6,3) float64, edges of the first box and of the second
    half_edges: np.ndarray          # (7,3) float64; row 6: the sum of their absolute values
    offset: np.ndarray              # (3,3) float64: from centre to centre in two terms; row 2: the axis at hand
    expansion: np.ndarray           # (BOX_TERMS,) float64


class PointTree(NamedTuple):
    """A complete binary tree of boxes over points: node 1 is the root, nodes 2 i and 2 i + 1 are the children of i
    (convex/point_clouds/support_tree.py). The last half of the nodes are leaves, with as many points each."""

    points: np.ndarray              # (…,3) float64, leaf after leaf
    boxes: np.ndarray               # (2 · leaves,6) float64, lo x y z hi x y z


class Population(NamedTuple):
    """Two hulls and the individuals that convex/annealing/evolve.py breeds: weights of the hulls' points."""

    points: np.ndarray              # (points,3) float64, those of P first
    count_p: int                    # how many are of P
    weights: np.ndarray             # (individuals + 1,points) float64; the last row is scratch
    states: np.ndarray              # (individuals + 1,COLUMNS) float64, see evolve.py
    random_state: np.ndarray        # (2,) int64


class Motions(NamedTuple):
    """Queries of four points each that move linearly (continuous/)."""

    start: np.ndarray               # (N,4,3) float64, at t = 0
    end: np.ndarray                 # (N,4,3) float64, at t = 1


class PointRows(NamedTuple):
    """Which of the four points of a query make what: one record per kind of query (continuous/toi.py)."""

    sides: np.ndarray               # (5,) int64: two points of one side, three of the other, some of them repeated
    vectors: np.ndarray             # (3,2) int64: the vectors e, f and w go from the second point to the first one
    triangles: np.ndarray           # (6,) int64: the sides as triangles, one of them or both without area


class Impacts(NamedTuple):
    """When the two sides of each query first meet (continuous/first_contact.py)."""

    toi: np.ndarray                 # (N,) float64; where undecided, a time before which there is no contact
    status: np.ndarray              # (N,) uint8: MISS, HIT, UNDECIDED, INVALID or HIT_AT_END


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
    edges: np.ndarray               # (3,3) float64
    points: np.ndarray              # (MOST_POINTS,3) float64, the corners that the triangles share
    expansion: np.ndarray           # (EXPANSION_SIZE,) float64


class ContactScratch(NamedTuple):
    """Memory of one thread that makes contacts (narrow_phase/triangle_contacts.py)."""

    corners: np.ndarray             # (BLOCK,6,3) float64, those of both triangles
    filter: FilterScratch
    exact: ExactScratch


class MeshEdges(NamedTuple):
    """The edges of a mesh, or of several, in order, each with the triangles at it: its wings (verdicts/edges.py).

    A row of `wings` is a side of a triangle whose ends differ; rows are ordered by these ends.
    """

    start: np.ndarray               # (vertices + 1,) int64, first row of the edges whose lower end is this vertex
    wings: np.ndarray               # (…,3) int32: higher end, third corner, 1 where the triangle runs up the edge or -1


class PlacedEdges(NamedTuple):
    """Objects by the edges of their meshes, whose vertices are numbered one mesh after another."""

    vertices: np.ndarray            # (…,3) float64, local coordinates
    poses: np.ndarray               # (objects,3,4) float64
    oriented: np.ndarray            # (objects,) uint8, 1 where the mesh is ORIENTED
    edges: MeshEdges                # of all meshes


class RayScratch(NamedTuple):
    """Memory of one thread that follows rays through trees (verdicts/rays.py, verdicts/points_in_mesh.py)."""

    P: np.ndarray                   # (7,3) float64: the corners of a triangle, then where the ray starts;
                                    # (4,3) where it starts at a point
    expansion: np.ndarray           # (EXPANSION_SIZE,) float64
    ray: np.ndarray                 # (1,6,4) float32, a node: its first box holds the ray, the others are empty
    stack: np.ndarray               # (STACK_SIZE,) int32, codes of nodes still to visit


class MeshTreeArrays(NamedTuple):
    """The linear BVHs of meshes, one mesh after another; see trees/bvh/mesh_trees.py."""

    vertex_start: np.ndarray        # (meshes + 1,) int64, first row of `vertices` and `vertex_order`
    triangle_start: np.ndarray      # (meshes + 1,) int64, first row of `triangles` and `order`
    node_start: np.ndarray          # (meshes + 1,) int64, first row of `children` and `leaf`
    vertices: np.ndarray            # (…,3) float64, local coordinates
    vertex_order: np.ndarray        # (…,) int32, number of the vertex in its mesh
    triangles: np.ndarray           # (…,3) int32, vertices counted from vertex_start, in leaf order
    order: np.ndarray               # (…,) int32, number of the triangle in its mesh
    children: np.ndarray            # (…,4) int32
    leaf: np.ndarray                # (…,) uint8, 1 for leaves
    vertex_count: np.ndarray        # (meshes,) int64, vertices that triangles use
    node_count: np.ndarray          # (meshes,) int64
    root: np.ndarray                # (meshes,) int32, code of the root


class BvhScratch(NamedTuple):
    """Scratch memory for building linear BVHs over up to n items."""

    codes: np.ndarray               # (2,n) uint32, Morton codes and where they are sorted to
    items: np.ndarray               # (n,) int32
    histogram: np.ndarray           # (3,cells per axis) int32
    stack: np.ndarray               # (…,3) int64, nodes to be made: first item, end, where the parent keeps the code
    ranges: np.ndarray              # (4,2) int64, first item and end of a node's children


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


class ObjectPairs(NamedTuple):
    """The pairs of objects that a search goes through."""

    a: np.ndarray                   # (pairs,) int32
    b: np.ndarray                   # (pairs,) int32
    done: np.ndarray                # (pairs,) uint8, 1 where no more candidates are wanted


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


class ObbScratch(NamedTuple):
    """Scratch memory for comparing the oriented boxes of two objects."""

    relation: np.ndarray            # (2,16) float64, see mid_phase/obb_descend.relate
    boxes: np.ndarray               # (2,15) float64, the two boxes in common coordinates
    cosines: np.ndarray             # (4,3) float64
    stats: np.ndarray               # (1,) int64, counts tests of two boxes


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


# By name: all NamedTuples above.
RECORDS = {name: each for name, each in list(globals().items()) if hasattr(each, "_fields")}
