# SPDX-License-Identifier: GPL-3.0-or-later
"""A few questions of each of the long proofs (see long/), so that they are in order when they are needed."""
import numpy as np
import pytest
from touchpoint.core import detect
from touchpoint.core.codes import TOUCHING
from touchpoint.core.queries import vertex_face_toi

from long import (
    boxes,
    continuous,
    convex,
    distance,
    motions,
    nearing,
    points,
    real_meshes,
    scenes,
    self_collisions,
    self_motions,
    triangles,
    whole_triangles,
)
from long.outcome import Outcome
from long.proofs import PROOFS

pytestmark = pytest.mark.scenes


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.title.partition(":")[0])
def test_short_form(proof):
    if proof is real_meshes.PROOF and real_meshes.reason_to_skip():
        pytest.skip(real_meshes.reason_to_skip())
    outcome = proof.run(min(proof.part, max(1, proof.count // 20_000)), 0)
    assert outcome.asked > 0 and outcome.wrong == 0, outcome.examples


def test_parts_add_up():
    one, other = Outcome(), Outcome()
    one.asked, other.asked = 3, 4
    one.measure("late", 0.5)
    other.measure("late", 0.25)
    other.fail("this")
    other.count("hits", 2)
    one.add(other)
    assert (one.asked, one.wrong, one.examples, one.worst, one.counted) == (7, 1, ["this"], {"late": 0.5}, {"hits": 2})


def late(X0, X1):
    hit, toi = vertex_face_toi(X0, X1)
    return hit, toi + 1e-15


def early(X0, X1):
    hit, toi = vertex_face_toi(X0, X1)
    return hit, toi - 1e-5


def blind(X0, X1):
    hit, toi = vertex_face_toi(X0, X1)
    return hit & False, toi


SPOILED = {
    # name: (module, what it asks, the answer made wrong, the proof)
    "hit": (triangles, "triangles_intersect", lambda answer: ~answer, triangles.PROOF),
    "kind": (triangles, "triangle_intersections", lambda found: (np.minimum(found[0], 2), found[1]), triangles.PROOF),
    "points": (triangles, "triangle_intersections", lambda found: (found[0], found[1] * (1 + 1e-9)), triangles.PROOF),
    "whole hit": (whole_triangles, "triangles_intersect", lambda answer: answer | True, whole_triangles.PROOF),
    "segment": (points, "segments_hit_triangles", lambda answer: answer & False, points.PROOF_OF_SEGMENTS),
    "self missed": (self_collisions, "pairs_of", lambda answer: set(sorted(answer)[::2]), self_collisions.PROOF),
    "self late": (self_motions, "first_self_contacts", lambda found: found._replace(toi=found.toi + 1e-6),
                  self_motions.PROOF),
    "self never": (self_motions, "first_self_contacts", lambda found: found._replace(toi=found.toi[:0]),
                   self_motions.PROOF),
    "place": (points, "points_in_mesh", abs, points.PROOF),
    "box": (boxes, "boxes_overlap", lambda answer: answer | True, boxes.PROOF),
    "hull": (convex, "convex_intersect", lambda answer: answer & False, convex.PROOF),
    "hull distance": (convex, "convex_distance", lambda answer: (answer[0] * (1 + 1e-9), *answer[1:]), convex.PROOF),
    "hull points": (convex, "convex_distance", lambda answer: (*answer[:2], answer[2] + 1e-9), convex.PROOF),
    "too short a move": (convex, "convex_penetration", lambda answer: answer * (1 - 1e-12), convex.PROOF_OF_DEPTH),
    "wrong way": (convex, "separating_move", lambda answer: (answer[0], -answer[1]), convex.PROOF_OF_DEPTH),
    "distance": (distance, "mesh_distance", lambda answer: (answer[0] * (1 + 1e-8), *answer[1:]), distance.PROOF),
    "nearest points": (distance, "mesh_distance", lambda answer: (*answer[:2], answer[2] + 1e-8), distance.PROOF),
}


@pytest.mark.parametrize("name", SPOILED)
def test_wrong_answers_are_noticed(name, monkeypatch):
    module, query, spoil, proof = SPOILED[name]
    right = getattr(module, query)
    monkeypatch.setattr(module, query, lambda *arguments: spoil(right(*arguments)))
    outcome = proof.run({distance: 12, self_collisions: 2, self_motions: 12}.get(module, 60), 0)
    assert outcome.wrong > 0 and outcome.examples


@pytest.mark.parametrize("query, word", [(late, "late"), (early, "early"), (blind, "missed")])
def test_wrong_times_are_noticed(query, word, monkeypatch):
    monkeypatch.setitem(continuous.QUERY, "vertex_face", query)
    outcome = continuous.PROOF.run(150, 0)
    assert outcome.wrong > 0 and any(word in example for example in outcome.examples)


@pytest.mark.parametrize("spoil, word", [
    (lambda found: found._replace(toi=np.minimum(found.toi + 1e-6, 1.0)), "late"),
    (lambda found: found._replace(toi=np.maximum(found.toi - 1e-6, 0.0)), "early"),
    (lambda found: found._replace(toi=found.toi[:0]), "missed")], ids=["late", "early", "missed"])
def test_wrong_times_of_meshes_are_noticed(spoil, word, monkeypatch):
    right = motions.contacts_between
    monkeypatch.setattr(motions, "contacts_between", lambda *given, **how: spoil(right(*given, **how)))
    outcome = motions.PROOF.run(40, 0)
    assert outcome.wrong > 0 and any(word in example for example in outcome.examples)


@pytest.mark.parametrize("query, spoil, word", [
    ("near_between", lambda found: found._replace(toi=np.minimum(found.toi + 1e-6, 1.0)), "late"),
    ("near_between", lambda found: found._replace(toi=np.maximum(found.toi - 1e-6, 0.0)), "early"),
    ("near_between", lambda found: found._replace(toi=found.toi[:0]), "missed"),
    ("least_gaps", lambda found: found._replace(gap=1.001 * found.gap), "gap"),
    ("least_gaps", lambda found: found._replace(gap=0.999 * found.gap), "gap"),
    ("least_gaps", lambda found: found._replace(when=1.0 - found.when), "gap"),
    ("least_gaps", lambda found: found._replace(gap=np.full_like(found.gap, np.inf)), "no gap"),
    ("least_gaps", lambda found: found._replace(points=found.points + 1e-3), "points"),
], ids=["late", "early", "missed", "too large", "too small", "when", "none", "points"])
def test_wrong_gaps_of_moving_meshes_are_noticed(query, spoil, word, monkeypatch):
    right = getattr(nearing, query)
    monkeypatch.setattr(nearing, query, lambda *given, **how: spoil(right(*given, **how)))
    monkeypatch.setattr(nearing, "HALVINGS", 8)
    monkeypatch.setattr(nearing, "SHORTEST", 1 / 40)
    outcome = nearing.PROOF.run(17, 0)
    assert outcome.wrong > 0 and any(word in example for example in outcome.examples)


@pytest.mark.parametrize("verdict, contacts", [(True, False), (False, True)])
def test_wrong_scenes_are_noticed(verdict, contacts, monkeypatch):
    def spoiled(scene, method="touchpoint"):
        report = detect(scene, method=method)
        if method != "exact" and verdict:
            report.pairs["verdict"] = TOUCHING
        if method != "exact" and contacts:
            report.contacts.kind[:] = 1
        return report

    monkeypatch.setattr(scenes, "detect", spoiled)
    assert scenes.PROOF.run(2, 0).wrong > 0
