# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders about axes that go straight, and what is outside of them all the while: kernels of `parting_turns.py`."""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.nodes import EMPTY, node_of

AXIS_ROUNDING = 2.0 ** -44      # of places about the axis, relative to the sizes that they are computed from: 2^-47 do
SHORTEST_ACROSS = 1e-150        # a vector at right angles to the axis, whose direction is certain
OUTWARD, LOWEST, HIGHEST = 0, 1, 2  # of a cylinder: how far from the axis, and from where to where along it


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
def cylinders_apart(x, y, z, first, axis, second, other, way, away):
    """True where two cylinders about their axes are farther apart than `away` along a vector of any length, the same
    way round, now and after the second one has gone a way."""
    x, y, z, is_certain = unit_vector(x, y, z)
    if not is_certain:
        return False
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
def unit_vector(x, y, z):
    """A vector of length 1 in the direction of another one, and whether that is long enough for its direction to be
    certain."""
    length = math.sqrt(x * x + y * y + z * z)
    if not length > SHORTEST_ACROSS:
        return x, y, z, False
    return x / length, y / length, z / length, True


@kernel
def across(cosine):
    """No less than the sine of the angle between two unit vectors, by its cosine."""
    return math.sqrt(max(0.0, 1.0 - cosine * cosine) + AXIS_ROUNDING)


@kernel
def is_outside(obj, axis, gone, cylinder, before, after, stack):
    """True where all triangles of an object, on their lines from the trees `before` to those `after`, are outside of a
    cylinder about an axis that goes straight from one place to another."""
    depth = 1
    stack[0] = before.root[obj]
    while depth > 0:
        depth -= 1
        code = stack[depth]
        node = node_of(code)
        row = before.node_start[obj] + node
        for k in range(4):
            child = np.int64(before.children[row, k])
            if child < 0 if code < 0 else child == EMPTY:
                continue
            if box_is_outside(before.boxes, before.quantization, before.box_start[obj] + node,
                              after.box_start[obj] + node, k, axis, gone, cylinder):
                continue
            if code >= 0:
                if depth == stack.shape[0]:
                    return False
                stack[depth] = child
                depth += 1
            elif not triangle_is_outside(before.corners, after.corners, obj, child, axis, gone, cylinder):
                return False
    return True


@kernel
def box_is_outside(boxes, quantization, row, last_row, k, axis, gone, cylinder):
    """True where box k of a node, a row of `boxes` at first and another one in the end, has nothing in the cylinder."""
    x, y, z, hx, hy, hz, slack = box_about(boxes, quantization, row, k, axis)
    p, q, r, hp, hq, hr, last_slack = box_about(boxes, quantization, last_row, k, gone)
    ux, uy, uz = axis[3], axis[4], axis[5]
    along = ux * x + uy * y + uz * z
    last = ux * p + uy * q + uz * r
    half = abs(ux) * hx + abs(uy) * hy + abs(uz) * hz + slack
    last_half = abs(ux) * hp + abs(uy) * hq + abs(uz) * hr + last_slack
    if (min(along - half, last - last_half) > cylinder[HIGHEST]
            or max(along + half, last + last_half) < cylinder[LOWEST]):
        return True
    # Along the direction from the axis to the middle of the way, at right angles to the axis.
    along = 0.5 * (along + last)
    dx = 0.5 * (x + p) - along * ux
    dy = 0.5 * (y + q) - along * uy
    dz = 0.5 * (z + r) - along * uz
    dx, dy, dz, is_certain = unit_vector(dx, dy, dz)
    if not is_certain:
        return False
    nearest = min(dx * x + dy * y + dz * z - (abs(dx) * hx + abs(dy) * hy + abs(dz) * hz) - slack,
                  dx * p + dy * q + dz * r - (abs(dx) * hp + abs(dy) * hq + abs(dz) * hr) - last_slack)
    return nearest > cylinder[OUTWARD]


@kernel
def box_about(boxes, quantization, row, k, axis):
    """Of a box: its middle as seen from the place of an axis, half of its edges, and what all of that errs by."""
    scale = 1.0 / quantization[3]
    x0 = boxes[row, 0, k] * scale
    y0 = boxes[row, 1, k] * scale
    z0 = boxes[row, 2, k] * scale
    x1 = boxes[row, 3, k] * scale
    y1 = boxes[row, 4, k] * scale
    z1 = boxes[row, 5, k] * scale
    size = (abs(x0) + abs(y0) + abs(z0) + abs(x1) + abs(y1) + abs(z1) + abs(quantization[0]) + abs(axis[0])
            + abs(quantization[1]) + abs(axis[1]) + abs(quantization[2]) + abs(axis[2]))
    return (0.5 * (x0 + x1) + quantization[0] - axis[0], 0.5 * (y0 + y1) + quantization[1] - axis[1],
            0.5 * (z0 + z1) + quantization[2] - axis[2], 0.5 * (x1 - x0), 0.5 * (y1 - y0), 0.5 * (z1 - z0),
            AXIS_ROUNDING * size)


@kernel
def triangle_is_outside(corners, last, obj, slot, axis, gone, cylinder):
    """True where a triangle, placed at first and in the end, has nothing in the cylinder: it is above or below it, or
    apart from it along a direction at right angles to the axis, that of a corner or across an edge, along its normal,
    or along the axis but for a part along an edge."""
    triangle = corners.triangle_start[obj] + slot
    p = corner_about(corners.world, last.world, corners.world_start[obj], last.world_start[obj],
                     corners.triangles[triangle, 0], axis, gone)
    q = corner_about(corners.world, last.world, corners.world_start[obj], last.world_start[obj],
                     corners.triangles[triangle, 1], axis, gone)
    r = corner_about(corners.world, last.world, corners.world_start[obj], last.world_start[obj],
                     corners.triangles[triangle, 2], axis, gone)
    slack = AXIS_ROUNDING * max(p[8], q[8], r[8])
    if (min(p[6], q[6], r[6], p[7], q[7], r[7]) - slack > cylinder[HIGHEST]
            or max(p[6], q[6], r[6], p[7], q[7], r[7]) + slack < cylinder[LOWEST]):
        return True
    radius = cylinder[OUTWARD] + slack
    for one, two in ((p, q), (q, r), (r, p)):
        if parts_along(one[0], one[1], one[2], p, q, r, radius):
            return True
        x = two[0] - one[0]
        y = two[1] - one[1]
        z = two[2] - one[2]
        x, y, z = axis[4] * z - axis[5] * y, axis[5] * x - axis[3] * z, axis[3] * y - axis[4] * x
        sign = 1.0 if x * one[0] + y * one[1] + z * one[2] > 0.0 else -1.0
        if parts_along(sign * x, sign * y, sign * z, p, q, r, radius):
            return True
    first = side_of(p, q, axis)
    second = side_of(p, r, axis)
    third = side_of(q, r, axis)
    if parts_aslant(first[1] * second[2] - first[2] * second[1], first[2] * second[0] - first[0] * second[2],
                    first[0] * second[1] - first[1] * second[0], p, q, r, axis, cylinder, slack):
        return True
    for side in (first, second, third):
        square = side[0] * side[0] + side[1] * side[1] + side[2] * side[2]
        if square > SHORTEST_ACROSS:
            part = (side[0] * axis[3] + side[1] * axis[4] + side[2] * axis[5]) / square
            if parts_aslant(axis[3] - part * side[0], axis[4] - part * side[1], axis[5] - part * side[2], p, q, r, axis,
                            cylinder, slack):
                return True
    return False


@kernel
def side_of(p, q, axis):
    """The vector from one corner to another one in the middle of their way, see `corner_about`."""
    along = 0.5 * (q[6] + q[7] - p[6] - p[7])
    return (0.5 * (q[0] + q[3] - p[0] - p[3]) + along * axis[3], 0.5 * (q[1] + q[4] - p[1] - p[4]) + along * axis[4],
            0.5 * (q[2] + q[5] - p[2] - p[5]) + along * axis[5])


@kernel
def parts_aslant(x, y, z, p, q, r, axis, cylinder, slack):
    """True where three points are outside of a cylinder along a vector of any direction, at first and in the end."""
    x, y, z, is_certain = unit_vector(x, y, z)
    if not is_certain:
        return False
    u = x * axis[3] + y * axis[4] + z * axis[5]
    low = math.inf
    high = -math.inf
    for each in (p, q, r):
        first = x * each[0] + y * each[1] + z * each[2] + u * each[6]
        last = x * each[3] + y * each[4] + z * each[5] + u * each[7]
        low = min(low, min(first, last))
        high = max(high, max(first, last))
    reach = cylinder[OUTWARD] * across(u) + slack
    return (low > max(u * cylinder[LOWEST], u * cylinder[HIGHEST]) + reach
            or high < min(u * cylinder[LOWEST], u * cylinder[HIGHEST]) - reach)


@kernel
def corner_about(world, last_world, first, last_first, number, axis, gone):
    """Of a vertex: the vectors to it from the axis, at first and in the end, how far along that it is at both, and the
    size of the numbers of all of these."""
    v = first + number
    x, y, z, along, size = vertex_about(world, v, axis)
    p, q, r, last, last_size = vertex_about(last_world, last_first + number, gone)
    return x, y, z, p, q, r, along, last, max(size, last_size)


@kernel
def vertex_about(world, v, axis):
    """Of a vertex: the vector to it from an axis, how far along that it is, and the size of the numbers of both."""
    ox, oy, oz, ux, uy, uz = axis
    x = world[v, 0] - ox
    y = world[v, 1] - oy
    z = world[v, 2] - oz
    along = ux * x + uy * y + uz * z
    return x - along * ux, y - along * uy, z - along * uz, along, abs(x) + abs(y) + abs(z)


@kernel
def parts_along(x, y, z, p, q, r, radius):
    """True where three points are farther than a radius along a vector of any length, at first and in the end."""
    length = math.sqrt(x * x + y * y + z * z)
    return (length > SHORTEST_ACROSS
            and min(x * p[0] + y * p[1] + z * p[2], x * q[0] + y * q[1] + z * q[2], x * r[0] + y * r[1] + z * r[2],
                    x * p[3] + y * p[4] + z * p[5], x * q[3] + y * q[4] + z * q[5],
                    x * r[3] + y * r[4] + z * r[5]) > radius * length)
