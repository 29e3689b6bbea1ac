# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of impact of moving vertices, faces and edges, N at a time."""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_numbers
from ..continuous.exact import EDGE_EDGE, VERTEX_FACE
from ..continuous.toi import times_of_impact


def vertex_face_toi(X0: ArrayLike, X1: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """When a moving vertex first meets a moving face: hit (N,) bool and toi (N,) float64.

    X0, X1: (N,4,3) float64, finite: rows vertex, f0, f1, f2 at t = 0 and at t = 1; every point moves linearly.
    Touching is a hit, at t = 0 and t = 1 too. Every hit is a hit for certain and none is missed. toi is inf where there
    is none; it is never later than the first contact, and earlier by less than 1e-9 (of the interval; in lengths,
    1e-9 of the way a point makes). Raises ValueError for other shapes, NaN or infinity.
    """
    return _toi(X0, X1, VERTEX_FACE)


def edge_edge_toi(X0: ArrayLike, X1: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """When two moving edges first meet: hit (N,) bool and toi (N,) float64.

    X0, X1: (N,4,3) float64, finite: rows a0, a1, b0, b1 at t = 0 and at t = 1. All else as for `vertex_face_toi`.
    """
    return _toi(X0, X1, EDGE_EDGE)


def _toi(X0: ArrayLike, X1: ArrayLike, kind: int) -> tuple[np.ndarray, np.ndarray]:
    X0, X1 = as_numbers(X0, "X0"), as_numbers(X1, "X1")
    if X0.shape != X1.shape or X0.ndim != 3 or X0.shape[1:] != (4, 3):
        raise ValueError(f"X0 and X1 must have the shape (N, 4, 3), not {X0.shape} and {X1.shape}")
    toi, _ = times_of_impact(X0, X1, kind)
    return toi < np.inf, toi
