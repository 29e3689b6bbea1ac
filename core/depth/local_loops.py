# SPDX-License-Identifier: GPL-3.0-or-later
"""What a triangle has inside of a solid that it meets in many places: hulls of loops of contacts.

Contacts that end where others begin are one loop. What is inside is bounded by loops and by the triangle's edges. A
loop that reaches none of these has no more inside than its hull, nor has one that reaches one edge only: from end to
end along that edge it is closed, too. All others have, together with the corners that are not outside, one hull. So ten
pegs through a plate have ten small hulls in it, and not the plate between them. docs/depth.md has the reasons.
"""
import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from ..verdicts.components import root_of
from .features import LEEWAY, LENGTH_UNIT
from .items import room
from .local_ends import clear_of_ends, end_slack, from_line, same_end
from .local_hulls import UNLIKE_HULL, push_hull, take_over_slack
from .local_mesh import MOST_ENDS, is_inside_ring, turned
from .local_parts import MOST_HULL, add_vertices
from .local_triangles import CORNERS, ENDS_ON_SURFACE, MOST_PIECE_CORNERS, NO_ROW, PARTS_IN_DOUBT, plane_axes
from .rings import STRAIGHT, STRAIGHT_DOUBTS, ring_of_hull, straighten_ring

MOST_LOOP = 64              # corners of the hull of a loop
FIRST_END = MOST_PIECE_CORNERS - MOST_ENDS      # of the corners, where ends are until they are in hulls
# Columns of LocalPair.ends. Of an end: how many contacts end there, and which of the triangle's edges it is on, in
# bits. Of a loop, in the row of the end that stands for it: which edges it reaches; the item of its hull, the first
# corner of that, and how many it has, or
JOINED, ON_EDGES, REACHED, HULL_FIRST, HULL_SIZE, HULL_ITEM, END_COLUMNS = range(7)
WAITS, DONE = -1, 0
ALONG_EDGE = 2.0            # times as much as an end may be off, it is from an edge that it is on
MOST_OFF = 0.25             # of the leeway, ends of contacts may be: hulls that are more in doubt are worth nothing


@kernel
def push_loops(side, k, solid, decides, contacts, trees, items, local, scratch):
    """True where the hulls of all loops of triangle k of a side were kept, which have all that it has inside the solid.
    False where contacts do not make loops, or are too many, or too much in doubt."""
    own = local.first[side, k + 1] - local.first[side, k]
    if (local.whole[side, k] >= PARTS_IN_DOUBT or 2 * own > MOST_ENDS or room(items) < own + MOST_HULL
            or local.used[CORNERS] + 4 * own > FIRST_END - MOST_ENDS):
        return False
    count, slack = join_ends(side, k, contacts, scratch.numbers[LENGTH_UNIT], local)
    if slack > MOST_OFF * scratch.numbers[LEEWAY] or not are_loops(count, local):
        return False
    for at in range(FIRST_END, FIRST_END + count):
        local.corner_slack[at] = slack
    if not push_open(side, k, count, solid, decides, contacts, trees, items, local, scratch):
        return False
    loop = largest_loop(count, local)
    while loop >= 0:
        local.ends[loop, HULL_SIZE] = DONE
        if not is_covered(side, k, loop, count, items, local):
            size = copy_ends(loop, count, np.int64(0), local)
            if not push_ring(side, k, loop, size, contacts, items, local, scratch.numbers):
                return False
        loop = largest_loop(count, local)
    return True


@kernel
def join_ends(side, k, contacts, unit, local):
    """(ends, slack): how many ends the contacts of triangle k of a side have, those that are one counted once, and how
    far they may be off. They are the corners from FIRST_END on until the next triangle. Each contact joins two to a
    loop: local.loop_of."""
    P = local.corner_points
    end = np.int64(0)
    most = 0.0
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        joined = np.int64(-1)
        for which in range(2):
            new = FIRST_END + end
            for x in range(3):
                P[new, x] = (contacts.point[contact, which, x] - local.origin[x]) * unit
            slack = end_slack(side, k, contact, P[new, 0], P[new, 1], P[new, 2], contacts, local)
            at = same_end(FIRST_END, new, P) - FIRST_END
            if at == end:
                begin_loop(at, edges_at(side, k, new, slack, local), local)
                end += 1
            else:
                for x in range(3):
                    slack += abs(P[new, x] - P[FIRST_END + at, x])
            most = max(most, slack)
            local.ends[at, JOINED] += 1
            root = root_of(local.loop_of, np.int64(at))
            if joined >= 0 and root != joined:
                join_loops(root, joined, local)
            joined = root
    return end, most


@kernel
def begin_loop(at, edges, local):
    """Let an end that is on such edges be a loop, in no hull."""
    local.loop_of[at] = at
    local.ends[at, JOINED] = 0
    local.ends[at, ON_EDGES] = local.ends[at, REACHED] = edges
    local.ends[at, HULL_SIZE] = WAITS
    for x in range(3):
        local.loop_boxes[at, x] = local.loop_boxes[at, HIGH + x] = local.corner_points[FIRST_END + at, x]


@kernel
def join_loops(one, other, local):
    """Let two loops be one, for which the second one stands."""
    local.loop_of[one] = other
    local.ends[other, REACHED] |= local.ends[one, REACHED]
    for x in range(3):
        local.loop_boxes[other, x] = min(local.loop_boxes[other, x], local.loop_boxes[one, x])
        local.loop_boxes[other, HIGH + x] = max(local.loop_boxes[other, HIGH + x], local.loop_boxes[one, HIGH + x])


@kernel
def edges_at(side, k, corner, slack, local):
    """Bits 1, 2, 4 for the edges of triangle k of a side that a corner is on, which may be off by `slack`."""
    P = local.corner_points
    near = max(clear_of_ends(local), ALONG_EDGE * slack)
    bits = np.int64(0)
    for i in range(3):
        one = local.points[side, local.corners[side, k, i]]
        other = local.points[side, local.corners[side, k, (i + 1) % 3]]
        away = from_line(P[corner, 0] - one[0], P[corner, 1] - one[1], P[corner, 2] - one[2],
                         other[0] - one[0], other[1] - one[1], other[2] - one[2])
        if away <= near:
            bits |= 1 << i
    return bits


@kernel
def are_loops(count, local):
    """True where every end that is on no edge of the triangle is one of an even number of contacts."""
    for at in range(count):
        if local.ends[at, JOINED] % 2 == 1 and local.ends[at, ON_EDGES] == 0:
            return False
    return True


@kernel
def is_open(loop, local):
    """True where a loop reaches more than one edge of the triangle."""
    return local.ends[loop, REACHED] & (local.ends[loop, REACHED] - 1) != 0


@kernel
def push_open(side, k, count, solid, decides, contacts, trees, items, local, scratch):
    """Keep the one hull of all loops that are not closed and of the corners of triangle k that are not outside. False
    where it has too many corners, or no loop."""
    size = np.int64(add_vertices(side, k, solid, decides, trees, local, scratch))
    none_inside = size == 0
    loops = np.int64(-1)
    for at in range(count):
        if local.loop_of[at] == at and is_open(at, local):
            local.ends[at, HULL_SIZE] = DONE
            loops = np.int64(at)
            size = copy_ends(loops, count, size, local)
    if loops < 0:
        return none_inside
    return push_ring(side, k, loops, size, contacts, items, local, scratch.numbers)


@kernel
def copy_ends(loop, count, size, local):
    """How many corners a hull has that had `size`, with the ends of a loop."""
    base = local.used[CORNERS]
    for at in range(count):
        if root_of(local.loop_of, np.int64(at)) == loop:
            for x in range(3):
                local.corner_points[base + size, x] = local.corner_points[FIRST_END + at, x]
            local.corner_slack[base + size] = local.corner_slack[FIRST_END + at]
            local.corner_rows[base + size] = NO_ROW
            size += 1
    return size


@kernel
def push_ring(side, k, loop, count, contacts, items, local, numbers):
    """Keep the hull of the last `count` corners, where it may be deepest: of these, those that are around it, in turn.
    False where they are too many."""
    base = np.int64(local.used[CORNERS])
    ring = local.ring
    doubt = STRAIGHT + STRAIGHT_DOUBTS * local.end_doubt[0]
    size = straighten_ring(ring_of_hull(side, k, base, count, local), doubt, local)
    if size > MOST_LOOP:
        return False
    take_over_slack(base, count, size, doubt, local)
    inside = False
    x, y = plane_axes(side, k, local)
    for corner in range(base, base + count):
        inside = inside or is_inside_ring(corner, size, clear_of_ends(local), x, y, local)
    for i in range(size):
        move_corner(ring[i], base + count + i, local)
    on_surface = local.corner_rows[base + count + size - 1] == NO_ROW
    for i in range(size):
        move_corner(base + count + i, base + i, local)
    local.used[ENDS_ON_SURFACE] = 1 if on_surface else 0
    item = push_hull(side, k, size, contacts, items, local, numbers)
    if item >= 0:
        items.features[item, UNLIKE_HULL] = inside
        local.ends[loop, HULL_ITEM] = item
        local.ends[loop, HULL_FIRST] = base
        local.ends[loop, HULL_SIZE] = size
    return True


@kernel
def move_corner(source, place, local):
    """Write a corner in another one's place."""
    for x in range(3):
        local.corner_points[place, x] = local.corner_points[source, x]
    local.corner_slack[place] = local.corner_slack[source]
    local.corner_rows[place] = local.corner_rows[source]
    local.corner_nearest[place] = local.corner_nearest[source]


@kernel
def largest_loop(count, local):
    """The loop with the largest box of those that are not done yet; -1: there is none."""
    largest = -1.0
    loop = np.int64(-1)
    for at in range(count):
        if local.loop_of[at] == at and local.ends[at, HULL_SIZE] == WAITS:
            square = 0.0
            for x in range(3):
                square += squared(local.loop_boxes[at, HIGH + x] - local.loop_boxes[at, x])
            if square > largest:
                largest = square
                loop = np.int64(at)
    return loop


@kernel
def is_covered(side, k, loop, count, items, local):
    """True where a loop of triangle k of a side is within the hull of another one, which is not like its hull then."""
    x, y = plane_axes(side, k, local)
    for other in range(count):
        size = local.ends[other, HULL_SIZE]
        if local.loop_of[other] != other or size < 3:
            continue
        first = local.ends[other, HULL_FIRST]
        within = True
        for at in range(count):
            if within and root_of(local.loop_of, np.int64(at)) == loop:
                for i in range(size):
                    within = within and turned(local.corner_points, first + i, first + (i + 1) % size, FIRST_END + at,
                                               x, y) >= 0.0
        if within:
            items.features[local.ends[other, HULL_ITEM], UNLIKE_HULL] = 1
            return True
    return False
