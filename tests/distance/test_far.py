# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles that a plane shows to be too far apart, beside their distances in rational arithmetic."""
from fractions import Fraction

import numpy as np
import pytest
from naive.triangle_pairs import rotations, whole
from touchpoint.core.distance.far import drop_far
from touchpoint.core.distance.pair import triangle_columns
from touchpoint.core.distance.triangles import COLUMNS
from touchpoint.core.reference.distance import triangle_gap


def kept(a, b, limit):
    """Rows of the pairs (a[i], b[i]), at most COLUMNS, that are not dropped, and what the columns hold then."""
    columns = triangle_columns()
    table = columns.given.reshape(-1, COLUMNS)
    table[:18, :len(a)] = np.concatenate([a.reshape(-1, 9), b.reshape(-1, 9)], axis=1).T
    slots = np.zeros((COLUMNS, 3), np.int32)
    slots[:len(a), 0] = np.arange(len(a))
    left = drop_far(columns, slots, len(a), limit)
    return slots[:left, 0], table[:18, :left].T


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("scale", [1.0, 1e-7, 1e60])
def test_what_is_dropped_is_farther(turned, scale):
    """Whole numbers, so that many distances are the limit to the last bit; they are kept."""
    rng, dropped, at_limit = np.random.default_rng(3), 0, 0
    for _ in range(20):
        a, b = whole(rng, COLUMNS, 3), whole(rng, COLUMNS, 3)
        b[..., 2] += rng.integers(2, 9, (COLUMNS, 1))
        limit = rng.integers(0, 3) * scale
        turn = rotations(rng, 1)[0] * scale if turned else np.eye(3) * scale
        a, b = a @ turn, b @ turn
        rows, columns = kept(a, b, limit)
        assert np.array_equal(columns, np.concatenate([a.reshape(-1, 9), b.reshape(-1, 9)], axis=1)[rows])
        for row in range(COLUMNS):
            squared = triangle_gap(a[row].tolist(), b[row].tolist()).squared
            if row not in rows:
                dropped += 1
                assert squared > Fraction(limit) ** 2
            at_limit += squared == Fraction(limit) ** 2
    assert dropped > 100 and (turned or at_limit > 10)


def test_parallel_faces_are_told_a_little_beyond_the_limit():
    a = np.array([[(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]])
    for limit in (1e-6, 1.0, 1e6):
        rows, _ = kept(a, a + (0.2, 0.1, limit), limit)
        assert list(rows) == [0]
        rows, _ = kept(a, a + (0.2, 0.1, 1.001 * limit), limit)
        assert list(rows) == []


def test_without_a_limit_or_a_plane_all_stay():
    a = np.array([[(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]] * 3)
    b = a + (0.0, 0.0, 5.0)
    assert list(kept(a, b, np.inf)[0]) == [0, 1, 2]
    assert list(kept(a * 0.0, b * 0.0 + 7.0, 1.0)[0]) == [0, 1, 2]      # no planes
