# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects whose world boxes overlap within several frames, each of which has few objects."""
import numpy as np

from ..machine_code.jit import kernel
from ..scene.frames import Frames
from .object_tree import boxes_meet, round_boxes


def overlapping_in_frames(bounds: np.ndarray, frames: Frames, tick, count) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b: objects of one frame whose boxes overlap, and of which one does not rest in it; ordered
    within each frame, one frame after the other. Boxes, tick and count as in `overlapping_pairs`."""
    a, b = np.empty((2, frames.asked_pairs), np.int32)
    meeting = overlaps_in_frames(bounds, frames.quantization, frames.rows, frames.rests,
                                 np.empty((len(bounds), 6), np.float32), np.empty(frames.rows.shape[1], np.int64), a, b)
    count(len(a))
    tick(meeting)
    return a[:meeting], b[:meeting]


@kernel
def overlaps_in_frames(bounds, quantization, rows, rests, boxes, moving, a, b):
    """Write the pairs that overlap to a and b, (pairs,) int32; returns their number. rows: (frames,n) int64, of bounds
    (k,6) float64; rests: (frames,n) bool; boxes: (k,6) float32 and moving: (n,) int64: scratch."""
    round_boxes(bounds, quantization, boxes)
    count = 0
    for frame in range(rows.shape[0]):
        movers = 0
        for i in range(rows.shape[1]):
            if not rests[frame, i]:
                moving[movers] = i
                movers += 1
        first = 0           # of those that move and come after i
        for i in range(rows.shape[1]):
            if first < movers and moving[first] == i:
                first += 1
                for j in range(i + 1, rows.shape[1]):
                    count = _add_meeting(boxes, rows[frame, i], rows[frame, j], a, b, count)
            else:
                for k in range(first, movers):
                    count = _add_meeting(boxes, rows[frame, i], rows[frame, moving[k]], a, b, count)
    return count


@kernel
def _add_meeting(boxes, i, j, a, b, count):
    """How many pairs there are with these two, if their boxes overlap."""
    if boxes_meet(boxes, i, j):
        a[count] = i
        b[count] = j
        count += 1
    return count
