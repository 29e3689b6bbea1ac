# SPDX-License-Identifier: GPL-3.0-or-later
"""How much space two solids share: grids from three sides, finer until the bounds are near enough."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..records import Layers, Steps
from .layers import cover
from .sweep import add_volumes

SIDES = 16, 24, 36, 54, 80, 120, 180, 256       # cells along a side of the grids, the coarsest first
NEAR_ENOUGH = 0.01          # what the bounds may differ by, of the volume, before a finer grid is asked
CLOSING_IN = 1.6            # the power of the cells' size that bounds close in with, about
ROWS_AT_ONCE = 1 << 20      # rows of layers, about, that are in memory at once
SUM_ERROR = 2.0 ** -30      # of a volume: of 2^16 cells and of fewer than 2^21 lengths over each, added in turn
THINNEST_CELL = 2.0 ** -40      # of the largest coordinate: float64 could not tell smaller ones apart
AXES = ((1, 2, 0), (2, 0, 1), (0, 1, 2))        # columns of (u, v, height) for each direction to look along
NOT_MEASURED = np.full(3, np.nan)


class Solid(NamedTuple):
    """A closed mesh in the world."""

    vertices: np.ndarray    # (n,3) float64
    triangles: np.ndarray   # (m,3) int32
    kind: int               # closedness: EVEN or ORIENTED

    def faces(self, axis: int) -> np.ndarray:
        """(n,) float64, ascending: where triangles lie across an axis, all of each at one place."""
        places = self.vertices[:, axis][self.triangles]
        return np.unique(places[(places[:, 0] == places[:, 1]) & (places[:, 0] == places[:, 2]), 0])


def overlap(a: Solid, b: Solid, stopped: Callable[[], bool]) -> np.ndarray:
    """(3,) float64: about how much space two solids share, and between which bounds that is for certain; in world
    units, cubed. NaN where they share too thin a box for where they are, or stopped() is True meanwhile."""
    box = np.stack((np.maximum(a.vertices.min(axis=0), b.vertices.min(axis=0)),
                    np.minimum(a.vertices.max(axis=0), b.vertices.max(axis=0))))
    if (box[0] >= box[1]).any():
        return np.zeros(3)
    lower, upper, found, before = 0.0, float(np.prod(box[1] - box[0])), NOT_MEASURED, 0
    faces, thinnest = [np.union1d(a.faces(axis), b.faces(axis)) for axis in range(3)], THINNEST_CELL * np.abs(box).max()
    axes = list(AXES)
    for side in SIDES:
        if before and side < SIDES[-1] and (upper - lower) * (before / side) ** CLOSING_IN > NEAR_ENOUGH * found[0]:
            continue        # no use in a grid that cannot bring them near enough
        if (box[1] - box[0]).min() < side * thinnest or not np.isfinite(upper):
            break
        borders = [_borders(box[0, axis], box[1, axis], side, each, thinnest) for axis, each in enumerate(faces)]
        seen = [_seen_along(a, b, box, list(each), borders, stopped) for each in axes]
        if stopped():
            return NOT_MEASURED
        axes = [min(zip(seen, axes), key=lambda pair: pair[0][2] - pair[0][1])[1]]      # the best one, from now on
        lower, upper = max(lower, *(each[1] for each in seen)), min(upper, *(each[2] for each in seen))
        found = np.array((np.clip(np.mean([each[0] for each in seen]), lower, upper), lower, upper))
        if upper - lower <= NEAR_ENOUGH * found[0]:
            break
        before = side
    return found


def _borders(low: float, high: float, side: int, faces: np.ndarray, thinnest: float) -> np.ndarray:
    """(side+1,) float64: borders of cells from low to high, evenly spread but for those that are put to the next face
    that lies across the axis, where there are few faces. A cell that an upright face stands in says little."""
    borders = np.linspace(low, high, side + 1)
    faces = faces[(faces > low) & (faces < high)]
    step, taken = (high - low) / side, 0
    for face in faces.tolist() if 2 * len(faces) <= side else ():
        number = round((face - low) / step)
        if taken < number < side and min(face - borders[number - 1], borders[number + 1] - face) >= thinnest:
            borders[number], taken = face, number
    return borders


def _seen_along(a: Solid, b: Solid, box: np.ndarray, axes: list[int], borders: list[np.ndarray], stopped) -> tuple:
    """The volume as seen along one axis, and its bounds. box: (2,3), what the boxes of both have in common; borders: of
    cells, along each axis."""
    across, up = borders[axes[0]], borders[axes[1]]
    side = len(up) - 1
    bottom, top = box[:, axes[2]]
    bodies = [(np.ascontiguousarray(each.vertices[:, axes]), each.triangles) for each in (a, b)]
    starts = [_counted(*each, across, up, top) for each in bodies]
    cell, volumes = np.empty(6), np.zeros(3)
    for first, last in _bands(sum(np.diff(each).reshape(side, side).sum(axis=1) for each in starts)):
        if stopped():
            break
        layers = [_filled(*body, start[first * side:last * side + 1], across, up, top, first, last)
                  for body, start in zip(bodies, starts)]
        steps = [_steps(int(np.diff(each.start).max())) for each in layers]
        add_volumes(across, up[first:last + 1], layers[0], a.kind, layers[1], b.kind, bottom, top, *steps, cell,
                    volumes)
    return volumes[0], volumes[1] * (1.0 - SUM_ERROR), volumes[2] * (1.0 + SUM_ERROR)


def _counted(vertices: np.ndarray, triangles: np.ndarray, across: np.ndarray, up: np.ndarray, top: float) -> np.ndarray:
    """(cells+1,) int64: where the rows of each cell begin."""
    side = len(across) - 1
    start = np.zeros(side * side + 1, np.int64)
    cover(vertices, triangles, across, up, top, 0, side, False, _layers(start, 0, vertices, triangles))
    return np.cumsum(start)


def _filled(vertices: np.ndarray, triangles: np.ndarray, start: np.ndarray, across: np.ndarray, up: np.ndarray,
            top: float, first: int, last: int) -> Layers:
    """The layers over rows of cells. start: of `_counted`, those of these cells and one more."""
    start = start - start[0]
    layers = _layers(start.copy(), int(start[-1]), vertices, triangles)
    cover(vertices, triangles, across, up, top, first, last, True, layers)
    return layers._replace(start=start)


def _layers(start: np.ndarray, rows: int, vertices: np.ndarray, triangles: np.ndarray) -> Layers:
    return Layers(start, np.empty(rows), np.empty(rows), np.empty(rows), np.empty(rows, np.int8),
                  np.empty(rows, np.int32), vertices, triangles)


def _steps(rows: int) -> Steps:
    return Steps(np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty(rows), np.empty(rows),
                 np.empty((2, 8, 2)), np.empty(2 * rows), np.empty(2 * rows, np.int8))


def _bands(rows: np.ndarray) -> list[tuple[int, int]]:
    """Rows of cells from first to last - 1 that are in memory together. rows: (side,) rows of layers of each."""
    bands, first, held = [], 0, 0
    for number, more in enumerate(rows.tolist()):
        if held and held + more > ROWS_AT_ONCE:
            bands.append((first, number))
            first, held = number, 0
        held += more
    return [*bands, (first, len(rows))]
