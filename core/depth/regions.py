# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage `regions`: where the objects of each pair meet, and how deep they reach into each other there."""
import numpy as np

from ..codes import CONTAINED, CROSSING, OVERLAP
from ..contacts import Contacts
from ..errors import Cancelled
from ..findings import REGION_DTYPE
from ..pair_table import PairTable
from ..run import Run
from ..trees.bvh.forest import Forest
from .depths import inside_bits
from .region_depths import measure_patches
from .region_division import Division

MOST_DIVIDED_CONTACTS = 1 << 17     # of a pair
DIVIDING = 0.25             # of the time: the rest measures what was divided


def measure_regions(forest: Forest, table: PairTable, run: Run) -> tuple[np.ndarray, np.ndarray]:
    """(regions, known): structured array of REGION_DTYPE, `pair` being the row of the table, ordered by it, the deepest
    first; (pairs,) bool, whether the regions of a pair are listed. docs/depth.md says which pairs have none.

    Depths must have been measured. A run that is cancelled meanwhile leaves pairs out.
    """
    known, regions = np.zeros(len(table), bool), [np.zeros(0, REGION_DTYPE)]
    rows = np.flatnonzero(np.isin(table.verdict, (CONTAINED, OVERLAP, CROSSING)) & table.finished
                          & ~np.isnan(table.measured["depth"]))
    contacts = Contacts.empty() if table.contacts is None else table.contacts
    first, last = (np.searchsorted(contacts.pair, rows, side) for side in ("left", "right"))
    divided = last - first <= MOST_DIVIDED_CONTACTS
    if table.cut is not None:
        divided &= last - first == table.cut.found[rows]
    rows, first, last = rows[divided], first[divided], last[divided]
    if len(rows) and not run.cancelled:
        decides = inside_bits(forest, table.a[rows], table.b[rows])
        try:
            for batch in forest.batches(table.a[rows], table.b[rows]):
                with run.share(batch.start / len(rows), (batch.stop - batch.start) / len(rows)):
                    division = Division(forest, table, decides, contacts, run)
                    with run.share(0.0, DIVIDING):
                        found = division.of(rows[batch], first[batch], last[batch])
                    with run.share(DIVIDING, 1.0 - DIVIDING):
                        measure_patches(forest, table, decides, found, run)
                known[found.rows] = True
                regions.append(found.regions)
        except Cancelled:
            pass
    every = np.concatenate(regions)
    ends = every["depth_points"].mean(axis=1)
    every["point"] = np.where(np.isnan(ends), every["point"], ends)
    return every[np.lexsort((-every["depth"], every["pair"]))], known
