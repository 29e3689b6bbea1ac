# SPDX-License-Identifier: GPL-3.0-or-later
"""A tolerance that follows from single precision, and is larger than what is tested: who is to blame for it."""
import numpy as np

from ..codes import TOUCHING
from ..pair_table import PairTable
from ..scene.scene import Layout
from ..scene.select import Selection
from ..shown import escaped
from .asked import Tolerance


def note_of_coarse(tolerance: Tolerance, layout: Layout, selection: Selection, table: PairTable) -> str | None:
    """A sentence that names the object with the largest share in such tolerances, where pairs touch by nothing else;
    None where none do.

    One vertex that is far off is enough: nothing of the object can be placed any better than that vertex.
    """
    rows = np.flatnonzero((table.verdict == TOUCHING) & (table.exact != TOUCHING))
    if len(rows) == 0:
        return None
    with np.errstate(over="ignore"):
        length = (selection.bounds[:, 3:] - selection.bounds[:, :3]).max(axis=1)
    a, b = table.a[rows], table.b[rows]
    rows = rows[tolerance.of_pairs(a, b) >= np.minimum(length[a], length[b])]
    if len(rows) == 0:
        return None
    sides = np.unique(np.concatenate([table.a[rows], table.b[rows]]))
    worst = selection.objects[sides[np.argmax(tolerance.shares[sides])]]
    return (f"{escaped(layout.names[worst])} has coordinates so large that the automatic tolerance is longer than "
            "other objects: pairs with it touch by that alone. Their exact verdicts stand beside; a tolerance of 0 "
            "judges by them.")
