# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of round things in large faces, whose part inside is cut between the ends of contacts (local_mesh.py)."""
import numpy as np
import pytest
from naive.depths import depth_of_point
from naive.self_meshes import torus
from naive.shapes import ball, box, circle, joined, moved, pipe
from test_local_search import assert_same, both_ways

pytestmark = pytest.mark.scenes


def floor(half, closed):
    if closed:
        return box((-half, -half, -1), (half, half, 0))
    corners = half * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0.0)])
    return corners, np.array([(0, 1, 2), (0, 2, 3)], np.int32)


def sunk(mesh, deep, turn=0.0):
    """A mesh that stands askew by an angle, and so deep in a floor at z = 0."""
    cosine, sine = np.cos(turn), np.sin(turn)
    vertices = mesh[0] @ np.array([(1, 0, 0), (0, cosine, -sine), (0, sine, cosine)]).T
    return vertices - (3.1, -2.3, vertices[:, 2].min() + deep), mesh[1]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("half", [10.0, 300.0])
def test_a_ring_is_as_deep_as_its_lowest_edge(half, closed, monkeypatch):
    """Of 24 sides across: its lowest faces lean by some 7.5 degrees, and a point of the floor is nearest to these."""
    fast, _ = both_ways(floor(half, closed), sunk(torus(48, 24, 1.0, 0.3), 0.001), monkeypatch)
    pair = fast.pairs[0]
    assert pair["depth"] == pytest.approx(0.001 if closed else 0.001 * np.cos(np.radians(7.5)), rel=1e-4)
    assert pair["depth_upper"] < pair["depth"] + 2.6e-9     # it is 2.6 wide
    assert fast.counts["depth_tests"] < 4000                # 5,400 to 9,900 before


@pytest.mark.parametrize("sides", [16, 48, 64])
def test_a_pipe_is_as_deep_as_its_end(sides, monkeypatch):
    fast, _ = both_ways(floor(80.0, False), sunk(pipe(circle(sides, 0.5), circle(sides, 0.6), 0.0, 1.0), 0.001),
                        monkeypatch)
    pair = fast.pairs[0]
    assert pair["depth"] <= 0.001 + 1e-12 and 0.001 - 1e-12 <= pair["depth_upper"] < pair["depth"] + 1e-9
    assert fast.counts["depth_tests"] < 300


@pytest.mark.parametrize("turn", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("deep", [1e-6, 0.01, 0.25])
@pytest.mark.parametrize("shape", ["ring", "pipe", "balls", "mirrored"])
def test_no_point_of_the_floor_is_deeper(shape, deep, turn, monkeypatch):
    mesh = {"ring": torus(32, 16, 1.0, 0.3), "pipe": pipe(circle(40, 0.5), circle(40, 0.6), 0.0, 1.0),
            "balls": joined(ball(24, 12, 0.5), moved(ball(24, 12, 0.5), (1.3, 0.2, 0))),
            "mirrored": torus(32, 16, 1.0, 0.3)}[shape]
    if shape == "mirrored":
        mesh = mesh[0] * (-1, 1, 1), mesh[1]
    solid = sunk(mesh, deep, turn)
    pair = assert_same(floor(20.0, False), solid, monkeypatch)
    low = solid[0][solid[0][:, 2] < 0.0]
    middles = low[np.random.default_rng(0).integers(len(low), size=(60, 3))].mean(axis=1)
    deepest = 0.0
    for x, y in np.concatenate([middles, low[:40] + 1e-9])[:, :2]:
        square, inside = depth_of_point(np.array([x, y, 0.0]), solid)
        deepest = max(deepest, square ** 0.5 if inside else 0.0)
    assert 0.0 < deepest <= pair["depth_upper"] + 1e-12
