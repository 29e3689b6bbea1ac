# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects whose world boxes overlap within several frames, each of which has few objects."""
import numpy as np

from ..machine_code.jit import kernel
from ..scene.frames import Frames
from .object_tree import boxes_meet, round_boxes


def overlapping_in_frames(bounds: np.ndarray, frames: Frames, tick, count) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) int32, a < b: objects of one frame whose boxes overlap, and of which one does not rest in it; ordered
    within each frame, one frame after the other. Boxes, tick and count as in `overlapping_pairs`."""
    a, b = np.empty((2, frames.possible_pairs), np.int32)
    meeting = overlaps_in_frames(bounds, frames.quantization, frames.rows, frames.rests,
                                 np.empty((len(bounds), 6), np.float32), a, b)
    count(len(a))
    tick(meeting)
    return a[:meeting], b[:meeting]


@kernel
def overlaps_in_frames(bounds, quantization, rows, rests, boxes, a, b):
    """Write the pairs that overlap to a and b, (frames·n·(n-1)/2,) int32; returns their number. rows: (frames,n) int64,
    of bounds (k,6) float64; rests: (frames,n) bool; boxes: (k,6) float32, scratch."""
    round_boxes(bounds, quantization, boxes)
    count = 0
    for frame in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            for j in range(i + 1, rows.shape[1]):
                if not (rests[frame, i] and rests[frame, j]) and boxes_meet(boxes, rows[frame, i], rows[frame, j]):
                    a[count] = rows[frame, i]
                    b[count] = rows[frame, j]
                    count += 1
    return count
