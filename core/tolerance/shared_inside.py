# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two solids whose surfaces are nowhere deep inside each other have a deep point in common? Then they coincide."""
import math
from functools import partial

import numpy as np

from ..depth.depths import MANY_TRIANGLES, depth_scratch
from ..depth.nearest_surface import nearest_surface
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..parallel import run_chunks
from ..records import DepthScratch
from ..run import Run
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from ..verdicts.mesh_topology import MeshTopology
from ..verdicts.rays import INSIDE_BITS, ON, locate_point
from .inner_points import inner_points

LEAST_EXTENT, MOST_EXTENT = 1e-290, 1e290       # whose squares are numbers, and not 0
PLAINLY = 1024.0        # times a limit: most solids are that much thicker, which is true of all limits up to it then


class SharedDepth:
    """Looks for points that placed solids have in common."""

    def __init__(self, forest: Forest, topology: MeshTopology, run: Run):
        self.forest, self.topology, self.run = forest, topology, run
        self._scratch: DepthScratch = depth_scratch()
        self._thick: dict[int, tuple[float, float]] = {}    # object: a limit that it is deeper than, and one it is not

    def may_be_above(self, a: np.ndarray, b: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        """(k,) bool: the pairs of which `is_above` is to be asked; of others it is False, as none of the points is in
        the box of the other mesh. a, b: (k,) int32; bounds: as there."""
        meshes = np.unique(self.forest.mesh_of(np.concatenate([a, b])))
        local = [inner_points(self.forest.scene, self.topology, index) for index in meshes.tolist()]
        start = np.zeros(len(meshes) + 1, np.int64)
        np.cumsum([0 if points is None else len(points) for points in local], out=start[1:])
        points = np.concatenate([np.zeros((0, 3)), *(points for points in local if points is not None)])
        known = np.array([points is not None for points in local], bool)
        answer = np.zeros(len(a), bool)
        place = tuple(np.searchsorted(meshes, self.forest.mesh_of(side)) for side in (a, b))
        for one, other, mesh in ((a, b, place[0]), (b, a, place[1])):
            reach_into_boxes(one, other, mesh, self.forest.triangle_count, known, start, points, self.forest.poses,
                             bounds, answer)
        return answer

    def is_above(self, limit: float, i: int, j: int, bounds: np.ndarray) -> bool:
        """True where a point that is deeper than the limit in one of two closed meshes is inside the other as well, or
        where that is not known. Of a run that is cancelled meanwhile, the answer is worth nothing.

        The points are those of the mesh with fewer triangles; of both, where these have as many. i, j: positions of
        placed objects; bounds: (objects,6) float64, tight boxes.
        """
        extent = max(_extent(bounds, i), _extent(bounds, j))
        if not LEAST_EXTENT < extent < MOST_EXTENT:
            return True
        unit = _unit(extent)
        count = self.forest.triangle_count[i], self.forest.triangle_count[j]
        return bool((count[0] <= count[1] and self._has_deep_point(limit, i, j, bounds, unit))
                    or (count[1] <= count[0] and self._has_deep_point(limit, j, i, bounds, unit)))

    def are_sheets(self, limit: float, i: int, j: int, bounds: np.ndarray) -> bool:
        """True where neither of two closed meshes has a point, of those that are tried, that is deeper in it than the
        limit, as solids that were flattened have none. i, j, bounds: as in `is_above`, which was asked before."""
        return not (self._is_thick(limit, i, bounds) or self._is_thick(limit, j, bounds))

    def _is_thick(self, limit: float, i: int, bounds: np.ndarray) -> bool:
        """True where one closed mesh has such a point. What is known of it is kept: one floor is in many pairs."""
        deeper, not_deeper = self._thick.get(i, (-math.inf, math.inf))
        for asked in (PLAINLY * limit, limit):
            if deeper < limit and asked < not_deeper:
                if self._has_deep_point(asked, i, i, bounds, _unit(_extent(bounds, i))):
                    deeper = asked
                else:
                    not_deeper = asked
        self._thick[i] = deeper, not_deeper
        return limit <= deeper

    def _has_deep_point(self, limit: float, i: int, j: int, bounds: np.ndarray, unit: float) -> bool:
        """`is_above`, of the points of object i that are in both."""
        mesh_of = self.forest.mesh_of(np.array([i, j]))
        local = inner_points(self.forest.scene, self.topology, int(mesh_of[0]))
        if local is None:
            return True
        points = local @ self.forest.poses[i, :, :3].T + self.forest.poses[i, :, 3]
        points = points[((points > bounds[j, :HIGH]) & (points < bounds[j, HIGH:])).all(axis=1)]
        inside = INSIDE_BITS[self.topology.closed(mesh_of)]
        trees, scratch, answer = self.forest.placed_trees, self._scratch, [True]

        def ask(_) -> None:
            answer[0] = bool(some_are_deep(points, i, j, inside, limit, unit, trees, scratch))

        def tick(_) -> None:
            if self.run.stopped():
                scratch.stop[0] = 1

        many = max(self.forest.triangle_count[[i, j]]) > MANY_TRIANGLES
        run_chunks(ask, 1, 1, tick, partial(scratch.stop.fill, 1) if many else None)
        return answer[0]


def _extent(bounds: np.ndarray, i: int) -> float:
    """The longest edge of a box."""
    return float((bounds[i, HIGH:] - bounds[i, :HIGH]).max())


def _unit(extent: float) -> float:
    """What lengths are multiplied by."""
    return math.ldexp(1.0, -math.frexp(extent)[1])


@kernel
def reach_into_boxes(one, other, mesh, triangle_count, known, start, points, poses, bounds, answer):
    """answer[k] = True where a point of object one[k], which has no more triangles than other[k], is in the box of that
    one, or where that is not known.

    one, other: (k,) int32, positions of placed objects; mesh: (k,) int64, the row of one[k]'s mesh: its points are
    points[start[row]] … points[start[row+1]-1], (…,3) float64, local, where they are known[row]. triangle_count, poses,
    bounds: of the objects.
    """
    for k in range(one.shape[0]):
        i = one[k]
        j = other[k]
        extent = 0.0
        for x in range(3):
            extent = max(extent, max(bounds[i, HIGH + x] - bounds[i, x], bounds[j, HIGH + x] - bounds[j, x]))
        if not LEAST_EXTENT < extent < MOST_EXTENT:
            answer[k] = True
        if answer[k] or triangle_count[i] > triangle_count[j]:
            continue
        answer[k] = not known[mesh[k]]
        for row in range(start[mesh[k]], start[mesh[k] + 1]):
            within = True
            for x in range(3):
                value = poses[i, x, 3]
                for y in range(3):
                    value += poses[i, x, y] * points[row, y]
                within = within and bounds[j, x] < value < bounds[j, HIGH + x]
            if within:
                answer[k] = True
                break


@kernel
def some_are_deep(points, i, j, inside, limit, unit, trees, scratch):
    """True where some point is inside object j, and inside object i with more than `limit` to its surface, or where
    numbers span too much to say.

    points: (k,3) float64; i, j: objects of `trees`, PlacedTrees; inside: (2,) uint8, the bit of a ray that means
    "inside" i, and j; unit: a power of two, by which lengths are multiplied; scratch: DepthScratch.
    """
    for k in range(points.shape[0]):
        for x in range(3):
            scratch.points[0, x] = points[k, x]
        if nearest_surface(i, np.int64(-1), trees, unit, scratch)[0] <= limit * unit:
            continue
        within = True
        for side in range(2):
            bits = locate_point(scratch.points, 0, np.int64(i if side == 0 else j), trees, scratch.rays)
            if bits & UNDECIDED:
                return True
            within = within and bits & ON == 0 and bits & inside[side] != 0
        if within:
            return True
    return False
