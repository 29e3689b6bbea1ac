# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of convex hulls and of oriented boxes, N at a time (docs/convex.md).

P and Q are points whose convex hull is meant, N times: (N,k,3) float64, or a sequence of N arrays (k_i,3), or one set
(k,3) against all of the other side. Inner and repeated points do no harm; hulls may be flat, segments or single points.
"""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_numbers
from ..convex.hulls.hulls import pair_up
from ..convex.pairs import closest, deepest, meeting, overlapping
from ..records import Parallelepipeds


def convex_intersect(P: ArrayLike, Q: ArrayLike, *, warm: np.ndarray | None = None,
                     threads: int | None = None) -> np.ndarray:
    """(N,) bool: hull P[i] and hull Q[i] have a point in common. Exact: touching is True, any gap is False.

    warm: (N,8) int32, zeros at first, for which the caller keeps the array from frame to frame: where the search ended
    last time, updated in place. It changes no answer, only the time. threads: at most so many (default: all cores).
    Raises ValueError for other shapes, empty hulls, NaN or infinity.
    """
    P, Q = pair_up(P, Q)
    return meeting(P, Q, _as_warm(warm, len(P.starts)), threads)[0]


def convex_distance(P: ArrayLike, Q: ArrayLike, *, warm: np.ndarray | None = None,
                    threads: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """d (N,), p (N,3), q (N,3) float64: the distance of the hulls and points of each that are so close.

    d is 0 exactly where the hulls meet; then p = q is a common point. Errors are below 1e-12 of the hulls' size, but
    where coordinates are large beside the hulls, p and q are only as good as a float64 there. Arguments and errors as
    in `convex_intersect`.
    """
    P, Q = pair_up(P, Q)
    return closest(P, Q, _as_warm(warm, len(P.starts)), threads)[:3]


def convex_penetration(P: ArrayLike, Q: ArrayLike, *, threads: int | None = None) -> np.ndarray:
    """(N,) float64: the shortest move of hull Q[i] after which the hulls share at most their borders.

    0 where they are apart, touch, or are flat together. Never too short, and at most 1e-9 of itself too long.
    Arguments and errors as in `convex_intersect`.
    """
    return separating_move(P, Q, threads=threads)[0]


def separating_move(P: ArrayLike, Q: ArrayLike, *, threads: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Length (N,) and unit direction (N,3) of the shortest move of Q[i]: see `convex_penetration`."""
    P, Q = pair_up(P, Q)
    return deepest(P, Q, threads)[:2]


def _as_warm(warm, n: int) -> np.ndarray | None:
    if warm is None:
        return None
    if not isinstance(warm, np.ndarray) or warm.dtype != np.int32 or warm.shape != (n, 8) or not warm.flags.carray:
        raise ValueError(f"warm must be a writable C-order array of int32 with the shape ({n}, 8)")
    return warm


def boxes_overlap(c1: ArrayLike, R1: ArrayLike, h1: ArrayLike, c2: ArrayLike, R2: ArrayLike, h2: ArrayLike, *,
                  threads: int | None = None) -> np.ndarray:
    """(N,) bool: box i of the first side and box i of the second have a point in common. Exact: touching is True.

    A box is the points c + R @ x with |x| ≤ h: c (N,3) centres, R (N,3,3) with the directions of the edges as columns,
    h (N,3) half sizes, 0 or more. R need not be a rotation: the boxes are the parallelepipeds that the numbers say.
    Raises ValueError for other shapes, negative sizes, NaN or infinity.
    """
    names = ("c1", "R1", "h1", "c2", "R2", "h2")
    boxes = tuple(map(as_numbers, (c1, R1, h1, c2, R2, h2), names))
    n = len(boxes[0]) if boxes[0].ndim else 0
    for array, name, shape in zip(boxes, names, 2 * ((n, 3), (n, 3, 3), (n, 3))):
        if array.shape != shape:
            raise ValueError(f"{name} must have the shape {shape}, not {array.shape}: boxes have centres (N, 3), axes "
                             f"(N, 3, 3) and half sizes (N, 3)")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} of the boxes must be finite")
    for sizes, name in ((boxes[2], "h1"), (boxes[5], "h2")):
        if (sizes < 0.0).any():
            raise ValueError(f"{name} must not be negative: it holds the half sizes of boxes")
    return overlapping(Parallelepipeds(*boxes[:3]), Parallelepipeds(*boxes[3:]), threads)[0]
