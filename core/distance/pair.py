# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance of two triangles and where they come nearest: float64, then double-double, each with proof."""
import math

from ..geometry.triangle_triangle import NO_EXPONENT, arrange, scale_exponent, scale_rows
from ..machine_code.jit import kernel
from .refine import refine
from .triangles import (
    COLUMNS,
    FEATURE,
    FEATURES,
    LANES,
    LENGTH,
    ROUNDING,
    SIZE,
    X,
    Y,
    across,
    nearest_features,
    nearest_points,
    width_across,
)

TOLERANCE = 2.0 ** -40      # relative: the true distance is no less than (1 − TOLERANCE) times what is given
UNTOLD = -1.0               # the triangles meet, or their numbers span too much: left to rational arithmetic


@kernel
def triangle_distance(P, limit, T, F, N, D, points):
    """Distance of the triangles in rows 0–2 and 3–5 of P (6,3): it errs by less than TOLERANCE. Or UNTOLD, or some
    number above `limit` where it is surely more than that. points (2,3): where on the first and on the second they
    come nearest.

    The same to the last bit whichever way round corners and triangles are given. P is scaled and put in order;
    T (ROWS · COLUMNS,), F (FOUND · COLUMNS,), N (3,), D (15,2): scratch.
    """
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        return UNTOLD
    scale_rows(P, exponent)
    limit = math.ldexp(limit, exponent)
    x0 = P[0, 0]
    y0 = P[0, 1]
    z0 = P[0, 2]
    arrange(P)
    kept = 0                # has `arrange` exchanged the triangles? Those that share a corner meet, and are UNTOLD
    for i in range(3):
        kept |= (P[i, 0] == x0) & (P[i, 1] == y0) & (P[i, 2] == z0)
    for i in range(6):
        for x in range(3):
            T[(3 * i + x) * COLUMNS] = P[i, x]
    nearest_features(T, F, LANES)
    feature = int(F[FEATURE * COLUMNS])
    x = F[X * COLUMNS]
    y = F[Y * COLUMNS]
    length = F[LENGTH * COLUMNS]
    size = F[SIZE * COLUMNS]
    if not length > 0.0:
        return UNTOLD
    across(T, F, 0, N)
    lower = width_across(T, 0, N) - ROUNDING * size
    if not (lower > limit or length - lower <= TOLERANCE * length):     # also where the lower bound is NaN
        feature, length, x, y = _surely_nearest(P, size, feature, x, y, D)
        if length == UNTOLD:
            return UNTOLD
    nearest_points(P, feature, x, y, points)
    for k in range(3):
        p = math.ldexp(points[0, k], -exponent)
        q = math.ldexp(points[1, k], -exponent)
        points[0, k] = p if kept else q
        points[1, k] = q if kept else p
    return math.ldexp(length, -exponent)


@kernel
def _surely_nearest(P, size, feature, x, y, D):
    """(feature, distance, x, y) by double-double; the distance is UNTOLD where that does not do either.

    Where two features are as near but for rounding, the one that float64 took may be the wrong one: then all are tried.
    """
    for turn in range(-1, FEATURES):
        if turn >= 0:
            feature = turn
            x = 0.5
            y = 0.5
        lower, length, s, t = refine(P, size, feature, x, y, D)
        if length > 0.0 and length - lower <= TOLERANCE * length:
            return feature, length, s, t
        if length == 0.0:
            break
    return feature, UNTOLD, x, y
