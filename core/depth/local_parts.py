# SPDX-License-Identifier: GPL-3.0-or-later
"""What a pair's contacts tell of the triangles of its surfaces: which parts of them can be inside the other solid.

A triangle that meets no triangle of the solid is inside or outside as a whole, and so are those that it shares
vertices with, as far as such triangles reach. Of another triangle, what is inside lies in the convex hull of its
corners that are not outside and of what it shares with the solid's triangles: docs/depth.md.
"""
import math

import numpy as np

from ..contacts import AREA
from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..trees.bounds import HIGH
from ..verdicts.components import root_of
from ..verdicts.rays import ON, WOUND, locate_point
from .cutting import clip_to_box
from .features import DEPTH_MARGIN, LENGTH_UNIT
from .local_triangles import (
    CORNERS,
    ENDS_ON_SURFACE,
    LOCAL_STRIDE,
    LONGEST_EDGE,
    NO_ROW,
    NORMAL,
    PARTS_IN_DOUBT,
    SIDES_IN_DOUBT,
    TRIANGLE_COUNT,
    UNASKED,
    VERTEX_COUNT,
    height,
    measure_row,
    nearest_of,
)
from .nearest_surface import INSIDE, ON_SURFACE, OUTSIDE

MOST_LISTED = 4096          # contacts of a pair that are looked at
MOST_HULL = 24              # points of a hull; with more, a triangle counts as a whole
# Ends of contacts are rounded as well: by no more than local.end_doubt, which is what counts far from the origin.
PLACED = 2.0 ** -39         # of an edge: twice as much as the end of a contact may err along it
CLEARLY = 2.0 ** -35        # farther than this from a plane or a line is not in doubt
END_DOUBTS = 4.0            # so many roundings of an end more
STRAIGHT = 2.0 ** -49       # a corner that is no farther from the edge between two others, but for roundings, is on it
STRAIGHT_DOUBTS = 2.0       # so many roundings of an end more
SAME = 2.0 ** -44           # ends of contacts that are nearer along every axis are taken for one


@kernel
def list_contacts(first, last, contacts, local):
    """True where the contacts first … last-1 of a pair are listed by the triangles of either side: those of triangle k
    are local.listed[side, local.first[side, k]:local.first[side, k + 1]]. contacts: ContactColumns."""
    if last - first > MOST_LISTED:
        return False
    for row in range(first, last):
        for side in range(2):
            triangle = contacts.triangle_a[row] if side == 0 else contacts.triangle_b[row]
            k = local.triangle_of[side, triangle]
            if k < 0:
                return False
            local.first[side, k] += 1
            if contacts.kind[row] == AREA:      # its two ends do not say all
                local.whole[side, k] = PARTS_IN_DOUBT
            elif not contacts.proper[row]:      # an edge of the surface, say: two contacts, passed at once
                local.whole[side, k] = max(local.whole[side, k], SIDES_IN_DOUBT)
    for side in range(2):
        end = 0
        for k in range(local.sizes[side, TRIANGLE_COUNT]):
            end += local.first[side, k]
            local.first[side, k] = end
        local.first[side, local.sizes[side, TRIANGLE_COUNT]] = end
        for row in range(last - 1, first - 1, -1):
            triangle = contacts.triangle_a[row] if side == 0 else contacts.triangle_b[row]
            k = local.triangle_of[side, triangle]
            local.first[side, k] -= 1
            local.listed[side, local.first[side, k]] = row
    return True


@kernel
def meets(side, k, local):
    """True where triangle k of a side meets the other surface."""
    return local.first[side, k + 1] > local.first[side, k]


@kernel
def group_vertices(side, box, world, local):
    """Put the vertices of a side into groups that are on one side of the other surface, and mark those groups OUTSIDE
    that have a vertex outside its box (6,)."""
    for k in range(local.sizes[side, TRIANGLE_COUNT]):
        if not meets(side, k, local):
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
    if is_whole(side, k, local):
        for i in range(3):
            for x in range(3):
                scratch.polygons[0, i, x] = local.points[side, local.corners[side, k, i], x]
        count = clip_to_box(local.common, scratch.numbers[DEPTH_MARGIN], scratch.polygons, scratch.heights)
        for i in range(count):
            for x in range(3):
                local.corner_points[base + i, x] = scratch.polygons[0, i, x]
            local.corner_slack[base + i] = scratch.numbers[DEPTH_MARGIN]
            local.corner_rows[base + i] = NO_ROW
        return count
    for i in range(3):
        number = np.int64(local.corners[side, k, i])
        if side_of_vertex(side, number, solid, decides, trees, local, scratch.rays) != OUTSIDE:
            for x in range(3):
                local.corner_points[base + count, x] = local.points[side, number, x]
            local.corner_slack[base + count] = 0.0
            local.corner_rows[base + count] = row_of_vertex(side, number, local)
            local.corner_nearest[base + count] = local.nearest[side, number]
            count += 1
    if meets(side, k, local):
        count = add_contacts(side, k, count, contacts, local, scratch.numbers[LENGTH_UNIT])
        local.used[ENDS_ON_SURFACE] = 1
    return count


@kernel
def is_whole(side, k, local):
    """True where contacts do not tell which part of triangle k may be inside."""
    contacts = local.first[side, k + 1] - local.first[side, k]
    return local.whole[side, k] == PARTS_IN_DOUBT or 2 * contacts + 3 > MOST_HULL


@kernel
def add_contacts(side, k, count, contacts, local, unit):
    """How many corners a hull has that had `count`, with the ends of the contacts of triangle k, each once."""
    base = local.used[CORNERS]
    P = local.corner_points
    vertices = base + count
    end = vertices
    own = local.columns[side, unsigned(LONGEST_EDGE) * LOCAL_STRIDE + unsigned(k)]
    other = local.columns[1 - side]
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
        triangle_beside = unsigned(local.triangle_of[1 - side, triangle])
        longest = max(own, other[unsigned(LONGEST_EDGE) * LOCAL_STRIDE + triangle_beside])
        slack = PLACED * longest + local.end_doubt[0]
        for which in range(2):
            new = True
            for x in range(3):
                P[end, x] = (contacts.point[contact, which, x] - local.origin[x]) * unit
            for same in range(vertices, end):
                if (abs(P[end, 0] - P[same, 0]) < SAME and abs(P[end, 1] - P[same, 1]) < SAME
                        and abs(P[end, 2] - P[same, 2]) < SAME):
                    new = False
                    local.corner_slack[same] = max(local.corner_slack[same], slack + 2.0 * SAME)
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
    clearly = CLEARLY + END_DOUBTS * local.end_doubt[0]
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


@kernel
def plane_axes(side, k, local):
    """The two axes that the plane of triangle k of a side is least upright on."""
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    C = local.columns[side]
    x = abs(C[at])
    y = abs(C[at + LOCAL_STRIDE])
    z = abs(C[at + LOCAL_STRIDE + LOCAL_STRIDE])
    axis = 0 if x >= max(y, z) else 1 if y >= z else 2
    return (axis + 1) % 3, (axis + 2) % 3


@kernel
def ring_of_hull(side, k, first, count, local):
    """How many of the corners from `first` on, so many, are those of their convex hull; their numbers are put into
    local.ring, the way round. They lie in the plane of triangle k of a side."""
    x, y = plane_axes(side, k, local)
    return ring_of_corners(x, y, first, count, local)


@kernel
def ring_of_corners(x, y, first, count, local):
    """The same of corners in a plane that is not upright on the axes x and y."""
    P = local.corner_points
    order = local.order
    for i in range(first, first + count):
        place = i - first
        while place > 0 and (P[order[place - 1], x] > P[i, x]
                             or (P[order[place - 1], x] == P[i, x] and P[order[place - 1], y] > P[i, y])):
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    ring = local.ring
    size = 0
    for turn in range(2):
        begin = size
        for step in range(count):
            i = order[step] if turn == 0 else order[count - 1 - step]
            while size >= begin + 2:
                p = ring[size - 2]
                q = ring[size - 1]
                if (P[q, x] - P[p, x]) * (P[i, y] - P[p, y]) - (P[q, y] - P[p, y]) * (P[i, x] - P[p, x]) > 0.0:
                    break
                size -= 1
            ring[size] = i
            size += 1
        size -= 1       # it begins the other half
    return max(size, 1)


@kernel
def straighten_ring(size, doubt, local):
    """How many of the first `size` of local.ring are left without those that are no farther than `doubt` from the edge
    between two that stay: else pieces would have no area, and nothing tells that such a one is outside."""
    ring = local.ring
    kept = 1
    last = 0                # place of the corner that was kept last
    for i in range(1, size):
        on_edge = True
        for j in range(last + 1, i + 1):
            on_edge = on_edge and from_edge(local.corner_points, ring[kept - 1], ring[j], ring[(i + 1) % size]) <= doubt
        if not on_edge:
            ring[kept] = ring[i]
            kept += 1
            last = i
    return kept


@kernel
def from_edge(P, i, k, j):
    """How far P[k] is from the edge between P[i] and P[j]."""
    ex, ey, ez = P[j, 0] - P[i, 0], P[j, 1] - P[i, 1], P[j, 2] - P[i, 2]
    wx, wy, wz = P[k, 0] - P[i, 0], P[k, 1] - P[i, 1], P[k, 2] - P[i, 2]
    square = ex * ex + ey * ey + ez * ez
    t = 0.0 if not square > 0.0 else min(max((ex * wx + ey * wy + ez * wz) / square, 0.0), 1.0)
    return math.sqrt(squared(wx - t * ex) + squared(wy - t * ey) + squared(wz - t * ez))
