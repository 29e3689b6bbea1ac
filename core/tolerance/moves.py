# SPDX-License-Identifier: GPL-3.0-or-later
"""How far one of two objects must be moved until a plane lies between them, along a few directions."""
import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..machine_code.jit import kernel
from ..pair_table import PairTable
from ..run import Run
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest

MOVE_ROUNDING = 2.0 ** -47  # relative to the largest coordinate: of two coordinates along a direction (three products,
                            # two sums each), their difference, and the length of the direction
PROBES = 16                 # vertices of the larger object that mostly show that no plane is near
VERTICES_PER_TICK = 1 << 22      # of pairs of objects: some tens of milliseconds
ROWS_PER_LOOK = 64          # vertices between two looks whether a plane can still be near
NO_LENGTH = 1e-100          # of the product of two columns of a matrix, each 1 in size: they are parallel, or zero


def moves(forest: Forest, table: PairTable, rows: np.ndarray, run: Run) -> np.ndarray:
    """The stage `moves` of `Method`: (rows,) float64. Tried are the axes of the world and, where these are not enough
    for the tolerance, the normals of both objects' own coordinate planes."""
    a, b, limits = table.a[rows], table.b[rows], table.measured["tolerance"][rows]
    answer = np.full(len(rows), np.inf)
    for batch in forest.batches(a, b) if len(rows) else ():
        i, j = np.ascontiguousarray(a[batch]), np.ascontiguousarray(b[batch])
        bounds = forest.tight_bounds(i, j)
        for some in _parts(forest.vertex_count[i] + forest.vertex_count[j]):
            run.tick((batch.start + some.start) / len(rows))
            shortest_moves(i[some], j[some], limits[batch][some], bounds, forest.poses, forest.world_start,
                           forest.vertex_count, forest.world, np.empty(3), answer[batch][some])
    return answer


def _parts(vertices: np.ndarray) -> Iterator[slice]:
    """Slices of pairs that the kernel works off without a pause. vertices: (pairs,) int64, of both objects."""
    ends = np.cumsum(vertices) // VERTICES_PER_TICK
    cuts = [0, *(np.flatnonzero(ends[1:] != ends[:-1]) + 1).tolist(), len(vertices)]
    return (slice(begin, end) for begin, end in pairwise(cuts))


@kernel
def shortest_moves(a, b, limits, bounds, poses, world_start, vertex_count, world, direction, answer):
    """answer[k] = the length of a move of a[k] or b[k] that puts a plane between them, an upper bound; of one that is
    longer than the limit only that it is.

    a, b: (n,) int32, placed objects; limits: (n,) float64, a move that is no longer is good enough; bounds: (objects,6)
    float64, tight boxes; poses: (objects,3,4) float64; world_start, vertex_count: (objects,) int64, rows of world,
    (…,3) float64; direction: (3,) float64, scratch.
    """
    for k in range(a.shape[0]):
        i = a[k]
        j = b[k]
        size = 0.0
        move = np.inf
        for x in range(3):
            move = min(move, min(bounds[i, HIGH + x] - bounds[j, x], bounds[j, HIGH + x] - bounds[i, x]))
            size = max(size, max(max(abs(bounds[i, x]), abs(bounds[i, HIGH + x])),
                                 max(abs(bounds[j, x]), abs(bounds[j, HIGH + x]))))
        move += MOVE_ROUNDING * size
        small = i if vertex_count[i] <= vertex_count[j] else j
        large = j if small == i else i
        for turn in range(6):
            if move > limits[k] and _normal_of_plane(poses, i if turn < 3 else j, turn % 3, direction):
                low, high = _range_along(direction, world_start[small], vertex_count[small], world)
                beyond = _least_overlap(direction, low, high, limits[k], world_start[large], vertex_count[large], world)
                move = min(move, beyond + MOVE_ROUNDING * size)
        answer[k] = move


@kernel
def _normal_of_plane(poses, n, axis, direction):
    """Write the unit normal of a coordinate plane of object n. False where the object is flattened, and has none."""
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    size_y = max(abs(poses[n, 0, y]), max(abs(poses[n, 1, y]), abs(poses[n, 2, y])))
    size_z = max(abs(poses[n, 0, z]), max(abs(poses[n, 1, z]), abs(poses[n, 2, z])))
    if not (size_y > NO_LENGTH and size_z > NO_LENGTH):
        return False
    for x in range(3):
        p = (x + 1) % 3
        q = (x + 2) % 3
        direction[x] = (poses[n, p, y] / size_y) * (poses[n, q, z] / size_z) - (
            poses[n, q, y] / size_y) * (poses[n, p, z] / size_z)
    length = math.sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2])
    if not length > NO_LENGTH:
        return False
    for x in range(3):
        direction[x] /= length
    return True


@kernel
def _least_overlap(direction, low, high, limit, start, count, world):
    """By how much what reaches from low to high along a direction must be moved along it to be beside some vertices;
    infinity where that is more than `limit`. Vertices are looked at until that is known."""
    other_low = np.inf
    other_high = -np.inf
    for probe in range(min(PROBES, count)):
        row = start + probe * count // PROBES
        height = direction[0] * world[row, 0] + direction[1] * world[row, 1] + direction[2] * world[row, 2]
        other_low = min(other_low, height)
        other_high = max(other_high, height)
    for first in range(start, start + count, ROWS_PER_LOOK):
        if high - other_low > limit and other_high - low > limit:
            return np.inf
        found_low, found_high = _range_along(direction, first, min(ROWS_PER_LOOK, start + count - first), world)
        other_low = min(other_low, found_low)
        other_high = max(other_high, found_high)
    return min(high - other_low, other_high - low)


@kernel
def _range_along(direction, start, count, world):
    """(lowest, highest) of some vertices along a direction."""
    low = np.inf
    high = -np.inf
    for row in range(start, start + count):
        height = direction[0] * world[row, 0] + direction[1] * world[row, 1] + direction[2] * world[row, 2]
        low = min(low, height)
        high = max(high, height)
    return low, high
