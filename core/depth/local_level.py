# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of a triangle that lie along a flat part of the solid, whatever its outline: with holes, bent inward.

Level triangles that hang together by edges cover all of a piece, seen along their normal, where no edge that only one
of them has is across it. Then no point of it is farther from them than it is from their plane. So a foot of a machine
on a plate with holes needs no pieces as small as the triangles between the holes. docs/depth.md derives the bound.
"""
import math

from ..machine_code.jit import kernel, unsigned
from .items import SIDE
from .local_faces import POINTS_ROUNDED, height_of_triangle
from .local_triangles import CORNERS, IN_DOUBT, LOCAL_STRIDE, NORMAL, TRIANGLE_COUNT, height

MUCH_NEARER = 0.25          # than its bound says, a piece is that may lie along the surface
BESIDE_EDGE = 2.0 ** -36    # an edge passes beside what it is not nearer to
SLENDER = 2.0 ** -12        # height of a triangle over an edge, relative to that: a foot in a slenderer one is in doubt
MOST_COVERING = 48          # triangles that are looked at for one piece


@kernel
def bound_by_level(item, bound, items, local):
    """How deep a piece is at most that level triangles cover, where it lies along the solid's surface at the point that
    was measured last; infinity where they do not."""
    side = 1 - items.kind[item, SIDE]
    corner = items.features[item]
    P = local.corner_points
    C = local.columns[side]
    new = local.used[CORNERS]
    k = local.corner_nearest[new]
    away = slack = 0.0
    for i in range(3):
        c = corner[i]
        slack = max(slack, local.corner_slack[c])
        away = max(away, abs(height(C, k, P[c, 0], P[c, 1], P[c, 2])) + local.corner_slack[c])
    beside = BESIDE_EDGE + 2.0 * slack
    if away > MUCH_NEARER * bound or not stands_over(side, k, new, local):
        return math.inf
    flat, square = cover(side, k, corner, away, beside, local)
    doubt = C[unsigned(IN_DOUBT) * LOCAL_STRIDE + unsigned(k)] * math.sqrt(square) + POINTS_ROUNDED
    return away + flat + 2.0 * doubt


@kernel
def cover(side, k, corner, level, beside, local):
    """(height, square) of triangles around k that are no farther from its plane than the level and cover a piece, seen
    along its normal: how far they are from the plane at most, and, squared, from a corner of k. Infinity where none do.
    corner: (3,) int32, the piece's.

    Nothing but triangles that may have a part of the piece across themselves is looked at: from one to the next across
    each edge that may be across the piece.
    """
    farthest = square = 0.0
    count, done = 1, 0
    local.queue[0] = k
    while done < count:
        one = local.queue[done]
        done += 1
        for j in range(3):
            begin = local.corners[side, one, j]
            end = local.corners[side, one, (j + 1) % 3]
            if not is_across(side, k, begin, end, corner, beside, local):
                continue
            other = across_edge(side, begin, end, local)
            if other < 0 or count == MOST_COVERING:
                return math.inf, 0.0
            known = False
            for place in range(count):
                known = known or local.queue[place] == other
            if known:
                continue
            away, most = height_of_triangle(side, k, other, local)
            if away > level:
                return math.inf, 0.0
            farthest = max(farthest, away)
            square = max(square, most)
            local.queue[count] = other
            count += 1
    return farthest, square


@kernel
def across_edge(side, begin, end, local):
    """A triangle of a side that has the edge between two vertices the other way round; -1 where there is none."""
    corners = local.corners[side]
    for k in range(local.sizes[side, TRIANGLE_COUNT]):
        for j in range(3):
            if corners[k, j] == end and corners[k, (j + 1) % 3] == begin:
                return k
    return -1


@kernel
def inward(side, k, ex, ey, ez, local):
    """The normal of triangle k turned by the vector e: across e, in the triangle's plane, to its left."""
    C = local.columns[side]
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    nx, ny, nz = C[at], C[at + LOCAL_STRIDE], C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    return ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex


@kernel
def stands_over(side, k, c, local):
    """True where the foot of corner c of a piece is within triangle k, and that is no sliver."""
    P = local.points[side]
    Q = local.corner_points
    for i in range(3):
        u = local.corners[side, k, i]
        v = local.corners[side, k, (i + 1) % 3]
        w = local.corners[side, k, (i + 2) % 3]
        x, y, z = inward(side, k, P[v, 0] - P[u, 0], P[v, 1] - P[u, 1], P[v, 2] - P[u, 2], local)
        over = (Q[c, 0] - P[u, 0]) * x + (Q[c, 1] - P[u, 1]) * y + (Q[c, 2] - P[u, 2]) * z
        most = (P[w, 0] - P[u, 0]) * x + (P[w, 1] - P[u, 1]) * y + (P[w, 2] - P[u, 2]) * z
        if over < 0.0 or not most > SLENDER * (x * x + y * y + z * z):
            return False
    return True


@kernel
def is_across(side, k, u, v, corner, beside, local):
    """True where the edge from vertex u to v may be across a piece, seen along the normal of triangle k: no line along
    it, or along an edge of the piece, has the two clearly on different sides. corner: (3,) int32, the piece's."""
    P = local.points[side]
    Q = local.corner_points
    x, y, z = inward(side, k, P[v, 0] - P[u, 0], P[v, 1] - P[u, 1], P[v, 2] - P[u, 2], local)
    close = beside * math.sqrt(x * x + y * y + z * z)
    low, high = math.inf, -math.inf
    for i in range(3):
        c = corner[i]
        over = (Q[c, 0] - P[u, 0]) * x + (Q[c, 1] - P[u, 1]) * y + (Q[c, 2] - P[u, 2]) * z
        low, high = min(low, over), max(high, over)
    if low > close or high < -close:
        return False
    for i in range(3):
        c, d, o = corner[i], corner[(i + 1) % 3], corner[(i + 2) % 3]
        x, y, z = inward(side, k, Q[d, 0] - Q[c, 0], Q[d, 1] - Q[c, 1], Q[d, 2] - Q[c, 2], local)
        close = beside * math.sqrt(x * x + y * y + z * z)
        own = (Q[o, 0] - Q[c, 0]) * x + (Q[o, 1] - Q[c, 1]) * y + (Q[o, 2] - Q[c, 2]) * z
        one = (P[u, 0] - Q[c, 0]) * x + (P[u, 1] - Q[c, 1]) * y + (P[u, 2] - Q[c, 2]) * z
        other = (P[v, 0] - Q[c, 0]) * x + (P[v, 1] - Q[c, 1]) * y + (P[v, 2] - Q[c, 2]) * z
        if max(one, other) < min(own, 0.0) - close or min(one, other) > max(own, 0.0) + close:
            return False
    return True
