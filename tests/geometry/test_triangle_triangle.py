# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch queries of triangle pairs against rational arithmetic: every class of pairs, every order of corners.

TOUCHPOINT_LONG=1 makes it millions of pairs instead of some ten thousand.
"""
import os

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from naive.agreement import point_problem
from naive.triangle_pairs import CLASSES, arrangements, draw
from touchpoint.core.queries import triangle_intersections, triangles_intersect
from touchpoint.core.reference import shared_part

LONG = bool(os.environ.get("TOUCHPOINT_LONG"))
PAIRS = 30_000 if LONG else 400
ARRANGED = 500 if LONG else 25


def exact_answers(a, b):
    return [shared_part(p, q) for p, q in zip(a.tolist(), b.tolist())]


@pytest.mark.parametrize("name", CLASSES)
def test_hit_kind_and_points_are_exact(name):
    a, b = draw(name, PAIRS, seed=1)
    exact = exact_answers(a, b)
    expected = np.array([shared.kind for shared in exact])
    kind, points = triangle_intersections(a, b)
    wrong = np.flatnonzero(kind != expected)
    assert not len(wrong), (f"{len(wrong)} wrong, first {a[wrong[0]].tolist()} {b[wrong[0]].tolist()}: "
                            f"kind {kind[wrong[0]]}, not {expected[wrong[0]]}")
    assert np.array_equal(triangles_intersect(a, b), expected > 0)
    for row, shared in enumerate(exact):
        problem = point_problem(a[row], b[row], shared, points[row])
        assert not problem, f"{problem} for {a[row].tolist()} {b[row].tolist()}"


@pytest.mark.parametrize("name", CLASSES)
def test_answer_is_the_same_in_all_72_arrangements(name):
    """Swapping the triangles or permuting corners changes nothing, not even a bit of the points."""
    a, b = draw(name, ARRANGED, seed=2)
    kind, points = triangle_intersections(a, b)
    for first, second in arrangements(a, b):
        first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
        other_kind, other_points = triangle_intersections(first, second)
        assert np.array_equal(other_kind, kind)
        for row in range(len(a)):
            assert not different_ends(points[row], other_points[row]), (a[row].tolist(), b[row].tolist())
        assert np.array_equal(triangles_intersect(first, second), kind > 0)


def different_ends(one, other) -> bool:
    return not (np.array_equal(one, other, equal_nan=True) or np.array_equal(one, other[::-1], equal_nan=True))


def test_answer_does_not_depend_on_the_other_pairs_of_the_batch():
    a, b = (np.concatenate(side) for side in zip(*(draw(name, 30, seed=3) for name in CLASSES)))
    kind, points = triangle_intersections(a, b)
    order = np.random.default_rng(3).permutation(len(a))
    other_kind, other_points = triangle_intersections(a[order], b[order])
    assert np.array_equal(other_kind, kind[order])
    assert np.array_equal(other_points, points[order], equal_nan=True)
    for row in range(0, len(a), 50):
        alone_kind, alone_points = triangle_intersections(a[row:row + 1], b[row:row + 1])
        assert alone_kind[0] == kind[row] and np.array_equal(alone_points[0], points[row], equal_nan=True)


def test_shapes_and_dtypes():
    none = np.zeros((0, 3, 3))
    kind, points = triangle_intersections(none, none)
    assert kind.shape == (0,) and points.shape == (0, 2, 3) and triangles_intersect(none, none).shape == (0,)
    a, b = draw("random", 5, seed=4)
    expected = triangle_intersections(a, b)
    for other in ((np.asfortranarray(a), b[::-1][::-1]), (a.tolist(), b.tolist())):
        got = triangle_intersections(*other)
        assert np.array_equal(got[0], expected[0]) and np.array_equal(got[1], expected[1], equal_nan=True)
    for wrong_a, wrong_b in ((a, b[:4]), (a[0], b[0]), (a[..., :2], b[..., :2]), (a * np.nan, b), (a, b * np.inf)):
        with pytest.raises(ValueError, match="A and B must"):
            triangle_intersections(wrong_a, wrong_b)
        with pytest.raises(ValueError, match="A and B must"):
            triangles_intersect(wrong_a, wrong_b)


def triangle_of(coordinate):
    return st.lists(st.tuples(coordinate, coordinate, coordinate), min_size=3, max_size=3)


WHOLE = st.integers(-3, 3).map(float)
ANY = st.floats(-1e300, 1e300, allow_nan=False)
HARD = st.sampled_from([0.0, -0.0, 1.0, -1.0, 1 + 2 ** -52, 1 - 2 ** -53, 0.1, 1 / 3, 5e-324, 1e-308, 1e-160, 1e160,
                        1e300])


@settings(max_examples=2000 if LONG else 150)
@given(a=st.one_of(map(triangle_of, (WHOLE, ANY, HARD))), b=st.one_of(map(triangle_of, (WHOLE, ANY, HARD))))
@example(a=[(0.0, 0.0, 0.0)] * 3, b=[(-0.0, 0.0, -0.0)] * 3)
def test_any_finite_triangles(a, b):
    a, b = np.array([a]), np.array([b])
    shared = exact_answers(a, b)[0]
    kind, points = triangle_intersections(a, b)
    assert kind[0] == shared.kind
    assert not point_problem(a[0], b[0], shared, points[0])


@settings(max_examples=2000 if LONG else 150)
@given(a=triangle_of(WHOLE), shift=st.integers(-2, 2), scale=st.sampled_from([1.0, 3.0, 2.0 ** -600, 2.0 ** 600]),
       b=triangle_of(WHOLE))
def test_exact_motions_change_nothing(a, b, shift, scale):
    """Whole numbers moved by whole numbers and scaled: what they share moves along."""
    a, b = np.array([a]), np.array([b])
    kind, _ = triangle_intersections(a, b)
    for permuted in ([0, 1, 2], [1, 2, 0], [2, 1, 0]):
        moved_kind, _ = triangle_intersections((a + shift)[..., permuted] * scale, (b + shift)[..., permuted] * scale)
        assert moved_kind[0] == kind[0]
