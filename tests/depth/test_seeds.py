# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of finely divided objects that meet in long or large places (core/depth/seeds.py) against the search down
trees that knows no contacts, and points strewn over them."""
import numpy as np
import pytest
from naive.shapes import ball, box, bundle, grid, joined, moved, tube
from test_local_search import assert_same, both_ways, turned
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries.distance import surface_distances

pytestmark = pytest.mark.scenes


def strewn(mesh, count, rng):
    """(count,3) points all over a surface."""
    corners = mesh[0][mesh[1][rng.integers(len(mesh[1]), size=count)]]
    return np.einsum("ni,nij->nj", rng.dirichlet((0.5, 0.5, 0.5), count), corners)


@pytest.mark.parametrize("press", [0.999, 0.97, 0.8, 0.5])
@pytest.mark.parametrize("points, around", [(60, 12), (40, 16)])
def test_tubes_side_by_side(press, points, around, monkeypatch):
    a, b = bundle(2, points, around, press, seed=points)
    fast, slow = both_ways(a, b, monkeypatch)
    assert_same(a, b, monkeypatch)
    if COMPILED and press < 0.9:
        assert fast.counts["depth_tests"] < slow.counts["depth_tests"]


@pytest.mark.parametrize("seed", range(8))
def test_no_strewn_point_is_deeper(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    a, b = bundle(2, 50, 12, rng.uniform(0.2, 1.0), rng.uniform(0.0, 0.02), seed)
    found = assert_same(a, b, monkeypatch)
    for one, other in ((a, b), (b, a)):
        assert -surface_distances(*other, strewn(one, 3000, rng))[0].min() <= found["depth_upper"]


@pytest.mark.parametrize("stretch, offset", [((1, 1, 0.1), 0.0), ((-1, 1, 1), 0.0), ((1, 1, 1), 1e4), ((1, 1, 1), 1e6)])
def test_stretched_mirrored_and_far_away(stretch, offset, monkeypatch):
    a, b = (moved(turned(tube, 1, stretch), (offset, -offset, offset)) for tube in bundle(2, 50, 12, 0.9))
    assert_same(a, b, monkeypatch, 1e-9 if offset == 0.0 else 1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_with_voids_and_parts(seed, monkeypatch):
    """A tube with a bore, beads all along another one, and a surface that passes through itself."""
    rng = np.random.default_rng(seed)
    a, b = bundle(2, 40, 12, rng.uniform(0.6, 0.95), 0.01, seed)
    path = a[0][:-2].reshape(40, 12, 3).mean(axis=1)
    bore = tube(path[1:-1], 0.03, 8)
    beads = [moved((0.055 * ball(8, 6)[0], ball(8, 6)[1]), place) for place in path[::7] + 0.02 * rng.normal(size=3)]
    assert_same(joined(a, (bore[0], bore[1][:, ::-1])) if seed % 2 else joined(a, *beads), b, monkeypatch)


@pytest.mark.parametrize("press", [0.5, 0.9659258262890682, 0.9])
def test_tubes_that_are_straight(press, monkeypatch):
    """Their sides are parallel, and flush at the second press, where triangles share areas."""
    path = np.linspace(0, 2, 60)[:, None] * (1.0, 0, 0)
    a, b = tube(path, 0.05, 12), tube(path + (0.007, 0, 0.1 * press), 0.05, 12)
    assert_same(a, b, monkeypatch)


@pytest.mark.parametrize("seed", range(4))
def test_sheets_and_rough_ground(seed, monkeypatch):
    """An open sheet has only a surface; a finely divided ground is crossed many times."""
    rng = np.random.default_rng(seed)
    vertices, faces = grid(30, 30, (-1, -1, 0), (1 / 15, 0, 0), (0, 1 / 15, 0))
    sheet = vertices + (0, 0, 1) * rng.uniform(-0.03, 0.03, (len(vertices), 1)), faces
    low = vertices + (0.013, 0.021, 0.02 * np.sin(seed)) + (0, 0, 1) * rng.uniform(-0.03, 0.03, (len(vertices), 1))
    block = joined((low, faces), (low - (0, 0, 1), faces[:, ::-1]))     # open at its sides: not a solid
    ends = box((-1.2, -1.2, -1.0), (1.2, 1.2, 0.001))
    assert_same(sheet, ends, monkeypatch)
    assert len(both_ways(sheet, block, monkeypatch)[0].pairs) == 1
