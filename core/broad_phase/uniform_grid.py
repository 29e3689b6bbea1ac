# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects that share a cell of a uniform grid: the space partition that TSGO is compared with (2017, §2.4.4
and §4), objects whole and registered anew at every call.

The paper's reference 7 takes all cells whose numbers lie between those of the two corners of a box's diagonal: with
a + b·m + c·m² that runs through whole rows and layers of the cube, and where the numbers of the corners are not in
order, as for a box that is turned, through none. Here it is the block of cells from one corner of the world box to the
other, which holds every point of the object.
"""
from collections.abc import Iterator

import numpy as np

from ..run import Run
from .cell_register import NO_ITEMS, Items, Register, blocks_sharing_cells
from .grid_cells import Cube, cells_of_boxes


def uniform_grid_pairs(selection, depth: int, run: Run) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(a, b): int32 positions of the objects of each allowed pair, a < b, each once, in no order, some at a time: there
    may be as many as all pairs. run: run.Run, whose broad_tests grow by the pairs that met in a cell, once for
    each cell that they share."""
    bounds, n = selection.bounds, len(selection.objects)
    cube = Cube.around(bounds, depth)
    first, last = cube.cells_between(cube.places(bounds[:, :3]), cube.places(bounds[:, 3:]))
    register = Register.of(first, last, cube.side, lambda *where: _blocks(*where, side=cube.side))
    unknown = np.full((n, 3), np.nan)       # no projections: pairs go to the boxes' test as they are
    whole = Items(np.arange(n, dtype=np.int64), np.zeros(n, np.int32), unknown, unknown, register)
    tally = np.zeros(1, np.int64)
    for found in blocks_sharing_cells(whole, NO_ITEMS, whole.owner, run.tick, tally):
        allowed = selection.allows(found[:, 0], found[:, 1])
        yield found[allowed, 0], found[allowed, 1]
    run.count(broad_tests=int(tally[0]))


def _blocks(first, last, start, cells, *, side: int) -> int:
    """All cells from first to last."""
    n = len(first)
    return cells_of_boxes(np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3)), first, last, np.zeros(n, np.uint8),
                          side, np.empty((12, 5)), start, cells)
