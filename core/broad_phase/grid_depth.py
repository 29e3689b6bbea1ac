# SPDX-License-Identifier: GPL-3.0-or-later
"""The depth of the grid, chosen from the scene (TSGO 2017, §2.2 and figure 3): the k of its 8^k cells."""
from dataclasses import dataclass

import numpy as np

from ..machine_code.jit import kernel
from ..trees.bounds import HIGH
from .grid_cells import MAX_DEPTH, Cube, cell_at

SMALL_UP_TO = 4.0           # an object is small up to this times the median edge of what moves
CELL_NS, TEST_NS = 30.0, 3.0    # nanoseconds that an item costs per cell, and a pair of them in one cell
SUB_OBJECT_NS = 6.0         # that a sub-object of a large object costs per call, if there are a hundred
LEVEL_NS = 300.0            # that a small object saves with each level of a large one's tree above its sub-objects
EDGE_BITS = 12              # of edges that count: the last ones hold margins, and the rounding of a new fit
SPACED_BITS = sum(((np.arange(1 << MAX_DEPTH, dtype=np.int64) >> bit) & 1) << (3 * bit) for bit in range(MAX_DEPTH))
# SPACED_BITS[n]: the bits of n, two zeros between any two


def deepest(edge: float, largest_small: float) -> int:
    """k_max with L / 2^(k_max + 1) ≤ MaxSmallL < L / 2^k_max, at most MAX_DEPTH; 0 where nothing is smaller than L.

    edge: L; largest_small: MaxSmallL.
    """
    k = 0
    while k < MAX_DEPTH and edge / 2 ** (k + 1) > largest_small:
        k += 1
    return k


def largest_small(edges: np.ndarray, static: np.ndarray) -> float:
    """MaxSmallL: the longest edge of the small objects that move. Large objects that are not marked as static stand out
    by their size. edges: (n,) float64, of the objects' root boxes; static: (n,) bool."""
    moving = edges[~static]
    with np.errstate(over="ignore"):
        return float(moving[moving <= SMALL_UP_TO * np.median(moving)].max()) if len(moving) else 0.0


def rounded(edges: np.ndarray) -> np.ndarray:
    """Edges (n,) float64 to EDGE_BITS bits, so that they do not depend on an object's pose."""
    mantissa, exponent = np.frexp(edges)
    return np.ldexp(np.round(np.ldexp(mantissa, EDGE_BITS)), exponent - EDGE_BITS)


@dataclass(frozen=True, eq=False)
class Estimate:
    """The expected work of a call at each depth 0 ≤ k ≤ k_max, without what depends on where objects are: items in
    cells, pairs of them there, descents near sub-objects.

    At a larger depth, a cell holds fewer pairs and descents begin nearer to the triangles. But an object is in more
    cells, and large objects have more sub-objects.
    """

    moving: np.ndarray      # (k,) int64, the small objects that move
    cells: np.ndarray       # (k_max + 1,) float64, that one of these is in, on average
    sub_objects: np.ndarray  # (k_max + 1,) float64, nanoseconds for sub-objects, less what they save

    @classmethod
    def of(cls, edge: float, edges: np.ndarray, triangles: np.ndarray, static: np.ndarray) -> "Estimate":
        """The estimate for a scene. edge: of the cube; edges: (n,) float64, the longest of the objects' root boxes,
        `rounded`; triangles: (n,) int64; static: (n,) bool."""
        small = largest_small(edges, static)
        moving, large = np.flatnonzero(~static & (edges <= small)), edges > small
        side = np.ldexp(1.0, np.arange(deepest(edge, small) + 1))[:, None]
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            length = np.nan_to_num(np.minimum(edges / edge, 1.0)) * side            # in cells
        cells, sub_objects = np.zeros((2, len(side)))
        if len(moving):
            cells = (1.0 + length[:, moving].mean(axis=1)) ** 3
        if large.any():
            many = np.clip(4.0 * length[:, large] ** 2, 1.0, triangles[large])
            sub_objects = (SUB_OBJECT_NS * many.sum(axis=1)
                           - LEVEL_NS * len(moving) * np.log2(many).mean(axis=1))
        return cls(moving, cells, sub_objects)

    def best(self, cube: Cube, bounds: np.ndarray) -> int:
        """The depth with the least work, for the cells of a cube. bounds: (n,6) float64, world boxes of the objects."""
        crowd = crowds(cube, bounds, self.moving, len(self.cells) - 1)
        return int(np.argmin(self.cells * (CELL_NS * len(self.moving) + TEST_NS * crowd) + self.sub_objects))


def crowds(cube: Cube, bounds: np.ndarray, which: np.ndarray, most: int) -> np.ndarray:
    """(most + 1,) float64: for each depth up to `most`, the sum over cells of the squared number of objects there.

    An object is where the middle of its bounds (n,6) is. which: (k,) int64, the objects.
    """
    grid, numbers, squares = Cube(cube.origin, cube.edge, most), np.empty(len(which), np.int64), np.empty(most + 1)
    number_cells(bounds, which, grid.origin, grid.scale, grid.side, SPACED_BITS, numbers)
    numbers.sort()
    sum_squares(numbers, squares)
    return squares


@kernel
def number_cells(bounds, which, origin, scale, side, spaced_bits, numbers):
    """numbers (k,) = the cells of the middles of some bounds. Cells are numbered along a Morton curve: the eight that a
    cell of the next smaller depth is divided into follow one another. spaced_bits: SPACED_BITS."""
    for k in range(which.shape[0]):
        numbers[k] = 0
        for x in range(3):
            middle = 0.5 * bounds[which[k], x] + 0.5 * bounds[which[k], HIGH + x]
            numbers[k] |= spaced_bits[cell_at((middle - origin[x]) * scale, side, 0)] << x


@kernel
def sum_squares(numbers, squares):
    """squares[k]: see `crowds`. numbers: (n,) int64, ascending."""
    most = squares.shape[0] - 1
    for k in range(most + 1):
        shift = 3 * (most - k)
        squares[k] = 0.0
        crowd = 1.0
        for i in range(1, numbers.shape[0]):
            if numbers[i] >> shift != numbers[i - 1] >> shift:
                squares[k] += crowd * crowd
                crowd = 0.0
            crowd += 1.0
        squares[k] += crowd * crowd
