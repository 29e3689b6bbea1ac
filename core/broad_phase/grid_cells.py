# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's cube and its 8^k cells, and which of them a box is in (TSGO 2017, §2.2 and §2.4).

All is computed in *cell units*: the cube's low corner is the origin and a cell is one long. Cell (a, b, c) is then the
unit cube from (a, b, c) on, and errors of rounding do not depend on the scene's size or position. What is outside the
cube counts to the cells of its border: moving the three coordinates of a point into the cube keeps their order, so
boxes with a common point, wherever it is, still have a common cell.
"""
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..machine_code.jit import kernel
from ..records import GridBoxes
from ..trees.bounds import HIGH, bounds_of_boxes
from ..trees.obb.nodes import AXES_AT, HALF_AT
from ..trees.obb.trees import POSE_MARGIN, POSE_POSITION, POSE_SIZE, ObbTrees

MAX_DEPTH = 8
MAX_STEPS_AWAY = 2.0 ** 40  # from the origin, of a steady cube
STEP_OFFSET = 0.38          # of a step: objects made to whole numbers seldom end there
NEIGHBOURS = 27             # cells around a cell, itself included
# A cell is left out where an axis separates it from the box by more than this, relative to the size of the numbers.
# Centres are three roundings off, half sizes and products of axes four, sums of six terms another six, all within 2^-49
# of that size.
CELL_NOISE = 2.0 ** -44


@dataclass(frozen=True, eq=False)
class Cube:
    """The scene cube: its low corner, the length L of its edge, and the depth k of its cells."""

    origin: np.ndarray      # (3,) float64
    edge: float
    depth: int

    @classmethod
    def around(cls, bounds: np.ndarray, depth: int = 0) -> "Cube":
        """The published cube: from the lowest x, y, z on, as large as the largest extent. bounds: (n,6) float64."""
        box = bounds_of_boxes(bounds)
        edge = max(high - low for low, high in zip(box[:HIGH], box[HIGH:]))     # perhaps infinite
        return cls(np.array(box[:HIGH]), edge, depth)

    @classmethod
    def steady(cls, bounds: np.ndarray, depth: int = 0) -> "Cube":
        """A cube that holds the published one and moves in steps of a sixteenth to an eighth of its edge.

        It is at most a quarter longer, and the same for most small changes of a scene, though nothing but this scene
        decides about it.
        """
        box = bounds_of_boxes(bounds)
        edge = max(high - low for low, high in zip(box[:HIGH], box[HIGH:]))
        step = math.ldexp(1.0, math.frexp(edge)[1] - 4)
        if not (edge > 0.0 and step > 0.0 and max(map(abs, box)) <= step * MAX_STEPS_AWAY):
            return cls.around(bounds, depth)
        steps = [(math.floor(low / step - STEP_OFFSET), math.ceil(high / step - STEP_OFFSET))
                 for low, high in zip(box[:HIGH], box[HIGH:])]
        return cls(np.array([(first + STEP_OFFSET) * step for first, _ in steps]),
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

    def in_cells(self, points: np.ndarray) -> np.ndarray:
        """Points (…,3) in cell units; NaN or infinite where they are too far away to be computed with."""
        with np.errstate(over="ignore", invalid="ignore"):
            return (points - self.origin) * self.scale

    def cells_between(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(first, last), (n,3) int64: the first and last cell per axis that boxes reach. low, high: (n,3), where these
        begin and end, in cell units; NaN gives all cells of an axis."""
        low, high = (np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high))
        first, last = (np.floor(np.clip(end, 0.0, self.side - 1.0)).astype(np.int64) for end in (low, high))
        return first, last


def grid_boxes(cube: Cube, trees: ObbTrees, owner: np.ndarray, node: np.ndarray, reach: float,
               bounds: np.ndarray) -> GridBoxes:
    """Boxes of nodes in cell units, one each, made larger by `reach` on every side.

    owner: (n,) int64, the object that a box belongs to; node: (n,) int32; bounds: (objects,6) float64, world boxes of
    all objects.
    """
    n = len(owner)
    boxes = GridBoxes(np.empty((n, 3)), np.empty((n, 3, 3)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3)),
                      np.empty((n, 3), np.int64), np.empty((n, 3), np.int64), np.empty(n, np.uint8))
    origin, edge = np.ldexp(cube.origin, trees.shift), float(np.ldexp(cube.edge, trees.shift))
    scale = cube.side / edge if cube.scale > 0.0 else 0.0
    if reach > 0.0:
        with np.errstate(over="ignore"):
            reach = float(np.ldexp(reach, trees.shift))
    place_boxes(owner, node, trees.placed_trees, reach, origin, scale, cube.side, boxes)
    mark_inside(owner, bounds, cube.origin, cube.scale, cube.side, boxes.inside)
    return boxes


@kernel
def place_boxes(owner, node, trees, reach, origin, scale, side, boxes):
    """Fill the boxes, but for `inside`. trees: PlacedObbTrees; origin, scale, reach: in common coordinates (see
    ObbTrees); boxes: GridBoxes."""
    poses = trees.poses
    tree_boxes = trees.boxes
    axes = boxes.axes
    half = boxes.half
    for i in range(owner.shape[0]):
        obj = owner[i]
        k = node[i]
        size = poses[obj, POSE_SIZE]
        for x in range(3):
            half[i, x] = (size * tree_boxes[k, HALF_AT + x] + poses[obj, POSE_MARGIN] + reach) * scale
            r0 = poses[obj, 3 * x]          # row x of the rotation
            r1 = poses[obj, 3 * x + 1]
            r2 = poses[obj, 3 * x + 2]
            for j in range(3):
                axis = AXES_AT + 3 * j
                axes[i, j, x] = (r0 * tree_boxes[k, axis] + r1 * tree_boxes[k, axis + 1]
                                 + r2 * tree_boxes[k, axis + 2])
        for x in range(3):
            way = (poses[obj, 3 * x] * tree_boxes[k, 0] + poses[obj, 3 * x + 1] * tree_boxes[k, 1]
                   + poses[obj, 3 * x + 2] * tree_boxes[k, 2])
            centre = (poses[obj, POSE_POSITION + x] + size * way - origin[x]) * scale
            extent = abs(axes[i, 0, x]) * half[i, 0] + abs(axes[i, 1, x]) * half[i, 1] + abs(axes[i, 2, x]) * half[i, 2]
            extent += CELL_NOISE * (abs(centre) + extent)
            boxes.centre[i, x] = centre
            boxes.low[i, x] = centre - extent
            boxes.high[i, x] = centre + extent
            boxes.first[i, x] = cell_at(centre - extent, side, 0)
            boxes.last[i, x] = cell_at(centre + extent, side, side - 1)


@kernel
def mark_inside(owner, bounds, origin, scale, side, inside):
    """inside[i] = 1 where the cube holds the object owner[i], but for rounding that CELL_NOISE allows for, else 0."""
    for i in range(owner.shape[0]):
        within = True
        for x in range(3):
            within &= (bounds[owner[i], x] - origin[x]) * scale >= 0.0
            within &= (bounds[owner[i], HIGH + x] - origin[x]) * scale <= side * (1.0 + 0.25 * CELL_NOISE)
        inside[i] = within


@kernel
def cell_at(coordinate, side, unknown):
    """The cell that a coordinate in cell units is in, or nearest to; `unknown` for NaN."""
    if coordinate < 1.0:
        return np.int64(0)
    if coordinate < side:
        return np.int64(coordinate)
    return np.int64(side - 1 if coordinate >= side else unknown)


@kernel
def cell_id(a, b, c, side):
    """a + b·m + c·m²: the number of the cell a-th along x, b-th along y and c-th along z (§2.4.1)."""
    return a + side * (b + side * c)


@kernel
def neighbours(cell, side, near):
    """near (NEIGHBOURS,) = the numbers of the cells that meet a cell, itself included; returns how many there are.

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
def cells_of_boxes(boxes, tested, first, last, side, table, start, cells):
    """cells = those that overlap each box; returns their number.

    Of the cells from first to last (n,3), those are left out that one of twelve axes separates from the box; the three
    axes of the grid are in first and last already. boxes: GridBoxes. tested: (n,) uint8, 0: all cells from first to
    last. table: (12,5) float64, scratch. start: (n + 1,) int64, where the cells of a box begin in `cells`, an array as
    long as all cells from first to last.
    """
    count = 0
    for i in range(first.shape[0]):
        start[i] = count
        several = first[i, 0] < last[i, 0] or first[i, 1] < last[i, 1] or first[i, 2] < last[i, 2]
        rows = separating_table(i, boxes, side, table) if several and tested[i] else 0
        for c in range(first[i, 2], last[i, 2] + 1):
            for b in range(first[i, 1], last[i, 1] + 1):
                for a in range(first[i, 0], last[i, 0] + 1):
                    outside = 0
                    for r in range(rows):
                        along = table[r, 0] * (a + 0.5) + table[r, 1] * (b + 0.5) + table[r, 2] * (c + 0.5)
                        outside |= abs(along - table[r, 3]) > table[r, 4]
                    cells[count] = cell_id(a, b, c, side)
                    count += 1 - outside
    start[first.shape[0]] = count
    return count


@kernel
def separating_table(i, boxes, side, table):
    """Fill the table with the axes that can separate box i from a cell; returns their number.

    A row has the direction (3), where the box's centre is along it, and half of what box and cell take up there
    together. The axes are those of the box, and the nine across them and x, y, z.
    """
    centre = boxes.centre
    axes = boxes.axes
    half = boxes.half
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
        along = 0.0
        reach = CELL_NOISE * size
        for x in range(3):
            along += table[row, x] * centre[i, x]
            reach += 0.5 * abs(table[row, x])
        for j in range(3):
            reach += half[i, j] * abs(table[row, 0] * axes[i, j, 0] + table[row, 1] * axes[i, j, 1]
                                      + table[row, 2] * axes[i, j, 2])
        table[row, 3] = along
        table[row, 4] = reach
    return 12


@kernel
def cells_of_diagonals(boxes, first, last, side, near, start, cells):
    """The published rule (§2.4.4): cells on the first diagonal of each box, and those of their neighbours that are on
    another diagonal. A box overlaps more cells than that. Arguments as for `cells_of_boxes`; near: (NEIGHBOURS,) int64,
    scratch."""
    centre = boxes.centre
    axes = boxes.axes
    half = boxes.half
    count = 0
    for i in range(first.shape[0]):
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
    start[first.shape[0]] = count
    return count


@kernel
def on_diagonal(i, centre, axes, half, diagonal, cell, side):
    """True where a diagonal of box i meets a cell: min ≤ E + t·D ≤ max has a solution 0 ≤ t ≤ 1 (formula 6). The
    diagonals are P1P8, P2P7, P3P6, P4P5."""
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
