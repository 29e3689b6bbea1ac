# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees at once to the triangles that come nearest: branch and bound, nearest boxes first.

Distance trees after Larsen, Gottschalk, Lin and Manocha, "Fast Proximity Queries with Swept Sphere Volumes" (1999),
with boxes in a common frame, sixteen at a time. What is left out is farther than what is kept, so neither the order of
the search nor the number of threads decides the answer: the least distance, and of equal ones the first place.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..trees.bvh.build import EMPTY
from ..trees.bvh.node_overlap import lowest_bit
from .leaves import WIDE, fit_along, gather, put_in_column, put_in_order
from .node_distance import SLACK, TINY, node_distance_16, node_distance_16_by_side
from .pair import TOLERANCE, UNTOLD, triangle_distance
from .triangles import COLUMNS, FEATURE, LANES, LENGTH, LOWER, SMALLEST, X, Y, nearest_features, nearest_points

FAN = 16                    # most tasks that one task gives


@kernel
def box_limit(distance, scale):
    """What `node_distance_16` compares with to keep all up to a distance in world units; infinity beyond float32."""
    reach = distance * scale
    square = reach * reach * SLACK + TINY
    return np.float32(square) if square < 3e38 else np.float32(math.inf)


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
    point in N[3]. Returns their distance, or infinity where they are too near for axes."""
    square = 0.0
    for x in range(3):
        N[3, x] = points[1, x]
        N[0, x] = points[0, x] - points[1, x]
        square += N[0, x] * N[0, x]
    distance = math.sqrt(square) if square > SMALLEST else math.inf
    inverse = 1.0 / distance
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
    return distance


@kernel
def measure(row, slots, n, T, F, P, W, D, points, N, aimed, gap, places, untold):
    """Find the distances of the pairs of triangles in columns 0 … n-1 of T[0]; keep the nearest in gap[row] and
    places[row]; let N face the nearest one, though it be beyond the limit, if it is nearer than `aimed`.

    slots: (COLUMNS,3) int32, slot of a, slot of b, and whether T has the two the other way round. Returns (number of
    pairs in `untold`, the distance that N faces, infinity for none).
    """
    count = 0
    nearest_features(T[0], F[0], (n + LANES - 1) // LANES * LANES)
    nearest = 0
    for k in range(n):
        length = F[0, LENGTH * COLUMNS + k]
        lower = F[0, LOWER * COLUMNS + k]
        if length < F[0, LENGTH * COLUMNS + nearest]:
            nearest = k
        if lower > gap[row]:
            continue
        load_column(T[0], k, P)
        if length - lower <= TOLERANCE * length:
            if length > gap[row]:
                continue
            point_out(P, F[0], k, points)
        else:
            length = triangle_distance(P, gap[row], T[1], F[1], W, D, points)
        if length == UNTOLD:
            untold[count, 0] = slots[k, 0]
            untold[count, 1] = slots[k, 1]
            count += 1
        elif length <= gap[row] and length < math.inf:
            if slots[k, 2] == 1:
                for x in range(3):
                    points[0, x], points[1, x] = points[1, x], points[0, x]
            if comes_first(length, points, gap, places, row):
                gap[row] = length
                for x in range(3):
                    places[row, 0, x] = points[0, x]
                    places[row, 1, x] = points[1, x]
    length = F[0, LENGTH * COLUMNS + nearest]
    if length < aimed:
        load_column(T[0], nearest, P)
        point_out(P, F[0], nearest, points)
        aimed = aim(points, N)
    return count, aimed


@kernel
def load_column(T, k, P):
    """P (6,3) = the corners in column k of T."""
    for i in range(6):
        for x in range(3):
            P[i, x] = T[(3 * i + x) * COLUMNS + k]


@kernel
def point_out(P, F, k, points):
    """points (2,3) = where the triangles of P come nearest, by column k of F."""
    nearest_points(P, int(F[FEATURE * COLUMNS + k]), F[X * COLUMNS + k], F[Y * COLUMNS + k], points)


@kernel
def centres(C, k, points):
    """points (2,3): about the centres of triangle k // 4 of the first node in C and k % 4 of the second."""
    for x in range(3):
        for side in range(2):
            at = WIDE * x + (k >> 2 if side == 0 else 4 + (k & 3))
            points[side, x] = (C[at] + C[at + 3 * WIDE] + C[at + 6 * WIDE]) / 3.0


@kernel
def search(row, a, b, box_start, node_start, children, boxes, frame, triangle_start, triangles, world_start, world,
           stack, lows, depth, patience, low, slots, C, along, T, F, P, W, D, points, N, gap, places, untold, tally):
    """Work off at most `patience` of the tasks in stack[:depth] for the pair of objects (a, b), its best in gap[row]
    (a limit at first) and places[row]; returns (depth, number of pairs of slots in `untold`), to be called again.

    A task is a node of a and a node of b in the code of trees/; lows: (≥ depth,) float32, squared distances of their
    boxes. stack: (≥ depth + FAN, 2) int32. untold: (COLUMNS, 2) int32, triangles whose distance the caller has to
    find; the kernel returns as soon as there are some. tally: (2,) int64, counts tasks and pairs of triangles.
    Pairs of triangles are collected and measured together, at the latest before the kernel returns.
    low (16,) float32, slots (COLUMNS,3) int32, C (9 · WIDE,), along (6 · WIDE,) float32, T (2, ROWS · COLUMNS),
    F (2, FOUND · COLUMNS), P (6,3), W (3,), D (15,2), points (2,3), N (4,3): scratch.
    """
    count = 0
    room = stack.shape[0] - FAN
    limit = box_limit(gap[row], frame[3])
    if gap[row] == 0.0:         # the surfaces meet: nothing is nearer
        return 0, 0
    aimed = math.inf
    if not math.isnan(places[row, 0, 0]):
        aimed = aim(places[row], N)
    n = 0
    held_a = held_b = -1        # whose triangles are in C
    while True:
        working = depth > 0 and depth <= room and patience > 0 and count == 0
        if n >= LANES or n > 0 and (not working or aimed == math.inf):
            tally[1] += n
            count, aimed = measure(row, slots, n, T, F, P, W, D, points, N, aimed, gap, places, untold)
            n = 0
            limit = box_limit(gap[row], frame[3])
            continue
        if not working:
            return depth, count
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
        mask = node_distance_16(boxes, box_start[a] + node_a, boxes, box_start[b] + node_b, limit, low)
        if i >= 0 or j >= 0:
            depth = push_children(children, at_a, at_b, i, j, low, mask, limit, stack, lows, depth)
            continue
        if mask == 0:
            continue
        if held_a != at_a:
            gather(children, at_a, triangle_start[a], triangles, world_start[a], world, C, 0)
        if held_b != at_b:
            gather(children, at_b, triangle_start[b], triangles, world_start[b], world, C, 1)
        held_a = at_a
        held_b = at_b
        put_in_order(C, WIDE)
        if aimed == math.inf:
            centres(C, lowest_bit(mask), points)
            aimed = aim(points, N)
        if aimed < math.inf:
            fit_along(C, WIDE, N, frame[3], along)
            mask &= node_distance_16_by_side(along, limit, low)
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            slot_a = children[at_a, k >> 2]
            slot_b = children[at_b, k & 3]
            if slot_a >= 0 and slot_b >= 0:
                slots[n, 0] = slot_a
                slots[n, 1] = slot_b
                slots[n, 2] = put_in_column(C, k >> 2, 4 + (k & 3), T[0], n)
                n += 1


@kernel
def search_pairs(rows, state, object_a, object_b, root, box_start, node_start, children, boxes, frame, triangle_start,
                 triangles, order, world_start, world, stack, lows, patience, low, slots, C, along, T, F, P, W, D,
                 points, N, gap, places, done, untold, tally):
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
                                 world_start, world, stack, lows, state[1], end - tally[0], low, slots, C, along,
                                 T, F, P, W, D, points, N, gap, places, untold, tally)
        if count > 0 or state[1] > 0:
            return count
        done[row] = 1
        state[0] += 1
        state[1] = -1
    return 0
