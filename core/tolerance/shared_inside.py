# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two solids whose surfaces are nowhere deep inside each other have a deep point in common? Then they coincide."""
import math

import numpy as np

from ..arrays import unit_rows
from ..scene import Scene
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import ORIENTED
from ..verdicts.mesh_topology import MeshTopology

CHORDS = 4              # per component, from its largest triangles
STEPS_TO_INSIDE = 3     # from the middle of the longest chord of either side to where the solid is thicker
NO_STEP = 1e-9          # of the component's size: a point nearer to a triangle than that is on it
MOST_COMPONENTS = 1 << 10
MOST_WORK = 3 << 23     # points times triangles that are worth asking: about three seconds


def shared_depth(forest: Forest, topology: MeshTopology, i: int, j: int, bounds: np.ndarray) -> float:
    """How deep a point of one of two closed meshes is in it that is inside the other as well, the largest of some; 0
    where none of them is in both, infinity where that takes too long to find out.

    The points are those of the mesh with fewer triangles; of both, where these have as many. i, j: positions of placed
    objects; bounds: (objects,6) float64, tight boxes.
    """
    count = forest.triangle_count[i], forest.triangle_count[j]
    deep = _deepest_shared(forest, topology, i, j, bounds) if count[0] <= count[1] else 0.0
    return max(deep, _deepest_shared(forest, topology, j, i, bounds)) if count[1] <= count[0] else deep


def _deepest_shared(forest: Forest, topology: MeshTopology, i: int, j: int, bounds: np.ndarray) -> float:
    """How deep those inner points of object i are in it that are inside object j; the deepest counts."""
    local = inner_points(forest.scene, topology, int(forest.mesh_of(i)))
    if local is None:
        return math.inf
    points = local @ forest.poses[i, :, :3].T + forest.poses[i, :, 3]
    points = points[((points > bounds[j, :HIGH]) & (points < bounds[j, HIGH:])).all(axis=1)]
    deep = np.zeros(len(points))
    for each in (j, i):
        mesh = forest.scene.meshes[int(forest.mesh_of(each))]
        if len(points) * len(mesh.triangles) > MOST_WORK:
            return math.inf
        corners = (mesh.vertices @ forest.poses[each, :, :3].T + forest.poses[each, :, 3])[mesh.triangles]
        oriented = topology.closed(np.array([forest.mesh_of(each)]))[0] == ORIENTED
        deep = np.array([_depth(corners - point, oriented) for point in points])
        points, deep = points[deep > 0.0], deep[deep > 0.0]
    return float(deep.max(initial=0.0))


def inner_points(scene: Scene, topology: MeshTopology, index: int) -> np.ndarray | None:
    """(k,3) float64, local: points of which most are deep in a mesh, where it has a depth, kept with the scene; None
    for a mesh of very many components.

    A chord begins in the middle of a triangle and goes on, along the triangle's normal and the other way, to where it
    meets the component again, and to where it meets any triangle. The middle of a chord may be near a side of the
    solid, or on a face inside of it. So from the longest ones further chords are followed, each from the nearest
    triangle on.
    """
    kept = scene.cache.setdefault("inner points", {})
    version = int(scene.versions[index])
    if kept.get(index, (None,))[0] != version:
        mesh = scene.meshes[index]
        first, component = topology.components(index)
        kept[index] = version, (_inner_points(mesh.vertices[mesh.triangles], component, len(first))
                                if len(first) <= MOST_COMPONENTS else None)
    return kept[index][1]


def _inner_points(corners: np.ndarray, component: np.ndarray, count: int) -> np.ndarray:
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normals, axis=1)
    normals = unit_rows(normals)
    lows, highs = corners.min(axis=1), corners.max(axis=1)
    order = np.lexsort((-area, component))
    start = np.searchsorted(component[order], np.arange(count + 1))
    found = [np.zeros((0, 3))]
    for k in range(count):
        mine = order[start[k]:start[k + 1]]
        largest = mine[:CHORDS]
        near = np.flatnonzero(((lows <= highs[mine].max(axis=0)) & (highs >= lows[mine].min(axis=0))).all(axis=1))
        for turn in (1.0, -1.0):
            longest, begin = 0.0, None
            for slot, origin in zip(largest.tolist(), corners[largest].mean(axis=1)):
                direction = turn * normals[slot]
                lengths = {_first_hit(origin, direction, corners[among[among != slot]])
                           for among in ((mine,) if len(near) == len(mine) else (mine, near))} - {math.inf}
                found += [(origin + 0.5 * length * direction)[None] for length in sorted(lengths)]
                shortest = min(lengths, default=0.0)
                if shortest > longest:
                    longest, begin = shortest, origin + 0.5 * shortest * direction
            if begin is not None:
                found += _steps_inward(begin, corners[near], normals[near])
    return np.concatenate(found)


def _steps_inward(point: np.ndarray, corners: np.ndarray, normals: np.ndarray) -> list[np.ndarray]:
    """Up to STEPS_TO_INSIDE points (1,3), each the middle of the chord through the one before along the nearest
    triangle's normal, from that triangle to the next one. corners: (m,3,3); normals: (m,3)."""
    found: list[np.ndarray] = []
    size = float(np.ptp(corners, axis=(0, 1)).max())
    for _ in range(STEPS_TO_INSIDE):
        nearest = _nearest(corners - point)
        height = float(normals[nearest] @ (point - corners[nearest, 0]))
        others = corners[np.abs(np.einsum("mik,k->mi", corners - point, normals[nearest])).max(axis=1) > NO_STEP * size]
        turns = (1.0, -1.0) if abs(height) <= NO_STEP * size else (math.copysign(1.0, height),)
        lengths = [_first_hit(point, turn * normals[nearest], others) for turn in turns]
        length, turn = max(((length, turn) for length, turn in zip(lengths, turns) if math.isfinite(length)),
                           default=(0.0, 0.0))
        if length <= abs(height):
            break
        point = point + 0.5 * (length - abs(height)) * turn * normals[nearest]
        found.append(point[None])
    return found


def _first_hit(origin: np.ndarray, direction: np.ndarray, corners: np.ndarray) -> float:
    """How far a ray goes before it meets one of the triangles (m,3,3); infinity where it meets none."""
    p = corners - origin
    u, v = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    across = np.cross(direction, v)
    with np.errstate(divide="ignore", invalid="ignore"):        # flat and parallel triangles are not met
        scale = 1.0 / np.einsum("ij,ij->i", u, across)
        share_u = -np.einsum("ij,ij->i", p[:, 0], across) * scale
        other = np.cross(-p[:, 0], u)
        share_v = other @ direction * scale
        length = np.einsum("ij,ij->i", v, other) * scale
        met = (share_u >= 0.0) & (share_v >= 0.0) & (share_u + share_v <= 1.0) & (length > 0.0)
    return float(length[met].min(initial=np.inf))


def _depth(corners: np.ndarray, oriented: bool) -> float:
    """How deep the origin is below the closed surface of triangles (m,3,3); 0 where it is outside. oriented: else it is
    taken to be inside."""
    size = float(np.abs(corners).max())
    if size == 0.0 or (oriented and abs(_winding(corners / size)) < 0.5):
        return 0.0
    return size * _distance(corners / size)


def _winding(corners: np.ndarray) -> float:
    """How often the surface winds around the origin: its solid angle."""
    p, q, r = corners[:, 0], corners[:, 1], corners[:, 2]
    far_p, far_q, far_r = (np.linalg.norm(each, axis=1) for each in (p, q, r))
    volume = np.einsum("ij,ij->i", p, np.cross(q, r))
    beside = (far_p * far_q * far_r + np.einsum("ij,ij->i", p, q) * far_r + np.einsum("ij,ij->i", q, r) * far_p
              + np.einsum("ij,ij->i", r, p) * far_q)
    return float(np.arctan2(volume, beside).sum() / (2.0 * np.pi))


def _distance(corners: np.ndarray) -> float:
    """The distance of the origin to the triangles (m,3,3)."""
    return math.sqrt(_squares(corners).min())


def _nearest(corners: np.ndarray) -> int:
    """The place of that triangle of (m,3,3) which is nearest to the origin."""
    return int(_squares(corners).argmin())


def _squares(corners: np.ndarray) -> np.ndarray:
    """(m,) float64: squared distances of the origin to triangles (m,3,3): to their sides, or upright to them."""
    squares = np.full(len(corners), np.inf)
    for k in range(3):
        start, along = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        length = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
        foot = start - np.clip(np.einsum("ij,ij->i", start, along) / length, -1.0, 0.0)[:, None] * along
        squares = np.minimum(squares, np.einsum("ij,ij->i", foot, foot))
    normals = unit_rows(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    inner = normals.any(axis=1)
    for k in range(3):
        inner &= np.einsum("ij,ij->i", normals, np.cross(corners[:, k], corners[:, (k + 1) % 3])) >= 0.0
    heights = np.einsum("ij,ij->i", normals, corners[:, 0])
    return np.minimum(squares, np.where(inner, heights * heights, np.inf))
