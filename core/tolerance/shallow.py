# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of closed meshes, whose depths are small, are proved to do no more than touch, and which coincide."""
import numpy as np

from ..pair_table import PairTable
from ..run import Run
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import OPEN
from ..verdicts.mesh_topology import MeshTopology
from .asked import MULTIPLE, roundings
from .double_faces import has_double_faces
from .shared_inside import SharedDepth


def shallow(forest: Forest, table: PairTable, rows: np.ndarray, run: Run) -> np.ndarray:
    """The stage `shallow` of `Method`: (rows,) bool. Both objects are solids without double faces, one of them has a
    depth, and these do not coincide."""
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
    two than their limit, or for which that is not known: nothing is deep in solids neither of which is thicker than
    single precision resolves, wherever they pass through each other. a, b: (k,) positions in the forest; limits: (k,)
    float64."""
    answer, shared = asked.copy(), SharedDepth(forest, topology, run)
    resolved = MULTIPLE * roundings(forest.scene, forest.objects)
    for batch in forest.batches(a, b) if asked.any() else ():
        bounds = forest.tight_bounds(a[batch], b[batch])
        rows = batch.start + np.flatnonzero(asked[batch])
        for k, may in zip(rows.tolist(), shared.may_be_above(a[rows], b[rows], bounds).tolist()):
            if run.stopped():
                return answer
            i, j = int(a[k]), int(b[k])
            deep = may and shared.is_above(float(limits[k]), i, j, bounds)
            # Asked by what the numbers resolve, not by the limit: else a larger tolerance would make rows worse.
            answer[k] = deep or shared.are_sheets(float(resolved[i] + resolved[j]), i, j, bounds) or run.cancelled
    return answer
