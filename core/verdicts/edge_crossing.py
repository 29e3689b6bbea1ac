# SPDX-License-Identifier: GPL-3.0-or-later
"""Do surfaces that meet only along edges of their triangles pass through each other there?

A wall that goes through a floor exactly along the lines of its grid has no two triangles that pass through each other.
Two rules tell such crossings (docs/decisions/0005), both by exact signs. An edge runs inside a face, and its wings lie
strictly on both sides of the face. Or two edges run along each other, and wings of the one lie strictly within
different regions of the other.

The wings of an edge are handed on as a fan: (object, first, end) for the rows first … end-1 of MeshEdges.wings.
"""
import numpy as np

from ..contacts import AREA, POINT
from ..geometry.common_corners import common_corners, same_point
from ..geometry.orientation import orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_further, scale_rows
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..trees.bvh.refit import move_vertices
from .edges import DIRECTION_COLUMN, THIRD, wings_at

NO, YES = 0, 1                      # answers beside UNDECIDED
WING, OTHER_WING, BASE = 6, 7, 8    # rows of P after those of the two triangles
NO_REGION = -1000000


@kernel
def edge_crossings(first, last, found, asked, object_a, object_b, placed, P, rows, expansion, answer):
    """answer[pair] = YES where one of the contacts first … last-1 shows that the surfaces pass through each other,
    UNDECIDED where its numbers span too much for exact signs; else unchanged.

    found: ContactColumns; asked: (pairs,) bool; object_a, object_b: (pairs,) int32; placed: PlacedEdges, in which
    vertices and objects are numbered; P (9,3), rows (6,) int64 and expansion: scratch; answer: (pairs,) uint8.
    """
    triangles = placed.triangles
    for r in range(first, last):
        number = found.pair[r]
        # Surfaces that pass through each other do so along curves: contacts in points alone cannot.
        if not asked[number] or found.kind[r] == POINT or answer[number] == YES:
            continue
        a = np.int64(object_a[number])
        b = np.int64(object_b[number])
        t = placed.triangle_start[a] + found.triangle_a[r]
        u = placed.triangle_start[b] + found.triangle_b[r]
        if found.kind[r] == AREA and t == u and _stand_alike(placed, a, b):     # all of its edges are those of twins
            continue
        for i in range(3):
            _place(placed, np.int64(triangles[t, i]), a, P, i)
            _place(placed, np.int64(triangles[u, i]), b, P, 3 + i)
        for row in range(WING, BASE + 1):
            for x in range(3):
                P[row, x] = 0.0
        exponent = scale_exponent(P)
        answered = UNDECIDED
        if exponent != NO_EXPONENT:
            scale_rows(P, exponent)
            if common_corners(P, rows, expansion) > 1:
                answered = _passes_at_common_edges(P, exponent, t, u, a, b, placed, expansion)
            else:
                answered = _passes(P, exponent, t, u, a, b, placed, expansion)
        if answered != NO:
            answer[number] = answered


@kernel
def _passes(P, exponent, t, u, a, b, placed, expansion):
    """YES where edges of the triangles t and u of the objects a and b show that the surfaces pass through each other;
    NO or UNDECIDED where they do not. The triangles are in rows 0 … 5, scaled by 2^exponent."""
    edges = placed.edges
    triangles = placed.triangles
    found = NO
    for i in range(3):
        first, end = wings_at(edges, triangles[t, i], triangles[t, (i + 1) % 3])
        fan_a = (a, first, end)
        if found == NO:
            found = _edge_through_face(P, i, 3, fan_a, exponent, placed, expansion)
        first, end = wings_at(edges, triangles[u, i], triangles[u, (i + 1) % 3])
        if found == NO:
            found = _edge_through_face(P, 3 + i, 0, (b, first, end), exponent, placed, expansion)
        for j in range(3):
            if found == NO and runs_along(P, i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3, expansion):
                first, end = wings_at(edges, triangles[u, j], triangles[u, (j + 1) % 3])
                fan_b = (b, first, end)
                found = _in_different_regions(P, i, (i + 1) % 3, fan_a, fan_b, exponent, placed, expansion)
                if found == NO:
                    found = _in_different_regions(P, i, (i + 1) % 3, fan_b, fan_a, exponent, placed, expansion)
    return found


@kernel
def _passes_at_common_edges(P, exponent, t, u, a, b, placed, expansion):
    """`_passes` of triangles that share edges and nothing else, or are the same: edges run along no other ones, and
    inside no face. What an edge shows does not depend on the triangles at it: the first ones of both surfaces are
    asked, which meet there, too."""
    triangles = placed.triangles
    wings = placed.edges.wings
    found = NO
    for i in range(3):
        q = (i + 1) % 3
        for j in range(3):
            s = (j + 1) % 3
            if found == NO and ((same_point(P, i, 3 + j) and same_point(P, q, 3 + s))
                                or (same_point(P, i, 3 + s) and same_point(P, q, 3 + j))):
                c, d, e, f = triangles[t, i], triangles[t, q], triangles[u, j], triangles[u, s]
                if ((c == e and d == f) or (c == f and d == e)) and _stand_alike(placed, a, b):
                    continue            # an edge of twins, whose wings are the same
                first, end = wings_at(placed.edges, c, d)
                fan_a = (a, first, end)
                if wings[first, THIRD] != triangles[t, (i + 2) % 3]:
                    continue
                first, end = wings_at(placed.edges, e, f)
                fan_b = (b, first, end)
                if wings[first, THIRD] != triangles[u, (j + 2) % 3]:
                    continue
                if _has_wings_of(P, fan_a, fan_b, placed) and _has_wings_of(P, fan_b, fan_a, placed):
                    continue            # none lies strictly within a region
                found = _in_different_regions(P, i, q, fan_a, fan_b, exponent, placed, expansion)
                if found == NO:
                    found = _in_different_regions(P, i, q, fan_b, fan_a, exponent, placed, expansion)
    return found


@kernel
def _has_wings_of(P, fan, others, placed):
    """True where each wing of the fan `others` is one of `fan`, too. Overwrites the rows of P for wings."""
    obj, first, end = fan
    other, first_other, end_other = others
    for w in range(first_other, end_other):
        _place(placed, np.int64(placed.edges.wings[w, THIRD]), other, P, WING)
        known = False
        for v in range(first, end):
            if not known:
                _place(placed, np.int64(placed.edges.wings[v, THIRD]), obj, P, OTHER_WING)
                known = same_point(P, WING, OTHER_WING)
        if not known:
            return False
    return True


@kernel
def _stand_alike(placed, a, b):
    """True where two objects have the same pose."""
    for x in range(3):
        for y in range(4):
            if placed.poses[a, x, y] != placed.poses[b, x, y]:
                return False
    return True


@kernel
def _place(placed, vertex, obj, P, row):
    """P[row] = world coordinates of a vertex."""
    move_vertices(placed.poses, obj, placed.vertices, vertex, 1, P, row)


@kernel
def _place_wing(placed, obj, wing, exponent, P, row):
    """P[row] = world coordinates of a wing's third corner, scaled. Returns True where exact signs can take it."""
    _place(placed, np.int64(placed.edges.wings[wing, THIRD]), obj, P, row)
    return scale_further(P, row, exponent)


@kernel
def _edge_through_face(P, p, face, fan, exponent, placed, expansion):
    """YES where the edge from row p to the next of its triangle runs inside the triangle in rows face … face+2, and
    wings of the edge lie on both sides of it; else NO, or UNDECIDED."""
    q = p + 1 if p % 3 < 2 else p - 2
    if (orientation3(P, face, face + 1, face + 2, p, 0, expansion) != 0.0
            or orientation3(P, face, face + 1, face + 2, q, 0, expansion) != 0.0
            or not runs_inside(P, p, q, face, expansion)):
        return NO
    obj, first, end = fan
    above = False
    below = False
    for wing in range(first, end):
        if not _place_wing(placed, obj, wing, exponent, P, WING):
            return UNDECIDED
        side = orientation3(P, face, face + 1, face + 2, WING, 0, expansion)
        above = above or side > 0.0
        below = below or side < 0.0
    return YES if above and below else NO


@kernel
def runs_inside(P, p, q, face, expansion):
    """True where the segment pq, which lies in the plane of the face, has a piece of positive length in the open face.
    By separating axes in the plane: the sides of the face and the line of the segment."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        turn = orientation2(P, face, face + 1, face + 2, x, y, 0, expansion)
        if turn == 0.0:
            continue
        sign = 1.0 if turn > 0.0 else -1.0
        left = False
        right = False
        for k in range(3):
            m = face + k
            n = face + (k + 1) % 3
            if (sign * orientation2(P, m, n, p, x, y, 0, expansion) <= 0.0
                    and sign * orientation2(P, m, n, q, x, y, 0, expansion) <= 0.0):
                return False
            side = orientation2(P, p, q, m, x, y, 0, expansion)
            left = left or side > 0.0
            right = right or side < 0.0
        return left and right
    return False


@kernel
def _in_different_regions(P, p, q, fan, others, exponent, placed, expansion):
    """YES where wings of the fan `others` lie strictly within different regions between the wings of `fan`, around the
    line pq; else NO, or UNDECIDED.

    Two directions bound two regions. More directions bound regions that are told apart by their winding number where
    the mesh is ORIENTED (and the edge, by its indices, too), by parity where the number of wings is even; else each is
    one of its own.
    """
    obj, first, end = fan
    wings = placed.edges.wings
    base = -1
    number = 0
    balance = 0
    directions = 0
    for v in range(first, end):
        if not _place_wing(placed, obj, v, exponent, P, WING):
            return UNDECIDED
        if on_line(P, p, q, WING, expansion):
            continue
        if base < 0:
            base = v
        number += 1
        balance += wings[v, DIRECTION_COLUMN]
        directions += 1
        for u in range(base, v):
            _place_wing(placed, obj, u, exponent, P, OTHER_WING)
            if not on_line(P, p, q, OTHER_WING, expansion) and _same_way(P, p, q, OTHER_WING, WING, expansion):
                directions -= 1
                break
    if directions < 2:
        return NO
    by_winding = directions > 2 and balance == 0 and placed.oriented[obj] == 1
    by_parity = directions > 2 and not by_winding and number % 2 == 0
    _place_wing(placed, obj, base, exponent, P, BASE)
    other, first_other, end_other = others
    region = NO_REGION
    for w in range(first_other, end_other):
        if not _place_wing(placed, other, w, exponent, P, WING):
            return UNDECIDED
        here = 0
        apart = not on_line(P, p, q, WING, expansion)
        for v in range(base, end):
            _place_wing(placed, obj, v, exponent, P, OTHER_WING)
            if apart and not on_line(P, p, q, OTHER_WING, expansion):
                apart = not _same_way(P, p, q, OTHER_WING, WING, expansion)
                if apart and v > base and _between(P, p, q, BASE, WING, OTHER_WING, expansion):
                    here += wings[v, DIRECTION_COLUMN] if by_winding else 1
        if apart:
            here = here & 1 if by_parity else here
            if region != NO_REGION and here != region:
                return YES
            region = here
    return NO


@kernel
def runs_along(P, p, q, r, s, expansion):
    """True where the segments pq and rs lie on one line and share a piece of positive length."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        if (orientation2(P, p, q, r, x, y, 0, expansion) != 0.0
                or orientation2(P, p, q, s, x, y, 0, expansion) != 0.0):
            return False
    for x in range(3):
        low = max(min(P[p, x], P[q, x]), min(P[r, x], P[s, x]))
        high = min(max(P[p, x], P[q, x]), max(P[r, x], P[s, x]))
        if low < high:
            return True
    return False


@kernel
def _between(P, p, q, u, v, w, expansion):
    """True where the half-plane from pq through w lies strictly between those through u and v, from u to v the positive
    way round. u and v are in different half-planes; none of the points is on the line."""
    if _same_way(P, p, q, u, w, expansion) or _same_way(P, p, q, v, w, expansion):
        return False
    whole = orientation3(P, p, q, u, v, 0, expansion)
    first = orientation3(P, p, q, u, w, 0, expansion)
    second = orientation3(P, p, q, w, v, 0, expansion)
    if whole > 0.0:
        return first > 0.0 and second > 0.0
    if whole < 0.0:
        return not (first < 0.0 and second < 0.0)
    return first > 0.0


@kernel
def on_line(P, p, q, u, expansion):
    """True where the point u lies on the line pq."""
    for axis in range(3):
        if orientation2(P, p, q, u, (axis + 1) % 3, (axis + 2) % 3, 0, expansion) != 0.0:
            return False
    return True


@kernel
def _same_way(P, p, q, u, v, expansion):
    """True where the half-planes from the line pq through u and v are the same. Neither point is on the line."""
    if same_point(P, u, v):             # flush surfaces have many common corners, and no floats tell that a sign is 0
        return True
    if orientation3(P, p, q, u, v, 0, expansion) != 0.0:
        return False
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        a = orientation2(P, p, q, u, x, y, 0, expansion)
        b = orientation2(P, p, q, v, x, y, 0, expansion)
        if (a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0):
            return False
    return True
