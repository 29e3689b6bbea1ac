# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle laid flat and cut into upright strips at the ends of its contacts, and where two of them cross, as they do
where the other surface passes through itself. docs/depth.md.

In a strip no contact ends, so contacts and sides of the triangle divide it into trapezoids, one above the other.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..records import CellScratch

MOST_DIVIDING = 1 << 10     # contacts of a triangle that is divided, and crossings of these
MOST_LINES = MOST_DIVIDING + 3      # with the sides of the triangle
MOST_STRIPS = 2 * MOST_LINES + MOST_DIVIDING
STRIP_TURNS = 8             # directions in which strips may run; the one is taken that no contact is nearly along
FIRST_TURN = 0.37           # of these, in steps: like no edge of a user's
OPENED = 8.0                # times what ends may err across a line: wider than this is no crack of rounding
SNAPPED = 4.0               # times the same: strips begin no farther from where lines end
TINY = 2.0 ** -20           # height of a triangle that counts as flat, and the least share, for short
NO_CONTACT = -1             # in place of a contact's number: a side of the triangle
LINES, BORDERS, TRAPEZOIDS, CELLS, CRACKS = range(5)    # of CellScratch.used
ERROR, CRACK = range(2)     # of CellScratch.numbers


def cell_scratch(capacity: int) -> CellScratch:
    """Memory of one thread, for so many trapezoids."""
    of_cells = np.empty((3, capacity), np.int32)
    return CellScratch(
        triangle=np.empty((3, 3)), beside=np.empty((3, 3)), segments=np.empty((MOST_DIVIDING, 2, 3)),
        axes=np.empty((2, 3)), corners=np.empty((3, 2)), ends=np.empty((MOST_DIVIDING, 2, 2)),
        is_wall=np.empty(MOST_DIVIDING, np.uint8), lines=np.empty((MOST_LINES, 4)),
        number=np.empty(MOST_LINES, np.int32), span=np.empty((MOST_LINES, 2), np.int64), x=np.empty(MOST_STRIPS),
        strip_first=np.empty(MOST_STRIPS, np.int64), there=np.empty(MOST_LINES, np.int32),
        heights=np.empty((MOST_LINES, 3)), strip=np.empty(capacity, np.int32),
        sides=np.empty((capacity, 2), np.int32), trapezoids=np.empty((capacity, 4)), parent=of_cells[0],
        cell=of_cells[1], cracks=np.empty((capacity, 2), np.int32), widest=of_cells[2], width=np.empty(capacity),
        inside=np.empty(capacity, np.uint8), place=np.empty(capacity, np.int32),
        last=np.empty((MOST_LINES, 4), np.int64), middle=np.empty((1, 3)), used=np.zeros(5, np.int64),
        numbers=np.empty(2))


@kernel
def lay_flat(count, cells):
    """Write cells.axes, and the corners and the ends of the first `count` segments in the plane. False where the
    triangle is nearly a segment."""
    T = cells.triangle
    along = cells.axes[0]
    across = cells.axes[1]
    longest = 0.0
    start = 0
    for i in range(3):
        j = (i + 1) % 3
        x, y, z = T[j, 0] - T[i, 0], T[j, 1] - T[i, 1], T[j, 2] - T[i, 2]
        length = math.sqrt(x * x + y * y + z * z)
        if length > longest:
            longest = length
            start = i
            along[0], along[1], along[2] = x / length, y / length, z / length
    if not longest > 0.0:
        return False
    i, j = (start + 1) % 3, (start + 2) % 3         # either of the two other sides is as high
    x, y, z = T[j, 0] - T[i, 0], T[j, 1] - T[i, 1], T[j, 2] - T[i, 2]
    share = x * along[0] + y * along[1] + z * along[2]
    x, y, z = x - share * along[0], y - share * along[1], z - share * along[2]
    height = math.sqrt(x * x + y * y + z * z)
    if not height > TINY * longest:
        return False
    across[0], across[1], across[2] = x / height, y / height, z / height
    for i in range(3):
        put_flat(T[i], cells, cells.corners[i])
    for k in range(count):
        for end in range(2):
            put_flat(cells.segments[k, end], cells, cells.ends[k, end])
    return True


@kernel
def put_flat(point, cells, flat):
    """flat (2,) = where a point (3,) is in the plane of the triangle."""
    origin = cells.triangle[0]
    for axis in range(2):
        flat[axis] = ((point[0] - origin[0]) * cells.axes[axis, 0] + (point[1] - origin[1]) * cells.axes[axis, 1]
                      + (point[2] - origin[2]) * cells.axes[axis, 2])


@kernel
def find_walls(count, cells):
    """Mark those of the first `count` segments that have a length."""
    for k in range(count):
        x, y = cells.ends[k, 1, 0] - cells.ends[k, 0, 0], cells.ends[k, 1, 1] - cells.ends[k, 0, 1]
        cells.is_wall[k] = math.sqrt(x * x + y * y) > OPENED * cells.numbers[ERROR]


@kernel
def turn_upright(count, cells):
    """Turn the plane so that no side of the triangle and no wall is nearly upright, as far as that can be. Returns how
    wide each is then at least, as a share of its length."""
    best = 0.0
    sine, cosine = math.sin(FIRST_TURN * math.pi / STRIP_TURNS), math.cos(FIRST_TURN * math.pi / STRIP_TURNS)
    for turn in range(STRIP_TURNS):
        angle = (FIRST_TURN + turn) * (math.pi / STRIP_TURNS)
        c, s = math.cos(angle), math.sin(angle)
        least = math.inf
        for i in range(3):
            least = min(least, share_of_width(cells.corners[i], cells.corners[(i + 1) % 3], c, s))
        for k in range(count):
            if cells.is_wall[k] and least > best:
                least = min(least, share_of_width(cells.ends[k, 0], cells.ends[k, 1], c, s))
        if least > best:
            best = least
            sine, cosine = s, c
    for i in range(3):
        turn_point(cells.corners[i], cosine, sine)
    for k in range(count):
        for end in range(2):
            turn_point(cells.ends[k, end], cosine, sine)
    for axis in range(3):
        x, y = cells.axes[0, axis], cells.axes[1, axis]
        cells.axes[0, axis], cells.axes[1, axis] = cosine * x - sine * y, sine * x + cosine * y
    return max(best, TINY)


@kernel
def share_of_width(one, other, cosine, sine):
    """How wide the way from one point (2,) to another one is after a turn, as a share of its length."""
    x, y = other[0] - one[0], other[1] - one[1]
    return abs(cosine * x - sine * y) / math.sqrt(x * x + y * y)


@kernel
def turn_point(point, cosine, sine):
    """Turn a point (2,) around the origin."""
    x, y = point[0], point[1]
    point[0], point[1] = cosine * x - sine * y, sine * x + cosine * y


@kernel
def set_lines(count, cells):
    """Let the sides of the triangle and the walls be lines, each from the left to the right. False where one of them is
    nearly upright."""
    lines = 0
    for k in range(-3, count):
        if k >= 0 and not cells.is_wall[k]:
            continue
        one = cells.corners[k + 3] if k < 0 else cells.ends[k, 0]
        other = cells.corners[(k + 4) % 3] if k < 0 else cells.ends[k, 1]
        if abs(other[0] - one[0]) <= SNAPPED * cells.numbers[ERROR]:
            return False
        left, right = (one, other) if one[0] < other[0] else (other, one)
        cells.lines[lines, 0], cells.lines[lines, 1] = left[0], left[1]
        cells.lines[lines, 2], cells.lines[lines, 3] = right[0], right[1]
        cells.number[lines] = max(k, NO_CONTACT)
        lines += 1
    cells.used[LINES] = lines
    return True


@kernel
def set_borders(cells):
    """Let strips begin and end where lines do, and where two of them cross. False where they cross too often, or too
    little is between two ends of lines for a strip and too much for a rounding."""
    error, x, lines = cells.numbers[ERROR], cells.x, cells.lines
    count = np.int64(0)
    for line in range(cells.used[LINES]):
        count = put_in_order(lines[line, 0], x, count)
        count = put_in_order(lines[line, 2], x, count)
    most = count + MOST_DIVIDING
    for one in range(cells.used[LINES]):
        for other in range(one + 1, cells.used[LINES]):
            crosses, at = crossing_of(lines[one], lines[other], cells.numbers[CRACK])
            if crosses:
                if count == most:
                    return False
                count = put_in_order(at, x, count)
    kept = np.int64(1)
    before = x[0]
    for k in range(1, count):
        apart = x[k] - before > error
        before = x[k]
        if apart:
            x[kept] = before
            kept += 1
    cells.used[BORDERS] = kept
    for line in range(cells.used[LINES]):
        for end in range(2):
            at = lines[line, 2 * end]
            border = last_border(at, cells)
            cells.span[line, end] = border
            if at - x[border] > SNAPPED * error:
                return False
        if cells.span[line, 0] == cells.span[line, 1]:
            return False
    return True


@kernel
def put_in_order(number, x, count):
    """Put a number among the first `count` of x (n,), which are in order. Returns how many there are then."""
    place = count
    while place > 0 and x[place - 1] > number:
        x[place] = x[place - 1]
        place -= 1
    x[place] = number
    return count + 1


@kernel
def crossing_of(one, other, crack):
    """(True, x) where two lines (4,) cross, by more than a crack on both sides."""
    left, right = max(one[0], other[0]), min(one[2], other[2])
    if left >= right:
        return False, 0.0
    slope = (one[3] - one[1]) / (one[2] - one[0])
    other_slope = (other[3] - other[1]) / (other[2] - other[0])
    before = one[1] + slope * (left - one[0]) - other[1] - other_slope * (left - other[0])
    after = one[1] + slope * (right - one[0]) - other[1] - other_slope * (right - other[0])
    if not before * after < 0.0 or min(abs(before), abs(after)) <= crack:
        return False, 0.0
    return True, left + before / (before - after) * (right - left)


@kernel
def last_border(at, cells):
    """The last of the borders of strips that is not beyond x = at."""
    low = np.int64(0)
    high = np.int64(cells.used[BORDERS])
    while high - low > 1:
        middle = (low + high) // 2
        if cells.x[middle] <= at:
            low = middle
        else:
            high = middle
    return low


@kernel
def order_lines(strip, before, cells):
    """How many lines are in a strip; they are put into cells.there, the lowest first, with their heights. before: how
    many were in the strip on the left, which are there still."""
    there = cells.there
    kept = 0
    for place in range(before):
        if cells.span[there[place], 1] > strip:
            there[kept] = there[place]
            kept += 1
    for line in range(cells.used[LINES]):
        if cells.span[line, 0] == strip:
            there[kept] = line
            kept += 1
    heights = cells.heights
    for place in range(kept):
        line = there[place]
        left = cells.x[cells.span[line, 0]]
        slope = (cells.lines[line, 3] - cells.lines[line, 1]) / (cells.x[cells.span[line, 1]] - left)
        heights[line, 0] = cells.lines[line, 1] + slope * (cells.x[strip] - left)
        heights[line, 1] = cells.lines[line, 1] + slope * (cells.x[strip + 1] - left)
        heights[line, 2] = heights[line, 0] + heights[line, 1]
        down = place
        while down > 0 and (heights[there[down - 1], 2] > heights[line, 2]
                            or (heights[there[down - 1], 2] == heights[line, 2] and there[down - 1] > line)):
            there[down] = there[down - 1]
            down -= 1
        there[down] = line
    return kept
