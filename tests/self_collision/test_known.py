# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect(self_reference=…)`: exactly those self-collisions are left out that the reference has, and no worse now."""
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from naive.basic_solutions import shared_corners
from naive.plain_contacts import passes_through
from naive.self_meshes import grid, shuffled, soup, torus, two_boxes
from naive.self_pairs import collide
from naive.shapes import ball
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CROSSING, TOUCHING
from touchpoint.core.search import contact_budget
from touchpoint.core.self_collision.known import Known, SelfReference, known_pairs

pytestmark = pytest.mark.scenes

POSE = "the rest pose"


def scene_of(*meshes) -> Scene:
    scene = Scene()
    for number, (V, F) in enumerate(meshes):
        pose = np.eye(4)
        pose[0, 3] = 64.0 * number
        scene.add_object(scene.add_mesh(V, F), pose, name=f"Object {number}")
    return scene


def known_of(*meshes, method="touchpoint") -> dict[int, Known]:
    scene = scene_of(*meshes)
    return known_pairs(scene, detect(scene, method, self_collisions=True))


def found_now(meshes, known, **how):
    return detect(scene_of(*meshes), self_collisions=True, self_reference=SelfReference(POSE, known), **how)


def listed(report) -> set[tuple[int, int, int]]:
    contacts = report.contacts
    return {(int(report.pairs["a"][pair]), i, j) for pair, i, j in
            zip(contacts.pair.tolist(), contacts.triangle_a.tolist(), contacts.triangle_b.tolist())}


def levels(V, F) -> dict[tuple[int, int], int]:
    """How much each colliding pair of triangles shares, in Fractions: 1 a point, 2 a segment, 3 area, 4 it passes
    through. Nothing of the product is called."""
    corners = [[tuple(map(Fraction, V[v])) for v in triangle] for triangle in F]
    found = {}
    for (i, one), (j, other) in combinations(enumerate(corners), 2):
        if collide(one, other):
            shared = min(3, len(shared_corners(one, other)))
            proper = shared == 2 and passes_through(one, other) and passes_through(other, one)
            found[i, j] = 4 if proper else shared
    return found


@pytest.mark.parametrize("seed", range(8))
def test_against_the_definition(seed):
    """Soups of small whole numbers, some vertices of which move."""
    rng = np.random.default_rng([seed, 5])
    before = [soup(rng, 10, 14, 4) for _ in range(2)]
    now = []
    for V, F in before:
        V = np.array(V, float)
        V[rng.random(len(V)) < 0.3] += rng.integers(-1, 2, 3)
        now.append((V, F))
    new = set()
    for number, (one, other) in enumerate(zip(before, now)):
        old = levels(*one)
        new |= {(number, i, j) for (i, j), level in levels(*other).items() if level > old.get((i, j), 0)}
    worst = {number: max((level for (i, j), level in levels(*each).items() if (number, i, j) in new), default=0)
             for number, each in enumerate(now)}
    for method in ("touchpoint", "exact"):
        report = found_now(now, known_of(*before, method=method), method=method)
        assert listed(report) == new
        left_out = len(detect(scene_of(*now), method, self_collisions=True).contacts) - len(report.contacts)
        assert report.summary()["known_self_contacts"] == left_out
        assert any(note.startswith("Known from the rest pose") for note in report.notes) == (left_out > 0)
        verdicts = {int(pair["a"]): int(pair["verdict"]) for pair in report.pairs if pair["a"] == pair["b"]}
        assert verdicts == {number: CROSSING if level == 4 else TOUCHING for number, level in worst.items() if level}


def test_the_same_pose_has_nothing_new():
    meshes = [torus(24, 12, 1.0, 1.5), two_boxes(0.5), ball(12, 8)]
    for contacts in (True, False):
        report = found_now(meshes, known_of(*meshes), contacts=contacts)
        assert len(report.pairs) == 0 and report.exit_code() == 0
        assert report.settings["self_reference"] == POSE and report.summary()["known_self_contacts"] > 0


def test_verdicts_alone_look_at_all_contacts():
    """A search that stopped at the first crossing of an object would find a known one, and miss the new ones."""
    V, F = torus(24, 12, 1.0, 1.5)
    worse = V * (0.8, 1.0, 1.0)
    report, verdicts = (found_now([(worse, F)], known_of((V, F)), contacts=contacts) for contacts in (True, False))
    assert report.pairs["verdict"].tolist() == verdicts.pairs["verdict"].tolist() == [CROSSING]
    assert 0 < len(report.contacts) and len(verdicts.contacts) == 0


def test_a_touch_in_the_reference_excuses_no_crossing():
    triangles = [(0, 1, 2), (3, 4, 5)]
    touching = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0), (1, 1, 0), (2, 1, 3), (1, 2, 3)], float)
    through, point = touching.copy(), touching.copy()
    through[3, 2] = -1.0
    assert found_now([(through, triangles)], known_of((touching, triangles))).pairs["verdict"].tolist() == [CROSSING]
    assert len(found_now([(point, triangles)], known_of((through, triangles))).pairs) == 0
    on_the_side = touching.copy()
    on_the_side[4, 2] = 0.0             # a segment, where there was a point
    assert found_now([(on_the_side, triangles)], known_of((touching, triangles))).pairs["verdict"].tolist() == [
        TOUCHING]


def test_another_mesh_excuses_nothing():
    mesh, finer = torus(24, 12, 1.0, 1.5), torus(24, 13, 1.0, 1.5)
    everything = detect(scene_of(finer), self_collisions=True)
    for known, why in ((known_of(mesh), "another mesh"), ({}, "not there")):
        report = found_now([finer], known)
        assert listed(report) == listed(everything) and report.summary()["known_self_contacts"] == 0
        assert f"In the rest pose {why}, so all self-collisions are listed: Object 0." in report.notes
    V, F = mesh
    assert listed(found_now([(V, shuffled(np.random.default_rng(1), mesh)[0][1])], known_of(mesh)))


def test_triangles_that_are_divided_otherwise_are_not_known():
    """Of a pair of quads that pass through each other, one is cut along its other diagonal now."""
    V = np.array([(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0), (1, 1, -1), (2, 1, -1), (2, 1, 1), (1, 1, 1)], float)
    before = [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)]
    after = [(0, 1, 3), (1, 2, 3), (4, 5, 6), (4, 6, 7)]
    report = found_now([(V, after)], known_of((V, before)))
    assert listed(report) == {(0, *pair) for pair in levels(V, after)} and listed(report)


def test_a_cut_does_not_change_what_is_new(monkeypatch):
    V, F = torus(40, 20, 1.0, 1.5)
    worse, known = V * (0.7, 1.0, 1.0), known_of((V, F), two_boxes(0.5))
    meshes = [(worse, F), two_boxes(0.5)]
    whole = found_now(meshes, known)
    for most in (10, 100, len(whole.contacts)):
        monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", most)
        monkeypatch.setattr(contact_budget, "BATCH_CONTACTS", most)
        cut = found_now(meshes, known)
        assert cut.pairs["verdict"].tolist() == whole.pairs["verdict"].tolist()
        assert cut.found.tolist() == whole.found.tolist() and len(cut.contacts) <= most
        assert cut.summary()["known_self_contacts"] == whole.summary()["known_self_contacts"]
        assert listed(cut) <= listed(whole)
    monkeypatch.setattr(contact_budget, "piece_budget", lambda: 50)
    assert found_now(meshes, known).found.tolist() == whole.found.tolist()


def test_a_reference_that_was_cut_excuses_what_it_lists(monkeypatch):
    mesh = torus(24, 12, 1.0, 1.5)
    monkeypatch.setattr(contact_budget, "MOST_LISTED_CONTACTS", 20)
    known = known_of(mesh)
    monkeypatch.undo()
    assert not known[0].whole
    report = found_now([mesh], known)
    everything = detect(scene_of(mesh), self_collisions=True)
    assert len(report.contacts) == len(everything.contacts) - 20
    assert any("too many to be known, so more than new self-collisions are listed" in note for note in report.notes)


def test_equal_objects_with_different_references():
    """Both are the same now; of the one all is known, of the other nothing."""
    mesh, flat = torus(24, 12, 1.0, 1.5), grid(4)
    scene = Scene()
    shared = scene.add_mesh(*mesh)
    for name in "ab":
        scene.add_object(shared, np.eye(4), name=name)
    known = known_of(mesh)[0]
    nothing = known._replace(codes=known.codes[:0], shares=known.shares[:0])
    report = detect(scene, self_collisions=True, pairs=[(0, 0), (1, 1)],
                    self_reference=SelfReference(POSE, {0: known, 1: nothing}))
    assert [(pair["a"], pair["b"]) for pair in report.pairs] == [(1, 1)]
    assert known_of(flat)[0].whole


def test_what_is_new_does_not_depend_on_pose_and_threads():
    V, F = torus(40, 20, 1.0, 1.5)
    worse, known = V * (0.7, 1.0, 1.0), known_of((V, F))
    first = listed(found_now([(worse, F)], known))
    assert first == listed(found_now([(worse, F)], known, threads=2)) == listed(
        found_now([(worse * (1.0, -1.0, 1.0), F)], known))


def test_a_cancelled_run_says_so():
    mesh = torus(24, 12, 1.0, 1.5)
    report = found_now([mesh], known_of(mesh), progress=lambda stage, fraction: stage != "self-collisions")
    assert report.cancelled and report.exit_code() == 2
