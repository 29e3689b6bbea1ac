# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples on both sides of the edges that cut a triangle into pieces.

Where an edge of the one surface runs in the plane of a triangle of the other, the triangle may lie inside on one side
of the edge and outside on the other. A sample beside the edge stands for each side. What is true there is true all
along the edge, as it depends only on the triangles at the edge.

A sample is a triangle for rays.py: its first two corners are the ends of the edge, its third one is a corner of the
triangle on that side. A ray starts within it, next to the edge's first end and next to the edge.
"""
import numpy as np

from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..machine_code.jit import kernel
from .edge_crossing import runs_along, runs_inside

SAMPLES_PER_PAIR = 6        # three edges, two sides


def samples_at_edges(triangles: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Samples (n,3,3) float64 of triangles[row] beside edges of others[row], with their rows (n,); and the rows whose
    numbers span too much for exact signs.

    triangles, others: (k,3,3) float64, world coordinates of triangles that meet.
    """
    samples = np.empty((SAMPLES_PER_PAIR * len(triangles), 3, 3))
    row = np.empty(SAMPLES_PER_PAIR * len(triangles), np.int64)
    undecided = np.zeros(len(triangles), np.bool_)
    count = collect_samples(triangles, others, np.empty((6, 3)), np.empty(EXPANSION_SIZE), samples, row, undecided)
    return samples[:count], row[:count], np.flatnonzero(undecided)


@kernel
def collect_samples(triangles, others, P, expansion, samples, row, undecided):
    """Write the samples and their rows; returns their number. undecided: (k,) bool, False at first; P (6,3) and
    expansion: scratch."""
    count = 0
    for k in range(triangles.shape[0]):
        for i in range(3):
            for x in range(3):
                P[i, x] = triangles[k, i, x]
                P[3 + i, x] = others[k, i, x]
        exponent = scale_exponent(P)
        if exponent == NO_EXPONENT:
            undecided[k] = True
            continue
        scale_rows(P, exponent)
        for i in range(3):
            p = 3 + i
            q = 3 + (i + 1) % 3
            if (orientation3(P, 0, 1, 2, p, 0, expansion) != 0.0 or orientation3(P, 0, 1, 2, q, 0, expansion) != 0.0
                    or not _bounds_piece(P, p, q, expansion)):
                continue
            for sign in range(-1, 2, 2):
                corner = _corner_beside(P, p, q, sign, expansion)
                if corner >= 0:
                    for x in range(3):
                        samples[count, 0, x] = others[k, i, x]
                        samples[count, 1, x] = others[k, (i + 1) % 3, x]
                        samples[count, 2, x] = triangles[k, corner, x]
                    row[count] = k
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
    for axis in range(3):
        x = (axis + 1) % 3
        y = (axis + 2) % 3
        if orientation2(P, 0, 1, 2, x, y, 0, expansion) != 0.0:
            for corner in range(3):
                if orientation2(P, p, q, corner, x, y, 0, expansion) * sign > 0.0:
                    return corner
            return -1
    return -1
