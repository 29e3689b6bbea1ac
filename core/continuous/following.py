# SPDX-License-Identifier: GPL-3.0-or-later
"""What `Movement` asks of many objects at once: kernels. In small scenes, calls from Python are most of what looking
between two frames costs."""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..scene.select import WORLD_ROUNDING
from ..trees.bvh.refit import world_coordinate
from .motion_bounds import BOUND_SLACK_FACTOR, MOTION_ROUNDING, bound, take_apart, upright_box

LARGEST_FOLLOWED = 1e100    # numbers of objects that can be followed: no product of three overflows
MOST_SLICES = 1 << 10


@kernel
def can_be_followed(k, motions):
    """True where no bound of an object's motion is too large, or no number."""
    return ((motions.curvature[k] < LARGEST_FOLLOWED) & (motions.speed[k] < LARGEST_FOLLOWED)
            & (motions.rounding[k] / MOTION_ROUNDING < LARGEST_FOLLOWED))


@kernel
def compare_ends(before, after, deformed, finite, finite_after, moves, states):
    """moves[k] = True where object k has triangles, and is deformed, or has poses that differ in any bit, as 0 and -0
    do; states: as in `follow_objects`, of which row 0 says at first which objects have other triangles.

    before, after: (n,12) int64, poses at both ends; deformed, finite, finite_after: (n,) bool.
    """
    for k in range(unsigned(moves.shape[0])):
        states[0, k] &= states[1, k]
        states[2, k] = finite[k] & finite_after[k]
        moves[k] = states[1, k] and (deformed[k] or differs(before, after, k))


@kernel
def differs(before, after, k):
    """True where rows k of two arrays (n,12) of int64 differ."""
    same = True
    for i in range(12):
        same &= before[k, i] == after[k, i]
    return not same


@kernel
def forget(k, motions, low, high):
    """Let the motion of object k, and its boxes, be zero. All as in `follow_objects`."""
    for x in range(3):
        motions.axis[k, x] = motions.world_axis[k, x] = 0.0
        for end in range(2):
            low[k, end, x] = high[k, end, x] = motions.origin[k, end, x] = 0.0
        for y in range(3):
            motions.rotation[k, x, y] = motions.stretch[k, 0, x, y] = motions.stretch[k, 1, x, y] = 0.0


@kernel
def follow_objects(rows, motions, states, start_local, end_local, low, high, sizes, scratch, kept):
    """Find the motions of those objects in `rows` (k,) int64 that have triangles, and bound them where objects are not
    `linear`. Returns how many of `rows` can be followed, and are in `kept` (k,) int64 then; others that have triangles
    become lost. The bounds of linear ones are left to the caller.

    motions: ObjectMotions, whose rows may hold anything, and are zero for others; states: (3,n) bool: lost, has
    triangles, is finite; start_local, end_local: (n,6), boxes of the vertices at both ends; low, high: (n,2,3), become
    their corners; sizes: (n,), about the diameters; scratch: (4,3,3).
    """
    count = 0
    for n in range(rows.shape[0]):
        k = rows[n]
        if states[0, k] or not states[1, k] or not states[2, k] or motions.linear[k]:
            forget(k, motions, low, high)
        if states[0, k] or not states[1, k]:
            continue
        if not states[2, k]:
            states[0, k] = True
            continue
        for x in range(3):
            low[k, 0, x] = start_local[k, x]
            low[k, 1, x] = end_local[k, x]
            high[k, 0, x] = start_local[k, 3 + x]
            high[k, 1, x] = end_local[k, 3 + x]
        if not motions.linear[k]:
            take_apart(k, motions, scratch)
        if not motions.linear[k]:
            bound(k, motions, low, high, sizes)
            if not can_be_followed(k, motions):
                states[0, k] = True
                continue
        kept[count] = k
        count += 1
    return count


@kernel
def bound_lines(k, poses, vertices, poses_end, vertices_end, low, high):
    """The square of the longest way that a vertex of object k goes, whose vertices are `vertices` (v,3), v ≥ 1, with
    the pose poses[k], at first, and others in the end; infinity where numbers are not finite. low, high: (n,2,3),
    become the corners of its boxes in the world at both ends."""
    low0, low1, low2 = placed_vertex(poses, k, vertices, unsigned(0))
    high0, high1, high2 = low0, low1, low2
    low3, low4, low5 = placed_vertex(poses_end, k, vertices_end, unsigned(0))
    high3, high4, high5 = low3, low4, low5
    longest = 0.0
    for i in range(unsigned(vertices.shape[0])):
        p0, p1, p2 = placed_vertex(poses, k, vertices, i)
        q0, q1, q2 = placed_vertex(poses_end, k, vertices_end, i)
        x = q0 - p0
        y = q1 - p1
        z = q2 - p2
        square = x * x + y * y + z * z
        longest = max(longest, square if square < math.inf else math.inf)       # NaN is no length, either
        low0 = min(low0, p0)
        low1 = min(low1, p1)
        low2 = min(low2, p2)
        low3 = min(low3, q0)
        low4 = min(low4, q1)
        low5 = min(low5, q2)
        high0 = max(high0, p0)
        high1 = max(high1, p1)
        high2 = max(high2, p2)
        high3 = max(high3, q0)
        high4 = max(high4, q1)
        high5 = max(high5, q2)
    low[k, 0, 0], low[k, 0, 1], low[k, 0, 2] = low0, low1, low2
    low[k, 1, 0], low[k, 1, 1], low[k, 1, 2] = low3, low4, low5
    high[k, 0, 0], high[k, 0, 1], high[k, 0, 2] = high0, high1, high2
    high[k, 1, 0], high[k, 1, 1], high[k, 1, 2] = high3, high4, high5
    return longest


@kernel
def follow_lines(rows, longest, motions, low, high, sizes, lost):
    """Bound the motions of objects whose vertices move on lines; those that cannot be followed are lost. rows: (k,)
    int64; longest: (k,), of `bound_lines`; low, high, sizes: as in `follow_objects`; lost: (n,) bool."""
    for n in range(rows.shape[0]):
        k = rows[n]
        size = 0.0
        farthest = 0.0
        for x in range(3):
            motions.origin[k, 0, x] = motions.origin[k, 1, x] = 0.0
            side = high[k, 0, x] - low[k, 0, x]
            most = max(max(abs(low[k, 0, x]), abs(high[k, 0, x])), max(abs(low[k, 1, x]), abs(high[k, 1, x])))
            size += side * side
            farthest += most * most
        motions.angle[k] = motions.curvature[k] = 0.0
        motions.speed[k] = math.sqrt(longest[n]) * BOUND_SLACK_FACTOR
        motions.rounding[k] = MOTION_ROUNDING * math.sqrt(farthest)
        sizes[k] = math.sqrt(size)
        lost[k] = not can_be_followed(k, motions)


@kernel
def placed_vertex(poses, k, vertices, i):
    """Where vertex i of object k is in the world, as trees have it."""
    x = vertices[i, 0]
    y = vertices[i, 1]
    z = vertices[i, 2]
    return (world_coordinate(poses[k, 0, 0], poses[k, 0, 1], poses[k, 0, 2], poses[k, 0, 3], x, y, z),
            world_coordinate(poses[k, 1, 0], poses[k, 1, 1], poses[k, 1, 2], poses[k, 1, 3], x, y, z),
            world_coordinate(poses[k, 2, 0], poses[k, 2, 1], poses[k, 2, 2], poses[k, 2, 3], x, y, z))


@kernel
def box_swept_boxes(rows, motions, low, high, pose, box, ends, boxes):
    """boxes[i] = lo x y z hi x y z, a box that holds object rows[i] all the while. pose (1,3,4), box (4,3) and ends
    (2,6) are scratch."""
    for n in range(rows.shape[0]):
        k = rows[n]
        upright_box(k, 0.0, motions, low, high, pose, box, ends, 0)
        upright_box(k, 1.0, motions, low, high, pose, box, ends, 1)
        away = 0.125 * motions.curvature[k]
        for x in range(3):
            boxes[n, x] = min(ends[0, x], ends[1, x]) - away
            boxes[n, 3 + x] = max(ends[0, 3 + x], ends[1, 3 + x]) + away


@kernel
def put_side_by_side(boxes, span, intervals, still, which, moved):
    """Fill which (m,) int64 and moved (m,6) as `contacts_between.side_by_side` returns them. boxes: (k,6), k ≥ 1; span:
    (k,) int64, of which the first `still` are EVERY; m = k + still · (intervals - 1)."""
    low = boxes[0, 0]
    high = boxes[0, 3]
    for i in range(1, boxes.shape[0]):
        low = min(low, boxes[i, 0])
        high = max(high, boxes[i, 3])
    length = high - low
    if not 2.0 * intervals * length < math.inf:     # all may be as flat as they like, and then meet: others tell them
        length = 0.0                                # apart
    row = 0
    for i in range(boxes.shape[0]):
        for number in range(intervals if i < still else 1):
            away = 2.0 * (number if i < still else span[i]) * length
            which[row] = i
            for x in range(6):
                moved[row, x] = boxes[i, x]
            moved[row, 0] += away
            moved[row, 3] += away
            row += 1


@kernel
def find_near(moves, has_triangles, local, poses, boxes, near):
    """Fill `near` (n,) int64 with the objects that have triangles, rest, and whose boxes in the world meet one of
    `boxes` (k,6), ascending; returns how many these are. moves, has_triangles: (n,) bool; local: (n,6), boxes of their
    vertices; poses: (n,3,4)."""
    count = 0
    for i in range(moves.shape[0]):
        if moves[i] or not has_triangles[i]:
            continue
        low0, high0 = _world_side(local, poses, i, 0)
        low1, high1 = _world_side(local, poses, i, 1)
        low2, high2 = _world_side(local, poses, i, 2)
        for k in range(boxes.shape[0]):
            # What is no number is near: whoever follows the object finds out that it is lost.
            apart = (low0 > boxes[k, 3]) | (high0 < boxes[k, 0])
            apart |= (low1 > boxes[k, 4]) | (high1 < boxes[k, 1])
            apart |= (low2 > boxes[k, 5]) | (high2 < boxes[k, 2])
            if not apart:
                near[count] = i
                count += 1
                break
    return count


@kernel
def _world_side(local, poses, i, x):
    """(low, high) of an object's box in the world along an axis, grown by what rounding may take off."""
    centre = 0.0
    half = 0.0
    reach = 0.0
    for y in range(3):
        low = local[i, y]
        high = local[i, 3 + y]
        m = poses[i, x, y]
        centre += m * (0.5 * low + 0.5 * high)
        half += abs(m) * (0.5 * high - 0.5 * low)
        reach += abs(m) * max(abs(low), abs(high))
    origin = poses[i, x, 3]
    centre += origin
    half += WORLD_ROUNDING * (reach + abs(origin))
    return centre - half, centre + half


@kernel
def mark_near_pairs(a, b, within, begin, end, motions, low, high, pose, box, ends, near):
    """near[i] = False where the boxes of objects a[i] and b[i] are apart along one axis, the same way round, at both
    times, by more than within[i] and what both may leave their lines by between; else True. a, b: (k,) int32; within:
    (k,) float64; ends: (4,6), scratch."""
    square = (end - begin) * (end - begin)
    for row in range(a.shape[0]):
        i = np.int64(a[row])
        j = np.int64(b[row])
        upright_box(i, begin, motions, low, high, pose, box, ends, 0)
        upright_box(i, end, motions, low, high, pose, box, ends, 1)
        upright_box(j, begin, motions, low, high, pose, box, ends, 2)
        upright_box(j, end, motions, low, high, pose, box, ends, 3)
        away = 0.125 * motions.curvature[i] * square + 0.125 * motions.curvature[j] * square + within[row]
        apart = False
        for x in range(3):
            apart |= (ends[0, x] > ends[2, 3 + x] + away) & (ends[1, x] > ends[3, 3 + x] + away)
            apart |= (ends[2, x] > ends[0, 3 + x] + away) & (ends[3, x] > ends[1, 3 + x] + away)
        near[row] = not apart


@kernel
def count_slices(curvature, sizes, triangle_counts, slices):
    """slices[k] = into how many slices of time, a power of two, trees cut the way of object k. All arrays (n,)."""
    for k in range(unsigned(curvature.shape[0])):
        count = 1
        if curvature[k] > 0.0:
            fine = sizes[k] / (2.0 * math.sqrt(max(1, triangle_counts[k])))
            wanted = math.sqrt(0.125 * curvature[k] / max(fine, 1e-300))
            while count < wanted and count < MOST_SLICES:
                count *= 2
        slices[k] = count


@kernel
def mark_finite(local, poses, finite):
    """finite[k] = True where no number of object k is infinite or NaN. local: (n,6), poses: (n,3,4); finite: (n,)
    bool."""
    for k in range(unsigned(finite.shape[0])):
        good = True
        for x in range(6):
            good &= abs(local[k, x]) < math.inf
        for x in range(3):
            for y in range(4):
                good &= abs(poses[k, x, y]) < math.inf
        finite[k] = good
