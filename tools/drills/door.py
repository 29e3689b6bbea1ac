# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries at the door: whatever is given, the answer is the right one or one ValueError, and nothing given changes."""
import warnings

import numpy as np
from test_casts import BAD, QUERIES
from touchpoint.core import TouchpointError, queries

from . import Drill, picked


def _other_shape(random, value):
    return random.normal(size=tuple(random.integers(0, 4, int(random.integers(0, 5)))))


def _other_numbers(random, value):
    spoiled = np.array(value, float)
    if spoiled.size:
        spoiled.flat[int(random.integers(spoiled.size))] = picked(
            random, (np.nan, np.inf, -np.inf, 1e300, -1e308, 5e-324, 1e-200, 2.0**63, -1.0, 0.5))
    return spoiled


def _other_kind(random, value):
    return picked(random, list(BAD.values()))(value)


def _anything(random, value):
    return picked(random, (b"", "text", object(), [], [[]], {}, 0, -1, np.array(3), float("nan"), lambda: 0, (1, 2),
                           [[1, 2, 3], "x"], np.zeros((0, 3)), np.zeros((3, 0)), range(9), iter([1.0]), type, ...))


def wrong_arguments(random, _folder):
    """One or all arguments of a query are spoiled."""
    query = picked(random, list(QUERIES))
    sound = QUERIES[query]
    copies = {name: np.array(value) for name, value in sound.items()}
    asked = dict(copies)
    for name in asked:
        if random.random() < 0.6:
            asked[name] = picked(random, (_other_shape, _other_numbers, _other_kind, _anything))(random, asked[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            getattr(queries, query)(**asked)
        except (ValueError, TouchpointError) as error:
            assert str(error), "an error without a word"
    for name, value in copies.items():
        assert np.array_equal(value, sound[name]), "an argument was changed"
    getattr(queries, query)(**sound)


DRILLS = [Drill("queries at the door", "arguments of queries with other shapes, numbers, kinds and things",
                wrong_arguments, 300)]
