# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two triangles and where they come nearest: float64, then double-double, each with proof."""
import math

import numpy as np

from ..geometry.corner_order import arrange
from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..machine_code.jit import kernel
from ..records import TriangleColumns, TrianglePairScratch
from .planes import NONE, PLANE_ROWS, nearest_by_planes
from .refine import refine
from .triangles import (
    BOUNDS_ROUNDING,
    COLUMNS,
    FEATURE,
    FEATURES,
    FOUND_ROWS,
    GIVEN_ROWS,
    LENGTH,
    LOWER,
    SIZE,
    X,
    Y,
    across,
    nearest_features_of_one,
    nearest_points,
    width_across,
)

RELATIVE_ERROR = 2.0 ** -40  # relative: the true distance is no less than (1 − RELATIVE_ERROR) times what is given
UNDECIDED_DISTANCE = -1.0   # the triangles meet, or their numbers span too much: left to rational arithmetic


def triangle_columns() -> TriangleColumns:
    """Columns of zeros."""
    return TriangleColumns(np.zeros(GIVEN_ROWS * COLUMNS), np.zeros(FOUND_ROWS * COLUMNS))


def pair_scratch() -> TrianglePairScratch:
    """Memory for `triangle_distance`."""
    return TrianglePairScratch(triangle_columns(), np.empty((6, 3)), np.empty(3), np.empty((PLANE_ROWS, 2)),
                               np.empty(EXPANSION_SIZE), np.empty((2, 3)))


@kernel
def triangle_distance(limit, scratch):
    """Distance of the two triangles in scratch.corners; it errs by less than RELATIVE_ERROR. UNDECIDED_DISTANCE where
    that takes rational arithmetic. Some number above `limit` where the distance is surely more than that.

    The same to the last bit whichever way round corners and triangles are given. scratch: TrianglePairScratch, whose
    points are then where the first and the second triangle come nearest, and whose corners are scaled and put in order.
    """
    P = scratch.corners
    given = scratch.columns.given
    found = scratch.columns.found
    points = scratch.points
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        return UNDECIDED_DISTANCE
    scale_rows(P, exponent)
    limit = math.ldexp(limit, exponent)
    x0 = P[0, 0]
    y0 = P[0, 1]
    z0 = P[0, 2]
    arrange(P)
    kept = 0            # 0 where `arrange` has exchanged the triangles; those that share a corner meet: undecided
    for i in range(3):
        kept |= (P[i, 0] == x0) & (P[i, 1] == y0) & (P[i, 2] == z0)
    for i in range(6):
        for x in range(3):
            given[(3 * i + x) * COLUMNS] = P[i, x]
    nearest_features_of_one(given, found)
    feature, length, x, y = _proved(limit, scratch.columns, 0, scratch)
    if length == UNDECIDED_DISTANCE:
        return UNDECIDED_DISTANCE
    nearest_points(P, feature, x, y, points)
    for k in range(3):
        p = math.ldexp(points[0, k], -exponent)
        q = math.ldexp(points[1, k], -exponent)
        points[0, k] = p if kept else q
        points[1, k] = q if kept else p
    return math.ldexp(length, -exponent)


@kernel
def column_distance(limit, columns, k, scratch):
    """What `triangle_distance` returns and writes for column k of others, TriangleColumns, after `nearest_features`:
    the same to the last bit. The two triangles, and the corners of each, are in lexicographic order there.

    scratch: TrianglePairScratch, with these corners.
    """
    if math.isnan(columns.found[LOWER * COLUMNS + k]):      # the points are the same, or the numbers are to be scaled
        return triangle_distance(limit, scratch)
    feature, length, x, y = _proved(limit, columns, k, scratch)
    if length != UNDECIDED_DISTANCE:
        nearest_points(scratch.corners, feature, x, y, scratch.points)
    return length


@kernel
def _proved(limit, columns, k, scratch):
    """(feature, distance, x, y) of the triangles of column k, which are those in scratch.corners. The distance is what
    float64 has found if that is proved or surely more than `limit`, or else what is; UNDECIDED_DISTANCE if nothing is.
    """
    given = columns.given
    found = columns.found
    feature = int(found[FEATURE * COLUMNS + k])
    x = found[X * COLUMNS + k]
    y = found[Y * COLUMNS + k]
    length = found[LENGTH * COLUMNS + k]
    size = found[SIZE * COLUMNS + k]
    lower = -math.inf
    if length > 0.0:
        across(given, found, k, scratch.normal)
        lower = width_across(given, k, scratch.normal) - BOUNDS_ROUNDING * size
    if lower > limit or length - lower <= RELATIVE_ERROR * length:      # neither where the lower bound is NaN
        return feature, length, x, y
    return _surely_nearest(scratch.corners, size, feature, length, x, y, scratch)


@kernel
def _surely_nearest(P, size, feature, length, x, y, scratch):
    """(feature, distance, x, y) by double-double or exact volumes; UNDECIDED_DISTANCE where neither proves it.

    Where two features are as near but for rounding, float64 may take the wrong one: then all are tried. length: that
    float64 has found.
    """
    if length > 0.0:
        lower, length, s, t = refine(P, size, feature, x, y, scratch.vectors)
        if length > 0.0 and length - lower <= RELATIVE_ERROR * length:
            return feature, length, s, t
    by_planes, distance, s, t = nearest_by_planes(P, size, scratch.expansion, scratch.vectors)
    if by_planes != NONE:
        return by_planes, distance, s, t
    other = 0
    while length > 0.0 and other < FEATURES:
        lower, length, s, t = refine(P, size, other, 0.5, 0.5, scratch.vectors)
        if length > 0.0 and length - lower <= RELATIVE_ERROR * length:
            return other, length, s, t
        other += 1
    return feature, UNDECIDED_DISTANCE, x, y
