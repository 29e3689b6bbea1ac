# SPDX-License-Identifier: GPL-3.0-or-later
"""Planes that have all of a solid on one side: no point inside the solid is deeper than it is far from such a plane.

The way from an inner point straight to the plane leaves the solid. So any direction gives a bound. Those along which a
mesh has much area are good ones, and for flat faces on its hull they are exact.
"""
import math

import numpy as np

from ..arrays import starts_of
from ..machine_code.jit import kernel
from ..records import PairDepths, SupportPlanes
from ..scene import Scene
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from ..trees.bvh.nodes import EMPTY, is_leaf, node_of
from .planes import height_over

MOST_DIRECTIONS = 8         # of a mesh
MOST_LOOKED_AT = 1 << 12    # triangles of a mesh that are asked for directions
ALIKE = 16                  # normals with the same coordinates in units of 1/ALIKE, rounded, count as one direction
LEAST_AREA = 2.0 ** -6     # of a mesh's, along a direction
ALONG_ROUNDING = 2.0 ** -49    # of a sum of three products, relative to their sizes
NO_PLANES = -1
NO_TRIANGLES = np.zeros(0, np.int64)


def directions_of(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(k,3) float64: unit normals along which a mesh has most area, k up to MOST_DIRECTIONS.

    vertices: (n,3) float64; triangles: (m,3) int32."""
    chosen = triangles[::-(-len(triangles) // MOST_LOOKED_AT) or 1]
    corners = vertices[chosen] - vertices[triangles[0, 0]]
    p, q, r = (corners / (np.abs(corners).max() or 1.0)).transpose(1, 0, 2)     # products are neither 0 nor infinite
    normal = np.cross(q - p, r - p)
    if np.einsum("ij,ij->", normal, p - p.mean(axis=0)) < 0.0:
        normal = -normal        # its faces are turned over
    area = np.linalg.norm(normal, axis=1)
    known = (area > 0.0) & np.isfinite(area)
    if not known.any():
        return np.zeros((0, 3))
    normal, area = normal[known] / area[known, None], area[known] / area[known].max()
    order = np.argsort(-area, kind="stable")        # the largest triangle speaks for its direction
    normal, area = normal[order], area[order]
    alike, first, which = np.unique(np.rint(ALIKE * normal) + 0.0, axis=0, return_index=True, return_inverse=True)
    share = np.bincount(which.ravel(), area, len(alike)) / area.sum()
    best = np.lexsort((first, -share))[:MOST_DIRECTIONS]
    return normal[first[best[share[best] >= LEAST_AREA]]]


def directions_of_meshes(scene: Scene, meshes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(count, directions), (n,) int64 and (n,MOST_DIRECTIONS,3) float64, of the meshes (n,) of a scene; kept there."""
    kept = scene.cache.setdefault("depth directions", {})
    count, found = np.zeros(len(meshes), np.int64), np.zeros((len(meshes), MOST_DIRECTIONS, 3))
    versions = scene.versions[meshes].tolist()
    for k, (index, version) in enumerate(zip(meshes.tolist(), versions)):
        known = kept.get(index)
        if known is None or known[0] != version:
            mesh = scene.meshes[index]
            with np.errstate(over="ignore", invalid="ignore"):      # what is as large is not measured
                kept[index] = known = version, directions_of(mesh.vertices, mesh.triangles)
        count[k] = len(known[1])
        found[k, :count[k]] = known[1]
    return count, found


def no_planes(objects: int, triangles: np.ndarray = NO_TRIANGLES) -> SupportPlanes:
    """Of no object, with memory for as many as triangles, (rows,) int64, says how many triangles each has."""
    rows = len(triangles)
    return SupportPlanes(np.full(objects, NO_PLANES), np.zeros(rows, np.int64), np.empty((rows, MOST_DIRECTIONS, 4)),
                         starts_of(triangles).astype(np.int64), np.zeros(int(triangles.sum()), np.uint8))


def supports_of(forest: Forest, pairs: PairDepths, objects: np.ndarray) -> SupportPlanes:
    """The planes of placed objects, (k,) int64 positions in the forest, ascending, k ≥ 1."""
    planes = no_planes(len(forest.objects), forest.triangle_count[objects])
    meshes, which = np.unique(forest.mesh_of(objects), return_inverse=True)
    count, directions = directions_of_meshes(forest.scene, meshes)
    planes.row[objects] = np.arange(len(objects))
    place_planes(objects, which.ravel().astype(np.int64), count, directions, np.ascontiguousarray(forest.poses), pairs,
                 forest.placed_trees, planes)
    return planes


@kernel
def place_planes(objects, which, count, directions, poses, pairs, trees, planes):
    """Write the planes of objects, (k,) int64. which: (k,) int64, their rows of count and directions; poses: (…,3,4) of
    all objects; pairs: PairDepths; trees: PlacedTrees; planes: SupportPlanes."""
    for i in range(objects.shape[0]):
        obj = objects[i]
        pose = poses[obj]
        for k in range(count[which[i]]):
            x = directions[which[i], k, 0]
            y = directions[which[i], k, 1]
            z = directions[which[i], k, 2]
            # Normals go with the cofactors; a direction that is a little off still gives a bound.
            nx = ny = nz = 0.0
            for turn in range(3):
                j = (turn + 1) % 3
                m = (turn + 2) % 3
                by = x if turn == 0 else y if turn == 1 else z
                nx += by * (pose[1, j] * pose[2, m] - pose[1, m] * pose[2, j])
                ny += by * (pose[2, j] * pose[0, m] - pose[2, m] * pose[0, j])
                nz += by * (pose[0, j] * pose[1, m] - pose[0, m] * pose[1, j])
            length = math.sqrt(nx * nx + ny * ny + nz * nz)
            if not 1e-140 < length < 1e140:
                continue
            over = (-1.0 if mirrored(pose) else 1.0) / length
            nx *= over
            ny *= over
            nz *= over
            write_plane(planes.plane[i, planes.used[i]], nx, ny, nz, height_along(obj, nx, ny, nz, pairs, trees))
            planes.used[i] += 1


@kernel
def mirrored(pose):
    """True where a pose (3,4) turns a left hand into a right one."""
    x = pose[1, 1] * pose[2, 2] - pose[1, 2] * pose[2, 1]
    y = pose[1, 2] * pose[2, 0] - pose[1, 0] * pose[2, 2]
    z = pose[1, 0] * pose[2, 1] - pose[1, 1] * pose[2, 0]
    return pose[0, 0] * x + pose[0, 1] * y + pose[0, 2] * z < 0.0


@kernel
def write_plane(plane, nx, ny, nz, height):
    """plane (4,) = a unit normal and how far along it the plane is from the middle of the object's box."""
    plane[0] = nx
    plane[1] = ny
    plane[2] = nz
    plane[3] = height


@kernel
def middle_of(box):
    """The middle of a box (6,)."""
    return 0.5 * box[0] + 0.5 * box[HIGH], 0.5 * box[1] + 0.5 * box[HIGH + 1], 0.5 * box[2] + 0.5 * box[HIGH + 2]


@kernel
def along(point, nx, ny, nz, cx, cy, cz):
    """How far a point (3,) is along a unit vector, counted from another point."""
    return (point[0] - cx) * nx + (point[1] - cy) * ny + (point[2] - cz) * nz


@kernel
def height_along(obj, nx, ny, nz, pairs, trees):
    """How far a placed object reaches along a unit vector, counted from the middle of its box, by all of its
    vertices."""
    cx, cy, cz = middle_of(pairs.bounds[obj])
    world = trees.corners.world
    first = trees.corners.world_start[obj]
    high = -math.inf
    for row in range(first, first + pairs.vertices[obj]):
        high = max(high, along(world[row], nx, ny, nz, cx, cy, cz))
    return high


@kernel
def highest_along(obj, start, nx, ny, nz, pairs, trees, stack):
    """The same, by a search down the object's tree, which is short where row `start` of Corners.world is one of the
    highest."""
    cx, cy, cz = middle_of(pairs.bounds[obj])
    return along(trees.corners.world[start], nx, ny, nz, cx, cy, cz) + rise_above(obj, start, nx, ny, nz, 0.0, math.inf,
                                                                                  trees, stack)


@kernel
def rise_above(obj, base, nx, ny, nz, least, most, trees, stack):
    """How far a placed object reaches beyond row `base` of Corners.world along a unit vector; `least` where that is no
    more, and some number above `most` where it is more than that. In world units."""
    corners = trees.corners
    world = corners.world
    children = trees.children
    boxes = trees.boxes
    origin = trees.quantization
    along_x = nx * (world[base, 0] - origin[0])
    along_y = ny * (world[base, 1] - origin[1])
    along_z = nz * (world[base, 2] - origin[2])
    start = along_x + along_y + along_z
    sizes = abs(along_x) + abs(along_y) + abs(along_z)
    top_x = HIGH if nx > 0.0 else 0         # rows of boxes: of the corner that is highest
    top_y = 1 + (HIGH if ny > 0.0 else 0)
    top_z = 2 + (HIGH if nz > 0.0 else 0)
    rise = least
    limit = (start + rise - ALONG_ROUNDING * (sizes + rise)) * origin[3]
    stack[0] = trees.root[obj]
    depth = 1
    while depth > 0:
        depth -= 1
        code = np.int64(stack[depth])
        box = trees.box_start[obj] + node_of(code)
        row = trees.node_start[obj] + node_of(code)
        for q in range(4):
            child = np.int64(children[row, q])
            if child < 0 if is_leaf(code) else child == EMPTY:
                continue
            if nx * boxes[box, top_x, q] + ny * boxes[box, top_y, q] + nz * boxes[box, top_z, q] <= limit:
                continue
            if not is_leaf(code):
                stack[depth] = child
                depth += 1
                continue
            for i in range(3):
                vertex = corners.world_start[obj] + corners.triangles[corners.triangle_start[obj] + child, i]
                rise = max(rise, height_over(world[vertex], world, base, nx, ny, nz, 1.0))
            if rise > most:
                return rise
            limit = (start + rise - ALONG_ROUNDING * (sizes + rise)) * origin[3]
    return rise
