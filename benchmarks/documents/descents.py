# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which two trees of oriented boxes are descended, by itself: how many tests of boxes, and what they cost.

The same pairs of objects, those that the particles leave, in every order. Only the descent to pairs of leaves is timed,
in seconds of the processor, not the triangles: their pairs are the same in every order but for leaves' boxes that meet
by rounding only.
"""
import time

import numpy as np

from ...core import methods
from ...core.mid_phase.obb_descend import LARGER_FIRST, LEAF_FIRST, Descent
from ...core.narrow_phase.triangle_pairs import BUFFER
from ...core.run import Run
from ...core.scene.select import select
from ..peers.ours import scene_of
from ..questions import Scene

ROUNDS = 7          # the quickest counts


def descents(asked: Scene, quick: bool) -> dict[str, dict]:
    """Order → pairs, tests, leaf pairs and seconds of a step, means over the placements."""
    scene, objects = scene_of(asked)
    steps: list[dict] = []
    for step in range(len(asked.poses)):
        scene.set_poses(objects, asked.poses_at(step))
        steps.append(one_step(scene, 1 if quick else ROUNDS))
    return {order: {what: float(np.mean([each[order][what] for each in steps])) for what in steps[0][order]}
            for order in steps[0]}


def one_step(scene, rounds: int) -> dict[str, dict]:
    recipe, selection = methods.load("particle"), select(scene)
    run = Run(None, 1, True, recipe.chosen(None))
    with run.stage("prepare", len(selection.objects)):
        trees = recipe.prepare(scene, selection, run)
        a, b = recipe.broad_phase(trees, selection, run)
    size = trees.world_boxes(np.arange(len(selection.objects)))[2].max(axis=1)
    small, large = np.where(size[a] < size[b], (a, b), (b, a)).astype(np.int32)
    # Leaf first begins with the tree of the second object.
    return {"larger box first": descended(trees, a, b, LARGER_FIRST, rounds),
            "leaf first, trees as listed": descended(trees, a, b, LEAF_FIRST, rounds),
            "leaf first, smaller object's tree": descended(trees, large, small, LEAF_FIRST, rounds),
            "leaf first, larger object's tree": descended(trees, small, large, LEAF_FIRST, rounds)}


def descended(trees, a: np.ndarray, b: np.ndarray, order: str, rounds: int) -> dict[str, float]:
    """From the roots of the pairs (a[i], b[i]) to all pairs of leaves whose boxes meet."""
    roots = np.stack([np.arange(len(a)), trees.root[a], trees.root[b]], axis=1).astype(np.int32)
    buffer, done, seconds = np.empty((BUFFER, 3), np.int32), np.zeros(len(a), np.uint8), []
    for _ in range(rounds):
        start = time.thread_time()
        descent = Descent(trees, a, b, order, done)
        leaves = sum(descent.down(descent.meeting(roots.copy()), buffer))
        seconds.append(time.thread_time() - start)
    return {"pairs": len(a), "tests": descent.first_tests + descent.box_pairs, "leaf pairs": leaves,
            "seconds": min(seconds)}
