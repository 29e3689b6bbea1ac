# SPDX-License-Identifier: GPL-3.0-or-later
"""First pieces for the search down trees, where the pair's contacts are known: all that either surface has inside.

A node of a tree knows nothing of the surface that it passes, so the search down trees must find out by itself which
parts of triangles are inside. The contacts tell: triangles without contacts that hang together by vertices are inside
or outside as a whole, and what is inside of one with contacts lies in a hull (local_parts.py). Each part is bounded by
the triangles that it meets, and by those that are nearest to its corners inside.
"""
import math

import numpy as np

from ..contacts import AREA
from ..geometry.common_corners import is_corner
from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..verdicts.components import root_of
from ..verdicts.rays import ON, locate_point
from .by_vertices import SAMPLED, is_shallow, remember_feature
from .contained import measure_inner_point
from .features import BEST, DEPTH_MARGIN, DROPPED, LEEWAY, LENGTH_UNIT, NO_FEATURE, SEED_SLACK
from .items import ITEM_FEATURES, STEPS_TAKEN, clear, room
from .local_common import NOT_HERE, join_triangles
from .local_ends import PLACED
from .local_parts import MOST_HULL
from .local_search import ENDS_ROUNDED
from .local_triangles import UNASKED, slots_in_box
from .nearest_surface import INSIDE, ON_SURFACE, OUTSIDE, distance_to
from .pieces import too_shallow
from .point_triangle import POINT_ROUNDING, corner_rows
from .seed_parts import (
    add_vertex,
    bound_part,
    cover_triangle,
    hull_of_slot,
    measure_middle,
    other_triangle,
    push_part,
)

MOST_CHAINED = 1 << 21      # contacts of a pair
MOST_SEEDED = 1 << 18       # triangles of one object in the common box
MOST_OF_TOLERANCE = 0.25           # of the tolerance, that ends of contacts may take of it
SLACK_OF_HULL = 8.0         # times as much as an end of a contact, a point of a hull may be off
SEEDED, NOT_KNOWN, TOO_MUCH = range(3)


@kernel
def seed_items(row, most, most_inner, pairs, contacts, trees, items, local, held, scratch):
    """SEEDED where `items` are pieces now that have all that is inside of either surface, but for what is no deeper
    than the point that was found. NOT_KNOWN where contacts do not tell, and `items` is as it was. TOO_MUCH where too
    much is inside: what was in `items` is not any more.

    NOT_KNOWN, too, where more than `most` triangles of one object are in the common box, or more than `most_inner` that
    are not at a contact may be inside. held: ContainedScratch, local: LocalPair, which are both only lent."""
    numbers = scratch.numbers
    first = pairs.contact_first[row]
    count = pairs.contact_last[row] - first
    if first < 0 or count == 0 or count > MOST_CHAINED:
        return NOT_KNOWN
    a = np.int64(pairs.a[row])
    b = np.int64(pairs.b[row])
    for x in range(3):
        local.common[x] = max(pairs.bounds[a, x], pairs.bounds[b, x])
        local.common[HIGH + x] = min(pairs.bounds[a, HIGH + x], pairs.bounds[b, HIGH + x])
    for side in range(2):
        if not list_common(side, a if side == 0 else b, most, trees, local, scratch):
            return NOT_KNOWN
    longest = 0.0
    for side in range(2):
        chain(side, first, count, True, contacts, local)
        longest = max(longest, longest_edge(side, a if side == 0 else b, trees.corners, local, scratch.rows))
        chain(side, first, count, False, contacts, local)
    slack = SLACK_OF_HULL * (PLACED * longest * numbers[LENGTH_UNIT]
                             + ENDS_ROUNDED * (numbers[DEPTH_MARGIN] - 2.0 * POINT_ROUNDING))
    if not slack <= MOST_OF_TOLERANCE * numbers[LEEWAY]:
        return NOT_KNOWN
    set_slack(slack, numbers)
    bound = max(items.bound[0], max(numbers[BEST], numbers[DROPPED]))
    answer = NOT_KNOWN
    for side in range(2):
        obj = a if side == 0 else b
        solid = b if side == 0 else a
        if pairs.decides[solid] == 0:
            continue
        chain(side, first, count, True, contacts, local)
        near = list_near(side, obj, solid, first, most_inner, pairs, contacts, trees, local, held, scratch)
        if near >= 0:
            if answer == NOT_KNOWN:
                steps = items.state[STEPS_TAKEN]
                clear(items)
                items.state[STEPS_TAKEN] = steps
            measure_vertices(row, side, obj, solid, near, pairs, trees, local, held, scratch)
            if push_parts(row, side, near, bound, pairs, contacts, trees, items, local, held, scratch):
                answer = SEEDED
            else:
                answer = TOO_MUCH
        elif answer == SEEDED:
            answer = TOO_MUCH
        chain(side, first, count, False, contacts, local)
        if answer != SEEDED:
            return answer
    return answer


@kernel
def set_slack(slack, numbers):
    """Let pieces be off by so much; the bounds of the pair end as close together as before."""
    numbers[LEEWAY] += 2.0 * (numbers[SEED_SLACK] - slack)
    numbers[SEED_SLACK] = slack


@kernel
def chain(side, first, count, here, contacts, local):
    """Chain the contacts of each triangle of a side, or let go of the chains: local.triangle_of is the number of its
    first contact, local.next_contact that of the next one, NOT_HERE after the last."""
    for k in range(count):
        triangle = contacts.triangle_a[first + k] if side == 0 else contacts.triangle_b[first + k]
        if here:
            local.next_contact[k] = local.triangle_of[side, triangle]
            local.triangle_of[side, triangle] = k
        else:
            local.triangle_of[side, triangle] = NOT_HERE


@kernel
def list_common(side, obj, most, trees, local, scratch):
    """True where the triangles of an object that are in the box that both objects' boxes have in common are in
    local.near[side], local.near_count[side] of them. False where these are more than `most`."""
    count = slots_in_box(obj, local.common[:HIGH], local.common[HIGH:], most, trees, local.near[side], scratch)
    local.near_count[side] = count
    return count <= most


@kernel
def longest_edge(side, obj, corners, local, rows):
    """The length of the longest edge of the triangles of a side that have contacts. rows: (3,) int64, scratch."""
    square = 0.0
    world = corners.world
    for k in range(local.near_count[side]):
        slot = np.int64(local.near[side, k])
        if local.triangle_of[side, corners.order[corners.triangle_start[obj] + slot]] == NOT_HERE:
            continue
        corner_rows(corners, obj, slot, rows)
        for i in range(3):
            p = rows[i]
            q = rows[(i + 1) % 3]
            square = max(square, squared(world[p, 0] - world[q, 0]) + squared(world[p, 1] - world[q, 1])
                         + squared(world[p, 2] - world[q, 2]))
    return math.sqrt(square)


@kernel
def list_near(side, obj, solid, first, most_inner, pairs, contacts, trees, local, held, scratch):
    """How many triangles of a surface can have a part inside the solid: they are in local.near[side], and their
    vertices are in groups that are on one side of the solid's surface. -1 where more than `most_inner` that are not at
    a contact may be inside."""
    corners = trees.corners
    start = corners.triangle_start[solid]
    for k in range(local.near_count[1 - side]):
        held.plane_of[corners.order[start + local.near[1 - side, k]]] = local.near[1 - side, k]
    count = np.int64(local.near_count[side])
    join_triangles(side, obj, solid, count, pairs, corners, local)
    if away_from_contacts(side, obj, count, corners, local, held) > most_inner:
        return -1
    find_common(side, obj, solid, count, first, contacts, corners, local, held)
    bound_vertices(side, obj, solid, count, first, contacts, trees, local, held, scratch)
    return count


@kernel
def away_from_contacts(side, obj, count, corners, local, held):
    """How many of the first `count` triangles in local.near[side] can be inside, and have a first vertex that none with
    a contact has. held.vertex_depth is infinite for their vertices then, and 0 for all others of these triangles."""
    start = corners.triangle_start[obj]
    for k in range(count):
        for i in range(3):
            held.vertex_depth[corners.triangles[start + local.near[side, k], i]] = math.inf
    for k in range(count):
        if local.triangle_of[side, corners.order[start + local.near[side, k]]] != NOT_HERE:
            for i in range(3):
                held.vertex_depth[corners.triangles[start + local.near[side, k], i]] = 0.0
    inner = 0
    for k in range(count):
        vertex = np.int64(corners.triangles[start + local.near[side, k], 0])
        if math.isinf(held.vertex_depth[vertex]) and local.side_of[root_of(local.parent, vertex)] != OUTSIDE:
            inner += 1
    return inner


@kernel
def push_parts(row, side, count, bound, pairs, contacts, trees, items, local, held, scratch):
    """True where all that the first `count` triangles in local.near[side] have inside the solid is in `items`, no part
    with a larger bound than this. False where that does not fit."""
    obj = np.int64(pairs.a[row] if side == 0 else pairs.b[row])
    solid = np.int64(pairs.b[row] if side == 0 else pairs.a[row])
    first = pairs.contact_first[row]
    corners = trees.corners
    start = corners.triangle_start[obj]
    for k in range(count):
        slot = np.int64(local.near[side, k])
        if held.triangle_bound[slot] == 0.0:
            continue
        if room(items) < MOST_HULL:
            return False
        if local.triangle_of[side, corners.order[start + slot]] != NOT_HERE:
            size = hull_of_slot(side, obj, slot, solid, first, contacts, corners, local, held, scratch)
        elif local.side_of[root_of(local.parent, np.int64(corners.triangles[start + slot, 0]))] == OUTSIDE:
            continue
        else:
            size = 0
            for i in range(3):
                size = add_vertex(obj, np.int64(corners.triangles[start + slot, i]), size, corners, local)
        if size == 0:
            continue
        own = bound_part(side, obj, slot, size, bound, solid, first, contacts, trees, local, held, scratch)
        own = cover_triangle(own, obj, slot, solid, trees, scratch)
        if own > scratch.numbers[BEST] + scratch.numbers[LEEWAY]:
            measure_middle(row, side, size, solid, pairs, trees, local, scratch)
        if not too_shallow(own, scratch.numbers[LEEWAY], scratch.numbers):
            push_part(side, obj, slot, size, own, corners, items, local, scratch)
    return True


@kernel
def find_common(side, obj, solid, count, first, contacts, corners, local, held):
    """held.triangle_bound = 0 of those of the first `count` triangles in local.near[side] that the solid has, too, with
    the same corners: all of them is on its surface. Of the others infinity."""
    start = corners.triangle_start[obj]
    for k in range(count):
        slot = np.int64(local.near[side, k])
        held.triangle_bound[slot] = math.inf
        contact = np.int64(local.triangle_of[side, corners.order[start + slot]])
        while contact != NOT_HERE:
            if contacts.kind[first + contact] == AREA:
                other = np.int64(held.plane_of[other_triangle(side, first + contact, contacts)])
                if has_corners_of(solid, other, obj, slot, corners, local):
                    held.triangle_bound[slot] = 0.0
                    break
            contact = np.int64(local.next_contact[contact])


@kernel
def has_corners_of(obj, slot, other, other_slot, corners, local):
    """True where a triangle has each corner of one of another object."""
    size = 0
    row, other_row = corners.triangle_start[obj] + slot, corners.triangle_start[other] + other_slot
    for i in range(3):
        size = add_vertex(obj, np.int64(corners.triangles[row, i]), size, corners, local)
    for i in range(3):
        size = add_vertex(other, np.int64(corners.triangles[other_row, i]), size, corners, local)
    P = local.corner_points
    return is_corner(P, 3, 0) and is_corner(P, 4, 0) and is_corner(P, 5, 0)


@kernel
def bound_vertices(side, obj, solid, count, first, contacts, trees, local, held, scratch):
    """held.vertex_depth = how deep each vertex of the first `count` triangles in local.near[side] can be, by what the
    triangles around it meet: held.shallowest is the nearest of that. Not of vertices that are known to be outside."""
    corners = trees.corners
    start = corners.triangle_start[obj]
    for k in range(count):
        for i in range(3):
            vertex = corners.triangles[start + local.near[side, k], i]
            held.vertex_depth[vertex] = math.inf
            held.shallowest[vertex] = NO_FEATURE
    for k in range(count):
        if held.triangle_bound[local.near[side, k]] == 0.0:
            for i in range(3):
                held.vertex_depth[corners.triangles[start + local.near[side, k], i]] = 0.0
    for k in range(count):
        if held.triangle_bound[local.near[side, k]] == 0.0:
            continue
        contact = np.int64(local.triangle_of[side, corners.order[start + local.near[side, k]]])
        while contact != NOT_HERE:
            near = np.int64(held.plane_of[other_triangle(side, first + contact, contacts)])
            for i in range(3):
                vertex = np.int64(corners.triangles[start + local.near[side, k], i])
                if local.side_of[root_of(local.parent, vertex)] != OUTSIDE:
                    distance = distance_to(corners.world[corners.world_start[obj] + vertex], solid, near, trees,
                                           scratch.numbers[LENGTH_UNIT], scratch)
                    if distance < held.vertex_depth[vertex]:
                        held.vertex_depth[vertex] = distance
                        held.shallowest[vertex] = near
            contact = np.int64(local.next_contact[contact])


@kernel
def measure_vertices(row, side, obj, solid, count, pairs, trees, local, held, scratch):
    """Measure those vertices of the first `count` triangles in local.near[side] that may be deeper than what was found,
    neighbours after one another, but for those that a triangle near to one before shows not to be."""
    corners = trees.corners
    start = corners.world_start[obj]
    numbers = scratch.numbers
    nearest = np.int64(NO_FEATURE)
    for m in range(ITEM_FEATURES):
        scratch.features[m] = NO_FEATURE
    for turn in range(2):       # some from everywhere first: the deeper the point that was found, the more are left out
        for k in range(0, count, SAMPLED if turn == 0 else 1):
            for i in range(3):
                vertex = np.int64(corners.triangles[corners.triangle_start[obj] + local.near[side, k], i])
                if held.vertex_depth[vertex] <= numbers[BEST] + numbers[LEEWAY]:
                    continue
                if side_of_vertex(start, vertex, solid, pairs.decides[solid], trees, local, scratch) != INSIDE:
                    continue
                if is_shallow(corners.world[start + vertex], solid, trees, scratch):
                    held.vertex_depth[vertex] = 0.0
                    held.shallowest[vertex] = scratch.features[0]
                    continue
                for x in range(3):
                    scratch.points[0, x] = corners.world[start + vertex, x]
                if held.shallowest[vertex] != NO_FEATURE:
                    nearest = np.int64(held.shallowest[vertex])
                held.vertex_depth[vertex], nearest = measure_inner_point(row, side, solid, nearest, pairs, trees,
                                                                         scratch)
                held.shallowest[vertex] = nearest
                remember_feature(nearest, scratch.features)


@kernel
def side_of_vertex(start, vertex, solid, decides, trees, local, scratch):
    """The side of the solid's surface that a vertex is on; one ray is cast for its group. start: of Corners.world."""
    stands = root_of(local.parent, vertex)
    if local.side_of[stands] == UNASKED:
        bits = np.int64(locate_point(trees.corners.world, start + stands, solid, trees, scratch.rays))
        local.side_of[stands] = (ON_SURFACE if bits & (UNDECIDED | ON) else INSIDE if bits & decides else OUTSIDE)
    return local.side_of[stands]
