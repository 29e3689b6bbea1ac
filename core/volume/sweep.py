# SPDX-License-Identifier: GPL-3.0-or-later
"""From the layers over each cell to the volume that two solids share over it."""
import numpy as np

from ..machine_code.jit import kernel
from ..verdicts.closedness import EVEN
from .means import EAST, NORTH, SOUTH, WEST, find_mean

SURELY_OUT, PERHAPS, SURELY_IN = 0, 1, 2      # levels of Steps
SHELL_GAP = 9, 4            # numerator and denominator of what gaps of the Shell sort shrink by
BY_LINES, AT_LEAST, AT_MOST = range(3)       # of `volumes`
BOTTOM, TOP = 4, 5                            # of `cell`


@kernel
def add_volumes(across, up, layers_a, kind_a, layers_b, kind_b, bottom, top, steps_a, steps_b, cell, volumes):
    """Add to volumes (3,) what the cells of a grid hold: by their centre lines, at least, and at most.

    across, up: borders of cells, row by row. kind_a, kind_b: closedness of the meshes. bottom, top: heights between
    which both are. cell: (6,) float64, scratch.
    """
    columns = across.shape[0] - 1
    for number in range(columns * (up.shape[0] - 1)):
        begin_a, end_a = layers_a.start[number], layers_a.start[number + 1]
        begin_b, end_b = layers_b.start[number], layers_b.start[number + 1]
        if begin_a == end_a or begin_b == end_b:
            continue        # the cell is outside one of them altogether
        row, column = number // columns, number % columns
        cell[WEST], cell[EAST] = across[column], across[column + 1]
        cell[SOUTH], cell[NORTH] = up[row], up[row + 1]
        cell[BOTTOM], cell[TOP] = bottom, top
        count_a = lines(layers_a, begin_a, end_a, kind_a, steps_a)
        count_b = lines(layers_b, begin_b, end_b, kind_b, steps_b)
        by_lines = shared(steps_a, count_a, steps_b, count_b, bottom, top, SURELY_IN)
        count_a = blocks(layers_a, begin_a, end_a, kind_a, steps_a)
        count_b = blocks(layers_b, begin_b, end_b, kind_b, steps_b)
        find_means(layers_a, kind_a, steps_a, count_a, steps_b, count_b, cell)
        find_means(layers_b, kind_b, steps_b, count_b, steps_a, count_a, cell)
        narrow(steps_a, count_a)
        narrow(steps_b, count_b)
        least = shared(steps_a, count_a, steps_b, count_b, bottom, top, SURELY_IN)
        most = shared(steps_a, count_a, steps_b, count_b, bottom, top, PERHAPS)
        area = (cell[EAST] - cell[WEST]) * (cell[NORTH] - cell[SOUTH])
        volumes[BY_LINES] += area * min(most, max(least, by_lines))
        volumes[AT_LEAST] += area * least
        volumes[AT_MOST] += area * most


@kernel
def lines(layers, begin, end, kind, steps):
    """How many steps the centre line of a cell has; they are written into `steps`."""
    many = 0
    for i in range(begin, end):
        if layers.sign[i] != 0:
            steps.order[many] = i
            many += 1
    sort(steps.order, many, layers.hit)
    wound = 0
    for k in range(many):
        i = steps.order[k]
        wound += layers.sign[i]
        steps.height[k] = layers.hit[i]
        steps.level[k] = SURELY_IN if is_inside(wound, kind) else SURELY_OUT
    return many


@kernel
def blocks(layers, begin, end, kind, steps):
    """How many steps are known of all places over a cell; they are written into `steps`. Between the lowest and the
    highest place of triangles whose heights overlap, a place is PERHAPS inside."""
    many = end - begin
    for k in range(many):
        steps.order[k] = begin + k
    sort(steps.order, many, layers.low)
    count, wound, k = 0, 0, 0
    while k < many:
        high = layers.high[steps.order[k]]
        steps.height[count] = layers.low[steps.order[k]]
        steps.level[count] = PERHAPS
        while k < many and layers.low[steps.order[k]] <= high:
            high = max(high, layers.high[steps.order[k]])
            wound += layers.sign[steps.order[k]]
            k += 1
        steps.end[count // 2] = k
        steps.height[count + 1] = high
        steps.level[count + 1] = SURELY_IN if is_inside(wound, kind) else SURELY_OUT
        count += 2
    return count


@kernel
def find_means(layers, kind, steps, count, other, other_count, cell):
    """Find the means of those blocks that lie, all of them, where the other solid surely is: there the height of the
    surface decides alone what is shared. steps, other: blocks of both solids; cell: (6,) float64."""
    j, begin = 0, 0
    for i in range(count // 2):
        low, high = steps.height[2 * i], steps.height[2 * i + 1]
        steps.error[i] = np.nan
        while 2 * j < other_count and other.height[2 * j + 1] < low:
            j += 1
        apart = 2 * j == other_count or other.height[2 * j] > high
        if apart and j > 0 and other.level[2 * j - 1] == SURELY_IN and cell[BOTTOM] <= low and high <= cell[TOP]:
            find_mean(layers, begin, i, kind, cell, steps)
        begin = steps.end[i]


@kernel
def narrow(steps, count):
    """Let blocks whose mean is known reach no farther from it than it may be off."""
    for i in range(count // 2):
        mean, error = steps.mean[i], steps.error[i]
        if error >= 0.0:
            steps.height[2 * i] = min(steps.height[2 * i + 1], max(steps.height[2 * i], mean - error))
            steps.height[2 * i + 1] = max(steps.height[2 * i], min(steps.height[2 * i + 1], mean + error))


@kernel
def is_inside(wound, kind):
    """True where a mesh of this closedness goes so often round a place that it is inside."""
    return wound % 2 != 0 if kind == EVEN else wound != 0


@kernel
def shared(steps_a, count_a, steps_b, count_b, bottom, top, level):
    """The length between bottom and top where both are at this level, or above it."""
    length, at = 0.0, bottom
    level_a, level_b, i, j = SURELY_OUT, SURELY_OUT, 0, 0
    while at < top:
        following = top
        if i < count_a:
            following = min(following, steps_a.height[i])
        if j < count_b:
            following = min(following, steps_b.height[j])
        if following > at:
            if level_a >= level and level_b >= level:
                length += following - at
            at = following
        if at >= top:
            break
        while i < count_a and steps_a.height[i] <= at:
            level_a = steps_a.level[i]
            i += 1
        while j < count_b and steps_b.height[j] <= at:
            level_b = steps_b.level[j]
            j += 1
    return length


@kernel
def sort(order, many, key):
    """Bring order[:many] into ascending order of key: a Shell sort, as most cells have few rows, and some have many."""
    gap = many
    while gap > 1:
        gap = max(1, gap * SHELL_GAP[1] // SHELL_GAP[0])
        for k in range(gap, many):
            moving = order[k]
            place = k
            while place >= gap and key[order[place - gap]] > key[moving]:
                order[place] = order[place - gap]
                place -= gap
            order[place] = moving
