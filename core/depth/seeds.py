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
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..verdicts.components import root_of
from ..verdicts.rays import ON, locate_point
from .contained import measure_inner_point
from .cutting import clip_to_box
from .features import BEST, DEPTH_MARGIN, DROPPED, LEEWAY, LENGTH_UNIT, NO_FEATURE, SEED_SLACK
from .items import CUTS, ITEM_FEATURES, NODE, PIECE, SIDE, STEPS_TAKEN, clear, push, room
from .local_common import NOT_HERE, join_triangles
from .local_parts import MOST_HULL, PLACED, SAME, STRAIGHT, STRAIGHT_DOUBTS, ring_of_corners, straighten_ring
from .local_search import ENDS_ROUNDED
from .local_triangles import UNASKED, slots_in_box
from .nearest_surface import INSIDE, ON_SURFACE, OUTSIDE, distance_to
from .pieces import too_shallow
from .point_triangle import POINT_ROUNDING, corner_rows

MOST_CHAINED = 1 << 15      # contacts of a pair
MOST_SEEDED = 1 << 13       # triangles of one object in the box that both objects' boxes have in common,
SEEDED_PER_CONTACT = 8      # and for each contact: with more, to look at each takes longer than to bound nodes
INNER_PER_CONTACT = 1       # triangles without contacts that may be inside: with more, nodes are bounded faster
MOST_OF_TOLERANCE = 0.25           # of the tolerance, that ends of contacts may take of it
SLACK_OF_HULL = 8.0         # times as much as an end of a contact, a point of a hull may be off
FEATURES_KEPT = 3           # triangles near a piece, of those that bound it
SEEDED, NOT_KNOWN, TOO_MUCH = range(3)


@kernel
def seed_items(row, pairs, contacts, trees, items, local, held, scratch):
    """SEEDED where `items` are pieces now that have all that is inside of either surface, but for what is no deeper
    than the point that was found. NOT_KNOWN where contacts do not tell, and `items` is as it was. TOO_MUCH where too
    much is inside: what was in `items` is not any more.

    held: ContainedScratch, local: LocalPair, which are both only lent."""
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
        if list_common(a if side == 0 else b, count, trees, local, scratch) < 0:
            return NOT_KNOWN
    longest = 0.0
    for side in range(2):
        chain(side, first, count, True, contacts, local)
        longest = max(longest, longest_edge(side, a if side == 0 else b, count, trees, local, scratch))
        chain(side, first, count, False, contacts, local)
    slack = SLACK_OF_HULL * (PLACED * longest * numbers[LENGTH_UNIT]
                             + ENDS_ROUNDED * (numbers[DEPTH_MARGIN] - 2.0 * POINT_ROUNDING))
    if not slack <= MOST_OF_TOLERANCE * numbers[LEEWAY]:
        return NOT_KNOWN
    numbers[SEED_SLACK] = slack
    numbers[LEEWAY] -= 2.0 * slack
    bound = max(items.bound[0], max(numbers[BEST], numbers[DROPPED]))
    answer = NOT_KNOWN
    for side in range(2):
        obj = a if side == 0 else b
        solid = b if side == 0 else a
        if pairs.decides[solid] == 0:
            continue
        chain(side, first, count, True, contacts, local)
        near = list_near(side, obj, solid, first, count, pairs, contacts, trees, local, held, scratch)
        if near >= 0:
            if answer == NOT_KNOWN:
                steps = items.state[STEPS_TAKEN]
                clear(items)
                items.state[STEPS_TAKEN] = steps
            measure_vertices(row, side, obj, solid, near, pairs, trees, local, held, scratch)
            if push_parts(side, obj, solid, near, bound, first, contacts, trees, items, local, held, scratch):
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
def list_common(obj, contact_count, trees, local, scratch):
    """How many triangles of an object are in local.near, all that are in the box that both objects' boxes have in
    common; -1 where these are too many."""
    most = min(MOST_SEEDED, SEEDED_PER_CONTACT * contact_count)
    count = slots_in_box(obj, local.common[:HIGH], local.common[HIGH:], most, trees, local.near, scratch)
    return count if count <= most else -1


@kernel
def longest_edge(side, obj, contact_count, trees, local, scratch):
    """The length of the longest edge of the triangles of a side that have contacts."""
    corners = trees.corners
    count = list_common(obj, contact_count, trees, local, scratch)
    square = 0.0
    world = corners.world
    for k in range(count):
        slot = np.int64(local.near[k])
        if local.triangle_of[side, corners.order[corners.triangle_start[obj] + slot]] == NOT_HERE:
            continue
        corner_rows(corners, obj, slot, scratch.rows)
        for i in range(3):
            p = scratch.rows[i]
            q = scratch.rows[(i + 1) % 3]
            square = max(square, (world[p, 0] - world[q, 0]) ** 2 + (world[p, 1] - world[q, 1]) ** 2
                         + (world[p, 2] - world[q, 2]) ** 2)
    return math.sqrt(square)


@kernel
def list_near(side, obj, solid, first, contact_count, pairs, contacts, trees, local, held, scratch):
    """How many triangles of a surface can have a part inside the solid: they are in local.near, and their vertices are
    in groups that are on one side of the solid's surface. -1 where too many that are not at a contact may be inside: to
    bound nodes of trees takes less time than to measure them."""
    corners = trees.corners
    start = corners.triangle_start[solid]
    count = list_common(solid, contact_count, trees, local, scratch)
    for k in range(count):
        held.plane_of[corners.order[start + local.near[k]]] = local.near[k]
    count = list_common(obj, contact_count, trees, local, scratch)
    join_triangles(side, obj, solid, count, pairs, corners, local)
    bound_vertices(side, obj, solid, count, first, contacts, trees, local, held, scratch)
    inner = 0
    for k in range(count):
        vertex = np.int64(corners.triangles[corners.triangle_start[obj] + local.near[k], 0])
        if math.isinf(held.vertex_depth[vertex]) and local.side_of[root_of(local.parent, vertex)] != OUTSIDE:
            inner += 1
    return count if inner <= INNER_PER_CONTACT * contact_count else -1


@kernel
def push_parts(side, obj, solid, count, bound, first, contacts, trees, items, local, held, scratch):
    """True where all that the first `count` triangles in local.near have inside the solid is in `items`, no part with a
    larger bound than this. False where that does not fit."""
    corners = trees.corners
    start = corners.triangle_start[obj]
    for k in range(count):
        slot = np.int64(local.near[k])
        if room(items) < MOST_HULL:
            return False
        if local.triangle_of[side, corners.order[start + slot]] != NOT_HERE:
            size = hull_of_slot(side, obj, slot, first, contacts, corners, local, scratch)
        elif local.side_of[root_of(local.parent, np.int64(corners.triangles[start + slot, 0]))] == OUTSIDE:
            continue
        else:
            size = 0
            for i in range(3):
                size = add_vertex(obj, np.int64(corners.triangles[start + slot, i]), size, corners, local)
        if size == 0:
            continue
        own = bound_part(side, obj, slot, size, bound, solid, first, contacts, trees, local, held, scratch)
        if not too_shallow(own, scratch.numbers[LEEWAY], scratch.numbers):
            push_part(side, obj, slot, size, own, corners, items, local, scratch)
    return True


@kernel
def bound_vertices(side, obj, solid, count, first, contacts, trees, local, held, scratch):
    """held.vertex_depth = how deep each vertex of the first `count` triangles in local.near can be, by what the
    triangles around it meet: held.shallowest is the nearest of that. Not of vertices that are known to be outside."""
    corners = trees.corners
    start = corners.triangle_start[obj]
    for k in range(count):
        for i in range(3):
            vertex = corners.triangles[start + local.near[k], i]
            held.vertex_depth[vertex] = math.inf
            held.shallowest[vertex] = NO_FEATURE
    for k in range(count):
        contact = np.int64(local.triangle_of[side, corners.order[start + local.near[k]]])
        while contact != NOT_HERE:
            near = np.int64(held.plane_of[other_triangle(side, first + contact, contacts)])
            for i in range(3):
                vertex = np.int64(corners.triangles[start + local.near[k], i])
                if local.side_of[root_of(local.parent, vertex)] != OUTSIDE:
                    distance = distance_to(corners.world[corners.world_start[obj] + vertex], solid, near, trees,
                                           scratch.numbers[LENGTH_UNIT], scratch)
                    if distance < held.vertex_depth[vertex]:
                        held.vertex_depth[vertex] = distance
                        held.shallowest[vertex] = near
            contact = np.int64(local.next_contact[contact])


@kernel
def measure_vertices(row, side, obj, solid, count, pairs, trees, local, held, scratch):
    """Measure those vertices of the first `count` triangles in local.near that may be deeper than what was found,
    neighbours after one another."""
    corners = trees.corners
    start = corners.world_start[obj]
    numbers = scratch.numbers
    for k in range(count):
        for i in range(3):
            vertex = np.int64(corners.triangles[corners.triangle_start[obj] + local.near[k], i])
            if held.vertex_depth[vertex] <= numbers[BEST] + numbers[LEEWAY]:
                continue
            if side_of_vertex(start, vertex, solid, pairs.decides[solid], trees, local, scratch) != INSIDE:
                continue
            for x in range(3):
                scratch.points[0, x] = corners.world[start + vertex, x]
            near = np.int64(held.shallowest[vertex])
            held.vertex_depth[vertex], held.shallowest[vertex] = measure_inner_point(row, side, solid, near, pairs,
                                                                                     trees, scratch)


@kernel
def side_of_vertex(start, vertex, solid, decides, trees, local, scratch):
    """The side of the solid's surface that a vertex is on; one ray is cast for its group. start: of Corners.world."""
    stands = root_of(local.parent, vertex)
    if local.side_of[stands] == UNASKED:
        bits = np.int64(locate_point(trees.corners.world, start + stands, solid, trees, scratch.rays))
        local.side_of[stands] = (ON_SURFACE if bits & (UNDECIDED | ON) else INSIDE if bits & decides else OUTSIDE)
    return local.side_of[stands]


@kernel
def other_triangle(side, contact, contacts):
    """The triangle of the other side that a contact is with."""
    return contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]


@kernel
def add_vertex(obj, vertex, size, corners, local):
    """How many corners a part has that had `size`, with a vertex of an object."""
    for x in range(3):
        local.corner_points[size, x] = corners.world[corners.world_start[obj] + vertex, x]
    return size + 1


@kernel
def hull_of_slot(side, obj, slot, first, contacts, corners, local, scratch):
    """How many of local.corner_points have in their convex hull what a triangle with contacts has inside; 0 where it
    is outside. first: row of the pair's first contact."""
    P = local.corner_points
    triangle = corners.triangle_start[obj] + slot
    size = 0
    for i in range(3):
        vertex = np.int64(corners.triangles[triangle, i])
        if local.side_of[root_of(local.parent, vertex)] != OUTSIDE:
            size = add_vertex(obj, vertex, size, corners, local)
    vertices = size
    same = SAME / scratch.numbers[LENGTH_UNIT]
    k = np.int64(local.triangle_of[side, corners.order[triangle]])
    while k != NOT_HERE:
        if contacts.kind[first + k] == AREA or size + 2 > MOST_HULL:    # its two ends do not say all
            return whole_triangle(obj, slot, corners, local, scratch)
        for which in range(2):
            new = True
            for x in range(3):
                P[size, x] = contacts.point[first + k, which, x]
            for known in range(vertices, size):
                if (abs(P[size, 0] - P[known, 0]) < same and abs(P[size, 1] - P[known, 1]) < same
                        and abs(P[size, 2] - P[known, 2]) < same):
                    new = False
            size += new
        k = np.int64(local.next_contact[k])
    return size


@kernel
def whole_triangle(obj, slot, corners, local, scratch):
    """The same for all that a triangle has in the box that both objects have in common."""
    corner_rows(corners, obj, slot, scratch.rows)
    for i in range(3):
        for x in range(3):
            scratch.polygons[0, i, x] = corners.world[scratch.rows[i], x]
    size = clip_to_box(local.common, scratch.numbers[DEPTH_MARGIN] / scratch.numbers[LENGTH_UNIT], scratch.polygons,
                       scratch.heights)
    for i in range(size):
        for x in range(3):
            local.corner_points[i, x] = scratch.polygons[0, i, x]
    return size


@kernel
def bound_part(side, obj, slot, size, bound, solid, first, contacts, trees, local, held, scratch):
    """How deep the hull of the first `size` of local.corner_points is at most, which is what a triangle of the object
    has inside the solid; or a number that is no more than was found. scratch.features = the triangles near it."""
    enough = scratch.numbers[BEST] + scratch.numbers[LEEWAY]
    triangle = trees.corners.triangle_start[obj] + slot
    features = scratch.features
    for m in range(ITEM_FEATURES):
        features[m] = NO_FEATURE
    count = 0
    for i in range(3):
        near = np.int64(held.shallowest[trees.corners.triangles[triangle, i]])
        if near != NO_FEATURE and near != features[0] and near != features[1]:
            features[count] = near
            count += 1
            bound = min(bound, farthest_of_part(size, near, solid, bound, trees, local, scratch))
    k = np.int64(local.triangle_of[side, trees.corners.order[triangle]])
    while k != NOT_HERE and bound > enough:
        near = np.int64(held.plane_of[other_triangle(side, first + k, contacts)])
        farthest = farthest_of_part(size, near, solid, bound, trees, local, scratch)
        if farthest < bound:
            bound = farthest
            count = min(count + 1, FEATURES_KEPT)
            features[count - 1] = near
        k = np.int64(local.next_contact[k])
    return bound


@kernel
def push_part(side, obj, slot, size, bound, corners, items, local, scratch):
    """Let the hull of the first `size` of local.corner_points, in a triangle of the object, be pieces with this bound,
    near scratch.features."""
    ring = local.ring
    size = ring_of_part(obj, slot, size, corners, local, scratch)
    for i in range(1, max(2, size - 1)):
        new = push(items, bound)
        items.kind[new, SIDE] = side
        items.kind[new, NODE] = PIECE
        items.kind[new, CUTS] = 0
        for x in range(3):
            items.base[new, 0, x] = local.corner_points[ring[0], x]
            items.base[new, 1, x] = local.corner_points[ring[min(i, size - 1)], x]
            items.base[new, 2, x] = local.corner_points[ring[min(i + 1, size - 1)], x]
            for corner in range(3):
                items.shares[new, corner, x] = 1.0 if corner == x else 0.0
        for m in range(ITEM_FEATURES):
            items.features[new, m] = scratch.features[m]
        items.known[new, 3] = 0.0


@kernel
def farthest_of_part(size, near, solid, limit, trees, local, scratch):
    """The largest distance of one of the first `size` of local.corner_points to a triangle of the solid, or one beyond
    `limit`."""
    farthest = 0.0
    for i in range(size):
        if farthest < limit:
            farthest = max(farthest, distance_to(local.corner_points[i], solid, near, trees,
                                                 scratch.numbers[LENGTH_UNIT], scratch))
    return farthest


@kernel
def ring_of_part(obj, slot, size, corners, local, scratch):
    """How many of the first `size` of local.corner_points, which lie in a triangle, are corners of their convex hull;
    their numbers are put into local.ring, the way round."""
    rows = scratch.rows
    corner_rows(corners, obj, slot, rows)
    most = -1.0
    axis = 0
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        W = corners.world
        area = abs((W[rows[1], y] - W[rows[0], y]) * (W[rows[2], z] - W[rows[0], z])
                   - (W[rows[1], z] - W[rows[0], z]) * (W[rows[2], y] - W[rows[0], y]))
        if area > most:
            most = area
            axis = x
    size = ring_of_corners((axis + 1) % 3, (axis + 2) % 3, 0, size, local)
    doubt = STRAIGHT + STRAIGHT_DOUBTS * ENDS_ROUNDED * (scratch.numbers[DEPTH_MARGIN] - 2.0 * POINT_ROUNDING)
    return straighten_ring(size, doubt / scratch.numbers[LENGTH_UNIT], local)
