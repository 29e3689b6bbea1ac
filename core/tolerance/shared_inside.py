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
MOST_COMPONENTS = 1 << 10
MOST_WORK = 1 << 23     # points times triangles that are worth asking: about a second


def shared_depth(forest: Forest, topology: MeshTopology, i: int, j: int, bounds: np.ndarray) -> float:
    """How deep a point is in both of two closed meshes, the largest of some; 0 where none of them is in both, infinity
    where that takes too long to find out.

    The points are the middles of chords, of every component of the mesh with fewer triangles. i, j: positions of placed
    objects; bounds: (objects,6) float64, tight boxes.
    """
    if forest.triangle_count[j] < forest.triangle_count[i]:
        i, j = j, i
    local = chord_middles(forest.scene, topology, int(forest.mesh_of(i)))
    if local is None:
        return math.inf
    points = local @ forest.poses[i, :, :3].T + forest.poses[i, :, 3]
    points = points[((points > bounds[j, :HIGH]) & (points < bounds[j, HIGH:])).all(axis=1)]
    deep = np.full(len(points), np.inf)
    for each in (j, i):
        mesh = forest.scene.meshes[int(forest.mesh_of(each))]
        if len(points) * len(mesh.triangles) > MOST_WORK:
            return math.inf
        corners = (mesh.vertices @ forest.poses[each, :, :3].T + forest.poses[each, :, 3])[mesh.triangles]
        oriented = topology.closed(np.array([forest.mesh_of(each)]))[0] == ORIENTED
        deep = np.minimum(deep, [_depth(corners - point, oriented) for point in points])
        points, deep = points[deep > 0.0], deep[deep > 0.0]
    return float(deep.max(initial=0.0))


def chord_middles(scene: Scene, topology: MeshTopology, index: int) -> np.ndarray | None:
    """(k,3) float64, local: middles of chords of a mesh, kept with the scene; None for a mesh of very many components.

    A chord begins in the middle of a triangle and goes on, along the triangle's normal and the other way, to where it
    meets the component again.
    """
    kept = scene.cache.setdefault("chord middles", {})
    version = int(scene.versions[index])
    if kept.get(index, (None,))[0] != version:
        mesh = scene.meshes[index]
        first, component = topology.components(index)
        kept[index] = version, (_chord_middles(mesh.vertices[mesh.triangles], component, len(first))
                                if len(first) <= MOST_COMPONENTS else None)
    return kept[index][1]


def _chord_middles(corners: np.ndarray, component: np.ndarray, count: int) -> np.ndarray:
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normals, axis=1)
    order = np.lexsort((-area, component))
    start = np.searchsorted(component[order], np.arange(count + 1))
    found = [np.zeros((0, 3))]
    for k in range(count):
        mine = order[start[k]:start[k + 1]]
        largest = mine[:CHORDS]
        origins, along = corners[largest].mean(axis=1), unit_rows(normals[largest])
        for slot, origin, normal in zip(largest.tolist(), origins, along):
            others = corners[mine[mine != slot]]
            for direction in (normal, -normal):
                length = _first_hit(origin, direction, others)
                if math.isfinite(length):
                    found.append((origin + 0.5 * length * direction)[None])
    return np.concatenate(found)


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
    """The distance of the origin to the triangles (m,3,3): to their sides, or upright to one of them."""
    squares = []
    for k in range(3):
        start, along = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        length = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
        foot = start - np.clip(np.einsum("ij,ij->i", start, along) / length, -1.0, 0.0)[:, None] * along
        squares.append(np.einsum("ij,ij->i", foot, foot).min())
    normals = unit_rows(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    inner = normals.any(axis=1)
    for k in range(3):
        inner &= np.einsum("ij,ij->i", normals, np.cross(corners[:, k], corners[:, (k + 1) % 3])) >= 0.0
    heights = np.abs(np.einsum("ij,ij->i", normals, corners[:, 0]))[inner]
    return float(min(math.sqrt(min(squares)), heights.min(initial=np.inf)))
