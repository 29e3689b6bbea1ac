# SPDX-License-Identifier: GPL-3.0-or-later
"""Is an object inside another one whose surface it does not meet?

A part of a surface that does not meet the other surface lies wholly inside or wholly outside it, so one vertex
decides for each connected part.
"""
from dataclasses import dataclass

import numpy as np

from ..report import CANNOT_TELL, CONTAINED, NOT_CLOSED, OUT_OF_RANGE
from ..trees.forest import Forest
from .closed import EVEN, OPEN, ORIENTED, closedness, part_triangles
from .rays import ODD, UNKNOWN, WOUND, cast_rays, scratch

DIRECTIONS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
SAMPLES = 16                        # further vertices per mesh, for rays that leave through a hole of a leaky mesh
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
            kind = np.array([closedness_of(forest, obj) for obj in outer[asked]], np.int8)
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
        cast_rays(self.inner, outer, self.first, self.last, self.single, self.vertices, *DIRECTIONS[direction],
                  forest.root, forest.box_start, forest.node_start, meshes.children, forest.boxes, forest.frame, *forest.corners,
                  *scratch(), answer)
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
        triangles = forest.scene.meshes[index].triangles
        parts = parts_of(forest, index)
        some = np.arange(0, len(triangles), max(1, len(triangles) // SAMPLES))
        kept[index] = np.unique(triangles[np.append(parts, some), 0]).astype(np.int32), len(parts) == 1
    return kept[index]


def parts_of(forest: Forest, index: int) -> np.ndarray:
    """(parts,) int64: the first triangle of each connected part of a mesh of the scene; kept with the scene."""
    kept = forest.scene.cache.setdefault("parts", {})
    if index not in kept:
        mesh = forest.scene.meshes[index]
        kept[index] = part_triangles(mesh.triangles, len(mesh.vertices))
    return kept[index]


def closedness_of(forest: Forest, obj: int) -> int:
    """Of the mesh of a position in the forest; kept with the scene."""
    index = forest.scene.objects[forest.objects[obj]].mesh
    mesh = forest.scene.meshes[index]
    kept = forest.scene.cache.setdefault("closedness", {})
    if kept.get(index, (None, 0))[0] != mesh.version:       # moved vertices may fall together
        kept[index] = mesh.version, closedness(mesh.vertices, mesh.triangles)
    return kept[index][1]
