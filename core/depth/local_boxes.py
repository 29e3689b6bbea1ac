# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep two surfaces reach into each other that meet at many places, box by box.

Where too many triangles are near for local_search.py, the box that both objects' boxes have in common is halved until
few are near each half. What is inside of the other object is inside in one of these boxes, and none is looked at for
longer than it may be deeper than what others have.
"""
import math

import numpy as np

from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from .features import BEST, LENGTH_UNIT
from .items import WAITING, clear
from .local_search import ENDED_EARLY, MEASURED, NOT_GATHERED, begin_local, end_local, gather_near, measure_gathered
from .local_triangles import ENOUGH, POINTS, TRIANGLE_COUNT, slots_in_box
from .pieces import too_shallow

MANY_CONTACTS = 64          # of fewer, a box has mostly as many as its halves
FEW_TRIANGLES = 64          # near a box that is not halved: points are measured against all of them
SHARES = 8                  # of all triangles: that many are not too many either
MOST_IN_BOXES = 1 << 12     # triangles of one object that there may be,
MOST_IN_BOXES_AT_LAST = 1 << 14     # where a search down trees has ended with bounds that are far apart
MOST_BOXES_WAITING = 64     # of those that were halved, each leaves one
MOST_BOXES = 1 << 11        # that are looked at
MOST_POINTS_IN_BOX = 1 << 12        # before it is halved
MOST_POINTS_IN_BOXES = 1 << 18      # that are measured for one pair
MOST_POINTS_UNTIL_CLOSE = 1 << 16   # after these, bounds that are so close are enough,
CLOSE = 2.0 ** -7           # relative to the depth


@kernel
def measure_boxes(row, most, pairs, contacts, trees, items, local, scratch):
    """MEASURED where the depth of a pair is between scratch.numbers[BEST] and the bound of what was left out; else
    ENDED_EARLY, and nothing but the deepest point that was found is known. What was in `items` is not any more. most:
    triangles of one object that there may be."""
    if pairs.contact_first[row] < 0 or pairs.contact_last[row] - pairs.contact_first[row] < MANY_CONTACTS:
        return ENDED_EARLY
    a = np.int64(pairs.a[row])
    b = np.int64(pairs.b[row])
    boxes = local.boxes
    for x in range(3):
        boxes[0, x] = max(pairs.bounds[a, x], pairs.bounds[b, x])
        boxes[0, HIGH + x] = min(pairs.bounds[a, HIGH + x], pairs.bounds[b, HIGH + x])
    count = 0
    for side in range(2):
        there = slots_in_box(a if side == 0 else b, boxes[0, :HIGH], boxes[0, HIGH:], most, trees, local.near[side],
                              scratch)
        if there > most:
            return ENDED_EARLY
        count += there
    few = max(FEW_TRIANGLES, count // SHARES)
    waiting = 1
    points = 0
    for _ in range(MOST_BOXES):
        if waiting == 0:
            return MEASURED
        waiting -= 1
        begin_local(local)
        answer = ENDED_EARLY
        small = longest_edge(boxes[waiting]) * scratch.numbers[LENGTH_UNIT] <= scratch.numbers[BEST]
        if gather_near(a, b, boxes[waiting, :HIGH], boxes[waiting, HIGH:], False, pairs, trees, local, scratch):
            if (local.sizes[0, TRIANGLE_COUNT] * local.sizes[1, TRIANGLE_COUNT] <= few * few
                    or small or waiting + 4 > MOST_BOXES_WAITING):
                answer = measure_box(row, points, pairs, contacts, trees, items, local, scratch)
                points += local.used[POINTS]
        end_local(a, b, trees.corners, local, scratch)
        clear(items)
        if answer != MEASURED:
            # In a box that is no longer than it may be deep, halves have as many contacts near, as in a fan's middle.
            if (waiting + 2 > MOST_BOXES_WAITING or points > MOST_POINTS_IN_BOXES
                    or small and answer == NOT_GATHERED):
                return ENDED_EARLY
            halve(boxes, waiting)
            waiting += 2
    return ENDED_EARLY


@kernel
def measure_box(row, points, pairs, contacts, trees, items, local, scratch):
    """MEASURED where what is in the box that was gathered is no deeper than what is known of it now; NOT_GATHERED where
    it has too many contacts; else ENDED_EARLY. points: how many were measured before."""
    numbers = scratch.numbers
    triangles = max(local.sizes[0, TRIANGLE_COUNT], local.sizes[1, TRIANGLE_COUNT])
    local.used[ENOUGH] = MOST_POINTS_IN_BOX * triangles
    answer = measure_gathered(row, True, pairs, contacts, trees, items, local, scratch)
    if items.state[WAITING] == 0:
        return answer
    # Where it ended early, many places may be nearly equally deep, and halves have as many.
    most = math.inf
    if answer != MEASURED:
        most = CLOSE * numbers[BEST] if points + local.used[POINTS] > MOST_POINTS_UNTIL_CLOSE else 0.0
    return MEASURED if too_shallow(items.bound[0], most, numbers) else ENDED_EARLY


@kernel
def longest_edge(box):
    """Of a box (6,)."""
    return max(box[HIGH] - box[0], max(box[HIGH + 1] - box[1], box[HIGH + 2] - box[2]))


@kernel
def halve(boxes, at):
    """Let boxes[at] and boxes[at + 1] be the two halves of the first one, across its longest edge."""
    axis = 0
    for x in range(1, 3):
        if boxes[at, HIGH + x] - boxes[at, x] > boxes[at, HIGH + axis] - boxes[at, axis]:
            axis = x
    middle = 0.5 * boxes[at, axis] + 0.5 * boxes[at, HIGH + axis]
    for x in range(2 * HIGH):
        boxes[at + 1, x] = boxes[at, x]
    boxes[at, HIGH + axis] = middle
    boxes[at + 1, axis] = middle
