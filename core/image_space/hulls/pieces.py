# SPDX-License-Identifier: GPL-3.0-or-later
"""`Pieces`: a mesh as convex hulls, of patches of its surface or of all its vertices, and a tree over them."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import used_vertices
from ...convex.point_clouds.extremes import Extremes
from ...records import CutScratch, GrowScratch
from .cuts import blocks_of, fits
from .hull import FLAT_RELATIVE, convex_hull, make_hull, planes_of, room_for, shuffle_of
from .patches import grow, neighbours_of

MOST_PATCH_FACES = 1 << 10  # of a patch: growing looks at all of its faces for each further one
MOST_HULL_CORNERS = 1 << 12  # of the hull of a whole mesh: of more, those that are farthest in as many directions
FEW_CORNERS = 32            # of which one does not ask which are corners of the hull
CORNER_DIRECTIONS_AT_ONCE = 1 << 8
CORNERS_AT_ONCE = 1 << 14    # whose heights in so many directions take 32 MB
FACES_AT_ONCE = 1 << 18     # whose planes take some hundredths of a second


@dataclass(eq=False)
class Pieces:
    """Hulls one after another, in the order of the tree's leaves."""

    vertex_start: np.ndarray        # (pieces + 1,) int64
    vertices: np.ndarray            # (…,) int64: vertices of the mesh
    triangle_start: np.ndarray      # (pieces + 1,) int64
    triangles: np.ndarray           # (…,3) int32, counted from the piece's first vertex
    spans: np.ndarray               # (nodes,2) int64: a node's first piece and the one after its last; the root first
    children: np.ndarray            # (nodes,2) int64: nodes; in a leaf its piece, and -1


def whole_hull(vertices: np.ndarray, triangles: np.ndarray,
               tick: Callable[[], None] = lambda: None) -> Pieces:
    """The hull of all vertices that faces use, as one piece."""
    used = used_vertices(triangles, len(vertices))
    tick()
    vertices = _of_unit_size(vertices, used)
    tick()
    if len(used) > FEW_CORNERS:
        used = used[np.sort(Extremes(vertices[used], 1, tick).corners)]
    if len(used) > MOST_HULL_CORNERS:
        used = used[_outermost(vertices[used], tick)]
    hull = convex_hull(vertices[used])
    return _joined([(used, hull)] if len(hull) else [], vertices, tick)


def convex_pieces(vertices: np.ndarray, triangles: np.ndarray, tick: Callable[[], None] = lambda: None) -> Pieces:
    """The surface in convex patches, each as its hull. vertices (n,3) float64, triangles (m,3) int. tick(): called now
    and then, may raise.

    Every face belongs to one patch, so that the hulls hold the whole surface, but for needles, which have no area.
    """
    vertices, noise = _of_unit_size(vertices, used_vertices(triangles, len(vertices))), FLAT_RELATIVE
    tick()
    planes = np.empty((len(triangles), 4))
    for begin in range(0, len(triangles), FACES_AT_ONCE):
        tick()
        planes[begin:begin + FACES_AT_ONCE] = planes_of(vertices, triangles[begin:begin + FACES_AT_ONCE])
    tick()
    neighbours = neighbours_of(triangles, tick)
    tick()
    solid = (planes[:, :3] != 0.0).any(axis=1)
    owner = np.where(solid, -1, 0).astype(np.int32)
    scratch = GrowScratch(np.empty(MOST_PATCH_FACES, np.int32), np.empty(3 * MOST_PATCH_FACES, np.int32),
                          np.empty(MOST_PATCH_FACES, np.int64), np.zeros(len(triangles), np.int32),
                          np.zeros(len(vertices), np.int32))
    room = room_for(3 * MOST_PATCH_FACES)
    cut_scratch = CutScratch(np.zeros(len(triangles), np.uint8), np.empty(6), np.empty((len(room.faces) + 4, 3)),
                             np.empty((len(room.faces) + 4, 3)))
    blocks, found = blocks_of(vertices, triangles, tick) if len(triangles) else None, []

    def hull_of(faces: int):
        """The hull of the first faces of the patch; None where another face cuts it."""
        tick()
        which = np.sort(scratch.corners[:scratch.corner_count[faces - 1]]).astype(np.int64)
        points = vertices[which]
        count = make_hull(points, shuffle_of(len(points)), room)
        if faces > 1 and not fits(points, scratch.members[:faces], vertices, triangles, blocks, room, count, noise,
                                  cut_scratch):
            return None
        return which, room.faces[:count].copy()

    for seed in np.flatnonzero(solid).tolist():
        if owner[seed] < 0:
            count = grow(seed, vertices, triangles, planes, neighbours, owner, noise, scratch)
            good, piece = _longest(count, hull_of)
            owner[scratch.members[:good]] = seed
            if len(piece[1]):
                found.append(piece)
    return _joined(found, vertices, tick)


def _of_unit_size(vertices: np.ndarray, used: np.ndarray) -> np.ndarray:
    """(n,3) float64: the vertices where those that are used have the size 1, about 0: no product of them is out of
    range."""
    if len(used) == 0:
        return vertices
    halves = 0.5 * vertices[used]
    size = float(np.ptp(halves, axis=0).max())
    if size == 0.0:
        return np.zeros_like(vertices)
    with np.errstate(over="ignore"):        # of vertices that are not used
        return (0.5 * vertices - halves[0]) / size


def _longest(count: int, hull_of: Callable):
    """(faces, piece): the most faces of a patch, at most `count`, for which hull_of(faces) gives a piece, by halves:
    nothing cuts a hull within another one that nothing cuts. One face always gives one."""
    piece = hull_of(count)
    if piece is not None:
        return count, piece
    good, bad, piece = 1, count, hull_of(1)
    while bad - good > 1:
        middle = (good + bad) // 2
        made = hull_of(middle)
        if made is None:
            bad = middle
        else:
            good, piece = middle, made
    return good, piece


def _outermost(points: np.ndarray, tick: Callable[[], None]) -> np.ndarray:
    """(k,) int64, ascending: the points that are farthest in MOST_HULL_CORNERS directions spread over the sphere."""
    step = np.arange(MOST_HULL_CORNERS) + 0.5
    height, turn = 1.0 - 2.0 * step / MOST_HULL_CORNERS, np.pi * (1.0 + 5.0 ** 0.5) * step
    across = np.sqrt(1.0 - height ** 2)
    directions = np.column_stack([across * np.cos(turn), across * np.sin(turn), height])
    found = np.zeros(MOST_HULL_CORNERS, np.int64)
    for begin in range(0, MOST_HULL_CORNERS, CORNER_DIRECTIONS_AT_ONCE):
        some = slice(begin, begin + CORNER_DIRECTIONS_AT_ONCE)
        farthest = np.full(len(directions[some]), -np.inf)
        for first in range(0, len(points), CORNERS_AT_ONCE):
            tick()
            heights = points[first:first + CORNERS_AT_ONCE] @ directions[some].T
            best = heights.argmax(axis=0)
            height = np.take_along_axis(heights, best[None], axis=0)[0]
            higher = height > farthest
            found[some][higher], farthest[higher] = first + best[higher], height[higher]
    return np.unique(found)


def _joined(found: list[tuple[np.ndarray, np.ndarray]], vertices: np.ndarray, tick: Callable[[], None]) -> Pieces:
    """Hulls, (vertices, faces) each, with their tree."""
    centroids = np.empty((len(found), 3))
    for k, (which, _) in enumerate(found):
        tick()
        centroids[k] = vertices[which].mean(axis=0)
    order, spans, children = _tree(centroids, tick)
    found = [found[i] for i in order.tolist()]
    vertex_start, triangle_start = (np.cumsum([0, *map(len, each)]).astype(np.int64)
                                    for each in ([w for w, _ in found], [f for _, f in found]))
    return Pieces(vertex_start, np.concatenate([np.zeros(0, np.int64), *(which for which, _ in found)]),
                  triangle_start, np.concatenate([np.zeros((0, 3), np.int32), *(faces for _, faces in found)]),
                  spans, children)


def _tree(centroids: np.ndarray, tick: Callable[[], None]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(order, spans, children): pieces are halved at the median along the widest axis of their covariance."""
    order = np.arange(len(centroids))
    spans = [(0, len(order))] if len(order) else []
    children: list[tuple[int, int]] = []
    for begin, end in spans:     # grows while it is gone through
        if end - begin == 1:
            children.append((begin, -1))
            continue
        tick()
        some = centroids[order[begin:end]]
        about = some - some.mean(axis=0)
        widest = np.linalg.eigh(about.T @ about)[1][:, -1]
        order[begin:end] = order[begin:end][np.argsort(about @ widest, kind="stable")]
        middle = (begin + end) // 2
        children.append((len(spans), len(spans) + 1))
        spans += [(begin, middle), (middle, end)]
    return order, np.array(spans, np.int64).reshape(-1, 2), np.array(children, np.int64).reshape(-1, 2)
