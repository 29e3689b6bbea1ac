# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of impact: cases known by design in every order of the points, and anything else against rational arithmetic.

TOUCHPOINT_LONG=1 makes it about a million queries instead of some ten thousand.
"""
import math
import os

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from line_count import lines_run
from naive.moving_points import CASES, EDGE_EDGE, KINDS, NEVER, SCALES, VERTEX_FACE, arrangements, draw
from naive.rational_continuous import first_contact
from touchpoint.core.continuous import exact, toi
from touchpoint.core.queries import edge_edge_toi, vertex_face_toi

LONG = bool(os.environ.get("TOUCHPOINT_LONG"))
QUERIES = 1000 if LONG else 12
EARLY = 1e-9
QUERY = {VERTEX_FACE: vertex_face_toi, EDGE_EDGE: edge_edge_toi}
NUMBER = {VERTEX_FACE: exact.VERTEX_FACE, EDGE_EDGE: exact.EDGE_EDGE}
each_kind = pytest.mark.parametrize("kind", KINDS)


def problem(kind, start, end, hit, time):
    """What is wrong with an answer according to rational arithmetic, or None."""
    expected = first_contact(kind, start.tolist(), end.tolist())
    if hit != (expected is not None) or hit != (time < NEVER):
        return f"hit {hit} at {time}, expected {expected}"
    if hit and not (time <= expected[1] and float(expected[0]) - time < EARLY):
        return f"{time}, expected {float(expected[0])}"
    return None


def assert_right(kind, X0, X1):
    hit, times = QUERY[kind](X0, X1)
    for row in range(len(X0)):
        wrong = problem(kind, X0[row], X1[row], hit[row], times[row])
        assert not wrong, f"{wrong} for {X0[row].tolist()} {X1[row].tolist()}"


@each_kind
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", CASES)
def test_cases_known_by_design(name, kind, scale):
    X0, X1, expected = draw(name, kind, QUERIES, seed=1, exponent=SCALES[scale])
    for order in arrangements(kind):
        hit, times = QUERY[kind](X0[:, order], X1[:, order])
        assert np.array_equal(hit, expected != NEVER), f"{order}: {times} instead of {expected}"
        known = np.isfinite(expected)
        assert (times[known] <= expected[known]).all(), f"late: {times} instead of {expected}"
        assert (expected[known] - times[known] < EARLY).all(), f"early: {times} instead of {expected}"


@each_kind
@pytest.mark.parametrize("name", CASES)
def test_the_same_after_rounding(name, kind):
    """Turned by an angle that no float64 can hold, every case is a near miss, a near hit or something in between."""
    X0, X1, _ = draw(name, kind, QUERIES, seed=2, exponent=-28)
    c, s = math.cos(0.7), math.sin(0.7)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    assert_right(kind, X0 @ turn, X1 @ turn)
    assert_right(kind, *(X.astype(np.float32).astype(float) for X in (X0, X1)))


def slow(rng, n):
    X0, X1 = rng.normal(size=(2, n, 4, 3))
    return X0, X0 + 1e-3 * X1


def fast(rng, n):
    """One point, or one edge, comes from far away and goes there."""
    X0, X1 = rng.normal(size=(2, n, 4, 3))
    way = 1e6 * rng.normal(size=(n, 1, 3))
    X0[:, :1] -= way
    X1[:, :1] += way
    return X0, X1


def sizes(rng, n):
    return tuple(rng.normal(size=(2, n, 4, 3)) * 10.0 ** rng.integers(-6, 7, (n, 1, 1)))


def huge_range(rng, n):
    return tuple(rng.normal(size=(2, n, 4, 3)) * 10.0 ** rng.integers(-60, 60, (2, n, 4, 3)))


RANDOM = {
    "random": lambda rng, n: rng.normal(size=(2, n, 4, 3)), "slow": slow, "fast": fast, "sizes": sizes,
    "far": lambda rng, n: rng.normal(size=(2, n, 4, 3)) + 1e5,
    "float32": lambda rng, n: rng.normal(size=(2, n, 4, 3)).astype(np.float32).astype(float),
    "lattice": lambda rng, n: rng.integers(-2, 3, (2, n, 4, 3)).astype(float),
    "small lattice": lambda rng, n: rng.integers(0, 2, (2, n, 4, 3)).astype(float),
    "planar": lambda rng, n: rng.normal(size=(2, n, 4, 3)) * [1.0, 1.0, 0.0],
    "planar lattice": lambda rng, n: rng.integers(-3, 4, (2, n, 4, 3)) * [1.0, 1.0, 0.0],
    "on a line": lambda rng, n: rng.integers(-3, 4, (2, n, 4, 1)) * [1.0, 1.0, 3.0],
    "at rest": lambda rng, n: np.repeat(rng.integers(-2, 3, (1, n, 4, 3)), 2, 0).astype(float),
    "huge range": huge_range,
}


@each_kind
@pytest.mark.parametrize("name", RANDOM)
def test_random_motions(name, kind):
    X0, X1 = RANDOM[name](np.random.default_rng(3), 10_000 if LONG else 30)
    assert_right(kind, X0, X1)
    hit, _ = QUERY[kind](X0, X1)
    for order in arrangements(kind):
        assert np.array_equal(QUERY[kind](X0[:, order], X1[:, order])[0], hit)


COORDINATE = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e300, 1e300), st.sampled_from(
    [0.0, -0.0, 1.0, 1 + 2 ** -52, 1 - 2 ** -53, 0.1, 1 / 3, 5e-324, 1e-308, 1e-160, 1e160, 1.7e308, -1.7e308]))
POINTS = st.lists(st.tuples(COORDINATE, COORDINATE, COORDINATE), min_size=4, max_size=4)


@each_kind
@settings(max_examples=3000 if LONG else 25)
@given(start=POINTS, end=POINTS)
@example(start=[(0.0, 0.0, 0.0)] * 4, end=[(0.0, -0.0, 5e-324)] * 4)
def test_any_finite_motion(kind, start, end):
    assert_right(kind, np.array([start]), np.array([end]))


@each_kind
def test_no_query_takes_long(kind):
    """Numbers of 600 binary orders of magnitude, hits without an end of digits: no search goes on and on."""
    most = 0
    for name in RANDOM:
        X0, X1 = RANDOM[name](np.random.default_rng(4), 20)
        for row in range(len(X0)):
            most = max(most, lines_run(exact.first_contact, X0[row].tolist(), X1[row].tolist(), NUMBER[kind]))
    print(most)
    assert 100 < most < 20_000


@each_kind
def test_exact_arithmetic_is_rarely_needed(kind):
    """Ordinary queries are decided by floats, and what was decided exactly is told."""
    X0, X1 = RANDOM["random"](np.random.default_rng(5), 20_000 if LONG else 2000)
    times, exactly = toi.times_of_impact(X0, X1, NUMBER[kind])
    assert exactly.mean() < 2e-3 and (times < NEVER).mean() > 0.05
    planar = RANDOM["planar lattice"](np.random.default_rng(5), 20)
    assert toi.times_of_impact(*planar, NUMBER[kind])[1].any()


@each_kind
def test_answers_do_not_depend_on_the_batch_or_on_threads(kind, monkeypatch):
    monkeypatch.setattr(toi, "QUERIES_PER_CHUNK", 100)
    X0, X1 = np.concatenate([RANDOM[name](np.random.default_rng(6), 40) for name in RANDOM], 1)
    one, exactly = toi.times_of_impact(X0, X1, NUMBER[kind], threads=1)
    for threads in (2, 3):
        again = toi.times_of_impact(X0, X1, NUMBER[kind], threads=threads)
        assert np.array_equal(again[0], one) and np.array_equal(again[1], exactly)
    order = np.random.default_rng(6).permutation(len(X0))
    assert np.array_equal(QUERY[kind](X0[order], X1[order])[1], one[order])
    alone = [QUERY[kind](X0[row:row + 1], X1[row:row + 1])[1][0] for row in range(0, len(X0), 10)]
    assert np.array_equal(alone, one[::10])


@each_kind
def test_shapes_and_dtypes(kind):
    query = QUERY[kind]
    hit, times = query(np.zeros((0, 4, 3)), np.zeros((0, 4, 3)))
    assert hit.shape == times.shape == (0,) and hit.dtype == bool and times.dtype == np.float64
    X0, X1, _ = draw("inside", kind, 5, seed=7)
    expected = query(X0, X1)
    for start, end in ((np.asfortranarray(X0), X1[::-1][::-1]), (X0.tolist(), X1.astype(int))):
        assert all(map(np.array_equal, query(start, end), expected))
    for start, end in ((X0, X1[:4]), (X0[0], X1[0]), (X0[:, :3], X1[:, :3])):
        with pytest.raises(ValueError, match="X0 and X1 must have the shape"):
            query(start, end)


@each_kind
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_any_number_that_is_not_finite_is_refused(kind, value):
    for name in ("random", "lattice", "far"):
        X = np.array(RANDOM[name](np.random.default_rng(8), 1))
        for place in np.ndindex(X.shape):
            spoilt = X.copy()
            spoilt[place] = value
            with pytest.raises(ValueError, match="finite"):
                QUERY[kind](*spoilt)
