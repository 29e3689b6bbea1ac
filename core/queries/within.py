# SPDX-License-Identifier: GPL-3.0-or-later
"""One mesh against itself."""
import numpy as np
from numpy.typing import ArrayLike

from ..mid_phase.cull import box_of
from ..pair_table import PairTable
from ..parallel import thread_count
from ..run import Run
from ..scene import Scene
from ..self_collision.search import contacts_within
from ..trees.bvh.forest import Forest
from .meshes import as_mesh
from .triangles import no_tick


def self_intersections(V: ArrayLike, F: ArrayLike) -> np.ndarray:
    """(K,2) int32: every pair i < j of triangles, F[i] with F[j], that collide, ordered by (i, j); exact.

    Two triangles collide where they share a point off the hull of their common vertices, or area: neighbours that meet
    in their common vertex or edge do not, folded ones do. Corners with equal coordinates are one vertex, whatever their
    numbers (docs/self-collision.md). V: (n,3) float64 vertices, finite; F: (m,3) whole numbers. A triangle without area
    is the segment or the point that it is. Raises ValueError for wrong shapes, indices out of range and coordinates
    that are not finite.
    """
    V, F = as_mesh(V, F)
    if len(F) < 2:
        return np.zeros((0, 2), np.int32)
    scene, only = Scene(), np.zeros(1, np.int32)
    scene.add_object(scene.add_mesh(V, F))
    forest = Forest(scene, only, box_of(V)[None], no_tick, thread_count(None))
    found = contacts_within(forest, PairTable(only, only), Run.unwatched(contacts_wanted=True))
    return np.stack([found.triangle_a, found.triangle_b], axis=1)
