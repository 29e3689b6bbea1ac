# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions of objects that do not deform, and bounds and boxes of all: kernels (docs/moving-meshes.md)."""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel, unsigned
from .decompose import rotation_and_stretch, turn
from .poses import pose_at

MOTION_ROUNDING = 2.0 ** -46    # of a vertex at any time, relative to the sizes of what is added up
BOUND_SLACK_FACTOR = 1.0 + 2.0 ** -20   # more than the rounding of curvatures and speeds
MARGIN_ROUNDINGS = 2.0      # times the rounding of vertices, more than what boxes of objects err by besides
SURELY_WITHIN = 1.0 - 2.0 ** -20   # of half an edge: nearer to a middle than that is in the box, whatever is rounded
FLAT_BOX_RELATIVE = 2.0 ** -20  # volume of a box in which nothing certainly is, relative to the product of its edges
SHORTEST_PROVABLE = 1e-60   # direction along which nothing underflows: no bound is below 2^-48 of its length


@kernel
def take_apart(k, motions, scratch):
    """Find rotation, stretch, turn and origin of an object that does not deform. It becomes `linear` where its poses do
    not tell a rotation: where it is flat, or mirrored at one end only.

    motions: ObjectMotions with both poses and `linear`; scratch: (4,3,3).
    """
    turned = False
    before = motions.start_pose[k]
    after = motions.end_pose[k]
    for i in range(3):
        motions.axis[k, i] = motions.world_axis[k, i] = 0.0
        motions.origin[k, 0, i] = before[i, 3]
        motions.origin[k, 1, i] = after[i, 3]
        for j in range(3):
            turned |= before[i, j] != after[i, j]
            motions.rotation[k, i, j] = 1.0 if i == j else 0.0
            motions.stretch[k, 0, i, j] = before[i, j]
            motions.stretch[k, 1, i, j] = after[i, j]
    if not turned:
        return
    rotation = motions.rotation[k]
    last = scratch[0]
    certain = rotation_and_stretch(before[:, :3], rotation, motions.stretch[k, 0], scratch[1], scratch[2])
    certain &= rotation_and_stretch(after[:, :3], last, motions.stretch[k, 1], scratch[1], scratch[2])
    trace = motions.stretch[k, 0, 0, 0] + motions.stretch[k, 0, 1, 1] + motions.stretch[k, 0, 2, 2]
    last_trace = motions.stretch[k, 1, 0, 0] + motions.stretch[k, 1, 1, 1] + motions.stretch[k, 1, 2, 2]
    if not certain or (trace < 0.0) != (last_trace < 0.0):
        motions.linear[k] = 1
        return
    motions.angle[k] = turn(rotation, last, motions.axis[k], scratch[3])
    for i in range(3):
        motions.world_axis[k, i] = (rotation[i, 0] * motions.axis[k, 0] + rotation[i, 1] * motions.axis[k, 1]
                                    + rotation[i, 2] * motions.axis[k, 2])


@kernel
def differ(one, other):
    """True where two arrays (v,3) of float64 are not of the same length, or have other numbers."""
    if one.shape[0] != other.shape[0]:
        return True
    for i in range(unsigned(one.shape[0])):
        # One line per vertex: vertices that move differ in the first.
        if not ((one[i, 0] == other[i, 0]) & (one[i, 1] == other[i, 1]) & (one[i, 2] == other[i, 2])):
            return True
    return False


@kernel
def bound(k, motions, low, high, sizes):
    """Bound acceleration, speed and rounding over all vertices of an object that is not `linear`, by its box.

    low, high: (n,2,3), corners of the local boxes; sizes: (n,), becomes about the diameters.
    """
    stretch = motions.stretch[k]
    angle = motions.angle[k]
    farthest = 0.0
    longest = 0.0
    if angle > 0.0 or differ(stretch[0], stretch[1]):       # else both are no matter
        for corner in range(8):
            first = 0.0
            second = 0.0
            between = 0.0
            for x in range(3):
                p = 0.0
                q = 0.0
                for y in range(3):
                    v = high[k, 0, y] if (corner >> y) & 1 else low[k, 0, y]
                    p += stretch[0, x, y] * v
                    q += stretch[1, x, y] * v
                first += p * p
                second += q * q
                between += squared(q - p)
            farthest = max(farthest, max(first, second))
            longest = max(longest, between)
    farthest = math.sqrt(farthest)
    longest = math.sqrt(longest)
    way = 0.0
    size = 0.0
    place = 0.0
    diameter = 0.0
    for x in range(3):
        way += squared(motions.origin[k, 1, x] - motions.origin[k, 0, x])
        place += squared(max(abs(motions.origin[k, 0, x]), abs(motions.origin[k, 1, x])))
        reach = 0.0
        for y in range(3):
            diameter += squared(stretch[0, x, y] * (high[k, 0, y] - low[k, 0, y]))    # however the object is turned
            reach += (max(abs(stretch[0, x, y]), abs(stretch[1, x, y]))
                      * max(abs(low[k, 0, y]), abs(high[k, 0, y])))
        size += reach * reach
    sizes[k] = math.sqrt(diameter)
    motions.curvature[k] = angle * (angle * farthest + 2.0 * longest) * BOUND_SLACK_FACTOR
    motions.speed[k] = (math.sqrt(way) + angle * farthest + longest) * BOUND_SLACK_FACTOR
    motions.stretching[k] = longest * BOUND_SLACK_FACTOR
    motions.rounding[k] = MOTION_ROUNDING * (math.sqrt(size) + math.sqrt(place))


@kernel
def box_at(k, t, motions, low, high, pose, box):
    """A box with edges in any direction that holds object k at the time t but for its rounding.

    box: (4,3), its middle and half of its edges. pose: (1,3,4), scratch.
    """
    rest = 1.0 - t
    if motions.linear[k]:
        for x in range(3):
            lowest = rest * low[k, 0, x] + t * low[k, 1, x]
            highest = rest * high[k, 0, x] + t * high[k, 1, x]
            box[0, x] = 0.5 * (lowest + highest)
            for y in range(3):
                box[1 + y, x] = 0.5 * (highest - lowest) if x == y else 0.0
        return
    pose_at(motions, k, t, pose)
    for x in range(3):
        box[0, x] = pose[0, x, 3]
    for y in range(3):
        middle = 0.5 * (low[k, 0, y] + high[k, 0, y])
        half = 0.5 * (high[k, 0, y] - low[k, 0, y])
        for x in range(3):
            box[0, x] += pose[0, x, y] * middle
            box[1 + y, x] = pose[0, x, y] * half


@kernel
def upright_box(k, t, motions, low, high, pose, box, boxes, row):
    """boxes[row] = lo x y z hi x y z, a box that holds object k at the time t. pose, box: as in `box_at`."""
    box_at(k, t, motions, low, high, pose, box)
    more = MARGIN_ROUNDINGS * motions.rounding[k]
    for x in range(3):
        half = abs(box[1, x]) + abs(box[2, x]) + abs(box[3, x]) + more
        boxes[row, x] = box[0, x] - half
        boxes[row, 3 + x] = box[0, x] + half


@kernel
def mark_apart(a, b, overlap, motions, low, high, boxes, pose, x, apart):
    """apart[i] = True where along some direction objects a[i] and b[i] certainly overlap by no more than overlap[i] all
    the while; 0: where it keeps them apart.

    Directions: the edges of both boxes in the middle of time, from one middle to the other, and the edges' cross
    products. boxes: (2,3,4,3), scratch: of each object at t = 0, 0.5 and 1; pose: (1,3,4), x: (3,),
    scratch.
    """
    for row in range(a.shape[0]):
        i = np.int64(a[row])
        j = np.int64(b[row])
        apart[row] = False
        box_at(i, 0.5, motions, low, high, pose, boxes[0, 1])
        box_at(j, 0.5, motions, low, high, pose, boxes[1, 1])
        # What is in the other one's box in the middle of time, as all in a room is, no direction keeps apart.
        if not overlap[row] > 0.0 and (has_middle(boxes[0, 1], boxes[1, 1]) or has_middle(boxes[1, 1], boxes[0, 1])):
            continue
        for end in (0, 2):
            box_at(i, 0.5 * end, motions, low, high, pose, boxes[0, end])
            box_at(j, 0.5 * end, motions, low, high, pose, boxes[1, end])
        away = 0.125 * (motions.curvature[i] + motions.curvature[j])
        away += MARGIN_ROUNDINGS * (motions.rounding[i] + motions.rounding[j]) - overlap[row]
        for number in range(16):
            choose(number, boxes, x)
            if keeps_apart(x, boxes, away):
                apart[row] = True
                break


@kernel
def has_middle(box, other):
    """True where the middle of another box is certainly within a box. box, other: (4,3), see `box_at`."""
    x = other[0, 0] - box[0, 0]
    y = other[0, 1] - box[0, 1]
    z = other[0, 2] - box[0, 2]
    size = 1.0
    for edge in range(1, 4):
        size *= abs(box[edge, 0]) + abs(box[edge, 1]) + abs(box[edge, 2])
    for edge in range(1, 4):
        p = box[1 + edge % 3]
        q = box[1 + (edge + 1) % 3]
        u = p[1] * q[2] - p[2] * q[1]       # across the other two edges
        v = p[2] * q[0] - p[0] * q[2]
        w = p[0] * q[1] - p[1] * q[0]
        volume = abs(u * box[edge, 0] + v * box[edge, 1] + w * box[edge, 2])
        if not (abs(u * x + v * y + w * z) < SURELY_WITHIN * volume and volume > FLAT_BOX_RELATIVE * size):
            return False
    return True


@kernel
def choose(number, boxes, x):
    """x = direction 0 … 15 of `mark_apart`, of any length."""
    if number == 0:
        for i in range(3):
            x[i] = boxes[1, 1, 0, i] - boxes[0, 1, 0, i]
    elif number < 7:
        side = (number - 1) // 3
        for i in range(3):
            x[i] = boxes[side, 1, 1 + (number - 1) % 3, i]
    else:
        p = boxes[0, 1, 1 + (number - 7) // 3]
        q = boxes[1, 1, 1 + (number - 7) % 3]
        x[0] = p[1] * q[2] - p[2] * q[1]
        x[1] = p[2] * q[0] - p[0] * q[2]
        x[2] = p[0] * q[1] - p[1] * q[0]


@kernel
def keeps_apart(x, boxes, away):
    """True where the boxes of both objects are farther apart than `away` along x, the same way round, at t = 0 and at
    t = 1. away: negative where they may overlap. boxes: as in `mark_apart`."""
    length = math.sqrt(squared(x[0]) + squared(x[1]) + squared(x[2]))
    if not length > SHORTEST_PROVABLE:
        return False
    side = 0.0
    for end in (0, 2):
        gap = 0.0
        reach = away * length
        for i in range(3):
            gap += x[i] * (boxes[1, end, 0, i] - boxes[0, end, 0, i])
        for which in range(2):
            for edge in range(1, 4):
                reach += abs(x[0] * boxes[which, end, edge, 0] + x[1] * boxes[which, end, edge, 1]
                             + x[2] * boxes[which, end, edge, 2])
        if not abs(gap) > reach or gap * side < 0.0:
            return False
        side = gap
    return True
