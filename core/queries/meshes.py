# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole meshes: which triangles meet, which objects collide, which lie in which, where points and segments are."""
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_numbers, as_pose, as_triangles, as_vertices
from ..broad_phase.object_tree import overlapping_pairs
from ..codes import A_IN_B, CONTAINED
from ..errors import Unsupported
from ..geometry.segment_triangle import YES, filter_segments
from ..geometry.undecided import UNDECIDED
from ..mid_phase.cull import box_of, near_parts
from ..narrow_phase.canonical_order import canonical_order
from ..narrow_phase.triangle_filter import PROPER
from ..narrow_phase.triangle_pairs import BUFFER, CandidateFilter, contacts_at
from ..pair_table import PairTable
from ..parallel import run_chunks, thread_count
from ..pipeline import detect
from ..reference import last_resort
from ..run import Run
from ..scene import Scene
from ..scene.select import select
from ..search.stream import Search
from ..trees.bvh.build import along_a_curve
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import OPEN, closedness
from ..verdicts.points_in_mesh import locate_points, point_scratch
from ..verdicts.rays import INSIDE_BITS, ON
from .triangles import no_tick, triangles_intersect

SORTED_FROM = 1 << 13       # points, and triangles, on
POINTS_AT_ONCE, SEGMENTS_AT_ONCE = 1 << 11, 1 << 15     # about a millisecond of work


def mesh_triangle_pairs(V1: ArrayLike, F1: ArrayLike, V2: ArrayLike, F2: ArrayLike) -> np.ndarray:
    """(K,2) int32: every pair of triangles, F1[i] with F2[j], that meet, ordered by (i, j).

    V1, V2: (n,3) float64 vertices, finite; F1, F2: (m,3) whole numbers. Closed sets: touching counts; a triangle
    without area is the segment or the point that it is. An empty mesh meets nothing. Raises ValueError for wrong
    shapes, indices out of range and coordinates that are not finite.
    """
    one, other = as_mesh(V1, F1, ("V1", "F1")), as_mesh(V2, F2, ("V2", "F2"))
    if min(len(one[1]), len(other[1])) == 0:
        return np.zeros((0, 2), np.int32)
    near = near_parts(one, other)
    if near is None:
        return np.zeros((0, 2), np.int32)
    scene = Scene()
    for vertices, triangles, _ in near:
        scene.add_object(scene.add_mesh(vertices, triangles))
    a, b = np.array([0], np.int32), np.array([1], np.int32)
    boxes = np.stack([box_of(vertices) for vertices, _, _ in near])
    forest = Forest(scene, np.arange(2, dtype=np.int32), boxes, no_tick, thread_count(None))
    next(forest.batches(a, b))
    search = Search(forest, PairTable(a, b), Run.unwatched(contacts_wanted=True))
    search.through(slice(0, 1), no_tick)
    found = _meeting(search.contact_search.hits, forest, a, b)
    return np.stack([numbers[found[:, side]] for side, (_, _, numbers) in enumerate(near)], axis=1)


def colliding_pairs(meshes: Sequence, transforms: ArrayLike) -> np.ndarray:
    """(K,2) int32 pairs i < j, ordered, of objects whose surfaces meet; touching counts.

    meshes: sequence of (V, F) as in `mesh_triangle_pairs`; transforms: as many 4×4 affine matrices. A pair of arrays
    that is given several times is one mesh at several places. An object inside another without contact is found by
    `contained_pairs`. Raises ValueError like `mesh_triangle_pairs`.
    """
    scene = _scene(meshes, transforms)
    if _with_faces(scene) < 2:
        return np.zeros((0, 2), np.int32)
    forest, a, b = _forest(scene)
    meet = np.zeros(len(a), bool)
    for batch in forest.batches(a, b) if len(a) else ():
        search = Search(forest, PairTable(a, b), Run.unwatched(contacts_wanted=False))
        search.through(batch, no_tick)
        hits = search.contact_search.hits
        found = contacts_at(hits, np.arange(len(hits), dtype=np.int32), a, b, forest.corners, thread_count(None),
                            no_tick)
        meet[found.pair] = True
        meet |= search.contact_search.done > 0
    return np.stack([forest.objects[a[meet]], forest.objects[b[meet]]], axis=1)


def contained_pairs(meshes: Sequence, transforms: ArrayLike) -> np.ndarray:
    """(K,2) int32 pairs (inner, outer) of objects one of which lies in the other, ordered by the smaller and the larger
    of them.

    Nothing of the inner surface is outside the other solid, and nothing of the outer surface is inside the inner one.
    The outer mesh must be closed (docs/decisions/0002), whichever way its triangles are turned; it may touch the inner
    one from outside. Arguments and errors as in `colliding_pairs`.
    """
    scene = _scene(meshes, transforms)
    if _with_faces(scene) < 2:
        return np.zeros((0, 2), np.int32)
    report = detect(scene, contacts=False)
    _refuse_skipped(report.skipped)
    pairs = report.pairs[report.pairs["verdict"] == CONTAINED]
    a_first = pairs["inner"] == A_IN_B
    return np.stack([np.where(a_first, pairs["a"], pairs["b"]), np.where(a_first, pairs["b"], pairs["a"])], axis=1)


def points_in_mesh(V: ArrayLike, F: ArrayLike, P: ArrayLike) -> np.ndarray:
    """(N,) int8: 1 for points inside the mesh, 0 on its surface, -1 outside; exact.

    V, F: as in `mesh_triangle_pairs`; P: (N,3) float64, finite. Inside is where the winding number is not zero or,
    where triangles do not all turn the same way, where a ray crosses the surface an odd number of times. Raises
    Unsupported for a mesh that is not closed and so has no inside, ValueError for wrong arrays.
    """
    V, F, P = *as_mesh(V, F), _points(P)
    closed = closedness(V, F)
    if closed == OPEN:
        raise Unsupported("The mesh is not closed: some edges are used by an odd number of triangles, so that it has "
                          "no inside.")
    answer = np.full(len(P), -1, np.int8)
    if len(F) and len(P):
        bits = _locate(V, F, P)
        inside = bits & INSIDE_BITS[closed] > 0
        answer[inside], answer[bits == ON] = 1, 0
        undecided = np.flatnonzero(bits & UNDECIDED)
        if len(undecided):
            answer[undecided] = last_resort.sides(P[undecided], V[F], closed)
    return answer


def segments_hit_triangles(S: ArrayLike, T: ArrayLike) -> np.ndarray:
    """(N,) bool: segment S[i] meets triangle T[i], exactly; touching counts.

    S: (N,2,3), T: (N,3,3) float64, finite. Segments may be points, triangles without area are the segments or points
    that they are. Raises ValueError for other shapes or coordinates that are not finite.
    """
    S, T = as_numbers(S, "S"), as_numbers(T, "T")
    if S.ndim != 3 or S.shape[1:] != (2, 3) or T.shape != (len(S), 3, 3):
        raise ValueError(f"S must have the shape (N, 2, 3) and T (N, 3, 3), not {S.shape} and {T.shape}")
    if not (np.isfinite(S).all() and np.isfinite(T).all()):
        raise ValueError("S and T must be finite")
    result = np.empty(len(S), np.uint8)
    _in_chunks(len(S), SEGMENTS_AT_ONCE, lambda first, last: filter_segments(S, T, first, last, result))
    hit = result == YES
    open_rows = np.flatnonzero(result == UNDECIDED)
    if len(open_rows):
        hit[open_rows] = triangles_intersect(S[open_rows][:, [0, 1, 1]], T[open_rows])
    return hit


def as_mesh(V, F, names: tuple[str, str] = ("V", "F")) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n,3) float64 and triangles (m,3) int32. Raises ValueError for anything else."""
    V = as_vertices(V, names[0])
    if not np.isfinite(V).all():
        raise ValueError(f"{names[0]} must be finite")
    return V, as_triangles(F, len(V), names[1])


def _points(P) -> np.ndarray:
    """(N,3) float64. Raises ValueError for anything else."""
    P = as_vertices(P, "P")
    if not np.isfinite(P).all():
        raise ValueError("P must be finite")
    return P


def _scene(meshes, transforms) -> Scene:
    """A scene with one object per mesh and transform. Arrays that are given again are not a new mesh.

    The arrays are held until the end, as the id of one that is gone may be given to another.
    """
    meshes, transforms = (_listed(*each) for each in ((meshes, "meshes"), (transforms, "transforms")))
    if len(meshes) != len(transforms):
        raise ValueError(f"there are {len(meshes)} meshes, but {len(transforms)} transforms")
    scene, known = Scene(), {}
    for mesh, transform in zip(meshes, transforms):
        try:
            V, F = mesh
        except (TypeError, ValueError):
            raise ValueError("meshes must be pairs (V, F)") from None
        key = id(V), id(F)
        if key not in known:
            known[key] = scene.add_mesh(*as_mesh(V, F)), V, F
        if not np.isfinite(as_pose(transform, "transforms")).all():
            raise ValueError("transforms must be finite")
        scene.add_object(known[key][0], transform)
    return scene


def _listed(given, name: str) -> list:
    """The items of a sequence or an array. Raises ValueError for anything else."""
    try:
        return list(given)
    except (TypeError, NotImplementedError):        # the latter from memoryviews of several dimensions
        return list(as_numbers(given, name))


def _with_faces(scene: Scene) -> int:
    """How many objects have triangles."""
    return sum(len(scene.meshes[obj.mesh].triangles) > 0 for obj in scene.objects)


def _refuse_skipped(skipped) -> None:
    """Raise ValueError where an object could not be judged."""
    for each in skipped:
        if not each.judged:
            raise ValueError(f"{each.name} cannot be tested: {each.reason}")


def _forest(scene: Scene) -> tuple[Forest, np.ndarray, np.ndarray]:
    """The trees of the scene's objects, two of which have faces, and the pairs of them whose boxes meet."""
    selection = select(scene)
    _refuse_skipped(selection.skipped)
    forest = Forest(scene, selection.objects, selection.bounds, no_tick, thread_count(None))
    return forest, *overlapping_pairs(selection.bounds, forest.quantization, no_tick)


def _meeting(hits: np.ndarray, forest: Forest, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,2) int32, ordered: the triangles that meet, of the hits (n,3) of a search through one pair of objects."""
    corners, candidate_filter = forest.corners, CandidateFilter()
    hits = hits[canonical_order(hits, a, b, corners)]
    meet = np.empty(len(hits), bool)
    for first in range(0, len(hits), BUFFER):
        some = hits[first:first + BUFFER]
        candidate_filter.candidates[:len(some)] = some
        kept = candidate_filter.keep(len(some), a, b, corners)         # all of them, in that order
        meet[first:first + kept] = candidate_filter.result[:kept] == PROPER
    pairs = np.stack([corners.order[corners.triangle_start[side[0]] + hits[:, column]]
                      for column, side in ((1, a), (2, b))], axis=1) if len(hits) else np.zeros((0, 2), np.int32)
    open_rows = np.flatnonzero(~meet).astype(np.int32)
    if len(open_rows):
        found = contacts_at(hits, open_rows, a, b, corners, thread_count(None), no_tick)
        width = np.int64(len(corners.order))
        meet[open_rows] = np.isin(pairs[open_rows, 0] * width + pairs[open_rows, 1],
                                  found.triangle_a * width + found.triangle_b, assume_unique=True)
    return pairs[meet]


def _locate(V: np.ndarray, F: np.ndarray, P: np.ndarray) -> np.ndarray:
    """(N,) uint8 bits of verdicts/points_in_mesh.py for each point."""
    scene, only = _scene([(V, F)], [np.eye(4)]), np.zeros(1, np.int32)
    forest = Forest(scene, only, np.concatenate([V.min(axis=0), V.max(axis=0)])[None], no_tick)
    next(forest.batches(only, only))
    bits, order = np.empty(len(P), np.uint8), along_a_curve(P) if min(len(F), len(P)) > SORTED_FROM else None
    if order is not None:       # then points that follow each other need the same nodes and triangles
        P = P[order]
    _in_chunks(len(P), POINTS_AT_ONCE, lambda first, last: locate_points(
        P, first, last, forest.placed_trees, point_scratch(), bits))
    if order is not None:
        bits[order] = bits.copy()
    return bits


def _in_chunks(count: int, size: int, work: Callable[[int, int], None]) -> None:
    """Call work(first, last), on all threads, until 0 … count-1 are done."""
    run_chunks(lambda number: work(number * size, min(count, (number + 1) * size)), -(-count // size),
               thread_count(None), no_tick)
