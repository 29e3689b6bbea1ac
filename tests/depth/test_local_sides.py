# SPDX-License-Identifier: GPL-3.0-or-later
"""Depths of pairs whose pieces are cut at sides of triangles (core/depth/local_sides.py), against bounds in Fractions
(naive/depths.py). Small enough for plain Python, which all kernels of the local search run in here, too."""
import numpy as np
import pytest
from naive.shapes import ball, moved
from test_depth import assert_between_bounds, pair_of
from touchpoint.core.depth import local_search
from touchpoint.core.machine_code.jit import COMPILED

SEEDS = range(4)


def lump(seed, around, across):
    """A ball of few faces that is turned, and whose vertices are nearer to its middle or farther: it has hollows."""
    vertices, faces = ball(around, across)
    rng = np.random.default_rng(seed)
    linear = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return (vertices * rng.uniform(0.6, 1.2, (len(vertices), 1))) @ linear.T, faces


def lumps(seed):
    return lump(seed, 4, 3), moved(lump(seed + 50, 5, 4), (0.3, 0.2, 0.1))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracle_has_the_same_depth(seed):
    a, b = lumps(seed)
    assert assert_between_bounds(a, b, steps=40)["depth"] > 0.1
    assert_between_bounds(b, a, steps=40)


@pytest.mark.skipif(COMPILED, reason="machine code calls itself")
@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_are_cut_at_sides(seed, monkeypatch):
    """What the others here rest on."""
    answers, cut = [], local_search.cut_at_side
    monkeypatch.setattr(local_search, "cut_at_side", lambda *where: answers.append(bool(cut(*where))) or answers[-1])
    pair_of(*lumps(seed))
    assert True in answers and False in answers
