# SPDX-License-Identifier: GPL-3.0-or-later
"""Two oriented boxes: is there an axis that separates them? The fifteen of Gottschalk, Lin and Manocha (1996), which
the 2017 document uses in §3.2: three sides of each box, and nine across an edge of both.

Never wrongly apart: a gap counts only beyond what rounding may do. With u = 2^-53, T the way from centre to centre
and H the sum of all half sizes, a distance along an axis is computed with an error below 11 u |T| and a reach with one
below 8 u H; axes of a box that are orthonormal only to 60 u (36 u from its fit, 24 u from its turn) change them by less
than 60 u (|T| + 2 H). NOISE takes 256 u. That makes edges that are nearly parallel harmless, too: along the axis across
them only noise is left, and none of it separates.
"""
import numpy as np

from ..machine_code.jit import kernel

NOISE = 2.0 ** -45


def boxes_meet(centre1, axes1, half1, centre2, axes2, half2) -> np.ndarray:
    """(n,) bool: False where box i of the one side and box i of the other surely have no point in common.

    centre: (n,3), axes: (n,3,3) orthonormal rows, half: (n,3), float64. Boxes that are apart by less than 2^-44 of
    their sizes and of the way between them may be said to meet.
    """
    return separating_axes(centre1, axes1, half1, centre2, axes2, half2) == 0


def separating_axes(centre1, axes1, half1, centre2, axes2, half2) -> np.ndarray:
    """(n,) int8: which of the axes 1 … 15 was the first that separates the boxes, 0 where none does. See
    `boxes_meet`."""
    n = len(centre1)
    one, other = (np.concatenate([np.asarray(each, np.float64).reshape(n, -1) for each in box], axis=1)
                  for box in ((centre1, axes1, half1), (centre2, axes2, half2)))
    answer = np.empty(n, np.int8)
    first_axes(one, other, np.empty((4, 3)), answer)
    return answer


@kernel
def first_axes(one, other, C, answer):
    """answer[k] = separating_axis of the boxes one[k] and other[k]. one, other: (n,BOX) float64."""
    for k in range(one.shape[0]):
        answer[k] = separating_axis(one[k], other[k], C)


@kernel
def separating_axis(one, other, C):
    """The number of the first axis that separates two boxes, 1 … 15, or 0.

    one, other: (BOX,) float64, see trees.obb_fit; C: (4,3) scratch: cosines between their axes, and from centre to
    centre along the axes of the first.
    """
    noise = 0.0
    for x in range(3):
        noise += abs(other[x] - one[x]) + one[12 + x] + other[12 + x]
    noise *= NOISE
    x = other[0] - one[0]
    y = other[1] - one[1]
    z = other[2] - one[2]
    for i in range(3):
        p = one[3 + 3 * i]
        q = one[4 + 3 * i]
        r = one[5 + 3 * i]
        C[3, i] = x * p + y * q + z * r
        reach = one[12 + i] + noise
        for j in range(3):
            C[i, j] = p * other[3 + 3 * j] + q * other[4 + 3 * j] + r * other[5 + 3 * j]
            reach += other[12 + j] * abs(C[i, j])
        if abs(C[3, i]) > reach:
            return 1 + i
    for j in range(3):
        along = C[3, 0] * C[0, j] + C[3, 1] * C[1, j] + C[3, 2] * C[2, j]
        reach = one[12] * abs(C[0, j]) + one[13] * abs(C[1, j]) + one[14] * abs(C[2, j]) + other[12 + j] + noise
        if abs(along) > reach:
            return 4 + j
    for i in range(3):
        k = (i + 1) % 3
        m = (i + 2) % 3
        for j in range(3):
            n = (j + 1) % 3
            o = (j + 2) % 3
            along = C[3, m] * C[k, j] - C[3, k] * C[m, j]
            reach = (one[12 + k] * abs(C[m, j]) + one[12 + m] * abs(C[k, j])
                     + other[12 + n] * abs(C[i, o]) + other[12 + o] * abs(C[i, n]) + noise)
            if abs(along) > reach:
                return 7 + 3 * i + j
    return 0
