# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of finely divided objects that meet in long or large places (core/depth/seeds.py) against the search down
trees that knows no contacts, and points strewn over them."""
import numpy as np
import pytest
from naive.shapes import ball, box, bundle, grid, joined, moved, tube
from test_local_search import assert_same, both_ways, turned
from touchpoint.core import Scene, detect
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


def moved_vertices(mesh, which, factor):
    vertices = mesh[0].copy()
    vertices[which] *= factor
    return vertices, mesh[1]


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("factors", [(1.05,), (0.95,), (1.04, 0.97, 1.02)])
def test_what_was_changed_of_a_copy(factors, turn):
    """Of an object that is there twice, and was changed at some vertices, only what both do not have is searched: the
    bounds are as sharp as ever. Before, they were 0 and a tenth of the object, after 16,384 steps."""
    mesh = turned(ball(120, 60), 2) if turn else ball(120, 60)
    places, other = np.arange(1, 4) * 1877, mesh
    for place, factor in zip(places, factors):
        other = moved_vertices(other, place, factor)
    rng = np.random.default_rng(7)
    order = rng.permutation(len(mesh[1]))
    scene = Scene()
    for vertices, faces in (mesh, (other[0], other[1][order])):
        scene.add_object(scene.add_mesh(vertices, faces))
    report = detect(scene, depth=True)
    pair, = report.pairs
    assert pair["depth_upper"] - pair["depth"] < 2e-9 and pair["depth"] > 0.005
    assert report.counts["depth_tests"] < 200
    for one, solid in ((mesh, other), (other, mesh)):
        around = one[1][np.isin(one[1], places).any(axis=1)]
        points = np.concatenate([one[0][places], strewn((one[0], around), 2000, rng)])
        assert -surface_distances(*solid, points)[0].min() <= pair["depth_upper"]
    points = pair["depth_points"]
    assert abs(np.linalg.norm(points[0] - points[1]) - pair["depth"]) < 1e-9


def fine_box(low, high, n):
    """A box of 12 · n² triangles."""
    x, y, z = np.diag(np.subtract(high, low) / n)
    around = [(low, y, x), (low, x, z), (low, z, y), (high, -x, -y), (high, -z, -x), (high, -y, -z)]
    return joined(*(grid(n, n, corner, u, v) for corner, u, v in around))


def test_in_one_plane_with_a_common_corner_only():
    """A sheet lies flush on a step, with corners in common, and goes on into the next one."""
    step = joined(fine_box((-1, -1, -0.5), (0, 1, 0), 32), fine_box((0, -1, -0.5), (1, 1, 0.25), 32))
    sheet = grid(1, 1, (-1, -1, 0), (2, 0, 0), (0, 2, 0))
    scene = Scene()
    for mesh in (sheet, step):
        scene.add_object(scene.add_mesh(*mesh))
    pair, = detect(scene, depth=True).pairs
    assert pair["depth"] <= 0.25 <= pair["depth_upper"] < 0.25 + 1e-8
