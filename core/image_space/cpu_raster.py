# SPDX-License-Identifier: GPL-3.0-or-later
"""`CpuRaster`: the port on the processor, by the rules of a GPU: corners on a grid of 1/256 pixel, pixel centres, the
top-left rule, depths in single precision."""
import numpy as np

from ..machine_code.jit import kernel
from ..parallel import CHUNKS_PER_THREAD, run_chunks
from ..records import Drawn
from .port import CLASSES

SUBPIXEL_STEPS = 256.0      # of a corner's place in a pixel
FARTHEST = 2.0 ** 29        # of a corner from the picture, in these steps: products stay in an int64
PIXELS_AT_ONCE = 1 << 22    # before somebody asks whether the run is cancelled
EMPTY_DEPTH = np.float32(1.0)   # the depth of a pixel that nothing covers


class CpuRaster:
    """See `port.Raster`."""

    on_main_thread = False

    def __init__(self, threads: int = 1):
        self._threads = threads

    def cells(self, side: int) -> int:
        return max(1, PIXELS_AT_ONCE // (side * side))

    def classes(self, first: Drawn, second: Drawn, side: int) -> np.ndarray:
        pairs = len(first.start) - 1
        classes = np.zeros((pairs, CLASSES), np.int64)
        chunks = max(1, min(pairs, self._threads * CHUNKS_PER_THREAD))
        ends = np.linspace(0, pairs, chunks + 1).astype(np.int64)

        def work(number):
            depth, count = np.empty((side, side), np.float32), np.empty((side, side), np.uint8)
            draw_pairs(int(ends[number]), int(ends[number + 1]), first, second, depth, count, classes)

        run_chunks(work, chunks, self._threads, lambda done: None)
        return classes


@kernel
def draw_pairs(begin, end, first, second, depth, count, classes):
    """classes[begin:end] = the pixels of each class. first, second: Drawn; depth (side,side) float32 and count uint8
    are scratch."""
    side = depth.shape[0]
    for k in range(begin, end):
        for row in range(side):
            for column in range(side):
                depth[row, column] = EMPTY_DEPTH
                count[row, column] = 0
        for t in range(first.start[k], first.start[k + 1]):
            draw(first.corners, t, True, depth, count)
        for t in range(second.start[k], second.start[k + 1]):
            draw(second.corners, t, False, depth, count)
        for row in range(side):
            for column in range(side):
                covered = depth[row, column] < EMPTY_DEPTH
                classes[k, min(1 + count[row, column], 3) if covered else 0] += 1


@kernel
def draw(corners, t, is_first, depth, count):
    """Draw triangle t: of the first body into `depth`, of the second into `count`."""
    side = depth.shape[0]
    ax = on_grid(corners[t, 0, 0], side)
    ay = on_grid(corners[t, 0, 1], side)
    bx = on_grid(corners[t, 1, 0], side)
    by = on_grid(corners[t, 1, 1], side)
    cx = on_grid(corners[t, 2, 0], side)
    cy = on_grid(corners[t, 2, 1], side)
    az = 0.5 * (np.float64(corners[t, 0, 2]) + 1.0)
    bz = 0.5 * (np.float64(corners[t, 1, 2]) + 1.0)
    cz = 0.5 * (np.float64(corners[t, 2, 2]) + 1.0)
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    front = area > 0
    if area == 0 or (is_first and not front):
        return
    if not front:
        bx, cx = cx, bx
        by, cy = cy, by
        bz, cz = cz, bz
        area = -area
    left = max(0, (min(ax, min(bx, cx)) - 128) >> 8)
    right = min(side - 1, (max(ax, max(bx, cx)) + 128) >> 8)
    low = max(0, (min(ay, min(by, cy)) - 128) >> 8)
    high = min(side - 1, (max(ay, max(by, cy)) + 128) >> 8)
    tie_a = 0 if on_top_or_left(bx, by, cx, cy) else 1      # of the edges opposite to a, b and c
    tie_b = 0 if on_top_or_left(cx, cy, ax, ay) else 1
    tie_c = 0 if on_top_or_left(ax, ay, bx, by) else 1
    for row in range(low, high + 1):
        y = 256 * row + 128
        for column in range(left, right + 1):
            x = 256 * column + 128
            of_a = (cx - bx) * (y - by) - (cy - by) * (x - bx)
            of_b = (ax - cx) * (y - cy) - (ay - cy) * (x - cx)
            of_c = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if of_a < tie_a or of_b < tie_b or of_c < tie_c:
                continue
            z = np.float32((az * of_a + bz * of_b + cz * of_c) / area)
            if is_first:
                depth[row, column] = min(depth[row, column], z)
            elif depth[row, column] < EMPTY_DEPTH:
                if z > depth[row, column] or (not front and z == depth[row, column]):
                    count[row, column] += 1


@kernel
def on_grid(place, side):
    """Where a number from -1 to 1 is in the picture, in steps."""
    steps = (np.float64(place) + 1.0) * (0.5 * side * SUBPIXEL_STEPS)
    return np.int64(np.floor(max(-FARTHEST, min(FARTHEST, steps)) + 0.5))


@kernel
def on_top_or_left(px, py, qx, qy):
    """True for the edges from p to q of a counterclockwise triangle that own the pixel centres on them."""
    return qy < py or (qy == py and qx < px)
