# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep the grid should be (TSGO 2017, §2.2 and figure 3): k of the 8^k cells, chosen from the scene."""
from dataclasses import dataclass

import numpy as np

from ..machine_code.jit import kernel
from .grid_cells import MAX_DEPTH, Cube, cell_at

SMALL = 4.0                 # an object is small up to this times the median edge of what moves
CELL, TEST = 30.0, 3.0      # nanoseconds that an item costs per cell, and a pair of them in one cell
PART = 6.0                  # that a part of a large object costs per call, if there are a hundred
LEVEL = 300.0               # that a small object saves with each level of a large one's tree above its parts
MANTISSA = 12               # bits of edges that count: the last ones hold margins, and the rounding of a new fit
APART = sum(((np.arange(1 << MAX_DEPTH, dtype=np.int64) >> bit) & 1) << (3 * bit) for bit in range(MAX_DEPTH))
# APART[n]: the bits of n, two zeros between any two


def deepest(edge: float, largest_small: float) -> int:
    """k_max: L / 2^(k_max + 1) ≤ MaxSmallL < L / 2^k_max, at most MAX_DEPTH; 0 where nothing is smaller than L."""
    k = 0
    while k < MAX_DEPTH and edge / 2 ** (k + 1) > largest_small:
        k += 1
    return k


def largest_small(edges: np.ndarray, static: np.ndarray) -> float:
    """MaxSmallL: the longest edge of the small objects that move. Where large ones are not marked as static, they stand
    out by their size. edges: (n,) float64, of the objects' root boxes; static: (n,) bool."""
    moving = edges[~static]
    with np.errstate(over="ignore"):
        return float(moving[moving <= SMALL * np.median(moving)].max()) if len(moving) else 0.0


def rounded(edges: np.ndarray) -> np.ndarray:
    """Edges (n,) float64 to MANTISSA bits, so that they do not depend on where an object stands."""
    mantissa, exponent = np.frexp(edges)
    return np.ldexp(np.round(np.ldexp(mantissa, MANTISSA)), exponent - MANTISSA)


@dataclass(frozen=True, eq=False)
class Estimate:
    """The expected work of a call at each depth 0 ≤ k ≤ k_max, but for where objects are: items in cells, pairs of them
    there, descents near parts.

    Deeper, there are fewer pairs in a cell and descents begin nearer to the triangles, but an object is in more cells,
    and large ones have more parts.
    """

    moving: np.ndarray      # (k,) int64, the small objects that move
    cells: np.ndarray       # (k_max + 1,) float64, that one of these is in, on average
    parts: np.ndarray       # (k_max + 1,) float64, nanoseconds for parts, less what they save

    @classmethod
    def of(cls, edge: float, edges: np.ndarray, triangles: np.ndarray, static: np.ndarray) -> "Estimate":
        """edge: of the cube; edges: (n,) float64, the longest of the objects' root boxes, `rounded`; triangles: (n,)
        int64; static: (n,) bool."""
        small = largest_small(edges, static)
        moving, large = np.flatnonzero(~static & (edges <= small)), edges > small
        side = np.ldexp(1.0, np.arange(deepest(edge, small) + 1))[:, None]
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            length = np.nan_to_num(np.minimum(edges / edge, 1.0)) * side            # in cells
        cells, parts = np.zeros((2, len(side)))
        if len(moving):
            cells = (1.0 + length[:, moving].mean(axis=1)) ** 3
        if large.any():
            many = np.clip(4.0 * length[:, large] ** 2, 1.0, triangles[large])
            parts = PART * many.sum(axis=1) - LEVEL * len(moving) * np.log2(many).mean(axis=1)
        return cls(moving, cells, parts)

    def best(self, cube: Cube, bounds: np.ndarray) -> int:
        """The depth with the least of it, of the cells of a cube. bounds: (n,6) float64, world boxes of the objects."""
        crowd = crowds(cube, bounds, self.moving, len(self.cells) - 1)
        return int(np.argmin(self.cells * (CELL * len(self.moving) + TEST * crowd) + self.parts))


def crowds(cube: Cube, bounds: np.ndarray, which: np.ndarray, most: int) -> np.ndarray:
    """(most + 1,) float64: at each depth up to that, the sum of the squares of how many objects have the middle of
    their bounds (n,6) in a cell. which: (k,) int64, the objects."""
    grid, numbers, squares = Cube(cube.origin, cube.edge, most), np.empty(len(which), np.int64), np.empty(most + 1)
    number_cells(bounds, which, grid.origin, grid.scale, grid.side, APART, numbers)
    numbers.sort()
    sum_squares(numbers, squares)
    return squares


@kernel
def number_cells(bounds, which, origin, scale, side, apart, numbers):
    """numbers (k,) = the cells of the middles of some bounds, numbered so that the eight cells that one of half the
    depth is divided into follow each other. apart: APART."""
    for k in range(which.shape[0]):
        numbers[k] = 0
        for x in range(3):
            middle = 0.5 * bounds[which[k], x] + 0.5 * bounds[which[k], 3 + x]
            numbers[k] |= apart[cell_at((middle - origin[x]) * scale, side, 0)] << x


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
