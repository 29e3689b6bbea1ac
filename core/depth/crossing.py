# SPDX-License-Identifier: GPL-3.0-or-later
"""What a piece of surface that is partly outside a solid can have inside.

A straight way in the piece from a point outside to a point inside passes the solid's surface last at some triangle that
the piece meets. So the inner point is beyond the plane of that triangle. What a piece has beyond no such plane is
outside, and what it has beyond one is no deeper than it is far from any triangle there.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from .cutting import clip
from .features import feature_distance
from .planes import height_over, unit_normal
from .point_triangle import corner_rows

MOST_MEETING = 8            # triangles that a piece may meet before it is cut instead
TOO_MANY = -1


@kernel
def meeting_triangles(corners, obj, trees, unit, margin, most, scratch):
    """How many triangles of an object a piece (3,3) may meet: none that it meets is left out. Their slots are written
    to scratch.meeting. TOO_MANY where these are more than `most`.

    margin: in units of the pair, how far the piece may be from where it should be.
    """
    for x in range(3):
        low = min(corners[0, x], min(corners[1, x], corners[2, x])) - margin / unit
        high = max(corners[0, x], max(corners[1, x], corners[2, x])) + margin / unit
        set_box(scratch.box, x, low, high, trees.quantization)
    count = 0
    at = before_first(obj, trees, scratch.stack)
    while True:
        slot, at = next_triangle(scratch.box, trees, scratch.stack, at)
        if slot == NO_TRIANGLE:
            break
        corner_rows(trees.corners, obj, slot, scratch.rows)
        if not _apart(corners, trees.corners.world, scratch.rows, unit, margin):
            if count == most:
                return TOO_MANY
            scratch.meeting[count] = slot
            count += 1
    return count


@kernel
def _apart(corners, world, rows, unit, margin):
    """True where the plane of the piece (3,3) or that of the triangle world[rows[0:3]] has all of the other on one
    side, farther than the margin."""
    nx, ny, nz = unit_normal(corners, 0, 1, 2, unit)
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        low = math.inf
        high = -math.inf
        for i in range(3):
            height = height_over(world[rows[i]], corners, 0, nx, ny, nz, unit)
            low = min(low, height)
            high = max(high, height)
        if low > margin or high < -margin:
            return True
    nx, ny, nz = unit_normal(world, rows[0], rows[1], rows[2], unit)
    if nx != 0.0 or ny != 0.0 or nz != 0.0:
        low = math.inf
        high = -math.inf
        for i in range(3):
            height = height_over(corners[i], world, rows[0], nx, ny, nz, unit)
            low = min(low, height)
            high = max(high, height)
        if low > margin or high < -margin:
            return True
    return False


@kernel
def depth_beyond(count, features, obj, trees, unit, margin, scratch):
    """(bound, slot): how deep the piece scratch.corners is in an object at most, as the point scratch.outer of the
    piece is not inside it. scratch.points[0] becomes the point where that is, and the slot is that of the triangle
    which is so far from there; -1: there is none.

    count: of scratch.meeting, the triangles that the piece may meet; features: of scratch.features, those near it.
    """
    world = trees.corners.world
    rows = scratch.rows
    heights = scratch.heights
    deepest = 0.0
    chosen = np.int64(-1)
    for m in range(count):
        corner_rows(trees.corners, obj, np.int64(scratch.meeting[m]), rows)
        nx, ny, nz = unit_normal(world, rows[0], rows[1], rows[2], unit)
        away = height_over(scratch.outer, world, rows[0], nx, ny, nz, unit)
        turn = 1.0 if away > 0.0 else -1.0
        # Where the point is in the plane itself, which side is beyond it is not known: then all of it is.
        level = margin if abs(away) > margin else math.inf
        for i in range(3):
            heights[i] = turn * height_over(scratch.corners[i], world, rows[0], nx, ny, nz, unit)
        left = clip(scratch.corners, 3, heights, level, scratch.polygons[0])
        if left == 0:
            continue
        least = math.inf
        nearest = np.int64(-1)
        corner = 0
        for k in range(count + features):
            slot = np.int64(scratch.meeting[k] if k < count else scratch.features[k - count])
            farthest = -1.0
            there = 0
            for i in range(left):
                if farthest < least:
                    distance = feature_distance(scratch.polygons[0, i], obj, slot, trees, scratch)
                    if distance > farthest:
                        farthest = distance
                        there = i
            if farthest < least:
                least = farthest
                corner = there
                nearest = slot
        if least > deepest:
            deepest = least
            chosen = nearest
            for x in range(3):
                scratch.points[0, x] = scratch.polygons[0, corner, x]
    return deepest, chosen
