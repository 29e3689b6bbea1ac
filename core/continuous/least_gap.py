# SPDX-License-Identifier: GPL-3.0-or-later
"""The least distance of two moving triangles, between bounds: times at which they come within a smaller and smaller
distance, by the certified steps of moving_triangles.py (docs/moving-meshes.md, "Least gaps")."""
import math

from ..distance.pair import UNDECIDED_DISTANCE
from ..distance.triangles import COLUMNS, FEATURE, X, Y, nearest_points
from ..machine_code.jit import kernel
from .moving_triangles import ask_within, nearest_direction, step_by_step, sure_distance
from .poses import corners_at

# By how much a least gap may be less than what is found, relative to it. Steps of what turns at one gap, as a shaft in
# a bearing, are proportional to the root of it: two links of an arm took 130 ms with 2^-20, and take less than 10.
GAP_RELATIVE = 2.0 ** -10
GAP_TOLERANCES = 4.0            # and how many tolerances more: each halving leaves at most three quarters then
MOST_HALVINGS = 2200            # more than there are from the largest float64 to the least
FIRST_STEP, GAP_DESCENTS = 2.0 ** -6, 40    # of the way down to a nearer time: of a slice, and how many there are


@kernel
def slack(gap, tolerance):
    """How much less than a gap that was found the least one may be, a length."""
    return GAP_RELATIVE * gap + GAP_TOLERANCES * tolerance


@kernel
def lower_gap(row, slot_a, slot_b, time, meetings, motions, swept, scratch):
    """Let the row's gap be the least one that two triangles have from a time on in the slice, at which they are within
    the row's distance, but for its `slack`; what is nearer by more than that is asked for from now on.

    slot_a, slot_b: of the pair's objects. scratch: as `first_touch` leaves it.
    """
    a = meetings.a[row]
    b = meetings.b[row]
    tolerance = meetings.tolerance[row]
    gap = measure(row, time, meetings, scratch)
    low = 0.0                       # they are not nearer in the slice
    for _ in range(MOST_HALVINGS):
        if gap - low <= slack(gap, tolerance):
            break
        aim = 0.5 * (low + gap)
        ask_within(aim, scratch.limits)
        later, _ = step_by_step(row, slot_a, slot_b, time, meetings, motions, swept, scratch)
        if later < math.inf:        # and not before, as they were not within more than that
            time = later
            gap = measure(row, time, meetings, scratch)
        else:
            low = aim
            corners_at(motions, swept, a, slot_a, time, scratch.pose, scratch.now, 0)
            corners_at(motions, swept, b, slot_b, time, scratch.pose, scratch.now, 3)
    descend(row, slot_a, slot_b, time, meetings, motions, swept, scratch)
    gap = min(gap, meetings.gap[row])
    meetings.within[row] = max(gap - slack(gap, tolerance), 0.0)


@kernel
def descend(row, slot_a, slot_b, time, meetings, motions, swept, scratch):
    """Measure two triangles at a time about this one at which they are nearer, if there is one, by steps that are
    halved where neither side is. It proves nothing, and is why most gaps err by far less than their slack."""
    a = meetings.a[row]
    b = meetings.b[row]
    begin = swept.span[0]
    end = swept.span[1]
    step = FIRST_STEP * (end - begin)
    gap = nearest_direction(scratch.now, scratch)
    for _ in range(GAP_DESCENTS):
        found = False
        for side in range(2):
            other = min(time + step, end) if side == 0 else max(time - step, begin)
            corners_at(motions, swept, a, slot_a, other, scratch.pose, scratch.later, 0)
            corners_at(motions, swept, b, slot_b, other, scratch.pose, scratch.later, 3)
            there = nearest_direction(scratch.later, scratch)
            if there < gap:
                gap = there
                time = other
                found = True
                break
        if not found:
            step *= 0.5
    corners_at(motions, swept, a, slot_a, time, scratch.pose, scratch.now, 0)
    corners_at(motions, swept, b, slot_b, time, scratch.pose, scratch.now, 3)
    measure(row, time, meetings, scratch)


@kernel
def measure(row, time, meetings, scratch):
    """The distance of the two triangles in scratch.now, which becomes the row's gap if it is less."""
    distance = sure_distance(scratch.now, scratch.pair)
    points = scratch.pair.points
    if distance == UNDECIDED_DISTANCE:      # numbers that span too much, or contact but for rounding
        distance = nearest_direction(scratch.now, scratch)
        found = scratch.pair.columns.found
        nearest_points(scratch.now, int(found[FEATURE * COLUMNS]), found[X * COLUMNS], found[Y * COLUMNS], points)
    if distance < meetings.gap[row]:
        meetings.gap[row] = distance
        meetings.when[row] = time
        for side in range(2):
            for x in range(3):
                meetings.points[row, side, x] = points[side, x]
    return distance
