# SPDX-License-Identifier: GPL-3.0-or-later
"""The patches of regions: what each has of both surfaces inside the other solid, or a little more that is outside.

Whole triangles, and the trapezoids of triangles that several regions share.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..verdicts.components import root_of
from .region_sides import (
    GROUP_OUTSIDE,
    NO_PLACE,
    REGION_UNKNOWN,
    WITH_CONTACTS,
    WITHOUT_CONTACTS,
    is_group_inside,
    solid_of,
)


@kernel
def add_regions(row, count, alone, pairs, trees, scratch, patches):
    """True where `count` regions of a pair were added, with their patches if they are several; False where there is no
    room. alone: how many have no contacts. Behind the rows in use, `patches` hold the trapezoids of all triangles of
    the pair that were divided."""
    start = patches.used[0]
    if start + count > patches.regions.shape[0]:
        return False
    for number in range(count):
        patches.regions[start + number, 0], patches.regions[start + number, 1] = row, number
        patches.regions[start + number, 2] = patches.regions[start + number, 3] = REGION_UNKNOWN
        patches.slack[start + number] = 0.0
    for k in range(alone):
        side, group = scratch.order[k, 0], scratch.order[k, 1]
        region = start + count - alone + k
        patches.regions[region, 2], patches.regions[region, 3] = side, scratch.group_vertex[side, group]
    patches.used[0] += count
    for which in range(scratch.divided_count[0]):
        add_trapezoids_of(which, start, row, pairs, trees, scratch, patches)
    for side in range(2):
        if count > 1 and not add_triangles(side, row, pairs, trees, scratch, patches):
            return False
    return True


@kernel
def region_of_place(place, scratch):
    """The region of a place."""
    return np.int64(scratch.place_region[root_of(scratch.place_parent, place)])


@kernel
def region_of_group(side, group, row, pairs, trees, scratch):
    """The region of a group, REGION_UNKNOWN where that is outside."""
    if scratch.group_side[side, group] == GROUP_OUTSIDE:
        return np.int64(REGION_UNKNOWN)
    if not is_group_inside(side, group, row, pairs, trees, scratch):
        return np.int64(REGION_UNKNOWN)
    place = np.int64(scratch.group_place[side, group])
    return np.int64(scratch.group_region[side, group]) if place == NO_PLACE else region_of_place(place, scratch)


@kernel
def region_of_crossed(side, k, row, pairs, trees, scratch):
    """The region of a triangle with contacts, REGION_UNKNOWN where several share it."""
    region = np.int64(pairs.region[scratch.own[side, scratch.first[side, k]]])
    for at in range(scratch.first[side, k] + 1, scratch.first[side, k + 1]):
        if pairs.region[scratch.own[side, at]] != region:
            return np.int64(REGION_UNKNOWN)
    for i in range(3):
        corner = region_of_group(side, np.int64(scratch.corner_groups[side, k, i]), row, pairs, trees, scratch)
        if corner != REGION_UNKNOWN and corner != region:
            return np.int64(REGION_UNKNOWN)
    return region


@kernel
def add_trapezoids_of(which, start, row, pairs, trees, scratch, patches):
    """Keep the trapezoids of a divided triangle, where several regions share it, and note what they err by. start: row
    of the pair's first region in `patches`."""
    side, k = scratch.divided[which, 0], scratch.divided[which, 1]
    if region_of_crossed(side, k, row, pairs, trees, scratch) != REGION_UNKNOWN:
        return
    slack = scratch.divided_slack[which]
    for at in range(scratch.first[side, k], scratch.first[side, k + 1]):
        region = start + pairs.region[scratch.own[side, at]]
        patches.slack[region] = max(patches.slack[region], slack)
    for old in range(scratch.divided[which, 2], scratch.divided[which, 3]):
        new = patches.used[2]
        region = region_of_place(patches.parts[old, 1], scratch)
        for corner in range(4):
            for x in range(3):
                patches.trapezoids[new, corner, x] = patches.trapezoids[old, corner, x]
        for column in range(5):
            patches.parts[new, column] = patches.parts[old, column]
        patches.parts[new, 1] = region
        patches.slack[start + region] = max(patches.slack[start + region], slack)
        patches.used[2] += 1


@kernel
def add_triangles(side, row, pairs, trees, scratch, patches):
    """True where the whole triangles were added that regions have of a side."""
    if pairs.decides[solid_of(side, row, pairs)] == 0:
        return True
    for k in range(scratch.sizes[side, WITHOUT_CONTACTS]):
        region = region_of_group(side, np.int64(scratch.rest_groups[side, k]), row, pairs, trees, scratch)
        if region != REGION_UNKNOWN and not add_triangle_of(row, region, side, 0, scratch.rest[side, k], patches):
            return False
    for k in range(scratch.sizes[side, WITH_CONTACTS]):
        region = region_of_crossed(side, k, row, pairs, trees, scratch)
        if region != REGION_UNKNOWN and not add_triangle_of(row, region, side, 1, scratch.slots[side, k], patches):
            return False
    return True


@kernel
def add_triangle_of(row, region, side, crossed, slot, patches):
    """True where a triangle of a region was added."""
    new = patches.used[1]
    if new == patches.triangles.shape[0]:
        return False
    patches.triangles[new, 0], patches.triangles[new, 1], patches.triangles[new, 2] = row, region, side
    patches.triangles[new, 3], patches.triangles[new, 4] = crossed, slot
    patches.used[1] += 1
    return True
