# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain oracles of the long proofs against the rational ones: int64 triangles, float64 boxes, disguises."""
from fractions import Fraction

import numpy as np
import pytest
from naive import box_pairs, whole_triangles
from naive.agreement import square_root
from naive.rational_convex import boxes_meet
from touchpoint.core.reference import shared_part


@pytest.mark.parametrize("name", whole_triangles.CLASSES)
def test_whole_triangles_meet_as_in_rational_arithmetic(name):
    whole = whole_triangles.draw(name, 80, seed=40)
    a, b = whole_triangles.disguised(np.random.default_rng(40), *whole)
    expected = [shared_part(p, q).kind > 0 for p, q in zip(a.tolist(), b.tolist())]
    assert whole_triangles.meet(*whole).tolist() == expected
    assert whole_triangles.meet(*whole[::-1]).tolist() == expected


def test_whole_triangles_of_known_answer():
    floor = np.array([[(0, 0, 0), (4, 0, 0), (0, 4, 0)]])
    for corners, hit in (([(1, 1, -1), (1, 1, 1), (9, 9, 9)], True), ([(1, 1, 1), (1, 2, 1), (2, 1, 1)], False),
                         ([(2, 2, 0), (5, 5, 0), (5, 6, 0)], True), ([(3, 2, 0), (5, 5, 0), (5, 6, 0)], False),
                         ([(1, 1, 0)] * 3, True), ([(1, 1, 1)] * 3, False), ([(-1, 1, 0), (9, 1, 0), (9, 1, 0)], True)):
        assert whole_triangles.meet(floor, np.array([corners])).tolist() == [hit]


@pytest.mark.parametrize("name", box_pairs.CLASSES)
def test_what_float64_is_sure_of_is_true(name):
    boxes = box_pairs.draw(name, 60, seed=41)
    sure = box_pairs.surely(*boxes)
    for row in np.flatnonzero(sure):
        assert boxes_meet(*(part[row].tolist() for part in boxes)) == (sure[row] > 0)


def test_it_is_sure_of_ordinary_boxes():
    sure = box_pairs.surely(*box_pairs.draw("random", 500, seed=42))
    assert (sure != 0).mean() > 0.99 and (sure > 0).any() and (sure < 0).any()


def test_square_roots_of_any_size():
    for value in (0.0, 3.0, 1e-300, 1e300, 5e-324, 1.7976931348623157e308):
        assert square_root(Fraction(value) ** 2) == value
    assert abs(square_root(Fraction(2)) - 2 ** 0.5) < 1e-15
