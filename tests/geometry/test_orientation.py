# SPDX-License-Identifier: GPL-3.0-or-later
"""Signs of determinants beside fractions: of numbers of few digits, which are told by exact products, of numbers that
differ by too much for that, and of points that lie exactly in a plane."""
from fractions import Fraction

import numpy as np
import pytest
from touchpoint.core.geometry.orientation import EXPANSION_SIZE, _sign_of_products, orientation2, orientation3


def sign(number):
    return int(number > 0) - int(number < 0)


def volume(P):
    a, b, c = ([Fraction(x) - Fraction(y) for x, y in zip(P[i], P[3])] for i in range(3))
    return sum(a[x] * (b[(x + 1) % 3] * c[(x + 2) % 3] - b[(x + 2) % 3] * c[(x + 1) % 3]) for x in range(3))


def area(P, x, y):
    (ax, ay), (bx, by) = ([Fraction(P[i][k]) - Fraction(P[2][k]) for k in (x, y)] for i in range(2))
    return ax * by - ay * bx


def points(rng, digits):
    """(4,3): the last point in the plane of the others, or one unit off, in numbers of so many binary digits."""
    P = rng.integers(-2 ** digits, 2 ** digits + 1, (4, 3)).astype(float)
    P[3] = P[0] + rng.integers(-1, 3) * (P[1] - P[0]) + rng.integers(-1, 3) * (P[2] - P[0])
    if rng.random() < 0.3:
        P[3, rng.integers(3)] += rng.choice([-1.0, 1.0])
    return P


@pytest.mark.parametrize("digits", [2, 11, 23, 30, 50])
def test_signs_are_exact(digits):
    rng, expansion, zeros = np.random.default_rng(digits), np.empty(EXPANSION_SIZE), 0
    for turn in range(300):
        P = points(rng, digits) * 2.0 ** rng.integers(-60, 60)
        if turn % 3 == 1:
            P = P @ np.linalg.qr(rng.normal(size=(3, 3)))[0]        # coordinates of all digits
        if turn % 3 == 2:
            P += rng.normal()                                       # differences that are not exact
        exact = sign(volume(P.tolist()))
        zeros += exact == 0
        assert sign(orientation3(P, 0, 1, 2, 3, 0, expansion)) == exact
        assert sign(orientation3(P, 0, 1, 2, 3, 1, expansion)) == exact
        flat = P.copy()
        flat[2] = P[0] + rng.integers(-3, 4) * (P[1] - P[0])
        for x, y in ((0, 1), (1, 2), (2, 0)):
            exact = sign(area(flat.tolist(), x, y))
            assert sign(orientation2(flat, 0, 1, 2, x, y, 0, expansion)) == exact
            assert sign(orientation2(flat, 0, 1, 2, x, y, 1, expansion)) == exact
    assert zeros > 50


def test_signs_of_sums_of_products():
    """Of three factors times exact minors, whole numbers of all sizes that all but cancel, and zeros."""
    rng, expansion, signs = np.random.default_rng(3), np.empty(EXPANSION_SIZE), set()
    for _ in range(3000):
        factors, minors = rng.integers(-2, 3, (2, 3)) * 2.0 ** (rng.choice((0, 20, 55), 3) * [[0], [1]])
        more = 1.0 + 2.0 ** -50 * rng.integers(0, 2)        # digits, of products that one number does not hold
        factors, minors = factors * more, minors * more
        minors[2] = rng.choice((minors[2], -minors[0], minors[0] + minors[1]))
        lows = rng.integers(0, 2) * rng.integers(0, 2, 3) * np.spacing(minors) * rng.choice((-0.25, 0.25), 3)
        value = sum(Fraction(x) * (Fraction(y) + Fraction(z)) for x, y, z in zip(factors, minors, lows))
        permanent = float(np.abs(factors) @ (np.abs(minors) + np.abs(lows)))
        found = _sign_of_products(tuple(factors), tuple(minors), tuple(lows), permanent, expansion)
        signs.add(np.sign(found))
        assert np.sign(found) == sign(value)
    assert signs == {-1.0, 0.0, 1.0}
    tiny = 2.0 ** -52       # a square of which one number does not hold the last digit
    assert _sign_of_products((1.0 + tiny, 1.0, 0.0), (1.0 + tiny, -1.0 - 2 * tiny, 0.0), (0.0,) * 3, 2.0, expansion) > 0
