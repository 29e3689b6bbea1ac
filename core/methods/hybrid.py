# SPDX-License-Identifier: GPL-3.0-or-later
"""Space partition and oriented boxes: the hybrid that TSGO is compared with (docs/methods/hybrid.md).

A uniform grid sorts out objects that share no cell, trees of oriented boxes do the rest: no parts of large objects, no
projections, nothing kept in cells from call to call.
"""
from dataclasses import dataclass

from ..broad_phase.grid_cells import MAX_DEPTH
from ..broad_phase.uniform_grid import uniform_grid_pairs
from ..contacts import judging
from ..distance.gaps import near_pairs
from ..method import Method, Option
from ..mid_phase.obb_descend import search
from ..narrow_phase.sift import contacts_of_pairs
from ..scene.placed import PlacedMeshes
from ..trees.obb import ObbTrees


@dataclass(eq=False)
class Prepared:
    """What the stages hand on."""

    placed: PlacedMeshes
    trees: ObbTrees


def prepare(scene, selection, run) -> Prepared:
    placed = PlacedMeshes(scene, selection, run)
    return Prepared(placed, ObbTrees.of(placed, run))


def broad_phase(prepared: Prepared, selection, run):
    return uniform_grid_pairs(selection, run.options["depth"], run)


def contacts(prepared: Prepared, a, b, run):
    return contacts_of_pairs(a, b, prepared.placed.corners, run, search(prepared.trees, a, b, run))


def verdicts(prepared: Prepared, a, b, contacts, run):
    return judging.verdicts(prepared.placed.forest, a, b, contacts, run)


def clearances(prepared: Prepared, a, b, rows, clearance, run):
    return near_pairs(prepared.placed.forest, a, b, rows, clearance, run)


METHOD = Method(
    id="hybrid",
    title="Uniform Grid and Oriented Boxes",
    document="Wang, Xu: Collision Detection Algorithm in Complex Scenes Based on the Topological Spatial Grid (2017)",
    summary="Compares whole objects that share a cell of a uniform grid by trees of oriented boxes",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    clearances=clearances,
    options=(
        Option("depth", "Depth", "How often the scene's cube is halved, which gives 8 to the power of this cells.", 2,
               minimum=0, maximum=MAX_DEPTH),
    ),
)
