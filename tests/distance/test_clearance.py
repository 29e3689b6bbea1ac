# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect(clearance=…)`: which pairs are near, how near and where; both methods, and against brute force."""
import json
from fractions import Fraction

import numpy as np
import pytest
from naive.scenes import build, crowd, pose, transformed
from naive.shapes import ball, box, grid
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CANCELLED, CANNOT_TELL, NEAR, TOUCHING
from touchpoint.core.scene.select import select


def row_of(report, a, b):
    rows = np.flatnonzero((report.pairs["a"] == a) & (report.pairs["b"] == b))
    return report.pairs[rows[0]] if len(rows) else None


def boxes(*places, mesh=None):
    scene = Scene()
    shape = scene.add_mesh(*(mesh or box()))
    for place in places:
        scene.add_object(shape, pose(1, place) if np.ndim(place) == 1 else place)
    return scene


@pytest.mark.parametrize("method", ["touchpoint", "exact"])
def test_near_pairs_with_their_gap_and_points(method):
    scene = boxes((0, 0, 0), (1.25, 0, 0), (1, 2.5, 0), (0.5, 1, 0.5), (9, 9, 9))
    report = detect(scene, method=method, clearance=0.5)
    near = row_of(report, 0, 1)
    assert report.verdict(0) == "near" and near["gap"] == 0.25 and near["contacts"] == 0
    assert near["gap_points"][0, 0] == 1.0 and near["gap_points"][1, 0] == 1.25
    assert np.array_equal(near["gap_points"][0, 1:], near["gap_points"][1, 1:])
    assert row_of(report, 0, 3)["verdict"] == TOUCHING and row_of(report, 0, 3)["gap"] == 0.0
    assert np.isnan(row_of(report, 0, 3)["gap_points"]).all()
    assert row_of(report, 2, 3)["gap"] == 0.5 and row_of(report, 0, 2) is None
    assert report.summary()["near"] == 2 and report.exit_code() == 1 and report.exit_code(("crossing",)) == 0
    assert report.settings == {"contacts": True, "clearance": 0.5}
    assert np.isnan(detect(scene, method=method).pairs["gap"]).all()


@pytest.mark.parametrize("shift", [0.005, 0.1, 0.3, 1e-9, 1e-6, 1 / 3])
@pytest.mark.parametrize("turn", range(3))
def test_a_gap_of_just_the_clearance_is_near(shift, turn):
    linear = np.linalg.qr(np.random.default_rng(turn).normal(size=(3, 3)))[0] if turn else np.eye(3)
    normal = linear @ (0.0, 0.0, 1.0)
    flat = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], float), np.array([[0, 1, 3], [0, 3, 2]])
    scene = boxes(pose(linear), pose(linear, shift * normal), mesh=flat)
    exact = detect(scene, "exact", clearance=2 * shift).pairs["gap"][0]
    report = detect(scene, clearance=float(exact))
    assert report.pairs["verdict"].tolist() == [NEAR]
    assert report.pairs["gap"][0] == pytest.approx(exact, rel=1e-12)
    assert len(detect(scene, clearance=float(exact) * (1 - 1e-9)).pairs) == 0


@pytest.mark.parametrize("scale, offset", [(1, 0), (1e-6, 0), (1e6, 0), (1, 1e5)])
@pytest.mark.parametrize("seed", range(3))
def test_both_methods_agree(seed, scale, offset):
    scene = build(transformed(crowd(np.random.default_rng(seed), 10, 4.0), scale, offset))
    fast, exact = (detect(scene, method, clearance=0.4 * scale) for method in ("touchpoint", "exact"))
    for column in ("a", "b", "verdict", "status", "contacts"):
        assert np.array_equal(fast.pairs[column], exact.pairs[column]), column
    near = fast.pairs["verdict"] == NEAR
    assert near.any()
    assert np.allclose(fast.pairs["gap"][near], exact.pairs["gap"][near], rtol=1e-12, atol=0)
    distance = np.linalg.norm(fast.pairs["gap_points"][near, 0] - fast.pairs["gap_points"][near, 1], axis=1)
    assert np.allclose(distance, fast.pairs["gap"][near], rtol=1e-12, atol=1e-14 * max(offset, 4 * scale))


def test_threads_batches_and_order_change_no_bit(monkeypatch):
    meshes, objects = crowd(np.random.default_rng(7), 60, 9.0)
    report = detect(build((meshes, objects)), clearance=0.5, threads=1)
    assert np.count_nonzero(report.pairs["verdict"] == NEAR) > 20
    again = detect(build((meshes, objects)), clearance=0.5, threads=5)
    assert again.pairs.tobytes() == report.pairs.tobytes()
    monkeypatch.setattr("touchpoint.core.trees.bvh.forest.MAX_PLACED_BYTES", 20_000)
    again = detect(build((meshes, objects)), clearance=0.5, threads=2)
    assert again.pairs.tobytes() == report.pairs.tobytes()
    turned = detect(build((meshes, objects[::-1])), clearance=0.5)
    wanted = {(p["a"], p["b"]): (p["verdict"], p["gap"], p["gap_points"]) for p in report.pairs}
    assert len(turned.pairs) == len(report.pairs)
    for pair in turned.pairs:
        verdict, gap, points = wanted[59 - pair["b"], 59 - pair["a"]]
        assert pair["verdict"] == verdict
        assert np.array_equal(pair["gap"], gap, equal_nan=True)
        assert np.array_equal(pair["gap_points"], points[::-1], equal_nan=True)


@pytest.mark.slow       # without compilation
def test_threads_share_one_big_pair(monkeypatch):
    """Waves above waves: the same crest is as near in many places."""
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(25.0), np.arange(25.0)))
    lower = np.stack([x, y, np.cos(np.pi * x / 2)], 1)
    _, triangles = grid(24, 24)
    upper = lower * (1, 1, -1) + (0, 0, 2.25)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    for rotation in (np.eye(3), turn):
        scene = build(([(lower @ rotation, triangles), (upper @ rotation, triangles)], [(0, pose()), (1, pose())]))
        report = detect(scene, clearance=0.5, threads=1)
        assert report.pairs["gap"] == pytest.approx(0.25, rel=1e-12)
        with monkeypatch.context() as patch:
            patch.setattr("touchpoint.core.distance.gaps.DISTANCE_STEPS_PER_CALL", 5)
            for threads in (2, 3):
                again = detect(scene, clearance=0.5, threads=threads)
                assert again.pairs.tobytes() == report.pairs.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancelled_search_of_one_big_pair_says_so(monkeypatch, threads):
    monkeypatch.setattr("touchpoint.core.distance.gaps.DISTANCE_STEPS_PER_CALL", 1)
    calls = []

    def stop(stage, fraction):
        calls.append(stage)
        return calls.count("clearances") < 3 + threads

    report = detect(boxes((0, 0, 0), (1.1, 0, 0), mesh=ball(16, 12, 0.5)), clearance=0.3, threads=threads,
                    progress=stop)
    assert report.cancelled and report.pairs["status"].tolist() == [CANCELLED]


def test_contained_and_mirrored_objects():
    scene = boxes((0, 0, 0), pose(0.2, (0.4, 0.4, 0.4)), pose((-1, 1, 1), (2.25, 0, 0)))
    report = detect(scene, clearance=0.5)
    assert [report.verdict(row) for row in range(len(report.pairs))] == ["contained", "near"]
    assert np.isnan(report.pairs["gap"][0]) and report.pairs["gap"][1] == 0.25


def test_the_boxes_of_the_broad_phase_are_grown_enough():
    selection = select(boxes((0, 0, 0), (1e5, 3, -2)))
    grown = selection.grown(0.05).bounds
    assert (Fraction(float(grown[1, 3])) - Fraction(float(selection.bounds[1, 3]))) * 2 > Fraction(0.1)
    assert np.isfinite(selection.grown(1e308).bounds).all() and selection.grown(0.0) is selection


def test_cancelling_leaves_no_pair_called_clear():
    scene = boxes(*((1.1 * x, 1.1 * y, 0) for x in range(4) for y in range(4)), mesh=ball(8, 6, 0.5))
    for method in ("touchpoint", "exact"):
        calls = []

        def stop(stage, fraction, calls=calls):
            calls.append(stage)
            return calls.count("clearances") < 2

        report = detect(scene, method, clearance=0.3, progress=stop)
        if report.cancelled:        # nothing is said to be clear that was not measured
            left = report.pairs[report.pairs["verdict"] == CANNOT_TELL]
            assert len(left) and (left["status"] == CANCELLED).all() and report.exit_code(()) == 2
        assert calls.count("clearances")


def test_only_the_pairs_asked_for():
    scene = boxes((0, 0, 0), (1.25, 0, 0), (0, 1.25, 0))
    report = detect(scene, clearance=0.5, pairs=[(0, 2)])
    assert report.pairs[["a", "b"]].tolist() == [(0, 2)]
    assert len(detect(scene, clearance=0.0, pairs=[(0, 2)]).pairs) == 0


def test_files(tmp_path):
    scene = boxes((0, 0, 0), (1.25, 0, 0))
    report = detect(scene, clearance=0.5)
    report.unit_scale = 0.01
    report.to_json(tmp_path / "report.json")
    report.to_csv(tmp_path / "report.csv")
    data = json.loads((tmp_path / "report.json").read_text())
    (pair,) = data["pairs"]
    assert (pair["verdict"], pair["gap"], pair["contacts"]) == ("near", 0.0025, 0)
    assert [point[0] for point in pair["points"]] == [0.01, 0.0125] and data["settings"]["clearance"] == 0.005
    assert "near" in (tmp_path / "report.csv").read_text() and "0.0025" in (tmp_path / "report.csv").read_text()
