# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of closed meshes, whose depths are small, are proved to do no more than touch, and which coincide."""
import numpy as np

from ..pair_table import PairTable
from ..run import Run
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import OPEN
from ..verdicts.mesh_topology import MeshTopology
from .double_faces import has_double_faces
from .shared_inside import SharedDepth


def shallow(forest: Forest, table: PairTable, rows: np.ndarray, run: Run) -> np.ndarray:
    """The stage `shallow` of `Method`: (rows,) bool. Both objects are solids without double faces, and these do
    not coincide."""
    a, b, topology = table.a[rows], table.b[rows], MeshTopology(forest.scene)
    asked = _are_solids(forest, topology, a, b)
    for k in np.flatnonzero(asked).tolist():
        run.stopped()
        asked[k] = not any(has_double_faces(forest.scene, int(forest.mesh_of(n[k]))) for n in (a, b))
    return asked & ~_may_share(forest, topology, a, b, asked, table.measured["tolerance"][rows], run)


def coincide(forest: Forest, table: PairTable, rows: np.ndarray, limits: np.ndarray, run: Run) -> np.ndarray:
    """The stage `coincide` of `Method`: (rows,) bool."""
    a, b, topology = table.a[rows], table.b[rows], MeshTopology(forest.scene)
    return _may_share(forest, topology, a, b, _are_solids(forest, topology, a, b), limits, run)


def _are_solids(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k,) bool: both objects have an inside. a, b: (k,) positions in the forest."""
    return np.minimum(*(topology.solid(forest.objects[side]) for side in (a, b))) > OPEN


def _may_share(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray, asked: np.ndarray,
               limits: np.ndarray, run: Run) -> np.ndarray:
    """(k,) bool: of the pairs that are asked, (k,) bool, those that have a point in common that is deeper in one of the
    two than their limit, or for which that is not known. a, b: (k,) positions in the forest; limits: (k,) float64."""
    answer, shared = asked.copy(), SharedDepth(forest, topology, run)
    for batch in forest.batches(a, b) if asked.any() else ():
        bounds = forest.tight_bounds(a[batch], b[batch])
        for k in (batch.start + np.flatnonzero(asked[batch])).tolist():
            if run.stopped():
                return answer
            deep = shared.is_above(float(limits[k]), int(a[k]), int(b[k]), bounds)
            answer[k] = deep or run.cancelled
    return answer
