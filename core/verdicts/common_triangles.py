# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that both surfaces have, as where an object is there twice and one of the two was changed, or where blocks
were cut from one: all of such a triangle is on the other surface, and nothing of it need be sampled to know that."""
import numpy as np

from ..contacts import AREA, Contacts
from ..geometry.common_corners import is_corner
from ..machine_code.jit import kernel
from ..trees.bvh.forest import Forest

# A triangle has area where a component of the product of two of its sides is above this share of theirs; the product
# is rounded by less than 2^-50 of that.
CERTAIN_AREA = 2.0 ** -40
LEAST_SIDE, MOST_SIDE = 1e-140, 1e140       # whose product is a number, and not 0


def common_triangles(forest: Forest, a: np.ndarray, b: np.ndarray, pair: np.ndarray, found: Contacts,
                     asked: np.ndarray) -> np.ndarray:
    """(contacts,) bool: those whose two triangles have the same corners, and certainly some area.

    a, b: (pairs,) int32, positions in the forest; pair: (contacts,) the pair of each; asked: (pairs,) bool.
    """
    rows = np.flatnonzero((found.kind == AREA) & asked[pair])
    same = np.zeros(len(rows), bool)
    have_same_corners(forest.triangle_corners(a[pair[rows]], found.triangle_a[rows]),
                      forest.triangle_corners(b[pair[rows]], found.triangle_b[rows]), np.empty((6, 3)), same)
    answer = np.zeros(len(pair), bool)
    answer[rows[same]] = True
    return answer


@kernel
def have_same_corners(one, other, P, answer):
    """answer[k] = True where the triangles one[k] and other[k] are the same, and certainly have area.

    one, other: (n,3,3) float64; P: (6,3) float64, scratch; answer: (n,) bool.
    """
    for k in range(one.shape[0]):
        for i in range(3):
            for x in range(3):
                P[i, x] = one[k, i, x]
                P[3 + i, x] = other[k, i, x]
        answer[k] = is_corner(P, 0, 3) and is_corner(P, 1, 3) and is_corner(P, 2, 3) and certainly_has_area(P, 0)


@kernel
def certainly_has_area(P, p):
    """True where rows p … p+2 of P certainly have area."""
    q = p + 1
    r = p + 2
    one = 0.0
    other = 0.0
    for x in range(3):
        one = max(one, abs(P[q, x] - P[p, x]))
        other = max(other, abs(P[r, x] - P[p, x]))
    if not (LEAST_SIDE < min(one, other) and max(one, other) < MOST_SIDE):
        return False
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        product = (P[q, y] - P[p, y]) * (P[r, z] - P[p, z]) - (P[q, z] - P[p, z]) * (P[r, y] - P[p, y])
        if abs(product) > CERTAIN_AREA * one * other:
            return True
    return False
