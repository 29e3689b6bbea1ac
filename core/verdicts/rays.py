# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays along an axis through the tree of an object: is the place where they start inside?

Crossings are counted with their direction, by exact signs. A ray starts at a point or, where the point itself lies on
the surface, an infinitely small step away from it: the place stands in four rows of P, the point p and three more,
and means p + ε(q − p) + ε²(r − p) + ε³(s − p) for ever smaller ε. Signs and heights are linear in the place, so that
where that of p is zero that of q decides, then that of r and s. For a place that is just a point all rows are the same.
"""
import numpy as np

from ..geometry.orientation import EXPANSION_SIZE, orientation2, orientation3
from ..geometry.triangle_triangle import NO_EXPONENT, scale_exponent, scale_rows
from ..machine_code.jit import kernel, unsigned
from ..trees.bvh.node_overlap import ROW, lowest_bit, node_overlap_16
from ..trees.bvh.refit import FAR, round_down, round_up

# Bits of a ray: the number of crossings is odd; they do not cancel; numbers span too much for exact signs; the
# place is on the surface; the triangle that was asked about has no area; there are crossings.
ODD, WOUND, UNKNOWN, ON, FLAT, CROSSED = 1, 2, 4, 8, 16, 32
# Bits of many rays, beside UNKNOWN: a part of the object is inside the other one, a part of it is not; it is all
# around it.
WITHIN, WITHOUT, ENCLOSED = 1, 2, 8
POINT, STEPS = 3, 4     # first of the rows of P that stand for the starting place, and their number
TOUCHES = 2             # result of `_crossing`
NO_AREA = 3             # result of `_start_beside`


def scratch() -> tuple[np.ndarray, ...]:
    """P, expansion, ray and stack for the kernels below."""
    ray = np.empty((1, 6, 4), np.float32)
    ray[:, :3], ray[:, 3:] = FAR, -FAR
    return np.empty((POINT + STEPS, 3)), np.empty(EXPANSION_SIZE), ray, np.empty(4096, np.int32)


@kernel
def rays_of_parts(inner, outer, decides, first, last, vertices, root, box_start, node_start, children, boxes, frame,
                  triangle_start, triangles, order, world_start, world, P, expansion, ray, stack, answer):
    """answer[k] |= WITHIN, WITHOUT or UNKNOWN for the rays through object outer[k], along its shortest side, from the
    vertices [first[k]:last[k]] of inner[k], one for each of its parts.

    inner, outer: (n,) positions in a Forest, from whose `placed_trees` the arrays come; decides: (n,) uint8, the bit
    that says "inside"; P (7,3), expansion, ray (1,6,4) float32 of empty boxes, stack (4096,) int32: scratch.
    """
    for k in range(inner.shape[0]):
        for start in range(first[k], last[k]):
            _start_at(world, world_start[inner[k]] + vertices[start], P)
            axis = _shortest_side(outer[k], root, box_start, boxes)
            found = _ask(outer[k], axis, root, box_start, node_start, children, boxes, frame, triangle_start, triangles,
                         world_start, world, P, expansion, ray, stack)
            if found & UNKNOWN:
                answer[k] |= np.uint8(UNKNOWN)
            elif found & decides[k]:
                answer[k] |= np.uint8(WITHIN)
            else:
                answer[k] |= np.uint8(WITHOUT)


@kernel
def _shortest_side(obj, root, box_start, boxes):
    """The axis along which the object is shortest: a ray then meets the fewest nodes of a floor or a wall."""
    node = box_start[obj] + (~root[obj] if root[obj] < 0 else root[obj])
    best = 0
    shortest = np.float32(np.inf)
    for x in range(3):
        low = min(min(boxes[node, x, 0], boxes[node, x, 1]), min(boxes[node, x, 2], boxes[node, x, 3]))
        high = max(max(boxes[node, 3 + x, 0], boxes[node, 3 + x, 1]), max(boxes[node, 3 + x, 2], boxes[node, 3 + x, 3]))
        if high - low < shortest:
            shortest = high - low
            best = x
    return best


@kernel
def enclosed_by_rays(inner, outer, triangle_count, root, box_start, node_start, children, boxes, frame,
                     triangle_start, triangles, order, world_start, world, P, expansion, ray, stack, answer):
    """answer[k] = ENCLOSED where from some vertex of inner[k] the rays in all six directions cross outer[k], UNKNOWN
    where they may, if numbers span too much to say.

    triangle_count: (objects,) int64; the other arguments as in `rays_of_parts`.
    """
    for k in range(inner.shape[0]):
        slot = triangle_start[inner[k]]
        while slot < triangle_start[inner[k]] + triangle_count[inner[k]] and answer[k] != ENCLOSED:
            for i in range(3):
                _start_at(world, world_start[inner[k]] + triangles[slot, i], P)
                bits = np.uint8(CROSSED)
                direction = 0
                meaning = np.uint8(ENCLOSED)
                while direction < 6 and bits & (CROSSED | UNKNOWN):
                    bits = _cast_ray(outer[k], 2 - direction // 2, 1 - 2 * (direction % 2), root, box_start,
                                     node_start, children, boxes, frame, triangle_start, triangles, world_start,
                                     world, P, expansion, ray, stack)
                    if bits & UNKNOWN:
                        meaning = np.uint8(UNKNOWN)
                    direction += 1
                if bits & (CROSSED | UNKNOWN) and answer[k] != ENCLOSED:
                    answer[k] = meaning
            slot += 1


@kernel
def _start_at(world, vertex, P):
    """Let the rays start at a vertex."""
    for row in range(POINT, POINT + STEPS):
        for x in range(3):
            P[row, x] = world[vertex, x]


@kernel
def locate_corners(corners, outer, root, box_start, node_start, children, boxes, frame, triangle_start, triangles,
                   order, world_start, world, P, expansion, ray, stack, answer):
    """answer[k] = bits for the corner of a triangle against object outer[k]; FLAT where the triangle has no area.

    corners: (n,3,3) float64 world coordinates; the question is about the triangle's inside next to its first corner
    and, there, next to the edge to its second.
    """
    for k in range(corners.shape[0]):
        axis = _start_beside(corners, k, P, expansion)
        answer[k] = FLAT if axis == NO_AREA else UNKNOWN
        if axis < 3:
            answer[k] = _ask(outer[k], axis, root, box_start, node_start, children, boxes, frame, triangle_start,
                             triangles, world_start, world, P, expansion, ray, stack)


@kernel
def share_a_side(corners, inner, outer, decides_inner, decides_outer, root, box_start, node_start, children, boxes,
                 frame, triangle_start, triangles, order, world_start, world, P, expansion, ray, stack, answer):
    """answer[k] = 1 where next to the corner, a third step off the triangle to one side or the other, it is inside
    both objects, UNKNOWN where numbers span too much. decides: (n,) uint8, the bits that say so for each object. The
    rest as in `locate_corners`."""
    for k in range(corners.shape[0]):
        axis = _start_beside(corners, k, P, expansion)
        if axis >= 3:
            continue
        size = abs(P[POINT, axis])
        for row in range(1, 3):
            size = max(size, abs(P[POINT + row, axis] - P[POINT, axis]))
        for sign in range(-1, 2, 2):
            # Any number beyond that of the corner: only the direction of the step counts.
            P[POINT + 3, axis] = P[POINT, axis] + sign * (size if size > 0.0 else 1.0)
            one = _ask(inner[k], axis, root, box_start, node_start, children, boxes, frame, triangle_start, triangles,
                       world_start, world, P, expansion, ray, stack)
            other = np.uint8(0)
            if one & decides_inner[k]:
                other = _ask(outer[k], axis, root, box_start, node_start, children, boxes, frame, triangle_start,
                             triangles, world_start, world, P, expansion, ray, stack)
            if (one | other) & UNKNOWN:
                answer[k] = UNKNOWN
            elif other & decides_outer[k] and answer[k] == 0:
                answer[k] = 1


@kernel
def _start_beside(corners, k, P, expansion):
    """Let the ray start in the triangle corners[k] next to its first corner; the axis along which it is seen with
    area, so that the ray notices triangles in its plane. NO_AREA, or NO_EXPONENT where numbers span too much."""
    for row in range(3):
        for x in range(3):
            P[row, x] = corners[k, row, x]
            P[POINT + row, x] = corners[k, row, x]
            P[POINT + 3, x] = corners[k, 0, x]
    exponent = scale_exponent(P)
    if exponent == NO_EXPONENT:
        return NO_EXPONENT
    found = NO_AREA
    scale_rows(P, exponent)
    for axis in range(3):
        if found == NO_AREA and orientation2(P, 0, 1, 2, (axis + 1) % 3, (axis + 2) % 3, 0, expansion) != 0.0:
            found = axis
    scale_rows(P, -exponent)
    return found


@kernel
def _ask(obj, axis, root, box_start, node_start, children, boxes, frame, triangle_start, triangles, world_start,
         world, P, expansion, ray, stack):
    """Bits for one ray through an object to the nearer side of its box, 0 where the starting place is outside it."""
    if not _could_be_in(P, frame, boxes, box_start, root, obj):
        return np.uint8(0)
    low, high = _root_box(boxes, box_start, root, obj, axis)
    value = (P[POINT, axis] - frame[axis]) * frame[3]
    return _cast_ray(obj, axis, -1 if value - low < high - value else 1, root, box_start, node_start, children, boxes,
                     frame, triangle_start, triangles, world_start, world, P, expansion, ray, stack)


@kernel
def _root_box(boxes, box_start, root, obj, x):
    """(low, high) of the whole tree of an object along an axis."""
    node = box_start[obj] + (~root[obj] if root[obj] < 0 else root[obj])
    return (min(min(boxes[node, x, 0], boxes[node, x, 1]), min(boxes[node, x, 2], boxes[node, x, 3])),
            max(max(boxes[node, 3 + x, 0], boxes[node, 3 + x, 1]),
                max(boxes[node, 3 + x, 2], boxes[node, 3 + x, 3])))


@kernel
def _could_be_in(P, frame, boxes, box_start, root, obj):
    """The starting point lies in the box of the object's tree."""
    for x in range(3):
        value = (P[POINT, x] - frame[x]) * frame[3]
        low, high = _root_box(boxes, box_start, root, obj, x)
        if round_up(value) < low or round_down(value) > high:
            return False
    return True


@kernel
def _cast_ray(obj, axis, sign, root, box_start, node_start, children, boxes, frame, triangle_start, triangles,
              world_start, world, P, expansion, ray, stack):
    """Bits for one ray from the place that the rows from POINT on stand for."""
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    for x in range(3):
        value = (P[POINT, x] - frame[x]) * frame[3]
        ray[0, x, 0] = -FAR if x == axis and sign < 0 else round_down(value)
        ray[0, 3 + x, 0] = FAR if x == axis and sign > 0 else round_up(value)
    crossings = 0
    winding = 0
    stack[0] = root[obj]
    depth = 1
    while depth > 0:
        depth -= 1
        code = np.int64(stack[unsigned(depth)])     # signed indices are tested for being negative
        node = code ^ (code >> 63)                  # code, or ~code where it is negative
        mask = node_overlap_16(ray, 0, boxes, box_start[obj] + node) & ROW
        while mask != 0:
            q = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            child = children[unsigned(node_start[obj] + node), unsigned(q)]
            if code >= 0:
                stack[unsigned(depth)] = child
                depth += 1
                continue
            for i in range(3):
                corner = unsigned(world_start[obj] + triangles[unsigned(triangle_start[obj] + child), i])
                for x in range(3):
                    P[i, x] = world[corner, x]
            exponent = scale_exponent(P)
            if exponent == NO_EXPONENT:
                return np.uint8(UNKNOWN)
            scale_rows(P, exponent)
            turn = _crossing(P, axis, sign, y, z, expansion)
            scale_rows(P, -exponent)
            if turn == TOUCHES:
                return np.uint8(ON)
            winding += turn
            crossings += turn != 0
    return np.uint8((ODD if crossings & 1 else 0) | (WOUND if winding != 0 else 0)
                    | (CROSSED if crossings != 0 else 0))


@kernel
def _crossing(P, axis, sign, y, z, expansion):
    """1 or -1 where the ray leaves or enters through the triangle in rows 0 … 2, 0 where it misses, TOUCHES where it
    starts on it.

    Winding number of the triangle's shadow along the axis around the starting place: edges count that pass its height
    beyond it on y, upward as 1 and downward as -1. One that goes through the place itself does not count, for all
    triangles that share it: as if the place were shifted a little along y.
    """
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
        return TOUCHES
    return turn * sign if side * turn * sign > 0.0 else 0


@kernel
def _not_above(P, i, z):
    """Corner i is not above the starting place along z."""
    for row in range(POINT, POINT + STEPS):
        if P[i, z] != P[row, z]:
            return P[i, z] < P[row, z]
    return True


@kernel
def _side2(P, i, j, y, z, expansion):
    """Sign of the starting place against the edge from corner i to j, seen along an axis."""
    for row in range(POINT, POINT + STEPS):
        side = orientation2(P, i, j, row, y, z, 0, expansion)
        if side != 0.0:
            return side
    return 0.0


@kernel
def _side3(P, expansion):
    """Sign of the starting place against the plane of the triangle."""
    for row in range(POINT, POINT + STEPS):
        side = orientation3(P, 0, 1, 2, row, 0, expansion)
        if side != 0.0:
            return side
    return 0.0
