# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of times of impact one by one, and their error bounds, against rational arithmetic."""
from fractions import Fraction as F

import numpy as np
import pytest
from naive.moving_points import EDGE_EDGE, KINDS, VERTEX_FACE
from naive.rational_continuous import first_contact
from touchpoint.core.continuous import cubic, separation, toi
from touchpoint.core.continuous.exact import EDGE_EDGE as EE
from touchpoint.core.continuous.exact import VERTEX_FACE as VF
from touchpoint.core.geometry.undecided import UNDECIDED

NUMBER = {VERTEX_FACE: VF, EDGE_EDGE: EE}
FACE = {VERTEX_FACE: 1.0, EDGE_EDGE: 0.0}


def matrix(X0, X1, kind):
    """M as the kernels take it, and its exact counterpart."""
    rows = toi.POINT_ROWS[NUMBER[kind]].vectors
    rounded = np.array([X[a] - X[b] for X in (X0, X1) for a, b in rows])
    exact = [[F(x) - F(y) for x, y in zip(X[a].tolist(), X[b].tolist())] for X in (X0, X1) for a, b in rows]
    return rounded, exact


def sizes(M):
    return [float(np.abs(M[[i, i + 3]]).max()) for i in range(3)]


def motions(rng, n):
    """Ordinary ones; far from the origin; nearly flat ones, whose coefficients are mostly rounding."""
    X = rng.normal(size=(2, n, 4, 3))
    X[:, ::3] += 1e4
    X[:, 1::3, :, 2] *= 1e-15
    flat = X[:, 1::3]
    X[:, 1::3, :, 2] += 0.3 * flat[..., 0] + 0.7 * flat[..., 1]
    return X


def triple(a, b, c):
    return sum(x * y for x, y in zip(cross(a, b), c))


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def exact_coefficients(m):
    (e0, f0, w0), (e1, f1, w1) = m[:3], m[3:]
    return [triple(e0, f0, w0),
            (triple(e1, f0, w0) + triple(e0, f1, w0) + triple(e0, f0, w1)) / 3,
            (triple(e0, f1, w1) + triple(e1, f0, w1) + triple(e1, f1, w0)) / 3, triple(e1, f1, w1)]


@pytest.mark.parametrize("kind", KINDS)
def test_coefficients_are_within_their_bound(kind):
    worst = 0.0
    for X0, X1 in zip(*motions(np.random.default_rng(1), 150)):
        M, exact = matrix(X0, X1, kind)
        found = cubic.coplanarity(*map(tuple, M.tolist()))
        error = max(abs(F(b) - c) for b, c in zip(found, exact_coefficients(exact)))
        worst = max(worst, float(error) / float(np.prod(sizes(M))) / cubic.UNIT)
    assert 0.5 < worst < 72 < cubic.CUBIC_BOUND / cubic.UNIT


def test_split_is_within_its_bound():
    rng = np.random.default_rng(2)
    for b, x in zip(rng.normal(size=(300, 4)), rng.random(300)):
        rows = [list(map(F, b.tolist()))]
        while len(rows[-1]) > 1:
            rows.append([(1 - F(x)) * p + F(x) * q for p, q in zip(rows[-1], rows[-1][1:])])
        expected = [rows[1][0], rows[2][0], rows[3][0], rows[2][1], rows[1][2]]
        error = max(abs(F(got) - value) for got, value in zip(cubic.split(*b.tolist(), float(x)), expected))
        assert error <= 9 * cubic.UNIT * np.abs(b).max()


def test_root_of_a_cubic_that_changes_sign():
    rng = np.random.default_rng(3)
    for b in rng.normal(size=(2000, 4)).tolist():
        if b[0] * b[3] < 0:
            bound = 1e-14
            x, reach = cubic.around_root(*b, bound)
            values = [cubic.split(*b, min(1.0, max(0.0, x + side * reach)))[2] for side in (-1, 0, 1)]
            assert abs(values[1]) < 1e-12
            if reach < 1e-9:
                assert values[0] * b[0] > 0 and values[2] * b[3] > 0 and min(map(abs, (values[0], values[2]))) > bound


def at(m, t):
    """e, f and w at a time, exact."""
    return [[a + F(t) * (b - a) for a, b in zip(m[i], m[i + 3])] for i in range(3)]


def points_at(X0, X1, t):
    return [[F(a) + F(t) * (F(b) - F(a)) for a, b in zip(p, q)] for p, q in zip(X0.tolist(), X1.tolist())]


@pytest.mark.parametrize("kind", KINDS)
def test_probe_is_right_for_the_whole_stretch(kind):
    """APART: no contact at all from low to high. INSIDE: the weights are positive along some normal, all the while."""
    rng = np.random.default_rng(4)
    seen = set()
    for X0, X1 in zip(*motions(rng, 900)):
        low = rng.random()
        high = min(1.0, low + 10.0 ** rng.uniform(-12, 0))
        M, exact = matrix(X0, X1, kind)
        verdict = separation.probe(M, FACE[kind], low, high, *sizes(M))
        seen.add(verdict)
        if verdict == separation.APART:
            assert first_contact(kind, points_at(X0, X1, low), points_at(X0, X1, high)) is None
        if verdict == separation.INSIDE:
            e, f, _ = at(exact, 0.5 * (low + high))
            normal = cross(e, f)
            for t in (low, 0.5 * (low + high), high):
                e, f, w = at(exact, t)
                n, x, y = (triple(normal, *pair) for pair in ((e, f), (w, f), (e, w)))
                assert min(x, y, n - x - y if kind == VERTEX_FACE else min(n - x, n - y)) > 0
    assert seen == {separation.APART, separation.INSIDE, UNDECIDED}


@pytest.mark.parametrize("kind", KINDS)
def test_apart_along_an_axis(kind):
    rng = np.random.default_rng(5)
    X0, X1 = rng.integers(0, 4, (2, 3000, 4, 3)).astype(float)
    sides = ((0,), (1, 2, 3)) if kind == VERTEX_FACE else ((0, 1), (2, 3))
    count = 0
    for i in range(len(X0)):
        expected = any(all(sign * (X[i, p, x] - X[i, q, x]) > 0 for X in (X0, X1) for p in sides[0] for q in sides[1])
                       for x in range(3) for sign in (1, -1))
        assert separation.apart_along_axis(X0[i], X1[i], toi.POINT_ROWS[NUMBER[kind]].sides) == expected
        count += expected
    assert count > 20
