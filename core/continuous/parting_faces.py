# SPDX-License-Identifier: GPL-3.0-or-later
"""Small objects that a face of one of them keeps apart through a slice of time: kernels (docs/moving-meshes.md).

A box on a slope, a wedge before a wall: their own boxes overlap, and all that trees can do is to go through every pair
of triangles.
"""
from ..geometry.squares import squared
from ..machine_code.jit import kernel
from .directions import gap_along, normal_towards
from .moving_triangles import ASKED_GAP, CURVATURE_A, CURVATURE_B, ROUNDING_OF_BOTH, ask_within, curvature_along

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
        first = start_before[obj]
        since = corners.triangle_start[obj]
        for triangle in range(since, since + counts[1, obj]):
            p, q, r = corners.triangles[triangle, 0], corners.triangles[triangle, 1], corners.triangles[triangle, 2]
            if not normal_towards(world, first + p, first + q, first + r, start_before[other], 1.0, direction):
                continue
            low = gap_along(world, start_before[other], counts[0, other], world, first, counts[0, obj], direction,
                            limits[ASKED_GAP])
            if not low > 0.0:
                continue
            beyond = 0.125 * curvature_along(a, b, motions, limits, direction) * squared(duration)
            last = gap_along(world, start_after[other], counts[0, other], world, start_after[obj], counts[0, obj],
                             direction, limits[ASKED_GAP])
            if low > beyond and last > beyond:
                return True
    return False
