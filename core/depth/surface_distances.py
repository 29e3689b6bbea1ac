# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances of many points to one surface: by the search that depths use, and the exact side of each point."""
import math

import numpy as np

from ..errors import Refused
from ..geometry.squares import squared
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..parallel import run_chunks
from ..records import PointDistances
from ..reference import last_resort
from ..scene import Scene
from ..trees.bvh.build import along_a_curve
from ..trees.bvh.forest import Forest
from ..verdicts.closedness import OPEN
from ..verdicts.points_in_mesh import locate_points, point_scratch
from ..verdicts.rays import INSIDE_BITS, ON
from .depths import depth_scratch
from .nearest_surface import nearest_surface
from .point_triangle import POINT_ROUNDING

DISTANCES_AT_ONCE = 1 << 11     # points in one piece of work: some milliseconds
LEAST_EXTENT, MOST_EXTENT = 1e-290, 1e290


class Surface:
    """One mesh in the world, ready to be asked for distances."""

    def __init__(self, vertices: np.ndarray, triangles: np.ndarray, kind: int, box: np.ndarray, threads: int, tick):
        """vertices: (n,3) float64, each in a triangle; triangles: (m,3) int32, m ≥ 1. kind: closedness, OPEN for what
        shall have no inside. box: (6,) float64, lo x y z hi x y z, holds the mesh and all points that will be asked
        for. tick: called between pieces of work; it may raise Cancelled.

        Raises Refused for a box whose numbers are too large or too small to be squared.
        """
        self._corners, self._kind, self._threads, self._tick = vertices[triangles], kind, threads, tick
        self._unit, self._margin = _measures(box)
        scene, only = Scene(), np.zeros(1, np.int32)
        scene.add_object(scene.add_mesh(vertices, triangles))
        forest = Forest(scene, only, box[None], tick, threads)
        next(forest.batches(only, only))
        self._trees = forest.placed_trees

    def distances(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(distance, error), (n,) float64 each: how far points are from the surface, negative inside the solid, 0.0
        on its surface, and only there. The true distance differs by no more than the error; the sign is exact. points:
        (n,3) float64."""
        n = len(points)
        order = along_a_curve(points) if n else np.zeros(0, np.int32)       # neighbours need the same triangles
        found = PointDistances(np.ascontiguousarray(points[order]), np.empty(n), np.empty(n), np.zeros(n, np.uint8))
        starts = np.append(np.arange(0, n, DISTANCES_AT_ONCE), n)

        def work(number: int) -> None:
            measure_points(starts[number], starts[number + 1], self._kind != OPEN, self._unit, self._margin, found,
                           self._trees, depth_scratch(), point_scratch())

        run_chunks(work, len(starts) - 1, self._threads, self._tick)
        inside, on = found.bits & INSIDE_BITS[self._kind] > 0, found.bits == ON
        undecided = np.flatnonzero(found.bits == UNDECIDED)
        if len(undecided):
            sides = np.array(last_resort.sides(found.points[undecided], self._corners, self._kind))
            inside[undecided], on[undecided] = sides > 0, sides == 0
        if self._kind != OPEN:
            np.maximum(found.distance, np.finfo(float).tiny, out=found.distance)    # of no point off it rounded to 0
            found.distance[on] = found.error[on] = 0.0
        found.distance[inside] *= -1.0
        distance, error = np.empty(n), np.empty(n)
        distance[order], error[order] = found.distance, found.error
        return distance, error


@kernel
def measure_points(first, last, solid, unit, margin, found, trees, scratch, rays):
    """Fill rows first … last - 1 of `found`, a PointDistances, by the only object of `trees`, a PlacedTrees.

    solid: True where the surface has an inside. unit: a power of two that lengths are multiplied by; margin: what
    rounding can change a distance by, so multiplied. scratch: DepthScratch; rays: RayScratch of `point_scratch`.
    """
    known = scratch.known       # a point, and how far the surface is from it at least; 0: nothing is known
    known[3] = 0.0
    bits = np.uint8(0)
    slot = np.int64(-1)
    for k in range(first, last):
        square = 0.0
        for x in range(3):
            scratch.points[0, x] = found.points[k, x]
            square += squared((found.points[k, x] - known[x]) * unit) if known[3] > 0.0 else 0.0
        distance, least, slot = nearest_surface(0, slot, trees, unit, scratch)
        found.distance[k] = distance / unit
        found.error[k] = (max(0.0, distance - least) + margin) / unit
        if not solid:
            continue
        if known[3] > 0.0 and math.sqrt(square) < known[3]:     # no surface is between the two
            found.bits[k] = bits
        else:
            locate_points(found.points, k, k + 1, trees, rays, found.bits)
            bits = found.bits[k]
        for x in range(3):
            known[x] = found.points[k, x]
        known[3] = 0.0 if bits == ON or bits == UNDECIDED else least - margin


def _measures(box: np.ndarray) -> tuple[float, float]:
    """(unit, margin) as in `measure_points`. docs/depth.md has the bounds of rounding, for the size of the box and how
    far from the origin it is."""
    extent, farthest = float((box[3:] - box[:3]).max()), float(np.abs(box).max())
    if extent == 0.0:
        return 1.0, 2.0 ** -49 * farthest
    if not LEAST_EXTENT < extent < MOST_EXTENT:
        raise Refused(f"Distances cannot be measured in a box that is {extent:g} long.")
    unit = math.ldexp(1.0, -math.frexp(extent)[1])
    return unit, 2.0 * POINT_ROUNDING + 2.0 ** -49 * farthest * unit
