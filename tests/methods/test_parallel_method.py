# SPDX-License-Identifier: GPL-3.0-or-later
"""The method `parallel`: task trees counted by hand, candidates against brute force, four forms and any number of
threads with one answer."""
import numpy as np
import pytest
from naive.scenes import SCENES, build, crowd, draw, pose
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect
from touchpoint.core.errors import Refused
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.methods.parallel import TRAVERSALS
from touchpoint.core.mid_phase.edge_tasks import MASK_BITS
from touchpoint.core.run import Run
from touchpoint.core.scene.select import select
from touchpoint.core.search import contact_search, edge_volume, task_tree
from touchpoint.core.trees.balanced.trees import BalancedTrees
from touchpoint.core.trees.bvh.placed import PlacedMeshes

SIZE = 1 if COMPILED else 0.4
DRAWN = SCENES if COMPILED else ("soup", "walls and floor")


def searched(scene, form, threads=1, capacity=64, done=False):
    """(search, a, b, all candidates as rows) for all pairs of a scene, with buffers so small that kernels stop and go
    on again and again."""
    run = Run(None, threads, True, {"form": form})
    selection = select(scene)
    with run.stage("contacts", 0):
        trees = BalancedTrees(PlacedMeshes(scene, selection, run), run)
        a, b = (side.astype(np.int32) for side in np.triu_indices(len(selection.objects), 1))
        trees.fit(a, b, run)
        search = TRAVERSALS[form][0](trees, a, b, run)
        buffer, flags = np.empty((capacity, 3), np.int32), np.full(len(a), done, np.uint8)
        rows = [tuple(row) for chunk in search.chunks() for count in search(chunk, buffer, flags)
                for row in buffer[:count].tolist()]
    return search, a, b, rows


def two_clusters(*places):
    """Five small triangles near each place along x."""
    corner = np.array([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0.1)])
    vertices = np.concatenate([corner + (x + 0.01 * k, 0.01 * k, 0) for x in places for k in range(5)])
    return vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)


@pytest.mark.parametrize("other, tasks, edge_tasks", [
    # Both objects have a root and two leaves, at 0 and at 10.
    ((0, 10), 1 + 4, 3 + 3),            # the root gives four tasks; of edges each root gives two
    ((10, 20), 1 + 4, 3 + 3),
    ((100, 110), 1, 1 + 1),             # the roots are apart
    ((4, 6), 1 + 4, 1 + 3),             # the roots meet, but no edge at 0 or 10 meets the root at 4 to 6
])
def test_tasks_by_hand(other, tasks, edge_tasks):
    scene = build(([two_clusters(0, 10), two_clusters(*other)], [(0, pose()), (1, pose())]))
    assert sum(searched(scene, "SSTCD")[0].tasks) == tasks
    assert sum(searched(scene, "ESCD")[0].tasks) == edge_tasks


def test_a_leaf_against_an_inner_node_gives_two_tasks():
    scene = build(([two_clusters(0, 10), two_clusters(0)], [(0, pose()), (1, pose())]))
    assert sum(searched(scene, "SSTCD")[0].tasks) == 1 + 2
    assert sum(searched(scene, "ESCD")[0].tasks) == 1 + 3       # edges of a against the leaf; of b against three nodes


def crowded(seed=0):
    meshes, objects = crowd(np.random.default_rng(seed), count=5, room=1.2)
    big = ball(int(20 * SIZE), int(12 * SIZE))
    return build(([*meshes, big], [*objects, (len(meshes), pose(1, (0.5, 0.5, 0.5)))]))


def boxes_that_meet(low, high, lower, upper):
    return (low[:, None] <= upper[None]).all(2) & (lower[None] <= high[:, None]).all(2)


def expected_candidates(scene, form):
    """All pairs of triangles whose boxes meet, by brute force; for edges: those of which an edge's box of either meets
    the box of the other."""
    run = Run(None, 1, True, {})
    with run.stage("prepare", 0):
        placed = PlacedMeshes(scene, select(scene), run)
    corners = [placed.world_of(i)[placed.triangles[start:start + count]]
               for i, (start, count) in enumerate(zip(placed.triangle_start, placed.triangle_count))]
    rows = set()
    for pair, (i, j) in enumerate(zip(*np.triu_indices(len(corners), 1))):
        one, other = corners[i], corners[j]
        if "TCD" in form or form == "SPCD":
            found = boxes_that_meet(one.min(1), one.max(1), other.min(1), other.max(1))
        else:
            found = np.zeros((len(one), len(other)), bool)
            for side in ([0, 1], [1, 2], [2, 0]):
                found |= boxes_that_meet(one[:, side].min(1), one[:, side].max(1), other.min(1), other.max(1))
                found |= boxes_that_meet(one.min(1), one.max(1), other[:, side].min(1), other[:, side].max(1))
        rows |= {(pair, *slots) for slots in np.argwhere(found).tolist()}
    return rows


@pytest.fixture
def divided(monkeypatch):
    """Even small scenes are shared by threads, and sets of edges cut, as far as it goes."""
    monkeypatch.setattr(task_tree, "TRIANGLES_PER_CHUNK", 1)
    monkeypatch.setattr(task_tree, "NODE_TASKS_PER_THREAD", 50)
    monkeypatch.setattr(edge_volume, "MIN_TASK_WEIGHT", 1)
    monkeypatch.setattr(edge_volume, "EDGE_TASKS_PER_THREAD", 50)
    monkeypatch.setattr(edge_volume, "EDGES_PER_BLOCK", 7)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("form", TRAVERSALS)
def test_candidates_are_complete_and_not_repeated(form, threads, divided):
    scene = crowded()
    rows = searched(scene, form, threads, MASK_BITS)[3]
    assert len(rows) == len(set(rows)) and set(rows) == expected_candidates(scene, form)
    assert len(rows) > 200 * SIZE


@pytest.mark.parametrize("form", TRAVERSALS)
def test_leaves_without_bound(form):
    """Triangles all at one place cannot be divided: more of them in a leaf than a mask or a buffer holds, and an edge
    that all of them share."""
    flat = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float), np.tile(np.arange(3, dtype=np.int32), (75, 1))
    scene = build(([flat, flat], [(0, pose()), (1, pose(1, (0.1, 0.1, 0)))]))
    search, _, _, rows = searched(scene, form, capacity=MASK_BITS)
    assert len(rows) == len(set(rows)) == 75 * 75
    assert len(search.trees.children) == 2


@pytest.mark.parametrize("form", TRAVERSALS)
def test_pairs_that_are_done_are_passed_over(form):
    assert searched(crowded(), form, done=True)[3] == []


def test_a_pair_that_is_done_meanwhile_ends_and_leaves_no_trace(divided):
    """Marked in the middle of a leaf; the next pair is still searched as if it were the first."""
    flat = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float), np.tile(np.arange(3, dtype=np.int32), (75, 1))
    scene = build(([flat], [(0, pose()), (0, pose(1, (0.1, 0.1, 0))), (0, pose(1, (0.1, 0, 0)))]))
    for form in TRAVERSALS:
        search = searched(scene, form)[0]
        buffer, done, rows = np.empty((MASK_BITS, 3), np.int32), np.zeros(3, np.uint8), []
        for chunk in search.chunks():
            for count in search(chunk, buffer, done):
                rows += map(tuple, buffer[:count].tolist())
                done[1] |= (buffer[:count, 0] == 1).any()
        first, second, third = ({row for row in rows if row[0] == pair} for pair in range(3))
        assert len(rows) == len(set(rows)) and len(first) == len(third) == 75 * 75 and 0 < len(second) < 75 * 75


def assert_same(one, other):
    assert one.pairs.tobytes() == other.pairs.tobytes()
    for field in one.contacts.__dataclass_fields__:
        assert getattr(one.contacts, field).tobytes() == getattr(other.contacts, field).tobytes(), field


@pytest.mark.scenes
@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("form", TRAVERSALS)
def test_every_form_gives_the_same_bits(form, name, divided):
    """As the method touchpoint, which the other tests hold to the rational reference."""
    scene = build(draw(name, 4))
    expected = detect(scene, threads=1)
    for threads in (1, 2, 4):
        assert_same(detect(scene, method="parallel", options={"form": form}, threads=threads), expected)
    short = detect(scene, method="parallel", options={"form": form}, threads=2, contacts=False)
    assert np.array_equal(short.pairs["verdict"], expected.pairs["verdict"])


@pytest.mark.parametrize("form", TRAVERSALS)
def test_single_triangles_on_a_lattice(form):
    """Of two triangles that meet an edge of one meets the other: with corners 0 … 2 many are in one plane, inside one
    another, segments or points."""
    rng = np.random.default_rng(11)
    scene = Scene()
    for _ in range(int(40 * SIZE)):
        scene.add_object(scene.add_mesh(rng.integers(0, 3, (3, 3)).astype(float), [[0, 1, 2]]))
    scene.add_object(scene.add_mesh(np.array([(-9, -9, 1), (20, -9, 1), (-9, 20, 1)]), [[0, 1, 2]]))
    report, exact = (detect(scene, method=method, **more) for method, more in (
        ("parallel", {"options": {"form": form}}), ("exact", {})))
    for column in ("a", "b", "verdict", "contacts"):
        assert np.array_equal(report.pairs[column], exact.pairs[column])
    for field in ("pair", "triangle_a", "triangle_b", "kind", "proper"):
        assert np.array_equal(getattr(report.contacts, field), getattr(exact.contacts, field))
    assert len(exact.contacts) > 100 * SIZE


@pytest.mark.parametrize("scale, offset", [(1e30, 0), (1e-30, 0), (1, 1e9), (1e-150, 0)])
@pytest.mark.parametrize("form", TRAVERSALS)
def test_sizes_and_places(form, scale, offset):
    objects = [(0, pose(scale, (offset,) * 3)), (1, pose(scale, (scale * 0.4 + offset, offset, offset))),
               (1, pose((-scale, scale, 0.0), (offset,) * 3))]
    scene = build(([ball(8, 6), box()], objects))
    assert_same(detect(scene, method="parallel", options={"form": form}), detect(scene))


@pytest.mark.parametrize("form", TRAVERSALS)
def test_a_found_hit_stops_the_rest(form):
    sheet = grid(int(60 * SIZE), int(60 * SIZE))
    wavy = sheet[0] + np.stack([0.31 * np.ones(len(sheet[0])), 0.17 * np.ones(len(sheet[0])),
                                0.1 * np.sin(sheet[0][:, 0] + 0.3 * sheet[0][:, 1])], axis=1), sheet[1]
    scene = build(([sheet, wavy], [(0, pose()), (1, pose())]))
    options = {"form": form}
    full, short = (detect(scene, method="parallel", options=options, contacts=wanted) for wanted in (True, False))
    assert full.verdict(0) == short.verdict(0) == "crossing"
    assert short.counts["triangle_pairs"] < 0.5 * full.counts["triangle_pairs"]
    assert short.counts["box_pairs"] < full.counts["box_pairs"]


@pytest.mark.parametrize("form", TRAVERSALS)
def test_what_is_cancelled_is_said_and_leaves_no_trace(form, divided):
    scene = crowded(1)
    expected = detect(scene, method="parallel", options={"form": form})
    scene.cache.clear()
    for after in range(0, 12):
        told = []

        def progress(stage, fraction, told=told, after=after):
            told.append(stage)
            return len(told) <= after
        report = detect(scene, method="parallel", options={"form": form}, progress=progress, threads=2)
        assert report.cancelled == (len(told) > after)
        verdicts = {tuple(row)[:2]: report.verdict(i) for i, row in enumerate(report.pairs)}
        for i, row in enumerate(expected.pairs):
            assert not report.cancelled or len(report.pairs) == 0 or verdicts.get(
                tuple(row)[:2]) in (expected.verdict(i), "cannot tell", "crossing")
    assert_same(detect(scene, method="parallel", options={"form": form}), expected)


def test_forms_are_options():
    scene = build(([box()], [(0, pose()), (0, pose(1, (0.5, 0.5, 0.5)))]))
    assert detect(scene, method="parallel", options={"form": "ESCD"}).settings["options"]["form"] == "ESCD"
    with pytest.raises(Refused, match="SSTCD, SPCD, ESCD, EPCD"):
        detect(scene, method="parallel", options={"form": "XPCD"})


@pytest.mark.parametrize("form", ["SPCD", "EPCD"])
@pytest.mark.parametrize("head_start", [0.0, 1e-5, 60.0])
def test_a_head_start_changes_no_verdict(form, head_start, monkeypatch):
    """On one thread at first: all of it, a part of it or one step, whose open pairs then begin anew."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1}, raising=False)      # there is a second one to go on
    monkeypatch.setattr(contact_search, "HEAD_START_SECONDS", head_start)
    begun = []
    take_head_start = contact_search.ContactSearch.head_start

    def watched(self, *how):
        begun.append(take_head_start(self, *how))
        return begun[-1]
    monkeypatch.setattr(contact_search.ContactSearch, "head_start", watched)
    monkeypatch.setattr(task_tree, "TASKS_PER_SHORT_CALL", 16)
    monkeypatch.setattr(edge_volume, "TESTS_PER_SHORT_CALL", 16)
    for seed in range(3):
        scene = crowded(seed)
        expected = detect(scene, threads=1)
        report = detect(scene, method="parallel", options={"form": form}, threads=2, contacts=False)
        columns = ["a", "b", "verdict", "inner"]
        assert np.array_equal(report.pairs[columns], expected.pairs[columns])
        assert len(expected.pairs) > 3
    assert begun == [head_start == 60.0] * 3 or 0.0 < head_start < 60.0


@pytest.mark.parametrize("threads, contacts", [(1, False), (2, True)])
def test_no_head_start_where_nothing_is_divided_or_all_contacts_are_wanted(threads, contacts, monkeypatch):
    monkeypatch.setattr(contact_search.ContactSearch, "head_start", None)
    assert len(detect(crowded(), method="parallel", threads=threads, contacts=contacts).pairs) > 0
