# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep an object is that lies inside another one as a whole: by planes that have the outer object on one side.

All of the inner surface is inside, so all of it lies below those planes, and no point is deeper than the nearest plane
is far. On a triangle the least of these linear functions is largest where a small game says (envelope.py). Where the
point is measured, and is as deep, that is the depth; where it is not, the plane of the triangle that is nearest to it
joins the game, if all of the outer object is below it. What planes cannot settle is left to the search down trees.
"""
import math

import numpy as np

from ..codes import A_IN_B, NEITHER
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from .envelope import envelope
from .features import BEST, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT, NO_FEATURE
from .items import ITEM_FEATURES, NODE, WAITING, clear, pop, push, push_new_piece, room
from .measuring import keep_deepest
from .nearest_surface import nearest_surface
from .pieces import too_shallow
from .planes import height_over, unit_normal
from .point_triangle import corner_rows
from .supports import highest_along, write_plane

MOST_PLANES = 32            # of one pair
MOST_ROUNDS = 8             # vertices that are measured one after the other
MOST_LEFT = 256             # triangles that planes do not settle
PLANES_USED, LEFT = 0, 1    # of ContainedScratch.used
CLOSER = 0.25               # of the tolerance: what another plane must be nearer to be worth its place


@kernel
def measure_contained(row, pairs, planes, trees, items, held, scratch):
    """True where the depth of a pair is between scratch.numbers[BEST] and the bound of what was left out or is in
    `items`, pieces of triangles. False where that is not known: then only the former is.

    planes: SupportPlanes; held: ContainedScratch."""
    side = 0 if pairs.inner[row] == A_IN_B else 1
    inner = np.int64(pairs.a[row] if side == 0 else pairs.b[row])
    outer = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    apart = pairs.contact_first[row] >= 0 and pairs.contact_last[row] == pairs.contact_first[row]
    if pairs.inner[row] == NEITHER or not apart or pairs.decides[outer] == 0 or planes.row[outer] < 0:
        return False
    load_planes(outer, pairs, planes, held)
    nearest = measure_deepest_vertices(row, side, inner, outer, pairs, trees, held, scratch)
    if nearest < 0 or not push_triangles(inner, pairs, trees, items, held, scratch):
        return False
    if not settle_triangles(row, side, inner, outer, nearest, pairs, trees, items, held, scratch):
        return False
    keep_left(side, inner, trees, items, held, scratch.numbers)
    return True


@kernel
def measure_deepest_vertices(row, side, inner, outer, pairs, trees, held, scratch):
    """Measure the vertex of the inner object that is farthest below all planes; the slot of the triangle nearest to it.
    Where no plane was known before, the plane of that triangle is the first one, and so on with other vertices, until
    none is deeper than what was found. -1 where that does not come to an end."""
    numbers = scratch.numbers
    known = held.used[PLANES_USED] > 0
    nearest = np.int64(-1)
    for _ in range(MOST_ROUNDS):
        vertex, away = deepest_vertex(inner, pairs, trees, held)
        for x in range(3):
            scratch.points[0, x] = trees.corners.world[vertex, x]
        least, nearest = measure_inner_point(row, side, outer, nearest, pairs, trees, scratch)
        bound = away * numbers[LENGTH_UNIT]
        if known or bound <= numbers[BEST] + numbers[LEEWAY]:
            return nearest
        # A plane that does not touch the solid there says little of other vertices.
        enough = min(bound, least + 2.0 * numbers[DEPTH_MARGIN] + numbers[LEEWAY]) - CLOSER * numbers[LEEWAY]
        if not add_plane(outer, nearest, enough, pairs, trees, held, scratch):
            break
    return np.int64(-1)


@kernel
def load_planes(outer, pairs, planes, held):
    """Let those planes of the outer object that are known be the first ones."""
    row = planes.row[outer]
    held.used[PLANES_USED] = planes.used[row]
    held.used[LEFT] = 0
    for k in range(planes.used[row]):
        for x in range(4):
            held.plane[k, x] = planes.plane[row, k, x]
    for x in range(3):
        held.middle[x] = 0.5 * pairs.bounds[outer, x] + 0.5 * pairs.bounds[outer, HIGH + x]


@kernel
def below(held, k, x, y, z):
    """How far a point is below plane k, in world units."""
    return held.plane[k, 3] - ((x - held.middle[0]) * held.plane[k, 0] + (y - held.middle[1]) * held.plane[k, 1]
                               + (z - held.middle[2]) * held.plane[k, 2])


@kernel
def nearest_plane(held, x, y, z):
    """(plane, how far a point is below it), of the plane that is nearest to the point."""
    least = math.inf
    nearest = 0
    for k in range(held.used[PLANES_USED]):
        away = below(held, k, x, y, z)
        if away < least:
            least = away
            nearest = k
    return nearest, least


@kernel
def deepest_vertex(inner, pairs, trees, held):
    """(row of Corners.world, how far below) of the vertex that is farthest below all planes, infinitely where none is
    known. The nearest plane of each vertex is put into held.shallowest."""
    world = trees.corners.world
    first = trees.corners.world_start[inner]
    deepest = -math.inf
    found = first
    for number in range(pairs.vertices[inner]):
        row = first + number
        nearest, away = nearest_plane(held, world[row, 0], world[row, 1], world[row, 2])
        held.shallowest[number] = nearest
        if away > deepest:
            deepest = away
            found = row
    return found, deepest


@kernel
def measure_inner_point(row, side, outer, slot, pairs, trees, scratch):
    """(lower bound of the distance, slot of the nearest triangle) of the point scratch.points[0] of the inner surface,
    which is kept where it is the deepest. slot: of a triangle that may be near, -1: none."""
    _, least, nearest = nearest_surface(outer, slot, trees, scratch.numbers[LENGTH_UNIT], scratch)
    scratch.tests[0] += 1
    keep_deepest(row, side, outer, least, nearest, pairs, trees, scratch)
    return least, nearest


@kernel
def push_triangles(inner, pairs, trees, items, held, scratch):
    """True where those triangles of the inner object are in `items` now that one plane does not show to be too shallow.
    False where these are too many."""
    numbers = scratch.numbers
    corners = trees.corners
    world = corners.world
    start = corners.world_start[inner]
    for slot in range(pairs.triangles[inner]):
        triangle = corners.triangle_start[inner] + slot
        bound = math.inf
        for i in range(3):
            k = np.int64(held.shallowest[corners.triangles[triangle, i]])
            most = -math.inf
            for j in range(3):
                at = start + corners.triangles[triangle, j]
                most = max(most, below(held, k, world[at, 0], world[at, 1], world[at, 2]))
            bound = min(bound, most * numbers[LENGTH_UNIT])
            if bound <= numbers[BEST] + numbers[LEEWAY]:
                break
        if too_shallow(bound, numbers[LEEWAY], numbers):
            continue
        if room(items) == 0:
            return False
        new = push(items, bound)
        items.kind[new, NODE] = slot
    return True


@kernel
def settle_triangles(row, side, inner, outer, nearest, pairs, trees, items, held, scratch):
    """True where no triangle in `items` is deeper than what was found, and those that planes do not settle are in
    `held`. False where they are too many. nearest: a triangle of the outer object that may be near."""
    numbers = scratch.numbers
    while items.state[WAITING] > 0 and items.bound[0] > numbers[BEST] + numbers[LEEWAY]:
        before = items.bound[0]
        slot = np.int64(items.kind[pop(items), NODE])
        bound = min(before, bound_by_planes(inner, slot, trees, held, scratch))
        if too_shallow(bound, numbers[LEEWAY], numbers):
            continue
        again = items.state[WAITING] > 0 and items.bound[0] > bound     # another one may be deeper
        if not again:
            least, nearest = measure_inner_point(row, side, outer, nearest, pairs, trees, scratch)
            if too_shallow(bound, numbers[LEEWAY], numbers):
                continue
            again = add_plane(outer, nearest, bound - CLOSER * numbers[LEEWAY], pairs, trees, held, scratch)
            if not again:
                if held.used[LEFT] == MOST_LEFT:
                    return False
                leave(slot, nearest, bound, least, held, scratch)
        if again:
            items.kind[push(items, bound), NODE] = slot
    return True


@kernel
def bound_by_planes(inner, slot, trees, held, scratch):
    """How deep a triangle of the inner object is at most. scratch.points[0] = where that is so, unless it is no more
    than was found."""
    numbers = scratch.numbers
    unit = numbers[LENGTH_UNIT]
    D = scratch.distances
    share = scratch.share
    world = trees.corners.world
    rows = held.rows
    corner_rows(trees.corners, inner, slot, rows)
    count = 0
    for i in range(3):
        nearest = nearest_plane(held, world[rows[i], 0], world[rows[i], 1], world[rows[i], 2])[0]
        count = ask_plane_of_corners(nearest, count, rows, world, unit, held, scratch)
    while True:
        bound = envelope(D, count, numbers[BEST] + numbers[LEEWAY], share)
        if bound <= numbers[BEST] + numbers[LEEWAY]:
            return bound
        for x in range(3):
            scratch.points[0, x] = (world[rows[0], x] + (share[1] * (world[rows[1], x] - world[rows[0], x])
                                                         + share[2] * (world[rows[2], x] - world[rows[0], x])))
        nearest, away = nearest_plane(held, scratch.points[0, 0], scratch.points[0, 1], scratch.points[0, 2])
        before = count
        if count < ITEM_FEATURES and away * unit < bound - CLOSER * numbers[LEEWAY]:
            count = ask_plane_of_corners(nearest, count, rows, world, unit, held, scratch)
        if count == before:
            return bound


@kernel
def ask_plane_of_corners(k, count, rows, world, unit, held, scratch):
    """How many planes are in scratch.distances, with plane k, unless it is among them."""
    for i in range(count):
        if scratch.features[i] == k:
            return count
    scratch.features[count] = k
    for i in range(3):
        scratch.distances[count, i] = below(held, k, world[rows[i], 0], world[rows[i], 1], world[rows[i], 2]) * unit
    return count + 1


@kernel
def add_plane(outer, slot, enough, pairs, trees, held, scratch):
    """True where the plane of a triangle of the outer object, moved until all of that is below it, is one more plane,
    as the point scratch.points[0] is less than `enough` below."""
    k = held.used[PLANES_USED]
    if k == MOST_PLANES:
        return False
    world = trees.corners.world
    unit = scratch.numbers[LENGTH_UNIT]
    corner_rows(trees.corners, outer, slot, held.rows)
    base = held.rows[0]
    nx, ny, nz = unit_normal(world, base, held.rows[1], held.rows[2], unit)
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        return False
    sign = -1.0 if height_over(scratch.points[0], world, base, nx, ny, nz, unit) > 0.0 else 1.0
    high = highest_along(outer, base, sign * nx, sign * ny, sign * nz, pairs, trees, scratch.stack)
    write_plane(held.plane[k], sign * nx, sign * ny, sign * nz, high)
    if below(held, k, scratch.points[0, 0], scratch.points[0, 1], scratch.points[0, 2]) * unit >= enough:
        return False
    held.used[PLANES_USED] = k + 1
    return True


@kernel
def leave(slot, nearest, bound, least, held, scratch):
    """Leave a triangle to the search down trees, with the point that was measured and the triangle nearest to it."""
    left = held.used[LEFT]
    held.used[LEFT] = left + 1
    held.slots[left, 0] = slot
    held.slots[left, 1] = nearest
    held.bounds[left] = bound
    for x in range(3):
        held.known[left, x] = scratch.points[0, x]
    held.known[left, 3] = max(0.0, least - scratch.numbers[DEPTH_MARGIN])


@kernel
def keep_left(side, inner, trees, items, held, numbers):
    """Let `items` have what planes did not settle, as pieces."""
    if items.state[WAITING] > 0:
        too_shallow(items.bound[0], math.inf, numbers)
    clear(items)
    for left in range(held.used[LEFT]):
        if too_shallow(held.bounds[left], numbers[LEEWAY], numbers):
            continue
        new = push_new_piece(items, side, held.bounds[left])
        corner_rows(trees.corners, inner, np.int64(held.slots[left, 0]), held.rows)
        for i in range(3):
            for x in range(3):
                items.base[new, i, x] = trees.corners.world[held.rows[i], x]
                items.shares[new, i, x] = 1.0 if i == x else 0.0
        for k in range(ITEM_FEATURES):
            items.features[new, k] = held.slots[left, 1] if k == 0 else NO_FEATURE
        for x in range(4):
            items.known[new, x] = held.known[left, x]
