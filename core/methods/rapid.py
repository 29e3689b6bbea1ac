# SPDX-License-Identifier: GPL-3.0-or-later
"""All pairs of objects, each searched in trees of oriented boxes: the baseline of the documents of 2017 and 2003.

After Gottschalk, Lin and Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection" (1996). There is
no broad phase: every allowed pair of objects goes to the test of its two root boxes. Those come some at a time, so that
memory does not grow with the number of pairs.
"""
import numpy as np

from ..broad_phase.all_pairs import allowed_pairs
from ..method import Method
from ..mid_phase.obb_overlap import boxes_meet
from ..mid_phase.obb_roots import meeting_roots
from ..run import Run
from ..scene import Scene
from ..scene.tiny import BOX, BOX_TRIANGLES
from ..search.obb_contacts import contacts_of_boxes
from ..trees.bvh.placed import PlacedMeshes
from ..trees.obb.trees import ObbTrees
from ..verdicts.of_placed import clearances, verdicts


def prepare(scene, selection, run: Run) -> ObbTrees:
    return ObbTrees.of(PlacedMeshes(scene, selection, run), run)


def broad_phase(trees: ObbTrees, selection, run: Run) -> tuple[np.ndarray, np.ndarray]:
    """None in the paper's sense: the root boxes of every allowed pair are compared, and pairs that meet are kept."""
    return meeting_roots(trees, allowed_pairs(selection, run.tick), selection, run)


def warm_up(detect):
    """A stretched object beside one that is not, and boxes that meet, in a batch."""
    scene = Scene()
    mesh = scene.add_mesh(BOX, BOX_TRIANGLES)
    for stretch in (1.0, 0.5):
        scene.add_object(mesh, np.diag([1.0, stretch, 1.0, 1.0]))
    detect(scene)
    box = np.zeros((1, 3)), np.eye(3)[None], np.ones((1, 3))
    boxes_meet(*box, *box)


METHOD = Method(
    id="rapid",
    title="RAPID",
    document="Wang, Xu: Collision Detection Algorithm in Complex Scenes Based on the Topological Spatial Grid (2017)",
    summary="All pairs of objects, trees of oriented boxes: the baseline that the documents measure against",
    answer="exact",
    prepare=prepare,
    broad_phase=broad_phase,
    contacts=contacts_of_boxes,
    verdicts=verdicts,
    welds=True,
    clearances=clearances,
    warm_up=warm_up,
)
