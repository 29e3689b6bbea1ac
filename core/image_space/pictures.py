# SPDX-License-Identifier: GPL-3.0-or-later
"""Do pairs of convex pieces meet, by their pictures?

The view of a pair comes from where the boxes overlap (§2.4.3 of the 2003 thesis): of the axes of each box the one with
the longest overlap is the direction of view, and the box with the smaller overlap across it wins. Flat bodies are
looked at aslant. A pixel is a ray
through the rectangle of the overlap. On it the second body lies before the first (PIXEL_APART), in it (PIXELS_MEET) or
behind its front (PIXEL_UNDECIDED); where only the last is found, the two change places. Bodies of which each is behind
the other somewhere meet, too: on the way from the one ray to the other they must pass through each other.
"""
from collections.abc import Callable

import numpy as np

from ..machine_code.jit import kernel
from ..records import Drawn, PlacedPieces, ViewScratch
from ..trees.obb.nodes import AXES_AT, BOX_NUMBERS
from .port import PIXEL_UNDECIDED, PIXELS_MEET, Raster

VIEW = 18           # numbers of a view: origin, axes to the right, up and to the viewer, lower and upper ends
ENDS = 12           # where these begin
FLAT_RELATIVE = 1e-6    # of the size: bodies that are no thicker are flat
TILT = np.array([[2.0, 3.0, 6.0], [6.0, 2.0, -3.0], [-3.0, 6.0, -2.0]]) / 7.0  # a rotation; its axes are not special
DEPTH_PADDING = 0.01        # of the depths of both bodies, at each end


def meet(pieces: PlacedPieces, a: np.ndarray, b: np.ndarray, raster: Raster, side: int,
         hand_over: Callable) -> np.ndarray:
    """(k,) bool: the pictures say that pieces a[i] and b[i] meet. a, b: (k,) int64. side: pixels of a picture.
    hand_over(work): what work() returns, on the thread that may draw."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    views, found = np.empty((len(a), VIEW)), np.zeros(len(a), bool)
    overlap = np.zeros(len(a), np.uint8)
    make_views(pieces, a, b, ViewScratch(np.empty((2, 2, 3)), np.empty(BOX_NUMBERS), TILT), views, overlap)
    rows = np.flatnonzero(overlap)
    cells = raster.cells(side)
    for begin in range(0, len(rows), cells):
        some = rows[begin:begin + cells]
        first, second = _drawn(pieces, a[some], views[some]), _drawn(pieces, b[some], views[some])
        classes = _classes(raster, first, second, side, hand_over)
        found[some] = classes[:, PIXELS_MEET] > 0
        open_rows = np.flatnonzero((classes[:, PIXELS_MEET] == 0) & (classes[:, PIXEL_UNDECIDED] > 0))
        if len(open_rows):
            again = some[open_rows]
            swapped = _classes(raster, _drawn(pieces, b[again], views[again]), _drawn(pieces, a[again], views[again]),
                               side, hand_over)
            found[again] = (swapped[:, PIXELS_MEET] > 0) | (swapped[:, PIXEL_UNDECIDED] > 0)
    return found


def _classes(raster: Raster, first: Drawn, second: Drawn, side: int, hand_over: Callable) -> np.ndarray:
    if raster.on_main_thread:
        return hand_over(lambda: raster.classes(first, second, side))
    return raster.classes(first, second, side)


def _drawn(pieces: PlacedPieces, which: np.ndarray, views: np.ndarray) -> Drawn:
    """The triangles of some pieces as their views show them."""
    start = np.zeros(len(which) + 1, np.int64)
    np.cumsum(pieces.triangle_start[which + 1] - pieces.triangle_start[which], out=start[1:])
    drawn = Drawn(start, np.empty((start[-1], 3, 3), np.float32))
    project(pieces, which, views, drawn)
    return drawn


@kernel
def make_views(pieces, a, b, scratch, views, overlap):
    """views[k] (VIEW,) = how pair k is looked at; overlap[k] = 0 where the boxes do not overlap. scratch:
    ViewScratch."""
    ends = scratch.ends
    for k in range(a.shape[0]):
        best = np.inf
        overlap[k] = 1
        for turn in range(2):
            owner = a[k] if turn == 0 else b[k]
            box = pieces.boxes[owner]
            extent(pieces, a[k], box, ends[0])
            extent(pieces, b[k], box, ends[1])
            flat = is_flat(ends[turn])
            widest = 0
            length = -np.inf
            product = 1.0
            for axis in range(3):
                common = min(ends[0, 1, axis], ends[1, 1, axis]) - max(ends[0, 0, axis], ends[1, 0, axis])
                if common < 0.0 or (common == 0.0 and not flat):
                    overlap[k] = 0
                if common > length:
                    length = common
                    widest = axis
                product *= common
            if overlap[k] == 0:
                break
            if flat:
                overlap[k] = tilted_view(pieces, a[k], b[k], box, scratch, views[k])
                break
            if product / length < best:
                best = product / length
                write_view(box, widest, ends, views[k])


@kernel
def is_flat(ends):
    """True for a body of these ends (2,3), which has no inside to be seen."""
    x = ends[1, 0] - ends[0, 0]
    y = ends[1, 1] - ends[0, 1]
    z = ends[1, 2] - ends[0, 2]
    return min(x, min(y, z)) <= FLAT_RELATIVE * max(x, max(y, z))


@kernel
def tilted_view(pieces, a, b, box, scratch, view):
    """Look at pieces a and b across all axes of a box, so that flat bodies are not seen edge on. Returns 0 where they
    do not overlap."""
    tilted = scratch.box
    for x in range(3):
        tilted[x] = box[x]
        for i in range(3):
            tilted[AXES_AT + 3 * i + x] = (scratch.tilt[i, 0] * box[AXES_AT + x]
                                           + scratch.tilt[i, 1] * box[AXES_AT + 3 + x]
                                        + scratch.tilt[i, 2] * box[AXES_AT + 6 + x])
    ends = scratch.ends
    extent(pieces, a, tilted, ends[0])
    extent(pieces, b, tilted, ends[1])
    for axis in range(3):
        if not min(ends[0, 1, axis], ends[1, 1, axis]) > max(ends[0, 0, axis], ends[1, 0, axis]):
            return 0
    write_view(tilted, 2, ends, view)
    return 1


@kernel
def extent(pieces, piece, box, ends):
    """ends (2,3) = the least and largest places of a piece's points along the axes of a box, from its centre."""
    for axis in range(3):
        ends[0, axis] = np.inf
        ends[1, axis] = -np.inf
    for i in range(pieces.point_start[piece], pieces.point_start[piece + 1]):
        x = pieces.points[i, 0] - box[0]
        y = pieces.points[i, 1] - box[1]
        z = pieces.points[i, 2] - box[2]
        for axis in range(3):
            place = (x * box[AXES_AT + 3 * axis] + y * box[AXES_AT + 3 * axis + 1] + z * box[AXES_AT + 3 * axis + 2])
            ends[0, axis] = min(ends[0, axis], place)
            ends[1, axis] = max(ends[1, axis], place)


@kernel
def write_view(box, towards, ends, view):
    """view = along the axis `towards` of a box."""
    for i in range(3):
        axis = (towards + 1 + i) % 3        # the last one is `towards`: right-handed
        view[i] = box[i]
        for x in range(3):
            view[3 + 3 * i + x] = box[AXES_AT + 3 * axis + x]
        if i < 2:
            view[ENDS + i] = max(ends[0, 0, axis], ends[1, 0, axis])
            view[ENDS + 3 + i] = min(ends[0, 1, axis], ends[1, 1, axis])
        else:
            low = min(ends[0, 0, axis], ends[1, 0, axis])
            high = max(ends[0, 1, axis], ends[1, 1, axis])
            view[ENDS + i] = low - DEPTH_PADDING * (high - low)
            view[ENDS + 3 + i] = high + DEPTH_PADDING * (high - low)


@kernel
def project(pieces, which, views, drawn):
    """Write the corners of drawn, Drawn, of pieces which[k] as views[k] shows them."""
    for k in range(which.shape[0]):
        view = views[k]
        points = pieces.point_start[which[k]]
        triangles = pieces.triangle_start[which[k]]
        for t in range(drawn.start[k + 1] - drawn.start[k]):
            for i in range(3):
                row = points + pieces.triangles[triangles + t, i]
                x = pieces.points[row, 0] - view[0]
                y = pieces.points[row, 1] - view[1]
                z = pieces.points[row, 2] - view[2]
                for axis in range(3):
                    low = view[ENDS + axis]
                    high = view[ENDS + 3 + axis]
                    place = x * view[3 + 3 * axis] + y * view[4 + 3 * axis] + z * view[5 + 3 * axis]
                    shown = (2.0 * place - low - high) / (high - low)
                    drawn.corners[drawn.start[k] + t, i, axis] = np.float32(-shown if axis == 2 else shown)
