# SPDX-License-Identifier: GPL-3.0-or-later
"""All pairs of objects, each searched in trees of oriented boxes: the baseline of the documents of 2017 and 2003.

After Gottschalk, Lin and Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection" (1996). There is
no broad phase: every allowed pair of objects goes to the test of its two root boxes, in the mid phase.
"""
import numpy as np

from ..contacts.of_placed import clearances, verdicts
from ..errors import Unsupported
from ..method import Method
from ..mid_phase.obb_contacts import contacts_of_boxes
from ..scene.placed import PlacedMeshes
from ..trees.obb import ObbTrees

MOST_PAIRS = 20_000_000         # of about 50 bytes each


def prepare(scene, selection, run) -> ObbTrees:
    return ObbTrees.of(PlacedMeshes(scene, selection, run), run)


def all_pairs(trees: ObbTrees, selection, run) -> tuple[np.ndarray, np.ndarray]:
    """All that the rules allow: the tests of their boxes are the mid phase's. Raises Unsupported where there are more
    than memory is there for."""
    n = len(selection.objects)
    count = n * (n - 1) // 2
    if count > MOST_PAIRS:
        raise Unsupported(f"RAPID keeps a record of every pair of objects: {n:,} objects make {count:,} pairs, more "
                          f"than {MOST_PAIRS:,}. Choose another method, or test fewer objects.")
    a = np.repeat(np.arange(n, dtype=np.int32), np.arange(n - 1, -1, -1))
    b = np.concatenate([np.arange(first, n, dtype=np.int32) for first in range(1, n + 1)])
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


METHOD = Method(
    id="rapid",
    title="RAPID",
    document="Wang, Xu: Collision Detection Algorithm in Complex Scenes Based on the Topological Spatial Grid (2017)",
    summary="All pairs of objects, trees of oriented boxes: the baseline that the documents measure against",
    answer="exact",
    prepare=prepare,
    broad_phase=all_pairs,
    contacts=contacts_of_boxes,
    verdicts=verdicts,
    clearances=clearances,
)
