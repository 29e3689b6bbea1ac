# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a piece of surface is at most from a part of the solid's surface that covers it, along the piece's normal.

Stacked cups have finely divided walls that lie against one another. No single triangle is near to all of a piece that
is larger than the gap between the walls. But a connected part of the surface has a point straight above or below each
point of the piece, if none of its borders is seen across the piece. docs/depth.md proves it.
"""
import math

import numpy as np

from ..geometry.squares import squared
from ..machine_code.jit import kernel
from .cutting import clip
from .features import BEST, DEPTH_MARGIN, LENGTH_UNIT
from .local_triangles import slots_in_box
from .planes import FLAT_SINE_SQUARED, PLANE_ROUNDING, unit_normal
from .point_triangle import corner_rows

MOST_BESIDE = 128           # triangles around a piece: with more it is cut instead
MOST_COVERED_CORNERS = 8    # of a piece that the three sides of a triangle clip
STEEPEST = 4.0              # inverse cosine of the angle between the piece and a triangle that covers it
SEEN_ROUNDING = 2.0 ** -42  # of places that are seen along the normal, more than they can be off
TURN_ROUNDING = 2.0 * SEEN_ROUNDING     # the same, times the distance of two points of the pair
LISTED, COVERS = 0, 1       # of CoverScratch.state


@kernel
def bound_by_cover(bound, solid, trees, scratch):
    """The bound of the piece scratch.corners (3,3) of another surface, which is `bound` where no part of the solid's
    surface is known to cover the piece at a smaller distance."""
    cover = scratch.cover
    unit = scratch.numbers[LENGTH_UNIT]
    nx, ny, nz = unit_normal(scratch.corners, 0, 1, 2, unit)
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        return bound
    count = see_triangles(min(bound, 2.0 * scratch.numbers[BEST]), nx, ny, nz, solid, trees, scratch)
    start = above_middle(count, cover)
    if start < 0 or not spread(start, count, solid, trees, cover):
        return bound
    most = 0.0
    for k in range(count):
        if cover.state[k] == COVERS:
            most = max(most, farthest_seen(k, cover))
            if most >= bound:
                return bound
    return min(bound, most + scratch.numbers[DEPTH_MARGIN] + STEEPEST * PLANE_ROUNDING)


@kernel
def is_along(slot, solid, trees, scratch):
    """True where a triangle of the solid is not so steep to the piece scratch.corners that it could not cover it."""
    unit = scratch.numbers[LENGTH_UNIT]
    px, py, pz = unit_normal(scratch.corners, 0, 1, 2, unit)
    corner_rows(trees.corners, solid, slot, scratch.rows)
    nx, ny, nz = unit_normal(trees.corners.world, scratch.rows[0], scratch.rows[1], scratch.rows[2], unit)
    return abs(px * nx + py * ny + pz * nz) * STEEPEST > 1.0


@kernel
def see_triangles(reach, nx, ny, nz, solid, trees, scratch):
    """The number of triangles of a solid that are within `reach` of the piece's box, -1 where they are too many.
    cover.seen (k,3,3) are their corners in the frame of the piece, cover.piece (3,3) the piece's own: two shares along
    it and the height over it, from its first corner on."""
    cover = scratch.cover
    C = scratch.corners
    unit = scratch.numbers[LENGTH_UNIT]
    for x in range(3):
        scratch.foot[0, x] = min(C[0, x], min(C[1, x], C[2, x])) - reach / unit
        scratch.foot[1, x] = max(C[0, x], max(C[1, x], C[2, x])) + reach / unit
    count = slots_in_box(solid, scratch.foot[0], scratch.foot[1], MOST_BESIDE, trees, cover.slots, scratch)
    if count > MOST_BESIDE:
        return -1
    ux = (C[1, 0] - C[0, 0]) * unit
    uy = (C[1, 1] - C[0, 1]) * unit
    uz = (C[1, 2] - C[0, 2]) * unit
    over = 1.0 / math.sqrt(ux * ux + uy * uy + uz * uz)
    ux *= over
    uy *= over
    uz *= over
    frame = cover.frame
    frame[0, 0], frame[0, 1], frame[0, 2] = ux, uy, uz
    frame[1, 0], frame[1, 1], frame[1, 2] = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    frame[2, 0], frame[2, 1], frame[2, 2] = nx, ny, nz
    for i in range(3):
        see_point(C[i], C[0], unit, frame, cover.piece[i])
    for k in range(count):
        corner_rows(trees.corners, solid, np.int64(cover.slots[k]), scratch.rows)
        for i in range(3):
            see_point(trees.corners.world[scratch.rows[i]], C[0], unit, frame, cover.seen[k, i])
        cover.state[k] = LISTED
    return count


@kernel
def see_point(point, origin, unit, frame, seen):
    """seen (3,) = a point in a frame (3,3) of unit vectors from `origin` on, in units of the pair."""
    for axis in range(3):
        seen[axis] = ((point[0] - origin[0]) * unit * frame[axis, 0] + (point[1] - origin[1]) * unit * frame[axis, 1]
                      + (point[2] - origin[2]) * unit * frame[axis, 2])


@kernel
def above_middle(count, cover):
    """Which of the triangles is seen at the middle of the piece and nearest there; -1: none."""
    P = cover.piece
    x = (P[0, 0] + P[1, 0] + P[2, 0]) / 3.0
    y = (P[0, 1] + P[1, 1] + P[2, 1]) / 3.0
    best = -1
    least = math.inf
    for k in range(count):
        T = cover.seen[k]
        p = turn(T[0], T[1], x, y)
        q = turn(T[1], T[2], x, y)
        r = turn(T[2], T[0], x, y)
        if min(p, min(q, r)) > TURN_ROUNDING or max(p, max(q, r)) < -TURN_ROUNDING:
            # The corner across an edge has a share as large as the part on that edge.
            height = abs((q * T[0, 2] + r * T[1, 2] + p * T[2, 2]) / (p + q + r))
            if height < least:
                least = height
                best = k
    return best


@kernel
def turn(p, q, x, y):
    """How far a point (x, y) is to the left of the line from p to q, (≥ 2,) float64, times their distance."""
    return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])


@kernel
def spread(start, count, solid, trees, cover):
    """True where triangles that hang together, `start` among them, cover the piece: cover.state is COVERS for them."""
    corners = trees.corners
    first = corners.triangle_start[solid]
    cover.state[start] = COVERS
    cover.queue[0] = start
    waiting = 1
    while waiting > 0:
        waiting -= 1
        k = np.int64(cover.queue[waiting])
        for i in range(3):
            j = (i + 1) % 3
            if passes_by(cover.seen[k, i], cover.seen[k, j], cover.piece):
                continue
            v = corners.triangles[first + cover.slots[k], i]
            w = corners.triangles[first + cover.slots[k], j]
            across = neighbour(k, i, v, w, count, first, corners, cover)
            if across < 0:
                return False
            if cover.state[across] == LISTED:
                cover.state[across] = COVERS
                cover.queue[waiting] = across
                waiting += 1
    return True


@kernel
def passes_by(p, q, piece):
    """True where the way from p to q, (≥ 2,) float64, is seen beside the piece, and so are all points near by."""
    side = 1.0 if turn(piece[0], piece[1], piece[2, 0], piece[2, 1]) > 0.0 else -1.0
    for i in range(3):
        a = piece[i]
        b = piece[(i + 1) % 3]
        if max(side * turn(a, b, p[0], p[1]), side * turn(a, b, q[0], q[1])) < -TURN_ROUNDING:
            return True
    one = turn(p, q, piece[0, 0], piece[0, 1])
    two = turn(p, q, piece[1, 0], piece[1, 1])
    three = turn(p, q, piece[2, 0], piece[2, 1])
    return min(one, min(two, three)) > TURN_ROUNDING or max(one, max(two, three)) < -TURN_ROUNDING


@kernel
def neighbour(k, i, v, w, count, first, corners, cover):
    """The triangle that has the edge i of triangle k, from vertex v to w, too, and is seen on its other side; -1: none
    is known."""
    p = cover.seen[k, i]
    q = cover.seen[k, (i + 1) % 3]
    own = turn(p, q, cover.seen[k, (i + 2) % 3, 0], cover.seen[k, (i + 2) % 3, 1])
    for other in range(count):
        if other == k:
            continue
        for m in range(3):
            s = corners.triangles[first + cover.slots[other], m]
            t = corners.triangles[first + cover.slots[other], (m + 1) % 3]
            if (s == v and t == w) or (s == w and t == v):
                across = turn(p, q, cover.seen[other, (m + 2) % 3, 0], cover.seen[other, (m + 2) % 3, 1])
                if min(abs(across), abs(own)) > TURN_ROUNDING and (across > 0.0) != (own > 0.0):
                    return other
    return -1


@kernel
def farthest_seen(k, cover):
    """The largest distance along the normal of the piece to what triangle k covers of it; infinity where it is seen
    from the side."""
    T = cover.seen[k]
    mx = (T[1, 1] - T[0, 1]) * (T[2, 2] - T[0, 2]) - (T[1, 2] - T[0, 2]) * (T[2, 1] - T[0, 1])
    my = (T[1, 2] - T[0, 2]) * (T[2, 0] - T[0, 0]) - (T[1, 0] - T[0, 0]) * (T[2, 2] - T[0, 2])
    mz = (T[1, 0] - T[0, 0]) * (T[2, 1] - T[0, 1]) - (T[1, 1] - T[0, 1]) * (T[2, 0] - T[0, 0])
    square = mx * mx + my * my + mz * mz
    if not (abs(mz) > math.sqrt(square) / STEEPEST
            and square > FLAT_SINE_SQUARED * square_between(T[0], T[1]) * square_between(T[0], T[2])):
        return math.inf
    for i in range(3):
        for x in range(3):
            cover.polygons[0, i, x] = cover.piece[i, x]
    size = 3
    now = 0
    for i in range(3):
        j = (i + 1) % 3
        sign = -1.0 if mz > 0.0 else 1.0
        length = math.sqrt(squared(T[j, 0] - T[i, 0]) + squared(T[j, 1] - T[i, 1]))
        for c in range(size):
            cover.heights[c] = sign * turn(T[i], T[j], cover.polygons[now, c, 0], cover.polygons[now, c, 1])
        size = clip(cover.polygons[now], size, cover.heights, SEEN_ROUNDING * length, cover.polygons[1 - now])
        now = 1 - now
    most = 0.0
    for c in range(size):
        x = cover.polygons[now, c, 0] - T[0, 0]
        y = cover.polygons[now, c, 1] - T[0, 1]
        most = max(most, abs(T[0, 2] - (mx * x + my * y) / mz - cover.polygons[now, c, 2]))
    return most


@kernel
def square_between(p, q):
    """The squared distance of two points (3,)."""
    return squared(q[0] - p[0]) + squared(q[1] - p[1]) + squared(q[2] - p[2])
