# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples on both sides of the edges that cut a triangle into pieces.

Where an edge of the one surface runs in the plane of a triangle of the other, the triangle may lie inside on one side
of the edge and outside on the other. A sample beside the edge stands for each side. What is true there is true along
the piece of the edge that is in the triangle, as far as nothing else of its surface passes through that.

A sample is a triangle for rays.py: its first two corners are on the edge, its third one is a corner of the triangle on
that side. A ray starts within it, next to the first corner and next to the edge. The first corner is in the triangle,
too: elsewhere on the edge, another part of a surface that passes through itself may be around it. It is an end of the
edge, or a point of few digits between these, exactly on it or next to it in the plane. Where none of these is found, it
is an end outside the triangle, which tells something where the whole edge is bare (bare_edges.py).
"""
import math

import numpy as np

from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..machine_code.jit import kernel
from .edge_crossing import on_line, runs_along, runs_inside

SAMPLES_PER_PAIR = 6        # three edges, two sides
MOST_DIGITS = 24            # of a share of an edge, in the binary system: single precision has as many


def samples_at_edges(triangles: np.ndarray, others: np.ndarray,
                     flat: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Samples (n,3,3) float64 of triangles[row] beside edges of others[row], with their rows (n,); (n,) bool, those
    that begin outside the triangle; and the rows whose numbers span too much for exact signs.

    triangles, others: (k,3,3) float64, world coordinates of triangles that meet; flat: (k,) bool, those that share an
    area: of these, only what is beyond an edge is sampled.
    """
    samples = np.empty((SAMPLES_PER_PAIR * len(triangles), 3, 3))
    row = np.empty(SAMPLES_PER_PAIR * len(triangles), np.int64)
    outside, undecided = np.empty(len(row), np.bool_), np.zeros(len(triangles), np.bool_)
    count = collect_samples(triangles, others, flat, np.empty((7, 3)), np.empty(EXPANSION_SIZE), samples, row, outside,
                            undecided)
    return samples[:count], row[:count], outside[:count], np.flatnonzero(undecided)


@kernel
def collect_samples(triangles, others, flat, P, expansion, samples, row, outside, undecided):
    """Write the samples, their rows and which begin outside; returns their number. undecided: (k,) bool, False at
    first; P (7,3) and expansion: scratch."""
    count = 0
    for k in range(triangles.shape[0]):
        for i in range(3):
            for x in range(3):
                P[i, x] = triangles[k, i, x]
                P[3 + i, x] = others[k, i, x]
                P[6, x] = triangles[k, 0, x]        # no number of its own yet
        exponent = scale_exponent(P)
        if exponent == NO_EXPONENT:
            undecided[k] = True
            continue
        scale_rows(P, exponent)
        off = 0         # a bit for each corner that is not in the plane
        for i in range(3):
            if not flat[k] and orientation3(P, 0, 1, 2, 3 + i, 0, expansion) != 0.0:
                off |= 1 << i
        for i in range(3):
            p = 3 + i
            q = 3 + (i + 1) % 3
            if off & (1 << i | 1 << (i + 1) % 3) or not _bounds_piece(P, p, q, expansion):
                continue
            first = i
            second = (i + 1) % 3
            at_end = holds(P, p, False, expansion)
            if not at_end and holds(P, q, False, expansion):
                first, second = second, first
                at_end = True
            for sign in range(-1, 2, 2):
                corner = _corner_beside(P, p, q, sign, expansion)
                if corner < 0 or flat[k] and _side_of_line(P, p, q, 3 + (i + 2) % 3, expansion) * sign > 0.0:
                    continue
                within = not at_end and _start_within(P, p, q, corner, sign, expansion)
                for x in range(3):
                    samples[count, 0, x] = math.ldexp(P[6, x], -exponent) if within else others[k, first, x]
                    samples[count, 1, x] = others[k, second, x]
                    samples[count, 2, x] = triangles[k, corner, x]
                row[count] = k
                outside[count] = not (at_end or within)
                count += 1
    return count


@kernel
def _bounds_piece(P, p, q, expansion):
    """True where the edge pq, which lies in the plane of the triangle in rows 0 … 2, has a piece of positive length in
    the triangle or along its border."""
    if runs_inside(P, p, q, 0, expansion):
        return True
    for i in range(3):
        if runs_along(P, p, q, i, (i + 1) % 3, expansion):
            return True
    return False


@kernel
def _corner_beside(P, p, q, sign, expansion):
    """A corner of the triangle in rows 0 … 2 strictly on one side of the line pq in its plane, -1 where there is
    none."""
    for corner in range(3):
        if _side_of_line(P, p, q, corner, expansion) * sign > 0.0:
            return corner
    return -1


@kernel
def _side_of_line(P, p, q, r, expansion):
    """A number with the sign of the side of the line pq on which row r is, in the plane of the triangle in rows 0 … 2;
    0 where that has no area."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        if orientation2(P, 0, 1, 2, x, y, 0, expansion) != 0.0:
            return orientation2(P, p, q, r, x, y, 0, expansion)
    return 0.0


@kernel
def holds(P, r, strictly, expansion):
    """True where the triangle in rows 0 … 2 holds the point in row r, which lies in its plane. strictly: not on its
    border."""
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        turn = orientation2(P, 0, 1, 2, x, y, 0, expansion)
        if turn != 0.0:
            for i in range(3):
                side = orientation2(P, i, (i + 1) % 3, r, x, y, 0, expansion) * turn
                if side < 0.0 or strictly and side == 0.0:
                    return False
            return True
    return False


@kernel
def _start_within(P, p, q, corner, sign, expansion):
    """True where P[6] is a point now strictly within the triangle in rows 0 … 2, whose plane holds the edge pq, either
    exactly on that edge or a little away from it, on the side of a corner. sign: that side, as of `_corner_beside`."""
    low, high = 0.0, 1.0
    x, y = 0, 1
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        turn = orientation2(P, 0, 1, 2, x, y, 0, expansion)
        if turn == 0.0:
            continue
        for i in range(3):
            one = orientation2(P, i, (i + 1) % 3, p, x, y, 0, expansion) * turn
            other = orientation2(P, i, (i + 1) % 3, q, x, y, 0, expansion) * turn
            if one < 0.0 < other:
                low = max(low, one / (one - other))
            elif other < 0.0 < one:
                high = min(high, one / (one - other))
        break
    # Of few digits: then it is exactly on the edge more often.
    share = 0.0
    digits = 1
    while digits < MOST_DIGITS and not low < share < high:
        share = math.ldexp(math.floor(math.ldexp(low, digits)) + 1.0, -digits)
        digits += 1
    if not low < share < high:
        return False
    for beside in (0.0, 2.0 ** -48, 2.0 ** -40, 2.0 ** -30):
        for axis in range(3):
            P[6, axis] = P[p, axis] + share * (P[q, axis] - P[p, axis])
            P[6, axis] += beside * (P[corner, axis] - P[6, axis])
        if beside == 0.0:
            found = on_line(P, p, q, 6, expansion)
        else:
            found = (orientation2(P, p, q, 6, x, y, 0, expansion) * sign > 0.0
                     and orientation3(P, 0, 1, 2, 6, 0, expansion) == 0.0)
        if found and holds(P, 6, True, expansion):
            return True
    return False
