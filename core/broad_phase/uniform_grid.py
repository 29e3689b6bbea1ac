# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of objects that share a cell of a uniform grid: the space partition that TSGO is compared with (2017, §2.4.4
and §4). Objects are registered whole, and anew at every call.

The paper's reference 7 takes all cells whose numbers lie between those of the two corners of a box's diagonal. With
a + b·m + c·m² these are whole rows and layers of the cube; or none where the numbers of the corners are not in order,
as for a box that is rotated. Here an object gets the block of cells from one corner of its world box to the other,
which holds every point of the object.
"""
from collections.abc import Iterator

import numpy as np

from ..records import GridBoxes, GridItems
from ..run import Run
from ..scene.select import Selection
from .cell_register import NO_ITEMS, blocks_sharing_cells, register_cells
from .grid_cells import Cube, cells_of_boxes


def uniform_grid_pairs(selection: Selection, depth: int, run: Run) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (a, b), int32 positions of the objects of allowed pairs, a < b, each pair once, in no order.

    They come in blocks: there may be as many as all pairs. The run's broad_tests grow by the pairs that met in a cell,
    once for each cell that they share.
    """
    bounds, n = selection.bounds, len(selection.objects)
    cube = Cube.around(bounds, depth)
    first, last = cube.cells_between(cube.in_cells(bounds[:, :3]), cube.in_cells(bounds[:, 3:]))
    register = register_cells(first, last, cube.side, lambda *where: _blocks(*where, side=cube.side))
    unknown = np.full((n, 3), np.nan)       # no projections: pairs go to the boxes' test as they are
    whole = GridItems(np.arange(n, dtype=np.int64), np.zeros(n, np.int32), unknown, unknown, register)
    stats = np.zeros(1, np.int64)
    for found in blocks_sharing_cells(whole, NO_ITEMS, whole.owner, run.tick, stats):
        allowed = selection.allows(found[:, 0], found[:, 1])
        yield found[allowed, 0], found[allowed, 1]
    run.count(broad_tests=int(stats[0]))


def _blocks(first, last, start, cells, *, side: int) -> int:
    """Write all cells from first to last, whatever is in them; returns their number."""
    n = len(first)
    nowhere, untested = np.zeros((n, 3)), np.zeros(n, np.uint8)
    boxes = GridBoxes(nowhere, np.zeros((n, 3, 3)), nowhere, nowhere, nowhere, first, last, untested)
    return cells_of_boxes(boxes, untested, first, last, side, np.empty((12, 5)), start, cells)
