# SPDX-License-Identifier: GPL-3.0-or-later
"""Which colliding pairs are proved to reach into each other by no more than is tolerated."""
import numpy as np

from ..arrays import unit_rows
from ..pair_table import PairTable
from ..run import Run
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import OPEN
from ..verdicts.mesh_topology import MeshTopology
from .shared_inside import shared_depth

ROUNDING = 2.0 ** -49       # of a coordinate along a direction, relative to the largest coordinate: three products, two
                            # sums, and the direction's own


def shallow(forest: Forest, table: PairTable, rows: np.ndarray, run: Run) -> np.ndarray:
    """The stage `shallow` of `Method`: (rows,) bool.

    Any pair is shallow where a move no longer than the tolerance puts a plane between its objects. A pair of closed
    meshes also is where no surface is deeper than that inside the other solid, unless the solids coincide.
    """
    a, b, limits = table.a[rows], table.b[rows], table.measured["tolerance"][rows]
    topology = MeshTopology(forest.scene)
    solid = np.minimum(*(topology.solid(forest.objects[side]) for side in (a, b))) > OPEN
    flat = table.measured["depth_upper"][rows] <= limits        # NaN, not measured, is not
    answer = np.zeros(len(rows), bool)
    for batch in forest.batches(a, b):
        here = np.arange(len(rows))[batch]
        i, j, limit = a[batch], b[batch], limits[batch]
        bounds = forest.tight_bounds(i, j)
        move = np.minimum(bounds[i, HIGH:] - bounds[j, :HIGH], bounds[j, HIGH:] - bounds[i, :HIGH]).min(axis=1)
        answer[here] = np.nextafter(move, np.inf) <= limit
        for k in here[~answer[here] & ~solid[here]].tolist():
            answer[k] = move_along_own_axes(forest, int(a[k]), int(b[k])) <= limits[k]
        for k in here[~answer[here] & solid[here] & flat[here]].tolist():
            run.stopped()
            answer[k] = shared_depth(forest, topology, int(a[k]), int(b[k]), bounds) <= limits[k]
    return answer


def move_along_own_axes(forest: Forest, i: int, j: int) -> float:
    """The length of a move along a normal of either object's own coordinate planes that puts a plane between the two;
    an upper bound. i, j: positions of placed objects."""
    best = np.inf
    corners = [forest.world[start:start + count] for start, count in
               zip(forest.world_start[[i, j]].tolist(), forest.vertex_count[[i, j]].tolist())]
    margin = ROUNDING * max(float(np.abs(each).max()) for each in corners)
    for pose in forest.poses[[i, j]]:
        x, y, z = unit_rows(pose[:, :3].T)
        directions = unit_rows(np.array([np.cross(y, z), np.cross(z, x), np.cross(x, y)]))
        for direction in directions[directions.any(axis=1)]:        # a flattened object has fewer
            (low, high), (other_low, other_high) = ((each.min(), each.max()) for each in
                                                    (points @ direction for points in corners))
            best = min(best, float(min(high - other_low, other_high - low)) + 4.0 * margin)
    return best
