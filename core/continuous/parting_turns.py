# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that turn within others and never reach them: kernels (docs/moving-meshes.md).

A fan in its housing, a shaft in a bearing, a wheel that rolls over a floor: no direction parts their boxes, and boxes
around the ways of their triangles overlap. But what turns about an axis stays as far from it, and at the same height
along it, while the axis goes straight. So one of the two objects is put into a cylinder about that axis, and the other
one's tree is searched for a triangle that is not outside of it. Where both turn, each is put into a cylinder about its
own axis, as two wheels of a vehicle.
"""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.nodes import EMPTY, node_of

AXIS_ROUNDING = 2.0 ** -44      # of places about the axis, relative to the sizes that they are computed from: 2^-47 do
TURN_ROUNDINGS = 4.0            # times the rounding of vertices, more than what both err by at two times
MORE_VERTICES = 4               # times those of what turns: more of the other object are not put into a cylinder
STACK = 1 << 10                 # nodes that wait: of a deeper tree nothing is proved
SHORTEST_ACROSS = 1e-150        # a vector at right angles to the axis, whose direction is certain
OUTWARD, LOWEST, HIGHEST = 0, 1, 2  # of a cylinder: how far from the axis, and from where to where along it


@kernel
def mark_parted_by_turns(rows, meetings, motions, swept, stack, parted):
    """parted[n] = True where an object of pair rows[n] turns, and the two certainly stay farther apart than
    meetings.within[row] and meetings.tolerance[row] from the beginning of the slice of time to the end of all.

    rows: (k,) int64; meetings: Meetings; motions: ObjectMotions; swept: SweptTrees; stack: (STACK,) int64, scratch;
    parted: (k,) bool.
    """
    for n in range(rows.shape[0]):
        row = rows[n]
        a = np.int64(meetings.a[row])
        b = np.int64(meetings.b[row])
        away = meetings.within[row] + meetings.tolerance[row]
        parted[n] = (stays_beside(a, b, away, motions, swept, stack) or stays_beside(b, a, away, motions, swept, stack)
                     or turn_side_by_side(a, b, away, motions, swept))


@kernel
def stays_beside(obj, other, away, motions, swept, stack):
    """True where an object turns, another one does not, and both stay farther apart than `away` to the end."""
    if motions.linear[obj] or motions.linear[other] or not motions.angle[obj] > 0.0 or motions.angle[other] > 0.0:
        return False
    away += spread(obj, other, motions, swept)
    axis = axis_of(obj, motions, swept)
    left = 1.0 - swept.span[0]
    x = left * way_of(obj, other, motions, 0)
    y = left * way_of(obj, other, motions, 1)
    z = left * way_of(obj, other, motions, 2)
    along = x * axis[3] + y * axis[4] + z * axis[5]
    x -= along * axis[3]
    y -= along * axis[4]
    z -= along * axis[5]
    length = math.sqrt(x * x + y * y + z * z)
    away += AXIS_ROUNDING * (length + abs(along))
    if is_outside(obj, other, axis, (x, y, z), along, away, swept.before, swept.counts, stack):
        return True
    # What stands still goes the other way, as seen from what turns: along any direction across the axis.
    return (swept.counts[0, other] <= MORE_VERTICES * swept.counts[0, obj]
            and is_outside(other, obj, axis, (0.0, 0.0, 0.0), -along, away + length, swept.before, swept.counts, stack))


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
def axis_of(obj, motions, swept):
    """(place, direction), six numbers: the axis about which an object turns, at the beginning of the slice of time."""
    time = swept.span[0]
    rest = 1.0 - time
    return (rest * motions.origin[obj, 0, 0] + time * motions.origin[obj, 1, 0],
            rest * motions.origin[obj, 0, 1] + time * motions.origin[obj, 1, 1],
            rest * motions.origin[obj, 0, 2] + time * motions.origin[obj, 1, 2],
            motions.world_axis[obj, 0], motions.world_axis[obj, 1], motions.world_axis[obj, 2])


@kernel
def turn_side_by_side(a, b, away, motions, swept):
    """True where two objects turn, and a direction keeps cylinders about their axes farther apart than `away` to the
    end."""
    if motions.linear[a] or motions.linear[b] or not (motions.angle[a] > 0.0 and motions.angle[b] > 0.0):
        return False
    away += spread(a, b, motions, swept)
    corners = swept.before.corners
    axis = axis_of(a, motions, swept)
    other = axis_of(b, motions, swept)
    first = cylinder_around(corners.world, corners.world_start[a], swept.counts[0, a], axis, 0.0)
    second = cylinder_around(corners.world, corners.world_start[b], swept.counts[0, b], other, 0.0)
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
def cylinders_apart(x, y, z, first, axis, second, other, way, away):
    """True where two cylinders about their axes are farther apart than `away` along a vector of any length, the same
    way round, now and after the second one has gone a way."""
    length = math.sqrt(x * x + y * y + z * z)
    if not length > SHORTEST_ACROSS:
        return False
    x /= length
    y /= length
    z /= length
    u = x * axis[3] + y * axis[4] + z * axis[5]
    v = x * other[3] + y * other[4] + z * other[5]
    size = 0.0
    for i in range(3):
        size += abs(axis[i]) + abs(other[i]) + abs(way[i])
    for each in (first, second):
        size += each[OUTWARD] + abs(each[LOWEST]) + abs(each[HIGHEST])
    reach = away + first[OUTWARD] * across(u) + second[OUTWARD] * across(v) + AXIS_ROUNDING * size
    gap = x * (other[0] - axis[0]) + y * (other[1] - axis[1]) + z * (other[2] - axis[2])
    low = gap + min(v * second[LOWEST], v * second[HIGHEST]) - max(u * first[LOWEST], u * first[HIGHEST])
    high = gap + max(v * second[LOWEST], v * second[HIGHEST]) - min(u * first[LOWEST], u * first[HIGHEST])
    moved = x * way[0] + y * way[1] + z * way[2]
    return low + min(0.0, moved) > reach or high + max(0.0, moved) < -reach


@kernel
def across(cosine):
    """No less than the sine of the angle between two unit vectors, by its cosine."""
    return math.sqrt(max(0.0, 1.0 - cosine * cosine) + AXIS_ROUNDING)


@kernel
def is_outside(inner, outer, axis, way, along, away, trees, counts, stack):
    """True where all triangles of object `outer` are farther than `away` from a cylinder around object `inner`, about
    an axis, while the cylinder goes a way across the axis and so far along it."""
    radius, low, high = cylinder_around(trees.corners.world, trees.corners.world_start[inner], counts[0, inner], axis,
                                        away)
    cylinder = (radius, low + min(0.0, along), high + max(0.0, along))
    depth = 1
    stack[0] = trees.root[outer]
    while depth > 0:
        depth -= 1
        code = stack[depth]
        node = node_of(code)
        row = trees.node_start[outer] + node
        for k in range(4):
            child = np.int64(trees.children[row, k])
            if child < 0 if code < 0 else child == EMPTY:
                continue
            if box_is_outside(trees, trees.box_start[outer] + node, k, axis, way, cylinder):
                continue
            if code >= 0:
                if depth == stack.shape[0]:
                    return False
                stack[depth] = child
                depth += 1
            elif not triangle_is_outside(trees.corners, outer, child, axis, way, cylinder):
                return False
    return True


@kernel
def cylinder_around(world, first, count, axis, away):
    """(radius, low, high) of a cylinder about an axis, which holds what is up to `away` from some vertices."""
    ox, oy, oz, ux, uy, uz = axis
    square = 0.0
    low = math.inf
    high = -math.inf
    size = 0.0
    for i in range(unsigned(first), unsigned(first + count)):
        x = world[i, 0] - ox
        y = world[i, 1] - oy
        z = world[i, 2] - oz
        along = ux * x + uy * y + uz * z
        low = min(low, along)
        high = max(high, along)
        size = max(size, abs(x) + abs(y) + abs(z))
        x -= along * ux
        y -= along * uy
        z -= along * uz
        square = max(square, x * x + y * y + z * z)
    away += AXIS_ROUNDING * size
    return math.sqrt(square) + away, low - away, high + away


@kernel
def box_is_outside(trees, row, k, axis, way, cylinder):
    """True where box k of a node, a row of `boxes`, has nothing in the cylinder, which goes a way across its axis."""
    ox, oy, oz, ux, uy, uz = axis
    boxes = trees.boxes
    scale = 1.0 / trees.quantization[3]
    x0 = boxes[row, 0, k] * scale
    y0 = boxes[row, 1, k] * scale
    z0 = boxes[row, 2, k] * scale
    x1 = boxes[row, 3, k] * scale
    y1 = boxes[row, 4, k] * scale
    z1 = boxes[row, 5, k] * scale
    x = 0.5 * (x0 + x1) + trees.quantization[0] - ox
    y = 0.5 * (y0 + y1) + trees.quantization[1] - oy
    z = 0.5 * (z0 + z1) + trees.quantization[2] - oz
    hx = 0.5 * (x1 - x0)
    hy = 0.5 * (y1 - y0)
    hz = 0.5 * (z1 - z0)
    size = (abs(x0) + abs(y0) + abs(z0) + abs(x1) + abs(y1) + abs(z1) + abs(trees.quantization[0]) + abs(ox)
            + abs(trees.quantization[1]) + abs(oy) + abs(trees.quantization[2]) + abs(oz))
    slack = AXIS_ROUNDING * size
    along = ux * x + uy * y + uz * z
    half = abs(ux) * hx + abs(uy) * hy + abs(uz) * hz + slack
    if along - half > cylinder[HIGHEST] or along + half < cylinder[LOWEST]:
        return True
    x -= along * ux
    y -= along * uy
    z -= along * uz
    length = math.sqrt(x * x + y * y + z * z)       # along this direction, at right angles to the axis
    if not length > SHORTEST_ACROSS:
        return False
    nearer = max(0.0, x * way[0] + y * way[1] + z * way[2]) + abs(x) * hx + abs(y) * hy + abs(z) * hz
    return length - nearer / length - slack > cylinder[OUTWARD]


@kernel
def triangle_is_outside(corners, obj, slot, axis, way, cylinder):
    """True where a placed triangle has nothing in the cylinder, which goes a way across its axis: it is above or below
    it, or apart from it along a direction at right angles to the axis, that of a corner or across an edge."""
    ox, oy, oz, ux, uy, uz = axis
    triangle = corners.triangle_start[obj] + slot
    first = corners.world_start[obj]
    p = corner_about(corners.world, first + corners.triangles[triangle, 0], axis)
    q = corner_about(corners.world, first + corners.triangles[triangle, 1], axis)
    r = corner_about(corners.world, first + corners.triangles[triangle, 2], axis)
    slack = AXIS_ROUNDING * max(p[4], q[4], r[4])
    if min(p[3], q[3], r[3]) - slack > cylinder[HIGHEST] or max(p[3], q[3], r[3]) + slack < cylinder[LOWEST]:
        return True
    radius = cylinder[OUTWARD] + slack
    for one, two in ((p, q), (q, r), (r, p)):
        if parts_along(one[0], one[1], one[2], p, q, r, way, radius):
            return True
        x = two[0] - one[0]
        y = two[1] - one[1]
        z = two[2] - one[2]
        x, y, z = uy * z - uz * y, uz * x - ux * z, ux * y - uy * x
        sign = 1.0 if x * one[0] + y * one[1] + z * one[2] > 0.0 else -1.0
        if parts_along(sign * x, sign * y, sign * z, p, q, r, way, radius):
            return True
    return False


@kernel
def corner_about(world, v, axis):
    """Of a vertex: the vector to it from the axis, how far along that it is, and the size of the numbers of both."""
    ox, oy, oz, ux, uy, uz = axis
    x = world[v, 0] - ox
    y = world[v, 1] - oy
    z = world[v, 2] - oz
    along = ux * x + uy * y + uz * z
    return x - along * ux, y - along * uy, z - along * uz, along, abs(x) + abs(y) + abs(z)


@kernel
def parts_along(x, y, z, p, q, r, way, radius):
    """True where three points are farther than a radius along a vector of any length from what goes a way."""
    length = math.sqrt(x * x + y * y + z * z)
    nearer = max(0.0, x * way[0] + y * way[1] + z * way[2])
    return (length > SHORTEST_ACROSS
            and min(x * p[0] + y * p[1] + z * p[2], x * q[0] + y * q[1] + z * q[2],
                    x * r[0] + y * r[1] + z * r[2]) - nearer > radius * length)
