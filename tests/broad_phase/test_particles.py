# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes as particles: by hand, and every pair against fractions."""
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from touchpoint.core.broad_phase import sweep as module
from touchpoint.core.broad_phase.particles import (
    close_pairs,
    coefficient,
    particles,
    restoration_distance,
    unit_box,
)
from touchpoint.core.broad_phase.sweep import overlapping_boxes

AXES = np.eye(3)[None]


def boxes(rng, n, spread=4.0, sizes=1.0):
    centre = rng.normal(size=(n, 3)) * spread
    axes = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0].transpose(0, 2, 1).copy()
    return centre, axes, rng.uniform(0.1, 1.0, (n, 3)) * sizes


def expected_pairs(centre, axes, half):
    """In fractions, pair by pair: |Δx| ≤ Lx, |Δy| ≤ Ly, |Δz| ≤ Lz."""
    def exact(array):
        return [[Fraction(x) for x in row] for row in array.tolist()]

    c = exact(centre)
    e = [[sum(abs(Fraction(box[k][x])) * Fraction(size[k]) for k in range(3)) for x in range(3)]
         for box, size in zip(axes.tolist(), half.tolist())]
    return [(i, j) for i, j in combinations(range(len(c)), 2)
            if all(abs(c[i][x] - c[j][x]) <= e[i][x] + e[j][x] for x in range(3))]


def pairs_of(*given, **more):
    a, b = close_pairs(*given, **more)
    assert a.dtype == b.dtype == np.int32
    return list(zip(a.tolist(), b.tolist()))


def test_unit_box_is_the_most_common_size():
    half = np.array([[3.0, 2, 1], [1, 1, 1], [1.00001, 1, 1], [1, 2, 3], [2, 3, 1.00001], [9, 9, 9]])
    assert unit_box(half).tolist() == [3.0, 2.0, 1.0]       # three of this kind, their edges in any order
    assert coefficient(half) == 6.0
    assert unit_box(half[:3]).tolist() == [1.0, 1.0, 1.0]
    assert unit_box(half[[0, 5]]).tolist() == [3.0, 2.0, 1.0]       # one of each: the smaller


def test_unit_box_does_not_depend_on_the_order_of_boxes():
    rng = np.random.default_rng(1)
    half = rng.integers(1, 3, (50, 3)) * rng.uniform(1.0, 1.00001, (50, 3))
    assert {tuple(unit_box(half[rng.permutation(50)])) for _ in range(10)} == {tuple(unit_box(half))}


def test_boxes_without_size_have_the_coefficient_one():
    assert coefficient(np.zeros((3, 3))) == 1.0
    assert coefficient(np.zeros((0, 3))) == 1.0


def test_restoration_distance_by_hand():
    """Half sizes 1, 2, 3 along the world's axes; 3, 4, 5 turned about z: 3·0.8 + 4·0.6, 3·0.6 + 4·0.8, 5."""
    centre = np.array([[0.0, 0, 0], [8, 4, 0]])
    axes = np.array([np.eye(3), [[0.8, 0.6, 0], [-0.6, 0.8, 0], [0, 0, 1]]])
    half = np.array([[1.0, 2, 3], [3, 4, 5]])
    points, extents = particles(centre, axes, half, 2.0)
    assert points.tolist() == [[0, 0, 0], [4, 2, 0]]
    assert np.allclose(extents, [[0.5, 1, 1.5], [2.4, 2.5, 2.5]])
    assert np.allclose(restoration_distance(extents, np.array([0]), np.array([1])), [[2.9, 3.5, 4.0]])
    # Its own half extents, as the document has it, would say 3 + 1 = 4 along x, where the boxes reach 5.8.
    assert pairs_of(centre + [[0, 0, 0], [-2.3, 0, 0]], axes, half) == [(0, 1)]
    assert pairs_of(centre, axes, half) == []


@pytest.mark.parametrize("axis", range(3))
def test_touching_boxes_are_kept_and_boxes_apart_dropped(axis):
    centre = np.zeros((3, 3))
    centre[1, axis], centre[2, axis] = 2.0, 4.0 + 1e-12
    half = np.ones((3, 3))
    assert pairs_of(centre, np.repeat(AXES, 3, 0), half) == [(0, 1)]


@pytest.mark.parametrize("seed", range(6))
def test_all_pairs_against_fractions(seed):
    rng = np.random.default_rng(seed)
    given = boxes(rng, 60, spread=(0.5, 2.0, 6.0)[seed % 3], sizes=10.0 ** rng.uniform(-2, 1, (60, 1)))
    assert pairs_of(*given) == expected_pairs(*given)


@pytest.mark.parametrize("size, far", [(1.0, 0.0), (1e-310, 0.0), (1e-300, 1e-300), (1e300, 1e304), (1.0, 1e9),
                                       (1e-30, 1e30)])
def test_no_true_pair_is_dropped_at_any_size_and_place(size, far):
    rng = np.random.default_rng(7)
    centre, axes, half = boxes(rng, 40)
    centre, half = np.round(centre) * size + far, half * size
    # Chains of boxes that just touch, as far as floats can say.
    half[:10] = size
    axes[:10] = np.eye(3)
    centre[:10] = far
    centre[:10, 0] += 2.0 * size * np.arange(10)
    got, expected = set(pairs_of(centre, axes, half)), set(expected_pairs(centre, axes, half))
    assert expected <= got
    assert len(got) <= len(expected) + (45 if far == 0.0 else len(centre) ** 2)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 3.7, 1e6])
def test_any_coefficient_gives_the_same_pairs(scale):
    given = boxes(np.random.default_rng(3), 80)
    assert pairs_of(*given, scale=scale) == pairs_of(*given)


def test_pairs_are_made_a_bounded_number_at_a_time(monkeypatch):
    given = boxes(np.random.default_rng(4), 70, spread=1.0)
    expected = pairs_of(*given)
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 7)
    ticks = []
    assert pairs_of(*given, tick=ticks.append) == expected
    assert len(ticks) > 100 and ticks == sorted(ticks) and ticks[-1] == 1.0


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_boxes(n):
    assert pairs_of(np.zeros((n, 3)), np.repeat(AXES, n, 0), np.ones((n, 3))) == []


@pytest.mark.parametrize("seed", range(4))
def test_boxes_along_the_axes_against_all_pairs(seed):
    rng = np.random.default_rng(seed)
    low = rng.integers(-9, 9, (60, 3)).astype(float)
    bounds = np.concatenate([low, low + rng.integers(0, 6, (60, 3))], axis=1)
    expected = [(i, j) for i, j in combinations(range(60), 2)
                if (bounds[i, :3] <= bounds[j, 3:]).all() and (bounds[j, :3] <= bounds[i, 3:]).all()]
    a, b = overlapping_boxes(bounds)
    assert list(zip(a.tolist(), b.tolist())) == expected and len(expected) > 10
