# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls at the door: many sets of points in one flat array."""
import math
from typing import NamedTuple

import numpy as np


class Hulls(NamedTuple):
    """Hull k has counts[k] rows of points from row starts[k] on."""

    points: np.ndarray      # (…,3) float64, C order
    starts: np.ndarray       # (N,) int64
    counts: np.ndarray       # (N,) int64, at least 1

    def of(self, k: int) -> list[list[float]]:
        return self.points[self.starts[k]:self.starts[k] + self.counts[k]].tolist()


def pair_up(P, Q) -> tuple[Hulls, Hulls]:
    """Both sides, one hull standing for as many as the other side has. Raises ValueError where they do not fit."""
    P, Q = as_hulls(P), as_hulls(Q)
    n = max(len(P.starts), len(Q.starts)) if min(len(P.starts), len(Q.starts)) else 0
    if {len(P.starts), len(Q.starts)} - {1, n}:
        raise ValueError(f"there must be as many hulls on both sides, or one, not {len(P.starts)} and {len(Q.starts)}")
    return _repeat(P, n), _repeat(Q, n)


def as_hulls(given) -> Hulls:
    """(N,k,3), one hull (k,3), or a sequence of (k_i,3). ValueError for other shapes, empty hulls, NaN or infinity."""
    if isinstance(given, np.ndarray) and given.dtype != object:
        if given.ndim == 2:
            given = given[None]
        if given.ndim != 3 or given.shape[2] != 3:
            raise ValueError(f"hulls must have the shape (N, k, 3) or (k, 3), not {given.shape}")
        n, k = given.shape[:2]
        points = np.require(given, np.float64, ["C", "W"]).reshape(-1, 3)
        hulls = Hulls(points, k * np.arange(n, dtype=np.int64), np.full(n, k, np.int64))
    else:
        counts = np.array([len(points) for points in given], np.int64)
        try:
            points = np.concatenate([np.zeros((0, 3)), *given])
        except ValueError:
            raise ValueError("the points of each hull must have the shape (k, 3)") from None
        hulls = Hulls(np.require(points, np.float64, ["C", "W"]), np.cumsum(counts) - counts, counts)
    if len(hulls.counts) and hulls.counts.min() == 0:
        raise ValueError("a hull needs at least one point")
    with np.errstate(over="ignore", invalid="ignore"):
        if not math.isfinite(hulls.points.sum()) and not np.isfinite(hulls.points).all():
            raise ValueError("the points of hulls must be finite")
    return hulls


def _repeat(hulls: Hulls, n: int) -> Hulls:
    if len(hulls.starts) == n:
        return hulls
    return Hulls(hulls.points, np.repeat(hulls.starts[:n], n)[:n], np.repeat(hulls.counts[:n], n)[:n])
