# SPDX-License-Identifier: GPL-3.0-or-later
"""Two moving hulls, and until when a direction certainly keeps them apart: kernels.

Whoever chooses directions may choose any: what follows from one is certain (docs/moving-hulls.md).
"""
import math

import numpy as np

from ...convex.gjk.gjk import MEET, approach
from ...machine_code.jit import kernel
from ...trees.bvh.refit import move_vertices
from ..directions import LONGEST_DIRECTION, SHORTEST_DIRECTION, gap_along
from ..moving_triangles import (
    CURVATURE_A,
    CURVATURE_B,
    ROUNDING_OF_BOTH,
    STEP_ROUNDING,
    TIME_ROUNDING,
    TRIES,
    curvature_along,
)
from ..poses import pose_at

DISTANCE_ROUNDING = 2.0 ** -43  # of the sizes of two hulls: twice what their distance may err by


@kernel
def place(obj, t, motions, hulls, pose, points):
    """points (…,3) = where the corners of an object are at the time t; returns how many. pose: (1,3,4), scratch."""
    first = hulls.starts[obj]
    count = hulls.counts[obj]
    if t > 0.0 and t < 1.0 and motions.angle[obj] != 0.0:
        pose_at(motions, np.int64(obj), t, pose)      # as elsewhere: one signature
        move_vertices(pose, 0, hulls.local, hulls.local_starts[obj], count, points, 0)
        return count
    rest = 1.0 - t
    for k in range(count):
        for x in range(3):
            points[k, x] = rest * hulls.begin[first + k, x] + t * hulls.end[first + k, x]
    return count


@kernel
def place_now(a, b, t, motions, hulls, scratch):
    """Put both objects where they are at the time t."""
    scratch.now_p.counts[0] = place(a, t, motions, hulls, scratch.pose, scratch.now_p.points)
    scratch.now_q.counts[0] = place(b, t, motions, hulls, scratch.pose, scratch.now_q.points)
    scratch.stats[0] += 1


@kernel
def gap_now(scratch, direction):
    """`gap_along` where both are placed."""
    p = scratch.now_p
    q = scratch.now_q
    return gap_along(p.points, 0, p.counts[0], q.points, 0, q.counts[0], direction, scratch.limits[ROUNDING_OF_BOTH])


@kernel
def gap_at_end(a, b, hulls, direction, rounding):
    """`gap_along` at the end of the interval."""
    return gap_along(hulls.end, hulls.starts[a], hulls.counts[a], hulls.end, hulls.starts[b], hulls.counts[b],
                     direction, rounding)


@kernel
def advance(a, b, t, motions, hulls, scratch, direction):
    """A time up to which a unit vector certainly keeps apart the two that are placed as they are at the time t: t where
    it does not, infinity where it does to the end.

    The gap is at least what lies between its values at both ends of a step on a line, less an eighth of the
    acceleration times the square of the step.
    """
    rounding = scratch.limits[ROUNDING_OF_BOTH]
    low = gap_now(scratch, direction)
    if not low > 0.0:
        return t
    bend = curvature_along(a, b, motions, scratch.limits, direction)
    whole = 1.0 - t
    high = gap_at_end(a, b, hulls, direction, rounding)
    beyond = 0.125 * bend * whole * whole
    if low > beyond and high > beyond:
        return math.inf
    step = whole
    if bend > 0.0:
        step = min(step, math.sqrt(2.0 * low / bend))
    best = 0.0
    for _ in range(TRIES):
        if step < whole:
            count_p = place(a, t + step, motions, hulls, scratch.pose, scratch.later_p)
            count_q = place(b, t + step, motions, hulls, scratch.pose, scratch.later_q)
            high = gap_along(scratch.later_p, 0, count_p, scratch.later_q, 0, count_q, direction, rounding)
        beyond = 0.125 * bend * step * step
        if high > beyond:
            best = max(best, step)
            break
        certain = step * (low - beyond) / (low - high)
        best = max(best, certain)
        if bend == 0.0 or certain > 0.75 * step:
            break
        step = 1.25 * certain
    return max(t, (t + best * STEP_ROUNDING) - TIME_ROUNDING)


@kernel
def nearest(scratch, direction):
    """No more than this are the two apart that are placed: 0 where they meet. direction becomes the unit vector from
    the second to the first one where they come nearest, or zero, along which nothing is apart."""
    approach(scratch.now_p, scratch.now_q, 0, 1, False, True, scratch.gjk, scratch.nearest, scratch.found)
    for x in range(3):
        direction[x] = 0.0
    if scratch.found.answer[0] == MEET:
        return 0.0
    x = scratch.nearest[0, 0]
    y = scratch.nearest[0, 1]
    z = scratch.nearest[0, 2]
    length = math.sqrt(x * x + y * y + z * z)
    if length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION:
        direction[0] = x / length
        direction[1] = y / length
        direction[2] = z / length
    size = spread(scratch.now_p) + spread(scratch.now_q)
    return length + DISTANCE_ROUNDING * size


@kernel
def spread(hull):
    """The largest coordinate of a hull's points less its first one."""
    size = 0.0
    points = hull.points
    for k in range(1, hull.counts[0]):
        for x in range(3):
            size = max(size, abs(points[k, x] - points[0, x]))
    return size


@kernel
def begin_pair(a, b, motions, hulls, scratch):
    """Put a pair where it is at the start, and forget the one before."""
    limits = scratch.limits
    limits[ROUNDING_OF_BOTH] = motions.rounding[a] + motions.rounding[b]
    limits[CURVATURE_A] = motions.curvature[a]
    limits[CURVATURE_B] = motions.curvature[b]
    for k in range(8):
        scratch.found.corners[0, k] = -1
    place_now(a, b, 0.0, motions, hulls, scratch)
