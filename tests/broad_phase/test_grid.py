# SPDX-License-Identifier: GPL-3.0-or-later
"""The topological grid and the uniform one: depth, sub-objects, what is kept, and that no pair is lost."""
from types import SimpleNamespace

import numpy as np
import pytest
from naive.scenes import SCENES, build, draw, pose, random_linear
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect
from touchpoint.core.broad_phase import cell_register, topological_grid
from touchpoint.core.broad_phase.grid_cells import Cube, grid_boxes
from touchpoint.core.broad_phase.grid_depth import Estimate, deepest, largest_small, rounded
from touchpoint.core.broad_phase.sub_objects import root_edges, sub_objects
from touchpoint.core.broad_phase.topological_grid import AUTOMATIC_DEPTH, TopologicalGrid
from touchpoint.core.broad_phase.uniform_grid import uniform_grid_pairs
from touchpoint.core.scene.select import select
from touchpoint.core.trees.bvh.placed import PlacedMeshes
from touchpoint.core.trees.obb.trees import ObbTrees


def quiet_run():
    return SimpleNamespace(tick=lambda *_: None, threads=1, note=lambda _: None, count=lambda **_: None)


def gridded(scene, cells="exact", depth=AUTOMATIC_DEPTH, split=True, clearance=0.0):
    """(grid, placed, (a, b, tasks)) of one call."""
    run, selection = quiet_run(), select(scene)
    placed = PlacedMeshes(scene, selection, run)
    made = TopologicalGrid(placed, ObbTrees.of(placed, run), selection, cells, depth, split)
    return made, placed, made.pairs(selection.grown(0.5 * clearance), run)


def uniform_pairs(scene_selection, depth):
    """(a, b) of the pairs that share a cell of a plain grid, ordered."""
    blocks = [np.stack(block, axis=1) for block in uniform_grid_pairs(scene_selection, depth, quiet_run())]
    found = np.concatenate(blocks)
    assert len(np.unique(found, axis=0)) == len(found)
    return np.unique(found, axis=0).T


def triangles_of(trees, node):
    return set(trees.slots[trees.first[node]:trees.first[node] + trees.count[node]].tolist())


def random_scene(seed, static=True, room=4.0):
    """Large and small things of every shape and pose, some static, some far outside."""
    rng = np.random.default_rng([9, seed])
    scene = Scene()
    large = [scene.add_mesh(*grid(12, 12, (0, 0, 0), (1, 0, 0.1), (0, 1, -0.05))), scene.add_mesh(*ball(16, 12, 3.0)),
             scene.add_mesh(*box((0, 0, 0), (9, 0.5, 5)))]
    small = [scene.add_mesh(*ball(6, 4, 0.4)), scene.add_mesh(*box((0, 0, 0), (0.5, 0.3, 0.2)))]
    for i in range(5):
        scene.add_object(large[i % 3], pose(random_linear(rng, "turned"), rng.uniform(-room, room, 3)),
                         static=static and i < 4)
    for i in range(50):
        kind = ("turned", "mirrored", "stretched", "sheared")[i % 4]
        scene.add_object(small[i % 2], pose(random_linear(rng, kind), rng.uniform(-room, room, 3)),
                         static=bool(static and i % 7 == 0))
    return scene


def assert_nothing_is_lost(scene, **settings):
    """Every contact of the default method begins in one of the tasks, and every pair that it lists has a row."""
    expected = detect(scene)
    made, placed, (a, b, tasks) = gridded(scene, **settings)
    keys = list(zip(a.tolist(), b.tolist()))
    assert keys == sorted(set(keys)) and (a < b).all()
    assert np.array_equal(tasks[:, 0], np.sort(tasks[:, 0])) and len(set(map(tuple, tasks.tolist()))) == len(tasks)
    begun = {}
    for row, i, j in tasks.tolist():
        begun.setdefault(keys[row], []).append((triangles_of(made.trees, i), triangles_of(made.trees, j)))
    places = {int(index): i for i, index in enumerate(placed.objects)}
    for row, pair in enumerate(expected.pairs):
        key = places[int(pair["a"])], places[int(pair["b"])]
        assert key in keys
        found = expected.contacts_of(row)
        for t, u in zip(found.triangle_a.tolist(), found.triangle_b.tolist()):
            assert sum(t in left and u in right for left, right in begun[key]) == 1
    return expected


def test_the_deepest_grid_by_hand():
    """L = 8: 1.5 is smaller than 8/4 = 2 and not than 8/8 = 1, so that k_max = 2."""
    assert deepest(8.0, 1.5) == 2 and deepest(8.0, 2.0) == 1 and deepest(8.0, 1.999) == 2
    assert deepest(8.0, 9.0) == 0 and deepest(8.0, 8.0) == 0 and deepest(8.0, 0.0) == 8


def test_small_is_what_moves_and_does_not_stand_out():
    edges, static = np.array([1.0, 1.5, 2.0, 9.0, 50.0]), np.zeros(5, bool)
    assert largest_small(edges, static) == 2.0
    assert largest_small(edges, np.array([0, 0, 1, 1, 1], bool)) == 1.5


def test_depth_follows_the_number_of_objects():
    """A few objects need no cells; many of the same size in the same room need them, but none smaller than they are."""
    rng = np.random.default_rng(3)
    taken = []
    for n in (3, 300, 30000):
        centres = rng.uniform(0, 100, (n, 3))
        cube, bounds = Cube(np.zeros(3), 100.0, 0), np.concatenate([centres - 0.35, centres + 0.35], axis=1)
        estimate = Estimate.of(100.0, rounded(np.full(n, 0.7)), np.full(n, 12), np.zeros(n, bool))
        taken.append(estimate.best(cube, bounds))
    assert taken[0] < taken[1] < taken[2] <= deepest(100.0, 0.7) == 7


@pytest.mark.parametrize("edge", [20.0, 3.0, 0.7, 0.1, 0.0])
def test_sub_objects_are_the_whole_object(edge):
    """Every triangle in one sub-object, and none with an edge of a cell's length unless it is a single triangle."""
    scene = random_scene(0)
    made, _, _ = gridded(scene)
    for obj in range(5):
        nodes = sub_objects(made.trees, obj, edge)
        triangles = [triangles_of(made.trees, node) for node in nodes]
        assert sorted(t for part in triangles for t in part) == list(range(made.trees.count[made.trees.root[obj]]))
        _, _, half = made.trees.node_boxes(obj, nodes)
        assert all(2 * longest < edge or len(part) == 1 for longest, part in zip(half.max(axis=1), triangles))
        assert len(nodes) == 1 if edge == 20.0 else len(nodes) > 1
    assert root_edges(made.trees)[2] == pytest.approx(2 * made.trees.world_boxes([2])[2].max())


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e-300, 1e290])
def test_boxes_in_the_grid_are_those_of_the_trees(scale):
    """In cell units, whatever the size of the scene: the same boxes, projections around their corners."""
    scene = random_scene(0)
    poses = scene.poses.copy()
    poses[:, :3] *= scale
    scene.set_poses(range(len(poses)), poses)
    made, _, _ = gridded(scene, depth=2)
    trees, cube = made.trees, made.cube
    owner = np.repeat(np.arange(len(poses)), 2)
    node = (trees.root[owner] + np.arange(len(owner)) % 2).astype(np.int32)
    boxes = grid_boxes(cube, trees, owner, node, 0.5 * cube.cell, made.selection.bounds)
    centre, axes, half = trees.node_boxes(owner, node)
    assert np.allclose(boxes.centre, (centre - cube.origin) / cube.cell, rtol=0, atol=1e-12)
    assert np.allclose(boxes.axes, axes, rtol=0, atol=1e-14)
    assert np.allclose(boxes.half, half / cube.cell + 0.5, rtol=1e-12)
    signs = np.array(list(np.ndindex(2, 2, 2))) * 2.0 - 1.0
    corners = boxes.centre[:, None] + np.einsum("sj,nj,njx->nsx", signs, boxes.half, boxes.axes)
    assert np.allclose(corners.min(axis=1), boxes.low, atol=1e-11) and (corners.min(axis=1) >= boxes.low).all()
    assert np.allclose(corners.max(axis=1), boxes.high, atol=1e-11) and (corners.max(axis=1) <= boxes.high).all()
    assert boxes.inside.all()


@pytest.mark.slow
@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("depth", [AUTOMATIC_DEPTH, 0, 1, 3, 5])
def test_no_pair_is_lost(depth, static):
    contacts = [len(assert_nothing_is_lost(random_scene(seed, static), depth=depth).contacts) for seed in range(3)]
    assert sum(contacts) > 200
    assert_nothing_is_lost(random_scene(5, static), depth=depth, split=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_no_pair_of_odd_scenes_is_lost(name):
    """Touching, nested, flattened, tiny, huge and far away objects."""
    for depth in (AUTOMATIC_DEPTH, 3):
        assert_nothing_is_lost(build(draw(name, 0)), depth=depth)


def test_cells_leave_out_most_pairs():
    scene = Scene()
    mesh = scene.add_mesh(*ball(6, 4, 0.4))
    for place in np.ndindex(8, 8, 8):
        scene.add_object(mesh, pose(1, np.array(place) * 1.0))
    made, _, (a, b, tasks) = gridded(scene)
    assert 2 <= made.cube.depth <= 3 and len(a) == len(tasks) == 0
    assert 0 < len(uniform_pairs(select(scene), made.cube.depth)[0]) < 512 * 26


def test_sub_objects_near_an_object_are_all_that_it_is_compared_with():
    """A floor of 512 triangles, a ball on a corner of it: at depth 3 a few sub-objects of the floor, not the whole."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*grid(16, 16)), static=True)
    scene.add_object(scene.add_mesh(*ball(6, 4, 0.4)), pose(1, (2.0, 2.0, 0.2)))
    made, _, (a, b, tasks) = gridded(scene, depth=3)
    near = set().union(*(triangles_of(made.trees, node) for node in tasks[:, 1]))
    assert len(a) == 1 and 0 < len(near) < 50 and len(tasks) > 1
    _, _, (_, _, tasks) = gridded(scene, depth=3, split=False)
    assert len(tasks) == 1 and len(triangles_of(made.trees, tasks[0, 1])) == 512


def test_what_lies_inside_a_large_object_has_a_row_and_no_tasks():
    scene = Scene()
    scene.add_object(scene.add_mesh(*ball(24, 16, 4.0)), static=True)
    scene.add_object(scene.add_mesh(*ball(6, 4, 0.2)), pose(1, (0.3, 0.2, 0.1)))
    _, _, (a, b, tasks) = gridded(scene, depth=3)
    assert (a.tolist(), b.tolist(), len(tasks)) == ([0], [1], 0)
    report = detect(scene, method="tsgo", options={"depth": 3})
    assert report.verdict(0) == "contained" and report.inner(0) == 1


def test_published_cells_lose_a_pair():
    """A plate 8 × 4 across the scene, and a needle that pierces it where none of the plate's diagonals passes (see
    test_grid_cells.test_diagonals_lose_cells): they share a cell, and the published rule does not know."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*box((0.1, 2.1, 0.4), (7.9, 5.9, 0.6))))
    scene.add_object(scene.add_mesh(*box((3.4, 2.3, 0.1), (3.6, 2.5, 0.9))))
    for corner in (0.0, 8.0):           # make the scene's cube 8 long
        scene.add_object(scene.add_mesh(np.full((3, 3), corner), [(0, 1, 2)]), name="corner")
    whole = {"depth": 3, "split": False}
    exact = detect(scene, method="tsgo", options=whole)
    published = detect(scene, method="tsgo", options={**whole, "cells": "diagonals"})
    assert [exact.verdict(i) for i in range(len(exact.pairs))] == ["crossing"] and len(exact.contacts) > 0
    assert len(published.pairs) == 0
    assert len(published.notes) == 1 and "may be missing" in published.notes[0] and not exact.notes


def counting(monkeypatch):
    """How many boxes each call registers in cells."""
    counts = []

    def count(boxes, *rest):
        counts.append(len(boxes.centre))
        return cells_of_boxes(boxes, *rest)

    cells_of_boxes = topological_grid.cells_of_boxes
    monkeypatch.setattr(topological_grid, "cells_of_boxes", count)
    return counts


@pytest.mark.scenes
def test_what_is_static_is_registered_once(monkeypatch):
    counts, scene = counting(monkeypatch), random_scene(1)
    moving = [i for i, obj in enumerate(scene.objects) if not obj.static]
    small = [i for i in moving if i >= 5]
    gridded(scene, depth=5)
    first = list(counts)
    assert len(first) == 2 and first[1] == len(small)       # static things and the large one that rests; the others
    scene.set_poses(small, scene.poses[small] @ pose(1, (0.01, 0, 0)))
    gridded(scene, depth=5)
    assert counts[2:] == [len(small)]
    for change, registers_again in (
            (lambda: scene.set_poses([0], [scene.objects[0].pose @ pose(1, (0, 0, 0.1))]), True),
            (lambda: scene.set_vertices(1, scene.meshes[1].vertices * 1.01), True),
            (lambda: scene.set_vertices(3, scene.meshes[3].vertices * 1.01), True),     # static small ones have it, too
            (lambda: None, False)):
        change()
        counts.clear()
        gridded(scene, depth=5)
        assert len(counts) == 1 + registers_again
    for settings in ({"depth": 6}, {"depth": 6, "split": False}, {"depth": 6, "split": False, "clearance": 0.1}):
        counts.clear()
        gridded(scene, **settings)
        assert len(counts) == 2


def test_a_large_object_that_moves_is_registered_with_what_moves(monkeypatch):
    counts, scene = counting(monkeypatch), random_scene(1, static=False)
    gridded(scene, depth=5)
    parts, small = counts
    assert small == 50 and parts > 100
    for step, registers_still_again in ((0.01, True), (0.01, False), (0.0, True), (0.0, False)):
        counts.clear()
        scene.set_poses([0], [scene.objects[0].pose @ pose(1, (0, 0, step))])
        gridded(scene, depth=5)
        assert len(counts) == 1 + registers_still_again and (counts[-1] > 50) == (step > 0)
        if registers_still_again:
            assert (counts[0] < parts) == (step > 0)


@pytest.mark.slow
@pytest.mark.parametrize("method, options", [("tsgo", {}), ("tsgo", {"depth": 4}), ("tsgo", {"split": False}),
                                             ("tsgo", {"depth": 0}), ("hybrid", {}), ("hybrid", {"depth": 4})])
def test_moving_scenes_get_the_answers_of_the_default(method, options):
    """Objects that move, rest, start again, change their shape, leave the cube and come back, from call to call."""
    rng = np.random.default_rng(4)
    for static in (True, False):
        scene, fresh = random_scene(2, static), random_scene(2, static)
        listed = 0
        for step in range(6):
            moved = np.flatnonzero((rng.random(len(scene.objects)) < 0.6) & [not obj.static for obj in scene.objects])
            away = np.where(rng.random(len(moved)) < 0.2, 30.0, 1.0) if step == 3 else np.ones(len(moved))
            poses = [pose(scene.objects[i].pose[:3, :3], rng.uniform(-3, 3, 3) * far) for i, far in zip(moved, away)]
            for each in (scene, fresh):
                each.set_poses(moved, poses)
                if step % 2:
                    each.set_vertices(step % 5, each.meshes[step % 5].vertices * (1.05, 1.0, 0.95))
            expected, report = detect(fresh), detect(scene, method=method, options=options)
            assert report.pairs.tobytes() == expected.pairs.tobytes()
            for name in ("pair", "triangle_a", "triangle_b", "kind", "point", "normal"):
                assert getattr(report.contacts, name).tobytes() == getattr(expected.contacts, name).tobytes(), name
            listed += len(report.pairs)
        assert listed > 60


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tsgo", "hybrid"])
@pytest.mark.parametrize("clearance", [0.05, 1.0, 100.0])
def test_near_pairs_are_not_lost(method, clearance):
    scene = random_scene(3, room=12.0)
    detect(scene, method=method)            # what is kept of a call without a clearance must not serve
    expected, report = detect(scene, clearance=clearance), detect(scene, method=method, clearance=clearance)
    assert report.pairs.tobytes() == expected.pairs.tobytes() and "near" in {report.verdict(i) for i in range(
        len(report.pairs))}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tsgo", "hybrid"])
def test_tiny_and_huge_together(method):
    """A floor of 1e6, dust of 1e-6 on it, and a depth that cuts the floor as finely as can be."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*grid(40, 40, (-5e5, -5e5, 0), (25e3, 0, 0), (0, 25e3, 0))))
    dust = scene.add_mesh(*box((-1e-6,) * 3, (1e-6,) * 3))
    rng = np.random.default_rng(1)
    for place in rng.uniform(-4e5, 4e5, (40, 2)):
        scene.add_object(dust, pose(1, (*place, 0)))
    expected = detect(scene)
    for options in ({}, {"depth": 8}):
        report = detect(scene, method=method, options=options)
        assert report.pairs.tobytes() == expected.pairs.tobytes() and len(report.pairs) == 40


@pytest.mark.slow
def test_memory_is_bounded_where_boxes_take_too_many_cells(monkeypatch):
    """Beyond the budget the largest boxes count as being everywhere, and the answer stays the same."""
    scene = random_scene(4)
    expected = detect(scene, method="tsgo", options={"depth": 5})
    for budget in (2000, 50, 0):
        monkeypatch.setattr(cell_register, "MAX_ENTRIES", budget)
        fresh = random_scene(4)
        made, _, _ = gridded(fresh, depth=5)
        assert len(made.still.register.everywhere) > 0 and len(made.still.register.members) <= budget
        report = detect(random_scene(4), method="tsgo", options={"depth": 5})
        assert report.pairs.tobytes() == expected.pairs.tobytes()
        assert report.contacts.point.tobytes() == expected.contacts.point.tobytes()


@pytest.mark.slow
def test_pairs_come_in_bits_where_they_are_many(monkeypatch):
    """Buffers for the pairs of one item, and few comparisons at a time: the same pairs."""
    for static in (True, False):
        _, _, expected = gridded(random_scene(6, static), depth=3)
        whole = uniform_pairs(select(random_scene(6)), 3)
        with monkeypatch.context() as patch:
            for module in (cell_register, topological_grid):
                patch.setattr(module, "PAIRS_PER_BLOCK", 1)
            patch.setattr(cell_register, "MAX_COMPARISONS_PER_CALL", 1)
            _, _, found = gridded(random_scene(6, static), depth=3)
            for one, other in zip((*expected, *whole), (*found, *uniform_pairs(select(random_scene(6)), 3))):
                assert np.array_equal(one, other) and len(one) > 100


@pytest.mark.slow
@pytest.mark.parametrize("ticks", [1, 3, 4, 5, 6, 7, 9])
def test_a_cancelled_call_leaves_the_next_one_whole(ticks):
    expected, scene = detect(random_scene(7)), random_scene(7)
    for _ in range(2):
        left = iter([True] * ticks)
        assert detect(scene, method="tsgo", threads=1, progress=lambda *_, left=left: next(left, False)).cancelled
        scene.set_poses([5], [pose(1, (0.5, 0, 0))])
    scene.set_poses([5], [random_scene(7).objects[5].pose])
    assert detect(scene, method="tsgo").pairs.tobytes() == expected.pairs.tobytes()


def test_options_are_declared_and_checked():
    scene = random_scene(1)
    automatic = detect(scene, method="tsgo")
    assert automatic.settings["options"] == {"cells": "exact", "depth": -1, "descent": "larger_first", "split": True}
    assert automatic.notes[0].startswith("Depth ")
    from touchpoint.core.errors import Refused
    for wrong in ({"depth": 9}, {"depth": -2}, {"cells": "some"}, {"split": 1}):
        with pytest.raises(Refused):
            detect(scene, method="tsgo", options=wrong)
