# SPDX-License-Identifier: GPL-3.0-or-later
"""The method `particle` as a whole; that it gives the bits of the default is asked in test_methods_agree.py, too."""
import numpy as np
import pytest
from naive.answers import difference
from naive.scenes import build, draw, pose, random_linear
from naive.shapes import ball, box
from touchpoint.core import Scene, detect
from touchpoint.core.broad_phase import particles, sweep


def scattered(rng, count, room):
    """Instances of three shapes, turned and stretched; most boxes are alike."""
    shapes = [box(), box(), ball(6, 4, 0.6), box((0, 0, 0), (5.0, 0.05, 0.05))]
    kinds = ("turned", "turned", "mirrored", "sheared")
    return shapes, [(int(rng.integers(len(shapes))), pose(random_linear(rng, kinds[i % 4]), rng.uniform(0, room, 3)))
                    for i in range(count)]


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("settings", [{}, {"contacts": False}, {"clearance": 0.3}, {"threads": 1}], ids=str)
def test_the_bits_of_the_default_method(seed, settings):
    scene = build(scattered(np.random.default_rng(seed), 60, (2.0, 4.0, 6.0, 9.0)[seed]))
    expected, report = detect(scene, **settings), detect(scene, method="particle", **settings)
    assert difference(expected, report) == ""
    assert len(report.pairs) > 5 and report.counts["pairs"] < 60 * 59 // 2


@pytest.mark.parametrize("name", ["crowd", "lattice boxes", "soup"])
def test_the_answer_of_the_reference(name):
    scene = build(draw(name, 7))
    assert difference(detect(scene, method="exact", contacts=False), detect(scene, "particle", contacts=False)) == ""


def test_turned_boxes_beyond_their_own_half_extents():
    """Two long boxes turned by 45°: their ends meet far outside the half extents along their own axes."""
    turn = np.array([[1.0, -1, 0], [1, 1, 0], [0, 0, np.sqrt(2)]]) / np.sqrt(2)
    scene, mesh = Scene(), None
    for middle in ((0.0, 0.0, 0.0), (4.0, 4.0, 0.0)):
        mesh = scene.add_mesh(*box((-3, -0.1, -0.1), (3, 0.1, 0.1))) if mesh is None else mesh
        scene.add_object(mesh, pose(turn, middle))
    assert [r["verdict"] for r in detect(scene, method="particle").pairs] == [detect(scene).pairs["verdict"][0]]


def test_most_pairs_are_dropped_and_cancelling_is_possible(monkeypatch):
    monkeypatch.setattr(sweep, "PAIRS_AT_ONCE", 50)
    scene = build(scattered(np.random.default_rng(5), 80, 30.0))
    report = detect(scene, method="particle")
    assert report.counts["pairs"] < 0.02 * report.counts["possible_pairs"]
    seen = []
    stopped = detect(scene, method="particle", progress=lambda stage, _: seen.append(stage) or seen.count(
        "broad phase") < 3)
    assert stopped.cancelled and seen[-1] == "broad phase"


def test_objects_without_extent():
    """A point in a box's face, points at one place, a point alone."""
    scene = Scene()
    scene.add_object(scene.add_mesh(*box()))
    point = scene.add_mesh(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    for place in ((0.25, 0.5, 0.0), (5, 5, 5), (5, 5, 5), (7, 7, 7)):
        scene.add_object(point, pose(1, place))
    report = detect(scene, method="particle")
    assert difference(detect(scene), report) == "" and len(report.pairs) == 2
    assert particles.coefficient(np.zeros((5, 3))) == 1.0
