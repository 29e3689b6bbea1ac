# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes as particles before trees of oriented boxes: the hybrid of the 2018 document.

After Tang, Hou, Wu, Gong, Zhang and Zhong, "Hybrid collision detection algorithm based on particle conversion and
bounding box", Journal of Harbin Engineering University 39(10), 2018; docs/methods/particle.md.
"""
import numpy as np

from ..broad_phase.particles import close_pairs
from ..method import Method, Option
from ..mid_phase.obb_descend import LARGER_FIRST, LEAF_FIRST
from ..pair_table import PairTable
from ..run import Run
from ..search.obb_contacts import contacts_of_boxes
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import POSES_AT_ONCE, ObbTrees
from ..verdicts.of_placed import clearances, verdicts


def prepare(scene, selection, run: Run) -> ObbTrees:
    """The placed objects and their trees of oriented boxes (section 2.1)."""
    return ObbTrees.of(PlacedMeshes(scene, selection, run), run)


def broad_phase(trees: ObbTrees, selection, run: Run) -> tuple[np.ndarray, np.ndarray]:
    """The pairs whose particles are close enough to be boxes again (sections 2.2 and 2.3)."""
    centre, axes, half = _world_boxes(trees, run)
    # By how much larger boxes are looked at, where a clearance is asked for.
    tight = trees.placed.selection.bounds
    low, high = tight[:, :3] - selection.bounds[:, :3], selection.bounds[:, 3:] - tight[:, 3:]
    run.tick()
    a, b = close_pairs(centre, axes, half, run.tick, np.maximum(low, high),
                       count=lambda tests: run.count(broad_tests=tests))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def _world_boxes(trees: ObbTrees, run: Run) -> list[np.ndarray]:
    """centre, axes and half of the oriented boxes of all objects, as `ObbTrees.world_boxes` gives them."""
    parts = []
    for begin in range(0, max(1, len(trees.root)), POSES_AT_ONCE):
        run.tick()
        parts.append(trees.world_boxes(np.arange(begin, min(begin + POSES_AT_ONCE, len(trees.root)))))
    return [np.concatenate(column) for column in zip(*parts)]


def contacts(trees: ObbTrees, table: PairTable, run: Run):
    """Section 2.4, or the quicker order; both find the same."""
    return contacts_of_boxes(trees, table, run, run.options["descent"])


METHOD = Method(
    id="particle",
    title="Particles and Boxes",
    document="Tang et al.: Hybrid Collision Detection Algorithm Based on Particle Conversion and Bounding Box (2018)",
    summary="Objects become points at the distance of their boxes; pairs that are close go to trees of oriented boxes",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    welds=True,
    clearances=clearances,
    options=(
        Option("descent", "Descent", "Which of two boxes that meet gives way to its children.", LARGER_FIRST, choices=(
            (LARGER_FIRST, "The larger one, which mostly takes fewer tests"),
            (LEAF_FIRST, "One object's box down to a leaf of the other, then that leaf down the first, as published"))),
    ),
)
