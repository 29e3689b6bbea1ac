# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs that no moment shows to be worse than touching have passed through each other all the same.

Two flat sheets that fly through each other are flush with each other for an instant, and so they touch in every moment
that can be tested. But what slides along something meets it for longer, and what brushes against something for as short
a time is on the same side of it shortly before and shortly after.
"""
import numpy as np

from ..arrays import unit_rows
from ..continuous.motions import Movement
from ..geometry.placed import placed_vertices
from ..pipeline import detect
from ..scene import Scene
from .posing import posed
from .stretch import Stretch

SHORTLY = 2.0 ** -8     # of the smaller object's size: so far both go, together, in a short time, whatever the
                        # tolerance is, so that a larger one makes no pair worse
ROOM = 0.5              # of the time between a contact and the frame, which has none
ASIDE = 4.0             # times the way that is gone in a short time: so far is a place within a face from its border
REACH = 4.0 * ASIDE     # times the same: no farther is such a place from the other object before and after
IN_PLANE = 2.0 ** -20   # of a triangle's extent: nearer to its plane is in it
AGAINST = -0.999        # cosine of the angle between two ways that are against each other


def passed_through(stretch: Stretch, movement: Movement, sides: np.ndarray, places: np.ndarray, meet: np.ndarray,
                   frames: np.ndarray, nothing: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs that meet for a short time only, that no direction keeps apart all the while, and whose nearest
    points, or places beside these, are on the other side of each other after they have met than before. True also where
    that cannot be told, and of objects with themselves, of which nobody knows what is nearest.

    sides: positions of a and of b, (2,k); places: (2,k), of these in the movement; meet: (2,k) float64, first and last
    contact, in frames; frames: (2,k), before and after it; nothing: (k,) float64, the depth that is none.
    """
    lasting, (begin, end) = meet[1] - meet[0], frames
    size, speed = movement.sizes(places.ravel()).reshape(2, -1).min(axis=0), movement.motions.speed[places].sum(axis=0)
    way = SHORTLY * size
    passed = lasting * speed <= way * (end - begin)
    a, b = places.astype(np.int32)
    passed[passed] = (a == b)[passed] | ~movement.apart(a[passed], b[passed], nothing[passed])
    rows = np.flatnonzero(passed & (a != b))
    if len(rows) == 0:
        return passed
    begin, end, (first, last) = begin[rows], end[rows], meet[:, rows]
    shortly = (end - begin) * way[rows] / np.maximum(speed[rows], np.finfo(float).tiny)
    before, after = first - np.minimum(shortly, ROOM * (first - begin)), last + np.minimum(shortly, ROOM * (end - last))
    times = (np.stack([before, after]) - begin) / (end - begin)
    scene = posed(stretch, movement, np.tile(sides[:, rows], 2), np.tile(places[:, rows], 2), times.ravel())
    points = _nearest(scene, 2.0 * float(way[rows].max()))
    one, other = (points[:, 1] - points[:, 0]).reshape(2, -1, 3)
    same = (one * other).sum(axis=1) > 0.0          # NaN: they meet there, too
    # Of a cone that flies through its like, any of all sides may be the nearest one before, and after.
    left = np.flatnonzero(same)
    if len(left):
        same[left] = ~_change_sides(scene, left, points[left], way[rows[left]])
    passed[rows] = ~same
    return passed


def _nearest(scene: Scene, reach: float) -> np.ndarray:
    """(moments,2,3) float64: where objects 2 * k and 2 * k + 1 are nearest to each other, NaN where they meet, or are
    farther apart than a length."""
    report = detect(scene, pairs=np.arange(len(scene.objects)).reshape(-1, 2), contacts=False, clearance=reach)
    points = np.full((len(scene.objects) // 2, 2, 3), np.nan)
    points[report.pairs["a"] // 2] = report.pairs["gap_points"]
    return points


def _change_sides(scene: Scene, rows: np.ndarray, points: np.ndarray, way: np.ndarray) -> np.ndarray:
    """(k,) bool: from a place in a face of one of two objects, beside its nearest point before, the way to the other
    object is against itself after.

    scene: of moments before, then of as many after; rows: (k,) int64, the moments before; points: (k,2,3), the nearest
    ones then; way: (k,) float64, what both go, together, in a short time.
    """
    later, alone, known = len(scene.objects) // 4, Scene(), dict[int, int]()
    for row, ends, aside in zip(rows.tolist(), points, ASIDE * way):
        for side in range(2):
            triangle, weights = _beside(_corners(scene, 2 * row + side), ends[side], ends[1] - ends[0], aside)
            for moment in (row, row + later):
                place, other = weights @ _corners(scene, 2 * moment + side)[triangle], 2 * moment + 1 - side
                mesh = scene.objects[other].mesh
                if mesh not in known:
                    known[mesh] = alone.add_mesh(scene.meshes[mesh].vertices, scene.meshes[mesh].triangles)
                alone.add_object(alone.add_mesh(place[None], [(0, 0, 0)]))
                alone.add_object(known[mesh], scene.poses[other], shell=True)
    found = _nearest(alone, REACH * float(way.max()))
    one, other = np.moveaxis(unit_rows(found[:, 1] - found[:, 0]).reshape(-1, 2, 2, 3), 2, 0)
    return ((one * other).sum(axis=2) < AGAINST).any(axis=1)        # NaN, 0: it is too far away to tell


def _corners(scene: Scene, index: int) -> np.ndarray:
    """(m,3,3) float64: the triangles of an object, in the world."""
    mesh = scene.meshes[scene.objects[index].mesh]
    return placed_vertices(mesh.vertices, scene.poses[index])[mesh.triangles]


def _beside(corners: np.ndarray, point: np.ndarray, way: np.ndarray, aside: float) -> tuple[int, np.ndarray]:
    """(k, weights): of the triangles (m,3,3) in whose planes a point of the surface is, that which is most nearly
    across a way, (3,); and (3,) weights of its corners: of a place that is so far from the point, towards the
    triangle's middle, or halfway there."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    slack = IN_PLANE * (high - low).max(axis=1)
    normals = unit_rows(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    there = ((low - slack[:, None] <= point) & (point <= high + slack[:, None])).all(axis=1)
    there &= np.abs(((point - corners[:, 0]) * normals).sum(axis=1)) <= slack
    k = int(np.where(there, np.abs(normals @ way), -1.0).argmax())
    edges = (corners[k, 1:] - corners[k, 0]).T
    weights = np.append(0.0, np.linalg.lstsq(edges, point - corners[k, 0], rcond=None)[0])
    weights[0] = 1.0 - weights.sum()
    middle = float(np.linalg.norm(corners[k].mean(axis=0) - point))
    return k, weights + min(0.5, aside / max(middle, aside)) * (1.0 / 3.0 - weights)
