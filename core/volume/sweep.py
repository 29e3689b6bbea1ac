# SPDX-License-Identifier: GPL-3.0-or-later
"""From the layers over each cell to the volume that two solids share over it."""
from ..machine_code.jit import kernel
from ..verdicts.closedness import EVEN

SURELY_OUT, PERHAPS, SURELY_IN = 0, 1, 2      # levels of Steps
SHELL_GAP = 9, 4            # numerator and denominator of what gaps of the Shell sort shrink by
BY_LINES, AT_LEAST, AT_MOST = range(3)       # of `volumes`


@kernel
def add_volumes(cells, layers_a, kind_a, layers_b, kind_b, area, bottom, top, steps_a, steps_b, volumes):
    """Add to volumes (3,) what cells 0 to cells - 1 hold: by their centre lines, at least, and at most.

    kind_a, kind_b: closedness of the meshes. area: (cells,) float64. bottom, top: heights between which both are.
    """
    for cell in range(cells):
        begin_a, end_a = layers_a.start[cell], layers_a.start[cell + 1]
        begin_b, end_b = layers_b.start[cell], layers_b.start[cell + 1]
        if begin_a == end_a or begin_b == end_b:
            continue        # the cell is outside one of them altogether
        count_a = lines(layers_a, begin_a, end_a, kind_a, steps_a)
        count_b = lines(layers_b, begin_b, end_b, kind_b, steps_b)
        volumes[BY_LINES] += area[cell] * shared(steps_a, count_a, steps_b, count_b, bottom, top, SURELY_IN)
        count_a = blocks(layers_a, begin_a, end_a, kind_a, steps_a)
        count_b = blocks(layers_b, begin_b, end_b, kind_b, steps_b)
        volumes[AT_LEAST] += area[cell] * shared(steps_a, count_a, steps_b, count_b, bottom, top, SURELY_IN)
        volumes[AT_MOST] += area[cell] * shared(steps_a, count_a, steps_b, count_b, bottom, top, PERHAPS)


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
        steps.height[count + 1] = high
        steps.level[count + 1] = SURELY_IN if is_inside(wound, kind) else SURELY_OUT
        count += 2
    return count


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
