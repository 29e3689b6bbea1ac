# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees at once to the triangles that come nearest: branch and bound, nearest boxes first.

Distance trees after Larsen, Gottschalk, Lin and Manocha, "Fast Proximity Queries with Swept Sphere Volumes" (1999),
with boxes along the world's axes, sixteen pairs at a time. Only what is farther than the best is left out, so neither
the order of the search nor the number of threads decides the answer: the least distance, and of equally near points
those that come first.

A task is a pair of nodes, one of each tree, in the codes of trees/.
"""
import math

import numpy as np

from ..geometry.parted import LANES, PARTED_ROWS, parted_by, whole_lanes
from ..machine_code.jit import kernel
from ..trees.bvh.build import EMPTY
from ..trees.bvh.node_overlap import lowest_bit
from ..trees.bvh.nodes import node_of
from .far import MARGIN, drop_far
from .leaves import WIDE, fit_along, gather, put_in_column, put_in_order
from .node_distance import SQUARE_SLACK, TINY_SQUARE, node_distance_16, node_distance_16_by_side
from .pair import RELATIVE_ERROR, UNDECIDED_DISTANCE, column_distance
from .triangles import COLUMNS, FEATURE, LENGTH, LOWER, SMALLEST_DIVISOR, X, Y, nearest_features, nearest_points

ENOUGH_TO_PART = 2          # pairs of triangles: to part eight takes a fifth of what it takes to measure one alone
FAN = 16                    # most tasks that one task gives


@kernel
def box_limit(distance, scale):
    """Squared distance, float32, that no two boxes exceed which hold points up to `distance` apart; infinity beyond
    float32. distance: in world units; scale: of the numbers in boxes."""
    reach = distance * scale
    square = reach * reach * SQUARE_SLACK + TINY_SQUARE
    return np.float32(square) if square < 3e38 else np.float32(math.inf)


@kernel
def before(p, q):
    """-1 where p (3,) comes before q (3,) in lexicographic order, 1 where it comes after, 0 where they are equal."""
    for x in range(3):
        if p[x] != q[x]:
            return -1 if p[x] < q[x] else 1
    return 0


@kernel
def comes_first(distance, points, pairs, row):
    """True where a distance and its points (2,3) replace what `pairs`, a PairGaps, has in the row: nearer, or as near
    and first in the order of points. Which object and triangle a point lies on does not count, so the choice is the
    same in every arrangement."""
    if distance != pairs.gap[row]:
        return distance < pairs.gap[row]
    best = pairs.points[row]
    if math.isnan(best[0, 0]):
        return True
    i = 0 if before(points[0], points[1]) < 0 else 1
    j = 0 if before(best[0], best[1]) < 0 else 1
    order = before(points[i], best[j])
    if order == 0:
        order = before(points[1 - i], best[1 - j])
    return order < 0


@kernel
def push(tasks, base, depth, i, j, lower_bound):
    """The new depth of the stack with one task more: rows base … depth - 1 stay in order, the nearest on top."""
    nodes = tasks.nodes
    lower_bounds = tasks.lower_bounds
    k = depth
    while k > base and lower_bounds[k - 1] < lower_bound:
        lower_bounds[k] = lower_bounds[k - 1]
        nodes[k, 0] = nodes[k - 1, 0]
        nodes[k, 1] = nodes[k - 1, 1]
        k -= 1
    lower_bounds[k] = lower_bound
    nodes[k, 0] = i
    nodes[k, 1] = j
    return depth + 1


@kernel
def push_children(children, row_a, row_b, i, j, apart, mask, limit, tasks, depth):
    """The new depth of the stack with the tasks below a task (i, j), at most one of whose nodes is a leaf.

    row_a, row_b: of the two nodes in `children`; apart: (16,) squared distances of their boxes; mask: those of them up
    to the limit.
    """
    base = depth
    if i < 0 or j < 0:
        for k in range(4):
            child = np.int64(children[row_b, k] if i < 0 else children[row_a, k])
            step = 4 if i < 0 else 1
            first = k if i < 0 else 4 * k
            near = min(min(apart[first], apart[first + step]), min(apart[first + 2 * step], apart[first + 3 * step]))
            if near <= limit and child != EMPTY:
                depth = push(tasks, base, depth, i if i < 0 else child, child if i < 0 else j, near)
        return depth
    while mask != 0:
        k = lowest_bit(mask)
        mask &= mask - np.uint32(1)
        child_a = np.int64(children[row_a, k >> 2])
        child_b = np.int64(children[row_b, k & 3])
        if child_a != EMPTY and child_b != EMPTY:
            depth = push(tasks, base, depth, child_a, child_b, apart[k])
    return depth


@kernel
def aim(points, axes):
    """The distance of two points (2,3), infinity where they are too near for axes.

    Writes axes (4,3): three at right angles, the first from the second point to the first one, then the second point.
    """
    square = 0.0
    for x in range(3):
        axes[3, x] = points[1, x]
        axes[0, x] = points[0, x] - points[1, x]
        square += axes[0, x] * axes[0, x]
    distance = math.sqrt(square) if square > SMALLEST_DIVISOR else math.inf
    inverse = 1.0 / distance
    for x in range(3):
        axes[0, x] *= inverse
    least = 0 if abs(axes[0, 0]) < 0.6 else 1
    square = 0.0
    for x in range(3):
        axes[1, x] = (1.0 if x == least else 0.0) - axes[0, least] * axes[0, x]
        square += axes[1, x] * axes[1, x]
    inverse = 1.0 / math.sqrt(square)
    for x in range(3):
        axes[1, x] *= inverse
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        axes[2, x] = axes[0, y] * axes[1, z] - axes[0, z] * axes[1, y]
    return distance


@kernel
def measure(row, pairs, n, scratch, aimed):
    """(number of pairs in scratch.undecided, distance that scratch.axes face, infinity for none).

    Measures the n pairs of triangles in scratch.columns and keeps the nearest in the row of `pairs`, a PairGaps. The
    axes turn to the nearest of them, though it be beyond the limit, if it is nearer than `aimed`.
    """
    given = scratch.columns.given
    found = scratch.columns.found
    points = scratch.pair.points
    gap = pairs.gap
    nearest_features(given, found, whole_lanes(n))
    nearest = 0
    left = 0
    for k in range(n):
        length = found[LENGTH * COLUMNS + k]
        lower = found[LOWER * COLUMNS + k]
        if length < found[LENGTH * COLUMNS + nearest]:
            nearest = k
        if lower > gap[row]:
            continue
        if not length - lower <= RELATIVE_ERROR * length:
            scratch.left[left] = k
            left += 1
        elif length <= gap[row]:
            load_column(given, k, scratch.pair.corners)
            point_out(scratch.pair.corners, found, k, points)
            keep_nearest(length, points, scratch.slots[k, 2], pairs, row)
    count = measure_alone(row, pairs, left, scratch)
    length = found[LENGTH * COLUMNS + nearest]
    if length < aimed:
        load_column(given, nearest, scratch.pair.corners)
        point_out(scratch.pair.corners, found, nearest, points)
        aimed = aim(points, scratch.axes)
    return count, aimed


@kernel
def measure_alone(row, pairs, left, scratch):
    """Number of pairs in scratch.undecided. Measures those of so many columns, scratch.left, one by one, that may be
    nearest for all that double-double knows of their planes: first the pair that these leave nearest."""
    given = scratch.columns.given
    gap = pairs.gap
    lower = scratch.lower
    points = scratch.pair.points
    if left >= ENOUGH_TO_PART:
        beside = scratch.pair.columns.given
        for m in range(left):
            for r in range(PARTED_ROWS):
                beside[r * COLUMNS + m] = given[r * COLUMNS + scratch.left[m]]
        parted_by(beside, whole_lanes(left), lower)
    else:
        for m in range(left):
            lower[m] = 0.0
    count = 0
    for _ in range(left):
        least = 0
        for m in range(1, left):
            least = m if lower[m] < lower[least] else least
        if lower[least] > gap[row] * MARGIN:
            break
        lower[least] = math.inf
        k = scratch.left[least]
        if scratch.columns.found[LOWER * COLUMNS + k] > gap[row]:
            continue
        load_column(given, k, scratch.pair.corners)
        length = column_distance(gap[row], scratch.columns, k, scratch.pair)
        if length == UNDECIDED_DISTANCE:
            scratch.undecided[count, 0] = scratch.slots[k, 0]
            scratch.undecided[count, 1] = scratch.slots[k, 1]
            count += 1
        elif length <= gap[row] and length < math.inf:
            keep_nearest(length, points, scratch.slots[k, 2], pairs, row)
    return count


@kernel
def keep_nearest(length, points, swapped, pairs, row):
    """Keep a distance and its points (2,3) in the row of `pairs`, a PairGaps, if they come first. swapped: 1 where the
    first point is that of b."""
    if swapped == 1:
        for x in range(3):
            points[0, x], points[1, x] = points[1, x], points[0, x]
    if comes_first(length, points, pairs, row):
        pairs.gap[row] = length
        for x in range(3):
            pairs.points[row, 0, x] = points[0, x]
            pairs.points[row, 1, x] = points[1, x]


@kernel
def load_column(given, k, corners):
    """corners (6,3) = those in column k."""
    for i in range(6):
        for x in range(3):
            corners[i, x] = given[(3 * i + x) * COLUMNS + k]


@kernel
def point_out(corners, found, k, points):
    """points (2,3) = where two triangles come nearest: corners (6,3), and the feature that column k has found."""
    nearest_points(corners, int(found[FEATURE * COLUMNS + k]), found[X * COLUMNS + k], found[Y * COLUMNS + k], points)


@kernel
def aim_at_centres(corners, k, points, axes):
    """What `aim` returns and writes for about the centres of triangle k // 4 of the first leaf node and k % 4 of the
    second one, which go to points (2,3)."""
    for x in range(3):
        for side in range(2):
            at = WIDE * x + (k >> 2 if side == 0 else 4 + (k & 3))
            points[side, x] = (corners[at] + corners[at + 3 * WIDE] + corners[at + 6 * WIDE]) / 3.0
    return aim(points, axes)


@kernel
def search(row, pairs, trees, tasks, depth, max_steps, scratch):
    """(depth, number of pairs in scratch.undecided): what is left of a row of `pairs` after some steps.

    Works off at most `max_steps` of the tasks in rows 0 … depth - 1. Returns early where the stack is nearly full, and
    as soon as some pairs of triangles are undecided, whose distance the caller has to find; then it is to be called
    again. Pairs of triangles are collected and measured together, at the latest before the kernel returns.

    pairs: PairGaps; trees: PlacedTrees; tasks: DistanceTasks; scratch: DistanceScratch.
    """
    children = trees.children
    boxes = trees.boxes
    node_start = trees.node_start
    box_start = trees.box_start
    triangle_start = trees.corners.triangle_start
    triangles = trees.corners.triangles
    world_start = trees.corners.world_start
    world = trees.corners.world
    stats = scratch.stats
    corners = scratch.corners
    slots = scratch.slots
    apart = scratch.lower_bounds
    scale = trees.quantization[3]
    a = pairs.a[row]
    b = pairs.b[row]
    capacity = tasks.nodes.shape[0] - FAN
    limit = box_limit(pairs.gap[row], scale)
    if pairs.gap[row] == 0.0:       # the surfaces meet: nothing is nearer
        return 0, 0
    aimed = math.inf
    if not math.isnan(pairs.points[row, 0, 0]):
        aimed = aim(pairs.points[row], scratch.axes)
    n = count = 0
    loaded_a = loaded_b = -1        # the leaf nodes whose triangles are in `corners`
    while True:
        working = depth > 0 and depth <= capacity and max_steps > 0 and count == 0
        enough = LANES if working and aimed < math.inf else 1
        if n >= enough:
            n = drop_far(scratch.columns, slots, n, pairs.gap[row])
            if n >= enough:
                count, aimed = measure(row, pairs, n, scratch, aimed)
                n = 0
                limit = box_limit(pairs.gap[row], scale)
            continue
        if not working:
            return depth, count
        depth -= 1
        if tasks.lower_bounds[depth] > limit:
            continue
        max_steps -= 1
        stats[0] += 1
        i = np.int64(tasks.nodes[depth, 0])
        j = np.int64(tasks.nodes[depth, 1])
        node_a = node_of(i)
        node_b = node_of(j)
        row_a = node_start[a] + node_a
        row_b = node_start[b] + node_b
        mask = node_distance_16(boxes, box_start[a] + node_a, boxes, box_start[b] + node_b, limit, apart)
        if i >= 0 or j >= 0:
            depth = push_children(children, row_a, row_b, i, j, apart, mask, limit, tasks, depth)
            continue
        if mask == 0:
            continue
        if loaded_a != row_a:
            gather(children, row_a, triangle_start[a], triangles, world_start[a], world, corners, 0)
        if loaded_b != row_b:
            gather(children, row_b, triangle_start[b], triangles, world_start[b], world, corners, 1)
        loaded_a = row_a
        loaded_b = row_b
        put_in_order(corners, WIDE)
        if aimed == math.inf:
            aimed = aim_at_centres(corners, lowest_bit(mask), scratch.pair.points, scratch.axes)
        if aimed < math.inf:
            fit_along(corners, WIDE, scratch.axes, scale, scratch.aimed_boxes)
            mask &= node_distance_16_by_side(scratch.aimed_boxes, limit, apart)
        while mask != 0:
            k = lowest_bit(mask)
            mask &= mask - np.uint32(1)
            slot_a = children[row_a, k >> 2]
            slot_b = children[row_b, k & 3]
            if slot_a >= 0 and slot_b >= 0:
                slots[n, 0] = slot_a
                slots[n, 1] = slot_b
                slots[n, 2] = put_in_column(corners, k >> 2, 4 + (k & 3), scratch.columns.given, n)
                n += 1
                stats[1] += 1


@kernel
def search_pairs(rows, state, pairs, trees, tasks, max_steps, scratch):
    """Number of pairs in scratch.undecided, after at most about `max_steps` steps through the pairs in `rows`, one pair
    after the other; to be called again until state[0] is the number of rows.

    rows: (k,) int64; state: (2,) int64, the position in rows and the depth of its stack, 0 and -1 at first. pairs:
    PairGaps; trees: PlacedTrees; tasks: DistanceTasks; scratch: DistanceScratch.
    """
    end = scratch.stats[0] + max_steps
    while state[0] < rows.shape[0] and scratch.stats[0] < end:
        row = rows[state[0]]
        if state[1] < 0:
            tasks.nodes[0, 0] = trees.root[pairs.a[row]]
            tasks.nodes[0, 1] = trees.root[pairs.b[row]]
            tasks.lower_bounds[0] = 0.0
            state[1] = 1
        state[1], count = search(row, pairs, trees, tasks, state[1], end - scratch.stats[0], scratch)
        if count > 0 or state[1] > 0:
            return count
        pairs.done[row] = 1
        state[0] += 1
        state[1] = -1
    return 0
