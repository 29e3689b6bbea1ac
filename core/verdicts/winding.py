# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a mesh that is not closed goes round a point: the generalised winding number of Jacobson, Kavan and
Sorkine-Hornung (Robust inside-outside segmentation using generalized winding numbers, 2013, equation 5).

It is the sum of the signed solid angles of all triangles, over 4π. They need not be summed. Let each edge of the rim be
drawn out to infinity in one direction. With these strips the mesh is closed, and its winding number is what a ray
counts that leaves the other way: parallel to the strips, it meets none of them. The strips are spherical triangles,
whose solid angles are known. So the number is the ray's, less that of the strips.
"""
import math

import numpy as np

from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..records import Rims
from ..trees.bvh.forest import Forest
from .mesh_topology import MeshTopology
from .rays import ON, cast_ray, ray_scratch, start_at
from .rims import MOST_RIM_EDGES

WAYS = 6                    # along the axes
BESIDE = 2.0 ** -30         # sine of an angle; the point may be on either side of a strip that it sees so far from it


def winding_of_pairs(forest: Forest, topology: MeshTopology, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """(n,) float64: the winding number of object outer[k] at a vertex of object inner[k], see `winding_numbers`; NaN
    where numbers span too much, and where the rim has more than MOST_RIM_EDGES edges. The two do not meet."""
    shells, row = np.unique(outer, return_inverse=True)
    start, ends = np.zeros(len(shells) + 1, np.int64), []
    for k, shell in enumerate(shells.tolist()):
        rim = topology.sheets(int(forest.mesh_of(shell))).rim
        start[k + 1] = start[k] + len(rim)
        ends.append(rim @ forest.poses[shell][:, :3].T + forest.poses[shell][:, 3])
    answer = np.full(len(inner), np.nan)
    few = np.flatnonzero(np.diff(start)[row] <= MOST_RIM_EDGES)
    found = answer[few]
    winding_numbers(inner[few], outer[few], forest.vertex_count, Rims(row[few], start, np.concatenate(ends)),
                    forest.placed_trees, ray_scratch(), found)
    answer[few] = found
    for k in few[np.isnan(found)].tolist():
        answer[k] = _sum_of_triangles(forest, int(inner[k]), int(outer[k]))
    return answer


def _sum_of_triangles(forest: Forest, inner: int, outer: int) -> float:
    """The winding number as `winding_numbers` means it, triangle by triangle; NaN where numbers span too much. For
    vertices that see a strip edge on whichever way strips are drawn, as in the middle of something symmetrical."""
    world, corners = forest.corners.world, forest.corners
    rows = world[corners.world_start[inner]:][:forest.vertex_count[inner]]
    point = rows[np.lexsort(rows.T[::-1])[0]]
    slots = corners.triangles[corners.triangle_start[outer]:][:forest.triangle_count[outer]]
    a, b, c = (world[corners.world_start[outer] + slots[:, corner]] - point for corner in range(3))
    with np.errstate(all="ignore"):
        la, lb, lc = (np.sqrt((each * each).sum(axis=1)) for each in (a, b, c))
        volume = (a * np.cross(b, c)).sum(axis=1)
        spread = (la * lb * lc + (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb)
        angles = np.arctan2(volume, spread)
    return math.fsum(angles) / (2.0 * math.pi) if np.isfinite(volume).all() and np.isfinite(spread).all() else math.nan


@kernel
def winding_numbers(inner, outer, vertex_count, rims, trees, scratch, answer):
    """answer[k] = the winding number of object outer[k] at that vertex of object inner[k] which has the least x, of
    these the least y, of these the least z; left as it is where numbers span too much.

    inner, outer: (n,) int32, objects of `trees`, PlacedTrees; vertex_count: (objects,) int64; rims: Rims, in which
    row[k] is that of outer[k]; scratch: RayScratch; answer: (n,) float64. Rays are exact. Rounding moves the ends of
    the rim by some units of their distance from the origin, and adds some 1e-15 per strip.
    """
    world = trees.corners.world
    for k in range(inner.shape[0]):
        first = trees.corners.world_start[inner[k]]
        vertex = _least(world, first, first + vertex_count[inner[k]])
        for way in range(WAYS):
            axis = way // 2
            sign = 1 - 2 * (way % 2)
            strips = _strips(world[vertex], axis, -sign, rims.row[k], rims)
            if strips != strips:
                continue
            start_at(world, vertex, scratch.P)
            bits, winding = cast_ray(outer[k], axis, sign, False, trees, scratch)
            if bits & (ON | UNDECIDED) == 0:
                answer[k] = winding + strips
                break


@kernel
def _least(world, first, end):
    """The row of world[first:end] with the least x, y, z, compared in this order."""
    least = first
    for row in range(first + 1, end):
        for x in range(3):
            if world[row, x] != world[least, x]:
                if world[row, x] < world[least, x]:
                    least = row
                break
    return least


@kernel
def _strips(point, axis, sign, row, rims):
    """The solid angles, over 4π, of the strips from the rim to infinity along an axis, each turned as the rim has it,
    as van Oosterom and Strackee give them (The solid angle of a plane triangle, 1983, equation 8). NaN where the point
    sees a strip edge on, so that rounding decides on which side of it the point is."""
    ends = rims.ends
    total = 0.0
    for edge in range(rims.start[row], rims.start[row + 1]):
        ax, ay, az = ends[edge, 0, 0] - point[0], ends[edge, 0, 1] - point[1], ends[edge, 0, 2] - point[2]
        bx, by, bz = ends[edge, 1, 0] - point[0], ends[edge, 1, 1] - point[1], ends[edge, 1, 2] - point[2]
        a = math.sqrt(ax * ax + ay * ay + az * az)
        b = math.sqrt(bx * bx + by * by + bz * bz)
        size = a * b
        if not 0.0 < size < np.inf:
            return np.nan
        if axis == 0:
            volume, a_along, b_along = ay * bz - az * by, ax, bx
        elif axis == 1:
            volume, a_along, b_along = az * bx - ax * bz, ay, by
        else:
            volume, a_along, b_along = ax * by - ay * bx, az, bz
        volume *= sign
        spread = size + ax * bx + ay * by + az * bz + sign * (b_along * a + a_along * b)
        if abs(volume) <= BESIDE * size and spread <= BESIDE * size:
            return np.nan
        total += math.atan2(volume, spread)
    return total / (2.0 * math.pi)
