# SPDX-License-Identifier: GPL-3.0-or-later
"""Space partition and oriented boxes: the hybrid that TSGO is compared with (docs/methods/hybrid.md).

A uniform grid sorts out objects that share no cell, trees of oriented boxes do the rest: no parts of large objects, no
projections, nothing kept in cells from call to call.
"""
import numpy as np

from ..broad_phase.grid_cells import MAX_DEPTH
from ..broad_phase.uniform_grid import uniform_grid_pairs
from ..method import Method, Option
from ..mid_phase.obb_roots import meeting_roots
from ..run import Run
from ..search.obb_contacts import contacts_of_boxes
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import ObbTrees
from ..verdicts.of_placed import clearances, verdicts


def prepare(scene, selection, run: Run) -> ObbTrees:
    return ObbTrees.of(PlacedMeshes(scene, selection, run), run)


def broad_phase(trees: ObbTrees, selection, run: Run):
    """Pairs that share a cell, of which there may be any number: those whose root boxes meet."""
    blocks = uniform_grid_pairs(selection, run.options["depth"], run)
    a, b = meeting_roots(trees, blocks, selection, run)
    order = np.lexsort((b, a))
    return a[order], b[order]


METHOD = Method(
    id="hybrid",
    title="Uniform Grid and Oriented Boxes",
    document="Wang, Xu: Collision Detection Algorithm in Complex Scenes Based on the Topological Spatial Grid (2017)",
    summary="Compares whole objects that share a cell of a uniform grid by trees of oriented boxes",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts_of_boxes,
    verdicts=verdicts,
    welds=True,
    clearances=clearances,
    options=(
        Option("depth", "Depth", "How often the scene's cube is halved, which gives 8 to the power of this cells.", 2,
               minimum=0, maximum=MAX_DEPTH),
    ),
)
