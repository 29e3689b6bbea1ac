# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's cube and its 8^k cells, and which of them a box is in (TSGO 2017, §2.2 and §2.4).

All is computed in *cell units*: the cube's low corner is the origin and a cell is one long, so that cell (a, b, c) is
the unit cube from (a, b, c) on and errors of rounding do not depend on the scene's size or place. What is outside the
cube counts to the cells of its border: moving the three coordinates of a point into the cube keeps their order, so that
boxes with a common point, wherever it is, still have a common cell.
"""
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..machine_code.jit import kernel

MAX_DEPTH = 8
MOST_STEPS = 2.0 ** 40      # of a steady cube, that it may be away from the origin
BESIDE = 0.38               # of a step, from the origin: where objects made to whole numbers seldom end
NEAR = 27                   # cells around a cell, itself included
# A cell is left out where an axis has the box on one side and the cell on the other by more than this, relative to
# the size of the numbers. Positions are three roundings off, half sizes and products of axes four, sums of six terms
# another six, all within 2^-49 of that size.
NOISE = 2.0 ** -44


@dataclass(frozen=True, eq=False)
class Cube:
    """The scene cube: its low corner, the length L of its edge, and the depth k of its cells."""

    origin: np.ndarray      # (3,) float64
    edge: float
    depth: int

    @classmethod
    def around(cls, bounds: np.ndarray, depth: int = 0) -> "Cube":
        """The published cube: from the lowest x, y, z on, as large as the largest extent. bounds: (n,6) float64."""
        low, high = np.empty((2, 3))
        extent(bounds, low, high)
        edge = max(end - start for start, end in zip(low.tolist(), high.tolist()))      # perhaps infinite
        return cls(low, edge, depth)

    @classmethod
    def steady(cls, bounds: np.ndarray, depth: int = 0) -> "Cube":
        """One that holds the published cube and follows what moves in steps, of a sixteenth to an eighth of its edge:
        at most a quarter longer, and the same for most small changes of a scene, though it depends on nothing else."""
        low, high = np.empty((2, 3))
        extent(bounds, low, high)
        ends = list(zip(low.tolist(), high.tolist()))
        edge = max(end - start for start, end in ends)
        step = math.ldexp(1.0, math.frexp(edge)[1] - 4)
        if not (edge > 0.0 and step > 0.0 and max(map(abs, sum(ends, ()))) <= step * MOST_STEPS):
            return cls.around(bounds, depth)
        steps = [(math.floor(start / step - BESIDE), math.ceil(end / step - BESIDE)) for start, end in ends]
        return cls(np.array([(first + BESIDE) * step for first, _ in steps]),
                   max(last - first for first, last in steps) * step, depth)

    @property
    def side(self) -> int:
        """m = 2^k: cells per axis."""
        return 1 << self.depth

    @property
    def cell(self) -> float:
        """GridL = L / 2^k: the edge of a cell."""
        return self.edge / self.side

    @cached_property
    def scale(self) -> float:
        """Cells per unit of length; 0 where the cube is too small or too large for that, so that all is in one cell."""
        with np.errstate(over="ignore", divide="ignore"):
            scale = float(np.float64(self.side) / np.float64(self.edge))
        return scale if np.isfinite(scale) else 0.0

    def places(self, points: np.ndarray) -> np.ndarray:
        """Points (…,3) in cell units; NaN or infinite for what is too far away to be computed with."""
        with np.errstate(over="ignore", invalid="ignore"):
            return (points - self.origin) * self.scale

    def cells_between(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """First and last cell (n,3) int64 per axis of the boxes between low and high, (n,3) in cell units; all cells of
        an axis where these are not numbers."""
        low, high = (np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high))
        first, last = (np.floor(np.clip(end, 0.0, self.side - 1.0)).astype(np.int64) for end in (low, high))
        return first, last


@kernel
def extent(bounds, low, high):
    """low, high (3,) = the ends of all boxes (n,6)."""
    for x in range(3):
        low[x] = bounds[0, x]
        high[x] = bounds[0, 3 + x]
        for i in range(1, bounds.shape[0]):
            low[x] = min(low[x], bounds[i, x])
            high[x] = max(high[x], bounds[i, 3 + x])


class GridBoxes:
    """Boxes in cell units, and the cells that they may be in.

    centre (n,3), axes (n,3,3) whose rows are the axes, half (n,3) float64; their projections on x, y and z from low
    (n,3) to high (n,3), a little larger than the boxes; first and last (n,3) int64, cells per axis that these begin and
    end in; inside (n,) uint8, whether the cube holds the object.
    """

    def __init__(self, cube: Cube, trees, owner: np.ndarray, node: np.ndarray, reach: float, bounds: np.ndarray):
        """Boxes of nodes, one each, made larger by `reach` on every side.

        trees: trees.obb.ObbTrees; owner: (n,) int64, position of the object that a box belongs to; node: (n,) int32;
        bounds: (objects,6) float64, world boxes of all objects.
        """
        n = len(owner)
        self.axes = np.empty((n, 3, 3))
        self.centre, self.half, self.low, self.high = np.empty((4, n, 3))
        self.first, self.last = np.empty((2, n, 3), np.int64)
        self.inside = np.empty(n, np.uint8)
        origin, edge = np.ldexp(cube.origin, trees.shift), float(np.ldexp(cube.edge, trees.shift))
        scale = cube.side / edge if cube.scale > 0.0 else 0.0
        if reach > 0.0:
            with np.errstate(over="ignore"):
                reach = float(np.ldexp(reach, trees.shift))
        place_boxes(owner, node, trees.turn, trees.place, trees.size, trees.margin, trees.centre, trees.axes,
                    trees.half, reach, origin, scale, cube.side, self.centre, self.axes, self.half, self.low,
                    self.high, self.first, self.last)
        place_objects(owner, bounds, cube.origin, cube.scale, cube.side, self.inside)


@kernel
def place_boxes(owner, node, turn, place, size, margin, centre, axes, half, reach, origin, scale, side, grid_centre,
                grid_axes, grid_half, low, high, first, last):
    """Boxes of trees (turn … half: see `ObbTrees`) in cell units. origin, scale, reach: in the trees' common frame."""
    for i in range(owner.shape[0]):
        obj = owner[i]
        k = node[i]
        for x in range(3):
            grid_half[i, x] = (size[obj] * half[k, x] + margin[obj] + reach) * scale
            for j in range(3):
                grid_axes[i, j, x] = (turn[obj, x, 0] * axes[k, j, 0] + turn[obj, x, 1] * axes[k, j, 1]
                                      + turn[obj, x, 2] * axes[k, j, 2])
        for x in range(3):
            way = turn[obj, x, 0] * centre[k, 0] + turn[obj, x, 1] * centre[k, 1] + turn[obj, x, 2] * centre[k, 2]
            at = (place[obj, x] + size[obj] * way - origin[x]) * scale
            extent = (abs(grid_axes[i, 0, x]) * grid_half[i, 0] + abs(grid_axes[i, 1, x]) * grid_half[i, 1]
                      + abs(grid_axes[i, 2, x]) * grid_half[i, 2])
            extent += NOISE * (abs(at) + extent)
            grid_centre[i, x] = at
            low[i, x] = at - extent
            high[i, x] = at + extent
            first[i, x] = cell_at(at - extent, side, 0)
            last[i, x] = cell_at(at + extent, side, side - 1)


@kernel
def place_objects(owner, bounds, origin, scale, side, inside):
    """inside[i] = the cube holds the object owner[i], but for rounding that NOISE allows for."""
    for i in range(owner.shape[0]):
        within = True
        for x in range(3):
            within &= (bounds[owner[i], x] - origin[x]) * scale >= 0.0
            within &= (bounds[owner[i], 3 + x] - origin[x]) * scale <= side * (1.0 + 0.25 * NOISE)
        inside[i] = within


@kernel
def cell_at(place, side, unknown):
    """The cell that a coordinate in cell units is in, or nearest to; `unknown` for NaN."""
    if place < 1.0:
        return np.int64(0)
    if place < side:
        return np.int64(place)
    return np.int64(side - 1 if place >= side else unknown)


@kernel
def cell_id(a, b, c, side):
    """a + b·m + c·m²: the number of the cell a-th along x, b-th along y and c-th along z (§2.4.1)."""
    return a + side * (b + side * c)


@kernel
def neighbours(cell, side, near):
    """Write the numbers of the up to 27 cells that meet a cell, itself included, to near (NEAR,); returns how many.

    The published sums i ± 1 ± m ± m² run over the faces of the cube into cells of its far side, which a test of the
    distance then drops; here only coordinates within the cube are used (§2.4.3).
    """
    a = cell % side
    b = cell // side % side
    c = cell // (side * side)
    count = 0
    for z in range(max(0, c - 1), min(side, c + 2)):
        for y in range(max(0, b - 1), min(side, b + 2)):
            for x in range(max(0, a - 1), min(side, a + 2)):
                near[count] = cell_id(x, y, z, side)
                count += 1
    return count


@kernel
def cells_of_boxes(centre, axes, half, first, last, tested, side, table, start, cells):
    """Cells that overlap each box: of those from first to last (n,3) all but where one of twelve axes separates the
    box from the cell. tested: (n,) uint8, 0: all cells from first to last.

    start: (n + 1,) int64, where the cells of a box begin in `cells`, which has room for all. table: (12,5) scratch.
    The three axes of the grid are in first and last already.
    """
    count = 0
    for i in range(centre.shape[0]):
        start[i] = count
        several = first[i, 0] < last[i, 0] or first[i, 1] < last[i, 1] or first[i, 2] < last[i, 2]
        rows = separating_axes(i, centre, axes, half, side, table) if several and tested[i] else 0
        for c in range(first[i, 2], last[i, 2] + 1):
            for b in range(first[i, 1], last[i, 1] + 1):
                for a in range(first[i, 0], last[i, 0] + 1):
                    outside = 0
                    for r in range(rows):
                        place = table[r, 0] * (a + 0.5) + table[r, 1] * (b + 0.5) + table[r, 2] * (c + 0.5)
                        outside |= abs(place - table[r, 3]) > table[r, 4]
                    cells[count] = cell_id(a, b, c, side)
                    count += 1 - outside
    start[centre.shape[0]] = count
    return count


@kernel
def separating_axes(i, centre, axes, half, side, table):
    """Fill the table with axes that can separate box i from a cell: direction (3), where the box is along it, half of
    what box and cell take up there together; returns their number. The axes of the box, and these across x, y, z."""
    size = np.float64(side)
    for x in range(3):
        size += abs(centre[i, x]) + half[i, x]
    for j in range(3):
        for x in range(3):
            y = (x + 1) % 3
            z = (x + 2) % 3
            table[j, x] = axes[i, j, x]
            row = 3 + 3 * j + x
            table[row, x] = 0.0
            table[row, y] = -axes[i, j, z]
            table[row, z] = axes[i, j, y]
    for row in range(12):
        place = 0.0
        reach = NOISE * size
        for x in range(3):
            place += table[row, x] * centre[i, x]
            reach += 0.5 * abs(table[row, x])
        for j in range(3):
            reach += half[i, j] * abs(table[row, 0] * axes[i, j, 0] + table[row, 1] * axes[i, j, 1]
                                      + table[row, 2] * axes[i, j, 2])
        table[row, 3] = place
        table[row, 4] = reach
    return 12


@kernel
def cells_of_diagonals(centre, axes, half, first, last, side, near, start, cells):
    """The published rule (§2.4.4): cells on the first diagonal of each box, and those of their neighbours that are on
    another one. A box overlaps more cells than that. Arguments as for `cells_of_boxes`; near: (NEAR,) int64 scratch."""
    count = 0
    for i in range(centre.shape[0]):
        start[i] = count
        for c in range(first[i, 2], last[i, 2] + 1):
            for b in range(first[i, 1], last[i, 1] + 1):
                for a in range(first[i, 0], last[i, 0] + 1):
                    cell = cell_id(a, b, c, side)
                    found = on_diagonal(i, centre, axes, half, 0, cell, side)
                    if not found and (on_diagonal(i, centre, axes, half, 1, cell, side)
                                      or on_diagonal(i, centre, axes, half, 2, cell, side)
                                      or on_diagonal(i, centre, axes, half, 3, cell, side)):
                        for n in range(neighbours(cell, side, near)):
                            found |= on_diagonal(i, centre, axes, half, 0, near[n], side)
                    cells[count] = cell
                    count += found
    start[centre.shape[0]] = count
    return count


@kernel
def on_diagonal(i, centre, axes, half, diagonal, cell, side):
    """Formula 6: min ≤ E + t·D ≤ max has a solution 0 ≤ t ≤ 1, for one of the diagonals P1P8, P2P7, P3P6, P4P5."""
    low = 0.0
    high = 1.0
    for x in range(3):
        corner = np.float64(cell % side)
        cell = cell // side
        d = half[i, 2] * axes[i, 2, x]
        d += half[i, 0] * axes[i, 0, x] * (1 - 2 * (diagonal & 1))
        d += half[i, 1] * axes[i, 1, x] * (1 - (diagonal & 2))
        e = centre[i, x] - d
        if d == 0.0:
            if e < corner or e > corner + 1.0:
                return False
            continue
        t = (corner - e) / (2.0 * d)
        u = (corner + 1.0 - e) / (2.0 * d)
        low = max(low, min(t, u))
        high = min(high, max(t, u))
    return low <= high
