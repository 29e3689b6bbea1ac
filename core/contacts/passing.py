# SPDX-License-Identifier: GPL-3.0-or-later
"""Do surfaces that meet only along edges of their triangles pass through each other there?

A wall that goes through a floor exactly along the lines of its grid has no two triangles that pass through each
other. There the surfaces pass through each other where an edge runs inside a face and its wings lie strictly on both
sides of the face, or where two edges run along each other and their wings alternate around them. All by exact signs.
"""
from ..geometry.orientation import orientation2, orientation3
from ..geometry.triangle_triangle import scale_exponent
from ..jit import kernel
from .wings import find_edge

NO, YES, OUT_OF_RANGE = 0, 1, 2
A0, A1, A2, B0, B1, B2, WING, OTHER = range(8)      # rows of P


@kernel
def passing_pairs(pair, corners_a, corners_b, object_a, object_b, vertices, poses, count, key, start, third, P,
                  expansion, answer):
    """answer[pair] = YES where a contact shows that the surfaces pass through each other, OUT_OF_RANGE where its
    numbers span too much for the exact kernels; else unchanged.

    pair: (contacts,) int32; corners_a, corners_b: (contacts,3) int64 vertices numbered
    through all meshes; object_a, object_b: (pairs,) int32; vertices (…,3) float64 local; poses (objects,3,4);
    count: number of vertices; key, start, third: Wings; P (8,3), expansion: scratch; answer: (pairs,) uint8.
    """
    for r in range(pair.shape[0]):
        number = pair[r]
        if answer[number] == YES:
            continue
        for i in range(3):
            _place(vertices, corners_a[r, i], poses, object_a[number], P, i)
            _place(vertices, corners_b[r, i], poses, object_b[number], P, 3 + i)
        found = NO
        for i in range(3):
            for side in range(2):
                if found == NO:
                    found = _edge_through_face(3 * side, i, corners_a[r] if side == 0 else corners_b[r],
                                               object_a[number] if side == 0 else object_b[number], vertices, poses,
                                               count, key, start, third, P, expansion)
            for j in range(3):
                if found == NO:
                    found = _edge_through_edge(i, j, corners_a[r], corners_b[r], object_a[number], object_b[number],
                                               vertices, poses, count, key, start, third, P, expansion)
        if found != NO:
            answer[number] = found


@kernel
def _place(vertices, vertex, poses, obj, P, row):
    """P[row] = world coordinates of a vertex; the order of operations is part of their definition."""
    for x in range(3):
        P[row, x] = ((poses[obj, x, 0] * vertices[vertex, 0] + poses[obj, x, 1] * vertices[vertex, 1])
                     + poses[obj, x, 2] * vertices[vertex, 2]) + poses[obj, x, 3]


@kernel
def _wings(corners, i, count, key, start):
    """(first, end) in `third` of the wings of edge i of a triangle."""
    p = corners[i]
    q = corners[(i + 1) % 3]
    edge = find_edge(key, min(p, q) * count + max(p, q))
    return start[edge], start[edge + 1]


@kernel
def _edge_through_face(own, i, corners, obj, vertices, poses, count, key, start, third, P, expansion):
    """Edge i of the triangle in rows own … own+2 runs inside the other triangle, with wings on both its sides."""
    face = 3 - own
    p = own + i
    q = own + (i + 1) % 3
    for row in range(WING, OTHER + 1):
        for x in range(3):
            P[row, x] = 0.0
    if scale_exponent(P) != 0:
        return OUT_OF_RANGE
    if (orientation3(P, face, face + 1, face + 2, p, 0, expansion) != 0.0
            or orientation3(P, face, face + 1, face + 2, q, 0, expansion) != 0.0
            or not runs_inside(P, p, q, face, expansion)):
        return NO
    above = False
    below = False
    first, end = _wings(corners, i, count, key, start)
    for wing in range(first, end):
        _place(vertices, third[wing], poses, obj, P, WING)
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
def _edge_through_edge(i, j, corners_a, corners_b, object_a, object_b, vertices, poses, count, key, start, third, P,
                       expansion):
    """Edge i of a and edge j of b share a piece of positive length, and two wings of a have one of b on each side."""
    p = i
    q = (i + 1) % 3
    if not runs_along(P, p, q, 3 + j, 3 + (j + 1) % 3, expansion):
        return NO
    first_a, end_a = _wings(corners_a, i, count, key, start)
    first_b, end_b = _wings(corners_b, j, count, key, start)
    # The triangles' own corners are put back at the end: rows of P are used for pairs of wings.
    found = NO
    for m in range(first_a, end_a):
        for n in range(m + 1, end_a):
            inside = False
            outside = False
            for w in range(first_b, end_b):
                _place(vertices, third[m], poses, object_a, P, (i + 2) % 3)
                _place(vertices, third[n], poses, object_a, P, OTHER)
                _place(vertices, third[w], poses, object_b, P, WING)
                if scale_exponent(P) != 0:
                    found = OUT_OF_RANGE
                    break
                where = _between(P, p, q, (i + 2) % 3, OTHER, WING, expansion)
                inside = inside or where > 0
                outside = outside or where < 0
            if inside and outside:
                found = YES
    _place(vertices, corners_a[(i + 2) % 3], poses, object_a, P, (i + 2) % 3)
    return found


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
    """Where the half-plane from pq through w lies: 1 strictly between those through u and v, turning from u to v the
    positive way, -1 strictly between them the other way, 0 on one of them, or where one of them is none."""
    if _same_way(P, p, q, u, v, expansion) or _same_way(P, p, q, u, w, expansion) or \
            _same_way(P, p, q, v, w, expansion):
        return 0
    whole = orientation3(P, p, q, u, v, 0, expansion)
    first = orientation3(P, p, q, u, w, 0, expansion)
    second = orientation3(P, p, q, w, v, 0, expansion)
    if whole > 0.0:
        return 1 if first > 0.0 and second > 0.0 else -1
    if whole < 0.0:
        return -1 if first < 0.0 and second < 0.0 else 1
    return 1 if first > 0.0 else -1


@kernel
def _same_way(P, p, q, u, v, expansion):
    """The half-planes from the line pq through u and v are the same, or one of the points lies on the line."""
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
