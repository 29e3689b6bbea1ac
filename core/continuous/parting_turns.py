# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that turn within others and never reach them: kernels (docs/moving-meshes.md).

A fan in its housing, a shaft in a bearing, a wheel that rolls over a floor: no direction parts their boxes, and boxes
around the ways of their triangles overlap. But what turns about an axis stays as far from it, and at the same height
along it, while the axis goes straight. So one of the two objects is put into a cylinder about that axis, and the other
one's tree is searched for a triangle that is not outside of it. Where both turn, each is put into a cylinder about its
own axis, as two wheels of a vehicle; or one of them is, as the other one sees it, as a wheel beside the body of a car
that turns into a street.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..records import TurnScratch
from .cylinders import AXIS_ROUNDING, HIGHEST, LOWEST, cylinder_around, cylinders_apart, is_outside
from .poses import no_pose, vertices_at

TURN_ROUNDINGS = 4.0            # times the rounding of vertices, more than what both err by at two times
MORE_VERTICES = 4               # times those of what turns: more of the other object are not put into a cylinder
STACK = 1 << 10                 # nodes that wait: of a deeper tree nothing is proved


def turn_scratch(vertices: int) -> TurnScratch:
    """Memory for objects of up to so many vertices."""
    return TurnScratch(np.empty(STACK, np.int64), no_pose(), np.empty((vertices, 3)))


@kernel
def mark_parted_by_turns(rows, meetings, motions, swept, scratch, parted):
    """parted[n] = True where an object of pair rows[n] turns, and cylinders about the axes of what turns tell that the
    two certainly stay farther apart than meetings.within[row] and meetings.tolerance[row] from the beginning of the
    slice of time to the end of all.

    rows: (k,) int64; meetings: Meetings; motions: ObjectMotions; swept: SweptTrees, in which those are placed that do
    not turn; scratch: TurnScratch; parted: (k,) bool.
    """
    for n in range(rows.shape[0]):
        row = rows[n]
        a = np.int64(meetings.a[row])
        b = np.int64(meetings.b[row])
        away = meetings.within[row] + meetings.tolerance[row]
        parted[n] = (stays_beside(a, b, away, motions, swept, scratch)
                     or stays_beside(b, a, away, motions, swept, scratch)
                     or turn_side_by_side(a, b, away, motions, swept, scratch))


@kernel
def mark_parted_around(rows, meetings, motions, swept, scratch, parted):
    """The same where the one that does not turn is put into a cylinder about the axis of the other one. swept: those
    are placed that turn."""
    for n in range(rows.shape[0]):
        row = rows[n]
        a = np.int64(meetings.a[row])
        b = np.int64(meetings.b[row])
        away = meetings.within[row] + meetings.tolerance[row]
        parted[n] = (stays_around(a, b, away, motions, swept, scratch)
                     or stays_around(b, a, away, motions, swept, scratch))


@kernel
def turns_beside(obj, other, motions):
    """True where an object turns, and another one does not."""
    return (not motions.linear[obj] and not motions.linear[other] and motions.angle[obj] > 0.0
            and not motions.angle[other] > 0.0)


@kernel
def stays_beside(obj, other, away, motions, swept, scratch):
    """True where an object turns, another one does not, and keeps farther than `away` from the cylinder around it to
    the end."""
    if not turns_beside(obj, other, motions):
        return False
    away += spread(obj, other, motions, swept)
    axis = axis_of(obj, motions, swept.span[0])
    left = 1.0 - swept.span[0]
    gone = gone_on(axis, left * way_of(obj, other, motions, 0), left * way_of(obj, other, motions, 1),
                   left * way_of(obj, other, motions, 2))
    return is_outside(other, axis, gone, cylinder_of(obj, axis, away, motions, swept, scratch), swept.before,
                      swept.before, scratch.stack)


@kernel
def stays_around(obj, other, away, motions, swept, scratch):
    """True where an object turns, another one does not, and has few vertices, and the cylinder about the axis that
    holds these stays farther than `away` from the first one to the end."""
    if not turns_beside(obj, other, motions) or swept.counts[0, other] > MORE_VERTICES * swept.counts[0, obj]:
        return False
    away += spread(obj, other, motions, swept)
    axis = axis_of(obj, motions, swept.span[0])
    left = 1.0 - swept.span[0]
    x = left * way_of(obj, other, motions, 0)
    y = left * way_of(obj, other, motions, 1)
    z = left * way_of(obj, other, motions, 2)
    along = x * axis[3] + y * axis[4] + z * axis[5]
    # What stands still goes the other way, as seen from what turns: along any direction across the axis.
    x -= along * axis[3]
    y -= along * axis[4]
    z -= along * axis[5]
    gone = gone_on(axis, -along * axis[3], -along * axis[4], -along * axis[5])
    away += (1.0 + AXIS_ROUNDING) * math.sqrt(x * x + y * y + z * z) + AXIS_ROUNDING * abs(along)
    return is_outside(obj, axis, gone, cylinder_of(other, axis, away, motions, swept, scratch), swept.before,
                      swept.before, scratch.stack)


@kernel
def gone_on(axis, x, y, z):
    """An axis that has gone a way."""
    return axis[0] + x, axis[1] + y, axis[2] + z, axis[3], axis[4], axis[5]


@kernel
def mark_parted_in_slice(rows, meetings, motions, swept, scratch, parted):
    """parted[n] = True where an object of pair rows[n] turns, and the other one, whatever it does, certainly stays
    farther from it than meetings.within[row] and meetings.tolerance[row] in the slice of time. All as in
    `mark_parted_by_turns`."""
    for n in range(rows.shape[0]):
        row = rows[n]
        a = np.int64(meetings.a[row])
        b = np.int64(meetings.b[row])
        away = meetings.within[row] + meetings.tolerance[row]
        parted[n] = (passes_outside(a, b, away, motions, swept, scratch)
                     or passes_outside(b, a, away, motions, swept, scratch))


@kernel
def passes_outside(obj, other, away, motions, swept, scratch):
    """True where an object turns, and another one keeps farther than `away` from the cylinder around it in a slice."""
    if motions.linear[obj] or not motions.angle[obj] > 0.0:
        return False
    length = swept.span[1] - swept.span[0]
    away += length * motions.stretching[obj] + TURN_ROUNDINGS * (motions.rounding[obj] + motions.rounding[other])
    axis = axis_of(obj, motions, swept.span[0])
    gone = axis_of(obj, motions, swept.span[1])
    if motions.linear[other]:
        return is_outside(other, axis, gone, cylinder_of(obj, axis, away, motions, swept, scratch), swept.before,
                          swept.after, scratch.stack)
    # As the other one sees it: where the axis goes bends by no more than `bend`, and it turns a little.
    first = axis_of(other, motions, swept.span[0])
    last = axis_of(other, motions, swept.span[1])
    x, y, z = axis[0] - first[0], axis[1] - first[1], axis[2] - first[2]
    p, q, r = gone[0] - last[0], gone[1] - last[1], gone[2] - last[2]
    turn = length * motions.angle[other]
    far = math.sqrt(max(x * x + y * y + z * z, p * p + q * q + r * r))
    step = math.sqrt((p - x) * (p - x) + (q - y) * (q - y) + (r - z) * (r - z))
    bend = 0.125 * turn * (turn * far + 2.0 * step)
    away += bend * (1.0 + AXIS_ROUNDING) + length * motions.stretching[other] + AXIS_ROUNDING * far
    radius, low, high = cylinder_of(obj, axis, away, motions, swept, scratch)
    more = 0.5 * turn * math.sqrt(radius * radius + max(low * low, high * high)) * (1.0 + AXIS_ROUNDING)
    p, q, r = turned_back(p, q, r, first, turn)
    ux, uy, uz = turned_back(axis[3], axis[4], axis[5], first, 0.5 * turn)
    return is_outside(other, (axis[0], axis[1], axis[2], ux, uy, uz),
                      (first[0] + p, first[1] + q, first[2] + r, ux, uy, uz),
                      (radius + more, low - more, high + more), swept.before, swept.before, scratch.stack)


@kernel
def turned_back(x, y, z, axis, angle):
    """A vector, turned by an angle the other way round about an axis."""
    ux, uy, uz = axis[3], axis[4], axis[5]
    sine = math.sin(angle)
    half = math.sin(0.5 * angle)
    versed = 2.0 * half * half
    along = ux * x + uy * y + uz * z
    return (x - sine * (uy * z - uz * y) + versed * (along * ux - x),
            y - sine * (uz * x - ux * z) + versed * (along * uy - y),
            z - sine * (ux * y - uy * x) + versed * (along * uz - z))


@kernel
def spread(obj, other, motions, swept):
    """How much nearer two objects may come to the end than the cylinders tell that they are in."""
    return ((1.0 - swept.span[0]) * (motions.stretching[obj] + motions.stretching[other])
            + TURN_ROUNDINGS * (motions.rounding[obj] + motions.rounding[other]))


@kernel
def way_of(obj, other, motions, x):
    """How far an object's origin goes in the interval, as seen from that of another one, along an axis of the world."""
    return ((motions.origin[obj, 1, x] - motions.origin[obj, 0, x])
            - (motions.origin[other, 1, x] - motions.origin[other, 0, x]))


@kernel
def axis_of(obj, motions, time):
    """(place, direction), six numbers: the axis about which an object turns, at some time."""
    rest = 1.0 - time
    return (rest * motions.origin[obj, 0, 0] + time * motions.origin[obj, 1, 0],
            rest * motions.origin[obj, 0, 1] + time * motions.origin[obj, 1, 1],
            rest * motions.origin[obj, 0, 2] + time * motions.origin[obj, 1, 2],
            motions.world_axis[obj, 0], motions.world_axis[obj, 1], motions.world_axis[obj, 2])


@kernel
def turn_side_by_side(a, b, away, motions, swept, scratch):
    """True where two objects turn, and a direction keeps cylinders about their axes farther apart than `away` to the
    end."""
    if motions.linear[a] or motions.linear[b] or not (motions.angle[a] > 0.0 and motions.angle[b] > 0.0):
        return False
    away += spread(a, b, motions, swept)
    axis = axis_of(a, motions, swept.span[0])
    other = axis_of(b, motions, swept.span[0])
    first = cylinder_of(a, axis, 0.0, motions, swept, scratch)
    second = cylinder_of(b, other, 0.0, motions, swept, scratch)
    left = 1.0 - swept.span[0]
    way = (left * way_of(b, a, motions, 0), left * way_of(b, a, motions, 1), left * way_of(b, a, motions, 2))
    # From the middle of one cylinder to that of the other, now and in the middle of the way.
    half = 0.5 * (first[LOWEST] + first[HIGHEST])
    others_half = 0.5 * (second[LOWEST] + second[HIGHEST])
    x = other[0] + others_half * other[3] - axis[0] - half * axis[3] + 0.5 * way[0]
    y = other[1] + others_half * other[4] - axis[1] - half * axis[4] + 0.5 * way[1]
    z = other[2] + others_half * other[5] - axis[2] - half * axis[5] + 0.5 * way[2]
    if cylinders_apart(x, y, z, first, axis, second, other, way, away):
        return True
    for u, v, w in ((axis[3], axis[4], axis[5]), (other[3], other[4], other[5])):
        if cylinders_apart(u, v, w, first, axis, second, other, way, away):
            return True
        along = x * u + y * v + z * w
        if cylinders_apart(x - along * u, y - along * v, z - along * w, first, axis, second, other, way, away):
            return True
    return cylinders_apart(axis[4] * other[5] - axis[5] * other[4], axis[5] * other[3] - axis[3] * other[5],
                           axis[3] * other[4] - axis[4] * other[3], first, axis, second, other, way, away)


@kernel
def cylinder_of(obj, axis, away, motions, swept, scratch):
    """`cylinder_around` an object that is not `linear` as it is at the beginning of a slice of time, placed or not."""
    count = swept.counts[0, obj]
    vertices_at(motions, obj, swept.span[0], swept.start, swept.end, swept.vertex_start[obj], count, scratch.pose,
                scratch.world, 0)
    return cylinder_around(scratch.world, 0, count, axis, away)
