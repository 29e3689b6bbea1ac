# SPDX-License-Identifier: GPL-3.0-or-later
"""What the count `broad_tests` of each method says, by hand, and that it does not depend on what was asked before."""
import numpy as np
import pytest
from naive.scenes import pose
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect, methods
from touchpoint.core.machine_code.jit import COMPILED

# Unit boxes at x = 0, 0.5 and 10: the first two meet. The cube of the scene is 11 long.
BY_HAND = [
    ("touchpoint", {}, 3),                      # of so few, each with each
    ("parallel", {"form": "SSTCD"}, 3),
    ("parallel", {"form": "EPCD"}, 3),
    ("rapid", {}, 3 + 1),                       # the roots of every pair, and again where the descent begins
    ("exact", {}, 0),
    ("ibcd", {"device": "cpu"}, 1 + 1),         # a pair whose intervals overlap, and the roots of the exact test
    ("recode", {"device": "cpu", "confirm": False}, 1),
    ("stream", {}, 3),                          # every two of so few objects
    ("saga", {}, 1),                            # a pair whose intervals overlap
    ("hull_points", {}, 2),                     # the same, and its exact extremes
    ("particle", {}, 2),                        # a distance, and the roots of the pair that is left
    ("particle", {"descent": "leaf_first"}, 2),
    ("hybrid", {"depth": 0}, 3 + 3 + 1),        # one cell: all pairs, all roots, and where the descent begins
    ("hybrid", {"depth": 1}, 1 + 1 + 1),            # cells of 5.5: two boxes in the first, one in the last
    ("hybrid", {"depth": 4}, 8 + 1 + 1),            # cells of 0.6875: 2·2·2 of them shared
    ("tsgo", {"depth": 0}, 3 + 1),              # projections leave one pair
    ("tsgo", {"depth": 1}, 1 + 1),              # the steady cube is 12 long, from -0.62 on: cells of 6
    ("tsgo", {"depth": 4}, (27 + 18 + 18) + 18 + 1),    # cells of 0.75: tests of boxes with them, 2·3·3 shared
    ("tsgo", {"depth": 4, "split": False, "descent": "leaf_first"}, 63 + 18 + 1),
]


def three_boxes():
    scene = Scene()
    mesh = scene.add_mesh(*box((0, 0, 0), (1, 1, 1)))
    for x in (0.0, 0.5, 10.0):
        scene.add_object(mesh, pose(1, (x, 0, 0)))
    return scene


@pytest.mark.parametrize("method, options, expected", BY_HAND)
def test_by_hand(method, options, expected):
    report = detect(three_boxes(), method, options=options, threads=1)
    assert report.counts["broad_tests"] == expected
    assert list(report.counts)[:3] == ["possible_pairs", "pairs", "broad_tests"]
    assert len(report.pairs) == 1


def test_every_method_is_asked():
    assert {method for method, _, _ in BY_HAND} == {each for each in methods.ids()
                                                          if not methods.load(each).follows}


def test_diagonals_by_hand():
    """Every cell between the ends of a box is asked for the diagonals: here the only one, for each box."""
    report = detect(three_boxes(), "tsgo", options={"depth": 0, "cells": "diagonals"})
    assert report.counts["broad_tests"] == 3 + 3 + 1


def test_parts_by_hand():
    """A sheet 8 × 8 of 2 triangles as sub-objects of one each, at cells 4.5 long; a small box above it."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*grid(1, 1, (0, 0, 0), (8, 0, 0), (0, 8, 0))), static=True)
    scene.add_object(scene.add_mesh(*box((3, 3, 5), (3.5, 3.5, 5.5))))
    report = detect(scene, "tsgo", options={"depth": 1})
    nodes, cells = 3, 2 * 4         # of the sheet's tree; of the lowest layer for each part, the small box is in one
    listed, met = 1, 0              # world boxes of the sheet and of all others; nothing shares a cell
    assert report.counts["broad_tests"] == nodes + cells + listed + met and report.counts["pairs"] == 0


def test_stages_tell_it():
    report = detect(three_boxes(), "particle", threads=1)
    tests = {stage.name: stage.tests for stage in report.stages}
    assert tests["broad phase"] == 1 and tests["contacts"] == report.counts["triangle_pairs"] > 0


@pytest.mark.parametrize("method", ["rapid", "particle", "hybrid"])
def test_what_is_below_the_roots_is_the_same_for_all_that_descend_alike(method):
    """The methods with oriented boxes differ in the pairs that they bring to the same descent."""
    def tests(method):
        return detect(three_boxes(), method, threads=1).counts["box_pairs"]

    assert tests(method) == tests("rapid") > 0


def crowd(rng, count=60):
    """Small things around large ones, some of which are static."""
    scene = Scene()
    large = [scene.add_mesh(*grid(10, 10, (-6, -6, 0), (1.2, 0, 0), (0, 1.2, 0))), scene.add_mesh(*ball(16, 12, 3.0))]
    small = [scene.add_mesh(*ball(6, 4, 0.4)), scene.add_mesh(*box((0, 0, 0), (0.5, 0.3, 0.2)))]
    for mesh, static in ((large[0], True), (large[1], False), (large[1], False)):
        scene.add_object(mesh, pose(1, rng.uniform(-3, 3, 3)), static=static)
    for k in range(count):
        scene.add_object(small[k % 2], pose(1, rng.uniform(-5, 5, 3)))
    return scene


@pytest.mark.scenes
@pytest.mark.skipif(not COMPILED, reason="half a minute each without compiled kernels")
@pytest.mark.parametrize("options", [{}, {"depth": 4}, {"cells": "diagonals"}, {"split": False}])
@pytest.mark.parametrize("contacts", [True, False])
def test_the_same_question_gives_the_same_depth_and_counts(options, contacts):
    """Whatever was asked before: a fresh scene, and one whose objects went to other places, far away and close
    together, one at a time and all at once, and came back."""
    depths = set()
    for seed in range(4):
        rng = np.random.default_rng([12, seed])
        scene = crowd(np.random.default_rng(seed))
        fresh = detect(crowd(np.random.default_rng(seed)), "tsgo", options=options, contacts=contacts, threads=1)
        where = scene.poses.copy()
        for which, far in ((slice(1, None), 200.0), (slice(3, None), 0.02), (slice(5, 6), 8.0), (slice(1, 2), 1.1),
                           (slice(0, 0), 1.0)):
            poses = where.copy()
            poses[which, :3, 3] = poses[which, :3, 3] * far + rng.uniform(-0.1, 0.1, (len(poses[which]), 3))
            scene.set_poses(range(len(poses)), poses)
            depths.update(detect(scene, "tsgo", options=options, contacts=contacts, threads=1).notes[:1])
            scene.set_poses(range(len(where)), where)
            again = detect(scene, "tsgo", options=options, contacts=contacts, threads=1)
            assert (again.counts, again.notes) == (fresh.counts, fresh.notes)
            assert again.pairs.tobytes() == fresh.pairs.tobytes()
    assert "depth" in options or len(depths) > 1        # other places do ask for other depths
