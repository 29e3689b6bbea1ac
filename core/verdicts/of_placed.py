# SPDX-License-Identifier: GPL-3.0-or-later
"""The last two stages of methods that find contacts in trees of their own: verdicts and clearances as of all exact
methods, asked of the trees that belong to the placed meshes."""
from ..distance.gaps import near_pairs
from ..pair_table import PairTable
from ..run import Run
from . import judging


def verdicts(objects, table: PairTable, run: Run):
    """The stage `verdicts` of `Method`. objects: whatever has trees.bvh.placed.PlacedMeshes as `placed`."""
    return judging.verdicts(objects.placed.forest, table, run)


def clearances(objects, table: PairTable, rows, run: Run):
    """The stage `clearances` of `Method`."""
    return near_pairs(objects.placed.forest, table, rows, run)
