# SPDX-License-Identifier: GPL-3.0-or-later
"""Is an object inside another one whose surface it does not meet?

A part of a surface that does not meet the other surface lies wholly inside or wholly outside it, so one vertex
decides for each connected part. A ray along an axis is followed through the other object's tree and its crossings are
counted with their direction, by exact signs: the ray is thought of as shifted by an infinitely small amount along the
next axis, so that it never passes through an edge, and edges that triangles share are counted once.
"""
from dataclasses import dataclass

import numpy as np

from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import scale_exponent
from ..jit import kernel
from ..report import CANNOT_TELL, CONTAINED, NOT_CLOSED, OUT_OF_RANGE
from ..trees.forest import Forest
from ..trees.place import OUTWARD, TINY, round_down, round_up
from .closed import EVEN, OPEN, ORIENTED, closedness, part_vertices

DIRECTIONS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
SAMPLES = 16                        # further vertices per mesh, for rays that leave through a hole of a leaky mesh
ODD, WOUND, UNKNOWN = 1, 2, 4       # bits: crossings of some ray are odd; do not cancel; numbers span too much
DECIDES = {ORIENTED: WOUND, EVEN: ODD, OPEN: ODD | WOUND}


def containment(forest: Forest, a: np.ndarray, b: np.ndarray, rows: np.ndarray, verdict: np.ndarray,
                status: np.ndarray, tick) -> None:
    """Set verdict[rows] to CONTAINED where one object of the pair lies inside the other, and to CANNOT_TELL, with a
    status, where a mesh that is not closed seems to enclose the other: rays in all six directions from a vertex of
    the other meet it.

    a, b: (pairs,) int32, positions in the forest; rows: pairs whose surfaces do not meet; verdict, status: (pairs,).
    """
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        tick(batch.start / len(rows))
        here = rows[batch]
        for inner, outer in ((a[here], b[here]), (b[here], a[here])):
            starts = Starts.of(forest, inner)
            answer = starts.cast(outer, 0)
            asked = np.flatnonzero(answer)
            kind = np.array([_closedness(forest, obj) for obj in outer[asked]], np.int8)
            inside = answer[asked] & np.array([DECIDES[k] for k in kind], np.uint8) > 0
            verdict[here[asked[inside & (kind != OPEN)]]] = CONTAINED
            leaky = asked[inside & (kind == OPEN)]
            leaky = leaky[[starts.enclosed(row, outer[row]) for row in leaky]] if len(leaky) else leaky
            for found, reason in ((leaky, NOT_CLOSED), (asked[answer[asked] & UNKNOWN > 0], OUT_OF_RANGE)):
                open_rows = here[found][verdict[here[found]] != CONTAINED]
                verdict[open_rows], status[open_rows] = CANNOT_TELL, reason


@dataclass(eq=False)
class Starts:
    """Vertices from which rays start: for inner[i] those in vertices[first[i]:last[i]]."""

    forest: Forest
    inner: np.ndarray       # (pairs,) positions in the forest
    vertices: np.ndarray    # (…,) int32, of the object's mesh
    first: np.ndarray       # (pairs,) int64
    last: np.ndarray
    single: np.ndarray      # (pairs,) bool: the mesh is of one part, and so inside whole or not at all

    @classmethod
    def of(cls, forest: Forest, inner: np.ndarray) -> "Starts":
        """One vertex of each part of the inner objects' meshes, and some more."""
        meshes = np.array([forest.scene.objects[forest.objects[obj]].mesh for obj in inner], np.int64)
        wanted, place = np.unique(meshes, return_inverse=True)
        samples = [_sample(forest, mesh) for mesh in wanted]
        start = np.concatenate([[0], np.cumsum([len(vertices) for vertices, _ in samples], dtype=np.int64)])
        return cls(forest, inner, np.concatenate([vertices for vertices, _ in samples]), start[place],
                   start[place + 1], np.array([single for _, single in samples])[place])

    def cast(self, outer: np.ndarray, direction: int) -> np.ndarray:
        """(pairs,) uint8: bits ODD, WOUND, UNKNOWN of rays through outer[i]. All objects must be placed."""
        forest, meshes = self.forest, self.forest.meshes
        answer = np.zeros(len(outer), np.uint8)
        cast_rays(self.inner, outer, self.first, self.last, self.single, self.vertices, *DIRECTIONS[direction], forest.root,
                  forest.box_start, forest.node_start, meshes.children, forest.boxes, forest.frame, *forest.corners,
                  np.empty((4, 3)), np.empty(EXPANSION_SIZE), np.empty(4096, np.int32), answer)
        return answer

    def enclosed(self, row: int, outer: int) -> bool:
        """Rays in all six directions from one and the same vertex of inner[row] meet the outer object."""
        first = np.arange(self.first[row], self.last[row])
        one_each = Starts(self.forest, np.full(len(first), self.inner[row]), self.vertices, first, first + 1,
                          np.zeros(len(first), bool))
        hit = [one_each.cast(np.full(len(first), outer), direction) > 0 for direction in range(len(DIRECTIONS))]
        return bool(np.logical_and.reduce(hit).any())


def _sample(forest: Forest, index: int) -> tuple[np.ndarray, bool]:
    """(k,) int32, a vertex of each part of a mesh and some others, and whether it is of one part; kept with the
    scene."""
    kept = forest.scene.cache.setdefault("ray starts", {})
    if index not in kept:
        mesh = forest.scene.meshes[index]
        parts = part_vertices(mesh.triangles, len(mesh.vertices))
        some = mesh.triangles[::max(1, len(mesh.triangles) // SAMPLES), 0]
        kept[index] = np.unique(np.append(parts, some)).astype(np.int32), len(parts) == 1
    return kept[index]


def _closedness(forest: Forest, obj: int) -> int:
    index = forest.scene.objects[forest.objects[obj]].mesh
    mesh = forest.scene.meshes[index]
    kept = forest.scene.cache.setdefault("closedness", {})
    if kept.get(index, (None, 0))[0] != mesh.version:       # moved vertices may fall together
        kept[index] = mesh.version, closedness(mesh.vertices, mesh.triangles)
    return kept[index][1]


@kernel
def cast_rays(inner, outer, first, last, single, vertices, axis, sign, root, box_start, node_start, children, boxes,
              frame, triangle_start, triangles, order, world_start, world, P, expansion, stack, answer):
    """answer[k] |= bits for the rays through object outer[k] from vertices[first[k]:last[k]] of object inner[k].

    axis 0 … 2 and sign ±1: direction of the rays. single: as in Starts. The other arrays as in Forest; P (4,3),
    expansion, stack (4096,) int32: scratch.
    """
    for k in range(inner.shape[0]):
        if single[k] and _sticks_out(boxes, box_start, root, inner[k], outer[k]):
            continue
        for start in range(first[k], last[k]):
            vertex = world_start[inner[k]] + vertices[start]
            for x in range(3):
                P[3, x] = world[vertex, x]
            if _could_be_in(P, frame, boxes, box_start, root, outer[k]):
                answer[k] |= _cast_ray(outer[k], axis, sign, root, box_start, node_start, children, boxes, frame,
                                       triangle_start, triangles, world_start, world, P, expansion, stack)


@kernel
def _root_box(boxes, box_start, root, obj, x):
    """(low, high) of the whole tree of an object along an axis."""
    node = box_start[obj] + (~root[obj] if root[obj] < 0 else root[obj])
    return (min(min(boxes[node, x, 0], boxes[node, x, 1]), min(boxes[node, x, 2], boxes[node, x, 3])),
            max(max(boxes[node, 3 + x, 0], boxes[node, 3 + x, 1]),
                max(boxes[node, 3 + x, 2], boxes[node, 3 + x, 3])))


@kernel
def _sticks_out(boxes, box_start, root, inner, outer):
    """The box of the inner object is certainly not inside that of the outer one."""
    for x in range(3):
        low, high = _root_box(boxes, box_start, root, inner, x)
        outer_low, outer_high = _root_box(boxes, box_start, root, outer, x)
        slack = 4 * OUTWARD * max(abs(outer_low), abs(outer_high)) + 4 * TINY     # both were rounded outward
        if low < outer_low - slack or high > outer_high + slack:
            return True
    return False


@kernel
def _could_be_in(P, frame, boxes, box_start, root, obj):
    """The point P[3] lies in the box of the object's tree."""
    for x in range(3):
        value = (P[3, x] - frame[x]) * frame[3]
        low, high = _root_box(boxes, box_start, root, obj, x)
        if round_up(value) < low or round_down(value) > high:
            return False
    return True


@kernel
def _cast_ray(obj, axis, sign, root, box_start, node_start, children, boxes, frame, triangle_start, triangles,
              world_start, world, P, expansion, stack):
    """Bits for one ray from the point P[3]."""
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    x_low = round_down((P[3, axis] - frame[axis]) * frame[3])
    x_high = round_up((P[3, axis] - frame[axis]) * frame[3])
    y_low = round_down((P[3, y] - frame[y]) * frame[3])
    y_high = round_up((P[3, y] - frame[y]) * frame[3])
    z_low = round_down((P[3, z] - frame[z]) * frame[3])
    z_high = round_up((P[3, z] - frame[z]) * frame[3])
    crossings = 0
    winding = 0
    stack[0] = root[obj]
    depth = 1
    while depth > 0:
        depth -= 1
        code = np.int64(stack[depth])
        node = ~code if code < 0 else code
        box = box_start[obj] + node
        for q in range(4):
            if (y_high < boxes[box, y, q] or y_low > boxes[box, 3 + y, q] or z_high < boxes[box, z, q]
                    or z_low > boxes[box, 3 + z, q]):
                continue
            if (sign > 0 and x_low > boxes[box, 3 + axis, q]) or (sign < 0 and x_high < boxes[box, axis, q]):
                continue
            child = children[node_start[obj] + node, q]
            if code >= 0:
                stack[depth] = child
                depth += 1
                continue
            for i in range(3):
                corner = world_start[obj] + triangles[triangle_start[obj] + child, i]
                for x in range(3):
                    P[i, x] = world[corner, x]
            if scale_exponent(P) != 0:
                return np.uint8(UNKNOWN)
            turn = _crossing(P, axis, sign, y, z, expansion)
            winding += turn
            crossings += turn != 0
    return np.uint8((ODD if crossings & 1 else 0) | (WOUND if winding != 0 else 0))


@kernel
def _crossing(P, axis, sign, y, z, expansion):
    """1 or -1 where the ray from P[3] leaves or enters through the triangle in rows 0 … 2, 0 where it misses.

    Winding number of the triangle's shadow along the axis around the point: edges count that pass the point's height
    beyond it on y, upward as 1 and downward as -1. One that goes through the point itself does not count, for all
    triangles that share it: as if the point were shifted a little along y.
    """
    turn = 0
    for i in range(3):
        j = (i + 1) % 3
        if P[i, z] <= P[3, z] and P[j, z] > P[3, z]:
            turn += orientation2(P, i, j, 3, y, z, 0, expansion) > 0.0
        elif P[j, z] <= P[3, z] and P[i, z] > P[3, z]:
            turn -= orientation2(P, i, j, 3, y, z, 0, expansion) < 0.0
    if turn == 0:
        return 0
    ahead = orientation3(P, 0, 1, 2, 3, 0, expansion) * turn * sign
    return turn * sign if ahead > 0.0 else 0
