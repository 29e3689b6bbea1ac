# SPDX-License-Identifier: GPL-3.0-or-later
"""`Pieces`: a mesh as convex hulls, of patches of its surface or of all its vertices, and a tree over them."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...convex.point_clouds.extremes import Extremes
from ...records import GrowScratch
from .hull import FLAT_RELATIVE, convex_hull, planes_of
from .patches import grow, is_cut, neighbours_of

MOST_PATCH_FACES = 1 << 10  # of a patch: growing looks at all of its faces for each further one
MOST_HULL_CORNERS = 1 << 12  # of the hull of a whole mesh: of more, those that are farthest in as many directions
FEW_CORNERS = 32            # of which one does not ask which are corners of the hull
AREA_NOISE = 1e-6           # of the area of a flat hull: what its faces may leave uncovered
CORNER_DIRECTIONS_AT_ONCE = 1 << 8


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
    used = np.unique(triangles).astype(np.int64)
    vertices = _of_unit_size(vertices, used)
    if len(used) > FEW_CORNERS:
        used = used[np.sort(Extremes(vertices[used], 1, tick).corners)]
    if len(used) > MOST_HULL_CORNERS:
        used = used[_outermost(vertices[used], tick)]
    hull = convex_hull(vertices[used])
    return _joined([(used, hull)] if len(hull) else [], vertices)


def convex_pieces(vertices: np.ndarray, triangles: np.ndarray, tick: Callable[[], None] = lambda: None) -> Pieces:
    """The surface in convex patches, each as its hull. vertices (n,3) float64, triangles (m,3) int. tick(): called now
    and then, may raise.

    Every face belongs to one patch, so that the hulls hold the whole surface, but for needles, which have no area.
    """
    vertices, noise = _of_unit_size(vertices, np.unique(triangles)), FLAT_RELATIVE
    planes, neighbours = planes_of(vertices, triangles), neighbours_of(triangles)
    solid = (planes[:, :3] != 0.0).any(axis=1)
    owner = np.where(solid, -1, 0).astype(np.int32)
    scratch = GrowScratch(np.empty(MOST_PATCH_FACES, np.int32), np.empty(3 * MOST_PATCH_FACES, np.int32),
                          np.empty(MOST_PATCH_FACES, np.int64), np.zeros(len(triangles), np.int32),
                          np.zeros(len(vertices), np.int32))
    inside, found = np.zeros(len(triangles), np.uint8), []
    for seed in np.flatnonzero(solid).tolist():
        if owner[seed] >= 0:
            continue
        tick()
        count = grow(seed, vertices, triangles, planes, neighbours, owner, noise, scratch)
        members, corners = scratch.members[:count], scratch.corners

        def hull_of(faces: int, members=members, corners=corners):
            """The hull of the first faces of the patch; None where another face cuts it."""
            which = np.sort(corners[:scratch.corner_count[faces - 1]]).astype(np.int64)
            hull = convex_hull(vertices[which])
            inside[members[:faces]] = 1
            fits = faces == 1 or _fits(vertices, triangles, which, hull, members[:faces], inside, noise)
            inside[members[:faces]] = 0
            return (which, hull) if fits else None

        good, piece = _longest(count, hull_of)
        owner[members[:good]] = seed
        if len(piece[1]):
            found.append(piece)
    return _joined(found, vertices)


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


def _fits(vertices, triangles, which, hull, members, inside, noise: float) -> bool:
    """True where the hull of a patch is cut by no other face, and, where it is flat, is covered by its faces."""
    if len(hull) == 0:
        return False
    points = vertices[which]
    planes = planes_of(points, hull)
    if not np.any(np.abs(points @ planes[0, :3] - planes[0, 3]) > noise):
        covered = _area(vertices, triangles[members])
        return covered >= (1.0 - AREA_NOISE) * 0.5 * _area(points, hull)
    room = np.empty((len(planes) + 4, 3))
    return not is_cut(vertices, triangles, inside, planes, points.min(axis=0), points.max(axis=0), noise, room,
                      np.empty_like(room))


def _area(points: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (points[faces[:, i]] for i in range(3))
    return 0.5 * float(np.sqrt((np.cross(b - a, c - a) ** 2).sum(axis=1)).sum())


def _outermost(points: np.ndarray, tick: Callable[[], None]) -> np.ndarray:
    """(k,) int64, ascending: the points that are farthest in MOST_HULL_CORNERS directions spread over the sphere."""
    step = np.arange(MOST_HULL_CORNERS) + 0.5
    height, turn = 1.0 - 2.0 * step / MOST_HULL_CORNERS, np.pi * (1.0 + 5.0 ** 0.5) * step
    across = np.sqrt(1.0 - height ** 2)
    directions = np.column_stack([across * np.cos(turn), across * np.sin(turn), height])
    found = []
    for begin in range(0, MOST_HULL_CORNERS, CORNER_DIRECTIONS_AT_ONCE):
        tick()
        found.append((points @ directions[begin:begin + CORNER_DIRECTIONS_AT_ONCE].T).argmax(axis=0))
    return np.unique(np.concatenate(found))


def _joined(found: list[tuple[np.ndarray, np.ndarray]], vertices: np.ndarray) -> Pieces:
    """Hulls, (vertices, faces) each, with their tree."""
    order, spans, children = _tree(np.array([vertices[which].mean(axis=0) for which, _ in found]).reshape(-1, 3))
    found = [found[i] for i in order.tolist()]
    vertex_start, triangle_start = (np.cumsum([0, *map(len, each)]).astype(np.int64)
                                    for each in ([w for w, _ in found], [f for _, f in found]))
    return Pieces(vertex_start, np.concatenate([np.zeros(0, np.int64), *(which for which, _ in found)]),
                  triangle_start, np.concatenate([np.zeros((0, 3), np.int32), *(faces for _, faces in found)]),
                  spans, children)


def _tree(centroids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(order, spans, children): pieces are halved at the median along the widest axis of their covariance."""
    order = np.arange(len(centroids))
    spans = [(0, len(order))] if len(order) else []
    children: list[tuple[int, int]] = []
    for begin, end in spans:     # grows while it is gone through
        if end - begin == 1:
            children.append((begin, -1))
            continue
        some = centroids[order[begin:end]]
        about = some - some.mean(axis=0)
        widest = np.linalg.eigh(about.T @ about)[1][:, -1]
        order[begin:end] = order[begin:end][np.argsort(about @ widest, kind="stable")]
        middle = (begin + end) // 2
        children.append((len(spans), len(spans) + 1))
        spans += [(begin, middle), (middle, end)]
    return order, np.array(spans, np.int64).reshape(-1, 2), np.array(children, np.int64).reshape(-1, 2)
