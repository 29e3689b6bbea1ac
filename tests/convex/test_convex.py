# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls in pairs against the rational reference."""
import math
from fractions import Fraction

import numpy as np
import pytest
from naive.hull_families import CUBE, FAMILIES, pairs_of, turn
from naive.rational_convex import nearest_points
from touchpoint.core.convex.hulls.hulls import pair_up
from touchpoint.core.convex.pairs import closest, meeting
from touchpoint.core.queries import convex_distance, convex_intersect

COUNT = 12


def length(squared: Fraction) -> float:
    """Square root of a Fraction, good to an ulp whatever its size."""
    shift = 2 * max(0, 80 - squared.numerator.bit_length() // 2 + squared.denominator.bit_length() // 2)
    return float(Fraction(math.isqrt(int(squared * 2 ** shift)), 2 ** (shift // 2)))


def size_of(*hulls) -> float:
    return max(np.ptp(hull / 2, axis=0).max() * 2 for hull in hulls) or max(np.abs(hull).max() for hull in hulls)


def off(hull, point) -> float:
    """How far a point is from a hull."""
    return length(nearest_points(hull.tolist(), [point.tolist()]).squared)


@pytest.mark.parametrize("family", FAMILIES)
def test_meeting_is_exact(family):
    P, Q = pairs_of(family, COUNT)
    expected = [nearest_points(p.tolist(), q.tolist()).squared == 0 for p, q in zip(P, Q)]
    assert convex_intersect(P, Q).tolist() == expected
    assert convex_intersect(Q, P).tolist() == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_distance_and_closest_points(family):
    P, Q = pairs_of(family, COUNT)
    for A, B in ((P, Q), (Q, P)):
        distance, p, q = convex_distance(A, B)
        for k, (a, b) in enumerate(zip(A, B)):
            squared = nearest_points(a.tolist(), b.tolist()).squared
            allowed = 1e-13 * size_of(a, b)
            assert abs(distance[k] - length(squared)) <= max(allowed, 1e-15 * distance[k])
            assert (distance[k] == 0) == (squared == 0)
            # The points themselves are rounded where the hulls lie.
            allowed += 4 * np.spacing(np.abs(a).max()) + 4 * np.spacing(np.abs(b).max())
            assert off(a, p[k]) <= allowed and off(b, q[k]) <= allowed
            between = length(sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(p[k], q[k])))
            assert abs(between - distance[k]) <= allowed
            assert squared != 0 or (p[k] == q[k]).all()


@pytest.mark.parametrize("family", FAMILIES)
def test_warm_start_changes_no_answer(family):
    P, Q = pairs_of(family, COUNT)
    warm = np.zeros((COUNT, 8), np.int32)
    for _ in range(3):
        assert (convex_intersect(P, Q, warm=warm) == convex_intersect(P, Q)).all()
    warm = np.full((COUNT, 8), 10 ** 6, np.int32)
    cold = convex_distance(P, Q)[0]
    for _ in range(3):
        distance = convex_distance(P, Q, warm=warm)[0]
        size = np.array([size_of(*sides) for sides in zip(P, Q)])
        assert ((distance == 0) == (cold == 0)).all()
        assert (np.abs(distance - cold) <= np.maximum(1e-13 * size, 1e-15 * cold)).all()


def test_large_hulls():
    rng = np.random.default_rng(4)
    P = rng.normal(size=(30, 128, 3))
    P /= np.linalg.norm(P, axis=2)[:, :, None]
    Q = P[::-1] @ turn(rng).T + rng.normal(size=(30, 1, 3)) * 1.5
    distance, p, q = convex_distance(P, Q)
    for k in range(30):
        expected = nearest_points(P[k].tolist(), Q[k].tolist()).squared
        assert abs(distance[k] - length(expected)) < 1e-15 and (distance[k] == 0) == (expected == 0)
    assert (convex_intersect(P, Q) == (distance == 0)).all() and 0 < np.sum(distance == 0) < 30


def test_ordinary_pairs_need_no_whole_numbers():
    P, Q = pair_up(*pairs_of("random", 300))
    assert meeting(P, Q, None, 1)[1] == 0 and closest(P, Q, None, 1)[3] == 0


@pytest.mark.parametrize("step", [(2, 0.5, 0.25), (2, 2, 0.5), (2, 2, 2)])
def test_boxes_on_a_lattice_need_no_whole_numbers(step):
    """Against a face, along an edge, at a corner: touching boxes are common, and quick."""
    place = np.array([[2, 1, 3]]) * np.arange(20)[:, None]
    P, Q = pair_up(CUBE + place[:, None], CUBE + place[:, None] + step)
    found, rational = meeting(P, Q, None, 1)
    assert found.all() and rational == 0
    distance, p, q, rational = closest(P, Q, None, 1)
    assert not distance.any() and (p == q).all() and rational == 0


def test_threads_and_order_change_nothing():
    rng = np.random.default_rng(2)
    P, Q = rng.normal(size=(2500, 8, 3)), rng.normal(size=(2500, 8, 3)) + rng.normal(size=(2500, 1, 3)) * 2
    one, many = convex_distance(P, Q, threads=1), convex_distance(P, Q, threads=3)
    turned = convex_distance(P[::-1], Q[::-1])
    for a, b, c in zip(one, many, turned):
        assert a.tobytes() == b.tobytes() == c[::-1].copy().tobytes()
    assert (convex_intersect(P, Q, threads=1) == convex_intersect(P, Q, threads=3)).all()


def test_forms_of_input():
    P = np.stack([CUBE, CUBE + 3])
    assert convex_intersect(P, CUBE).tolist() == [True, False]
    assert convex_intersect(CUBE, list(P.astype(np.float32))).tolist() == [True, False]
    assert convex_intersect([CUBE, CUBE[:2]], [CUBE[:1] + 9, CUBE[0:4]]).tolist() == [False, True]
    assert convex_intersect(np.zeros((0, 8, 3)), np.zeros((0, 4, 3))).shape == (0,)
    assert convex_intersect([[[0, 0, 0], [2, 2, 2]], [[5, 5, 5]]], [CUBE, CUBE]).tolist() == [True, False]
    assert convex_intersect([], []).shape == (0,) and convex_intersect(CUBE, []).shape == (0,)
    distance, p, q = convex_distance(np.zeros((0, 8, 3)), CUBE)
    assert distance.shape == (0,) and p.shape == q.shape == (0, 3)


def test_the_largest_and_smallest_numbers():
    far, tiny = np.full((1, 3), 1.7e308), np.full((1, 3), 5e-324)
    assert convex_intersect([far, far, tiny, tiny], [far, -far, tiny, -tiny]).tolist() == [True, False, True, False]
    distance, p, q = convex_distance([far, tiny, CUBE * 1e308], [-far, -tiny, CUBE * 1e308 + 0.5e308])
    assert distance[0] == math.inf and distance[1] == 1.5e-323 and distance[2] == 0
    assert (p[0] == far).all() and (q[0] == -far).all() and (p[2] == q[2]).all()


@pytest.mark.parametrize("P, Q", [
    (np.zeros((2, 3, 3)), np.zeros((3, 3, 3))), (np.zeros((2, 3)), np.zeros((2, 2))), (np.zeros(3), CUBE),
    (np.zeros((2, 0, 3)), CUBE), ([CUBE, np.zeros((0, 3))], CUBE), (CUBE * math.nan, CUBE), (CUBE, CUBE * math.inf),
    ([[1.0, 2.0, 3.0]], CUBE)])
def test_what_is_refused(P, Q):
    for query in (convex_intersect, convex_distance):
        with pytest.raises(ValueError, match="hull|^[PQ] must"):
            query(P, Q)


@pytest.mark.parametrize("warm", [np.zeros((1, 8)), np.zeros((2, 8), np.int32), [[0] * 8],
                                  np.zeros((1, 16), np.int32)[:, ::2]])
def test_warm_arrays_that_are_refused(warm):
    with pytest.raises(ValueError, match="warm"):
        convex_distance(CUBE, CUBE, warm=warm)
