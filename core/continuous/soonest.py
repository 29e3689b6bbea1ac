# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects tested in the order in which they may meet soonest: kernels.

After Luo, Hao and Fan (2003), section 2; docs/methods/pcs.md has the bounds. A queue knows of each pair a time before
which it does not meet. Only the first pair is tested: where both objects are then, how far their surfaces are apart,
and how long it takes them at least to come together. It goes back into the queue with its new time, until it has met,
is free to the end, or was tested `MOST_TESTS` times.
"""
import math

import numpy as np

from ..distance.nearest import search
from ..distance.pair import RELATIVE_ERROR, UNDECIDED_DISTANCE
from ..geometry.squares import squared
from ..machine_code.jit import kernel, unsigned
from .directions import LONGEST_DIRECTION, SHORTEST_DIRECTION
from .moving_triangles import (
    CURVATURE_A,
    CURVATURE_B,
    NEAR_STEPS,
    ROUNDING_OF_BOTH,
    SLOWEST,
    SPEED,
    STEP_ROUNDING,
    TIME_ROUNDING,
    TOLERATED,
    TRIES,
    curvature_along,
    sure_distance,
)
from .placing import place_at
from .poses import placed_corners, pose_at

MOST_TESTS = 64             # of a pair: what is left then slides along at a small distance
MET_ROUNDINGS = 2.0         # times the rounding of vertices: nearer than that, only a direction can tell surfaces apart
SEARCH_STEPS = 1 << 12      # of the distance of one pair, before the kernel returns: some milliseconds
WAITING, IN_TEST, QUEUE_DEPTH, TESTS = range(4)  # of SoonestQueue.state


@kernel
def check_in_turn(queue, meetings, gaps, motions, placement, tasks, most, scratch):
    """Test the first pair of the queue, then the one that is first after that, at most so many. Returns early where the
    distance of a pair takes many steps, or the stack of tasks is nearly full; then it is to be called again. Nothing
    is left to do where no pair waits or is in test.

    queue: SoonestQueue; meetings: Meetings; gaps: PairGaps of the same pairs; motions: ObjectMotions; placement: the
    Placement of this thread; tasks: DistanceTasks; scratch: SoonestScratch.
    """
    state = queue.state
    while most > 0:
        row = state[IN_TEST]
        if row < 0:
            if state[WAITING] == 0:
                return
            row = take_first(queue)
            begin(row, queue, meetings, gaps, motions, placement, tasks, scratch)
        state[QUEUE_DEPTH], undecided = search(row, gaps, placement.trees, tasks, state[QUEUE_DEPTH], SEARCH_STEPS,
                                         scratch.distance)
        for k in range(undecided):
            decide(row, k, gaps, placement.trees, scratch)
        if state[QUEUE_DEPTH] > 0 and gaps.gap[row] > 0.0:
            if undecided == 0:
                return
            continue
        state[IN_TEST] = -1
        state[TESTS] += 1
        queue.tests[row] += 1
        conclude(row, queue, meetings, gaps, motions, placement, scratch)
        most -= 1


@kernel
def comes_before(queue, i, time, row):
    """True where entry i of the heap comes before a pair with this time."""
    return queue.time[i] < time or queue.time[i] == time and queue.row[i] < row


@kernel
def put_back(queue, time, row):
    """Let a pair wait: it does not meet before that time."""
    at = queue.state[WAITING]
    queue.state[WAITING] += 1
    while at > 0 and not comes_before(queue, (at - 1) // 2, time, row):
        queue.time[at] = queue.time[(at - 1) // 2]
        queue.row[at] = queue.row[(at - 1) // 2]
        at = (at - 1) // 2
    queue.time[at] = time
    queue.row[at] = row


@kernel
def take_first(queue):
    """The row of the pair that may meet soonest, which is in test from now on."""
    state = queue.state
    state[IN_TEST] = queue.row[0]
    queue.now[0] = queue.time[0]
    state[WAITING] -= 1
    count = state[WAITING]
    time = queue.time[count]
    row = queue.row[count]
    at = 0
    while 2 * at + 1 < count:
        child = 2 * at + 1
        if child + 1 < count and comes_before(queue, child + 1, queue.time[child], queue.row[child]):
            child += 1
        if not comes_before(queue, child, time, row):
            break
        queue.time[at] = queue.time[child]
        queue.row[at] = queue.row[child]
        at = child
    queue.time[at] = time
    queue.row[at] = row
    return state[IN_TEST]


@kernel
def begin(row, queue, meetings, gaps, motions, placement, tasks, scratch):
    """Place both objects where they are now, and prepare the search for their distance, up to what they can bridge
    until the end."""
    a = meetings.a[row]
    b = meetings.b[row]
    t = queue.now[0]
    limits = scratch.limits
    limits[ROUNDING_OF_BOTH] = motions.rounding[a] + motions.rounding[b]
    limits[CURVATURE_A] = motions.curvature[a]
    limits[CURVATURE_B] = motions.curvature[b]
    limits[TOLERATED] = meetings.tolerance[row] - limits[ROUNDING_OF_BOTH]
    square = 0.0
    for x in range(3):
        square += squared(approach(motions, a, b, x))
    limits[SPEED] = math.sqrt(square) + scratch.spin[a] + scratch.spin[b]
    for side in range(2):
        place(a if side == 0 else b, side, t, motions, placement, scratch)
    gaps.gap[row] = max((limits[SPEED] * (1.0 - t) + limits[ROUNDING_OF_BOTH]) * (1.0 + 4.0 * RELATIVE_ERROR), SLOWEST)
    for side in range(2):
        for x in range(3):
            gaps.points[row, side, x] = math.nan
    tasks.nodes[0, 0] = placement.trees.root[a]
    tasks.nodes[0, 1] = placement.trees.root[b]
    tasks.lower_bounds[0] = 0.0
    queue.state[QUEUE_DEPTH] = 1


@kernel
def approach(motions, a, b, x):
    """How fast the origin of object b moves along an axis, as seen from that of a. What rounding does to it, and to all
    that is made of it, is less than what both spins are too large by."""
    return ((motions.origin[b, 1, x] - motions.origin[b, 0, x])
            - (motions.origin[a, 1, x] - motions.origin[a, 0, x]))


@kernel
def place(obj, side, t, motions, placement, scratch):
    """Put an object where it is at the time t: what rests is there, and so is all at the start."""
    trees = placement.trees
    if t == 0.0 or not scratch.moves[obj]:
        trees.corners.world_start[obj] = scratch.home[0, obj]
        trees.box_start[obj] = scratch.home[1, obj]
        return
    trees.corners.world_start[obj] = scratch.own[side, 0]
    trees.box_start[obj] = scratch.own[side, 1]
    scratch.which[0] = obj
    place_at(scratch.which, t, motions, scratch.end, placement, scratch.pose, scratch.refit)


@kernel
def decide(row, k, gaps, trees, scratch):
    """Take the distance of a pair of triangles that the search has left undecided into account. Whatever is not proved
    to be apart meets: it is nearer than the rounding of vertices."""
    placed_corners(trees, gaps.a[row], np.int64(scratch.distance.undecided[k, 0]), scratch.corners, 0)
    placed_corners(trees, gaps.b[row], np.int64(scratch.distance.undecided[k, 1]), scratch.corners, 3)
    pair = scratch.distance.pair
    distance = sure_distance(scratch.corners, pair)
    if distance == UNDECIDED_DISTANCE:
        gaps.gap[row] = 0.0
    elif distance < gaps.gap[row]:
        gaps.gap[row] = distance
        for side in range(2):
            for x in range(3):
                gaps.points[row, side, x] = pair.points[side, x]


@kernel
def conclude(row, queue, meetings, gaps, motions, placement, scratch):
    """What follows for a pair from its distance now: it has met, is free to the end, or waits until it may meet."""
    t = queue.now[0]
    distance = gaps.gap[row]
    limits = scratch.limits
    if distance > 0.0 and math.isnan(gaps.points[row, 0, 0]):
        return                              # farther apart than they can come nearer
    step = 0.0
    if face_each_other(gaps.points[row], distance, scratch.direction):
        step = step_along(meetings.a[row], meetings.b[row], t, motions, placement, scratch)
    if distance <= limits[TOLERATED]:
        queue.near[row] += 1
        if step == 0.0 and distance <= MET_ROUNDINGS * limits[ROUNDING_OF_BOTH]:
            meetings.toi[row] = t
            meetings.reached[row] = distance + limits[ROUNDING_OF_BOTH]
            return
    certain = max(distance * (1.0 - 2.0 * RELATIVE_ERROR) - limits[ROUNDING_OF_BOTH], 0.0)
    step = max(step, certain / max(limits[SPEED], SLOWEST))
    later = (t + step * STEP_ROUNDING) - TIME_ROUNDING
    if later >= 1.0:
        return
    if later > t and queue.tests[row] < MOST_TESTS and queue.near[row] <= NEAR_STEPS:
        put_back(queue, later, row)
    else:
        queue.left[row] = 1


@kernel
def face_each_other(points, distance, direction):
    """direction (3,) = the unit vector from the second to the first of two points (2,3). False where they are too near
    for one."""
    if distance == 0.0:
        return False
    square = 0.0
    for x in range(3):
        direction[x] = points[0, x] - points[1, x]
        square += direction[x] * direction[x]
    length = math.sqrt(square)
    if not (length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION):
        return False
    for x in range(3):
        direction[x] /= length
    return True


@kernel
def step_along(a, b, t, motions, placement, scratch):
    """A step from t through which scratch.direction keeps two objects apart, more than is left where it does so to the
    end; 0 where it does not keep them apart now."""
    limits = scratch.limits
    direction = scratch.direction
    whole = 1.0 - t
    low = gap_of_objects(a, b, t, motions, placement, scratch)
    if not low > 0.0:
        return 0.0
    closing = scratch.spin[a] + scratch.spin[b]
    for x in range(3):
        closing += direction[x] * approach(motions, a, b, x)
    best = low / closing if closing > 0.0 else math.inf
    bend = curvature_along(a, b, motions, limits, direction)
    step = whole
    if bend > 0.0:
        step = min(step, math.sqrt(2.0 * low / bend))
    for _ in range(TRIES):
        if best >= whole:
            return 2.0
        high = gap_of_objects(a, b, t + step if step < whole else 1.0, motions, placement, scratch)
        beyond = 0.125 * bend * step * step
        if high > beyond:
            return max(best, step if step < whole else 2.0)
        certain = step * (low - beyond) / (low - high)
        best = max(best, certain)
        if bend == 0.0 or certain > 0.75 * step:
            break
        step = 1.25 * certain
    return best


@kernel
def gap_of_objects(a, b, t, motions, placement, scratch):
    """All of object a is farther along scratch.direction than object b at the time t, by at least this much."""
    return (least_along(a, t, 1.0, motions, placement, scratch) + least_along(b, t, -1.0, motions, placement, scratch)
            - scratch.limits[ROUNDING_OF_BOTH])


@kernel
def least_along(obj, t, sign, motions, placement, scratch):
    """The least of sign · direction · p over the vertices p of an object at the time t; it errs by no more than the
    object's `rounding`."""
    u = sign * scratch.direction[0]
    v = sign * scratch.direction[1]
    w = sign * scratch.direction[2]
    vertices = placement.vertices
    first = unsigned(placement.vertex_start[obj])
    count = unsigned(placement.vertex_count[obj])
    least = math.inf
    if motions.linear[obj]:
        end = scratch.end
        rest = 1.0 - t
        for k in range(first, first + count):
            least = min(least, u * (rest * vertices[k, 0] + t * end[k, 0]) + v * (rest * vertices[k, 1] + t * end[k, 1])
                        + w * (rest * vertices[k, 2] + t * end[k, 2]))
        return least
    pose = scratch.pose
    pose_at(motions, np.int64(obj), t, pose)
    x = u * pose[0, 0, 0] + v * pose[0, 1, 0] + w * pose[0, 2, 0]
    y = u * pose[0, 0, 1] + v * pose[0, 1, 1] + w * pose[0, 2, 1]
    z = u * pose[0, 0, 2] + v * pose[0, 1, 2] + w * pose[0, 2, 2]
    for k in range(first, first + count):
        least = min(least, x * vertices[k, 0] + y * vertices[k, 1] + z * vertices[k, 2])
    return least + (u * pose[0, 0, 3] + v * pose[0, 1, 3] + w * pose[0, 2, 3])
