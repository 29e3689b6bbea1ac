# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect(self_collisions=True)`: rows of objects with themselves beside those of pairs, whatever threads, buffers,
limits and cancelling do."""
import csv
import json

import numpy as np
import pytest
from naive.self_meshes import grid, shuffled, soup, torus, two_boxes
from naive.shapes import ball, box, joined
from naive.triangle_pairs import CLASSES
from touchpoint.core import Refused, Scene, Unsupported, detect, methods
from touchpoint.core.codes import CANCELLED, CANNOT_TELL, CROSSING, TOUCHING
from touchpoint.core.contacts import AREA
from touchpoint.core.queries import self_intersections
from touchpoint.core.rules import Ref, Rule, RuleSet
from touchpoint.core.rules.rule import PAIRS
from touchpoint.core.search import contact_budget, contact_search
from touchpoint.core.self_collision import search

pytestmark = pytest.mark.scenes

COLUMNS = ("pair", "triangle_a", "triangle_b", "kind", "proper")


def scene_of(*meshes, poses=(), **options) -> Scene:
    scene = Scene()
    for number, mesh in enumerate(meshes):
        pose = poses[number] if number < len(poses) else np.eye(4)
        scene.add_object(scene.add_mesh(*mesh), pose, name=f"Object {number}", **options)
    return scene


def away(x: float) -> np.ndarray:
    pose = np.eye(4)
    pose[0, 3] = x
    return pose


def rows(report) -> list[tuple]:
    return list(zip(report.pairs["a"].tolist(), report.pairs["b"].tolist(), report.pairs["verdict"].tolist(),
                    report.found.tolist()))


def pierced():
    """Two triangles with a common corner that cut through each other beyond it."""
    return np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), (3, 3, -2), (3, 3, 2)], float), [[0, 1, 2], [0, 3, 4]]


def folded():
    """A sheet whose halves lie on each other."""
    V, F = grid(9)
    V[:, 0] = np.abs(V[:, 0] - 4.0)
    return V, F


def test_one_object_is_enough():
    report = detect(scene_of(torus(24, 12, 1.0, 1.5)), self_collisions=True)
    assert [row[:3] for row in rows(report)] == [(0, 0, CROSSING)] and report.exit_code() == 1
    contacts = report.contacts
    assert (contacts.triangle_a < contacts.triangle_b).all()
    pairs = np.stack([contacts.triangle_a, contacts.triangle_b], 1).tolist()
    assert pairs == sorted(pairs) == self_intersections(*torus(24, 12, 1.0, 1.5)).tolist()


@pytest.mark.parametrize("mesh,verdict", [(pierced(), CROSSING), (folded(), TOUCHING), (two_boxes(1.0), TOUCHING),
                                          (joined(box(), (box()[0] + (0.5, 0.3, 0.2), box()[1])), CROSSING)])
def test_verdicts(mesh, verdict):
    for method in ("touchpoint", "exact"):
        for contacts in (True, False):
            report = detect(scene_of(mesh), method, self_collisions=True, contacts=contacts)
            assert report.pairs["verdict"].tolist() == [verdict], method


def test_meshes_that_do_not_meet_themselves_are_not_listed():
    report = detect(scene_of(ball(12, 8), grid(6), box(), poses=(away(0), away(50), away(90))), self_collisions=True)
    assert len(report.pairs) == 0 and report.counts["objects_alone"] == 3 and report.exit_code() == 0


@pytest.mark.parametrize("seed", range(12))
def test_against_the_reference(seed):
    """Three meshes of small whole numbers, that meet each other as well."""
    rng = np.random.default_rng(seed)
    scene = scene_of(*(soup(rng, 12, 16, 4) for _ in range(3)), poses=(away(0), away(2), away(9)))
    fast, exact = (detect(scene, method, self_collisions=True) for method in ("touchpoint", "exact"))
    assert rows(fast) == rows(exact) and {row[0] for row in rows(fast) if row[0] == row[1]} == {0, 1, 2}
    for name in COLUMNS:
        assert np.array_equal(getattr(fast.contacts, name), getattr(exact.contacts, name)), name
    one_end = (fast.contacts.kind < AREA)
    assert np.allclose(fast.contacts.point[one_end].sum(axis=1), exact.contacts.point[one_end].sum(axis=1), atol=1e-12)
    pairs = [(row[0], row[1], row[2]) for row in rows(fast) if row[0] != row[1]]
    assert pairs == [row[:3] for row in rows(detect(scene))]


@pytest.mark.parametrize("name", [name for name in CLASSES if "vertex" in name or "edge" in name])
def test_neighbours_of_all_classes(name):
    """Pairs of triangles that share a vertex or an edge, each pair a mesh of its own."""
    A, B = CLASSES[name](np.random.default_rng(3), 40)
    corners = np.stack([A, B], 1).reshape(-1, 6, 3)
    scene = scene_of(*((points, [[0, 1, 2], [3, 4, 5]]) for points in corners))
    found = [detect(scene, method, pairs=[(i, i) for i in range(len(corners))], self_collisions=True)
             for method in ("touchpoint", "exact")]
    assert rows(found[0]) == rows(found[1])


def test_rows_are_in_order_and_contacts_are_theirs():
    scene = scene_of(torus(16, 8, 1.0, 1.5), grid(5), two_boxes(0.5))
    report = detect(scene, self_collisions=True, clearance=0.1, depth=True)
    order = [(row[0], row[1]) for row in rows(report)]
    assert order == sorted(order) and {(0, 0), (2, 2), (0, 1)} <= set(order)
    assert (np.diff(report.contacts.pair) >= 0).all()
    for number, (a, b, *_) in enumerate(rows(report)):
        assert (report.contacts_of(number).pair == number).all() and len(report.contacts_of(number)) > 0
        if a == b:
            assert np.isnan(report.pairs["gap"][number]) and np.isnan(report.pairs["depth"][number])
    without = detect(scene, clearance=0.1, depth=True)
    both = report.pairs[report.pairs["a"] != report.pairs["b"]]
    for name in ("a", "b", "verdict", "gap", "depth", "contacts"):
        assert np.array_equal(both[name], without.pairs[name], equal_nan=name in ("gap", "depth")), name


def test_without_it_nothing_of_it_is_done():
    report = detect(scene_of(torus(16, 8, 1.0, 1.5), grid(5)))
    assert (report.pairs["a"] < report.pairs["b"]).all() and "self_collisions" not in report.settings
    assert "self-collisions" not in [stage.name for stage in report.stages] and "objects_alone" not in report.counts


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("alone", [0, 1])
def test_threads_and_buffers_change_nothing(threads, alone, monkeypatch):
    rng = np.random.default_rng(4)
    V, F = grid(40)
    meshes = (V * (0.1, 0.1, 1.0) + 0.3 * rng.normal(size=V.shape), F), torus(40, 20, 1.0, 1.5)
    expected = detect(scene_of(*meshes, poses=(away(0), away(60))), self_collisions=True, threads=1)
    monkeypatch.setattr(search, "CALLS_ALONE", alone)
    monkeypatch.setattr(search, "OPENED_TASKS_AT_ONCE", 40)
    monkeypatch.setattr(search, "STACK", 24)
    monkeypatch.setattr(search, "MAX_TASKS_PER_CALL", 50)
    found = detect(scene_of(*meshes, poses=(away(0), away(60))), self_collisions=True, threads=threads)
    assert rows(found) == rows(expected) and len(found.contacts) > 1000
    for name in (*COLUMNS, "point", "normal", "status"):
        assert np.array_equal(getattr(found.contacts, name), getattr(expected.contacts, name)), name


def test_order_of_triangles_changes_no_place():
    rng = np.random.default_rng(7)
    V, F = grid(16)
    mesh = V * (0.1, 0.1, 1.0) + 0.2 * rng.normal(size=V.shape), F
    (other, order) = shuffled(rng, mesh)
    one, two = (detect(scene_of(each), self_collisions=True).contacts for each in (mesh, other))
    ends = [{tuple(np.sort(each, axis=0).ravel().tolist()) for each in contacts.point} for contacts in (one, two)]
    assert ends[0] == ends[1] and len(one) == len(two) > 300


def test_more_contacts_than_are_listed(monkeypatch):
    monkeypatch.setattr(contact_search, "HITS_PER_LOOK", 4)
    monkeypatch.setattr(contact_budget, "FIRST_BATCH", 1)
    scene = scene_of(torus(24, 12, 1.0, 1.5), folded(), grid(4), poses=(away(0), away(50), away(90)))
    whole = detect(scene, self_collisions=True)
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 100)
    report = detect(scene, self_collisions=True)
    assert rows(report) == rows(whole) and len(report.contacts) == 100
    assert report.summary()["contacts"] == len(whole.contacts) and any("are listed" in note for note in report.notes)


@pytest.mark.parametrize("when", ["contacts", "self-collisions"])
@pytest.mark.parametrize("threads", [1, 2])
def test_cancelling_keeps_what_was_found(when, threads):
    scene = scene_of(torus(24, 12, 1.0, 1.5), grid(4), poses=(away(0), away(50)))
    report = detect(scene, self_collisions=True, threads=threads, progress=lambda stage, done: stage != when)
    assert report.cancelled and [(row[0], row[1]) for row in rows(report)] == [(0, 0), (1, 1)]
    assert set(report.pairs["verdict"].tolist()) <= {CANNOT_TELL, CROSSING}
    assert (report.pairs["status"][report.pairs["verdict"] == CANNOT_TELL] == CANCELLED).all()
    assert rows(detect(scene, self_collisions=True)) == [(0, 0, CROSSING, 1147)]


def test_pairs_and_static_objects():
    def ask(scene, **question):
        return [row[:2] for row in rows(detect(scene, self_collisions=True, **question))]

    meshes = torus(16, 8, 1.0, 1.5), torus(12, 8, 1.0, 1.5)
    scene = scene_of(*meshes)
    assert ask(scene) == [(0, 0), (0, 1), (1, 1)]
    assert ask(scene, pairs=[(1, 1)]) == [(1, 1)] and ask(scene, pairs=[(1, 0)]) == [(0, 1)]
    assert detect(scene, pairs=[(0, 1), (1, 1)]).pairs["b"].tolist() == [1]
    with pytest.raises(Refused):
        detect(scene, pairs=[(1, 1)])
    with pytest.raises(Refused, match="nothing moves"):
        detect(scene_of(meshes[0], static=True), self_collisions=True)
    assert ask(scene, rules=[("", "nobody")]) == [(0, 0), (1, 1)]


def test_a_tolerance_and_rules_leave_these_rows_alone():
    scene = scene_of(torus(16, 8, 1.0, 1.5), torus(12, 8, 1.0, 1.5))
    plain = detect(scene, self_collisions=True)
    own = [row for row in rows(plain) if row[0] == row[1]]
    report = detect(scene, self_collisions=True, tolerance=10.0)
    assert [row for row in rows(report) if row[0] == row[1]] == own
    alone = report.pairs[report.pairs["a"] == report.pairs["b"]]
    assert alone["exact"].tolist() == [CROSSING, CROSSING] and alone["tolerance"].tolist() == [0.0, 0.0]
    names = [(Ref("Object 0"), Ref("Object 1")), (Ref("Object 0"), Ref("Object 0"))]
    for depth in (None, 100.0):
        rule = Rule(PAIRS, pairs=tuple(names), allowed_depth=depth)
        report = detect(scene, self_collisions=True, rules=RuleSet([rule]))
        assert rows(report) == own and len(report.rules.taken) == 1


def test_refusals():
    scene = scene_of(box())
    with pytest.raises(Refused, match="one alone can be tested with itself"):
        detect(scene)
    assert len(detect(scene, self_collisions=True).pairs) == 0
    with pytest.raises(Refused, match="one alone can be tested with itself"):
        detect(scene)
    with pytest.raises(Refused, match="no object with faces"):
        detect(scene_of((np.zeros((3, 3)), np.zeros((0, 3), int))), self_collisions=True)
    with pytest.raises(Refused, match="no objects"):
        detect(Scene(), self_collisions=True)
    for method in methods.ids():
        if methods.load(method).within is None:
            with pytest.raises(Unsupported, match="self-collisions"):
                detect(scene_of(box(), box()), method, self_collisions=True)


def test_numbers_that_are_none_are_not_judged():
    V, F = torus(16, 8, 1.0, 1.5)
    broken = V.copy()
    broken[3] = np.nan
    report = detect(scene_of((broken, F), (V, F)), self_collisions=True)
    assert [row[:2] for row in rows(report)] == [(1, 1)] and not report.skipped[0].judged
    report = detect(scene_of((broken, F)), self_collisions=True)
    assert len(report.pairs) == 0 and report.exit_code() == 2


def test_poses_and_instances():
    """World coordinates count: a mesh that is flattened lies on itself; instances are objects of their own."""
    scene = scene_of(ball(12, 8))
    flat = np.diag([1.0, 1.0, 0.0, 1.0])
    scene.add_object(0, flat)
    scene.add_object(0, away(30.0))
    report = detect(scene, self_collisions=True, pairs=[(0, 0), (1, 1), (2, 2)])
    assert [row[:3] for row in rows(report)] == [(1, 1, TOUCHING)]
    scene.set_poses([0, 1], [flat, np.eye(4)])
    assert [row[:2] for row in rows(detect(scene, self_collisions=True, pairs=[(0, 0), (1, 1)]))] == [(0, 0)]


def test_files(tmp_path):
    report = detect(scene_of(torus(16, 8, 1.0, 1.5), poses=(away(1),)), self_collisions=True)
    report.to_json(tmp_path / "report.json")
    said = json.loads((tmp_path / "report.json").read_text())
    assert said["settings"]["self_collisions"] is True
    assert [(pair["a"], pair["b"], pair["verdict"]) for pair in said["pairs"]] == [("Object 0", "Object 0", "crossing")]
    assert len(said["pairs"][0]["points"]) == len(report.contacts)
    from touchpoint.core.export import write_csv

    write_csv(report, tmp_path / "report.csv")
    assert next(csv.DictReader(open(tmp_path / "report.csv")))["b"] == "Object 0"
