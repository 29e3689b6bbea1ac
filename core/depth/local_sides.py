# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts of a piece where its nearest triangle changes, in the columns of local_triangles.py.

Across a triangle the distance to its plane counts, beside it that to an edge. Where a surface is bent away from the
piece, no one triangle is near on both sides of an edge: without a cut along it, pieces would have to be as small in all
directions as they are deep.
"""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from .items import CUTS, SIDE
from .local_outside import beside, cut_along
from .local_pieces import TRIANGLE
from .local_triangles import CORNERS, LOCAL_STRIDE, NORMAL, TO_SECOND, TO_THIRD


@kernel
def cut_at_side(item, bound, items, local, scratch):
    """True where a piece was cut along the plane that is upright on a side of the triangle nearest to the point that
    was measured last; False where no such plane passes through the piece, or it is not the turn of these cuts."""
    cuts = np.int64(items.kind[item, CUTS]) + 1
    if cuts % 2 == 1:
        return False
    side = np.int64(items.kind[item, SIDE])
    corner = items.features[item]
    place = local.corner_nearest[local.used[CORNERS]]
    best = beside(local)
    chosen = -1
    for which in range(3):
        evenness = heights_over_side(1 - side, place, which, corner, local, scratch.heights)
        if evenness > best:
            best = evenness
            chosen = which
    if chosen < 0:
        return False
    heights_over_side(1 - side, place, chosen, corner, local, scratch.heights)
    cut_along(side, np.int64(items.kind[item, TRIANGLE]), bound, cuts, np.int64(corner[0]), np.int64(corner[1]),
              np.int64(corner[2]), items, local, scratch)
    return True


@kernel
def heights_over_side(solid, k, which, corner, local, heights):
    """How far a piece reaches at least to both sides of the plane that is upright on a side of triangle k, and passes
    through its edge number `which`. heights[0:3] = those of the piece's corners, (3,) int32 numbers, over it."""
    C = local.columns[solid]
    P = local.corner_points
    at = unsigned(k)
    second = at + unsigned(TO_SECOND) * LOCAL_STRIDE
    third = at + unsigned(TO_THIRD) * LOCAL_STRIDE
    normal = at + unsigned(NORMAL) * LOCAL_STRIDE
    two = LOCAL_STRIDE + LOCAL_STRIDE
    sx, sy, sz = C[at], C[at + LOCAL_STRIDE], C[at + two]
    ex, ey, ez = C[second], C[second + LOCAL_STRIDE], C[second + two]
    if which == 1:
        ex, ey, ez = C[third], C[third + LOCAL_STRIDE], C[third + two]
    elif which == 2:
        sx, sy, sz = sx + ex, sy + ey, sz + ez
        ex, ey, ez = C[third] - ex, C[third + LOCAL_STRIDE] - ey, C[third + two] - ez
    nx, ny, nz = C[normal], C[normal + LOCAL_STRIDE], C[normal + two]
    over = 1.0 / math.sqrt(ex * ex + ey * ey + ez * ez)
    inx, iny, inz = (ny * ez - nz * ey) * over, (nz * ex - nx * ez) * over, (nx * ey - ny * ex) * over
    low = math.inf
    high = -math.inf
    for i in range(3):
        c = corner[i]
        heights[i] = (P[c, 0] - sx) * inx + (P[c, 1] - sy) * iny + (P[c, 2] - sz) * inz
        low = min(low, heights[i])
        high = max(high, heights[i])
    return min(high, -low)
