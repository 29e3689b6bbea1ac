# SPDX-License-Identifier: GPL-3.0-or-later
"""What a triangle with contacts of several places joins: all that one of its cells touches (triangle_cells.py)."""
import numpy as np

from ..contacts import AREA
from ..machine_code.jit import kernel
from ..verdicts.components import root_of
from .region_sides import GROUP_OUTSIDE, NO_PLACE, is_group_inside, may_hold, solid_of, surface_of
from .triangle_cells import DIVIDED, NO_ROOM, divide, holds, middle_of, put_left_corners, put_right_corners, slack_of
from .triangle_strips import CELLS, CRACKS, LINES, MOST_DIVIDING, NO_CONTACT, TRAPEZOIDS

END_ERROR = 2.0 ** -39      # of the longer of two triangles' edges: more than the ends of their contact may err
POINT_ERROR = 2.0 ** -50    # and of the largest coordinate
JOINED, NO_SPACE, NO_ROWS = range(3)        # what `divide_triangle` returns


@kernel
def divide_triangle(side, k, row, pairs, contacts, trees, scratch, patches):
    """JOINED where the places that each inner cell of a triangle touches were joined, or all that it has where cells
    are in doubt. NO_SPACE where scratch.cells must grow, NO_ROWS where `patches` must, which then hold the cells."""
    cells = scratch.cells
    count = scratch.first[side, k + 1] - scratch.first[side, k]
    fits = count <= MOST_DIVIDING
    if fits:
        fits = set_segments(side, k, row, pairs, contacts, trees, scratch)
    if fits:
        error = error_of(side, k, row, pairs, contacts, trees, scratch)
        answer = divide(count, error, cells)
        if answer == NO_ROOM:
            return NO_SPACE
        fits = answer == DIVIDED and find_inner_cells(side, k, row, pairs, trees, scratch)
    if not fits:
        join_all(side, k, row, pairs, trees, scratch)
        return JOINED
    return keep_cells(side, k, count, row, scratch, patches)


@kernel
def set_segments(side, k, row, pairs, contacts, trees, scratch):
    """Write a triangle and its contacts into scratch.cells. False where one of them is an area."""
    cells = scratch.cells
    put_triangle(surface_of(side, row, pairs), scratch.slots[side, k], trees.corners, cells.triangle)
    first = scratch.first[side, k]
    for at in range(first, scratch.first[side, k + 1]):
        contact = scratch.own[side, at]
        if contacts.kind[contact] == AREA:
            return False
        for end in range(2):
            for x in range(3):
                cells.segments[at - first, end, x] = contacts.point[contact, end, x]
    return True


@kernel
def put_triangle(obj, slot, corners, T):
    """T (3,3) = the corners of a triangle of an object."""
    for i in range(3):
        vertex = corners.world_start[obj] + corners.triangles[corners.triangle_start[obj] + slot, i]
        for x in range(3):
            T[i, x] = corners.world[vertex, x]


@kernel
def error_of(side, k, row, pairs, contacts, trees, scratch):
    """How far the ends of a triangle's contacts may be from where they should be."""
    cells = scratch.cells
    other = solid_of(side, row, pairs)
    longest = extent_of(cells.triangle)
    largest = 0.0
    for i in range(3):
        for x in range(3):
            largest = max(largest, abs(cells.triangle[i, x]))
    for at in range(scratch.first[side, k], scratch.first[side, k + 1]):
        contact = scratch.own[side, at]
        triangle = contacts.triangle_b[contact] if side == 0 else contacts.triangle_a[contact]
        slot = scratch.slots[1 - side, scratch.triangle_of[1 - side, triangle]]
        put_triangle(other, slot, trees.corners, cells.beside)
        longest = max(longest, extent_of(cells.beside))
    return 2.0 * END_ERROR * longest + POINT_ERROR * largest


@kernel
def extent_of(T):
    """The largest extent of a triangle (3,3) along an axis."""
    extent = 0.0
    for x in range(3):
        extent = max(extent, max(T[0, x], max(T[1, x], T[2, x])) - min(T[0, x], min(T[1, x], T[2, x])))
    return extent


@kernel
def find_inner_cells(side, k, row, pairs, trees, scratch):
    """True where cells fit what is known of a triangle: then the places that each inner one touches are joined. False,
    with nothing joined, where they do not."""
    cells = scratch.cells
    solid = solid_of(side, row, pairs)
    for cell in range(cells.used[CELLS]):
        cells.place[cell] = NO_PLACE
        cells.inside[cell] = (not middle_of(cell, cells, cells.middle[0])
                              or may_hold(cells.middle, 0, solid, pairs.decides[solid], trees, scratch.rays))
    touch_contacts(side, k, row, False, pairs, scratch)
    for cell in range(cells.used[CELLS]):
        if cells.inside[cell] and cells.place[cell] == NO_PLACE:    # of all others there is a contact on the border
            return False
    for i in range(3):
        group = np.int64(scratch.corner_groups[side, k, i])
        if (is_group_inside(side, group, row, pairs, trees, scratch)
                and not touch_corner(side, group, i, False, row, pairs, trees, scratch)):
            return False
    touch_contacts(side, k, row, True, pairs, scratch)
    for i in range(3):
        group = np.int64(scratch.corner_groups[side, k, i])
        if is_group_inside(side, group, row, pairs, trees, scratch):
            touch_corner(side, group, i, True, row, pairs, trees, scratch)
    for crack in range(cells.used[CRACKS]):
        one, other = np.int64(cells.cracks[crack, 0]), np.int64(cells.cracks[crack, 1])
        join_places(place_of(side, k, one, row, pairs, scratch), place_of(side, k, other, row, pairs, scratch),
                    scratch)
    return True


@kernel
def place_of(side, k, number, row, pairs, scratch):
    """The place of one of a triangle's contacts, counted from the first of the pair."""
    contact = scratch.own[side, scratch.first[side, k] + number]
    return np.int64(pairs.place[contact] - pairs.place[pairs.contact_first[row]])


@kernel
def touch_contacts(side, k, row, joins, pairs, scratch):
    """Note a place that each inner cell touches, or join all that it does."""
    cells = scratch.cells
    for trapezoid in range(cells.used[TRAPEZOIDS]):
        for above in range(2):
            wall = np.int64(cells.number[cells.sides[trapezoid, above]])
            if wall != NO_CONTACT:
                place = place_of(side, k, wall, row, pairs, scratch)
                touch_place(cells.cell[trapezoid], place, joins, scratch)
    for number in range(scratch.first[side, k + 1] - scratch.first[side, k]):
        if not cells.is_wall[number]:
            place = place_of(side, k, number, row, pairs, scratch)
            x = (cells.ends[number, 0, 0] + cells.ends[number, 1, 0]) / 2.0
            y = (cells.ends[number, 0, 1] + cells.ends[number, 1, 1]) / 2.0
            for trapezoid in range(cells.used[TRAPEZOIDS]):
                if holds(trapezoid, x, y, cells):
                    touch_place(cells.cell[trapezoid], place, joins, scratch)


@kernel
def touch_place(cell, place, joins, scratch):
    """Let a cell that is inside touch a place."""
    cells = scratch.cells
    if not cells.inside[cell]:
        return
    if joins:
        join_places(np.int64(cells.place[cell]), place, scratch)
    elif cells.place[cell] == NO_PLACE:
        cells.place[cell] = place


@kernel
def touch_corner(side, group, i, joins, row, pairs, trees, scratch):
    """True where a cell inside has the triangle's corner i, which is one of a group inside. joins: let the group touch
    what such cells do."""
    cells = scratch.cells
    around = False
    for trapezoid in range(cells.used[TRAPEZOIDS]):
        cell = cells.cell[trapezoid]
        if cells.inside[cell] and holds(trapezoid, cells.corners[i, 0], cells.corners[i, 1], cells):
            around = True
            if joins:
                touch_group(side, group, np.int64(cells.place[cell]), row, pairs, trees, scratch)
    return around


@kernel
def join_all(side, k, row, pairs, trees, scratch):
    """Join all places and groups that a triangle touches."""
    first = place_of(side, k, 0, row, pairs, scratch)
    for number in range(1, scratch.first[side, k + 1] - scratch.first[side, k]):
        join_places(first, place_of(side, k, number, row, pairs, scratch), scratch)
    touch_corners(side, k, row, pairs, trees, scratch)


@kernel
def touch_corners(side, k, row, pairs, trees, scratch):
    """Let the groups of a triangle's corners touch its contacts, whose places are joined."""
    place = place_of(side, k, 0, row, pairs, scratch)
    for i in range(3):
        touch_group(side, np.int64(scratch.corner_groups[side, k, i]), place, row, pairs, trees, scratch)


@kernel
def touch_group(side, group, place, row, pairs, trees, scratch):
    """Let a group, if it is inside, hang together with a place. It is asked only where it touches another one, too."""
    if scratch.group_side[side, group] == GROUP_OUTSIDE:
        return
    known = np.int64(scratch.group_place[side, group])
    if known == NO_PLACE:
        scratch.group_place[side, group] = place
    elif root_of(scratch.place_parent, known) != root_of(scratch.place_parent, place):
        if is_group_inside(side, group, row, pairs, trees, scratch):
            join_places(known, place, scratch)


@kernel
def join_places(one, other, scratch):
    """Join two places."""
    one, other = root_of(scratch.place_parent, one), root_of(scratch.place_parent, other)
    scratch.place_parent[max(one, other)] = min(one, other)


@kernel
def keep_cells(side, k, count, row, scratch, patches):
    """Keep the trapezoids of cells inside behind those of `patches`, with a place in place of a region, and as one what
    goes on between the same two lines. JOINED, or NO_ROWS."""
    cells = scratch.cells
    number = scratch.divided_count[0]
    first = patches.used[2]
    cells.last[:cells.used[LINES]] = -1
    for trapezoid in range(cells.used[TRAPEZOIDS]):
        cell = cells.cell[trapezoid]
        if not cells.inside[cell]:
            continue
        last = cells.last[cells.sides[trapezoid, 0]]
        goes_on = (last[0] == cells.strip[trapezoid] - 1 and last[1] == cells.sides[trapezoid, 1] and last[2] == cell)
        last[0], last[1], last[2] = cells.strip[trapezoid], cells.sides[trapezoid, 1], cell
        if goes_on:
            put_right_corners(trapezoid, cells, patches.trapezoids[last[3]])
            continue
        new = patches.used[2]
        if new == patches.trapezoids.shape[0]:
            return NO_ROWS
        last[3] = new
        put_left_corners(trapezoid, cells, patches.trapezoids[new])
        put_right_corners(trapezoid, cells, patches.trapezoids[new])
        patches.parts[new, 0], patches.parts[new, 1], patches.parts[new, 2] = row, cells.place[cell], side
        patches.parts[new, 3], patches.parts[new, 4] = count, scratch.slots[side, k]
        patches.used[2] += 1
    scratch.divided[number, 0], scratch.divided[number, 1] = side, k
    scratch.divided[number, 2], scratch.divided[number, 3] = first, patches.used[2]
    scratch.divided_slack[number] = slack_of(cells)
    scratch.divided_count[0] += 1
    return JOINED
