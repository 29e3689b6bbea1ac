# SPDX-License-Identifier: GPL-3.0-or-later
"""When do two moving triangles first meet, or come within a distance? Steps of time through which a direction
certainly keeps them apart, or farther apart than that.

Conservative advancement along directions: where the triangles are apart along a direction now and, by the positions at
the end of a step and a bound on their acceleration between, all through the step, the step is safe. So what slides past
at a small gap takes one step. What is nearer than the tolerance, and cannot be told apart, has met. Where a distance is
asked for, it is taken off all gaps. The bounds: docs/moving-meshes.md.
"""
import math

import numpy as np

from ..distance.pair import RELATIVE_ERROR, UNDECIDED_DISTANCE, triangle_distance
from ..distance.triangles import COLUMNS, LENGTH, across, nearest_features_of_one
from ..geometry.squares import squared
from ..geometry.sure_crossing import surely_cross
from ..machine_code.jit import kernel
from .directions import LONGEST_DIRECTION, SHORTEST_DIRECTION, gap_along, normal_towards
from .poses import corners_at, corners_of, placed_corners, pose_at, triangle_curvature

NEAR_STEPS = 32                 # that are tried for triangles which are nearer than the tolerance
TRIES = 3                       # at the length of a step
LENGTHS_ALIKE_RELATIVE = 0.01   # relative difference of two lengths that is not worth another try
TIME_ROUNDING = 2.0 ** -52      # of the end of a step
STEP_ROUNDING = 1.0 - 2.0 ** -40
SHORT, SHORTEST_OF_ALL = 0.125, 2.0 ** -24      # of a time, by how much less is tried; the square of it after a success
BEHIND = 4.0                    # times as long as until two triangles seem to meet: then they are in each other
SLOWEST = 1e-300                # what is divided by
NEGLIGIBLE_RELATIVE = 2.0 ** -200   # relative to the largest of some numbers: far below their rounding
# Of the two triangles, in `limits`: curvature of a and of b, rounding of both, speed of both, tolerance, and the
# distance that is asked for, alone and with the rounding.
CURVATURE_A, CURVATURE_B, ROUNDING_OF_BOTH, SPEED, TOLERATED, ASKED_DISTANCE, ASKED_GAP = 0, 1, 2, 3, 4, 5, 6


@kernel
def first_touch(row, slot_a, slot_b, meetings, motions, swept, scratch):
    """(time, distance): when two triangles first come within meetings.within[row] in the slice of time, infinity if
    not, and how much farther apart they are then at most. Never late. Gives up, with infinity, at meetings.toi[row].

    slot_a, slot_b: of the pair's objects.
    """
    a = meetings.a[row]
    b = meetings.b[row]
    now = scratch.now
    last = scratch.last
    limits = scratch.limits
    placed_corners(swept.before, a, slot_a, now, 0)
    placed_corners(swept.before, b, slot_b, now, 3)
    placed_corners(swept.after, a, slot_a, last, 0)
    placed_corners(swept.after, b, slot_b, last, 3)
    limits[ROUNDING_OF_BOTH] = motions.rounding[a] + motions.rounding[b]
    ask_within(meetings.within[row], limits)
    limits[TOLERATED] = meetings.tolerance[row] - limits[ROUNDING_OF_BOTH]
    limits[CURVATURE_A] = motions.curvature[a]
    limits[CURVATURE_B] = motions.curvature[b]
    duration = swept.span[1] - swept.span[0]
    # What parted two neighbours of these often parts them, too, in a tenth of the time; and by so much that no step
    # would report them.
    beyond = limits[TOLERATED] + 2.0 * limits[ROUNDING_OF_BOTH]
    if parted_along(scratch.parting, beyond, a, b, duration, motions, now, last, limits):
        return math.inf, 0.0
    if across_a_face(a, b, duration, motions, now, last, limits, scratch):
        return math.inf, 0.0
    limits[CURVATURE_A] = min(motions.curvature[a], triangle_curvature(motions, swept, a, slot_a))
    limits[CURVATURE_B] = min(motions.curvature[b], triangle_curvature(motions, swept, b, slot_b))
    limits[SPEED] = motions.speed[a] + motions.speed[b]
    if meetings.toi[row] < swept.span[1] and parted_until(row, slot_a, slot_b, meetings, motions, swept, scratch):
        return math.inf, 0.0
    return step_by_step(row, slot_a, slot_b, swept.span[0], meetings, motions, swept, scratch)


@kernel
def parted_until(row, slot_a, slot_b, meetings, motions, swept, scratch):
    """True where two triangles are kept apart until meetings.toi[row] by more than is tolerated, along the direction
    that parted two others last, a face of the beginning, or the direction in which they come nearest in the end: most
    pairs, where others are known to meet then.

    What is nearer than that might be said to meet a little before. So the answer does not depend on which pairs were
    asked before.
    """
    a = meetings.a[row]
    b = meetings.b[row]
    t = meetings.toi[row]
    now = scratch.now
    limits = scratch.limits
    there = scratch.later
    if scratch.known[0] != row or scratch.known[1] != t:
        scratch.known[0] = row
        scratch.known[1] = t
        for side in range(2):
            obj = np.int64(a if side == 0 else b)
            if not motions.linear[obj]:
                pose_at(motions, obj, t, scratch.posed[side])
    corners_of(motions, swept, a, slot_a, t, scratch.posed[0], there, 0)
    corners_of(motions, swept, b, slot_b, t, scratch.posed[1], there, 3)
    duration = t - swept.span[0]
    if parted_along(scratch.parting, limits[TOLERATED] + 2.0 * limits[ROUNDING_OF_BOTH], a, b, duration, motions, now,
                    there, limits):
        return True
    asked = limits[ASKED_GAP]
    limits[ASKED_GAP] = asked + limits[TOLERATED]
    parted = across_a_face(a, b, duration, motions, now, there, limits, scratch)
    if not parted:
        nearest_direction(there, scratch)
        parted = parted_along(scratch.direction, 0.0, a, b, duration, motions, now, there, limits)
        if parted:
            keep_direction(scratch)
    limits[ASKED_GAP] = asked
    return parted


@kernel
def parted_along(direction, more, a, b, duration, motions, now, later, limits):
    """True where two triangles are farther apart along a direction than the distance that is asked for and `more`,
    from `now` to `later`, (6,3) their corners."""
    low = gap_of_triangles(now, direction, limits[ASKED_GAP] + more)
    if not low > 0.0:
        return False
    beyond = 0.125 * curvature_along(a, b, motions, limits, direction) * squared(duration)
    return low > beyond and gap_of_triangles(later, direction, limits[ASKED_GAP] + more) > beyond


@kernel
def keep_direction(scratch):
    """Let the direction be the first one that is tried next."""
    for x in range(3):
        scratch.parting[x] = scratch.direction[x]


@kernel
def ask_within(distance, limits):
    """Ask when two triangles come within this distance."""
    limits[ASKED_DISTANCE] = distance
    limits[ASKED_GAP] = limits[ROUNDING_OF_BOTH] + distance


@kernel
def step_by_step(row, slot_a, slot_b, t, meetings, motions, swept, scratch):
    """What `first_touch` returns of triangles that no face parts, from the time t on. scratch.now and scratch.last:
    their corners then and at the end of the slice; where they come within the distance, scratch.now has those of that
    time."""
    a = meetings.a[row]
    b = meetings.b[row]
    now = scratch.now
    last = scratch.last
    limits = scratch.limits
    end = swept.span[1]
    direction = scratch.direction
    near = 0
    before = 0.0            # the distance at a time before
    time_before = t
    short = SHORT
    distance = nearest_direction(now, scratch) - limits[ASKED_DISTANCE]
    while t < meetings.toi[row]:
        low = gap_of_triangles(now, direction, limits[ASKED_GAP])
        bend = curvature_along(a, b, motions, limits, direction)
        beyond = 0.125 * bend * squared(end - t)
        if low > beyond and gap_of_triangles(last, direction, limits[ASKED_GAP]) > beyond:
            return math.inf, 0.0
        if distance <= limits[TOLERATED]:
            near += 1
            if near > NEAR_STEPS or not low > 0.0:
                return t, distance + limits[ROUNDING_OF_BOTH]
        if distance < before:
            left = distance * ((t - time_before) / (before - distance))     # until they meet, if it goes on like this
            if near == 1 and meet_at(min(end, t + BEHIND * left), a, b, slot_a, slot_b, motions, swept, scratch):
                return t, distance + limits[ROUNDING_OF_BOTH]
            later = t + (1.0 - short) * left
            x, y, z = direction[0], direction[1], direction[2]
            if later > t and later < end and leap(row, slot_a, slot_b, t, later, meetings, motions, swept, scratch):
                before = distance
                time_before = t
                t = later
                short = max(short * short, SHORTEST_OF_ALL)
                distance = scratch.pair.columns.found[LENGTH * COLUMNS] - limits[ASKED_DISTANCE]
                continue
            short = SHORT
            direction[0], direction[1], direction[2] = x, y, z
        before = distance
        time_before = t
        step = 0.0
        if low > 0.0:
            step = longest_step(row, slot_a, slot_b, t, low, bend, meetings, motions, swept, scratch)
        if not low > 0.5 * distance:    # the direction is not precise: the distance itself says how long, too
            step = max(step, step_by_distance(now, limits, scratch))
            if step == 0.0:             # an edge of one passes through the other
                return t, limits[ROUNDING_OF_BOTH]
        later = (t + step * STEP_ROUNDING) - TIME_ROUNDING
        if not later > t:
            return t, distance + limits[ROUNDING_OF_BOTH]
        if later >= end:
            return math.inf, 0.0
        t = later
        corners_at(motions, swept, a, slot_a, t, scratch.pose, now, 0)
        corners_at(motions, swept, b, slot_b, t, scratch.pose, now, 3)
        distance = nearest_direction(now, scratch) - limits[ASKED_DISTANCE]
    return math.inf, 0.0


@kernel
def leap(row, slot_a, slot_b, t, later, meetings, motions, swept, scratch):
    """True where the direction in which the triangles come nearest at a later time keeps them apart from t on; their
    corners then are in scratch.now, the direction in scratch.direction, and its length in scratch.pair.

    Edges that turn while they come together are apart for longer along the direction of the end than along that of the
    beginning.
    """
    a = meetings.a[row]
    b = meetings.b[row]
    corners_at(motions, swept, a, slot_a, later, scratch.pose, scratch.later, 0)
    corners_at(motions, swept, b, slot_b, later, scratch.pose, scratch.later, 3)
    nearest_direction(scratch.later, scratch)
    beyond = 0.125 * curvature_along(a, b, motions, scratch.limits, scratch.direction) * squared(later - t)
    for corners in (scratch.later, scratch.now):
        if not gap_of_triangles(corners, scratch.direction, scratch.limits[ASKED_GAP]) > beyond:
            return False
    for i in range(6):
        for x in range(3):
            scratch.now[i, x] = scratch.later[i, x]
    return True


@kernel
def meet_at(t, a, b, slot_a, slot_b, motions, swept, scratch):
    """True where two triangles are within the distance at the time t, or cannot be told apart then."""
    corners_at(motions, swept, a, slot_a, t, scratch.pose, scratch.later, 0)
    corners_at(motions, swept, b, slot_b, t, scratch.pose, scratch.later, 3)
    return step_by_distance(scratch.later, scratch.limits, scratch) == 0.0


@kernel
def gap_of_triangles(P, direction, rounding):
    """`gap_along` of the first and the second triangle of P (6,3)."""
    return gap_along(P, 0, 3, P, 3, 3, direction, rounding)


@kernel
def curvature_along(a, b, motions, limits, direction):
    """No two points of the two triangles are accelerated away from each other more than this along a unit vector:
    turning does nothing along its axis."""
    bend = 0.0
    for side in range(2):
        obj = a if side == 0 else b
        curvature = limits[CURVATURE_A + side]
        if curvature > 0.0:
            u = motions.world_axis[obj]
            x = u[1] * direction[2] - u[2] * direction[1]
            y = u[2] * direction[0] - u[0] * direction[2]
            z = u[0] * direction[1] - u[1] * direction[0]
            bend += curvature * (math.sqrt(x * x + y * y + z * z) + 2.0 ** -48)
    return bend


@kernel
def across_a_face(a, b, duration, motions, now, later, limits, scratch):
    """True where the plane of one of the two triangles, as it is turned now, parts them all the while: most pairs."""
    for face in range(2):
        p = 3 * face
        if normal_towards(now, p, p + 1, p + 2, 3 - p, 1.0 if face == 1 else -1.0, scratch.direction) and parted_along(
                scratch.direction, 0.0, a, b, duration, motions, now, later, limits):
            keep_direction(scratch)
            return True
    return False


@kernel
def nearest_direction(P, scratch):
    """The distance of two triangles, in float64. scratch.direction becomes the unit vector from the second to the first
    one where they come nearest, or zero, along which nothing is apart."""
    given = scratch.pair.columns.given
    found = scratch.pair.columns.found
    direction = scratch.direction
    for i in range(6):
        for x in range(3):
            given[(3 * i + x) * COLUMNS] = P[i, x]
    nearest_features_of_one(given, found)
    across(given, found, 0, direction)
    length = math.sqrt(squared(direction[0]) + squared(direction[1]) + squared(direction[2]))
    inverse = 1.0 / length if length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION else 0.0
    for x in range(3):
        direction[x] = direction[x] * inverse if inverse > 0.0 else 0.0     # zero times infinity is NaN
    return found[LENGTH * COLUMNS]


@kernel
def longest_step(row, slot_a, slot_b, t, low, bend, meetings, motions, swept, scratch):
    """A step from t that scratch.direction proves: low is the gap along it now, bend the acceleration.

    The gap is at least what lies between its two ends on a line, less bend/8 times the square of the step. Where a step
    ends beyond the contact, or well before it, another one is tried, which ends where that line vanishes: what it may
    be bent by shrinks with its square.
    """
    whole = swept.span[1] - t
    step = whole
    if bend > 0.0:
        step = min(step, math.sqrt(2.0 * low / bend))
    best = 0.0
    for _ in range(TRIES):
        later = scratch.last
        if step < whole:
            later = scratch.later
            corners_at(motions, swept, meetings.a[row], slot_a, t + step, scratch.pose, later, 0)
            corners_at(motions, swept, meetings.b[row], slot_b, t + step, scratch.pose, later, 3)
        high = gap_of_triangles(later, scratch.direction, scratch.limits[ASKED_GAP])
        beyond = 0.125 * bend * step * step
        if high > beyond:
            best = max(best, step)
            if step >= whole or high >= low:
                break
        elif low > beyond:
            best = max(best, step * (low - beyond) / (low - high))
        vanishing = min(whole, step * (low / (low - high)))
        if bend == 0.0 or abs(vanishing - step) < LENGTHS_ALIKE_RELATIVE * step:
            break
        step = vanishing
    return best


@kernel
def step_by_distance(P, limits, scratch):
    """How long it takes the two triangles of P at least to come within the distance, whichever way they move. 0 where
    they are."""
    distance = sure_distance(P, scratch.pair)
    if distance == UNDECIDED_DISTANCE:
        return 0.0
    distance = max(distance * (1.0 - 2.0 * RELATIVE_ERROR) - limits[ASKED_GAP], 0.0)
    return distance / max(limits[SPEED], SLOWEST)


@kernel
def sure_distance(P, scratch):
    """The distance of the two triangles of P (6,3), proved; UNDECIDED_DISTANCE where they meet but for rounding.
    scratch: TrianglePairScratch, whose points are then where they come nearest."""
    if surely_cross(P):
        return UNDECIDED_DISTANCE
    corners = scratch.corners
    largest = 0.0
    for i in range(6):
        for x in range(3):
            largest = max(largest, abs(P[i, x]))
    for i in range(6):
        for x in range(3):      # numbers that span too much are left undecided
            corners[i, x] = P[i, x] if abs(P[i, x]) > NEGLIGIBLE_RELATIVE * largest else 0.0
    return triangle_distance(math.inf, scratch)
