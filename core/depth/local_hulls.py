# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls of what triangles can have inside (local_parts.py): their first bounds, and the pieces that they become.

Most hulls are no deeper than a few triangles near them tell. So all are bounded by these first, and only those that may
still be deepest when their turn comes are measured against all triangles.

A hull is a row of DepthItems, with HULL in place of how often it was cut, and in `features` its first corner and how
many it has.
"""
import math

import numpy as np

from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..verdicts.rays import ON, locate_point
from .features import BEST, LEEWAY, LENGTH_UNIT
from .items import CUTS, SIDE, push, room
from .local_ends import clear_of_ends
from .local_mesh import MOST_MESHED, add_bends, mesh_of_ring
from .local_parts import MOST_HULL, is_whole, meets
from .local_pieces import TRIANGLE, add_corner, add_piece, judge_point, measure_corner, push_piece
from .local_planes import plane_bound
from .local_triangles import (
    CORNERS,
    ENDS_ON_SURFACE,
    ENOUGH,
    NO_ROW,
    PARTS_BEYOND,
    PARTS_IN_DOUBT,
    SQUARES,
    TRIANGLE_COUNT,
    measure_row,
    nearest_of,
    squares_to,
)
from .pieces import too_shallow
from .rings import STRAIGHT, STRAIGHT_DOUBTS, ring_of_hull, straighten_ring

HULL = -1
FIRST_CORNER, CORNER_COUNT, UNLIKE_HULL = 0, 1, 2   # columns of DepthItems.features: 1 where contacts pass through it
MOST_ASKED_FIRST = 8        # triangles that a hull meets, which bound it first

@kernel
def push_hull(side, k, count, contacts, items, local, numbers):
    """Keep the hull of the last `count` corners, which is what triangle k of a side has inside, where it may be
    deepest. Its item; -1 where it was not kept."""
    bound = first_bound(side, k, count, contacts, local, numbers[BEST] + numbers[LEEWAY])
    if too_shallow(bound, numbers[LEEWAY], numbers):
        return np.int64(-1)
    new = push(items, bound)
    items.kind[new, SIDE] = side
    items.kind[new, TRIANGLE] = k
    items.kind[new, CUTS] = HULL
    items.features[new, FIRST_CORNER] = local.used[CORNERS]
    items.features[new, CORNER_COUNT] = count
    items.features[new, UNLIKE_HULL] = is_whole(side, k, local)
    local.used[CORNERS] += count
    return new


@kernel
def first_bound(side, k, count, contacts, local, enough):
    """How deep the hull of the last `count` corners is at most, by triangles of the solid that triangle k meets, or
    that are nearest to its vertices; or a number up to `enough`. Infinity where there are none."""
    P = local.corner_points
    first = local.used[CORNERS]
    last = first + count - 1
    slack = most = 0.0
    for i in range(first, last + 1):
        slack = max(slack, local.corner_slack[i])
        most = max(most, squared(P[i, 0] - P[last, 0]) + squared(P[i, 1] - P[last, 1]) + squared(P[i, 2] - P[last, 2]))
    bound = math.sqrt(most) + slack if local.used[ENDS_ON_SURFACE] else math.inf    # there it is at the last corner
    met = min(local.first[side, k + 1] - local.first[side, k], MOST_ASKED_FIRST)
    asked = np.int64(-1)
    for source in range(met + 3):
        if bound <= enough:
            break
        if source < met:
            contact = local.listed[side, local.first[side, k] + source]
            triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
            place = np.int64(local.triangle_of[1 - side, triangle])
        else:
            number = local.corners[side, k, source - met]
            place = local.nearest[side, number] if local.row_start[side, number] != NO_ROW else np.int64(-1)
        if place < 0 or place == asked:
            continue
        asked = place
        most = 0.0
        for i in range(first, last + 1):
            squares_to(local.columns[1 - side][place:], 1, P[i, 0], P[i, 1], P[i, 2], local.largest, 0)
            most = max(most, local.largest[0])
        bound = min(bound, math.sqrt(most) + slack)
    return bound


@kernel
def open_hull(row, item, bound, pairs, contacts, trees, items, local, scratch):
    """Keep the pieces of a hull that may be deepest. bound: of the hull."""
    numbers = scratch.numbers
    side = np.int64(items.kind[item, SIDE])
    k = np.int64(items.kind[item, TRIANGLE])
    solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    decides = pairs.decides[solid]
    first = np.int64(items.features[item, FIRST_CORNER])
    count = np.int64(items.features[item, CORNER_COUNT])
    unlike = items.features[item, UNLIKE_HULL] != 0
    doubt = STRAIGHT + STRAIGHT_DOUBTS * local.end_doubt[0]
    size = straighten_ring(ring_of_hull(side, k, first, count, local), doubt, local)
    if size < count:
        take_over_slack(first, count, size, doubt, local)
    squares = local.used[SQUARES]
    if (local.whole[side, k] == PARTS_BEYOND and not meets(side, k, local)
            and is_free(side, size, solid, decides, trees, local, scratch)):
        local.used[SQUARES] = squares
        return
    if is_below(side, size, local.deepest[1 - side], solid, decides, trees, local, scratch):
        return
    if unlike and add_mesh(row, side, k, size, bound, pairs, contacts, trees, items, local, scratch):
        return
    bound = min(bound, bound_of_ring(side, size, local))
    if (too_shallow(bound, numbers[LEEWAY], numbers)
            or is_below_planes(side, k, size, solid, decides, contacts, trees, local, scratch)):
        local.used[SQUARES] = squares
        return
    add_pieces(side, k, size, bound, items, local, numbers)


@kernel
def add_pieces(side, k, size, bound, items, local, numbers):
    """Keep the pieces of the hull of the first `size` corners of local.ring that may be deepest: every other corner is
    cut off, then every other one of those that are left, and so on. A fan would have slivers."""
    ring = local.ring
    if size < 3:        # all corners may be one point
        add_piece(side, k, ring[0], ring[size - 1], ring[size - 1], bound, 0, items, local, numbers)
    step = 1
    while 2 * step <= size:
        for i in range(0, size - step, 2 * step):
            after = i + 2 * step if i + 2 * step < size else 0
            if after != i:
                add_piece(side, k, ring[i], ring[i + step], ring[after], bound, 0, items, local, numbers)
        step *= 2


@kernel
def add_mesh(row, side, k, size, bound, pairs, contacts, trees, items, local, scratch):
    """True where the hull of the first `size` corners of local.ring was cut between ends of contacts that are in it,
    and the pieces kept. bound: of the hull."""
    if size < 3 or local.whole[side, k] >= PARTS_IN_DOUBT or room(items) < MOST_MESHED + MOST_HULL:
        return False
    ends = add_bends(side, k, contacts, scratch.numbers[LENGTH_UNIT], local)
    if ends == 0:
        return False
    count = mesh_of_ring(side, k, size, ends, local)
    if count == size - 2:
        return False
    local.used[CORNERS] += ends
    for x in range(3):
        scratch.share[x] = 1.0 / 3.0
    for i in range(count):
        p, q, r = local.mesh[i, 0], local.mesh[i, 1], local.mesh[i, 2]
        item = push_piece(side, k, p, q, r, bound, 0, items, local)
        # What is found first tells much of all other pieces.
        if local.deepest[1 - side] < 0 and local.used[SQUARES] <= local.used[ENOUGH]:
            new = add_corner(side, p, q, r, local, scratch.share)
            place = local.corner_nearest[new]
            distance = math.sqrt(local.squares[local.corner_rows[new] + place])
            judge_point(row, item, distance, place, pairs, contacts, trees, items, local, scratch)
    return True


@kernel
def is_free(side, size, solid, decides, trees, local, scratch):
    """True where the hull of the first `size` corners of local.ring is outside, which meets nothing: as its middle."""
    middle = scratch.points[0]
    for x in range(3):
        middle[x] = 0.0
        for i in range(size):
            middle[x] += local.corner_points[local.ring[i], x] / size
    start = measure_row(1 - side, middle[0], middle[1], middle[2], local)
    if nearest_of(local.squares, start, local.sizes[1 - side, TRIANGLE_COUNT])[0] <= squared(clear_of_ends(local)):
        return False
    for x in range(3):
        middle[x] = local.origin[x] + middle[x] / scratch.numbers[LENGTH_UNIT]
    return not np.int64(locate_point(scratch.points, 0, solid, trees, scratch.rays)) & (UNDECIDED | ON | decides)


@kernel
def take_over_slack(first, count, size, doubt, local):
    """Let the corners of a ring of so many be in doubt by as much as those of the hull that are not in it: these, too,
    may be outside of the ring by that much, and by `doubt`."""
    slack = 0.0
    for corner in range(first, first + count):
        left_out = True
        for i in range(size):
            left_out = left_out and local.ring[i] != corner
        if left_out:
            slack = max(slack, local.corner_slack[corner] + doubt)
    for i in range(size):
        local.corner_slack[local.ring[i]] = max(local.corner_slack[local.ring[i]], slack)


@kernel
def bound_of_ring(side, size, local):
    """How deep the hull is at most whose corners are the first `size` of local.ring. They are measured."""
    triangles = local.sizes[1 - side, TRIANGLE_COUNT]
    largest = local.largest
    squares = local.squares
    slack = 0.0
    for k in range(unsigned(triangles)):
        largest[k] = 0.0
    for i in range(size):
        corner = local.ring[i]
        slack = max(slack, local.corner_slack[corner])
        if local.corner_rows[corner] == NO_ROW:
            measure_corner(side, corner, local)
        start = unsigned(local.corner_rows[corner])
        for k in range(unsigned(triangles)):
            largest[k] = max(largest[k], squares[start + k])
    return math.sqrt(nearest_of(largest, 0, triangles)[0]) + slack


@kernel
def is_below_planes(side, k, size, solid, decides, contacts, trees, local, scratch):
    """True where the plane of some triangle that triangle k meets, or that is nearest to its corners, says that the
    hull of the first `size` corners of local.ring, which is what it has inside, is no deeper than what was found."""
    asked = np.int64(-1)
    for source in range(3 + local.first[side, k + 1] - local.first[side, k]):
        if source < 3:
            number = local.corners[side, k, source]
            place = local.nearest[side, number] if local.row_start[side, number] != NO_ROW else np.int64(-1)
        else:
            contact = local.listed[side, local.first[side, k] + source - 3]
            triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
            place = np.int64(local.triangle_of[1 - side, triangle])
        if place != asked:
            asked = place
            if is_below(side, size, place, solid, decides, trees, local, scratch):
                return True
    return False


@kernel
def is_below(side, size, place, solid, decides, trees, local, scratch):
    """True where the plane of triangle `place` of the solid, -1: of none, says that the hull of the first `size`
    corners of local.ring is no deeper than what was found."""
    numbers = scratch.numbers
    if place < 0:
        return False
    bound = plane_bound(1 - side, place, size, numbers[BEST] + numbers[LEEWAY], solid, decides, trees, local, scratch)
    return too_shallow(bound, numbers[LEEWAY], numbers)
