# SPDX-License-Identifier: GPL-3.0-or-later
"""End points of an ordinary crossing in plain float64: a fifth of the time that exact signs take.

Two triangles that cross in general position share a segment, and each end of it is where an edge of one pierces the
face of the other. Where two such piercings are certain, and their place is well conditioned, nothing else need be
asked. docs/triangle-filter.md derives the bounds.
"""
from ..geometry.triangle_triangle import add_between
from ..jit import kernel
from .triangle_filter import LARGEST, SMALLEST, UNIT

TRIPLE_BOUND = 64.0 * UNIT          # of a triple product of differences: 49 suffices
WELL_PLACED = 2.0 ** -40            # largest error of an end point, as a share of the edge it lies on


@kernel
def _triple(P, a, b, c, d, e, f):
    """(Pb − Pa) × (Pd − Pc) · (Pf − Pe)."""
    x0 = P[b, 0] - P[a, 0]
    x1 = P[b, 1] - P[a, 1]
    x2 = P[b, 2] - P[a, 2]
    y0 = P[d, 0] - P[c, 0]
    y1 = P[d, 1] - P[c, 1]
    y2 = P[d, 2] - P[c, 2]
    return ((x1 * y2 - x2 * y1) * (P[f, 0] - P[e, 0]) + (x2 * y0 - x0 * y2) * (P[f, 1] - P[e, 1])
            + (x0 * y1 - x1 * y0) * (P[f, 2] - P[e, 2]))


@kernel
def crossing_points(P, side, edges, points):
    """True where the triangles in rows 0 … 2 and 3 … 5 of P surely cross in a segment; its ends are then points[:2].

    P: (6,3) float64, finite. side (6,), edges (3,3): scratch. False says nothing: ask `exact_contact`.
    """
    size_a = 0.0
    size_b = 0.0
    reach = 0.0
    for i in range(3):
        j = (i + 1) % 3
        for x in range(3):
            size_a = max(size_a, abs(P[j, x] - P[i, x]))
            size_b = max(size_b, abs(P[3 + j, x] - P[3 + i, x]))
            reach = max(reach, abs(P[3 + i, x] - P[i, x]))
    reach += size_a + size_b
    if min(size_a, size_b) < SMALLEST or reach > LARGEST:
        return False
    bound_a = TRIPLE_BOUND * size_b * size_b * reach
    bound_b = TRIPLE_BOUND * size_a * size_a * reach
    bound = TRIPLE_BOUND * size_a * size_b * reach
    for i in range(3):
        side[i] = _triple(P, 3, 4, 3, 5, 3, i)
        side[3 + i] = _triple(P, 0, 1, 0, 2, 0, 3 + i)
        for j in range(3):
            edges[i, j] = _triple(P, i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3, i, 3 + j)
    n = 0
    for i in range(6):
        one = 0 if i < 3 else 3
        j = one + (i + 1 - one) % 3
        bound_side = bound_a if i < 3 else bound_b
        if min(side[i], side[j]) < -bound_side and max(side[i], side[j]) > bound_side:
            u = edges[i, 0] if i < 3 else edges[0, i - 3]
            v = edges[i, 1] if i < 3 else edges[1, i - 3]
            w = edges[i, 2] if i < 3 else edges[2, i - 3]
            if min(u, min(v, w)) > bound or max(u, max(v, w)) < -bound:
                if abs(side[i] - side[j]) * WELL_PLACED < bound_side:
                    return False
                n = add_between(P, i, j, side[i], side[j], points, n)
    # Two edges of a triangle without area would pierce at one point: both planes must surely be there.
    return (n == 2 and max(abs(side[0]), max(abs(side[1]), abs(side[2]))) > bound_a
            and max(abs(side[3]), max(abs(side[4]), abs(side[5]))) > bound_b)
