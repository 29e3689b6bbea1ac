# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that stand among studs: level triangles that cover a piece together bound it (core/depth/local_level.py)."""
import numpy as np
import pytest
from naive.shapes import cubes, joined, moved, pipe, studs
from test_local_search import assert_same, both_ways

pytestmark = pytest.mark.scenes

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)


def frame(middle, half, wall, deep, turn=0.0):
    """A wall around a square that reaches below height 1."""
    turned = SQUARE @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    return pipe(middle + half * turned, middle + (half + wall) * turned, 1.0 - deep, 3.0)


@pytest.mark.parametrize(("deep", "most"), [(1e-9, 1300), (1e-6, 1300), (1e-3, 1300)])
def test_a_frame_around_all_studs_takes_few_pieces(deep, most, monkeypatch):
    around = frame(np.array([3.5, 3.5]), 3.05, 0.4, deep)
    fast, _ = both_ways(studs(7), around, monkeypatch)
    pair = fast.pairs[0]
    assert pair["depth"] <= deep + 1e-14 and deep - 1e-14 <= pair["depth_upper"]
    assert fast.counts["depth_tests"] < most        # 7,900 to 8,500 without


@pytest.mark.parametrize("deep", [1e-6, 1e-3])
def test_a_frame_around_each_stud_takes_few_pieces(deep, monkeypatch):
    places = [np.array([i + 0.5, j + 0.5]) for i in (1, 3, 5) for j in (1, 3, 5)]
    fast, _ = both_ways(studs(7), joined(*(frame(place, 0.7, 0.25, deep) for place in places)), monkeypatch)
    assert fast.counts["depth_tests"] < 4000        # 7,600 without


@pytest.mark.parametrize("seed", range(24))
def test_random_frames(seed, monkeypatch):
    """Straight, turned and leaning ones, shallow and through studs, on plates some of whose cells are missing."""
    random = np.random.default_rng(seed)
    cells = np.zeros((6, 6, 2), bool)
    cells[:, :, 0] = random.random((6, 6)) < 0.85
    cells[:, :, 1] = (random.random((6, 6)) < 0.3) & cells[:, :, 0]
    cells[2:4, 2:4, 0] = True
    parts = [frame(random.uniform(1, 5, 2), random.uniform(0.3, 2.0), random.uniform(0.1, 0.6),
                   10.0 ** random.uniform(-5, -0.5), random.choice([0.0, 0.3])) for _ in range(random.integers(1, 4))]
    body, lean = joined(*parts), random.choice([0.0, 1e-4, 0.05])
    cosine, sine = np.cos(lean), np.sin(lean)
    leaning = body[0] @ np.array([(cosine, 0, sine), (0, 1, 0), (-sine, 0, cosine)]).T
    assert_same(cubes(cells), moved((leaning, body[1]), (0.013, 0.007, 0.0)), monkeypatch)
