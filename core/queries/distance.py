# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart two surfaces are."""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_triangles, as_vertices
from ..distance.gaps import gaps
from ..errors import Refused
from ..run import Run
from ..scene import Scene
from ..scene.select import select
from ..trees.bvh.forest import Forest
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
        scene.add_object(scene.add_mesh(V, as_triangles(F, len(V), f"F{side}")))
    try:
        selection = select(scene)
    except Refused:
        raise ValueError("each mesh must have at least one triangle") from None
    if selection.skipped:
        raise ValueError(f"one of the meshes cannot be measured: {selection.skipped[0].reason}")
    run = Run(None, threads, False, {})
    forest = Forest(scene, selection.objects, selection.bounds, no_tick)
    with run.stage("distance", 1):
        gap, points, _ = gaps(forest, np.zeros(1, np.int32), np.ones(1, np.int32), np.inf, run)
    return float(gap[0]), points[0, 0], points[0, 1]
