# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds by what covers a piece (core/depth/covering.py), and depths of thin things that lie against one another."""
import numpy as np
import pytest
from naive.shapes import grid, joined, moved
from naive.thin import cloth, cup, lump
from test_local_search import AGREEMENT, both_ways, turned
from test_seeds import strewn
from touchpoint.core.depth.covering import STEEPEST, bound_by_cover
from touchpoint.core.depth.depths import depth_scratch
from touchpoint.core.depth.features import BEST, DEPTH_MARGIN, LENGTH_UNIT
from touchpoint.core.depth.items import FIRST_ITEMS
from touchpoint.core.depth.local_triangles import MOST_NEAR
from touchpoint.core.depth.surface_distances import Surface
from touchpoint.core.machine_code.jit import COMPILED
from touchpoint.core.queries.distance import surface_distances
from touchpoint.core.verdicts.closedness import OPEN

FAR = 1.0           # what bounds are without a cover
ROOM = np.array([-3, -3, -3, 3, 3, 3], float)


def bound_of(piece, mesh, best):
    """How far any point of a piece (3,3) can be from a surface, by what covers it; FAR where nothing is known to.
    best: up to twice this distance from the piece is looked for a cover."""
    surface = Surface(mesh[0], mesh[1], OPEN, ROOM, 1, lambda *_: None)
    scratch = depth_scratch()
    scratch.numbers[:] = 0.0
    scratch.numbers[LENGTH_UNIT], scratch.numbers[DEPTH_MARGIN], scratch.numbers[BEST] = 1.0, 2.0 ** -44, best
    scratch.corners[:] = piece
    return bound_by_cover(FAR, 0, surface._trees, scratch)


def farthest(piece, mesh, rng, count=200):
    """The largest distance from a surface that is found on a piece."""
    points = np.concatenate([piece, strewn((piece, np.array([(0, 1, 2)])), count, rng)])
    return surface_distances(*mesh, points)[0].max()


def rough(rng, cells, high):
    """A sheet from -2 to 2, its vertices moved at random along it and upright to it."""
    vertices, faces = grid(cells, cells, (-2, -2, 0), (4 / cells, 0, 0), (0, 4 / cells, 0))
    return vertices + rng.uniform(-1, 1, vertices.shape) * (1 / cells, 1 / cells, high), faces


def triangle(rng, size, high):
    """A triangle above the middle of a sheet, a little askew."""
    return rng.uniform(-size, size, (3, 3)) * (1, 1, 0.05) + (0, 0, high)


@pytest.mark.parametrize("high", [0.0, 0.003, 0.1])
def test_a_plane_is_as_far_as_its_cover(high):
    rng = np.random.default_rng(0)
    piece = triangle(rng, 0.2, high) * (1, 1, 0) + (0, 0, high)
    assert high <= bound_of(piece, rough(rng, 20, 0.0), 0.05) <= high + 1e-11


@pytest.mark.parametrize("seed", range(40 if COMPILED else 4))
def test_no_point_is_farther(seed):
    """Most pieces have a cover; its bound is above all distances, and larger only where something is askew."""
    rng = np.random.default_rng(seed)
    sheet = rough(rng, 30, rng.choice([0.0, 0.01, 0.05]))
    found = 0
    for _ in range(10 if COMPILED else 1):
        piece = triangle(rng, rng.choice([0.02, 0.1, 0.2]), rng.uniform(0.0, 0.1)) @ turn(rng, 0.2)
        bound = bound_of(piece, sheet, 0.1)
        least = farthest(piece, sheet, rng)
        assert bound >= least
        found += bound < FAR
        assert bound == FAR or bound <= STEEPEST * least
    assert found > 0 or not COMPILED


def turn(rng, angle):
    """A rotation about an axis at random by up to so much."""
    x, y, z = rng.normal(size=3) * angle / np.sqrt(3)
    return np.linalg.qr(np.eye(3) + np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)]))[0]


@pytest.mark.parametrize("seed", range(20 if COMPILED else 3))
def test_a_hole_is_no_cover(seed):
    """Of a sheet that lacks a triangle, pieces above the hole have no cover, and others keep theirs."""
    rng = np.random.default_rng(seed)
    sheet = rough(rng, 30, 0.01)
    covered = 0
    for _ in range(20 if COMPILED else 1):
        piece = triangle(rng, 0.12, 0.05)
        middle = piece.mean(axis=0)[:2]
        gone = np.linalg.norm(sheet[0][sheet[1]].mean(axis=1)[:, :2] - middle, axis=1).argsort()[rng.integers(30)]
        holed = sheet[0], np.delete(sheet[1], gone, axis=0)
        bound = bound_of(piece, holed, 0.1)
        assert bound >= farthest(piece, holed, rng)
        covered += bound < FAR
        if holds(seen(sheet[0][sheet[1][gone]], piece), seen(piece, piece).mean(axis=0)):
            assert bound == FAR
    assert covered > 0 or not COMPILED


def seen(points, piece):
    """Where points (n,3) are seen along the normal of a piece (3,3): (n,2)."""
    along = piece[1] - piece[0]
    across = np.cross(np.cross(along, piece[2] - piece[0]), along)
    return points @ np.c_[along / np.linalg.norm(along), across / np.linalg.norm(across)]


def holds(corners, point):
    """True where a triangle (3,2) has a point (2,) well inside."""
    shares = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), np.append(point, 1.0))
    return shares.min() > 1e-3


def without(which):
    """A sheet of 8 × 8 squares without one side of its middle."""
    vertices, faces = grid(8, 8, (-1, -1, 0), (0.25, 0, 0), (0, 0.25, 0))
    middle = vertices[faces].mean(axis=1)[:, 0]
    return vertices, faces[middle < 0.0 if which else middle > 0.0]


FOLDED = {
    "a sheet that ends below the piece": without(1),
    "two sheets that end there and share no vertices": joined(without(1), without(0)),
    "a fold, both of whose sides are on one side of the edge": (
        np.array([(0, -1, 0), (0, 1, 0), (-1, 0, 0), (-1, 0, 0.01)], float), np.array([(0, 1, 2), (1, 0, 3)])),
    "a wall below": (np.array([(-1, 0, 0), (1, 0, 0), (0, 0, -0.5)], float), np.array([(0, 1, 2)])),
    "needles": (
        np.array([(-1, 0, 0), (1, 0, 0), (0, 1e-6, 0), (0, -1e-6, 0)], float), np.array([(0, 1, 2), (1, 0, 3)])),
}


@pytest.mark.parametrize("name", FOLDED)
def test_what_does_not_cover(name):
    piece = np.array([(-0.1, -0.11, 0.02), (0.13, 0.0, 0.02), (-0.1, 0.12, 0.02)])
    assert bound_of(piece, FOLDED[name], 0.1) == FAR


def test_the_nearest_of_several_covers():
    """Three sheets above one another, and one whose three wings share an edge."""
    sheet = grid(8, 8, (-1, -1, 0), (0.25, 0, 0), (0, 0.25, 0))
    sheets = joined(*(moved(sheet, (0, 0, -z)) for z in (0.03, 0.05, 0.02)))
    piece = np.array([(-0.1, -0.11, 0.0), (0.13, 0.0, 0.0), (-0.1, 0.12, 0.0)])
    assert 0.02 <= bound_of(piece, sheets, 0.03) <= 0.02 + 1e-11
    wings = (np.array([(0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0), (1, 0, -0.3)], float),
             np.array([(0, 1, 2), (1, 0, 3), (1, 0, 4)]))
    found = bound_of(piece + (0, 0, 0.02), wings, 0.1)
    assert found == FAR or 0.02 <= found <= 0.02 + 0.3 * 0.13 + 1e-9


def test_a_piece_without_area_has_no_cover():
    line = np.array([(0, 0, 0.1), (0.1, 0, 0.1), (0.2, 0, 0.1)])
    assert bound_of(line, grid(8, 8, (-1, -1, 0), (0.25, 0, 0), (0, 0.25, 0)), 0.1) == FAR


# Pairs of thin things, and of surfaces that cross all over, and how far their bounds may be apart, as a share of the
# depth.

CUP = cup(48, 16, 0.04)
SKIN = 1.001 * lump(57, 40)[0], lump(57, 40)[1]


def turn_about_x(mesh, angle, offset=(0, 0, 0)):
    c, s = np.cos(angle), np.sin(angle)
    return mesh[0] @ np.array([(1, 0, 0), (0, c, s), (0, -s, c)]) + offset, mesh[1]


THIN = {
    "cups in one another": (CUP, moved(CUP, (0, 0, 0.35)), 2.0 ** -7),
    "cups askew": (CUP, turn_about_x(CUP, 0.05, (0, 0, 0.4)), 2.0 ** -7),
    "cups across": (CUP, turn_about_x(CUP, 1.0, (1, 0, 0.5)), 2.0 ** -7),
    "sheets across": (cloth(50, 0.02), turn_about_x(cloth(50, 0.02, seed=1), 1.0), 1e-6),
    "layers": (cloth(50, 0.02), turn_about_x(cloth(50, 0.02, seed=1), 0.02, (0.1, 0.1, 0.05)), 2.0 ** -4),
    "a shape in other triangles": (lump(70, 50), lump(75, 52), 1e-6),
    "a shape in few triangles": (lump(110, 80), lump(22, 16), 1e-6),
    "a shape and a skin around it": (lump(60, 45), moved(SKIN, (1e-3, 0, 0)), 1e-3),
    "layers of one shape": (cloth(30, 0.02), moved(cloth(30, 0.02), (0, 0, 0.015)), 2.0 ** -7),
}


@pytest.mark.scenes
@pytest.mark.skipif(not COMPILED, reason="too long")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", THIN)
def test_thin_things(name, seed, monkeypatch):
    """The bounds are those of the search that knows no contacts, closer, and no point strewn over is deeper."""
    a, b, apart = THIN[name]
    if seed:
        a, b = turned(a, seed), turned(b, seed)
    fast, slow = (report.pairs[0] for report in both_ways(a, b, monkeypatch))
    assert fast["depth"] <= slow["depth_upper"] and slow["depth"] <= fast["depth_upper"]
    size = min(np.ptp(vertices, axis=0).max() for vertices, _ in (a, b))
    assert 0.0 < fast["depth"] <= fast["depth_upper"] <= fast["depth"] * (1 + apart) + AGREEMENT * size
    rng = np.random.default_rng(seed)
    for one, other in ((a, b), (b, a)):
        assert -surface_distances(*other, strewn(one, 5000, rng))[0].min() <= fast["depth_upper"]
    assert np.linalg.norm(np.diff(fast["depth_points"], axis=0)) == pytest.approx(fast["depth"], abs=1e-9)


@pytest.mark.scenes
@pytest.mark.skipif(not COMPILED, reason="too long")
@pytest.mark.parametrize("stretch, offset", [((-1, 1, 1), 0), ((1, 1, 0.3), 0), ((1e-3,) * 3, 0), ((1, 1, 1), 1e4)])
def test_thin_things_mirrored_stretched_and_far_away(stretch, offset, monkeypatch):
    a, b = (moved(turned(mesh, 5, stretch), (offset, -offset, offset)) for mesh in THIN["layers"][:2])
    fast, slow = (report.pairs[0] for report in both_ways(a, b, monkeypatch))
    assert fast["depth"] <= slow["depth_upper"] and slow["depth"] <= fast["depth_upper"]
    assert fast["depth_upper"] <= 1.2 * fast["depth"]
    assert -surface_distances(*b, strewn(a, 5000, np.random.default_rng(0)))[0].min() <= fast["depth_upper"]


@pytest.mark.scenes
@pytest.mark.skipif(not COMPILED, reason="too long")
def test_more_inside_than_there_is_memory_for(monkeypatch):
    """Layers whose triangles are few enough to be looked at, and whose pieces inside are too many to be kept: some
    18,000. They are left to the trees."""
    a = cloth(90, 0.02)
    assert FIRST_ITEMS < 0.6 * len(a[1]) and len(a[1]) <= MOST_NEAR
    fast, slow = (report.pairs[0] for report in both_ways(a, moved(a, (0, 0, 0.015)), monkeypatch))
    assert fast["depth"] <= slow["depth_upper"] and slow["depth"] <= fast["depth_upper"]
