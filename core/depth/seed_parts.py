# SPDX-License-Identifier: GPL-3.0-or-later
"""What one triangle has inside the other solid, by its contacts: a hull, its bound, and the pieces it is cut into."""
import numpy as np

from ..contacts import AREA
from ..machine_code.jit import kernel
from ..verdicts.components import root_of
from .covering import bound_by_cover, is_along
from .cutting import clip_to_box
from .features import BEST, DEPTH_MARGIN, LEEWAY, LENGTH_UNIT, NO_FEATURE
from .items import ITEM_FEATURES, push_new_piece
from .local_common import NOT_HERE
from .local_parts import MOST_HULL, SAME
from .local_search import ENDS_ROUNDED
from .measuring import measure_point
from .nearest_surface import OUTSIDE, distance_to
from .pieces import FAR_ABOVE_BEST, LONGER_THAN_DEEP, longest_side
from .point_triangle import POINT_ROUNDING, corner_rows
from .rings import STRAIGHT, STRAIGHT_DOUBTS, ring_of_corners, straighten_ring
from .shared_area import AREA_MARGIN, shared_area

FEATURES_KEPT = 3           # triangles near a piece, of those that bound it


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
def hull_of_slot(side, obj, slot, solid, first, contacts, corners, local, held, scratch):
    """How many of local.corner_points have in their convex hull what a triangle with contacts has inside; 0 where it
    is outside. first: row of the pair's first contact; held.plane_of: slots of the solid's triangles."""
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
        ends = np.int64(2)
        if contacts.kind[first + k] == AREA:    # its two ends do not say all
            ends = area_of_slots(obj, slot, solid, np.int64(held.plane_of[other_triangle(side, first + k, contacts)]),
                                 corners, scratch)
        if ends == 0 or size + ends > MOST_HULL:
            return whole_triangle(obj, slot, corners, local, scratch)
        for which in range(ends):
            new = True
            for x in range(3):
                P[size, x] = (scratch.polygons[1, which, x] if contacts.kind[first + k] == AREA
                              else contacts.point[first + k, which, x])
            for known in range(vertices, size):
                if (abs(P[size, 0] - P[known, 0]) < same and abs(P[size, 1] - P[known, 1]) < same
                        and abs(P[size, 2] - P[known, 2]) < same):
                    new = False
            size += new
        k = np.int64(local.next_contact[k])
    return size


@kernel
def area_of_slots(obj, slot, solid, other, corners, scratch):
    """How many corners has, in scratch.polygons[1], what a triangle has in common with one of the solid in its plane; 0
    where that is not known."""
    for i in range(3):
        row = corners.world_start[solid] + corners.triangles[corners.triangle_start[solid] + other, i]
        for x in range(3):
            scratch.foot[i, x] = corners.world[row, x]
    corner_rows(corners, obj, slot, scratch.rows)
    for i in range(3):
        for x in range(3):
            scratch.polygons[0, i, x] = corners.world[scratch.rows[i], x]
    margin = AREA_MARGIN / scratch.numbers[LENGTH_UNIT]
    return shared_area(scratch.foot, margin, scratch.polygons, scratch.heights)


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
def cover_triangle(bound, obj, slot, solid, trees, scratch):
    """The bound of a part of a triangle, near scratch.features, that is long beside its depth: by what covers all of
    the triangle."""
    numbers = scratch.numbers
    near = np.int64(scratch.features[0])
    if near == NO_FEATURE or numbers[BEST] == 0.0 or not bound > FAR_ABOVE_BEST * numbers[BEST]:
        return bound
    corner_rows(trees.corners, obj, slot, scratch.rows)
    for i in range(3):
        for x in range(3):
            scratch.corners[i, x] = trees.corners.world[scratch.rows[i], x]
    if (longest_side(scratch.corners) * numbers[LENGTH_UNIT] > LONGER_THAN_DEEP * bound
            and is_along(near, solid, trees, scratch)):
        return bound_by_cover(bound, solid, trees, scratch)
    return bound


@kernel
def measure_middle(row, side, size, solid, pairs, trees, local, scratch):
    """Measure the middle of the first `size` of local.corner_points, a part near scratch.features. Where two surfaces
    are of one shape, and no vertex is inside, it is about as deep as the part."""
    for x in range(3):
        total = 0.0
        for i in range(size):
            total += local.corner_points[i, x]
        scratch.points[0, x] = total / size
    measure_point(row, side, np.int64(scratch.features[0]), solid, pairs, trees, scratch)


@kernel
def push_part(side, obj, slot, size, bound, corners, items, local, scratch):
    """Let the hull of the first `size` of local.corner_points, in a triangle of the object, be pieces with this bound,
    near scratch.features."""
    ring = local.ring
    size = ring_of_part(obj, slot, size, corners, local, scratch)
    for i in range(1, max(2, size - 1)):
        new = push_new_piece(items, side, bound)
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
