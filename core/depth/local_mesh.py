# SPDX-License-Identifier: GPL-3.0-or-later
"""A hull cut into triangles between the ends of contacts.

What a large triangle has inside of a solid that it meets in many places is hardly ever like its hull: a ring, say, of
which each part is near to triangles of its own. So the hull is cut between the ends of contacts as Delaunay did it: by
Lawson's insertions and flips. What rounding spoils does no harm. A triangle that is cut at a point, and two that are
flipped, are covered by those that come instead, wherever their corners are.
"""
import math

import numpy as np

from ..machine_code.jit import kernel, unsigned
from .local_ends import SAME_END, same_end
from .local_triangles import CORNERS, IN_DOUBT, LOCAL_STRIDE, MOST_PIECE_CORNERS, NO_ROW, height, plane_axes

MOST_MESHED = 1 << 9        # triangles of a hull: more ends are left out
MOST_FLIPS = 1 << 4         # for each end: it needs six, mostly
MOST_ENDS = 1 << 10         # of the contacts of a triangle
MOST_SINGLE = 4             # times as many ends as those where only one contact ends
MEETING = 3                 # column of LocalPair.ways: how many contacts end there
PASSED_ON, BENT = 2.0, 4.0  # of these: two, one of which goes on where the other one ends; others
STRAIGHT_COSINE = 1.0 - 2.0 ** -33
ON_EDGE_SQUARE = 2.0 ** -80     # so near to the hull's edge, an end is on it
CLEARLY_INSIDE = 2.0 ** -40     # relative to the terms that tell whether a corner is in a circle
NO_TRIANGLE = -1


@kernel
def mesh_of_ring(side, k, size, ends, local):
    """How many triangles cover the hull of the first `size` corners of local.ring: local.mesh[:count, :3] are their
    corners, local.mesh[:count, 3:] their neighbours across from these. ends: so many corners, those from the
    local.used[CORNERS] on, are put into them as far as there is room."""
    P = local.corner_points
    mesh = local.mesh
    x, y = plane_axes(side, k, local)
    ring = local.ring
    count = size - 2
    for i in range(count):
        mesh[i, 0], mesh[i, 1], mesh[i, 2] = ring[0], ring[i + 1], ring[i + 2]
        mesh[i, 3] = NO_TRIANGLE
        mesh[i, 4] = i + 1 if i + 1 < count else NO_TRIANGLE
        mesh[i, 5] = i - 1
    turn = 0.0
    for i in range(count):
        turn += turned(P, mesh[i, 0], mesh[i, 1], mesh[i, 2], x, y)
    if turn < 0.0:
        x, y = y, x
    at = 0
    for corner in range(local.used[CORNERS], local.used[CORNERS] + ends):
        if count + 2 > MOST_MESHED:
            break
        at = triangle_with(corner, at, count, x, y, local)
        if at >= 0:
            count = cut_at_end(corner, at, count, local)
            settle(at, count, x, y, local)
        else:
            at = 0
    return count


@kernel
def add_bends(side, k, contacts, unit, local):
    """How many corners were added behind the local.used[CORNERS] ones: the ends of contacts of triangle k of a side,
    each once, but for those where two go on straight, as they do through faces that are cut finely. 0 where contacts
    are too many, or mostly end at the triangle's edges, as where it is a sliver of a fan: others tell more there."""
    base = np.int64(local.used[CORNERS])
    most = 2 * (local.first[side, k + 1] - local.first[side, k])
    if most > MOST_ENDS or base + most > MOST_PIECE_CORNERS - MOST_ENDS:
        return 0
    P = local.corner_points
    way = local.ways
    along = way[MOST_ENDS]
    count = 0
    for row in range(local.first[side, k], local.first[side, k + 1]):
        contact = local.listed[side, row]
        square = 0.0
        for x in range(3):
            along[x] = contacts.point[contact, 1, x] - contacts.point[contact, 0, x]
            square += along[x] * along[x]
        if not square > 0.0:
            continue
        for x in range(3):
            along[x] /= math.sqrt(square)
        for which in range(2):
            end = base + count
            for x in range(3):
                P[end, x] = (contacts.point[contact, which, x] - local.origin[x]) * unit
            at = same_end(base, end, P) - base
            if at == count:
                for x in range(3):
                    way[at, x] = along[x]
                way[at, MEETING] = 0.0
                count += 1
            way[at, MEETING] += 1.0
            cosine = way[at, 0] * along[0] + way[at, 1] * along[1] + way[at, 2] * along[2]
            if way[at, MEETING] > PASSED_ON or abs(cosine) < STRAIGHT_COSINE:
                way[at, MEETING] = BENT
    return keep_bends(side, k, base, count, local)


@kernel
def is_inside_ring(corner, size, clearly, x, y, local):
    """True where a corner is clearly inside the hull of the first `size` corners of local.ring, as it is seen along two
    axes."""
    P = local.corner_points
    for i in range(size):
        one = local.ring[i]
        other = local.ring[(i + 1) % size]
        dx, dy = P[other, x] - P[one, x], P[other, y] - P[one, y]
        if turned(P, one, other, corner, x, y) <= clearly * (abs(dx) + abs(dy)):
            return False
    return True


@kernel
def keep_bends(side, k, base, count, local):
    """How many of `count` corners from `base` on are kept as the first ones: those where no contact goes straight on. 0
    where too many of them are ends of one contact only."""
    P = local.corner_points
    C = local.columns[side]
    doubt = C[unsigned(IN_DOUBT) * LOCAL_STRIDE + unsigned(k)]
    kept = single = 0
    for at in range(count):
        if local.ways[at, MEETING] == PASSED_ON:
            continue
        new = base + kept
        for x in range(3):
            P[new, x] = P[base + at, x]
        # So far it may be from the triangle, which the mesh is to cover.
        local.corner_slack[new] = doubt + abs(height(C, k, P[new, 0], P[new, 1], P[new, 2]))
        local.corner_rows[new] = NO_ROW
        kept += 1
        single += local.ways[at, MEETING] == 1.0
    return kept if MOST_SINGLE * single <= kept else 0


@kernel
def turned(P, i, j, m, x, y):
    """Twice the signed area of three points, as they are seen along two axes."""
    return (P[j, x] - P[i, x]) * (P[m, y] - P[i, y]) - (P[j, y] - P[i, y]) * (P[m, x] - P[i, x])


@kernel
def triangle_with(corner, at, count, x, y, local):
    """The triangle that has a point in it, found on the way there from triangle `at`; -1 where there is none, or the
    point is one of its corners."""
    P = local.corner_points
    mesh = local.mesh
    for _ in range(count):
        away = 0
        least = 0.0
        for i in range(3):
            left = turned(P, mesh[at, (i + 1) % 3], mesh[at, (i + 2) % 3], corner, x, y)
            if left < least:
                least = left
                away = i
        if not least < 0.0:
            for i in range(3):
                dx, dy = P[mesh[at, i], x] - P[corner, x], P[mesh[at, i], y] - P[corner, y]
                if dx * dx + dy * dy < SAME_END * SAME_END:
                    return NO_TRIANGLE
            return at
        across = np.int64(mesh[at, 3 + away])
        if across < 0:
            one, two = mesh[at, (away + 1) % 3], mesh[at, (away + 2) % 3]
            dx, dy = P[one, x] - P[two, x], P[one, y] - P[two, y]
            return at if least * least < ON_EDGE_SQUARE * (dx * dx + dy * dy) else NO_TRIANGLE
        at = across
    return NO_TRIANGLE


@kernel
def cut_at_end(corner, at, count, local):
    """Let three triangles from a point to the edges of one take its place; the point is corner 0 of each. Returns how
    many there are then: the new ones are the last two."""
    mesh = local.mesh
    a, b, c = mesh[at, 0], mesh[at, 1], mesh[at, 2]
    across_a, across_b, across_c = mesh[at, 3], mesh[at, 4], mesh[at, 5]
    second, third = count, count + 1
    put(mesh, at, corner, b, c, across_a, second, third)
    put(mesh, second, corner, c, a, across_b, third, at)
    put(mesh, third, corner, a, b, across_c, at, second)
    rename(mesh, across_b, at, second)
    rename(mesh, across_c, at, third)
    return count + 2


@kernel
def put(mesh, at, a, b, c, across_a, across_b, across_c):
    """Write a triangle."""
    mesh[at, 0], mesh[at, 1], mesh[at, 2] = a, b, c
    mesh[at, 3], mesh[at, 4], mesh[at, 5] = across_a, across_b, across_c


@kernel
def rename(mesh, at, before, after):
    """Let the neighbour `before` of a triangle be `after`."""
    if at >= 0:
        for i in range(3, 6):
            if mesh[at, i] == before:
                mesh[at, i] = after
                break


@kernel
def settle(at, count, x, y, local):
    """Flip edges across from the point that triangle `at` and the last two have as corner 0, until no neighbour reaches
    into the circle around them."""
    mesh = local.mesh
    stack = local.meshed
    stack[0], stack[1], stack[2] = at, count - 2, count - 1
    waiting = 3
    for _ in range(MOST_FLIPS):
        if waiting == 0:
            break
        waiting -= 1
        one = np.int64(stack[waiting])
        other = np.int64(mesh[one, 3])
        if other < 0:
            continue
        i = 0 if mesh[other, 3] == one else 1 if mesh[other, 4] == one else 2
        far = mesh[other, i]
        p, b, c = mesh[one, 0], mesh[one, 1], mesh[one, 2]
        if not is_in_circle(local.corner_points, p, b, c, far, x, y):
            continue
        # b … c was the edge between: now it is p … far.
        beside_b = np.int64(mesh[other, 3 + (i + 1) % 3])     # across from the corner after `far`: c, seen from there
        beside_c = np.int64(mesh[other, 3 + (i + 2) % 3])
        across_b, across_c = mesh[one, 4], mesh[one, 5]
        put(mesh, one, p, b, far, beside_b, other, across_c)
        put(mesh, other, p, far, c, beside_c, across_b, one)
        rename(mesh, beside_b, other, one)
        rename(mesh, across_b, one, other)
        stack[waiting] = one
        stack[waiting + 1] = other
        waiting += 2


@kernel
def is_in_circle(P, a, b, c, d, x, y):
    """True where point d is in the circle around a, b and c, which turn to the left."""
    ax, ay = P[a, x] - P[d, x], P[a, y] - P[d, y]
    bx, by = P[b, x] - P[d, x], P[b, y] - P[d, y]
    cx, cy = P[c, x] - P[d, x], P[c, y] - P[d, y]
    u, v, w = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    first, second, third = ax * (by * w - v * cy), ay * (bx * w - v * cx), u * (bx * cy - by * cx)
    return first - second + third > CLEARLY_INSIDE * (abs(first) + abs(second) + abs(third))
