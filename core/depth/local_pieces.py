# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of triangles whose corners are measured against all triangles near by (local_triangles.py): bounds and cuts.

A piece is a row of DepthItems: its side, its triangle, how often it was cut, and in `features` its three corners, and
whether it is known that no contact passes through it.
"""
import math

import numpy as np

from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..verdicts.rays import ON, locate_point
from .envelope import envelope
from .features import BEST, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT
from .items import CUTS, SIDE, push
from .local_faces import distance_to_face, find_face
from .local_parts import group_of, meets, side_of_point
from .local_planes import REFUSED, plane_bound
from .local_triangles import (
    CORNERS,
    NO_ROW,
    OUTER_POINT,
    PARTS_BEYOND,
    PIECE_UNPASSED,
    TRIANGLE_COUNT,
    height,
    largest_of,
    least_of_largest,
    measure_row,
    nearest_of,
)
from .measuring import keep_deepest
from .nearest_surface import INSIDE, OUTSIDE
from .pieces import too_shallow

CUTS_BEFORE_PLANES = 2      # of a piece: planes are dear to ask, and most pieces need none
NEARER = 0.9375             # times as far as its face, a plane is worth being asked
LEAST_SHARE = 2.0 ** -7     # of a corner: a point with less is too near the side across to be cut at
MOST_ASKED = 4              # faces that a piece is measured against: with six, the game takes eight times as long
TRIANGLE = 1                # column of DepthItems.kind, where a piece has the number of its triangle here
UNPASSED = 3                # column of DepthItems.features


@kernel
def measure_corner(side, c, local):
    """Measure a corner of a side against all triangles of the other one."""
    P = local.corner_points
    start = measure_row(1 - side, P[c, 0], P[c, 1], P[c, 2], local)
    local.corner_rows[c] = start
    local.corner_nearest[c] = nearest_of(local.squares, start, local.sizes[1 - side, TRIANGLE_COUNT])[1]


@kernel
def add_piece(side, k, i, j, m, bound, cuts, items, local, numbers):
    """Keep the piece of triangle k that has three corners, whose parent has a bound, where it may be deepest."""
    bound = min(bound, bound_by_corners(side, i, j, m, local))
    if not too_shallow(bound, numbers[LEEWAY], numbers):
        push_piece(side, k, i, j, m, bound, cuts, items, local)


@kernel
def bound_by_corners(side, i, j, m, local):
    """How deep a piece is at most that has three corners, by one triangle of the solid. They are measured."""
    for corner in (i, j, m):
        if local.corner_rows[corner] == NO_ROW:
            measure_corner(side, corner, local)
    least = least_of_largest(local.squares, unsigned(local.corner_rows[i]), unsigned(local.corner_rows[j]),
                             unsigned(local.corner_rows[m]), local.sizes[1 - side, TRIANGLE_COUNT])
    return math.sqrt(least) + max(local.corner_slack[i], max(local.corner_slack[j], local.corner_slack[m]))


@kernel
def push_piece(side, k, i, j, m, bound, cuts, items, local):
    """The item of a piece of triangle k that has three corners, and this bound, from now on."""
    new = push(items, bound)
    items.kind[new, SIDE] = side
    items.kind[new, TRIANGLE] = k
    items.kind[new, CUTS] = cuts
    items.features[new, 0] = i
    items.features[new, 1] = j
    items.features[new, 2] = m
    items.features[new, UNPASSED] = local.used[PIECE_UNPASSED]
    return new


@kernel
def sharpen(row, item, bound, pairs, contacts, trees, items, local, scratch):
    """The bound of a piece by as many triangles as it needs. It is measured where it may be deepest; that point becomes
    the corner local.used[CORNERS], with the shares scratch.share of the piece's corners."""
    numbers = scratch.numbers
    squares = local.squares
    D = scratch.distances
    side = np.int64(items.kind[item, SIDE])
    triangles = local.sizes[1 - side, TRIANGLE_COUNT]
    solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    decides = pairs.decides[solid]
    corner = items.features[item]
    p = unsigned(local.corner_rows[corner[0]])
    q = unsigned(local.corner_rows[corner[1]])
    r = unsigned(local.corner_rows[corner[2]])
    count = 0
    for i in range(4):
        place = most_even(p, q, r, triangles, squares) if i == 0 else local.corner_nearest[corner[i - 1]]
        count = add_face(1 - side, count, place, corner, local, scratch)
    bound = min(bound, envelope(D, count, numbers[BEST] + numbers[LEEWAY], scratch.share))
    planes = local.used[PIECE_UNPASSED] != 0 or items.kind[item, CUTS] >= CUTS_BEFORE_PLANES
    while bound > numbers[BEST] + numbers[LEEWAY]:
        new = add_corner(side, np.int64(corner[0]), np.int64(corner[1]), np.int64(corner[2]), local, scratch.share)
        place = local.corner_nearest[new]
        distance = math.sqrt(squares[local.corner_rows[new] + place])
        local.used[OUTER_POINT] = 0
        if distance - local.corner_slack[new] > numbers[BEST]:
            bound = min(bound, judge_point(row, item, distance, place, pairs, contacts, trees, items, local, scratch))
        before = bound
        if count < MOST_ASKED:
            count = add_face(1 - side, count, place, corner, local, scratch)
        bound = min(bound, envelope(D, count, numbers[BEST] + numbers[LEEWAY], scratch.share))
        if bound >= before and planes:
            planes = False
            if take_planes(1 - side, count, corner, solid, decides, trees, local, scratch):
                bound = min(bound, envelope(D, count, numbers[BEST] + numbers[LEEWAY], scratch.share))
        if bound >= before:
            break
    return bound


@kernel
def most_even(p, q, r, triangles, squares):
    """The triangle whose largest squared distance in three rows, which begin at p, q and r, is the least."""
    least = least_of_largest(squares, p, q, r, triangles)
    place = np.int64(0)
    while place < triangles - 1:
        at = unsigned(place)
        if largest_of(squares, p + at, q + at, r + at) == least:
            break
        place += 1
    return place


@kernel
def add_face(side, count, place, corner, local, scratch):
    """How many faces a piece is measured against, with that of a triangle of the side of the solid, unless one of them
    is as near to all corners: every face more makes the game dearer. corner: (3,) int32."""
    find_face(side, place, local, scratch.numbers[LEEWAY])
    D = scratch.distances
    p = distance_to_face(side, place, local.corner_rows[corner[0]], local) + local.corner_slack[corner[0]]
    q = distance_to_face(side, place, local.corner_rows[corner[1]], local) + local.corner_slack[corner[1]]
    r = distance_to_face(side, place, local.corner_rows[corner[2]], local) + local.corner_slack[corner[2]]
    row = count
    for k in range(count):
        if D[k, 0] <= p and D[k, 1] <= q and D[k, 2] <= r:
            return count
        if p <= D[k, 0] and q <= D[k, 1] and r <= D[k, 2]:
            row = k
    D[row, 0] = p
    D[row, 1] = q
    D[row, 2] = r
    scratch.features[row] = place
    return max(count, row + 1)


@kernel
def take_planes(side, count, corner, solid, decides, trees, local, scratch):
    """True where a piece is bounded by the planes of some of the faces, too, which are nearer to its corners. So a
    piece before an edge of the solid need not be as small as its feet on both faces are near that edge."""
    D = scratch.distances
    P = local.corner_points
    slack = scratch.numbers[LEEWAY]
    nearer = False
    for k in range(count):
        place = np.int64(scratch.features[k])
        if local.plane[side, place] == REFUSED:
            continue
        nearest = 0
        worth = False
        for i in range(3):
            c = np.int64(corner[i])
            local.ring[i + 1] = c
            worth = worth or abs(height(local.columns[side], place, P[c, 0], P[c, 1], P[c, 2])) < NEARER * D[k, i]
            if D[k, i] < D[k, nearest]:
                nearest = i
        local.ring[0] = corner[nearest]
        if not worth or plane_bound(side, place, 4, math.inf, solid, decides, trees, local, scratch) == math.inf:
            continue
        for i in range(3):
            away = abs(local.away[i + 1]) + local.corner_slack[corner[i]]
            if away < D[k, i] - slack:
                nearer = True
            D[k, i] = min(D[k, i], away)
    return nearer


@kernel
def add_corner(side, i, j, m, local, share):
    """The number of a corner that is the next one from now on, if it is kept: the point that has these shares, (3,), of
    three others."""
    new = local.used[CORNERS]
    P = local.corner_points
    for x in range(3):
        P[new, x] = share[0] * P[i, x] + share[1] * P[j, x] + share[2] * P[m, x]
    local.corner_slack[new] = (share[0] * local.corner_slack[i] + share[1] * local.corner_slack[j]
                               + share[2] * local.corner_slack[m])
    measure_corner(side, new, local)
    return new


@kernel
def judge_point(row, item, distance, place, pairs, contacts, trees, items, local, scratch):
    """A bound of a piece by its newest point, so far from the solid, nearest to triangle `place`. Inside, the point is
    kept as the deepest; outside, all is outside that is nearer to it than the surface."""
    side = np.int64(items.kind[item, SIDE])
    k = np.int64(items.kind[item, TRIANGLE])
    solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    new = local.used[CORNERS]
    P = local.corner_points
    for x in range(3):
        scratch.points[0, x] = local.origin[x] + P[new, x] / scratch.numbers[LENGTH_UNIT]
    where = np.int64(local.sides[side, group_of(side, np.int64(local.corners[side, k, 0]), local)])
    if meets(side, k, local) or local.whole[side, k] == PARTS_BEYOND:
        where = side_of_point(side, k, P[new], contacts, pairs.decides[solid], scratch.numbers[LENGTH_UNIT], local)
        if where == UNDECIDED:
            bits = np.int64(locate_point(scratch.points, 0, solid, trees, scratch.rays))
            if bits & (UNDECIDED | ON):
                return math.inf
            where = np.int64(INSIDE if bits & pairs.decides[solid] else OUTSIDE)
    elif where != INSIDE:
        return math.inf
    local.used[OUTER_POINT] = 1 if where == OUTSIDE else 0
    if where == INSIDE:
        least = min(distance - local.corner_slack[new], local.reach[1 - side])
        if least > local.deepest_by[1 - side]:
            local.deepest_by[1 - side] = least
            local.deepest[1 - side] = place
        if least > scratch.numbers[BEST]:
            keep_deepest(row, side, solid, least, np.int64(local.slots[1 - side, place]), pairs, trees, scratch)
        return math.inf
    most = 0.0
    for i in range(3):
        c = items.features[item, i]
        most = max(most, squared(P[c, 0] - P[new, 0]) + squared(P[c, 1] - P[new, 1]) + squared(P[c, 2] - P[new, 2]))
    return math.sqrt(most) - distance + scratch.numbers[DEPTH_MARGIN] + local.corner_slack[new]


@kernel
def cut_at_point(item, bound, items, local, scratch):
    """Cut a piece at the point that was measured last, by turns with halving its longest edge, and where that point is
    near one of its edges, at that edge."""
    share = scratch.share
    numbers = scratch.numbers
    side = np.int64(items.kind[item, SIDE])
    k = np.int64(items.kind[item, TRIANGLE])
    cuts = np.int64(items.kind[item, CUTS]) + 1
    i = np.int64(items.features[item, 0])
    j = np.int64(items.features[item, 1])
    m = np.int64(items.features[item, 2])
    if cuts % 2 == 1 and min(share[0], min(share[1], share[2])) > LEAST_SHARE:
        new = local.used[CORNERS]
        local.used[CORNERS] += 1
        add_piece(side, k, i, j, new, bound, cuts, items, local, numbers)
        add_piece(side, k, j, m, new, bound, cuts, items, local, numbers)
        add_piece(side, k, m, i, new, bound, cuts, items, local, numbers)
        return
    P = local.corner_points
    longest = -1.0
    best = 0
    t = 0.5
    for turn in range(3):
        length = squared(P[i, 0] - P[j, 0]) + squared(P[i, 1] - P[j, 1]) + squared(P[i, 2] - P[j, 2])
        one = share[turn]
        other = share[(turn + 1) % 3]
        if cuts % 2 == 1 and min(one, other) > LEAST_SHARE:
            length = math.inf
        if length > longest:
            longest = length
            best = turn
            t = other / (one + other) if math.isinf(length) else 0.5
        i, j, m = j, m, i
    for _ in range(best):
        i, j, m = j, m, i
    share[0] = 1.0 - t
    share[1] = t
    share[2] = 0.0
    new = add_corner(side, i, j, m, local, share)
    local.used[CORNERS] += 1
    add_piece(side, k, i, new, m, bound, cuts, items, local, numbers)
    add_piece(side, k, new, j, m, bound, cuts, items, local, numbers)
