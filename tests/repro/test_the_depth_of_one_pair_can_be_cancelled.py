# SPDX-License-Identifier: GPL-3.0-or-later
"""A point that is equally far from millions of triangles, as the middle of a ball, was measured to the end, and so were
all points of its pair, before anybody asked whether to go on."""
import threading

import numpy as np
import pytest
from naive.scenes import build, pose
from naive.shapes import ball, box
from touchpoint.core import detect
from touchpoint.core.depth import depths
from touchpoint.core.depth.nearest_surface import nearest_surface
from touchpoint.core.geometry.placed import placed_vertices
from touchpoint.core.tolerance import shared_inside
from touchpoint.core.trees.bvh.forest import Forest

MOST_WAITS = 100_000        # milliseconds until a search that nobody ends fails the test


def in_the_middle():
    return build(([ball(12, 9), box((-0.1,) * 3, (0.1,) * 3)], [(0, pose()), (1, pose())]))


def until_told(scratch):
    """What a search does that looks at millions of triangles."""
    for _ in range(MOST_WAITS):
        if scratch.stop[0]:
            return
        threading.Event().wait(0.001)
    raise AssertionError("nobody told the search to end")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancelled_search_ends_and_says_nothing(threads, monkeypatch):
    scene, search = in_the_middle(), depths.search_pairs
    whole = detect(in_the_middle(), depth=True).pairs["depth"]      # of another scene: this one would keep it
    entered = []

    def long(*given):
        entered.append(0)
        until_told(given[-1])
        return search(*given)

    monkeypatch.setattr(depths, "search_pairs", long)
    monkeypatch.setattr(depths, "MANY_TRIANGLES", 10)
    report = detect(scene, depth=True, threads=threads, progress=lambda stage, done: not entered)
    assert report.cancelled and len(entered) == 1 and np.isnan(report.pairs["depth"]).all()
    monkeypatch.undo()
    assert detect(scene, depth=True).pairs["depth"] == whole > 0.8


def test_what_coincides_is_not_judged_by_a_search_that_was_ended(monkeypatch):
    """Two plates as thick as the tolerance that are nearly one: whether they share volume decides."""
    plate = box((0, 0, 0), (4, 4, 1))
    scene = build(([plate], [(0, pose()), (0, pose(1, (0, 0, 1e-3)))]))
    search, entered = shared_inside.some_are_deep, []

    def long(*given):
        entered.append(0)
        until_told(given[-1])
        return False

    monkeypatch.setattr(shared_inside, "some_are_deep", long)
    monkeypatch.setattr(shared_inside, "MANY_TRIANGLES", 10)
    report = detect(scene, tolerance=0.01, progress=lambda stage, done: not entered)
    assert report.cancelled and entered
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["overlap"]
    monkeypatch.setattr(shared_inside, "some_are_deep", search)
    assert detect(scene, tolerance=0.01).verdict(0) == "overlap"


def test_nothing_is_measured_once_the_search_is_to_end():
    scene, scratch = in_the_middle(), depths.depth_scratch()
    scratch.points[0] = 0.0
    corners = [placed_vertices(scene.meshes[k].vertices, scene.poses[k]) for k in range(2)]
    bounds = np.array([np.append(each.min(axis=0), each.max(axis=0)) for each in corners])
    forest = Forest(scene, np.arange(2, dtype=np.int32), bounds, lambda *done: None)
    for _ in forest.batches(*np.arange(2, dtype=np.int32)[:, None]):
        for told in (0, 1):
            scratch.stop[0] = told
            distance, least, slot = nearest_surface(0, np.int64(-1), forest.placed_trees, 1.0, scratch)
            assert slot >= 0 and (np.isinf([distance, least]).all() if told else 0.8 < least <= distance <= 1.0)
