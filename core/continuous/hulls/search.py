# SPDX-License-Identifier: GPL-3.0-or-later
"""When do two moving hulls first meet? One search, with three ways to choose directions: kernels.

`FCCD`: GJK of the swept hulls, then GJK of the hulls where the ray of the origin has come to. `LCCD`: that ray clipped
by the faces of the set of differences. `SAT_AXES`: the axes of the separating axis test, with the times at which
projections meet and part. What a direction proves is certain (advance.py). Where the chosen ones prove nothing more,
that in which the hulls are nearest is tried, and says whether they have met.
"""
import math

from ...geometry.undecided import UNDECIDED
from ...machine_code.jit import kernel
from ..moving_triangles import ROUNDING_OF_BOTH
from .advance import advance, begin_pair, nearest, place_now
from .axes import projected
from .obstacle import clipped
from .overlap import surfaces_meet
from .swept import parted_by_gjk

FCCD, LCCD, SAT_AXES = 0, 1, 2
FREE, MET = 0, 1                # answers beside UNDECIDED, which is also for one that is inside the other at the start
MAX_HULL_ROUNDS = 256           # 2 to 6 are usual, some 30 for half a turn
NEAR_ROUNDS = 8                 # of hulls that are nearer than the tolerance


@kernel
def first_meeting(row, way, meetings, motions, hulls, scratch):
    """FREE, MET or UNDECIDED for a pair of Meetings, whose toi and reached are filled: of UNDECIDED ones with a time
    before which they do not meet, and how far apart they are then at most."""
    a = meetings.a[row]
    b = meetings.b[row]
    begin_pair(a, b, motions, hulls, scratch)
    rounding = scratch.limits[ROUNDING_OF_BOTH]
    tolerated = meetings.tolerance[row] - rounding
    direction = scratch.chosen
    turns = motions.curvature[a] + motions.curvature[b] > 0.0
    t = 0.0
    near = 0
    for step in range(MAX_HULL_ROUNDS):
        until = t
        if step == 0 or (turns and way != FCCD):
            until = _choose(way, a, b, t, motions, hulls, scratch)
            if until == math.inf:
                return FREE
            if until > t:
                t = until
                place_now(a, b, t, motions, hulls, scratch)
                if advance(a, b, t, motions, hulls, scratch, scratch.leaving) == math.inf:
                    return FREE
        distance = nearest(scratch, direction)
        until = advance(a, b, t, motions, hulls, scratch, direction)
        if until == math.inf:
            return FREE
        near += distance <= tolerated
        meetings.reached[row] = distance + rounding
        meetings.toi[row] = t
        if distance <= tolerated and (near > NEAR_ROUNDS or not until > t) and (until > t or t > 0.0):
            return MET
        if not until > t:
            return MET if surfaces_meet(a, b, hulls, scratch) else UNDECIDED
        t = until
        place_now(a, b, t, motions, hulls, scratch)
    return UNDECIDED


@kernel
def _choose(way, a, b, t, motions, hulls, scratch):
    """A time until which a direction of the method, `chosen`, keeps the two apart. `leaving`: one that may from then
    on, or zero."""
    for x in range(3):
        scratch.leaving[x] = 0.0
        scratch.chosen[x] = 0.0
    if way == FCCD:
        parted_by_gjk(a, b, hulls, scratch)
    elif way == LCCD:
        clipped(a, b, hulls, scratch)
    else:
        projected(a, b, hulls, scratch)
    return advance(a, b, t, motions, hulls, scratch, scratch.chosen)


@kernel
def first_meetings(start, stop, way, meetings, motions, hulls, scratch, answer):
    """Fill rows start … stop - 1 of meetings and of answer, (pairs,) uint8."""
    for row in range(start, stop):
        answer[row] = first_meeting(row, way, meetings, motions, hulls, scratch)
        if answer[row] == FREE:
            meetings.toi[row] = math.inf
            meetings.reached[row] = 0.0
