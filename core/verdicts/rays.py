# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays along an axis through the tree of an object: does the point where they start lie inside?

A ray counts crossings with their direction, by exact signs. It starts at a point or, where that point lies on the
surface, an infinitely small step away from it. The rows of P from START on hold this start: a point p and three more,
q, r and s, for p + ε(q − p) + ε²(r − p) + ε³(s − p) with ever smaller ε. Signs and heights are linear in the start.
Where the sign of p is zero, that of q decides, then that of r, then that of s. All four rows of a start that is just a
point are the same.
"""
import numpy as np

from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, are_usual, scale_exponent, scale_rows
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel, unsigned
from ..records import RayScratch
from ..trees.bounds import HIGH
from ..trees.bvh.nodes import node_of
from ..trees.bvh.refit import EMPTY_BOX_EDGE, round_down, round_up
from ..trees.bvh.triangles_in_box import NO_TRIANGLE, before_first, next_triangle
from .closedness import EVEN, ORIENTED

# Bits of a ray, beside UNDECIDED: it crosses the surface an odd number of times; its crossings do not cancel; it starts
# on the surface; it crosses the surface at all; the triangle that it was to start in has no area.
ODD, WOUND, ON, CROSSED, STARTS_FLAT = 1, 4, 8, 16, 32
# Bits of all rays of an object, beside UNDECIDED: some of its components lie inside the other object, some do not; the
# other object, which is not closed, seems to enclose it.
WITHIN, WITHOUT, ENCLOSED = 1, 4, 8
INSIDE_BITS = np.zeros(3, np.uint8)     # the bit of a ray that means "inside", by closedness; OPEN has none
INSIDE_BITS[ORIENTED], INSIDE_BITS[EVEN] = WOUND, ODD
START, START_ROWS = 3, 4        # the rows of P that hold the start
STACK_SIZE = 4096
RAY_DIRECTIONS = 6              # along the axes
NO_WAY = -1                     # result of `_way_out`
STARTS_ON = 2                   # result of `_crossing`
NO_AXIS = 3                     # result of `_start_beside`: the triangle has no area


def ray_scratch() -> RayScratch:
    """Memory for the rays of one thread."""
    ray = np.empty((1, 6, 4), np.float32)
    ray[:, :HIGH], ray[:, HIGH:] = EMPTY_BOX_EDGE, -EMPTY_BOX_EDGE
    return RayScratch(np.empty((START + START_ROWS, 3)), np.empty(EXPANSION_SIZE), ray, np.empty(STACK_SIZE, np.int32))


@kernel
def enclosed_by_rays(inner, outer, bounds, vertex_count, lids, trees, scratch, answer):
    """answer[k] = ENCLOSED where from some vertex of object inner[k] the rays in all six directions cross outer[k],
    UNDECIDED where they may.

    bounds: (objects,6) float64, tight boxes; vertex_count: (objects,) int64; lids: Lids, in which row[k] is that of
    outer[k]; the rest as in `parts_inside.py`. The two do not meet. Of most enclosed objects the first vertex tells. Of
    most objects in a tunnel or under a dome it tells a way that is free for the whole box. Of the others each vertex is
    asked. Directions are tried from the one on that was the way out the last time.
    """
    corners = trees.corners
    way = 0
    for k in range(inner.shape[0]):
        first = corners.world_start[inner[k]]
        vertex = first
        while vertex < first + vertex_count[inner[k]] and answer[k] != ENCLOSED:
            start_at(corners.world, vertex, scratch.P)
            meaning, way = _all_ways(outer[k], way, lids.row[k], lids, trees, scratch)
            if meaning != 0:
                answer[k] = meaning
            if vertex == first and answer[k] != ENCLOSED:
                out = _way_out(outer[k], bounds[inner[k]], way, trees, scratch)
                if out != NO_WAY:
                    way = out
                    answer[k] = 0
                    break
            vertex += 1


@kernel
def _all_ways(obj, way, row, lids, trees, scratch):
    """(ENCLOSED, way) where rays from the start in all six directions cross an object, UNDECIDED where they may, 0 and
    the way where one does not. way: the direction to begin with.

    With its lids, which shut its rim, the object winds as often round one point off both, whichever way a ray goes. So
    one ray that passes all lids tells of all that do: decision 10.
    """
    meaning = np.uint8(ENCLOSED)
    asked = False
    around = False
    for _ in range(RAY_DIRECTIONS):
        axis = way // 2
        sign = 1 - 2 * (way % 2)
        passes = (around or not asked) and _passes_lids(scratch.P, axis, sign, row, lids)
        if not (around and passes):
            bits, winding = cast_ray(obj, axis, sign, not passes, trees, scratch)
            if bits & UNDECIDED:
                meaning = np.uint8(UNDECIDED)
            elif bits & CROSSED == 0:
                return np.uint8(0), way
            elif passes:
                asked = True
                around = winding != 0
        way = (way + 1) % RAY_DIRECTIONS
    return meaning, way


@kernel
def _passes_lids(P, axis, sign, row, lids):
    """True where the ray from the start along an axis passes all lids of an object, and the start is in none."""
    boxes = lids.boxes
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    for lid in range(lids.start[row], lids.start[row + 1]):
        beside = (P[START, y] < boxes[lid, y] or P[START, y] > boxes[lid, HIGH + y]
                  or P[START, z] < boxes[lid, z] or P[START, z] > boxes[lid, HIGH + z])
        behind = P[START, axis] > boxes[lid, HIGH + axis] if sign > 0 else P[START, axis] < boxes[lid, axis]
        if not (beside or behind):
            return False
    return True


@kernel
def _way_out(obj, box, first, trees, scratch):
    """A direction, 2·axis or one more for the negative one, in which no box of a triangle of the object is in the way
    of a box; NO_WAY where there is none. box: lo x y z hi x y z; first: the direction to begin with."""
    ray = scratch.ray
    for tried in range(RAY_DIRECTIONS):
        way = (first + tried) % RAY_DIRECTIONS
        for x in range(3):
            low = round_down((box[x] - trees.quantization[x]) * trees.quantization[3])
            high = round_up((box[HIGH + x] - trees.quantization[x]) * trees.quantization[3])
            ray[0, x, 0] = -EMPTY_BOX_EDGE if way == 2 * x + 1 else low
            ray[0, HIGH + x, 0] = EMPTY_BOX_EDGE if way == 2 * x else high
        if not _meets_a_triangle_box(obj, trees, scratch):
            return way
    return NO_WAY


@kernel
def _meets_a_triangle_box(obj, trees, scratch):
    """True where the box in scratch.ray overlaps that of a triangle of an object."""
    at = before_first(np.int64(obj), trees, scratch.stack)
    return next_triangle(scratch.ray, trees, scratch.stack, at)[0] != NO_TRIANGLE


@kernel
def locate_corners(samples, outer, trees, scratch, answer):
    """answer[k] = bits of a ray from sample k through object outer[k]; STARTS_FLAT where the sample's triangle has no
    area.

    samples: (n,3,3) float64, triangles in world coordinates. The ray starts within the triangle next to its first
    corner and, there, next to the edge to its second corner. The rest as in `parts_inside.py`.
    """
    for k in range(samples.shape[0]):
        axis = _start_beside(samples, k, scratch)
        answer[k] = STARTS_FLAT if axis == NO_AXIS else UNDECIDED
        if axis < NO_AXIS:
            answer[k] = ask(outer[k], axis, trees, scratch)


@kernel
def share_a_side(samples, inner, outer, decides_inner, decides_outer, trees, scratch, answer):
    """answer[k] = 1 where both objects hold a point next to sample k, off its triangle to one side or the other;
    UNDECIDED where numbers span too much.

    decides_inner, decides_outer: (n,) uint8, the bit of a ray that means "inside"; the rest as in `locate_corners`.
    """
    P = scratch.P
    for k in range(samples.shape[0]):
        axis = _start_beside(samples, k, scratch)
        if axis >= NO_AXIS:
            continue
        size = abs(P[START, axis])
        for row in range(1, 3):
            size = max(size, abs(P[START + row, axis] - P[START, axis]))
        for sign in range(-1, 2, 2):
            # Any number beyond that of the corner: only the direction of the step counts.
            P[START + 3, axis] = P[START, axis] + sign * (size if size > 0.0 else 1.0)
            one = ask(inner[k], axis, trees, scratch)
            other = np.uint8(0)
            if one & decides_inner[k]:
                other = ask(outer[k], axis, trees, scratch)
            if (one | other) & UNDECIDED:
                answer[k] = UNDECIDED
            elif other & decides_outer[k] and answer[k] == 0:
                answer[k] = 1


@kernel
def locate_point(points, row, obj, trees, scratch):
    """Bits of one ray from points[row], (n,3) float64, through an object; the rest as in `parts_inside.py`."""
    outer = np.int32(obj)       # as there: one signature for what both call
    start_at(points, row, scratch.P)
    return ask(outer, shortest_side(outer, trees), trees, scratch)


@kernel
def start_at(world, vertex, P):
    """Let rays start at a vertex."""
    for row in range(START, START + START_ROWS):
        for x in range(3):
            P[row, x] = world[vertex, x]


@kernel
def _start_beside(samples, k, scratch):
    """Let rays start within triangle samples[k] next to its first corner. Returns the axis along which the triangle has
    area, so that rays notice triangles in its plane; NO_AXIS where it has none, NO_EXPONENT where numbers span too
    much."""
    P = scratch.P
    for row in range(3):
        for x in range(3):
            P[row, x] = samples[k, row, x]
            P[START + row, x] = samples[k, row, x]
            P[START + 3, x] = samples[k, 0, x]
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        return NO_EXPONENT
    found = NO_AXIS
    scale_rows(P, exponent)
    for axis in range(3):
        if found == NO_AXIS and orientation2(P, 0, 1, 2, (axis + 1) % 3, (axis + 2) % 3, 0, scratch.expansion) != 0.0:
            found = axis
    scale_rows(P, -exponent)
    return found


@kernel
def ask(obj, axis, trees, scratch):
    """Bits of one ray through an object to the nearer side of its box; 0 where it starts outside that box."""
    P = scratch.P
    if not _could_be_in(P, obj, trees):
        return np.uint8(0)
    low, high = root_box(obj, axis, trees)
    value = (P[START, axis] - trees.quantization[axis]) * trees.quantization[3]
    bits, _ = cast_ray(obj, axis, -1 if value - low < high - value else 1, False, trees, scratch)
    return bits


@kernel
def root_box(obj, x, trees):
    """(low, high) of an object's tree along an axis."""
    boxes = trees.boxes
    node = trees.box_start[obj] + node_of(np.int64(trees.root[obj]))
    low = boxes[node, x]
    high = boxes[node, HIGH + x]
    return min(min(low[0], low[1]), min(low[2], low[3])), max(max(high[0], high[1]), max(high[2], high[3]))


@kernel
def shortest_side(obj, trees):
    """The axis along which an object is shortest."""
    best = 0
    shortest = np.float32(np.inf)
    for x in range(3):
        low, high = root_box(obj, x, trees)
        if high - low < shortest:
            shortest = high - low
            best = x
    return best


@kernel
def _could_be_in(P, obj, trees):
    """True where the box of the object's tree holds the start."""
    for x in range(3):
        value = (P[START, x] - trees.quantization[x]) * trees.quantization[3]
        low, high = root_box(obj, x, trees)
        if round_up(value) < low or round_down(value) > high:
            return False
    return True


@kernel
def cast_ray(obj, axis, sign, once, trees, scratch):
    """(bits, winding) of one ray through an object, from the start along an axis. winding: how often it leaves through
    a triangle, less how often it enters. sign: 1 or -1, its direction. once: it is enough to know whether the ray
    crosses the object, which does not hold the start; there is no winding then."""
    P = scratch.P
    expansion = scratch.expansion
    ray = scratch.ray
    triangles = trees.corners.triangles
    world = trees.corners.world
    triangle_start = trees.corners.triangle_start[obj]
    world_start = trees.corners.world_start[obj]
    for x in range(3):
        value = (P[START, x] - trees.quantization[x]) * trees.quantization[3]
        ray[0, x, 0] = -EMPTY_BOX_EDGE if x == axis and sign < 0 else round_down(value)
        ray[0, HIGH + x, 0] = EMPTY_BOX_EDGE if x == axis and sign > 0 else round_up(value)
    usual = are_usual(P, START, START + START_ROWS)
    crossings = 0
    winding = 0
    at = before_first(np.int64(obj), trees, scratch.stack)
    while True:
        child, at = next_triangle(ray, trees, scratch.stack, at)
        if child == NO_TRIANGLE:
            break
        slot = unsigned(triangle_start + child)
        for i in range(3):
            corner = unsigned(world_start + triangles[slot, i])
            for x in range(3):
                P[i, x] = world[corner, x]
        exponent = 0 if usual and are_usual(P, 0, START) else scale_exponent(P)
        if exponent == NO_EXPONENT:
            return np.uint8(UNDECIDED), 0
        scale_rows(P, exponent)
        turn = _crossing(P, axis, sign, expansion)
        scale_rows(P, -exponent)
        if turn == STARTS_ON:
            return np.uint8(ON), 0
        winding += turn
        crossings += turn != 0
        if once and turn != 0:
            return np.uint8(CROSSED), 0
    return np.uint8((ODD if crossings & 1 else 0) | (WOUND if winding != 0 else 0)
                    | (CROSSED if crossings != 0 else 0)), winding


@kernel
def _crossing(P, axis, sign, expansion):
    """1 or -1 where the ray leaves or enters through the triangle in rows 0 … 2, 0 where it misses, STARTS_ON where it
    starts on it.

    This is the winding number of the triangle's shadow along the axis around the start. An edge counts where it passes
    the height of the start beyond it on y: upward as 1, downward as -1. An edge through the start itself does not
    count, for all triangles that share it, as if the start were shifted a little along y.
    """
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    turn = 0
    for i in range(3):
        j = (i + 1) % 3
        i_below = _not_above(P, i, z)
        j_below = _not_above(P, j, z)
        if i_below and not j_below:
            turn += _side2(P, i, j, y, z, expansion) > 0.0
        elif j_below and not i_below:
            turn -= _side2(P, i, j, y, z, expansion) < 0.0
    if turn == 0:
        return 0
    side = _side3(P, expansion)
    if side == 0.0:
        return STARTS_ON
    return turn * sign if side * turn * sign > 0.0 else 0


@kernel
def _not_above(P, i, z):
    """True where corner i is not above the start along z."""
    for row in range(START, START + START_ROWS):
        if P[i, z] != P[row, z]:
            return P[i, z] < P[row, z]
    return True


@kernel
def _side2(P, i, j, y, z, expansion):
    """A number with the sign of the start's side of the edge from corner i to j, seen along an axis."""
    for row in range(START, START + START_ROWS):
        side = orientation2(P, i, j, row, y, z, 0, expansion)
        if side != 0.0:
            return side
    return 0.0


@kernel
def _side3(P, expansion):
    """A number with the sign of the start's side of the triangle's plane."""
    for row in range(START, START + START_ROWS):
        side = orientation3(P, 0, 1, 2, row, 0, expansion)
        if side != 0.0:
            return side
    return 0.0
