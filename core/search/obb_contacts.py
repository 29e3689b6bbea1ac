# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs of objects by their trees of oriented boxes, from the roots down."""
from ..contacts import Contacts
from ..mid_phase.obb_descend import LARGER_FIRST, search, search_chunks
from ..pair_table import PairTable
from ..run import Run
from ..trees.obb.trees import ObbTrees
from .contact_search import contacts_of_pairs


def contacts_of_boxes(trees: ObbTrees, table: PairTable, run: Run, order: str = LARGER_FIRST) -> Contacts:
    """The stage `contacts` of `Method`. Threads share the work even if one pair is most of it. order: LARGER_FIRST or
    LEAF_FIRST."""
    how = trees, table.a, table.b, run, order
    return contacts_of_pairs(table, trees.placed.corners, run, search(*how, tested=True), search_chunks(*how))
