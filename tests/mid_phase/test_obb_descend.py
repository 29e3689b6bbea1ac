# SPDX-License-Identifier: GPL-3.0-or-later
"""Down two trees of oriented boxes: no pair of triangles that meets is lost, none comes twice, however the search is
cut up."""
from functools import cache

import numpy as np
import pytest
from naive.scenes import SHAPES, build, draw, pose
from naive.shapes import ball
from touchpoint.core import Scene, detect
from touchpoint.core.mid_phase import obb_descend
from touchpoint.core.mid_phase.obb_descend import ORDERS, search, search_chunks
from touchpoint.core.pair_table import PairTable
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.search.contact_search import contacts_of_pairs
from touchpoint.core.trees.bvh.placed import PlacedMeshes
from touchpoint.core.trees.obb.trees import ObbTrees


class Prepared:
    """Placed objects and trees of a scene, and all pairs of objects."""

    def __init__(self, scene, threads=1):
        self.run = Run(None, threads, True, {})
        with self.run.stage("test", 0):
            self.placed = PlacedMeshes(scene, select(scene), self.run)
            self.trees = ObbTrees.of(self.placed, self.run)
        n = len(self.placed.objects)
        self.a, self.b = (side.astype(np.int32) for side in np.triu_indices(n, 1))

    def rows(self, part=None, room=1 << 14, done=None, **how):
        """Candidates (k,3) of a search, in order."""
        part = np.arange(len(self.a), dtype=np.int32) if part is None else part
        done = np.zeros(len(self.a), np.uint8) if done is None else done
        buffer = np.empty((room, 3), np.int32)
        found = [buffer[:count].copy() for count in search(self.trees, self.a, self.b, self.run, **how)(
            part, buffer, done)]
        rows = np.concatenate([np.zeros((0, 3), np.int32), *found])
        assert len(np.unique(rows, axis=0)) == len(rows), "a candidate came twice"
        return rows[np.lexsort(rows.T[::-1])]


def two_balls(columns=12, rows=9):
    scene = Scene()
    mesh = scene.add_mesh(*ball(columns, rows))
    scene.add_object(mesh)
    scene.add_object(mesh, pose(0.9, (0.3, 0.2, 0.1)))
    return Prepared(scene)


@cache
def reference(name):
    """The drawn scene and the report of the reference."""
    scene = build(draw(name, 5))
    return scene, detect(scene, method="exact")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["crowd", "soup", "touching grid", "mixed sizes", "crowd of 1e30"])
def test_every_pair_of_triangles_that_meets_is_a_candidate(name, order):
    """Against the method `exact`, which tries every pair of triangles whose boxes overlap."""
    scene, report = reference(name)
    prepared = Prepared(scene)
    number = {(int(a), int(b)): row for row, (a, b) in enumerate(zip(prepared.a, prepared.b))}
    pairs = [number[int(row["a"]), int(row["b"])] for row in report.pairs]
    found = report.contacts
    wanted = {(pairs[p], t, u) for p, t, u in zip(found.pair, found.triangle_a.tolist(), found.triangle_b.tolist())}
    rows = prepared.rows(order=order)
    assert len(wanted) > 0 and wanted <= set(map(tuple, rows.tolist()))
    every = sum(int(prepared.placed.triangle_count[a] * prepared.placed.triangle_count[b])
                for a, b in zip(prepared.a, prepared.b))
    assert len(rows) < every


@pytest.mark.parametrize("order", ORDERS)
def test_a_small_buffer_and_several_calls_give_the_same(order):
    prepared = two_balls()
    whole = prepared.rows(order=order)
    assert len(whole) > 100 and np.array_equal(prepared.rows(order=order, room=1), whole)
    assert np.array_equal(prepared.rows(order=order, room=7), whole)


def test_the_leaf_of_the_2018_document_comes_first():
    """The whole of a goes down b's tree: more boxes are tested than when the larger one gives way."""
    prepared = two_balls()
    counts = []
    for order in ORDERS:
        before = prepared.run.counts["box_pairs"]
        prepared.rows(order=order)
        counts.append(prepared.run.counts["box_pairs"] - before)
    assert counts[0] < counts[1]


def cut(trees, root, size):
    """Nodes of a tree with at most so many triangles that together hold all."""
    nodes, stack = [], [int(root)]
    while stack:
        node = stack.pop()
        if trees.count[node] <= size:
            nodes.append(node)
        else:
            stack += [int(trees.left[node]), int(trees.right[node])]
    return nodes


def test_a_search_may_begin_below_the_roots():
    """As many candidates as the boxes of the nodes let through, which hold all contacts of the whole search; each once.
    """
    scene = build(draw("crowd", 6))
    prepared = Prepared(scene)
    trees, a, b, run = prepared.trees, prepared.a, prepared.b, prepared.run
    tasks = [(row, p, q) for row in range(len(a)) for p in cut(trees, trees.root[a[row]], 5)
             for q in cut(trees, trees.root[b[row]], 3)]
    start = np.array(tasks, np.int32)
    corners = prepared.placed.corners
    expected = contacts_of_pairs(PairTable(a, b), corners, run, search(trees, a, b, run))
    found = contacts_of_pairs(PairTable(a, b), corners, run, search(trees, a, b, run), [start[::2], start[1::2]])
    assert len(expected) > 20 and np.array_equal(found.point, expected.point)
    some = np.arange(0, len(a), 3, dtype=np.int32)
    rows = prepared.rows(start[np.isin(start[:, 0], some)])
    assert len(rows) > 0 and set(map(tuple, rows.tolist())) <= set(map(tuple, prepared.rows(some).tolist()))


@pytest.mark.parametrize("threads", [1, 4])
def test_chunks_are_the_whole_search(threads):
    """The boxes of roots are tested once, big pairs are divided, and nothing is lost or found twice."""
    prepared = two_balls(20, 16)
    prepared.run.threads = threads
    whole = prepared.rows()
    counted = prepared.run.counts["box_pairs"]
    tasks = search_chunks(prepared.trees, prepared.a, prepared.b, prepared.run)
    assert len(tasks) == 8 * threads and min(map(len, tasks)) >= 4
    rows = np.concatenate([prepared.rows(chunk, tested=True) for chunk in tasks])
    assert np.array_equal(rows[np.lexsort(rows.T[::-1])], whole)
    assert prepared.run.counts["box_pairs"] == 2 * counted and prepared.run.counts["broad_tests"] == 2


def test_pairs_that_are_done_are_dropped():
    prepared = Prepared(build(draw("crowd", 7)))
    whole = prepared.rows()
    done = np.zeros(len(prepared.a), np.uint8)
    done[np.unique(whole[:, 0])[::2]] = 1
    assert np.array_equal(prepared.rows(done=done), whole[done[whole[:, 0]] == 0])


def test_many_pairs_are_worked_off_in_blocks(monkeypatch):
    prepared = Prepared(build(draw("crowd", 8)), threads=3)
    whole = prepared.rows()
    monkeypatch.setattr(obb_descend, "OBB_TASKS_AT_ONCE", 4)
    assert len(whole) > 50 and np.array_equal(prepared.rows(), whole)
    tasks = search_chunks(prepared.trees, prepared.a, prepared.b, prepared.run)
    rows = np.concatenate([prepared.rows(chunk, tested=True) for chunk in tasks])
    assert np.array_equal(rows[np.lexsort(rows.T[::-1])], whole)


def test_boxes_apart_end_the_search_at_the_roots():
    scene = build((SHAPES, [(0, pose(1, (9.0 * k, 0, 0))) for k in range(5)]))
    prepared = Prepared(scene)
    assert len(prepared.rows()) == 0 and prepared.run.counts["broad_tests"] == 10


def test_where_no_pair_is_given_nothing_is_found():
    prepared = two_balls(5, 4)
    none = np.zeros(0, np.int32)
    assert search_chunks(prepared.trees, none, none, prepared.run) == []
    assert list(search(prepared.trees, none, none, prepared.run)(none, np.empty((9, 3), np.int32),
                                                                np.zeros(0, np.uint8))) == []
