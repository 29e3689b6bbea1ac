# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact at t = 0 or t = 1 by exact signs: what lies on something, or comes to lie on it.

Floats can never decide these queries, and they are the commonest undecided ones. A vertex and an edge are triangles
without area, which geometry/triangle_triangle.py knows how to handle.
"""
import numpy as np

from ..geometry.orientation import EXPANSION_SIZE
from ..geometry.triangle_triangle import MOST_COMMON_POINTS, exact_contact, scale_exponent
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..records import ExactScratch
from .first_contact import SHORTEST_PIECE

HIT_AT_END = 4              # a further status
LATE = 1.0 - 4.0 * SHORTEST_PIECE       # from here on, t = 1 is less than 1e-9 away


def exact_scratch() -> ExactScratch:
    """Memory for `touching_at_ends`."""
    return ExactScratch(np.empty(6, np.int64), np.empty(6), np.empty((6, 3)), np.empty((MOST_COMMON_POINTS, 3)),
                        np.empty(EXPANSION_SIZE))


@kernel
def touching_at_ends(motions, begin, end, rows, P, scratch, impacts):
    """Make undecided queries of begin … end - 1 HIT_AT_END where there is contact at the end of time next to their toi.

    motions: Motions; rows: PointRows; P: (6,3) float64, scratch, as is ExactScratch; impacts: Impacts.
    """
    triangles = rows.triangles
    toi = impacts.toi
    status = impacts.status
    for i in range(begin, end):
        if status[i] == UNDECIDED and (toi[i] == 0.0 or toi[i] >= LATE):
            X = motions.start if toi[i] == 0.0 else motions.end
            for k in range(6):
                for x in range(3):
                    P[k, x] = X[i, triangles[k], x]
            if scale_exponent(P) == 0:          # ordinary numbers; the others are rare
                n, _ = exact_contact(P, scratch.rows, scratch.side, scratch.edges, scratch.points, scratch.expansion)
                if n > 0:
                    status[i] = HIT_AT_END
