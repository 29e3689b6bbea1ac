# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of finely divided objects inside others (core/depth/by_vertices.py) against points strewn over them, exact
distances, and the search down trees."""
from fractions import Fraction

import numpy as np
import pytest
from naive.depths import Walls, depth_of_point
from naive.shapes import ball, box, joined, moved
from test_contained import without_contacts
from test_depth import placed, size_of
from test_local_search import lumpy, turned
from touchpoint.core import Scene, detect
from touchpoint.core.codes import CONTAINED
from touchpoint.core.depth import depths

SHARP = 1e-9            # how far the two bounds may be apart, relative to the smaller object
OUTER = ball(28, 22, 1.0)
FACES = OUTER[1]
HOLLOW = joined(ball(28, 22, 2.0), (0.5 * OUTER[0], FACES[:, ::-1]))


def report_of(a, b):
    scene = Scene()
    for mesh in (a, b):
        scene.add_object(scene.add_mesh(*mesh))
    return detect(scene, depth=True)


def strewn(mesh, rng, count=80):
    """Points of a surface: corners, and points of its triangles."""
    vertices, triangles = mesh
    shares = rng.dirichlet(np.ones(3), count)
    within = np.einsum("ni,nij->nj", shares, vertices[triangles[rng.integers(len(triangles), size=count)]])
    return np.concatenate([vertices[rng.integers(len(vertices), size=count)], within])


def assert_right(outer, inner, monkeypatch, allowed, swapped=False):
    """The deepest point is as deep as is said, no other one is deeper than the upper bound, and the search down trees
    has bounds of the same number."""
    a, b = (inner, outer) if swapped else (outer, inner)
    report = report_of(a, b)
    pair = report.pairs[0]
    assert pair["verdict"] == CONTAINED
    assert 0.0 < pair["depth"] <= pair["depth_upper"] <= pair["depth"] + allowed * size_of(a, b)
    far, inside = depth_of_point(pair["depth_points"][0 if swapped else 1], outer)
    assert inside and far >= Fraction(float(pair["depth"])) ** 2
    walls = Walls(outer)
    deepest = max(walls.about(point) for point in strewn(inner, np.random.default_rng(1)))
    assert deepest <= pair["depth_upper"] + 1e-12 * walls.size
    with monkeypatch.context() as patch:
        patch.setattr(depths, "_places", without_contacts)
        other = report_of(a, b).pairs[0]
    assert pair["depth"] <= other["depth_upper"] and other["depth"] <= pair["depth_upper"]
    return report


@pytest.mark.parametrize("gap", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("seed", range(2))
def test_balls_in_balls(seed, gap, monkeypatch):
    """Planes of the outer one have all of it below them: the bounds meet, and few points more than there are vertices
    were measured."""
    inner = placed(((1.0 - gap) * 0.98 * OUTER[0], FACES), seed)
    report = assert_right(OUTER, inner, monkeypatch, SHARP, swapped=bool(seed % 2))
    assert report.counts["depth_tests"] < 4 * len(OUTER[0])


@pytest.mark.scenes
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("scale, offset", [(1e-100, 0), (1e60, 0), (1, 1e5), (1e4, -1e4)])
def test_mirrored_far_away_and_of_any_size(scale, offset, mirrored, monkeypatch):
    outer, inner = (placed(mesh, 4, scale, offset, mirrored) for mesh in (OUTER, (0.5 * OUTER[0], FACES)))
    assert_right(outer, inner, monkeypatch, SHARP if abs(offset) < 1e5 else 1e-8)


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(4))
def test_faces_turned_over(seed, monkeypatch):
    over = np.arange(len(FACES)) % (seed + 1) == 0
    outer = OUTER[0], np.where(over[:, None], FACES[:, ::-1], FACES)
    assert_right(outer, placed((0.5 * OUTER[0], FACES), seed), monkeypatch, SHARP)


@pytest.mark.scenes
@pytest.mark.parametrize("seed", range(6))
def test_solids_that_are_not_convex(seed, monkeypatch):
    """Lumps, walls of hollow balls, several parts, open surfaces, a ball whose vertices are off by rounding."""
    small = 0.4 * OUTER[0], FACES
    rng = np.random.default_rng(seed)
    outer, inner = (
        (turned(lumpy(3, 28, 22), seed, (3, 3, 3)), placed(small, seed)),
        (HOLLOW, placed((0.2 * OUTER[0], FACES), seed, offset=(1.25, 0, 0))),
        (joined(moved(OUTER, (3, 0, 0)), OUTER), placed(small, seed)),
        (OUTER, (small[0], FACES[100:])),
        ((OUTER[0] * (1 + 1e-7 * rng.uniform(-1, 1, (len(OUTER[0]), 1))), FACES), placed(small, seed)),
        (box((-2, -2, -2), (2, 2, 2)), turned(lumpy(5, 28, 22), seed, (0.9, 0.9, 0.9))))[seed]
    assert_right(outer, inner, monkeypatch, 0.5, swapped=bool(seed % 2))


@pytest.mark.scenes
@pytest.mark.parametrize("outer", [OUTER, lumpy(3, 28, 22), HOLLOW], ids=["ball", "lumpy", "hollow"])
def test_what_is_known_of_planes_serves_all_that_is_inside(outer):
    """The depth of each object is, to the last bit, what it is without the others."""
    inner = [(scale * OUTER[0] + (0.0, 0.0, rise), FACES)
             for scale, rise in (((0.2, 1.2), (0.2, -1.25), (0.2, 1.3)) if outer is HOLLOW
                                 else ((0.4, 0.0), (0.4, 0.1), (0.3, -0.1)))]
    scene = Scene()
    for mesh in (outer, *inner):
        scene.add_object(scene.add_mesh(*mesh))
    together = detect(scene, depth=True, pairs=[(0, 1 + i) for i in range(len(inner))]).pairs
    assert (together["verdict"] == CONTAINED).all() and len(together) == len(inner)
    for row, mesh in zip(together, inner):
        pair, = report_of(outer, mesh).pairs
        assert row["depth"] == pair["depth"] and row["depth_upper"] == pair["depth_upper"]
