# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact products, and double-double sums, beside fractions and beside the sums that need no condition."""
from fractions import Fraction

import numpy as np
from touchpoint.core.geometry.expansion import dd_add, dd_product, two_product, two_sum
from touchpoint.core.machine_code import fused
from touchpoint.core.machine_code.jit import COMPILED

PAIRS = 5_000 if COMPILED else 500


def numbers(rng, n):
    """Of few and of many digits, of all sizes that kernels take, zero now and then."""
    many = rng.uniform(1, 2, n)
    few = np.round(many * 2.0 ** rng.integers(0, 40, n)) / 2.0 ** 40
    sizes = np.where(rng.random(n) < 0.7, rng.integers(-60, 60, n), rng.integers(-250, 250, n))
    return (np.where(rng.random(n) < 0.5, many, few) * rng.choice([-1.0, 1.0], n) * 2.0 ** sizes
            * (rng.random(n) > 0.02))


def doubled(rng, n):
    """Numbers in double-double, (n,) each: the second no more than half of the last digit of the first."""
    a = numbers(rng, n)
    low = np.spacing(a) * rng.choice([0.0, 0.5, -0.5, 0.3, -2.0 ** -30, 2.0 ** -70], n) * (a != 0.0)
    return np.array([two_sum(*pair) for pair in zip(a.tolist(), low.tolist())]).T


def test_products_are_exact():
    rng = np.random.default_rng(1)
    for a, b in zip(numbers(rng, PAIRS).tolist(), numbers(rng, PAIRS).tolist()):
        p, e = two_product(a, b)
        assert p == a * b and Fraction(p) + Fraction(e) == Fraction(a) * Fraction(b)
        assert fused._lost_by_splitting(a, b, p) == e       # whatever the processor has


def test_sums_in_double_double_are_those_of_two_sums():
    """Where most or all of it cancels, too: what is left of the first numbers is then no larger than the second ones.
    """
    def added(a, a_low, b, b_low):
        s, e = two_sum(a, b)
        t, f = two_sum(a_low, b_low)
        s, e = two_sum(s, e + t)
        return two_sum(s, e + f)

    rng = np.random.default_rng(2)
    a, a_low = doubled(rng, PAIRS)
    b, b_low = doubled(rng, PAIRS)
    near = rng.random(PAIRS) < 0.7
    b = np.where(near, -a + np.spacing(a) * rng.integers(-3, 4, PAIRS), b)
    b = np.where(rng.random(PAIRS) < 0.1, b * rng.choice([0.5, 2.0, 0.5000001], PAIRS), b)
    b, b_low = np.array([two_sum(*pair) for pair in zip(b.tolist(), np.where(
        near, np.spacing(b) * rng.choice([0.0, 0.5, -0.5, 0.1, -2.0 ** -40], PAIRS) * (b != 0.0), b_low).tolist())]).T
    for four in zip(a.tolist(), a_low.tolist(), b.tolist(), b_low.tolist()):
        total = dd_add(*four)
        assert total == added(*four)
        assert abs(sum(map(Fraction, total)) - sum(map(Fraction, four))) <= (
            abs(Fraction(four[0])) + abs(Fraction(four[2]))) / 2 ** 104


def test_products_in_double_double_are_those_of_two_sums():
    rng = np.random.default_rng(3)
    for (a, a_low), (b, b_low) in zip(doubled(rng, PAIRS).T.tolist(), doubled(rng, PAIRS).T.tolist()):
        p, e = two_product(a, b)
        assert dd_product(a, a_low, b, b_low) == two_sum(p, e + (a * b_low + a_low * b))
