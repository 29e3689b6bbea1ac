# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which two frames do not tell whether they went straight or around something."""
import math

import numpy as np

from ..continuous.instant import Instant
from ..machine_code.jit import kernel
from .together import keeps_shape

ASTRAY_RELATIVE = 0.05      # of an object's size: it may be that far from its straight way, and nobody is told


def perhaps_carried(first: Instant, last: Instant) -> np.ndarray:
    """(k,) int64: objects that turn and move on so far that they would be elsewhere in between, by more than a share of
    their size, if something carried them around as far as they turn: a blade whose origin is not on its axle. A wheel
    that rolls goes straight, and the two poses are alike.

    About: what is deformed, or flat, is not told of.
    """
    rows = np.empty(len(first.poses), np.int64)
    rows = rows[:find_far_turns(first.poses, last.poses, first.finite, last.finite, last.local, first.triangle_counts,
                                rows)]
    if len(rows) == 0:                  # of most intervals
        return rows
    with np.errstate(all="ignore"):
        step = last.poses[:, :, 3] - first.poses[:, :, 3]
        before, after = first.poses[:, :, :3], last.poses[:, :, :3]
        rows = rows[np.linalg.det(before[rows]) != 0.0]
        after = after[rows]
        turn = after @ np.linalg.inv(before[rows])
        # Of a rotation: twice its axis times the sine, and one more than twice the cosine.
        odd = turn - turn.transpose(0, 2, 1)
        axis = np.stack([odd[:, 2, 1], odd[:, 0, 2], odd[:, 1, 0]], axis=1)
        length = np.linalg.norm(axis, axis=1)
        angle = np.arctan2(length, np.trace(turn, axis1=1, axis2=2) - 1.0)
        across = np.linalg.norm(np.cross(axis / length[:, None], step[rows]), axis=1)
        sides = np.abs(after) @ (last.local[rows, 3:] - last.local[rows, :3])[:, :, None]
        # Halfway, an arc is so far from its chord.
        rows = rows[0.5 * across * np.tan(0.25 * angle) > ASTRAY_RELATIVE * np.linalg.norm(sides, axis=(1, 2))]
    return rows[[keeps_shape(first, last, k) for k in rows.tolist()]] if len(rows) else rows


@kernel
def find_far_turns(before, after, finite, last_finite, local, triangle_counts, rows):
    """Fill `rows` (n,) int64 with the objects that turn and go so far that they may be astray; returns how many these
    are. Of a rotation the change of a pose is 2.8 times the sine of half the angle. before, after: (n,3,4) poses;
    finite, last_finite: (n,) bool; local: (n,6), boxes in the end; triangle_counts: (n,) int64."""
    count = 0
    for k in range(before.shape[0]):
        if not (finite[k] and last_finite[k] and triangle_counts[k] > 0):
            continue
        change = 0.0
        square = 0.0
        largest = 0.0
        step = 0.0
        size = 0.0
        for x in range(3):
            step += abs(after[k, x, 3] - before[k, x, 3])
            size += (local[k, 3 + x] - local[k, x]) * (local[k, 3 + x] - local[k, x])
            for y in range(3):
                change += (after[k, x, y] - before[k, x, y]) * (after[k, x, y] - before[k, x, y])
                square += before[k, x, y] * before[k, x, y]
                largest = max(largest, abs(after[k, x, y]))
        if step * math.sqrt(change) > 3.0 * ASTRAY_RELATIVE * math.sqrt(size) * largest * math.sqrt(square):
            rows[count] = k
            count += 1
    return count
