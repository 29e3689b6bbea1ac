# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that touch, or are one inside the other, and whose surfaces go through each other at no time between two
Instants: a wheel that rolls over a floor, people in a closed room who walk on its floor (docs/moving-meshes.md).

No direction parts them, and they meet all the while, so that no time of a first contact tells anything. But the faces
of the one that does not turn keep the other one on their side: each face that it comes near has all of it on one side
of its plane, from the beginning to the end.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from .cylinders import AXIS_ROUNDING, HIGHEST, LOWEST, OUTWARD, cylinder_around, unit_vector
from .motions import Movement
from .parting_turns import TURN_ROUNDINGS

PLANES = 128    # as many directions of planes are looked along, as cost about what testing a few moments does


def stay_on_their_sides(movement: Movement, a: np.ndarray, b: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """(k,) bool: pairs of objects whose surfaces certainly reach through each other by no more than a length at any
    time. a, b: (k,) int; allowed: (k,) float64, that length."""
    kept = [_keeps_on_its_side(movement, i, j, length) or _keeps_on_its_side(movement, j, i, length)
            for i, j, length in zip(a.tolist(), b.tolist(), allowed.tolist())]
    return np.array(kept, bool)


def _keeps_on_its_side(movement: Movement, wall: int, other: int, allowed: float) -> bool:
    motions, start, end = movement.motions, movement.start, movement.end
    if not (movement.followed[wall] and movement.followed[other]) or motions.linear[wall] or motions.angle[wall] > 0.0:
        return False
    return bool(keeps_on_its_side(wall, start.world_vertices(wall), start.triangles[wall], other,
                                  start.world_vertices(other), end.world_vertices(other), motions, allowed))


@kernel
def keeps_on_its_side(wall, corners, triangles, other, before, after, motions, allowed):
    """True where each triangle of object `wall`, which does not turn, is farther from another object all the while, or
    has it on one side but for no more than a length.

    corners: (v,3), vertices of the wall in the world at first; triangles: (m,3); before, after: (w,3), vertices of the
    other object at first and in the end; motions: ObjectMotions; allowed: the length.
    """
    way = (motions.origin[wall, 1, 0] - motions.origin[wall, 0, 0],
           motions.origin[wall, 1, 1] - motions.origin[wall, 0, 1],
           motions.origin[wall, 1, 2] - motions.origin[wall, 0, 2])
    turns = not motions.linear[other] and motions.angle[other] > 0.0
    axis, gone = axis_as_seen(motions, other, way)
    cylinder = cylinder_around(before, 0, before.shape[0], axis, 0.0) if turns else (0.0, 0.0, 0.0)
    away = motions.stretching[wall] + TURN_ROUNDINGS * (motions.rounding[wall] + motions.rounding[other])
    away += motions.stretching[other] if turns else 0.0
    low0, high0 = reach_along(1.0, 0.0, 0.0, turns, axis, gone, cylinder, before, after, way)
    low1, high1 = reach_along(0.0, 1.0, 0.0, turns, axis, gone, cylinder, before, after, way)
    low2, high2 = reach_along(0.0, 0.0, 1.0, turns, axis, gone, cylinder, before, after, way)
    low, high, last, planes = 0.0, 0.0, (0.0, 0.0, 0.0), 0
    for row in range(triangles.shape[0]):
        i, j, k = triangles[row, 0], triangles[row, 1], triangles[row, 2]
        if (is_beside(corners[i, 0], corners[j, 0], corners[k, 0], low0 - away, high0 + away)
                or is_beside(corners[i, 1], corners[j, 1], corners[k, 1], low1 - away, high1 + away)
                or is_beside(corners[i, 2], corners[j, 2], corners[k, 2], low2 - away, high2 + away)):
            continue
        ax, ay, az = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1], corners[j, 2] - corners[i, 2]
        bx, by, bz = corners[k, 0] - corners[i, 0], corners[k, 1] - corners[i, 1], corners[k, 2] - corners[i, 2]
        x, y, z, is_certain = unit_vector(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
        if not is_certain:
            return False
        if (x, y, z) != last:               # those of a floor that is divided have one after the other
            if planes == PLANES:
                return False
            low, high = reach_along(x, y, z, turns, axis, gone, cylinder, before, after, way)
            planes, last = planes + 1, (x, y, z)
        p = x * corners[i, 0] + y * corners[i, 1] + z * corners[i, 2]
        q = x * corners[j, 0] + y * corners[j, 1] + z * corners[j, 2]
        r = x * corners[k, 0] + y * corners[k, 1] + z * corners[k, 2]
        # Whatever the direction is, along it the triangle and the other object overlap by no more.
        if not (low >= max(p, q, r) + away - allowed or high <= min(p, q, r) - away + allowed):
            return False
    return True


@kernel
def is_beside(p, q, r, low, high):
    """True where three numbers are all below or all above a range."""
    return max(p, q, r) < low or min(p, q, r) > high


@kernel
def axis_as_seen(motions, k, way):
    """(axis, gone), six numbers each: the axis about which an object turns, at first and in the end, as seen from what
    goes a way meanwhile."""
    ux, uy, uz = motions.world_axis[k, 0], motions.world_axis[k, 1], motions.world_axis[k, 2]
    return ((motions.origin[k, 0, 0], motions.origin[k, 0, 1], motions.origin[k, 0, 2], ux, uy, uz),
            (motions.origin[k, 1, 0] - way[0], motions.origin[k, 1, 1] - way[1], motions.origin[k, 1, 2] - way[2],
             ux, uy, uz))


@kernel
def reach_along(x, y, z, turns, axis, gone, cylinder, before, after, way):
    """(low, high): from where to where along a unit vector an object is at any time: that in a cylinder about an axis,
    where it turns, else that of its vertices, which go straight. All as in `keeps_on_its_side`."""
    low, high = math.inf, -math.inf
    if turns:
        u = x * axis[3] + y * axis[4] + z * axis[5]
        first = x * axis[0] + y * axis[1] + z * axis[2]
        last = x * gone[0] + y * gone[1] + z * gone[2]
        p, q, r = y * axis[5] - z * axis[4], z * axis[3] - x * axis[5], x * axis[4] - y * axis[3]
        reach = cylinder[OUTWARD] * (math.sqrt(p * p + q * q + r * r) + AXIS_ROUNDING)
        low = min(first, last) + min(u * cylinder[LOWEST], u * cylinder[HIGHEST]) - reach
        high = max(first, last) + max(u * cylinder[LOWEST], u * cylinder[HIGHEST]) + reach
        return low, high
    away = x * way[0] + y * way[1] + z * way[2]
    for i in range(before.shape[0]):
        first = x * before[i, 0] + y * before[i, 1] + z * before[i, 2]
        last = x * after[i, 0] + y * after[i, 1] + z * after[i, 2] - away
        low = min(low, min(first, last))
        high = max(high, max(first, last))
    return low, high
