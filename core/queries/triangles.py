# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles, N at a time."""
import numpy as np

from ..contacts import Contacts
from ..narrow_phase.pairs import contacts_of_pairs


def triangles_intersect(A, B) -> np.ndarray:
    """(N,) bool: triangle A[i] meets triangle B[i]. A, B: (N,3,3) float64, finite. Raises ValueError otherwise."""
    hit = np.zeros(len(A), bool)
    hit[_contacts(A, B).pair] = True
    return hit


def triangle_intersections(A, B) -> tuple[np.ndarray, np.ndarray]:
    """What triangle A[i] and triangle B[i] share: kind (N,) int8 and points (N,2,3) float64.

    kind: 0 nothing, 1 a point, 2 a segment, 3 a coplanar area. points: the ends of the segment, twice the point, the
    two farthest corners of the area; NaN where there is nothing. Raises ValueError for other shapes or NaN.
    """
    found = _contacts(A, B)
    kind = np.zeros(len(A), np.int8)
    points = np.full((len(A), 2, 3), np.nan)
    kind[found.pair] = found.kind
    points[found.pair] = found.point
    return kind, points


def _contacts(A, B) -> Contacts:
    A, B = (np.require(side, np.float64, ["C", "W"]) for side in (A, B))
    if A.shape != B.shape or A.ndim != 3 or A.shape[1:] != (3, 3):
        raise ValueError(f"triangles must have the shape (N, 3, 3) on both sides, not {A.shape} and {B.shape}")
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        raise ValueError("triangles must be finite")
    return contacts_of_pairs(A, B)
