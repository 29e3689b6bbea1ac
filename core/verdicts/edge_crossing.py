# SPDX-License-Identifier: GPL-3.0-or-later
"""Do surfaces that meet only along edges of their triangles pass through each other there?

A wall that goes through a floor exactly along the lines of its grid has no two triangles that pass through each
other. There the surfaces pass through each other where an edge runs inside a face and its wings lie strictly on both
sides of the face, or where two edges run along each other and wings of the one lie strictly within different regions
of the other (docs/decisions/0005). All by exact signs.
"""
import numpy as np

from ..geometry.orientation import orientation2, orientation3
from ..geometry.triangle_triangle import scale_exponent
from ..machine_code.jit import kernel
from .edges import THIRD, TURN, wings_at

NO, YES, OUT_OF_RANGE = 0, 1, 2
WING, OTHER, BASE = 6, 7, 8         # rows of P after those of the two triangles


@kernel
def edge_crossings(pair, corners_a, corners_b, object_a, object_b, vertices, poses, oriented, start, wings, P,
                   expansion, answer):
    """answer[pair] = YES where a contact shows that the surfaces pass through each other, OUT_OF_RANGE where its
    numbers span too much for the exact kernels; else unchanged.

    pair: (contacts,) int32; corners_a, corners_b: (contacts,3) int64 vertices numbered through all meshes; object_a,
    object_b: (pairs,) int32; vertices (…,3) float64 local; poses (objects,3,4); oriented: (objects,) uint8, 1 where
    the mesh is ORIENTED; start, wings: Edges of all meshes; P (9,3), expansion: scratch; answer: (pairs,) uint8.
    """
    for r in range(pair.shape[0]):
        number = pair[r]
        if answer[number] == YES:
            continue
        a = object_a[number]
        b = object_b[number]
        for i in range(3):
            _place(vertices, corners_a[r, i], poses, a, P, i)
            _place(vertices, corners_b[r, i], poses, b, P, 3 + i)
        for row in range(WING, BASE + 1):
            for x in range(3):
                P[row, x] = 0.0
        if scale_exponent(P) != 0:
            answer[number] = OUT_OF_RANGE
            continue
        found = NO
        for i in range(3):
            first_a, end_a = wings_at(start, wings, corners_a[r, i], corners_a[r, (i + 1) % 3])
            if found == NO:
                found = _edge_through_face(P, i, 3, a, first_a, end_a, vertices, poses, wings, expansion)
            first_b, end_b = wings_at(start, wings, corners_b[r, i], corners_b[r, (i + 1) % 3])
            if found == NO:
                found = _edge_through_face(P, 3 + i, 0, b, first_b, end_b, vertices, poses, wings, expansion)
            for j in range(3):
                if found == NO and runs_along(P, i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3, expansion):
                    first_b, end_b = wings_at(start, wings, corners_b[r, j], corners_b[r, (j + 1) % 3])
                    found = _parts(P, i, (i + 1) % 3, a, first_a, end_a, oriented[a], b, first_b, end_b, vertices,
                                   poses, wings, expansion)
                    if found == NO:
                        found = _parts(P, i, (i + 1) % 3, b, first_b, end_b, oriented[b], a, first_a, end_a, vertices,
                                       poses, wings, expansion)
        if found != NO:
            answer[number] = found


@kernel
def _place(vertices, vertex, poses, obj, P, row):
    """P[row] = world coordinates of a vertex; the order of operations is part of their definition."""
    for x in range(3):
        P[row, x] = ((poses[obj, x, 0] * vertices[vertex, 0] + poses[obj, x, 1] * vertices[vertex, 1])
                     + poses[obj, x, 2] * vertices[vertex, 2]) + poses[obj, x, 3]


@kernel
def _edge_through_face(P, p, face, obj, first, end, vertices, poses, wings, expansion):
    """The edge from row p to the next of its triangle runs inside the triangle in rows face … face+2, and has wings
    (rows first … end-1) on both its sides."""
    q = p + 1 if p % 3 < 2 else p - 2
    if (orientation3(P, face, face + 1, face + 2, p, 0, expansion) != 0.0
            or orientation3(P, face, face + 1, face + 2, q, 0, expansion) != 0.0
            or not runs_inside(P, p, q, face, expansion)):
        return NO
    above = False
    below = False
    for wing in range(first, end):
        _place(vertices, np.int64(wings[wing, THIRD]), poses, obj, P, WING)
        if scale_exponent(P) != 0:
            return OUT_OF_RANGE
        side = orientation3(P, face, face + 1, face + 2, WING, 0, expansion)
        above = above or side > 0.0
        below = below or side < 0.0
    return YES if above and below else NO


@kernel
def runs_inside(P, p, q, face, expansion):
    """The segment pq, in the plane of the face, has a piece of positive length in the open face (2D separating
    axes: the sides of the face and the line of the segment)."""
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
def _parts(P, p, q, obj, first, end, oriented, other, first_other, end_other, vertices, poses, wings, expansion):
    """Wings of the other object (rows first_other … end_other-1) lie strictly within different regions between the
    wings of the object (first … end-1) around the line pq.

    Between two directions there are two regions. Between more, they are told apart by their winding number where the
    mesh is ORIENTED (and the edge, by its indices, too); by parity where the number of wings is even; else each is one
    of its own.
    """
    base = -1
    number = 0
    balance = 0
    directions = 0
    for v in range(first, end):
        _place(vertices, np.int64(wings[v, THIRD]), poses, obj, P, WING)
        if scale_exponent(P) != 0:
            return OUT_OF_RANGE
        if _on_line(P, p, q, WING, expansion):
            continue
        if base < 0:
            base = v
        number += 1
        balance += wings[v, TURN]
        directions += 1
        for u in range(base, v):
            _place(vertices, np.int64(wings[u, THIRD]), poses, obj, P, OTHER)
            if not _on_line(P, p, q, OTHER, expansion) and _same_way(P, p, q, OTHER, WING, expansion):
                directions -= 1
                break
    if directions < 2:
        return NO
    by_winding = directions > 2 and balance == 0 and oriented == 1
    by_parity = directions > 2 and not by_winding and number % 2 == 0
    _place(vertices, np.int64(wings[base, THIRD]), poses, obj, P, BASE)
    region = -1000000
    for w in range(first_other, end_other):
        _place(vertices, np.int64(wings[w, THIRD]), poses, other, P, WING)
        if scale_exponent(P) != 0:
            return OUT_OF_RANGE
        here = 0
        apart = not _on_line(P, p, q, WING, expansion)
        for v in range(base, end):
            _place(vertices, np.int64(wings[v, THIRD]), poses, obj, P, OTHER)
            if apart and not _on_line(P, p, q, OTHER, expansion):
                apart = not _same_way(P, p, q, OTHER, WING, expansion)
                if apart and v > base and _between(P, p, q, BASE, WING, OTHER, expansion):
                    here += wings[v, TURN] if by_winding else 1
        if apart:
            here = here & 1 if by_parity else here
            if region != -1000000 and here != region:
                return YES
            region = here
    return NO


@kernel
def runs_along(P, p, q, r, s, expansion):
    """The segments pq and rs lie on one line and share a piece of positive length."""
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
    """The half-plane from pq through w lies strictly between those through u and v, which are not the same, turning
    from u to v the positive way. None of the points is on the line."""
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
def _on_line(P, p, q, u, expansion):
    """The point lies on the line pq."""
    for axis in range(3):
        if orientation2(P, p, q, u, (axis + 1) % 3, (axis + 2) % 3, 0, expansion) != 0.0:
            return False
    return True


@kernel
def _same_way(P, p, q, u, v, expansion):
    """The half-planes from the line pq through u and v, which are not on it, are the same."""
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
