# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of rows are those of `np.unique`, however many rows there are, and are looked for in pieces."""
import numpy as np
import pytest
from touchpoint.core.alike import kinds_of


def columns_of(random, dtype, rows):
    if dtype is np.int64:
        return [random.integers(-3, 3, rows) << shift for shift in (0, 40, 60)] + [np.full(rows, 7)]
    special = np.array([0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 5e-324, -5e-324, np.inf, -np.inf, 1.0 + 2.0 ** -52])
    return [special[random.integers(len(special), size=rows)] for _ in range(3)]


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("rows", [0, 1, 2, 50, 300, 5000])
def test_kinds_are_those_of_numpy(dtype, rows):
    random = np.random.default_rng(rows)
    columns = columns_of(random, dtype, rows)
    first, kind = kinds_of(columns)
    _, theirs, number = np.unique(np.stack(columns, axis=1) + 0, axis=0, return_index=True, return_inverse=True)
    assert first.tolist() == theirs.tolist() and kind.tolist() == number.reshape(-1).tolist()


def test_all_alike_and_all_different():
    assert [each.tolist() for each in kinds_of([np.ones(4), np.zeros(4)])] == [[0], [0, 0, 0, 0]]
    first, kind = kinds_of([np.arange(600.0)[::-1]])
    assert first.tolist() == list(range(599, -1, -1)) == kind.tolist()
