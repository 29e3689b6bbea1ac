# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs of objects by their trees of oriented boxes, from the roots on."""
import numpy as np

from ..contacts import Contacts
from ..mid_phase.obb_descend import LARGER, parts, search
from ..run import Run
from ..trees.obb.trees import ObbTrees
from .contact_search import contacts_of_pairs


def contacts_of_boxes(trees: ObbTrees, a: np.ndarray, b: np.ndarray, run: Run, order: str = LARGER) -> Contacts:
    """The stage `contacts` of `Method`. Threads share the work even if one pair is most of it. order: see `search`."""
    how = trees, a, b, run, order
    return contacts_of_pairs(a, b, trees.placed.corners, run, search(*how, tested=True), parts(*how))
