# SPDX-License-Identifier: GPL-3.0-or-later
"""Features: what of a solid's surface a piece is measured against.

A feature is a triangle, or the plane a little outside of one. A plane serves where no point of the solid is between the
piece's foot on it and the outside: where the foot meets no triangle and has a point outside, all of it is outside. The
way from an inner point to its foot then passes the surface, so the point is no deeper than it is far from the plane.
One plane does for many small triangles, wherever the surface is flat or curved outward.
"""

import numpy as np

from ..machine_code.jit import kernel
from .nearest_surface import OUTSIDE, distance_to
from .planes import PLANE_ROUNDING, height_over, unit_normal
from .point_triangle import corner_rows

# Rows of DepthScratch.numbers: lengths are multiplied by the unit, a power of two; how much rounding can change a
# depth; the deepest point so far; the largest bound of what was left out; by how much that may be larger; what the
# depth is not above, as a search found that did not come to its end; how far pieces may be from where they should be;
# a depth that is known to be no more than this need not be known better.
LENGTH_UNIT, DEPTH_MARGIN, BEST, DROPPED, LEEWAY, CAP, SEED_SLACK, ENOUGH_KNOWN = range(8)
LIFT = 2.0                  # how far outside a plane is, in roundings of heights
NO_FEATURE = -1


@kernel
def plane_code(slot, turned):
    """The feature that is the plane of a triangle; turned: 1 where the triangle's normal points into the solid."""
    return -2 - (2 * slot + turned)


@kernel
def slot_of(feature):
    """The triangle's slot of a feature."""
    return feature if feature >= NO_FEATURE else (-2 - feature) >> 1


@kernel
def feature_distance(point, obj, feature, trees, scratch):
    """The distance of a point (3,) to a feature of a placed object."""
    unit = scratch.numbers[LENGTH_UNIT]
    if feature >= 0:
        return distance_to(point, obj, feature, trees, unit, scratch)
    world = trees.corners.world
    corner_rows(trees.corners, obj, slot_of(feature), scratch.rows)
    nx, ny, nz = unit_normal(world, scratch.rows[0], scratch.rows[1], scratch.rows[2], unit)
    height = height_over(point, world, scratch.rows[0], nx, ny, nz, unit)
    return abs((-height if (-2 - feature) & 1 == 0 else height) + lift(scratch))


@kernel
def lift(scratch):
    """How far outside their triangles planes are."""
    return LIFT * (scratch.numbers[DEPTH_MARGIN] + PLANE_ROUNDING)


@kernel
def project(obj, slot, where, trees, scratch):
    """The code of the plane of a triangle, NO_FEATURE where it is not known well enough. where: scratch.points[0] is on
    the plane's outer side if this is OUTSIDE, else on its inner one. scratch.foot (3,3) = the foot of the piece
    scratch.corners on the plane."""
    unit = scratch.numbers[LENGTH_UNIT]
    rows = scratch.rows
    world = trees.corners.world
    corner_rows(trees.corners, obj, slot, rows)
    nx, ny, nz = unit_normal(world, rows[0], rows[1], rows[2], unit)
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        return np.int64(NO_FEATURE)
    above = height_over(scratch.points[0], world, rows[0], nx, ny, nz, unit) > 0.0
    turned = 1 if above != (where == OUTSIDE) else 0
    sign = -1.0 if turned else 1.0
    for i in range(3):
        up = sign * lift(scratch) - height_over(scratch.corners[i], world, rows[0], nx, ny, nz, unit)
        scratch.foot[i, 0] = scratch.corners[i, 0] + up * nx / unit
        scratch.foot[i, 1] = scratch.corners[i, 1] + up * ny / unit
        scratch.foot[i, 2] = scratch.corners[i, 2] + up * nz / unit
    return np.int64(plane_code(slot, turned))
