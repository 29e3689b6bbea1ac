# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat faces of a solid: triangles in one plane that together are convex, in the columns of local_triangles.py.

The distance to a convex face is convex, as that to a triangle is. So a face bounds a piece of surface like one large
triangle, where each of its triangles bounds only what is across itself. docs/depth.md derives the slack.
"""
import math

from ..geometry.squares import squared
from ..machine_code.jit import kernel, unsigned
from .local_triangles import IN_DOUBT, LOCAL_STRIDE, MEMBERS, NO_FACE, NORMAL, TRIANGLE_COUNT, height

NO_EDGE = -1
ALIGNED = 0.5               # least cosine of the angle between the normals of two triangles of a face
MOST_BORDER = 64            # edges around a face
LEVEL = 2.0 ** -6           # of the tolerance: farther from the plane no vertex of a face is
MOST_SLACK = 2.0 ** -4      # of the tolerance
BLUNT = 2.0 ** -5 - 1.0     # least cosine of the angle between two edges of a border in turn
OVER_SHARPEST = 8.0         # the inverse sine of half of the sharpest corner that this leaves
POINTS_ROUNDED = 2.0 ** -48


@kernel
def find_face(side, k, local, tolerance):
    """Write the face of triangle k of a side where it was not asked yet: its triangles are local.members[side,
    local.face_first[side, k]:], so many as local.face_count[side, k], and it has local.face_slack[side, k]."""
    if local.face_first[side, k] != NO_FACE:
        return
    candidates, flat, size = list_coplanar(side, k, local, LEVEL * tolerance)
    first = local.sizes[side, MEMBERS]
    count, border = 1, 0
    if candidates > 1:
        link_edges(side, candidates, local)
        count, border = flood(side, first, local)
    else:
        local.members[side, first] = k
    slack = 0.0
    if count > 1:
        doubt = local.columns[side, unsigned(IN_DOUBT) * LOCAL_STRIDE + unsigned(k)] * size + POINTS_ROUNDED
        bend = border_bend(side, k, border, local) if border <= MOST_BORDER else math.inf
        slack = 2.0 * (flat + doubt) + OVER_SHARPEST * (bend + doubt)
    whole = slack <= MOST_SLACK * tolerance
    for place in range(first, first + count):
        member = local.members[side, place]
        local.face_first[side, member] = first if whole else place
        local.face_count[side, member] = count if whole else 1
        local.face_slack[side, member] = slack if whole else 0.0
    local.sizes[side, MEMBERS] = first + count


@kernel
def distance_to_face(side, k, start, local):
    """The distance to the face of triangle k of a side, slack included, of the point whose squared distances begin at
    `start` in local.squares."""
    least = math.inf
    first = local.face_first[side, k]
    for place in range(first, first + local.face_count[side, k]):
        least = min(least, local.squares[unsigned(start + local.members[side, place])])
    return math.sqrt(least) + local.face_slack[side, k]


@kernel
def list_coplanar(side, k, local, level):
    """(count, height, size): local.coplanar[:count] = k and the triangles without a face that lie in its plane and are
    turned like it; how far from the plane they are at most, and from a corner of k."""
    local.coplanar[0] = k
    count = 1
    farthest = square = 0.0
    heights_of_corners(local.columns[side], k, local.sizes[side, TRIANGLE_COUNT], local.largest)
    for other in range(local.sizes[side, TRIANGLE_COUNT]):
        if local.largest[other] > level or local.face_first[side, other] != NO_FACE:
            continue
        away, most = height_of_triangle(side, k, other, local)
        if away <= level:
            farthest = max(farthest, away)
            square = max(square, most)
            if other != k:
                local.coplanar[count] = other
                count += 1
    return count, farthest, math.sqrt(square)


@kernel
def heights_of_corners(C, k, count, heights):
    """heights[i] = how far the first corner of triangle i of the first `count` columns of C is from the plane of
    triangle k, infinitely where triangle i is not turned like k. By vector code: most triangles end here."""
    at = unsigned(k)
    to = unsigned(NORMAL) * LOCAL_STRIDE + at
    ox, oy, oz = C[at], C[at + LOCAL_STRIDE], C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    nx, ny, nz = C[to], C[to + LOCAL_STRIDE], C[to + LOCAL_STRIDE + LOCAL_STRIDE]
    for i in range(unsigned(count)):
        i1 = i + LOCAL_STRIDE
        i2 = i1 + LOCAL_STRIDE
        n0 = i + unsigned(NORMAL) * LOCAL_STRIDE
        n1 = n0 + LOCAL_STRIDE
        n2 = n1 + LOCAL_STRIDE
        away = abs((C[i] - ox) * nx + (C[i1] - oy) * ny + (C[i2] - oz) * nz)
        cosine = nx * C[n0] + ny * C[n1] + nz * C[n2]
        heights[i] = math.inf if cosine < ALIGNED else away


@kernel
def height_of_triangle(side, k, other, local):
    """(height, square): how far a triangle is from the plane of triangle k at most, and, squared, from a corner of
    k."""
    C = local.columns[side]
    P = local.points[side]
    origin = local.corners[side, k, 0]
    away = most = 0.0
    for i in range(3):
        corner = local.corners[side, other, i]
        away = max(away, abs(height(C, k, P[corner, 0], P[corner, 1], P[corner, 2])))
        most = max(most, squared(P[corner, 0] - P[origin, 0]) + squared(P[corner, 1] - P[origin, 1])
                   + squared(P[corner, 2] - P[origin, 2]))
    return away, most


@kernel
def link_edges(side, candidates, local):
    """Chain the edges of the listed triangles by the vertex where they begin: local.edge_head, local.edge_next. Edge
    3·i + j is that of local.coplanar[i] from its corner j to the next one."""
    for i in range(candidates):
        local.reached[i] = 0
        for j in range(3):
            local.edge_head[local.corners[side, local.coplanar[i], j]] = NO_EDGE
    for i in range(candidates):
        for j in range(3):
            vertex = local.corners[side, local.coplanar[i], j]
            local.edge_next[3 * i + j] = local.edge_head[vertex]
            local.edge_head[vertex] = 3 * i + j


@kernel
def flood(side, first, local):
    """(count, border): local.members[side, first:first + count] are the listed triangles that hang together with the
    first one by edges; local.border[:border] the edges that only one of them has, as far as these are few."""
    count, border, done = 1, 0, 0
    local.queue[0] = 0
    local.reached[0] = 1
    while done < count:
        i = local.queue[done]
        local.members[side, first + done] = local.coplanar[i]
        done += 1
        for j in range(3):
            begin = local.corners[side, local.coplanar[i], j]
            end = local.corners[side, local.coplanar[i], (j + 1) % 3]
            alone = True
            edge = local.edge_head[end]
            while edge != NO_EDGE:
                other = edge // 3
                if local.corners[side, local.coplanar[other], (edge + 1) % 3] == begin:
                    alone = False
                    if local.reached[other] == 0:
                        local.reached[other] = 1
                        local.queue[count] = other
                        count += 1
                edge = local.edge_next[edge]
            if alone:
                if border < MOST_BORDER:
                    local.border[border] = 3 * i + j
                border += 1
    return count, border


@kernel
def border_bend(side, k, border, local):
    """How far a vertex of the border is outside of the line through an edge of it; infinity where two edges in turn
    meet in too sharp a corner. k: a triangle in the plane."""
    C = local.columns[side]
    P = local.points[side]
    at = unsigned(NORMAL) * LOCAL_STRIDE + unsigned(k)
    nx = C[at]
    ny = C[at + LOCAL_STRIDE]
    nz = C[at + LOCAL_STRIDE + LOCAL_STRIDE]
    bend = 0.0
    for i in range(border):
        u, v = border_edge(side, i, local)
        ex, ey, ez = P[v, 0] - P[u, 0], P[v, 1] - P[u, 1], P[v, 2] - P[u, 2]
        length = math.sqrt(ex * ex + ey * ey + ez * ez)
        if not length > 0.0:
            return math.inf
        ex, ey, ez = ex / length, ey / length, ez / length
        inx, iny, inz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
        for j in range(border):
            p, q = border_edge(side, j, local)
            bend = max(bend, (P[u, 0] - P[p, 0]) * inx + (P[u, 1] - P[p, 1]) * iny + (P[u, 2] - P[p, 2]) * inz)
            if p == v:
                fx, fy, fz = P[q, 0] - P[p, 0], P[q, 1] - P[p, 1], P[q, 2] - P[p, 2]
                if ex * fx + ey * fy + ez * fz < BLUNT * math.sqrt(fx * fx + fy * fy + fz * fz):
                    return math.inf
    return bend


@kernel
def border_edge(side, i, local):
    """(vertex where it begins, vertex where it ends) of an edge of a border."""
    triangle = local.coplanar[local.border[i] // 3]
    j = local.border[i] % 3
    return local.corners[side, triangle, j], local.corners[side, triangle, (j + 1) % 3]
