# SPDX-License-Identifier: GPL-3.0-or-later
"""What a pair's contacts tell of the triangles of its surfaces: which parts of them can be inside the other solid.

A triangle that meets no triangle of the solid is inside or outside as a whole, and so are those that it shares
vertices with, as far as such triangles reach. Of another triangle, what is inside lies in the convex hull of its
corners that are not outside and of what it shares with the solid's triangles: docs/depth.md.
"""
import math

import numpy as np

from ..contacts import AREA
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..verdicts.components import root_of
from ..verdicts.rays import ON, WOUND, locate_point
from .cutting import clip_to_box
from .features import DEPTH_MARGIN, LENGTH_UNIT
from .local_ends import clear_of_ends, end_slack
from .local_triangles import (
    CORNERS,
    ENDS_ON_SURFACE,
    NO_ROW,
    PARTS_BEYOND,
    PARTS_IN_DOUBT,
    SIDES_IN_DOUBT,
    TRIANGLE_COUNT,
    UNASKED,
    VERTEX_COUNT,
    height,
    is_common,
    measure_row,
    nearest_of,
    plane_axes,
)
from .nearest_surface import INSIDE, ON_SURFACE, OUTSIDE
from .shared_area import AREA_MARGIN, shared_area

MOST_LISTED = 4096          # contacts of a pair that are looked at
MOST_HULL = 24              # points of a hull; of more, the box around them is cut out of the triangle
AROUND_PARTS = 1.0          # times its longest edge, that box is made larger: else contacts cut slivers off
CLIPPED = 2.0 ** -46        # a corner may be off after clipping to a box: twice what its roundings can be
SAME = 2.0 ** -44           # ends of contacts that are nearer along every axis are taken for one


@kernel
def list_contacts(first, last, part, contacts, local):
    """True where the contacts first … last-1 of a pair are listed by the triangles of either side: those of triangle k
    are local.listed[side, local.first[side, k]:local.first[side, k + 1]]. contacts: ContactColumns. part: triangles may
    be missing, and of those that reach out of local.common, contacts."""
    if part:
        mark_beyond(local)
    elif last - first > MOST_LISTED:
        return False
    count = 0
    for row in range(first, last):
        a = local.triangle_of[0, contacts.triangle_a[row]]
        b = local.triangle_of[1, contacts.triangle_b[row]]
        if min(a, b) < 0:
            if not part:
                return False
            continue
        count += 1
        for side in range(2):
            k = a if side == 0 else b
            local.first[side, k] += 1
            if contacts.kind[row] == AREA:      # its two ends do not say all
                local.whole[side, k] = max(local.whole[side, k], PARTS_IN_DOUBT)
            elif not contacts.proper[row]:      # an edge of the surface, say: two contacts, passed at once
                local.whole[side, k] = max(local.whole[side, k], SIDES_IN_DOUBT)
    if count > MOST_LISTED:
        return False
    for side in range(2):
        end = 0
        for k in range(local.sizes[side, TRIANGLE_COUNT]):
            end += local.first[side, k]
            local.first[side, k] = end
        local.first[side, local.sizes[side, TRIANGLE_COUNT]] = end
    for row in range(last - 1, first - 1, -1):
        a = local.triangle_of[0, contacts.triangle_a[row]]
        b = local.triangle_of[1, contacts.triangle_b[row]]
        if min(a, b) >= 0:
            for side in range(2):
                k = a if side == 0 else b
                local.first[side, k] -= 1
                local.listed[side, local.first[side, k]] = row
    return True


@kernel
def mark_beyond(local):
    """Mark the triangles that reach out of local.common."""
    for side in range(2):
        for k in range(local.sizes[side, TRIANGLE_COUNT]):
            for i in range(3):
                if not is_common(local.points[side, local.corners[side, k, i]], local):
                    local.whole[side, k] = PARTS_BEYOND


@kernel
def meets(side, k, local):
    """True where triangle k of a side meets the other surface."""
    return local.first[side, k + 1] > local.first[side, k]


@kernel
def group_vertices(side, box, world, local):
    """Put the vertices of a side into groups that are on one side of the other surface, and mark those groups OUTSIDE
    that have a vertex outside its box (6,)."""
    for k in range(local.sizes[side, TRIANGLE_COUNT]):
        if not meets(side, k, local) and local.whole[side, k] != PARTS_BEYOND:
            group = group_of(side, np.int64(local.corners[side, k, 0]), local)
            for i in range(1, 3):
                local.group[side, group_of(side, np.int64(local.corners[side, k, i]), local)] = group
    for number in range(local.sizes[side, VERTEX_COUNT]):
        row = local.rows[side, number]
        for x in range(3):
            if world[row, x] < box[x] or world[row, x] > box[HIGH + x]:
                local.sides[side, group_of(side, number, local)] = OUTSIDE


@kernel
def group_of(side, number, local):
    """The vertex that stands for the group of a vertex."""
    return root_of(local.group[side], number)


@kernel
def side_of_vertex(side, number, solid, decides, trees, local, rays):
    """The side of the other surface that a vertex is on; one ray is cast for its group."""
    stands = group_of(side, number, local)
    if local.sides[side, stands] == UNASKED:
        bits = np.int64(locate_point(trees.corners.world, local.rows[side, stands], solid, trees, rays))
        local.sides[side, stands] = (UNDECIDED if bits & UNDECIDED else ON_SURFACE if bits & ON
                                     else INSIDE if bits & decides else OUTSIDE)
    return np.int64(local.sides[side, stands])


@kernel
def hull_of(side, k, solid, decides, contacts, trees, local, scratch):
    """How many corners were added behind the local.used[CORNERS] ones: their convex hull has all of triangle k of a
    side that is inside the solid. 0 where it is outside. local.used[ENDS_ON_SURFACE] = 1 where the last one is on the
    solid's surface."""
    base = local.used[CORNERS]
    count = 0
    local.used[ENDS_ON_SURFACE] = 0
    if local.whole[side, k] == PARTS_IN_DOUBT:
        count = hull_with_areas(side, k, solid, decides, contacts, trees, local, scratch)
        if count >= 0:
            return count
    if is_whole(side, k, local):
        box = local.common
        if local.whole[side, k] < PARTS_IN_DOUBT:
            box = local.part_box
            box_of_parts(side, k, solid, decides, contacts, trees, local, scratch)
        for i in range(3):
            for x in range(3):
                scratch.polygons[0, i, x] = local.points[side, local.corners[side, k, i], x]
        count = clip_to_box(box, scratch.numbers[DEPTH_MARGIN], scratch.polygons, scratch.heights)
        for i in range(count):
            for x in range(3):
                local.corner_points[base + i, x] = scratch.polygons[0, i, x]
            local.corner_slack[base + i] = CLIPPED
            local.corner_rows[base + i] = NO_ROW
        return count
    count = add_vertices(side, k, solid, decides, trees, local, scratch)
    if meets(side, k, local):
        count = add_contacts(side, k, count, contacts, local, scratch.numbers[LENGTH_UNIT])
        local.used[ENDS_ON_SURFACE] = 1
    return count


@kernel
def hull_with_areas(side, k, solid, decides, contacts, trees, local, scratch):
    """The same where triangle k has areas in common with triangles in its plane; -1 where that is too much."""
    base = local.used[CORNERS]
    P = local.corner_points
    count = np.int64(add_vertices(side, k, solid, decides, trees, local, scratch))
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        ends = np.int64(2)
        if contacts.kind[contact] == AREA:
            triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
            other = local.triangle_of[1 - side, triangle]
            for i in range(3):
                for x in range(3):
                    scratch.foot[i, x] = local.points[1 - side, local.corners[1 - side, other, i], x]
                    scratch.polygons[0, i, x] = local.points[side, local.corners[side, k, i], x]
            ends = shared_area(scratch.foot, AREA_MARGIN, scratch.polygons, scratch.heights)
        if ends == 0 or count + ends > MOST_HULL:
            return np.int64(-1)
        for which in range(ends):
            new = base + count
            for x in range(3):
                P[new, x] = (scratch.polygons[1, which, x] if contacts.kind[contact] == AREA else
                             (contacts.point[contact, which, x] - local.origin[x]) * scratch.numbers[LENGTH_UNIT])
            local.corner_slack[new] = (CLIPPED if contacts.kind[contact] == AREA else
                                       end_slack(side, k, contact, P[new, 0], P[new, 1], P[new, 2], contacts, local))
            local.corner_rows[new] = NO_ROW
            count += 1
    return count


@kernel
def add_vertices(side, k, solid, decides, trees, local, scratch):
    """How many corners were added behind the local.used[CORNERS] ones: the vertices of triangle k that are not outside.
    """
    new = local.used[CORNERS]
    for i in range(3):
        number = np.int64(local.corners[side, k, i])
        if side_of_vertex(side, number, solid, decides, trees, local, scratch.rays) != OUTSIDE:
            for x in range(3):
                local.corner_points[new, x] = local.points[side, number, x]
            local.corner_slack[new] = 0.0
            local.corner_rows[new] = row_of_vertex(side, number, local)
            local.corner_nearest[new] = local.nearest[side, number]
            new += 1
    return new - local.used[CORNERS]


@kernel
def box_of_parts(side, k, solid, decides, contacts, trees, local, scratch):
    """local.part_box = the box around the corners of triangle k that are not outside and the ends of its contacts, made
    larger, as far as local.common goes."""
    box = local.part_box
    for x in range(3):
        box[x] = math.inf
        box[HIGH + x] = -math.inf
    for i in range(3):
        number = np.int64(local.corners[side, k, i])
        if side_of_vertex(side, number, solid, decides, trees, local, scratch.rays) != OUTSIDE:
            for x in range(3):
                box[x] = min(box[x], local.points[side, number, x])
                box[HIGH + x] = max(box[HIGH + x], local.points[side, number, x])
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        for which in range(2):
            end = scratch.points[0]
            for x in range(3):
                end[x] = (contacts.point[contact, which, x] - local.origin[x]) * scratch.numbers[LENGTH_UNIT]
            slack = end_slack(side, k, contact, end[0], end[1], end[2], contacts, local)
            for x in range(3):
                box[x] = min(box[x], end[x] - slack)
                box[HIGH + x] = max(box[HIGH + x], end[x] + slack)
    reach = 0.0
    for x in range(3):
        reach = max(reach, AROUND_PARTS * (box[HIGH + x] - box[x]))
    for x in range(3):
        box[x] = max(box[x] - reach, local.common[x])
        box[HIGH + x] = min(box[HIGH + x] + reach, local.common[HIGH + x])


@kernel
def is_whole(side, k, local):
    """True where contacts do not tell which part of triangle k may be inside."""
    contacts = local.first[side, k + 1] - local.first[side, k]
    return local.whole[side, k] >= PARTS_IN_DOUBT or 2 * contacts + 3 > MOST_HULL


@kernel
def add_contacts(side, k, count, contacts, local, unit):
    """How many corners a hull has that had `count`, with the ends of the contacts of triangle k, each once."""
    base = local.used[CORNERS]
    P = local.corner_points
    vertices = base + count
    end = vertices
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        for which in range(2):
            new = True
            for x in range(3):
                P[end, x] = (contacts.point[contact, which, x] - local.origin[x]) * unit
            slack = end_slack(side, k, contact, P[end, 0], P[end, 1], P[end, 2], contacts, local)
            for same in range(vertices, end):
                dx, dy, dz = abs(P[end, 0] - P[same, 0]), abs(P[end, 1] - P[same, 1]), abs(P[end, 2] - P[same, 2])
                if max(dx, max(dy, dz)) < SAME:
                    new = False
                    local.corner_slack[same] = max(local.corner_slack[same], slack + dx + dy + dz)
            if new:
                local.corner_slack[end] = slack
                local.corner_rows[end] = NO_ROW
                end += 1
    return end - base


@kernel
def side_of_point(side, k, P, contacts, decides, unit, local):
    """INSIDE or OUTSIDE, where a point (3,) in triangle k of a side is, by the contacts on the way to a corner that is
    outside; UNDECIDED where these do not tell."""
    crossings = 0
    winding = 0
    vertex = outer_corner(side, k, local)
    if vertex >= 0:
        crossings, winding = passed(side, k, P, local.points[side, vertex], contacts, unit, local)
    if vertex < 0 or crossings < 0:
        return np.int64(UNDECIDED)
    return np.int64(INSIDE if means_inside(crossings, winding, decides) else OUTSIDE)


@kernel
def outer_corner(side, k, local):
    """A corner of triangle k that is known to be outside; -1: there is none, or contacts do not tell more."""
    vertex = np.int64(-1)
    if local.whole[side, k] != SIDES_IN_DOUBT and not is_whole(side, k, local):
        for i in range(3):
            number = np.int64(local.corners[side, k, i])
            if local.sides[side, group_of(side, number, local)] == OUTSIDE:
                vertex = number
    return vertex


@kernel
def means_inside(crossings, winding, decides):
    """True where a point is inside a solid whose surface is passed so often on the way outside."""
    return winding != 0 if decides & WOUND else crossings % 2 == 1


@kernel
def passed(side, k, P, Q, contacts, unit, local):
    """(how often, how often inward less outward) the way from P to Q, (3,) in triangle k of a side, passes the other
    surface as it is seen from Q; -1 for the first where that is in doubt."""
    x, y = plane_axes(side, k, local)
    C = local.columns[1 - side]
    dx = Q[x] - P[x]
    dy = Q[y] - P[y]
    clearly = clear_of_ends(local)
    crossings = 0
    winding = 0
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
        other = np.int64(local.triangle_of[1 - side, triangle])
        here = height(C, other, P[0], P[1], P[2])
        there = height(C, other, Q[0], Q[1], Q[2])
        if min(abs(here), abs(there)) < clearly:
            return -1, 0
        if (here > 0.0) == (there > 0.0):
            continue
        ends = contacts.point[contact]
        first = (dx * ((ends[0, y] - local.origin[y]) * unit - P[y])
                 - dy * ((ends[0, x] - local.origin[x]) * unit - P[x]))
        last = dx * ((ends[1, y] - local.origin[y]) * unit - P[y]) - dy * ((ends[1, x] - local.origin[x]) * unit - P[x])
        if min(abs(first), abs(last)) < clearly * (abs(dx) + abs(dy)):
            return -1, 0
        if (first > 0.0) != (last > 0.0):
            crossings += 1
            winding += 1 if there > 0.0 else -1
    return crossings, winding


@kernel
def spread_sides(side, decides, contacts, unit, middle, local):
    """Tell the sides of groups by triangles that have a corner outside. middle: (3,) float64, scratch."""
    again = True
    while again:
        again = False
        for k in range(local.sizes[side, TRIANGLE_COUNT]):
            outer = outer_corner(side, k, local) if meets(side, k, local) else np.int64(-1)
            if outer < 0:
                continue
            for i in range(3):
                number = np.int64(local.corners[side, k, i])
                stands = group_of(side, number, local)
                if local.sides[side, stands] != UNASKED:
                    continue
                # Not along a side, on which contacts end, but through the triangle.
                for x in range(3):
                    middle[x] = (local.points[side, local.corners[side, k, 0], x]
                                 + local.points[side, local.corners[side, k, 1], x]
                                 + local.points[side, local.corners[side, k, 2], x]) / 3.0
                one, turns = passed(side, k, local.points[side, number], middle, contacts, unit, local)
                other, more = passed(side, k, middle, local.points[side, outer], contacts, unit, local)
                if one >= 0 and other >= 0:
                    inside = means_inside(one + other, turns + more, decides)
                    local.sides[side, stands] = INSIDE if inside else OUTSIDE
                    again = True


@kernel
def row_of_vertex(side, number, local):
    """Where the squared distances of a vertex to all triangles of the other side begin in local.squares."""
    if local.row_start[side, number] == NO_ROW:
        point = local.points[side, number]
        start = measure_row(1 - side, point[0], point[1], point[2], local)
        local.row_start[side, number] = start
        local.nearest[side, number] = nearest_of(local.squares, start, local.sizes[1 - side, TRIANGLE_COUNT])[1]
    return local.row_start[side, number]
