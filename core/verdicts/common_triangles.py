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
    """(k,) int64: those contacts whose two triangles have the same corners, and certainly some area.

    a, b: (pairs,) int32, positions in the forest; pair: (contacts,) the pair of each; asked: (pairs,) bool.
    """
    rows = np.flatnonzero((found.kind == AREA) & asked[pair])
    same = np.zeros(len(rows), bool)
    have_same_corners(forest.triangle_corners(a[pair[rows]], found.triangle_a[rows]),
                      forest.triangle_corners(b[pair[rows]], found.triangle_b[rows]), np.empty((6, 3)), same)
    return rows[same]


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
        answer[k] = is_corner(P, 0, 3) and is_corner(P, 1, 3) and is_corner(P, 2, 3) and _has_area(P)


@kernel
def _has_area(P):
    """True where rows 0 … 2 of P certainly have area."""
    one = 0.0
    other = 0.0
    for x in range(3):
        one = max(one, abs(P[1, x] - P[0, x]))
        other = max(other, abs(P[2, x] - P[0, x]))
    if not (LEAST_SIDE < min(one, other) and max(one, other) < MOST_SIDE):
        return False
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        product = (P[1, y] - P[0, y]) * (P[2, z] - P[0, z]) - (P[1, z] - P[0, z]) * (P[2, y] - P[0, y])
        if abs(product) > CERTAIN_AREA * one * other:
            return True
    return False
