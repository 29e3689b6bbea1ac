# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact at t = 0 or t = 1 exactly, by exact signs: what lies on something, or comes to lie on it.

Floats can never decide these, and they are the commonest of undecided queries. A vertex and an edge are
triangles without area, which geometry/triangle_triangle.py knows how to handle.
"""
import numpy as np

from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.triangle_triangle import MOST_POINTS, exact_contact, scale_exponent
from ..machine_code.jit import kernel
from .first_contact import NARROW, UNDECIDED

TOUCHING = 4                # a further status
LATE = 1.0 - 4.0 * NARROW   # from here on, t = 1 is less than 1e-9 away


def scratch() -> tuple[np.ndarray, ...]:
    """What `touching_at_ends` works with: P, rows, side, edges, points, expansion."""
    return (np.empty((6, 3)), np.empty(6, np.int64), np.empty(6), np.empty((3, 3)), np.empty((MOST_POINTS, 3)),
            np.empty(EXPANSION_SIZE))


@kernel
def touching_at_ends(X0, X1, begin, end, corners, toi, status, P, rows, side, edges, points, expansion):
    """Make undecided queries of begin … end−1 TOUCHING where there is contact at the end of time next to their toi.

    toi of an undecided query is a time before which there is no contact. corners: (6,) int64, the rows of X0 that
    make the two triangles.
    """
    for i in range(begin, end):
        if status[i] == UNDECIDED and (toi[i] == 0.0 or toi[i] >= LATE):
            X = X0 if toi[i] == 0.0 else X1
            for k in range(6):
                for x in range(3):
                    P[k, x] = X[i, corners[k], x]
            if scale_exponent(P) == 0:          # ordinary numbers; the others are rare
                n, _ = exact_contact(P, rows, side, edges, points, expansion)
                if n > 0:
                    status[i] = TOUCHING
