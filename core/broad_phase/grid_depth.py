# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep the grid should be (TSGO 2017, §2.2 and figure 3): k of the 8^k cells, chosen from the scene."""
import numpy as np

from .grid_cells import MAX_DEPTH, Cube

SMALL = 4.0                 # an object is small up to this times the median edge of what moves
CELL, TEST = 30.0, 3.0      # nanoseconds that an item costs per cell, and a pair of them in one cell
PART = 6.0                  # that a part of a large object costs per call, if there are a hundred
LEVEL = 300.0               # that a small object saves with each level of a large one's tree above its parts


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


def choose_depth(cube: Cube, centres: np.ndarray, edges: np.ndarray, triangles: np.ndarray, static: np.ndarray) -> int:
    """The depth 0 ≤ k ≤ k_max with the least expected work: items in cells, pairs of them there, descents near parts.

    Deeper, there are fewer pairs in a cell and descents begin nearer to the triangles, but an object is in more cells,
    and large ones have more parts. centres: (n,3) float64, edges: (n,) float64, of the objects' boxes; triangles: (n,)
    int64.
    """
    small = largest_small(edges, static)
    moving, large = ~static & (edges <= small), edges > small
    best, least = 0, np.inf
    for k in range(deepest(cube.edge, small) + 1):
        grid = Cube(cube.origin, cube.edge, k)
        cell, _ = grid.cells_between(grid.places(centres[moving]), grid.places(centres[moving]))
        _, crowd = np.unique(cell @ (1, grid.side, grid.side ** 2), return_counts=True)
        length = np.minimum(edges * grid.scale, grid.side)                  # in cells
        cells = (1.0 + float(length[moving].mean())) ** 3 if moving.any() else 0.0
        work = cells * (CELL * moving.sum() + TEST * float((crowd.astype(float) ** 2).sum()))
        parts = np.clip(4.0 * length[large] ** 2, 1.0, triangles[large])
        if len(parts):
            work += PART * parts.sum() - LEVEL * moving.sum() * float(np.log2(parts).mean())
        if work < least:
            best, least = k, work
    return best
