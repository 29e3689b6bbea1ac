# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of closed meshes, whose depths are small, are proved to do no more than touch."""
import numpy as np

from ..pair_table import PairTable
from ..run import Run
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import OPEN
from ..verdicts.mesh_topology import MeshTopology
from .double_faces import has_double_faces
from .shared_inside import shared_depth


def shallow(forest: Forest, table: PairTable, rows: np.ndarray, run: Run) -> np.ndarray:
    """The stage `shallow` of `Method`: (rows,) bool. Both objects are solids without double faces, and these do
    not coincide."""
    a, b, limits = table.a[rows], table.b[rows], table.measured["tolerance"][rows]
    topology = MeshTopology(forest.scene)
    answer = np.minimum(*(topology.solid(forest.objects[side]) for side in (a, b))) > OPEN
    for batch in forest.batches(a, b) if len(rows) else ():
        bounds = forest.tight_bounds(a[batch], b[batch])
        for k in range(batch.start, batch.stop):
            run.stopped()
            i, j = int(a[k]), int(b[k])
            answer[k] = (answer[k] and not any(has_double_faces(forest.scene, int(forest.mesh_of(n))) for n in (i, j))
                         and shared_depth(forest, topology, i, j, bounds) <= limits[k])
    return answer
