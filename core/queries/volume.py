# SPDX-License-Identifier: GPL-3.0-or-later
"""How much space two solids share."""
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import as_triangles, as_vertices
from ..verdicts.closedness import OPEN, closedness
from ..volume.overlap import overlap
from ..volume.volumes import solid_of


def overlap_volume(V1: ArrayLike, F1: ArrayLike, V2: ArrayLike, F2: ArrayLike) -> tuple[float, float, float]:
    """(volume, lower, upper): about how much space two closed meshes share, and bounds that hold for certain.

    V1, V2: (n,3) float64, finite; F1, F2: (m,3) int, at least one triangle each. A place is inside a mesh where its
    winding number is not zero; where triangles are not oriented alike, where a ray crosses it an odd number of times.
    All three are NaN where a mesh is not closed. docs/volume.md says how near the bounds are. Raises ValueError for
    other shapes, no triangles, or coordinates that are not finite.
    """
    solids = []
    for V, F, side in ((V1, F1, 1), (V2, F2, 2)):
        V = as_vertices(V, f"V{side}")
        F = as_triangles(F, len(V), f"F{side}")
        if len(F) == 0:
            raise ValueError(f"F{side} must have at least one triangle")
        if not np.isfinite(V).all():
            raise ValueError(f"V{side} has coordinates that are not finite")
        solids.append(solid_of(V, F, np.eye(4), closedness(V, F)))
    if OPEN in (solids[0].kind, solids[1].kind):
        return float("nan"), float("nan"), float("nan")
    volume, lower, upper = overlap(solids[0], solids[1], lambda: False).tolist()
    return volume, lower, upper
