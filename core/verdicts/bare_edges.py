# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges that nothing else of their surface meets between their ends.

What is true beside such an edge at one place of it is true all along: around it there are only its own triangles.
"""
import numpy as np

from ..geometry.common_corners import is_corner
from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.forest import Forest
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle, set_box
from .parts_inside import box_search

TRIANGLE_ROW = 2            # the first of three rows of P with a triangle; the two before it are the edge


def bare_edges(forest: Forest, objects: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """(n,) bool: no triangle of objects[i] meets edges[i] between its ends, but those that have both ends as corners.
    False also where numbers span too much for exact signs.

    objects: (n,) int32, positions in the forest, which are placed; edges: (n,2,3) float64, of these objects.
    """
    answer = np.zeros(len(edges), bool)
    find_bare_edges(np.ascontiguousarray(objects), np.ascontiguousarray(edges), forest.placed_trees, box_search(),
                    np.empty((TRIANGLE_ROW + 3, 3)), np.empty(EXPANSION_SIZE), answer)
    return answer


@kernel
def find_bare_edges(objects, edges, trees, within, P, expansion, answer):
    """As `bare_edges`. trees: PlacedTrees; within: BoxSearch, P (5,3) and expansion: scratch; answer: (n,) bool."""
    for k in range(objects.shape[0]):
        answer[k] = _is_bare(objects[k], edges, k, trees, within, P, expansion)


@kernel
def _is_bare(obj, edges, k, trees, within, P, expansion):
    for x in range(3):
        set_box(within.box, x, min(edges[k, 0, x], edges[k, 1, x]), max(edges[k, 0, x], edges[k, 1, x]),
                trees.quantization)
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
        for x in range(3):
            P[0, x] = edges[k, 0, x]
            P[1, x] = edges[k, 1, x]
            for i in range(3):
                P[TRIANGLE_ROW + i, x] = world[unsigned(world_start + triangles[slot, i]), x]
        if is_corner(P, 0, TRIANGLE_ROW) and is_corner(P, 1, TRIANGLE_ROW):
            continue
        exponent = scale_exponent(P)
        if exponent == NO_EXPONENT:
            return False
        scale_rows(P, exponent)
        if not _parted(P, expansion):
            return False
    return True


@kernel
def _parted(P, expansion):
    """True where the triangle in P does not meet the segment in rows 0 and 1 between its ends. False for some that lie
    in a plane and do not meet it either, where none of the three axes shows that."""
    at_p = orientation3(P, TRIANGLE_ROW, TRIANGLE_ROW + 1, TRIANGLE_ROW + 2, 0, 0, expansion)
    at_q = orientation3(P, TRIANGLE_ROW, TRIANGLE_ROW + 1, TRIANGLE_ROW + 2, 1, 0, expansion)
    if at_p == 0.0 and at_q == 0.0:
        for axis in range(3):
            if _parted_seen_along(P, axis, expansion):
                return True
        return False
    if not (at_p < 0.0 < at_q or at_q < 0.0 < at_p):
        return True             # in the plane of the triangle is one end at most, and nothing in between
    left = False
    right = False
    for i in range(3):
        side = orientation3(P, 0, 1, TRIANGLE_ROW + i, TRIANGLE_ROW + (i + 1) % 3, 0, expansion)
        left |= side < 0.0
        right |= side > 0.0
    return left and right


@kernel
def _parted_seen_along(P, axis, expansion):
    """True where it is seen along an axis that the triangle in P does not meet the segment between its ends: one of
    their four lines parts them there."""
    x = (axis + 1) % 3
    y = (axis + 2) % 3
    if P[0, x] == P[1, x] and P[0, y] == P[1, y]:
        return False
    along = x if P[0, x] != P[1, x] else y
    left = False
    right = False
    before = True
    behind = True
    for i in range(TRIANGLE_ROW, TRIANGLE_ROW + 3):
        side = orientation2(P, 0, 1, i, x, y, 0, expansion)
        left |= side < 0.0
        right |= side > 0.0
        if side == 0.0:
            before &= P[i, along] <= min(P[0, along], P[1, along])
            behind &= P[i, along] >= max(P[0, along], P[1, along])
    if not (left and right):
        return before or behind         # what of the triangle is on the line is before the segment or behind it
    for i in range(3):
        one = TRIANGLE_ROW + i
        other = TRIANGLE_ROW + (i + 1) % 3
        third = orientation2(P, one, other, TRIANGLE_ROW + (i + 2) % 3, x, y, 0, expansion)
        p = orientation2(P, one, other, 0, x, y, 0, expansion)
        q = orientation2(P, one, other, 1, x, y, 0, expansion)
        beyond = third >= 0.0 and p <= 0.0 and q <= 0.0 or third <= 0.0 and p >= 0.0 and q >= 0.0
        if beyond and (p != 0.0 or q != 0.0):
            return True
    return False
