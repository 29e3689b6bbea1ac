# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of impact of moving vertices, faces and edges, N at a time, and of two meshes."""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_numbers, as_pose, as_triangles, as_vertices
from ..continuous.contacts_between import contacts_between
from ..continuous.exact import EDGE_EDGE, VERTEX_FACE
from ..continuous.instant import Instant
from ..continuous.toi import times_of_impact
from ..scene import Scene


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
    try:
        toi, _ = times_of_impact(X0, X1, kind)      # whose kernels look for what is not finite as they go
    except ValueError as error:
        raise ValueError(f"X0 and X1: {error}") from None
    return toi < np.inf, toi


def rigid_toi(meshA: tuple, A0: ArrayLike, A1: ArrayLike, meshB: tuple, B0: ArrayLike,
              B1: ArrayLike) -> float | None:
    """When two moving meshes first meet: a time in [0, 1], or None where they do not.

    meshA, meshB: (V, F), vertices (n,3) float64 and triangles (m,3) int, finite. A0, A1, B0, B1: 4×4 affine matrices,
    the poses at t = 0 and t = 1. Between them the origin moves linearly, the rotation turns at a constant speed the
    shorter way (more than half a turn is not seen as such), and the stretch changes linearly; where one pose is flat,
    or only one of them is mirrored, each vertex moves linearly. Surfaces that meet at the start have the time 0. Never
    late and never missed; at the time returned the surfaces are no farther apart than 2^-30 of the smaller mesh's size,
    or than what float64 resolves at that distance from the origin (docs/moving-meshes.md). Raises ValueError for wrong
    arrays.
    """
    scene, ends = Scene(), []
    for (V, F), before, after, name in ((meshA, A0, A1, "A"), (meshB, B0, B1, "B")):
        V = as_vertices(V, f"the vertices of mesh{name}")
        F = as_triangles(F, len(V), f"the triangles of mesh{name}")
        before, after = (as_pose(pose, f"{name}{t}") for t, pose in enumerate((before, after)))
        if not all(np.isfinite(each).all() for each in (V, before, after)):
            raise ValueError(f"the mesh and the poses of {name} must be finite")
        scene.add_object(scene.add_mesh(V, F), before)
        ends.append(after)
    start = Instant.of(scene)
    scene.set_poses([0, 1], np.stack(ends))
    found = contacts_between(start, Instant.of(scene))
    return float(found.toi[0]) if len(found.toi) else None
