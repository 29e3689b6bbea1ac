# SPDX-License-Identifier: GPL-3.0-or-later
"""Separating axes of two oriented boxes: the fifteen of Gottschalk, Lin and Manocha (1996), which the 2017 document
uses in §3.2. They are three sides of each box, and nine across an edge of both.

Boxes that meet are never called apart: a gap counts only beyond what rounding may do. With u = 2^-53, T the way from
centre to centre and H the sum of all half sizes, a distance along an axis is computed with an error below 11 u |T| and
a reach with one below 8 u H. Axes of a box that are orthonormal only to 60 u (36 u from its fit, 24 u from its
rotation) change them by less than 60 u (|T| + 2 H). AXIS_NOISE_RELATIVE takes 256 u. That makes edges that are nearly
parallel harmless, too: along the axis across them only noise is left, and none of it separates.
"""
import numpy as np

from ..machine_code.jit import kernel
from ..trees.obb.nodes import AXES_AT, HALF_AT

AXIS_NOISE_RELATIVE = 2.0 ** -45


def boxes_meet(centre1, axes1, half1, centre2, axes2, half2) -> np.ndarray:
    """(n,) bool: False where box i of side 1 and box i of side 2 surely have no point in common.

    centre: (n,3), axes: (n,3,3) orthonormal rows, half: (n,3), float64. Boxes whose gap is less than 2^-44 of their
    sizes and of the way between them may be said to meet.
    """
    return separating_axes(centre1, axes1, half1, centre2, axes2, half2) == 0


def separating_axes(centre1, axes1, half1, centre2, axes2, half2) -> np.ndarray:
    """(n,) int8: the first of the axes 1 … 15 that separates the boxes, 0 where none does. See `boxes_meet`."""
    n = len(centre1)
    one, other = (np.concatenate([np.asarray(each, np.float64).reshape(n, -1) for each in box], axis=1)
                  for box in ((centre1, axes1, half1), (centre2, axes2, half2)))
    answer = np.empty(n, np.int8)
    first_axes(one, other, np.empty((4, 3)), answer)
    return answer


@kernel
def first_axes(one, other, cosines, answer):
    """answer[k] = separating_axis of the boxes one[k] and other[k]. one, other: (n,BOX_NUMBERS) float64; answer: (n,)
    int8."""
    for k in range(one.shape[0]):
        answer[k] = separating_axis(one[k], other[k], cosines)


@kernel
def separating_axis(one, other, cosines):
    """The number of the first axis that separates two boxes, 1 … 15, or 0.

    one, other: (BOX_NUMBERS,) float64, see trees/obb/fit.py. cosines: (4,3) float64, scratch: between axes of both, and
    in the last row the way from centre to centre along the axes of the first.
    """
    noise = 0.0
    for x in range(3):
        noise += abs(other[x] - one[x]) + one[HALF_AT + x] + other[HALF_AT + x]
    noise *= AXIS_NOISE_RELATIVE
    x = other[0] - one[0]
    y = other[1] - one[1]
    z = other[2] - one[2]
    for i in range(3):
        p = one[AXES_AT + 3 * i]
        q = one[AXES_AT + 3 * i + 1]
        r = one[AXES_AT + 3 * i + 2]
        cosines[3, i] = x * p + y * q + z * r
        reach = one[HALF_AT + i] + noise
        for j in range(3):
            axis = AXES_AT + 3 * j
            cosines[i, j] = p * other[axis] + q * other[axis + 1] + r * other[axis + 2]
            reach += other[HALF_AT + j] * abs(cosines[i, j])
        if abs(cosines[3, i]) > reach:
            return 1 + i
    for j in range(3):
        along = cosines[3, 0] * cosines[0, j] + cosines[3, 1] * cosines[1, j] + cosines[3, 2] * cosines[2, j]
        reach = (one[HALF_AT] * abs(cosines[0, j]) + one[HALF_AT + 1] * abs(cosines[1, j])
                 + one[HALF_AT + 2] * abs(cosines[2, j]) + other[HALF_AT + j] + noise)
        if abs(along) > reach:
            return 4 + j
    for i in range(3):
        k = (i + 1) % 3
        m = (i + 2) % 3
        for j in range(3):
            n = (j + 1) % 3
            o = (j + 2) % 3
            along = cosines[3, m] * cosines[k, j] - cosines[3, k] * cosines[m, j]
            reach = (one[HALF_AT + k] * abs(cosines[m, j]) + one[HALF_AT + m] * abs(cosines[k, j])
                     + other[HALF_AT + n] * abs(cosines[i, o]) + other[HALF_AT + o] * abs(cosines[i, n]) + noise)
            if abs(along) > reach:
                return 7 + 3 * i + j
    return 0
