# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart two surfaces are, and points and a surface."""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_triangles, as_vertices
from ..depth.surface_distances import Surface
from ..distance.gaps import gaps
from ..errors import Refused
from ..parallel import thread_count
from ..run import Run
from ..scene import Scene
from ..scene.select import select
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import closedness
from ..volume.volumes import solid_of
from .triangles import no_tick


def mesh_distance(V1: ArrayLike, F1: ArrayLike, V2: ArrayLike, F2: ArrayLike,
                  threads: int | None = None) -> tuple[float, np.ndarray, np.ndarray]:
    """(d, p, q): the least distance of two surfaces, and points (3,) of the first and the second that are so near.

    V1, V2: (n,3) float64, finite; F1, F2: (m,3) int, at least one triangle each (one without area is the segment or the
    point that it is). d errs by less than 2^-40 of itself, at any scale and any place; it is exactly 0.0 where the
    surfaces meet, and then p = q. A surface inside another one that it does not meet has a distance. Raises ValueError
    for other shapes, no triangles, or coordinates that are not finite.
    """
    scene = Scene()
    for V, F, side in ((V1, F1, 1), (V2, F2, 2)):
        V = as_vertices(V, f"V{side}")
        F = as_triangles(F, len(V), f"F{side}")
        if len(F) == 0:
            raise ValueError(f"F{side} must have at least one triangle")
        if not np.isfinite(V).all():
            raise ValueError(f"V{side} has coordinates that are not finite")
        scene.add_object(scene.add_mesh(V, F))
    selection = select(scene)
    if selection.skipped:
        raise ValueError(f"one of the meshes cannot be measured: {selection.skipped[0].reason}")
    run = Run(None, threads, False, {})
    forest = Forest(scene, selection.objects, selection.bounds, no_tick)
    with run.stage("distance", 1):
        gap, points, _ = gaps(forest, np.zeros(1, np.int32), np.ones(1, np.int32), np.inf, run)
    return float(gap[0]), points[0, 0], points[0, 1]


def surface_distances(V: ArrayLike, F: ArrayLike, P: ArrayLike,
                      threads: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(distance, error), (N,) float64 each: how far points are from a surface; the true distance differs from that by
    no more than the error, about 2^-44 of the box around all of V and P, or the width of a triangle that is more than
    4,000 times as long as wide.

    Distances to a closed mesh have a sign, which is exact as in `points_in_mesh`: negative inside, 0.0 on the surface
    and only there. A mesh that is not closed has no inside, and no distance to it is negative. V: (n,3)
    float64, finite; F: (m,3) int, at least one triangle (one without area is the segment or the point that it is); P:
    (N,3) float64, finite. Raises ValueError for other shapes, no triangles, coordinates that are not finite or span
    more than 1e290.
    """
    V, P = as_vertices(V, "V"), as_vertices(P, "P")
    F = as_triangles(F, len(V), "F")
    if len(F) == 0:
        raise ValueError("F must have at least one triangle")
    for array, name in ((V, "V"), (P, "P")):
        if not np.isfinite(array).all():
            raise ValueError(f"{name} has coordinates that are not finite")
    solid = solid_of(V, F, np.eye(4), closedness(V, F))
    places = np.concatenate((solid.vertices, P))
    box = np.concatenate((places.min(axis=0), places.max(axis=0)))
    try:
        surface = Surface(*solid, box, thread_count(threads), no_tick)
    except Refused as refusal:
        raise ValueError(f"V and P: {refusal}") from None
    return surface.distances(P)
