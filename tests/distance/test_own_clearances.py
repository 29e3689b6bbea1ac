# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that ask for a clearance of their own: of two the larger wish counts, also before that of the run."""
import json

import numpy as np
import pytest
from naive.scenes import build, crowd, pose
from naive.shapes import box
from touchpoint.core import Scene, Sweep, Unsupported, detect
from touchpoint.core.sequence.film import Film
from touchpoint.core.why import why

WIDE = 100.0        # a clearance that no pair of these scenes is beyond


def row_of_boxes(*clearances, method="touchpoint", **how):
    """Unit boxes in a row, 0.25 apart, and a report of them."""
    scene = Scene()
    mesh = scene.add_mesh(*box())
    for number, own in enumerate(clearances):
        scene.add_object(mesh, pose(1, (1.25 * number, 0, 0)), clearance=own)
    return scene, detect(scene, method, **how)


def listed(report):
    return {(int(pair["a"]), int(pair["b"])): report.verdict(row) for row, pair in enumerate(report.pairs)}


@pytest.mark.parametrize("method", ["touchpoint", "exact", "hull_points", "tsgo", "hybrid", "particle", "rapid",
                                    "parallel"])
def test_the_larger_wish_of_the_two_counts(method):
    assert listed(row_of_boxes(0.0, 0.3, 0.0, 0.0, method=method)[1]) == {(0, 1): "near", (1, 2): "near"}
    assert listed(row_of_boxes(0.2, 0.2, 0.0, method=method)[1]) == {}
    assert listed(row_of_boxes(1.5, 0.0, 0.0, method=method)[1]) == {(0, 1): "near", (0, 2): "near"}


def test_and_that_of_the_run_where_it_is_larger():
    scene, report = row_of_boxes(0.1, 0.0, 0.0, clearance=0.3)
    assert listed(report) == {(0, 1): "near", (1, 2): "near"}
    assert [each.clearance for each in report.objects] == [0.1, 0.0, 0.0]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_against_the_gaps_of_all_pairs(seed, tolerance):
    rng = np.random.default_rng(seed)
    meshes, objects = crowd(rng)
    own = rng.choice([0.0, 0.1, 0.4, 1.0], len(objects))
    gaps = detect(build((meshes, objects)), clearance=WIDE, tolerance=tolerance)
    scene = build((meshes, objects))
    for each, length in zip(scene.objects, own):
        each.clearance = length
    report = detect(scene, clearance=0.2, tolerance=tolerance)
    expected = {}
    for row, pair in enumerate(gaps.pairs):
        a, b = int(pair["a"]), int(pair["b"])
        if gaps.verdict(row) != "near" or pair["gap"] <= max(0.2, own[a], own[b]):
            expected[a, b] = gaps.verdict(row)
    assert listed(report) == expected and "near" in expected.values()


def test_a_method_without_gaps_refuses():
    scene, _ = row_of_boxes(0.0, 0.0)
    scene.objects[0].pose_end = pose(1, (0.5, 0, 0))
    scene.objects[0].clearance = 0.5
    with pytest.raises(Unsupported, match="cannot measure clearances"):
        detect(scene, "certified")


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_what_is_no_length_is_refused(wrong):
    scene = Scene()
    with pytest.raises(ValueError, match="clearance must be a length"):
        scene.add_object(scene.add_mesh(*box()), clearance=wrong)


def test_why_says_near(tmp_path):
    scene, _ = row_of_boxes(0.3, 0.0)
    assert why(scene, [0], [1]).verdict == "near"
    assert why(row_of_boxes(0.2, 0.0)[0], [0], [1]).verdict == "clear"


def test_a_sweep_notices_that_a_resting_object_asks_for_more():
    scene, _ = row_of_boxes(0.0, 0.0, 0.0)
    sweep = Sweep()
    sweep.add(1, scene)
    scene.objects[1].clearance = 0.3
    sweep.add(2, scene)
    scene.objects[1].clearance = 0.0
    sweep.add(3, scene)
    report = sweep.report()
    assert listed(report) == {(0, 1): "near", (1, 2): "near"}
    assert [intervals.tolist() for intervals in report.intervals] == [[[2.0, 2.0]]] * 2


def test_a_film_keeps_it():
    scene, report = row_of_boxes(0.3, 0.0)
    film = Film()
    film.add(1, scene)
    assert listed(detect(next(film.scenes())[1])) == listed(report) == {(0, 1): "near"}


def test_json_says_which_object_asks(tmp_path):
    report = row_of_boxes(0.3, 0.0)[1]
    report.unit_scale = 0.5
    report.to_json(tmp_path / "report.json")
    objects = json.loads((tmp_path / "report.json").read_text())["objects"]
    assert [each.get("clearance") for each in objects] == [0.15, None]
