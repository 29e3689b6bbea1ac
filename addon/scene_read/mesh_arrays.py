# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and triangles of an evaluated mesh, positions of a point cloud, in bulk.

Measured for a million triangles in Blender 4.2 to 5.2: positions 0.3 ms through the attribute (10 ms through
`vertices`), triangles 5 ms where all faces are triangles; corners of loop triangles 70 to 90 ms where they are asked
for and 0.6 ms where they are copied; where faces begin 20 ms, corners and edges 1 ms each. Of a cube, each question
costs about a microsecond, whatever it asks for.
"""
import ctypes
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...core.memory import refuse_beyond

if TYPE_CHECKING:
    import bpy

BYTES_PER_READ_VERTEX, BYTES_PER_READ_CORNER, BYTES_PER_READ_FACE = 36, 24, 8     # read, cut into triangles, and kept
SMALL_BYTES = 1 << 16
FEW_TRIANGLES = 60      # so many can be asked for their corners in the 3 to 4 µs that it takes to find and check them
BYTES_PER_LOOP_TRIANGLE = 12
FEW_FACES = 100         # so many can be asked where they begin in less time than for corners and edges
MOST_BUFFERS = 256      # that are kept, of small meshes


class Sizes(NamedTuple):
    """How much Blender stores of a mesh."""

    points: int
    corners: int        # of faces
    faces: int
    edges: int          # that are read: 0 where all faces are triangles, or few
    starts: int         # of faces, that are read: 0 where all are triangles, or many


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """A mesh as it was read, and as Blender stores it, to notice quickly that a reading would give the same."""

    vertices: np.ndarray        # (n,3) float64, local
    triangles: np.ndarray       # (m,3) int32
    faces_of: np.ndarray | None     # (m,) int32: the face that each triangle was cut from; None: all are triangles
    sizes: Sizes
    bits: np.ndarray            # int32: float32 coordinates of the points; point of each corner of a face; the first
                                # corner of each face, or edge from each corner and ends of each edge, which with the
                                # corners tell the same

    def after(self, before: "Stored | None") -> "Stored":
        """The same: `before` itself where nothing differs in any bit (-0 is not 0, and a NaN is itself), with its very
        triangles where only vertices have moved."""
        if (before is None or not np.array_equal(before.triangles, self.triangles)
                or not _are_same(before.faces_of, self.faces_of)):
            return self
        numbers = 3 * self.sizes.points
        if before.sizes.points == self.sizes.points and _same_bits(before.bits[:numbers], self.bits[:numbers]):
            return before
        return replace(self, triangles=before.triangles, faces_of=before.faces_of)

    def is_deformed(self, before: "Stored") -> bool:
        """True where `after` found that only vertices have moved."""
        return self.triangles is before.triangles and self.sizes.points == before.sizes.points


def read_mesh(evaluated_object: "bpy.types.Object", before: Stored | None = None) -> Stored:
    """The mesh of an evaluated object whose data is one. before: what an earlier reading gave, and gives again where
    nothing has changed.

    A mesh that is open in Edit Mode stays in BMesh form, and its arrays read as empty: `to_mesh` converts it. Raises
    TooLarge where there is no memory for it: Blender itself would end without a word.
    """
    mesh = evaluated_object.data
    if not mesh.is_editmode:
        return _read(mesh, before)
    try:
        return _read(evaluated_object.to_mesh(), before)
    finally:
        evaluated_object.to_mesh_clear()


def read_surface(evaluated_object: "bpy.types.Object") -> Stored:
    """The mesh of any evaluated object that has a surface: a text, a curve, too."""
    if evaluated_object.type == "MESH":
        return read_mesh(evaluated_object)
    try:
        return _read(evaluated_object.to_mesh(), None)
    finally:
        evaluated_object.to_mesh_clear()


def read_point_cloud(evaluated_object: "bpy.types.Object", before: Stored | None = None) -> Stored:
    """The points of an evaluated object whose data is a point cloud, as a mesh without triangles."""
    data = evaluated_object.data
    return _stored(data, Sizes(len(data.points), 0, 0, 0, 0), before)


def _read(mesh, before: Stored | None) -> Stored:
    loops, faces = len(mesh.loops), len(mesh.polygons)
    if loops == 3 * faces:
        edges = starts = 0
    elif faces > FEW_FACES:
        edges, starts = len(mesh.edges), 0
    else:
        edges, starts = 0, faces
    sizes = Sizes(len(mesh.vertices), loops, faces, edges, starts)
    refuse_beyond(BYTES_PER_READ_VERTEX * sizes.points + BYTES_PER_READ_CORNER * loops + BYTES_PER_READ_FACE * faces,
                  "The vertices and faces of one object")
    return _stored(mesh, sizes, before)


def _stored(data, sizes: Sizes, before: Stored | None) -> Stored:
    """A mesh or a point cloud as it is read, `before` itself where nothing of it has changed. Triangles, which depend
    on nothing but what is compared, take longest to ask for."""
    buffer = _buffers.get(sizes) or _Buffer.of(sizes)
    buffer.fill(data)
    if before is not None and before.sizes == sizes and _same_bits(before.bits, buffer.bits):
        return before
    bits = buffer.taken()
    first = 3 * sizes.points
    triangles, faces_of = _triangles(data, bits[first:first + sizes.corners])
    vertices = bits[:first].view(np.float32).astype(np.float64).reshape(-1, 3)
    return Stored(vertices, triangles, faces_of, sizes, bits).after(before)


class _Buffer:
    """What Blender stores of a mesh or a point cloud, see `Stored.bits`, and its parts as Blender fills them in."""

    __slots__ = ("bits", "points", "corners", "starts", "edges", "is_kept")

    def __init__(self, sizes: Sizes):
        points, loops, _, edges, starts = sizes
        first, last = 3 * points, 3 * points + loops
        bits = self.bits = np.empty(last + starts + (loops + 2 * edges if edges else 0), np.int32)
        self.points = bits[:first].view(np.float32) if points else None
        self.corners = bits[first:last] if loops else None
        self.starts = bits[last:] if starts else None
        self.edges = (bits[last:last + loops], bits[last + loops:]) if edges else None
        self.is_kept = False

    @classmethod
    def of(cls, sizes: Sizes) -> "_Buffer":
        """A new one; of small meshes it is kept, as many are often of one size, and making it takes as long as filling
        it."""
        made = cls(sizes)
        if made.bits.nbytes <= SMALL_BYTES:
            if len(_buffers) >= MOST_BUFFERS:
                _buffers.clear()
            _buffers[sizes], made.is_kept = made, True
        return made

    def fill(self, data) -> None:
        attributes = data.attributes
        if self.points is not None:
            attributes["position"].data.foreach_get("vector", self.points)
        if self.corners is not None:
            attributes[".corner_vert"].data.foreach_get("value", self.corners)
        if self.starts is not None:
            data.polygons.foreach_get("loop_start", self.starts)
        if self.edges is not None:
            attributes[".corner_edge"].data.foreach_get("value", self.edges[0])
            attributes[".edge_verts"].data.foreach_get("value", self.edges[1])

    def taken(self) -> np.ndarray:
        """The bits, to be kept by the caller."""
        return self.bits.copy() if self.is_kept else self.bits


_buffers: dict[Sizes, _Buffer] = {}     # of small meshes


def _same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    """True for equal arrays of int32 of the same size. Copies to compare as bytes cost less than numpy's call where
    they are small."""
    if one.nbytes > SMALL_BYTES:
        return np.array_equal(one, other)
    return one.tobytes() == other.tobytes()


def _triangles(mesh, corner_vertex: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """(m,3) int32: the triangles that Blender draws, bent quads and n-gons cut as on the screen; (m,) int32: their
    faces, None where all of these are triangles."""
    if len(corner_vertex) == 0:
        return np.zeros((0, 3), np.int32), None
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    if count == 0:
        return np.zeros((0, 3), np.int32), None
    face = np.empty(count, np.int32)
    mesh.loop_triangle_polygons.foreach_get("value", face)
    if np.array_equal(face, np.arange(len(mesh.polygons), dtype=np.int32)):
        return corner_vertex.reshape(-1, 3), None
    return corner_vertex[corners_of(mesh.loop_triangles, count)].reshape(-1, 3), face


def corners_of(loop_triangles: Any, count: int) -> np.ndarray:
    """(3 · count,) int32: the corners of faces between which each triangle of a mesh is."""
    if count > FEW_TRIANGLES and (copied := copied_corners(loop_triangles, count)) is not None:
        return copied
    corners = np.empty(3 * count, np.int32)
    loop_triangles.foreach_get("loops", corners)
    return corners


def copied_corners(loop_triangles: Any, count: int) -> np.ndarray | None:
    """The same from Blender's own array; None where it is not as it was from Blender 4.2 to 5.2.

    There is no other quick way to have all of it: `foreach_get` takes 70 ns and more per triangle. Of a deforming mesh
    of quads, whose triangles may be others in every frame, that would be most of the reading. Blender says where the
    first and the last triangle are. What is between has the right size, and some of it is compared with what Blender
    says it is.
    """
    first, last = loop_triangles[0].as_pointer(), loop_triangles[count - 1].as_pointer()
    if last - first != BYTES_PER_LOOP_TRIANGLE * (count - 1):
        return None
    corners = np.frombuffer(ctypes.string_at(first, BYTES_PER_LOOP_TRIANGLE * count), np.int32).reshape(-1, 3)
    if any(tuple(loop_triangles[k].loops) != tuple(corners[k].tolist()) for k in (0, 1, count // 2, count - 1)):
        return None
    return corners.ravel()


def _are_same(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
