# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls at the door: many sets of points in one flat array."""
import math

import numpy as np

from ...arrays import as_numbers
from ...records import Hulls


def pair_up(P, Q) -> tuple[Hulls, Hulls]:
    """Both sides with as many hulls: a side of one hull repeats it. P, Q: as for `as_hulls`. Raises ValueError where
    the numbers of hulls do not fit."""
    P, Q = as_hulls(P, "P"), as_hulls(Q, "Q")
    n = max(len(P.starts), len(Q.starts)) if min(len(P.starts), len(Q.starts)) else 0
    if {len(P.starts), len(Q.starts)} - {1, n}:
        raise ValueError(f"P and Q must have as many hulls, or one, not {len(P.starts)} and {len(Q.starts)}")
    return _repeat(P, n), _repeat(Q, n)


def as_hulls(given, name: str = "hulls") -> Hulls:
    """The hulls of points (N,k,3), of one set (k,3), or of a sequence of sets (k_i,3), cast to float64. name: of the
    argument, for errors.

    Raises ValueError for other shapes, empty hulls, NaN or infinity, and as `as_numbers` does.
    """
    if isinstance(given, (list, tuple)) or (isinstance(given, np.ndarray) and given.dtype.kind == "O"):
        each = [one if type(one) is np.ndarray and one.dtype == np.float64 else as_numbers(one, name) for one in given]
        if not all(one.ndim == 2 and one.shape[1] == 3 for one in each if one.size):
            raise ValueError(f"{name}: the points of each hull must have the shape (k, 3)")
        counts = np.array([len(one) if one.size else 0 for one in each], np.int64)
        points = np.concatenate([np.zeros((0, 3)), *(one for one in each if one.size)])
        hulls = Hulls(points, np.cumsum(counts) - counts, counts)
    else:
        array = as_numbers(given, name)
        if array.ndim == 2:
            array = array[None]
        if array.ndim != 3 or array.shape[2] != 3:
            raise ValueError(f"{name} must be hulls of the shape (N, k, 3) or (k, 3), not {array.shape}")
        n, k = array.shape[:2]
        hulls = Hulls(array.reshape(-1, 3), k * np.arange(n, dtype=np.int64), np.full(n, k, np.int64))
    if len(hulls.counts) and hulls.counts.min() == 0:
        raise ValueError(f"{name}: a hull needs at least one point")
    with np.errstate(over="ignore", invalid="ignore"):
        if not math.isfinite(hulls.points.sum()) and not np.isfinite(hulls.points).all():
            raise ValueError(f"{name}: the points of hulls must be finite")
    return hulls


def _repeat(hulls: Hulls, n: int) -> Hulls:
    """n hulls, or the first n."""
    if len(hulls.starts) == n:
        return hulls
    return Hulls(hulls.points, np.repeat(hulls.starts[:n], n)[:n], np.repeat(hulls.counts[:n], n)[:n])
