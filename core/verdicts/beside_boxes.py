# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs that touch and are seen to do no more than that by the box of one of them: a book on a shelf, a cup in a room.

Where no triangle of the one object reaches into the open box of the other one, all of that box is on one side of its
surface. A point of the box tells which: outside, the solids share nothing, and the surfaces do not pass through each
other, at edges either.
"""
import math

import numpy as np

from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..trees.bounds import HIGH
from ..trees.bvh.forest import Forest
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from .closedness import OPEN
from .mesh_topology import MeshTopology
from .parts_inside import box_search
from .rays import INSIDE_BITS, ask, ray_scratch, shortest_side, start_at


def beside_boxes(forest: Forest, topology: MeshTopology, a: np.ndarray, b: np.ndarray,
                 asked: np.ndarray) -> np.ndarray:
    """(pairs,) bool: the box of one object tells that the two do no more than touch. False for pairs that are not
    asked, (pairs,) bool. a, b: (pairs,) int32, positions in the forest."""
    answer, rows = np.zeros(len(a), bool), np.flatnonzero(asked)
    for batch in forest.batches(a[rows], b[rows]) if len(rows) else ():
        bounds = forest.tight_bounds(a[rows[batch]], b[rows[batch]])
        for inner, outer in ((a, b), (b, a)):
            here = rows[batch][~answer[rows[batch]]]
            i, o = np.ascontiguousarray(inner[here]), np.ascontiguousarray(outer[here])
            closed = topology.solid(forest.objects[o])
            decides = np.where(closed == OPEN, np.uint8(0), INSIDE_BITS[closed])
            found = np.zeros(len(here), bool)
            boxes_beside(i, o, bounds, decides, forest.placed_trees, np.empty((1, 3)), ray_scratch(), box_search(),
                         found)
            answer[here] = found
    return answer


@kernel
def boxes_beside(inner, outer, bounds, decides, trees, middle, scratch, within, answer):
    """answer[k] = True where no triangle of object outer[k] reaches into the open box of inner[k], and that box is
    outside outer[k].

    bounds: (objects,6) float64, tight boxes; decides: (n,) uint8, the bit of a ray that means "inside outer[k]", 0
    where nothing is inside that; trees: PlacedTrees; middle: (1,3) float64, scratch: RayScratch and within: BoxSearch:
    memory; answer: (n,) bool.
    """
    for k in range(inner.shape[0]):
        box = bounds[inner[k]]
        thick = True
        for x in range(3):
            middle[0, x] = 0.5 * box[x] + 0.5 * box[HIGH + x]
            thick = thick and box[x] < middle[0, x] < box[HIGH + x]
        if not thick or not _is_free(box, outer[k], trees, within):
            continue
        if decides[k] != 0:
            start_at(middle, 0, scratch.P)
            bits = ask(outer[k], shortest_side(outer[k], trees), trees, scratch)
            if bits & (UNDECIDED | decides[k]):
                continue
        answer[k] = True


@kernel
def _is_free(box, obj, trees, within):
    """True where each triangle of an object has one of the six sides of a box (6,) between itself and the box."""
    for x in range(3):
        set_box(within.box, x, box[x], box[HIGH + x], trees.quantization)
    triangles = trees.corners.triangles
    world = trees.corners.world
    triangle_start = trees.corners.triangle_start[obj]
    world_start = trees.corners.world_start[obj]
    at = before_first(np.int64(obj), trees, within.stack)
    while True:
        child, at = next_triangle(within.box, trees, within.stack, at)
        if child == NO_TRIANGLE:
            break
        slot = unsigned(triangle_start + child)
        beside = False
        for x in range(3):
            low = math.inf
            high = -math.inf
            for i in range(3):
                value = world[unsigned(world_start + triangles[slot, i]), x]
                low = min(low, value)
                high = max(high, value)
            beside = beside or low >= box[HIGH + x] or high <= box[x]
        if not beside:
            return False
    return True
