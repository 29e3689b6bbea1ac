# SPDX-License-Identifier: GPL-3.0-or-later
"""What stays clear of something that rests, by its own box: kernels (docs/moving-meshes.md).

People in a room, boxes on a belt, cars on a road: the box around the room holds them all, and no direction parts them
from it. But only a few triangles of the room are near their boxes, if any, and a direction parts each of these.
"""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from .motion_bounds import MARGIN_ROUNDINGS, SHORTEST_PROVABLE, box_at


@kernel
def find_larger_resting(rows, meetings, moves, sizes, named):
    """named[k] = True for objects that rest and are larger than the other one, which moves, of a pair in `rows`;
    returns how many pairs these are. rows: (k,) int64; meetings: Meetings; moves: (n,) bool; sizes: (n,) float64;
    named: (n,) bool, False at first."""
    count = 0
    for n in range(rows.shape[0]):
        still = larger_resting(rows[n], meetings, moves, sizes)
        if still >= 0:
            named[still] = True
            count += 1
    return count


@kernel
def larger_resting(row, meetings, moves, sizes):
    """The object of a pair that rests, where it is not the smaller one and the other one moves; else -1."""
    a = np.int64(meetings.a[row])
    b = np.int64(meetings.b[row])
    if moves[a] == moves[b] or moves[b] == (sizes[a] < sizes[b]):
        return np.int64(-1)
    return b if moves[a] else a


@kernel
def mark_clear(rows, meetings, moves, sizes, motions, corners, trees, boxes, pose, within, clear):
    """clear[n] = True where one object of pair rows[n] rests, and is larger than the other one, and that certainly
    stays farther from all of its triangles than meetings.within[row] and meetings.tolerance[row] all the while.

    rows: (k,) int64; meetings: Meetings; moves: (n,) bool; sizes: (n,) float64; motions: ObjectMotions; corners:
    (2,n,2,3), see `Movement`; trees: PlacedTrees, in which what rests is placed; boxes: (2,4,3), pose: (1,3,4) and
    within: BoxSearch: scratch; clear: (k,) bool.
    """
    for n in range(rows.shape[0]):
        row = rows[n]
        still = larger_resting(row, meetings, moves, sizes)
        if still < 0:
            clear[n] = False
            continue
        obj = np.int64(meetings.a[row]) + np.int64(meetings.b[row]) - still
        away = meetings.within[row] + meetings.tolerance[row] + 0.125 * motions.curvature[obj]
        away += MARGIN_ROUNDINGS * (motions.rounding[obj] + motions.rounding[still])
        box_at(obj, 0.0, motions, corners[0], corners[1], pose, boxes[0])
        box_at(obj, 1.0, motions, corners[0], corners[1], pose, boxes[1])
        clear[n] = is_clear(still, boxes, away, trees, within)


@kernel
def is_clear(still, boxes, away, trees, within):
    """True where a box that goes from boxes[0] to boxes[1] stays farther than `away` from each triangle of an object
    that rests. All as in `mark_clear`."""
    for x in range(3):
        first = abs(boxes[0, 1, x]) + abs(boxes[0, 2, x]) + abs(boxes[0, 3, x]) + away
        last = abs(boxes[1, 1, x]) + abs(boxes[1, 2, x]) + abs(boxes[1, 3, x]) + away
        set_box(within.box, x, min(boxes[0, 0, x] - first, boxes[1, 0, x] - last),
                max(boxes[0, 0, x] + first, boxes[1, 0, x] + last), trees.quantization)
    at = before_first(still, trees, within.stack)
    while True:
        slot, at = next_triangle(within.box, trees, within.stack, at)
        if slot == NO_TRIANGLE:
            return True
        if not parted_from_triangle(trees.corners, still, slot, boxes, away):
            return False


@kernel
def parted_from_triangle(corners, still, slot, boxes, away):
    """True where the normal of a triangle or an edge of a box, as it is at first, keeps the two farther apart than
    `away` from boxes[0] to boxes[1]."""
    triangle = unsigned(corners.triangle_start[still] + slot)
    first = corners.world_start[still]
    p = unsigned(first + corners.triangles[triangle, 0])
    q = unsigned(first + corners.triangles[triangle, 1])
    r = unsigned(first + corners.triangles[triangle, 2])
    world = corners.world
    ux, uy, uz = world[q, 0] - world[p, 0], world[q, 1] - world[p, 1], world[q, 2] - world[p, 2]
    vx, vy, vz = world[r, 0] - world[p, 0], world[r, 1] - world[p, 1], world[r, 2] - world[p, 2]
    if parted_along(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, world, p, q, r, boxes, away):
        return True
    for edge in range(1, 4):
        if parted_along(boxes[0, edge, 0], boxes[0, edge, 1], boxes[0, edge, 2], world, p, q, r, boxes, away):
            return True
    return False


@kernel
def parted_along(x, y, z, world, p, q, r, boxes, away):
    """True where along a vector of any length a triangle, rows of `world`, is farther than `away` from boxes[0] and
    from boxes[1], on one side of both."""
    length = math.sqrt(x * x + y * y + z * z)
    if not length > SHORTEST_PROVABLE:
        return False
    above = True
    below = True
    for end in range(2):
        reach = away * length
        for edge in range(1, 4):
            reach += abs(x * boxes[end, edge, 0] + y * boxes[end, edge, 1] + z * boxes[end, edge, 2])
        ox, oy, oz = boxes[end, 0, 0], boxes[end, 0, 1], boxes[end, 0, 2]
        one = x * (world[p, 0] - ox) + y * (world[p, 1] - oy) + z * (world[p, 2] - oz)
        two = x * (world[q, 0] - ox) + y * (world[q, 1] - oy) + z * (world[q, 2] - oz)
        three = x * (world[r, 0] - ox) + y * (world[r, 1] - oy) + z * (world[r, 2] - oz)
        above = above and min(one, min(two, three)) > reach
        below = below and max(one, max(two, three)) < -reach
    return above or below
