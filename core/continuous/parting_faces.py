# SPDX-License-Identifier: GPL-3.0-or-later
"""Small objects that a face of one of them keeps apart through a slice of time: kernels (docs/moving-meshes.md).

A box on a slope, a wedge before a wall: their own boxes overlap, and all that trees can do is to go through every pair
of triangles.
"""
import math

from ..machine_code.jit import kernel, unsigned
from .moving_triangles import (
    ASKED_GAP,
    CURVATURE_A,
    CURVATURE_B,
    DOT_ROUNDING,
    LONGEST_DIRECTION,
    ROUNDING_OF_BOTH,
    SHORTEST_DIRECTION,
    ask_within,
    curvature_along,
)

MOST_CORNERS, MOST_FACES = 16, 28       # of each object, as convex ones have: of more, to go down trees is cheaper


@kernel
def parted_by_a_face(row, meetings, motions, swept, scratch):
    """True where the plane of a triangle of one object, as it is turned when the slice begins, keeps both objects of a
    pair farther apart than meetings.within[row] all through the slice. Not asked of large meshes.

    meetings: Meetings; motions: ObjectMotions; swept: SweptTrees; scratch: MeetingScratch.
    """
    a = meetings.a[row]
    b = meetings.b[row]
    counts = swept.counts
    if max(counts[0, a], counts[0, b]) > MOST_CORNERS or max(counts[1, a], counts[1, b]) > MOST_FACES:
        return False
    limits = scratch.limits
    limits[ROUNDING_OF_BOTH] = motions.rounding[a] + motions.rounding[b]
    ask_within(meetings.within[row], limits)
    limits[CURVATURE_A] = motions.curvature[a]
    limits[CURVATURE_B] = motions.curvature[b]
    duration = swept.span[1] - swept.span[0]
    direction = scratch.direction
    corners = swept.before.corners
    world = corners.world
    start_before = corners.world_start
    start_after = swept.after.corners.world_start
    for side in range(2):
        obj = a if side == 0 else b
        other = b if side == 0 else a
        first = corners.triangle_start[obj]
        for triangle in range(first, first + counts[1, obj]):
            if not outwards(world, start_before[obj], corners.triangles, triangle, start_before[other], direction):
                continue
            low = gap_of(world, start_before[obj], counts[0, obj], start_before[other], counts[0, other], direction)
            low -= limits[ASKED_GAP]
            if not low > 0.0:
                continue
            beyond = 0.125 * curvature_along(a, b, motions, limits, direction) * duration ** 2
            last = gap_of(world, start_after[obj], counts[0, obj], start_after[other], counts[0, other], direction)
            if low > beyond and last - limits[ASKED_GAP] > beyond:
                return True
    return False


@kernel
def outwards(world, first, triangles, triangle, v, direction):
    """direction (3,) = the unit normal of a placed triangle, to the side on which vertex v of another object is. False
    where it has none.

    world: (…,3) float64; first: the row of its object's first vertex there; triangle: its row in `triangles`.
    """
    p = first + triangles[triangle, 0]
    q = first + triangles[triangle, 1]
    r = first + triangles[triangle, 2]
    ux = world[q, 0] - world[p, 0]
    uy = world[q, 1] - world[p, 1]
    uz = world[q, 2] - world[p, 2]
    vx = world[r, 0] - world[p, 0]
    vy = world[r, 1] - world[p, 1]
    vz = world[r, 2] - world[p, 2]
    x = uy * vz - uz * vy
    y = uz * vx - ux * vz
    z = ux * vy - uy * vx
    length = math.sqrt(x * x + y * y + z * z)
    if not (length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION):
        return False
    side = x * (world[v, 0] - world[p, 0]) + y * (world[v, 1] - world[p, 1]) + z * (world[v, 2] - world[p, 2])
    inverse = (1.0 if side > 0.0 else -1.0) / length
    direction[0] = x * inverse
    direction[1] = y * inverse
    direction[2] = z * inverse
    return True


@kernel
def gap_of(world, first, count, other_first, other_count, direction):
    """How much farther along a unit vector all vertices of another object are than those of one, at least; some number
    that is not positive where they are not.

    world: (…,3) float64; first, count: where the vertices of one are there, other_first, other_count: of the other.
    """
    since = unsigned(first)
    x = world[since, 0]
    y = world[since, 1]
    z = world[since, 2]
    high = 0.0
    size = 0.0
    for i in range(since, since + unsigned(count)):
        u = world[i, 0] - x
        v = world[i, 1] - y
        w = world[i, 2] - z
        size = max(size, abs(u) + abs(v) + abs(w))
        high = max(high, direction[0] * u + direction[1] * v + direction[2] * w)
    since = unsigned(other_first)
    low = math.inf
    for i in range(since, since + unsigned(other_count)):
        u = world[i, 0] - x
        v = world[i, 1] - y
        w = world[i, 2] - z
        size = max(size, abs(u) + abs(v) + abs(w))
        low = min(low, direction[0] * u + direction[1] * v + direction[2] * w)
        if low <= high:
            return 0.0
    return (low - high) - DOT_ROUNDING * size
