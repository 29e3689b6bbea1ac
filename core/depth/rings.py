# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of few points in a plane: their corners, the way round, but for those that lie on an edge."""
import math

from ..geometry.squares import squared
from ..machine_code.jit import kernel
from .local_triangles import plane_axes

STRAIGHT = 2.0 ** -49       # a corner that is no farther from the edge between two others, but for roundings, is on it
STRAIGHT_DOUBTS = 2.0       # so many roundings of an end more


@kernel
def ring_of_hull(side, k, first, count, local):
    """How many of the corners from `first` on, so many, are those of their convex hull; their numbers are put into
    local.ring, the way round. They lie in the plane of triangle k of a side."""
    x, y = plane_axes(side, k, local)
    return ring_of_corners(x, y, first, count, local)


@kernel
def ring_of_corners(x, y, first, count, local):
    """The same of corners in a plane that is not upright on the axes x and y."""
    P = local.corner_points
    order = local.order
    for i in range(first, first + count):
        place = i - first
        while place > 0 and (P[order[place - 1], x] > P[i, x]
                             or (P[order[place - 1], x] == P[i, x] and P[order[place - 1], y] > P[i, y])):
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    ring = local.ring
    size = 0
    for turn in range(2):
        begin = size
        for step in range(count):
            i = order[step] if turn == 0 else order[count - 1 - step]
            while size >= begin + 2:
                p = ring[size - 2]
                q = ring[size - 1]
                if (P[q, x] - P[p, x]) * (P[i, y] - P[p, y]) - (P[q, y] - P[p, y]) * (P[i, x] - P[p, x]) > 0.0:
                    break
                size -= 1
            ring[size] = i
            size += 1
        size -= 1       # it begins the other half
    return max(size, 1)


@kernel
def straighten_ring(size, doubt, local):
    """How many of the first `size` of local.ring are left without those that are no farther than `doubt` from the edge
    between two that stay: else pieces would have no area, and nothing tells that such a one is outside."""
    ring = local.ring
    kept = 1
    last = 0                # place of the corner that was kept last
    for i in range(1, size):
        on_edge = True
        for j in range(last + 1, i + 1):
            on_edge = on_edge and from_edge(local.corner_points, ring[kept - 1], ring[j], ring[(i + 1) % size]) <= doubt
        if not on_edge:
            ring[kept] = ring[i]
            kept += 1
            last = i
    return kept


@kernel
def from_edge(P, i, k, j):
    """How far P[k] is from the edge between P[i] and P[j]."""
    ex, ey, ez = P[j, 0] - P[i, 0], P[j, 1] - P[i, 1], P[j, 2] - P[i, 2]
    wx, wy, wz = P[k, 0] - P[i, 0], P[k, 1] - P[i, 1], P[k, 2] - P[i, 2]
    square = ex * ex + ey * ey + ez * ez
    t = 0.0 if not square > 0.0 else min(max((ex * wx + ey * wy + ez * wz) / square, 0.0), 1.0)
    return math.sqrt(squared(wx - t * ex) + squared(wy - t * ey) + squared(wz - t * ez))
