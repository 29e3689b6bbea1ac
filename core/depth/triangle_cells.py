# SPDX-License-Identifier: GPL-3.0-or-later
"""What the contacts of a triangle divide it into: cells, each on one side of the other surface.

Trapezoids (triangle_strips.py) that share more of the line between two strips than rounding could have opened are one
cell. docs/depth.md.
"""

import numpy as np

from ..machine_code.jit import kernel
from ..verdicts.components import root_of
from .triangle_strips import (
    BORDERS,
    CELLS,
    CRACK,
    CRACKS,
    ERROR,
    MOST_DIVIDING,
    NO_CONTACT,
    OPENED,
    TRAPEZOIDS,
    find_walls,
    lay_flat,
    order_lines,
    set_borders,
    set_lines,
    turn_upright,
)

SLACK = 3.0                 # times a crack: what is left out is no farther from the rest, or from a contact
CLEARLY_WIDER = 4.0                  # times a crack: the middle of a cell that is wider is clearly in it
DIVIDED, CELLS_IN_DOUBT, NO_ROOM = range(3)       # what `divide` returns


@kernel
def divide(count, error, cells):
    """DIVIDED where cells.triangle is divided into cells by the first `count` of cells.segments; CELLS_IN_DOUBT where
    rounding leaves in doubt what they are; NO_ROOM where there are more trapezoids than `cells` has room for.

    error: how far ends of segments may be from where they should be. Both ends of a point are the same.
    """
    if count > MOST_DIVIDING or not lay_flat(count, cells):
        return CELLS_IN_DOUBT
    cells.numbers[ERROR] = error
    find_walls(count, cells)
    share = turn_upright(count, cells)
    cells.numbers[CRACK] = OPENED * error / share       # upright, where lines are as steep as that
    if not set_lines(count, cells) or not set_borders(cells):
        return CELLS_IN_DOUBT
    cells.used[TRAPEZOIDS] = cells.used[CRACKS] = 0
    there = 0
    for strip in range(cells.used[BORDERS] - 1):
        there = order_lines(strip, there, cells)
        cells.strip_first[strip] = cells.used[TRAPEZOIDS]
        if cells.used[TRAPEZOIDS] + there > cells.strip.shape[0] or cells.used[CRACKS] + there > cells.strip.shape[0]:
            return NO_ROOM
        if not add_trapezoids(strip, there, cells):
            return CELLS_IN_DOUBT
    cells.strip_first[cells.used[BORDERS] - 1] = cells.used[TRAPEZOIDS]
    if cells.used[TRAPEZOIDS] == 0:
        return CELLS_IN_DOUBT
    join_strips(cells)
    number_cells(cells)
    return DIVIDED


@kernel
def add_trapezoids(strip, there, cells):
    """Add what lies between the lines of a strip, and is wider than a crack. False where a tip of the triangle is left
    out that is not tiny."""
    crack = cells.numbers[CRACK]
    for place in range(there - 1):
        below, above = cells.there[place], cells.there[place + 1]
        low, high = cells.heights[below], cells.heights[above]
        floor, ceiling = cells.number[below], cells.number[above]
        if max(high[0] - low[0], high[1] - low[1]) > crack:
            new = cells.used[TRAPEZOIDS]
            cells.strip[new] = strip
            cells.sides[new, 0], cells.sides[new, 1] = below, above
            cells.trapezoids[new, 0], cells.trapezoids[new, 1] = low[0], low[1]
            cells.trapezoids[new, 2], cells.trapezoids[new, 3] = high[0], high[1]
            cells.parent[new] = new
            cells.used[TRAPEZOIDS] += 1
        elif floor == NO_CONTACT and ceiling == NO_CONTACT:
            if cells.x[strip + 1] - cells.x[strip] > crack:
                return False
        elif floor != NO_CONTACT and ceiling != NO_CONTACT:
            cells.cracks[cells.used[CRACKS], 0], cells.cracks[cells.used[CRACKS], 1] = floor, ceiling
            cells.used[CRACKS] += 1
    return True


@kernel
def join_strips(cells):
    """Join trapezoids of neighbouring strips that share more than a crack."""
    T = cells.trapezoids
    for strip in range(1, cells.used[BORDERS] - 1):
        for left in range(cells.strip_first[strip - 1], cells.strip_first[strip]):
            for right in range(cells.strip_first[strip], cells.strip_first[strip + 1]):
                if min(T[left, 3], T[right, 2]) - max(T[left, 1], T[right, 0]) > cells.numbers[CRACK]:
                    one, other = root_of(cells.parent, left), root_of(cells.parent, right)
                    cells.parent[max(one, other)] = min(one, other)


@kernel
def number_cells(cells):
    """Write the cell of each trapezoid, and the widest trapezoid of each cell."""
    count = np.int64(0)
    for k in range(cells.used[TRAPEZOIDS]):
        root = root_of(cells.parent, k)
        if root == k:           # the first of its cell
            cells.cell[k] = count
            cells.width[count] = -1.0
            count += 1
        cell = cells.cell[root]
        cells.cell[k] = cell
        T = cells.trapezoids[k]
        height = ((T[2] - T[0]) + (T[3] - T[1])) / 2.0
        width = min(height, cells.x[cells.strip[k] + 1] - cells.x[cells.strip[k]])
        if width > cells.width[cell]:
            cells.width[cell] = width
            cells.widest[cell] = k
    cells.used[CELLS] = count


@kernel
def middle_of(cell, cells, point):
    """True where a cell is clearly wider than a crack: then point (3,) is well inside of it."""
    k = cells.widest[cell]
    T = cells.trapezoids[k]
    x = (cells.x[cells.strip[k]] + cells.x[cells.strip[k] + 1]) / 2.0
    put_in_world(x, (T[0] + T[1] + T[2] + T[3]) / 4.0, cells, point)
    return cells.width[cell] > CLEARLY_WIDER * cells.numbers[CRACK]


@kernel
def put_left_corners(k, cells, corners):
    """The first and the last of a trapezoid's corners in the world, (4,3), the way round."""
    x = cells.x[cells.strip[k]]
    put_in_world(x, cells.trapezoids[k, 0], cells, corners[0])
    put_in_world(x, cells.trapezoids[k, 2], cells, corners[3])


@kernel
def put_right_corners(k, cells, corners):
    """The other two."""
    x = cells.x[cells.strip[k] + 1]
    put_in_world(x, cells.trapezoids[k, 1], cells, corners[1])
    put_in_world(x, cells.trapezoids[k, 3], cells, corners[2])


@kernel
def put_in_world(x, y, cells, point):
    """point (3,) = a point of the triangle's plane, in the world."""
    for axis in range(3):
        point[axis] = cells.triangle[0, axis] + (x * cells.axes[0, axis] + y * cells.axes[1, axis])


@kernel
def holds(k, x, y, cells):
    """True where a trapezoid holds a point of the plane, or nearly."""
    crack = cells.numbers[CRACK]
    left, right = cells.x[cells.strip[k]], cells.x[cells.strip[k] + 1]
    if x < left - crack or x > right + crack:
        return False
    T = cells.trapezoids[k]
    share = min(max((x - left) / (right - left), 0.0), 1.0)
    return T[0] + share * (T[1] - T[0]) - crack <= y <= T[2] + share * (T[3] - T[2]) + crack


@kernel
def slack_of(cells):
    """How far a point of a cell and the trapezoids' nearest one may be from each other."""
    return SLACK * cells.numbers[CRACK]
