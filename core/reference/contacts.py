# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pair of triangles of two surfaces that meet, with what they share."""
from dataclasses import dataclass

import numpy as np

from .triangle_pair import NONE, SharedPart, shared_part


@dataclass(frozen=True)
class ReferenceContact:
    """Rows of the two lists of triangles that were given, and what these triangles share."""

    triangle_a: int
    triangle_b: int
    shared: SharedPart


def box_pairs(corners_a: np.ndarray, corners_b: np.ndarray) -> np.ndarray:
    """(k,2) rows, ordered, of the triangles whose closed boxes meet: only comparisons, so nothing is rounded."""
    low_a, high_a = corners_a.min(axis=1), corners_a.max(axis=1)
    low_b, high_b = corners_b.min(axis=1), corners_b.max(axis=1)
    pairs = [np.zeros((0, 2), np.int64)]
    for row in range(len(corners_a)):
        met = np.nonzero(((low_b <= high_a[row]) & (low_a[row] <= high_b)).all(axis=1))[0]
        pairs.append(np.column_stack([np.full(len(met), row), met]))
    return np.concatenate(pairs)


def contacts_between(corners_a: np.ndarray, corners_b: np.ndarray) -> list[ReferenceContact]:
    """Contacts of two lists of triangles in world coordinates, (m,3,3) and (k,3,3) finite float64, ordered by
    (triangle_a, triangle_b)."""
    if not len(corners_a) or not len(corners_b):
        return []
    found = (ReferenceContact(int(i), int(j), shared_part(corners_a[i].tolist(), corners_b[j].tolist()))
             for i, j in box_pairs(corners_a, corners_b))
    return [contact for contact in found if contact.shared.kind != NONE]
