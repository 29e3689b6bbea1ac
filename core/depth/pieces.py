# SPDX-License-Identifier: GPL-3.0-or-later
"""A piece of a triangle: its bound, its deepest point so far, and the smaller pieces that it is cut into."""
import math

import numpy as np

from ..machine_code.jit import kernel
from .covering import bound_by_cover, is_along
from .crossing import MOST_MEETING, depth_beyond, meeting_triangles
from .cutting import height_of_longest_edge, heights_over_sides
from .envelope import envelope
from .features import (
    BEST,
    CAP,
    DEPTH_MARGIN,
    DROPPED,
    ENOUGH_KNOWN,
    LEEWAY,
    LENGTH_UNIT,
    NO_FEATURE,
    SEED_SLACK,
    feature_distance,
    project,
    slot_of,
)
from .items import CUTS, DISTANCES_UNKNOWN, HAS_WAITED, ITEM_FEATURES, SIDE, WAITING, push, push_new_piece
from .measuring import aim, bound_by_known, guess, is_nearer, measure_point
from .nearest_surface import OUTSIDE, side_of
from .planes import PLANE_ROUNDING
from .point_triangle import corner_rows

NOT_SEARCHED = -2
LONGER_THAN_DEEP = 0.5      # of the bound of a piece, its length where one triangle is hardly near to all of it
FAR_ABOVE_BEST = 1.5        # times as much as was found, a bound that asks for what covers the piece


@kernel
def too_shallow(bound, tolerance, numbers):
    """True where nothing with this bound is deeper than what was found by more than the tolerance; it is left out."""
    if bound > numbers[BEST] + tolerance:
        return False
    numbers[DROPPED] = max(numbers[DROPPED], bound)
    return True


@kernel
def is_open(bound, leeway, numbers):
    """True where it matters what is left to search, of which this is the largest bound: it may be deeper than what was
    found by more than the leeway, and the pair deeper than need be known."""
    return (bound > numbers[BEST] + leeway
            and bound + numbers[DEPTH_MARGIN] + numbers[SEED_SLACK] > numbers[ENOUGH_KNOWN])


@kernel
def set_cap(items, numbers):
    """Keep the bound of what was left out or is waiting: the search ends here."""
    numbers[CAP] = min(numbers[CAP], max(items.bound[0], max(numbers[BEST], numbers[DROPPED])))


@kernel
def refine_piece(row, item, bound, solid, pairs, trees, items, scratch):
    """Measure a piece where it can be deepest until its bound says that it is not, or cut it. item: its row."""
    numbers = scratch.numbers
    unit = numbers[LENGTH_UNIT]
    side = np.int64(items.kind[item, SIDE])
    cuts = np.int64(items.kind[item, CUTS])
    has_waited = items.kind[item, HAS_WAITED] != 0
    count = load(item, solid, trees, items, scratch)
    bound = bound_by_known(scratch.corners, bound, scratch)
    if too_shallow(bound, numbers[LEEWAY], numbers):
        return
    if count > 0 and numbers[BEST] > 0.0 and not has_waited:
        bound = cover_thin(bound, count, solid, trees, scratch)
        if too_shallow(bound, numbers[LEEWAY], numbers):
            return
        if items.state[WAITING] > 0 and bound < items.bound[0]:
            wait_again(item, bound, count, items, scratch)
            return
    met = NOT_SEARCHED
    searching = True
    nearest = np.int64(-1)
    while searching:
        if count > 0:
            bound = min(bound, envelope(scratch.distances, count, numbers[BEST] + numbers[LEEWAY], scratch.share))
            if too_shallow(bound, numbers[LEEWAY], numbers):
                return
        aim(count, scratch)
        where, distance, nearest = measure_point(row, side, guess(count, scratch), solid, pairs, trees, scratch)
        if where == OUTSIDE:
            if met == NOT_SEARCHED:
                met = meeting_triangles(scratch.corners, solid, trees, unit, numbers[DEPTH_MARGIN] + PLANE_ROUNDING,
                                        MOST_MEETING, scratch)
            if met == 0:
                return
            bound = bound_by_known(scratch.corners, bound, scratch)
            for x in range(3):
                scratch.outer[x] = scratch.points[0, x]
        if too_shallow(bound, numbers[LEEWAY], numbers):
            return
        searching = count < ITEM_FEATURES and is_nearer(distance, nearest, count, solid, trees, scratch)
        if searching:
            feature = outer_plane(count, nearest, where, solid, pairs, trees, scratch)
            measure_corners(count, feature, solid, trees, scratch)
            count += 1
    if met > 0:
        bound, count = look_beyond(row, side, bound, met, count, solid, pairs, trees, scratch)
        if too_shallow(bound, numbers[LEEWAY], numbers):
            return
    cut_piece(side, bound, cuts, count, nearest, solid, trees, items, scratch)


@kernel
def cover_thin(bound, count, solid, trees, scratch):
    """The bound of a piece that may be long beside its depth, by the triangles near it, and by what covers it."""
    numbers = scratch.numbers
    if not longest_side(scratch.corners) * numbers[LENGTH_UNIT] > LONGER_THAN_DEEP * bound:
        return bound
    bound = min(bound, envelope(scratch.distances, count, numbers[BEST] + numbers[LEEWAY], scratch.share))
    near = np.int64(slot_of(np.int64(scratch.features[0])))
    if bound > FAR_ABOVE_BEST * numbers[BEST] and is_along(near, solid, trees, scratch):
        bound = bound_by_cover(bound, solid, trees, scratch)
    return bound


@kernel
def look_beyond(row, side, bound, met, count, solid, pairs, trees, scratch):
    """(bound, number of triangles near the piece): what the piece has inside, as it has the point scratch.outer
    outside. The triangles nearest to its deepest corners are added to those near it. met: of scratch.meeting."""
    numbers = scratch.numbers
    unit = numbers[LENGTH_UNIT]
    margin = numbers[DEPTH_MARGIN] + PLANE_ROUNDING
    searching = True
    while searching:
        beyond, feature = depth_beyond(met, count, solid, trees, unit, margin, scratch)
        bound = min(bound, beyond)
        searching = count < ITEM_FEATURES and feature != NO_FEATURE and bound > numbers[BEST] + numbers[LEEWAY]
        if searching:
            where, distance, nearest = measure_point(row, side, slot_of(feature), solid, pairs, trees, scratch)
            searching = distance < beyond - 0.25 * numbers[LEEWAY]
            if searching:
                feature = outer_plane(count, nearest, where, solid, pairs, trees, scratch)
                measure_corners(count, feature, solid, trees, scratch)
                count += 1
    return bound, count


@kernel
def wait_again(item, bound, count, items, scratch):
    """Let the piece that was taken out last wait for its turn with a smaller bound, which is not looked for again."""
    push(items, bound)      # into its own row
    items.kind[item, HAS_WAITED] = 1
    for k in range(count):
        for i in range(3):
            items.distances[item, k, i] = scratch.distances[k, i]


@kernel
def load(item, solid, trees, items, scratch):
    """Load a piece: its corners, how far they are from the triangles that it remembers. Returns how many these are."""
    base = scratch.base
    for i in range(3):
        for x in range(3):
            base[i, x] = items.base[item, i, x]
            scratch.shares[i, x] = items.shares[item, i, x]
    for i in range(3):
        place_corner(i, scratch.corners[i], scratch)
    for x in range(4):
        scratch.known[x] = items.known[item, x]
    for x in range(3):
        scratch.share[x] = 1.0 / 3.0
    count = 0
    measured = items.distances[item, 0, 0] != DISTANCES_UNKNOWN
    while count < ITEM_FEATURES and items.features[item, count] != NO_FEATURE:
        if measured:
            scratch.features[count] = items.features[item, count]
            for i in range(3):
                scratch.distances[count, i] = items.distances[item, count, i]
        else:
            measure_corners(count, np.int64(items.features[item, count]), solid, trees, scratch)
        count += 1
    return count


@kernel
def place_corner(row, corner, scratch):
    """corner (3,) = the point of the triangle scratch.base that has the shares scratch.shares[row]."""
    base = scratch.base
    for x in range(3):
        corner[x] = (base[0, x] + (scratch.shares[row, 1] * (base[1, x] - base[0, x])
                                   + scratch.shares[row, 2] * (base[2, x] - base[0, x])))


@kernel
def measure_corners(k, feature, solid, trees, scratch):
    """Make a feature number k of those near the piece."""
    scratch.features[k] = feature
    for i in range(3):
        scratch.distances[k, i] = feature_distance(scratch.corners[i], solid, feature, trees, scratch)


@kernel
def outer_plane(count, slot, where, solid, pairs, trees, scratch):
    """The plane of a triangle as a feature, where it serves the whole piece and is not one of its features yet; else
    the triangle itself. where: the side that the point scratch.points[0] is on, which tells the plane's sides."""
    numbers = scratch.numbers
    feature = project(solid, slot, where, trees, scratch)
    for k in range(count):
        if scratch.features[k] == feature:
            return slot
    if feature == NO_FEATURE or meeting_triangles(scratch.foot, solid, trees, numbers[LENGTH_UNIT],
                                                  numbers[DEPTH_MARGIN] + PLANE_ROUNDING, 0, scratch) != 0:
        return slot
    for x in range(3):
        scratch.points[0, x] = scratch.foot[0, x]
    if side_of(solid, pairs.decides[solid], 1.0, trees, numbers[LENGTH_UNIT], scratch) != OUTSIDE:
        return slot
    return feature


@kernel
def cut_piece(side, bound, cuts, count, nearest, solid, trees, items, scratch):
    """Cut the piece, by turns where another part of the triangle `nearest` comes near and across its longest edge.

    Pieces that rounding keeps from being cut stay in the bound.
    """
    numbers = scratch.numbers
    heights = scratch.heights
    corners = scratch.corners
    even = False
    if cuts % 2 == 0 and scratch.known[3] >= 0.0:
        corner_rows(trees.corners, solid, nearest, scratch.rows)
        found, evenness = heights_over_sides(corners, trees.corners.world, scratch.rows, numbers[LENGTH_UNIT], heights)
        even = found and evenness > 4.0 * numbers[DEPTH_MARGIN]
    if not even:
        height_of_longest_edge(corners, heights)
    count = choose_features(count, nearest, bound, solid, trees, scratch)
    plus = zero = 0
    for i in range(3):
        if even and abs(heights[i]) <= numbers[DEPTH_MARGIN]:
            heights[i] = 0.0
        plus += heights[i] > 0.0
        zero += heights[i] == 0.0
    if longest_side(corners) * numbers[LENGTH_UNIT] < numbers[DEPTH_MARGIN]:
        too_shallow(bound, math.inf, numbers)
        return
    alone = 0           # the corner that the cut goes through, or that is alone on its side
    for i in range(3):
        if (zero and heights[i] == 0.0) or (not zero and (heights[i] > 0.0) == (plus == 1)):
            alone = i
    j = (alone + 1) % 3
    k = (alone + 2) % 3
    if zero:
        _between(3, j, k, count, solid, trees, scratch)
        push_piece(side, bound, cuts, alone, j, 3, items, scratch)
        push_piece(side, bound, cuts, alone, 3, k, items, scratch)
        return
    _between(3, alone, j, count, solid, trees, scratch)
    _between(4, alone, k, count, solid, trees, scratch)
    push_piece(side, bound, cuts, alone, 3, 4, items, scratch)
    push_piece(side, bound, cuts, 3, j, k, items, scratch)
    push_piece(side, bound, cuts, 3, k, 4, items, scratch)


@kernel
def choose_features(count, nearest, bound, solid, trees, scratch):
    """Let smaller pieces remember the nearest triangle first, and of the others those that can be nearest somewhere.
    Returns how many they remember, with scratch.distances."""
    D = scratch.distances
    chosen = scratch.polygons[0]
    kept = 1
    known = False
    for k in range(count):
        slot = scratch.features[k]
        row = kept
        if slot == nearest:
            row = 0
            known = True
        elif kept < ITEM_FEATURES - 1 and min(D[k, 0], min(D[k, 1], D[k, 2])) < bound:
            scratch.meeting[kept] = slot
            kept += 1
        else:
            continue
        for i in range(3):
            chosen[row, i] = D[k, i]
    if known:
        scratch.features[0] = nearest
    else:
        measure_corners(0, nearest, solid, trees, scratch)
    for k in range(ITEM_FEATURES):
        if k > 0:
            scratch.features[k] = scratch.meeting[k] if k < kept else NO_FEATURE
        for i in range(3 if k < kept and (k > 0 or known) else 0):
            D[k, i] = chosen[k, i]
    return kept


@kernel
def push_piece(side, bound, cuts, i, j, k, items, scratch):
    """A new item, where it may be deepest: the piece of scratch.base whose corners have three rows of scratch.shares,
    and these columns of scratch.distances. bound: of what it was cut from."""
    D = scratch.distances
    count = 0
    while count < ITEM_FEATURES and scratch.features[count] != NO_FEATURE:
        bound = min(bound, max(D[count, i], max(D[count, j], D[count, k])))
        count += 1
    if too_shallow(bound, scratch.numbers[LEEWAY], scratch.numbers):
        return
    new = push_new_piece(items, side, bound)
    items.kind[new, CUTS] = cuts + 1
    for m in range(count):
        items.distances[new, m, 0] = D[m, i]
        items.distances[new, m, 1] = D[m, j]
        items.distances[new, m, 2] = D[m, k]
    for x in range(3):
        for corner in range(3):
            items.base[new, corner, x] = scratch.base[corner, x]
        items.shares[new, 0, x] = scratch.shares[i, x]
        items.shares[new, 1, x] = scratch.shares[j, x]
        items.shares[new, 2, x] = scratch.shares[k, x]
    for m in range(ITEM_FEATURES):
        items.features[new, m] = scratch.features[m]
    for x in range(4):
        items.known[new, x] = scratch.known[x]


@kernel
def _between(row, i, j, count, solid, trees, scratch):
    """scratch.shares[row] = those of the point between the corners i and j where heights are 0, which is then measured
    against the `count` features of the piece."""
    shares = scratch.shares
    t = scratch.heights[i] / (scratch.heights[i] - scratch.heights[j])
    for x in range(3):
        shares[row, x] = shares[i, x] + t * (shares[j, x] - shares[i, x])
    point = scratch.foot[0]
    place_corner(row, point, scratch)
    for k in range(count):
        scratch.distances[k, row] = feature_distance(point, solid, np.int64(scratch.features[k]), trees, scratch)


@kernel
def longest_side(corners):
    """The largest difference of two corners along an axis."""
    longest = 0.0
    for x in range(3):
        low = min(corners[0, x], min(corners[1, x], corners[2, x]))
        longest = max(longest, max(corners[0, x], max(corners[1, x], corners[2, x])) - low)
    return longest
