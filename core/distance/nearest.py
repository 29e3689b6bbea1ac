# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees at once to the triangles that come nearest: branch and bound, nearest boxes first.

Distance trees after Larsen, Gottschalk, Lin and Manocha, "Fast Proximity Queries with Swept Sphere Volumes" (1999),
with boxes in a common frame, sixteen at a time. What is left out is farther than what is kept, so neither the order of
the search nor the number of threads decides the answer: the least distance, and of equal ones the first place.
"""
import math

import numpy as np

from ..jit import kernel
from ..trees.box16 import lowest_bit
from ..trees.build import EMPTY
from .gap16 import SLACK, gap16
from .pair import UNTOLD, triangle_distance

FAN = 16                    # most tasks that one task gives
BOX_ROUNDING = 1.0 - 2.0 ** -50
AIM_ROUNDING = 2.0 ** -48    # of coordinates along such axes, relative to the largest one
AIM_LENGTH = 1.0 - 2.0 ** -48   # axes are not quite of length one and at right angles


@kernel
def box_limit(distance, scale):
    """What `gap16` compares with to keep all up to a distance in world units; infinity where float32 ends."""
    reach = distance * scale
    square = reach * reach * SLACK
    return np.float32(square) if square < 3e38 else np.float32(math.inf)


@kernel
def load_corners(P, a, b, slot_a, slot_b, triangle_start, triangles, world_start, world):
    """P (6,3) = corners of a triangle of object a and of one of object b; returns a bound below their distance."""
    t = triangle_start[a] + slot_a
    u = triangle_start[b] + slot_b
    square = 0.0
    for x in range(3):
        for i in range(3):
            P[i, x] = world[world_start[a] + triangles[t, i], x]
            P[3 + i, x] = world[world_start[b] + triangles[u, i], x]
        apart = max(min(P[0, x], min(P[1, x], P[2, x])) - max(P[3, x], max(P[4, x], P[5, x])),
                    min(P[3, x], min(P[4, x], P[5, x])) - max(P[0, x], max(P[1, x], P[2, x])))
        apart = max(apart, 0.0)
        square += apart * apart
    return math.sqrt(square) * BOX_ROUNDING


@kernel
def before(p, q):
    """p (3,) comes before q (3,) in lexicographic order: -1, after it: 1, they are the same: 0."""
    for x in range(3):
        if p[x] != q[x]:
            return -1 if p[x] < q[x] else 1
    return 0


@kernel
def comes_first(distance, points, gap, places, row):
    """Nearer than what is kept for the row, or as near and before it in the order of places: whichever object and
    triangle a place is on, so that the choice is the same in every arrangement."""
    if distance != gap[row]:
        return distance < gap[row]
    if math.isnan(places[row, 0, 0]):
        return True
    i = 0 if before(points[0], points[1]) < 0 else 1
    j = 0 if before(places[row, 0], places[row, 1]) < 0 else 1
    order = before(points[i], places[row, j])
    if order == 0:
        order = before(points[1 - i], places[row, 1 - j])
    return order < 0


@kernel
def push(stack, lows, base, depth, i, j, low):
    """Add a task so that stack[base:depth] stays in order, the nearest on top; the new depth."""
    k = depth
    while k > base and lows[k - 1] < low:
        lows[k] = lows[k - 1]
        stack[k, 0] = stack[k - 1, 0]
        stack[k, 1] = stack[k - 1, 1]
        k -= 1
    lows[k] = low
    stack[k, 0] = i
    stack[k, 1] = j
    return depth + 1


@kernel
def push_children(children, at_a, at_b, i, j, low, mask, limit, stack, lows, depth):
    """The tasks below a task (i, j) of which at most one is a bottom node, from the distances of its boxes."""
    base = depth
    if i < 0 or j < 0:
        for k in range(4):
            child = np.int64(children[at_b, k] if i < 0 else children[at_a, k])
            step = 4 if i < 0 else 1
            first = k if i < 0 else 4 * k
            near = min(min(low[first], low[first + step]), min(low[first + 2 * step], low[first + 3 * step]))
            if near <= limit and child != EMPTY:
                depth = push(stack, lows, base, depth, i if i < 0 else child, child if i < 0 else j, near)
        return depth
    while mask != 0:
        k = lowest_bit(mask)
        mask &= mask - np.uint32(1)
        child_a = np.int64(children[at_a, k >> 2])
        child_b = np.int64(children[at_b, k & 3])
        if child_a != EMPTY and child_b != EMPTY:
            depth = push(stack, lows, base, depth, child_a, child_b, low[k])
    return depth


@kernel
def aim(points, N):
    """Three axes at right angles in N[0:3], the first from the second of two points to the first one, and the second
    point in N[3]; NaN in N[0] where there are no two points."""
    square = 0.0
    for x in range(3):
        N[3, x] = points[1, x]
        N[0, x] = points[0, x] - points[1, x]
        square += N[0, x] * N[0, x]
    inverse = 1.0 / math.sqrt(square) if square > 0.0 else math.nan
    for x in range(3):
        N[0, x] *= inverse
    least = 0 if abs(N[0, 0]) < 0.6 else 1
    square = 0.0
    for x in range(3):
        N[1, x] = (1.0 if x == least else 0.0) - N[0, least] * N[0, x]
        square += N[1, x] * N[1, x]
    inverse = 1.0 / math.sqrt(square)
    for x in range(3):
        N[1, x] *= inverse
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        N[2, x] = N[0, y] * N[1, z] - N[0, z] * N[1, y]


@kernel
def reach(children, at, triangle_start, triangles, world_start, world, N, boxes):
    """boxes[q] (6,) = box of the triangle in slot q of a bottom node along the axes N, from N[3]: lo, hi; returns what
    distances between such boxes may err by.

    Boxes along the world's axes are loose around surfaces across them. In a frame that faces the nearest place so far,
    bottom nodes are mostly told apart without looking at pairs of triangles.
    """
    size = 0.0
    for q in range(4):
        for k in range(3):
            boxes[q, k] = math.inf
            boxes[q, 3 + k] = -math.inf
        slot = children[at, q]
        if slot >= 0:
            for i in range(3):
                vertex = world_start + triangles[triangle_start + slot, i]
                x = world[vertex, 0] - N[3, 0]
                y = world[vertex, 1] - N[3, 1]
                z = world[vertex, 2] - N[3, 2]
                size = max(size, max(abs(x), max(abs(y), abs(z))))
                for k in range(3):
                    along = N[k, 0] * x + N[k, 1] * y + N[k, 2] * z
                    boxes[q, k] = min(boxes[q, k], along)
                    boxes[q, 3 + k] = max(boxes[q, 3 + k], along)
    return size * AIM_ROUNDING


@kernel
def box_gap(p, q):
    """Distance of two boxes (6,), lo and hi."""
    square = 0.0
    for k in range(3):
        apart = max(max(p[k] - q[3 + k], q[k] - p[3 + k]), 0.0)
        square += apart * apart
    return math.sqrt(square)


@kernel
def search(row, a, b, box_start, node_start, children, boxes, frame, triangle_start, triangles, world_start, world,
           stack, lows, depth, patience, low, P, R, E, W, S, D, points, N, aligned, gap, places, untold, tally):
    """Work off at most `patience` of the tasks in stack[:depth] for the pair of objects (a, b), its best in gap[row]
    (a limit at first) and places[row]; returns (depth, number of pairs of slots in `untold`), to be called again.

    A task is a node of a and a node of b in the code of trees/; lows: (≥ depth,) float32, squared distances of their
    boxes. stack: (≥ depth + FAN, 2) int32. untold: (FAN, 2) int32, triangles whose distance the caller has to find;
    the kernel returns as soon as there are some. tally: (2,) int64, counts tasks and pairs of triangles.
    low (16,) float32, P, R, E (6,3), W (2,3), S (COLUMNS, LANES), D (15,2), points, N (4,3), aligned (2,4,6): scratch.
    """
    count = 0
    room = stack.shape[0] - FAN
    limit = box_limit(gap[row], frame[3])
    aim(places[row], N)
    aimed = math.inf if math.isnan(N[0, 0]) else gap[row]
    if gap[row] == 0.0:         # the surfaces meet: nothing is nearer
        return 0, 0
    while depth > 0 and depth <= room and patience > 0 and count == 0:
        depth -= 1
        if lows[depth] > limit:
            continue
        patience -= 1
        tally[0] += 1
        i = np.int64(stack[depth, 0])
        j = np.int64(stack[depth, 1])
        node_a = ~i if i < 0 else i
        node_b = ~j if j < 0 else j
        at_a = node_start[a] + node_a
        at_b = node_start[b] + node_b
        mask = gap16(boxes, box_start[a] + node_a, boxes, box_start[b] + node_b, limit, low)
        if i >= 0 or j >= 0:
            depth = push_children(children, at_a, at_b, i, j, low, mask, limit, stack, lows, depth)
            continue
        if mask == 0:
            continue
        slack = math.inf        # not yet looked at along the axes
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            slot_a = children[at_a, k >> 2]
            slot_b = children[at_b, k & 3]
            if slot_a < 0 or slot_b < 0 or low[k] > limit:
                continue
            if slack == math.inf and aimed < math.inf:
                slack = (reach(children, at_a, triangle_start[a], triangles, world_start[a], world, N, aligned[0])
                         + reach(children, at_b, triangle_start[b], triangles, world_start[b], world, N, aligned[1]))
            if box_gap(aligned[0, k >> 2], aligned[1, k & 3]) * AIM_LENGTH - slack > gap[row]:
                continue
            if load_corners(P, a, b, slot_a, slot_b, triangle_start, triangles, world_start, world) > gap[row]:
                continue
            tally[1] += 1
            distance = triangle_distance(P, gap[row], R, E, W, S, D, points)
            if distance == UNTOLD:
                untold[count, 0] = slot_a
                untold[count, 1] = slot_b
                count += 1
                continue
            if distance < aimed:        # also where it is beyond the limit: what is farther yet is seen from there
                aim(points, N)
                aimed = math.inf if math.isnan(N[0, 0]) else distance
                slack = math.inf
            if comes_first(distance, points, gap, places, row) and distance < math.inf:
                gap[row] = distance
                for x in range(3):
                    places[row, 0, x] = points[0, x]
                    places[row, 1, x] = points[1, x]
                limit = box_limit(distance, frame[3])
    return depth, count


@kernel
def search_pairs(rows, state, object_a, object_b, root, box_start, node_start, children, boxes, frame, triangle_start,
                 triangles, order, world_start, world, stack, lows, patience, low, P, R, E, W, S, D, points, N, aligned,
                 gap, places, done, untold, tally):
    """`search` for the pairs in `rows`, one after the other, done (pairs,) uint8 marking those that are finished.
    Returns the number of pairs in `untold`, to be called again until state[0] is the number of rows.

    rows: (k,) int64; object_a, object_b: (pairs,) int32; state: (2,) int64, the place in rows and the depth of its
    stack, 0 and -1 at first.
    """
    end = tally[0] + patience
    while state[0] < rows.shape[0] and tally[0] < end:
        row = rows[state[0]]
        a = object_a[row]
        b = object_b[row]
        if state[1] < 0:
            stack[0, 0] = root[a]
            stack[0, 1] = root[b]
            lows[0] = 0.0
            state[1] = 1
        state[1], count = search(row, a, b, box_start, node_start, children, boxes, frame, triangle_start, triangles,
                                 world_start, world, stack, lows, state[1], end - tally[0], low, P, R, E, W, S, D,
                                 points, N, aligned, gap, places, untold, tally)
        if count > 0 or state[1] > 0:
            return count
        done[row] = 1
        state[0] += 1
        state[1] = -1
    return 0
