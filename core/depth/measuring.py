# SPDX-License-Identifier: GPL-3.0-or-later
"""A point of a piece: which is measured, its side and its distance, and what that tells of the piece and the pair."""
import math

import numpy as np

from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from .features import BEST, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT, SEED_SLACK, feature_distance, slot_of
from .nearest_surface import INSIDE, nearest_point, nearest_surface, side_of


@kernel
def measure_point(row, side, slot, solid, pairs, trees, scratch):
    """(side of the solid's surface, distance to it, slot of the nearest triangle) of the point scratch.points[0], which
    is kept where it is the deepest. slot: of a triangle that may be near, -1: none."""
    numbers = scratch.numbers
    distance, least, nearest = nearest_surface(solid, slot, trees, numbers[LENGTH_UNIT], scratch)
    scratch.tests[0] += 1
    if numbers[SEED_SLACK] > 0.0 and distance <= numbers[BEST]:     # most of it is inside, and this is not deeper
        where = np.int64(UNDECIDED)
    else:
        where = side_of(solid, pairs.decides[solid], distance, trees, numbers[LENGTH_UNIT], scratch)
    remember(where, least - numbers[DEPTH_MARGIN], scratch)
    if where == INSIDE:
        keep_deepest(row, side, solid, least, nearest, pairs, trees, scratch)
    return where, distance, nearest


@kernel
def aim(count, scratch):
    """scratch.points[0] = the point of the piece that has the shares scratch.share of its corners."""
    share = scratch.share
    corners = scratch.corners
    for x in range(3):
        scratch.points[0, x] = share[0] * corners[0, x] + share[1] * corners[1, x] + share[2] * corners[2, x]


@kernel
def guess(count, scratch):
    """The slot of that of the triangles near the piece which is likely the nearest to the point; -1 for none."""
    best = math.inf
    slot = np.int64(-1)
    for k in range(count):
        distance = 0.0
        for i in range(3):
            distance += scratch.share[i] * scratch.distances[k, i]
        if distance < best:
            best = distance
            slot = np.int64(slot_of(np.int64(scratch.features[k])))
    return slot


@kernel
def is_nearer(distance, nearest, count, solid, trees, scratch):
    """True where the point is nearer to triangle `nearest`, which is so far away, than to all features of the piece."""
    for k in range(count):
        if scratch.features[k] == nearest:
            return False
    enough = 0.25 * scratch.numbers[LEEWAY]
    for k in range(count):
        feature = np.int64(scratch.features[k])
        if not distance < feature_distance(scratch.points[0], solid, feature, trees, scratch) - enough:
            return False
    return True


@kernel
def remember(where, least, scratch):
    """scratch.known = the point, and a depth that it has at least, inside or outside; 0 where that is not known."""
    for x in range(3):
        scratch.known[x] = scratch.points[0, x]
    scratch.known[3] = 0.0 if where == UNDECIDED else where * max(0.0, least)


@kernel
def keep_deepest(row, side, solid, depth, slot, pairs, trees, scratch):
    """Keep the point and its nearest one, on triangle `slot` of the solid, where they are the deepest of the pair."""
    if depth > scratch.numbers[BEST]:
        scratch.numbers[BEST] = depth
        nearest_point(solid, slot, trees, scratch.numbers[LENGTH_UNIT], scratch)
        for k in range(2):
            for x in range(3):
                pairs.points[row, k, x] = scratch.points[k if side == 0 else 1 - k, x]


@kernel
def bound_by_known(corners, bound, scratch):
    """The bound of a piece (3,3) whose points are no deeper than they are farther from scratch.known than the surface
    is, where that is outside; else `bound`."""
    if scratch.known[3] >= 0.0:
        return bound
    most = 0.0
    for i in range(3):
        square = 0.0
        for x in range(3):
            square += squared((corners[i, x] - scratch.known[x]) * scratch.numbers[LENGTH_UNIT])
        most = max(most, square)
    return min(bound, math.sqrt(most) + scratch.known[3] + scratch.numbers[DEPTH_MARGIN])
