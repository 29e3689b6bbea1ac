# SPDX-License-Identifier: GPL-3.0-or-later
"""TSGO: a topological spatial grid, then trees of oriented boxes (docs/methods/tsgo.md).

Wang Zhenwen and Xu Hua, "Collision detection algorithm in complex scenes based on the topological spatial grid",
Computer Systems & Applications 26(12), 2017. Large objects are registered in parts, so that objects near one are
compared with the parts near them only, and the descent begins there.
"""
from dataclasses import dataclass, field

import numpy as np

from ..broad_phase.grid_cells import MAX_DEPTH
from ..broad_phase.topological_grid import AUTOMATIC_DEPTH, DIAGONAL_CELLS, EXACT_CELLS, TopologicalGrid
from ..method import Method, Option
from ..mid_phase.obb_descend import LARGER_FIRST, LEAF_FIRST, search, search_chunks
from ..pair_table import PairTable
from ..parallel import CHUNKS_PER_THREAD
from ..run import Run
from ..scene import Scene
from ..scene.tiny import BOX, BOX_TRIANGLES
from ..search.contact_search import contacts_of_pairs
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import ObbTrees
from ..verdicts.of_placed import clearances, verdicts

WORTH_A_THREAD = 1 << 15        # triangles in the parts that are compared: half a millisecond


@dataclass(eq=False)
class Prepared:
    """What the stages hand on; tasks: (k,3) int32, see `TopologicalGrid.pairs`."""

    placed: PlacedMeshes
    trees: ObbTrees
    grid: TopologicalGrid
    tasks: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int32))


def prepare(scene, selection, run: Run) -> Prepared:
    placed = PlacedMeshes(scene, selection, run)
    trees = ObbTrees.of(placed, run)
    grid = TopologicalGrid(placed, trees, selection, run.options["cells"], run.options["depth"], run.options["split"])
    if run.options["depth"] == AUTOMATIC_DEPTH:
        cells = f"{grid.cube.side} cells" if grid.cube.depth else "one cell"
        run.note(f"Depth {grid.cube.depth} was taken: {cells} along each edge of the scene's cube.")
    if run.options["cells"] == DIAGONAL_CELLS:
        run.note("Cells were found by diagonals, as published: pairs of objects, and contacts, may be missing.")
    return Prepared(placed, trees, grid)


def broad_phase(prepared: Prepared, selection, run: Run):
    a, b, prepared.tasks = prepared.grid.pairs(selection, run)
    return a, b


def contacts(prepared: Prepared, table: PairTable, run: Run):
    tasks, count, corners = table.own_tasks(prepared.tasks), prepared.trees.count, prepared.placed.corners
    work = int(count[tasks[:, 1]].sum() + count[tasks[:, 2]].sum())
    number = min(CHUNKS_PER_THREAD * run.threads, 1 + work // WORTH_A_THREAD)
    found = prepared.trees, table.a, table.b, run, run.options["descent"]
    if not run.contacts_wanted:         # where one crossing ends a pair, the order of its tasks can be told
        tasks = tasks[np.lexsort(tasks.T[::-1])]
    if run.threads > 1 and len(tasks) < number:         # a few large parts, which threads are to share, too
        return contacts_of_pairs(table, corners, run, search(*found, tested=True), search_chunks(*found, tasks=tasks))
    number = min(len(tasks), number)
    return contacts_of_pairs(table, corners, run, search(*found), [tasks[i::number] for i in range(number)])


def warm_up(detect):
    """A large object in parts, by overlap and by diagonals, in a grid of a given depth and of a chosen one."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for place, size, static in ((0.0, 9.0, True), (1.0, 1.0, False), (1.5, 1.0, False)):
        pose = np.diag([size, size, size, 1.0])
        pose[:3, 3] = place
        scene.add_object(mesh, pose, static=static)
    for cells in (EXACT_CELLS, DIAGONAL_CELLS):
        detect(scene, options={"depth": 2, "cells": cells})
    detect(scene)


METHOD = Method(
    id="tsgo",
    title="Topological Grid (TSGO)",
    document="Wang, Xu: Collision Detection Algorithm in Complex Scenes Based on the Topological Spatial Grid (2017)",
    summary="Sorts objects, large ones in parts, into the cells of a grid, and compares what shares a cell by trees of "
            "oriented boxes",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts,
    verdicts=verdicts,
    welds=True,
    clearances=clearances,
    warm_up=warm_up,
    options=(
        Option("cells", "Cells", "How the cells are found that an object is in.", EXACT_CELLS, choices=(
            (EXACT_CELLS, "Every cell that its oriented box overlaps: no pair is lost"),
            (DIAGONAL_CELLS, "Cells on the box's diagonals, as published: quicker to find, but pairs are lost")),
            may_lose=(DIAGONAL_CELLS,)),
        Option("depth", "Depth", "How often the scene's cube is halved, which gives 8 to the power of this cells; -1 "
               "chooses it from the sizes of the objects.",
               AUTOMATIC_DEPTH, minimum=AUTOMATIC_DEPTH, maximum=MAX_DEPTH, automatic=AUTOMATIC_DEPTH),
        Option("descent", "Descent", "Which of two boxes that meet gives way to its children.", LARGER_FIRST, choices=(
            (LARGER_FIRST, "The larger one, which mostly takes fewer tests"),
            (LEAF_FIRST, "One object's box down to a leaf of the other, then that leaf down the first, as published"))),
        Option("split", "Split large objects", "Register large objects in parts that are as small as a cell.", True),
    ),
)
