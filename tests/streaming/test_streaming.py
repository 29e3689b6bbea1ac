# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of edges: what is called a miss misses, by rational arithmetic, whatever the form; small slices and little
room change nothing."""
import numpy as np
import pytest
from naive import triangle_pairs
from naive.scenes import build, draw, pose
from naive.shapes import ball
from touchpoint.core import Scene, detect
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.methods.stream import SEARCHES
from touchpoint.core.reference.triangle_pair import shared_part
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.streaming import forms, processor
from touchpoint.core.streaming.forms import Search
from touchpoint.core.streaming.port import CLOSE_CALL, END, HIT
from touchpoint.core.streaming.rows import LEAF, StreamedObjects
from touchpoint.core.trees.bvh.placed import PlacedMeshes
from touchpoint.core.trees.obb.trees import ObbTrees

FAMILIES = {
    "random": triangle_pairs.random, "lattice": triangle_pairs.lattice, "coplanar": triangle_pairs.coplanar,
    "near parallel": triangle_pairs.near_parallel, "sliver": triangle_pairs.sliver, "needle": triangle_pairs.needle,
    "edge on vertex": triangle_pairs.touching("edge", "vertex"),
    "edge on edge": triangle_pairs.touching("edge", "edge"),
    "no area": triangle_pairs.zero_area("segment", "triangle"),
    "points": triangle_pairs.zero_area("point", "triangle"),
    "far": triangle_pairs.moved(1e7), "small": triangle_pairs.scaled(1e-25), "large": triangle_pairs.scaled(1e150),
    "huge and tiny": triangle_pairs.huge_and_tiny, "subnormal": triangle_pairs.subnormal,
    "one step off": triangle_pairs.one_step_off(triangle_pairs.lattice),
    "any exponent": triangle_pairs.every_exponent(30),
}
OF_EACH = 4 if COMPILED else 2


def streamed(scene):
    """(objects, loaded, search of both sides of objects 0 and 1)."""
    run = Run(None, 1, True, {})
    with run.stage("contacts", 0):
        trees = ObbTrees.of(PlacedMeshes(scene, select(scene), run), run)
        objects = StreamedObjects(trees, np.arange(len(scene.objects)), run)
    loaded = processor.Processor().load(objects.rows)
    return objects, loaded, Search(objects, loaded, np.array([0, 1]), np.array([1, 0]), run)


def kept_and_fresh(scene, used):
    """The rows that are kept with the scene, and those of a new one; which objects were written."""
    run, written, fill = Run(None, 1, True, {}), [], StreamedObjects._fill
    with run.stage("contacts", 0), pytest.MonkeyPatch.context() as patch:
        patch.setattr(StreamedObjects, "_fill", lambda self, obj, *rest: (written.append(obj), fill(self, obj, *rest)))
        trees = ObbTrees.of(PlacedMeshes(scene, select(scene), run), run)
        kept = StreamedObjects.of(trees, np.array(used), run)
        patch.undo()
        return kept, StreamedObjects(trees, kept._used, run), written


def check_same_rows(kept, fresh, used):
    assert kept._exponent == fresh._exponent
    for rows, start, count in (("edges", "edge_start", "edge_count"), ("triangles", "triangle_start", "triangle_count"),
                               ("nodes", "node_start", "node_count")):
        for obj in used:
            part = slice(getattr(kept, start)[obj], getattr(kept, start)[obj] + getattr(kept, count)[obj])
            assert np.array_equal(getattr(kept.rows, rows)[part], getattr(fresh.rows, rows)[part]) and part.stop
    assert np.array_equal(kept._centre[used], fresh._centre[used])
    assert np.array_equal(kept._radius[used], fresh._radius[used])


def test_rows_are_kept_until_something_moves():
    scene = Scene()
    balls = [scene.add_mesh(*ball(4, 6)), scene.add_mesh(*ball(6, 6))]
    for k in range(4):
        scene.add_object(balls[k % 2], pose(1.0, (1.3 * k, 0.2 * k, 0.0)))
    changes = [
        (lambda: None, [0, 1], [0, 1]), (lambda: None, [0, 1], []),
        (lambda: scene.set_poses([1], [pose(1.0, (1.0, 0.1, 0.2))]), [0, 1], [1]),
        (lambda: scene.set_poses([1], [pose(1.0, (1.1, 0.1, 0.2))]), [0], []),       # it is written when it is used
        (lambda: None, [0, 1], [1]),
        (lambda: scene.set_vertices(balls[0], 0.5 * ball(4, 6)[0]), [0, 1], [0]),
        (lambda: None, [1, 2], [1, 2]), (lambda: None, [0, 1], [0]),            # more objects: a new layout
        (lambda: scene.set_poses([2], [pose(1.0, (90.0, 0.0, 0.0))]), [0, 1, 2], [0, 1, 2]),     # another power of two
        (lambda: scene.add_object(balls[1], pose(1.0, (0.0, 1.0, 0.0))), [0, 4], [0, 4]),
        (scene.renew, [0, 4], [0, 4]),
    ]
    for change, used, expected in changes:
        change()
        kept, fresh, written = kept_and_fresh(scene, used)
        assert written == expected
        check_same_rows(kept, fresh, used)


def two_objects(first, second):
    """A scene of two meshes, each of triangles (n,3,3) that share no vertex."""
    scene = Scene()
    for corners in (first, second):
        scene.add_object(scene.add_mesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)), pose())
    return scene


def ends_of(scene, objects, side, edge):
    """The two exact ends of an edge, as a triangle of which two corners are the same."""
    vertices = scene.meshes[side].vertices
    row = edge - objects.edge_start[side] + objects.owners.edge_start[side]
    return vertices[objects.owners.ends[row][[0, 1, 1]]]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_miss_misses_and_a_hit_hits(name):
    scene = two_objects(*FAMILIES[name](np.random.default_rng(5), OF_EACH))
    objects, loaded, search = streamed(scene)
    items = np.array([(edge, side) for side in (0, 1) for edge in range(
        objects.edge_start[side], objects.edge_start[side] + objects.edge_count[side])], np.int32)
    tasks = objects.tasks(search.edged, search.other, objects.triangle_start[[1, 0]], objects.triangle_count[[1, 0]])
    hits, codes = loaded.meet(items, tasks)
    found = dict(zip(map(tuple, hits.tolist()), codes.tolist()))
    assert set(codes.tolist()) <= {HIT, CLOSE_CALL}
    meeting = 0
    for edge, side in items.tolist():
        for row in range(objects.triangle_start[1 - side], objects.triangle_start[1 - side] + OF_EACH):
            corners = scene.meshes[1 - side].vertices.reshape(-1, 3, 3)[objects.number[row]]
            meets = bool(shared_part(ends_of(scene, objects, side, edge), corners).kind)
            meeting += meets
            code = found.get((edge, side, row))
            assert code is not None or not meets, "an edge that meets is called a miss"
            assert code != HIT or meets, "an edge that misses is called a hit"
    assert meeting or name not in ("lattice", "coplanar", "edge on vertex", "edge on edge")


@pytest.mark.scenes
@pytest.mark.parametrize("name", FAMILIES)
def test_families_have_the_contacts_of_the_default(name):
    scene = two_objects(*(FAMILIES[name](np.random.default_rng(6), 40)))
    expected = detect(scene)
    for form in SEARCHES:
        same_answer(expected, detect(scene, "stream", options={"form": form}))


def same_answer(expected, got):
    for name in ("a", "b", "verdict", "contacts"):
        assert np.array_equal(expected.pairs[name], got.pairs[name]), name
    for name in ("pair", "triangle_a", "triangle_b", "kind", "proper", "point", "normal"):
        assert np.array_equal(getattr(expected.contacts, name), getattr(got.contacts, name), equal_nan=True), name


@pytest.mark.scenes
@pytest.mark.parametrize("name", ("crowd", "lattice boxes", "walls and floor", "flattened"))
def test_scenes_have_the_contacts_of_the_default(name):
    scene = build(draw(name, 3))
    expected, verdicts = detect(scene), detect(scene, contacts=False)
    for form in SEARCHES:
        same_answer(expected, detect(scene, "stream", options={"form": form}))
        same_answer(verdicts, detect(scene, "stream", contacts=False, options={"form": form}))


@pytest.mark.parametrize("form", SEARCHES)
def test_small_slices_and_little_room(form, monkeypatch):
    scene = Scene()
    mesh = scene.add_mesh(*ball(*((20, 12) if COMPILED else (5, 4))))
    for x in (0.0, 0.4, 0.9) if COMPILED else (0.0, 0.4):
        scene.add_object(mesh, pose(1, (x, 0.3 * x, 0.1)))
    expected = detect(scene)
    monkeypatch.setattr(forms, "TESTS_AT_ONCE", 600)
    monkeypatch.setattr(forms, "TRIANGLES_PER_TASK", 7)
    monkeypatch.setattr(forms, "WALKS_AT_ONCE", 33)
    monkeypatch.setattr(forms, "STREAM_TASKS_AT_ONCE", 5)
    monkeypatch.setattr(processor, "FIRST_HITS", 1)
    same_answer(expected, detect(scene, "stream", options={"form": form}))


@pytest.mark.scenes
def test_few_are_too_close_to_call():
    rng = np.random.default_rng(1)
    corners = rng.uniform(-1, 1, (2, 300, 1, 3)) + rng.normal(size=(2, 300, 3, 3)) * 0.1
    _, loaded, search = streamed(two_objects(*corners))
    objects, side = search.objects, np.arange(2)
    items = np.concatenate(list(forms._items(side, *search._all_edges(), None, 1 << 20)))
    tasks = objects.tasks(search.edged, search.other, objects.triangle_start[[1, 0]], objects.triangle_count[[1, 0]])
    codes = loaded.meet(items, tasks)[1]
    assert np.count_nonzero(codes == HIT) > 100 and np.count_nonzero(codes == CLOSE_CALL) < 5


def test_a_walk_stops_and_goes_on():
    """An edge through all of a stack of triangles, which takes more steps than one call has."""
    count = 3 * processor.WALK_STEPS
    stack = np.array([[(-1, -1, 0), (1, -1, 0), (0, 1, 0)]] * count) + np.arange(count)[:, None, None] * (0, 0, 0.01)
    needle = np.array([[(0, 0, -1), (0, 0, 20.0), (0, 0.001, 20)]])
    objects, loaded, search = streamed(two_objects(needle, stack))
    items = np.array([[objects.edge_start[0], 0]], np.int32)
    tasks = objects.tasks(search.edged, search.other, np.zeros(2), 0)
    at, seen, calls = objects.node_start[[1]].astype(np.int32), [], 0
    while at[0] != END:
        hits, _, at = loaded.walk(items, tasks, at)
        seen += hits[:, 2].tolist()
        calls += 1
    assert calls >= 3 and len(seen) == len(set(seen)) == count


def test_the_order_of_nodes():
    scene = two_objects(*np.random.default_rng(2).normal(size=(2, 90, 3, 3)))
    objects, _, _ = streamed(scene)
    for obj in (0, 1):
        nodes = objects.rows.nodes[objects.node_start[obj]:][:objects.node_count[obj]]
        leaf = nodes[:, 17] > 0
        assert nodes[leaf, 17].max() <= LEAF and nodes[leaf, 17].sum() == 90
        at, visited = objects.node_start[obj], 0
        while at != END:            # skipping every leaf and entering all else passes every node once
            row = objects.rows.nodes[int(at)]
            at, visited = (row[3] if row[17] else at + 1), visited + 1
        assert visited == len(nodes)


@pytest.mark.parametrize("form", SEARCHES)
def test_cancelling(form):
    corners = np.random.default_rng(2).uniform(size=(2, 400 if COMPILED else 60, 3, 3))
    scene, calls = two_objects(*corners), []

    def progress(stage, fraction):
        calls.append(stage)
        return calls.count("contacts") < 3

    report = detect(scene, "stream", options={"form": form}, progress=progress, threads=1)
    assert report.cancelled
