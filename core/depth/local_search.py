# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep two surfaces reach into each other where all triangles near by are few, and the pair's contacts are known.

Contacts tell which parts of triangles can be inside. Each part is bounded by the distances of its corners. What may be
deepest is looked at first, measured, and cut at the point that was measured. docs/depth.md derives the bounds.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from .features import BEST, CAP, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT
from .items import CUTS, ITEM_FEATURES, SIDE, WAITING, clear, pop, room
from .local_common import shrink_common
from .local_hulls import HULL, is_below, open_hull, push_hull
from .local_level import bound_by_level
from .local_loops import MOST_LOOP, push_loops
from .local_outside import bound_beyond, cut_at_contact
from .local_parts import (
    group_vertices,
    hull_of,
    is_whole,
    list_contacts,
    row_of_vertex,
    side_of_vertex,
    spread_sides,
)
from .local_pieces import TRIANGLE, UNPASSED, bound_by_corners, cut_at_point, judge_point, push_piece, sharpen
from .local_sides import cut_at_side
from .local_triangles import (
    CORNERS,
    ENOUGH,
    MOST_PIECE_CORNERS,
    MOST_TRIANGLES,
    OUTER_POINT,
    PARTS_IN_DOUBT,
    PIECE_UNPASSED,
    POINTS,
    SQUARES,
    TRIANGLE_COUNT,
    VERTEX_COUNT,
    forget,
    gather,
    is_common,
)
from .measuring import keep_deepest
from .nearest_surface import INSIDE
from .pieces import is_open, set_cap, too_shallow
from .point_triangle import POINT_ROUNDING

MEASURED, ENDED_EARLY, NOT_GATHERED = range(3)      # what `measure_local` returns
ENDS_ROUNDED = 0.125        # of the roundings that a depth may err by: two of world coordinates
MOST_END_DOUBT = 2.0 ** -34     # of a contact's end
MOST_MEASURED_POINTS = 25600    # that are measured for one pair before the other search begins
ENOUGH_SQUARES = 7200 * MOST_TRIANGLES   # numbers in LocalPair.squares before the other search begins
MOST_SQUARES = ENOUGH_SQUARES + 2 * MOST_LOOP * MOST_TRIANGLES
REACH_OF_BEST = 1.5         # times as far as was found, triangles count that are farther than the box is long
SHALLOWER = 0.5             # of its bound before, a new one lets a piece wait once more
PLANE_REACH_FACTOR = 1.0625     # planes are a little outside of what is no farther than where the box ends


@kernel
def measure_local(row, pairs, contacts, trees, items, local, scratch):
    """MEASURED where the depth of a pair is between scratch.numbers[BEST] and the bound of what was left out or is in
    `items`; what was there is not any more. ENDED_EARLY where it is between that and scratch.numbers[CAP]. NOT_GATHERED
    where triangles near by are too many, or nothing of them is known: then `items` is as it was."""
    a = np.int64(pairs.a[row])
    b = np.int64(pairs.b[row])
    apart = pairs.contact_last[row] == pairs.contact_first[row]
    if pairs.contact_first[row] < 0 or apart and max(pairs.triangles[a], pairs.triangles[b]) > MOST_TRIANGLES:
        return NOT_GATHERED
    local.end_doubt[0] = ENDS_ROUNDED * (scratch.numbers[DEPTH_MARGIN] - 2.0 * POINT_ROUNDING)
    if local.end_doubt[0] > MOST_END_DOUBT:     # contacts do not tell enough
        return NOT_GATHERED
    answer = NOT_GATHERED
    begin_local(local)
    if gather_both(row, a, b, apart, contacts, pairs, trees, local, scratch):
        answer = measure_gathered(row, False, pairs, contacts, trees, items, local, scratch)
        if answer == ENDED_EARLY and items.state[WAITING] > 0:
            set_cap(items, scratch.numbers)
    end_local(a, b, trees.corners, local, scratch)
    return answer


@kernel
def begin_local(local):
    """Begin with no triangles."""
    for side in range(2):
        local.sizes[side] = 0
        local.deepest[side] = -1
        local.deepest_by[side] = 0.0
    local.used[:] = 0
    local.used[ENOUGH] = ENOUGH_SQUARES


@kernel
def end_local(a, b, corners, local, scratch):
    """Leave no triangles behind; count the points that were measured."""
    scratch.tests[0] += local.used[POINTS]
    forget(0, a, corners, local)
    forget(1, b, corners, local)


@kernel
def measure_gathered(row, part, pairs, contacts, trees, items, local, scratch):
    """MEASURED, ENDED_EARLY or NOT_GATHERED, as above, for all that is in local.common. part: that is not all that the
    two objects' boxes have in common. Where it ended early, `items` has all that may be deeper, or nothing."""
    if not list_contacts(pairs.contact_first[row], pairs.contact_last[row], part, contacts, local):
        return NOT_GATHERED
    clear(items)
    if not bound_triangles(row, pairs, contacts, trees, items, local, scratch):
        clear(items)        # which triangles are not in there?
        return ENDED_EARLY
    return MEASURED if refine_pieces(row, pairs, contacts, trees, items, local, scratch) else ENDED_EARLY


@kernel
def gather_both(row, a, b, apart, contacts, pairs, trees, local, scratch):
    """True where the triangles of both objects that can be near a point inside the other one are in `local`. apart: the
    surfaces do not meet."""
    A = pairs.bounds[a]
    B = pairs.bounds[b]
    low = scratch.points[0]
    high = scratch.points[1]
    for x in range(3):
        low[x] = max(A[x], B[x])
        high[x] = min(A[HIGH + x], B[HIGH + x])
    if gather_near(a, b, low, high, apart, pairs, trees, local, scratch):
        return True
    forget(0, a, trees.corners, local)
    forget(1, b, trees.corners, local)
    return (not apart and shrink_common(row, low, high, contacts, pairs, trees, local, scratch)
            and gather_near(a, b, low, high, apart, pairs, trees, local, scratch))


@kernel
def gather_near(a, b, low, high, apart, pairs, trees, local, scratch):
    """The same, where all that is inside is between low and high, (3,) float64."""
    unit = scratch.numbers[LENGTH_UNIT]
    extent = 0.0
    for x in range(3):
        extent = max(extent, high[x] - low[x])
        local.origin[x] = 0.5 * low[x] + 0.5 * high[x]
        local.common[x] = (low[x] - local.origin[x]) * unit
        local.common[HIGH + x] = (high[x] - local.origin[x]) * unit
    for side in range(2):
        box = pairs.bounds[a if side == 0 else b]
        # A point in there is no farther inside the solid than from where the solid's box ends. Where surfaces meet, it
        # is hardly ever as far inside as what is inside is long.
        reach = math.inf if apart else max(extent, REACH_OF_BEST * scratch.numbers[BEST] / unit)
        for x in range(3):
            reach = min(reach, min(box[HIGH + x] - low[x], high[x] - box[x]))
        reach = PLANE_REACH_FACTOR * min(reach, scratch.numbers[CAP] / unit)
        local.reach[side] = reach * unit
        for x in range(3):
            scratch.foot[0, x] = low[x] - reach
            scratch.foot[1, x] = high[x] + reach
            local.known[side, x] = -math.inf if low[x] - reach <= box[x] else local.common[x] - reach * unit
            local.known[side, HIGH + x] = (math.inf if high[x] + reach >= box[HIGH + x] else
                                           local.common[HIGH + x] + reach * unit)
        if not gather(side, a if side == 0 else b, scratch.foot[0], scratch.foot[1], unit, trees, local, scratch):
            return False
    return True


@kernel
def bound_triangles(row, pairs, contacts, trees, items, local, scratch):
    """True where what may be deepest of either side is in `items`, as hulls. False where these are too many."""
    numbers = scratch.numbers
    for side in range(2):
        solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
        if pairs.decides[solid] != 0:
            group_vertices(side, pairs.bounds[solid], trees.corners.world, local)
            spread_sides(side, pairs.decides[solid], contacts, numbers[LENGTH_UNIT], scratch.share, local)
            measure_vertices(row, side, solid, pairs, trees, local, scratch)
    for side in range(2):
        solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
        if pairs.decides[solid] == 0:
            continue
        for k in range(local.sizes[side, TRIANGLE_COUNT]):
            if is_full(items, local):
                return False
            if is_whole(side, k, local) and push_loops(side, k, solid, pairs.decides[solid], contacts, trees, items,
                                                       local, scratch):
                continue
            count = hull_of(side, k, solid, pairs.decides[solid], contacts, trees, local, scratch)
            if count > 0:
                push_hull(side, k, count, contacts, items, local, numbers)
    return True


@kernel
def is_full(items, local):
    """True where there may be too little memory for another hull, or more points were measured than is worth it."""
    return (max(local.used[SQUARES] - local.used[ENOUGH], local.used[POINTS] - MOST_MEASURED_POINTS) > 0
            or local.used[CORNERS] > MOST_PIECE_CORNERS - MOST_LOOP - ITEM_FEATURES
            or room(items) < MOST_LOOP)


@kernel
def measure_vertices(row, side, solid, pairs, trees, local, scratch):
    """Keep the deepest of the vertices of a side that are inside the solid."""
    for number in range(local.sizes[side, VERTEX_COUNT]):
        if not is_common(local.points[side, number], local):
            continue
        if side_of_vertex(side, number, solid, pairs.decides[solid], trees, local, scratch.rays) == INSIDE:
            if local.used[SQUARES] > ENOUGH_SQUARES:
                return
            start = row_of_vertex(side, number, local)
            place = local.nearest[side, number]
            least = min(math.sqrt(local.squares[start + place]), local.reach[1 - side])
            if least > local.deepest_by[1 - side]:
                local.deepest_by[1 - side] = least
                local.deepest[1 - side] = place
            if least > scratch.numbers[BEST]:
                for x in range(3):
                    scratch.points[0, x] = trees.corners.world[local.rows[side, number], x]
                keep_deepest(row, side, solid, least, np.int64(local.slots[1 - side, place]), pairs, trees, scratch)


@kernel
def refine_pieces(row, pairs, contacts, trees, items, local, scratch):
    """True where no piece is deeper than what was found, or than need be known. False where that takes too long."""
    numbers = scratch.numbers
    while items.state[WAITING] > 0 and is_open(items.bound[0], numbers[LEEWAY], numbers):
        if is_full(items, local):
            return False
        bound = items.bound[0]
        item = pop(items)
        local.used[PIECE_UNPASSED] = 0
        if items.kind[item, CUTS] == HULL:
            open_hull(row, item, bound, pairs, contacts, trees, items, local, scratch)
            continue
        # Where contacts are many, pieces of the whole triangle are more likely cut than left out.
        side = np.int64(items.kind[item, SIDE])
        k = np.int64(items.kind[item, TRIANGLE])
        many = is_whole(side, k, local) and local.whole[side, k] != PARTS_IN_DOUBT
        first = many and items.features[item, UNPASSED] == 0
        if many:
            if is_below_deepest(row, item, pairs, trees, items, local, scratch):
                continue
            bound = min(bound, bound_by_corners(side, np.int64(items.features[item, 0]),
                                                np.int64(items.features[item, 1]), np.int64(items.features[item, 2]),
                                                local))
            if (too_shallow(bound, numbers[LEEWAY], numbers)
                    or first and cut_at_contact(item, bound, contacts, items, local, scratch)):
                continue
        local.used[PIECE_UNPASSED] = many
        before = bound
        bound = sharpen(row, item, bound, pairs, contacts, trees, items, local, scratch)
        if too_shallow(bound, numbers[LEEWAY], numbers):
            continue
        bound = min(bound, bound_by_level(item, bound, items, local))
        if too_shallow(bound, numbers[LEEWAY], numbers):
            continue
        if not many and cut_at_contact(item, bound, contacts, items, local, scratch):
            continue
        if first and local.used[OUTER_POINT] == 0:
            ask_newest(row, item, pairs, contacts, trees, items, local, scratch)
        bound = min(bound, bound_beyond(item, contacts, items, local, scratch))
        if too_shallow(bound, numbers[LEEWAY], numbers):
            continue
        if bound < SHALLOWER * before:
            push_piece(side, k, np.int64(items.features[item, 0]), np.int64(items.features[item, 1]),
                       np.int64(items.features[item, 2]), bound, np.int64(items.kind[item, CUTS]), items, local)
        elif not cut_at_side(item, bound, items, local, scratch):
            cut_at_point(item, bound, items, local, scratch)
    return True


@kernel
def ask_newest(row, item, pairs, contacts, trees, items, local, scratch):
    """Ask on which side the point is that was measured last, also where it is no deeper than what was found."""
    new = local.used[CORNERS]
    place = local.corner_nearest[new]
    distance = math.sqrt(local.squares[local.corner_rows[new] + place])
    judge_point(row, item, distance, place, pairs, contacts, trees, items, local, scratch)


@kernel
def is_below_deepest(row, item, pairs, trees, items, local, scratch):
    """True where a plane shows that a piece is no deeper than what was found: that of the triangle nearest to the
    deepest point inside the solid. A flat foot in a floor needs no other."""
    side = np.int64(items.kind[item, SIDE])
    for i in range(3):
        local.ring[i] = items.features[item, i]
    solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    return is_below(side, 3, local.deepest[1 - side], solid, pairs.decides[solid], trees, local, scratch)
