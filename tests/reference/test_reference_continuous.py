# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact first time of contact: cases worked out by hand, and the hulls of the corners at many moments."""
from fractions import Fraction as F
from itertools import permutations

import numpy as np
import pytest
from naive.basic_solutions import in_hull
from naive.rational_continuous import first_contact
from naive.rational_polynomial import Polynomial, common_divisor, roots_from_0_to_1, simplest_between

FACE = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
POINT, LINE = [(1, 1, 0)] * 3, [(0, 0, 0), (4, 0, 0), (1, 0, 0)]
EDGE = [(0, 0, 0), (4, 0, 0)]

VERTEX_FACE = {
    # name: (vertex at 0, vertex at 1, face at 0, face at 1, first time or None)
    "falls through": ((1, 1, 1), (1, 1, -2), FACE, FACE, F(1, 3)),
    "falls onto a corner": ((4, 0, 1), (4, 0, -6), FACE, FACE, F(1, 7)),
    "falls onto the border": ((2, 2, 5), (2, 2, -1), FACE, FACE, F(5, 6)),
    "falls past the border": ((2, F(2001, 1000), 5), (2, F(2001, 1000), -1), FACE, FACE, None),
    "lands at the end": ((1, 1, 1), (1, 1, 0), FACE, FACE, F(1)),
    "stops above": ((1, 1, 1), (1, 1, F(1, 10 ** 30)), FACE, FACE, None),
    "starts on it": ((1, 1, 0), (1, 1, -2), FACE, FACE, F(0)),
    "rests on it": ((1, 1, 0), (1, 1, 0), FACE, FACE, F(0)),
    "rests above": ((1, 1, 1), (1, 1, 1), FACE, FACE, None),
    "flies beside it": ((1, 1, 1), (9, 9, 1), FACE, FACE, None),
    "slides into it in its plane": ((-1, 1, 0), (3, 1, 0), FACE, FACE, F(1, 4)),
    "slides into its corner in its plane": ((-1, 1, 0), (1, -1, 0), FACE, FACE, F(1, 2)),
    "slides past it in its plane": ((5, 0, 0), (5, 9, 0), FACE, FACE, None),
    "slides along the line of a side": ((9, 0, 0), (1, 0, 0), FACE, FACE, F(5, 8)),
    "face comes to it": ((1, 1, 0), (1, 1, 0), [(0, 0, -1), (4, 0, -1), (0, 4, -1)],
                         [(0, 0, 3), (4, 0, 3), (0, 4, 3)], F(1, 4)),
    "face falls with it": ((1, 1, 1), (1, 1, -9), FACE, [(0, 0, -10), (4, 0, -10), (0, 4, -10)], None),
    "face grows over it in their plane": ((3, 3, 0), (3, 3, 0), FACE, [(0, 0, 0), (8, 0, 0), (0, 8, 0)], F(1, 2)),
    "face is born at a point": ((0, 0, 0), (1, 1, 0), [(1, 1, 0)] * 3, FACE, F(1, 2)),
    "face shrinks to the place where it goes": ((9, 9, 9), (1, 1, 0), FACE, [(1, 1, 0)] * 3, F(1)),
    "face is flat for a moment only": ((2, 0, 0), (2, 0, 0), [(0, 0, 0), (4, 0, 0), (0, 4, 4)],
                                       [(0, 0, 0), (4, 0, 0), (0, -4, -4)], F(0)),
    "face is a line at the moment": ((2, 2, 0), (2, -2, 0), [(0, 0, 0), (4, 0, 0), (0, 0, 4)],
                                     [(0, 0, 0), (4, 0, 0), (0, 0, -4)], F(1, 2)),
    "face is a line, vertex on it beside at the moment": ((5, 2, 0), (5, -2, 0), [(0, 0, 0), (4, 0, 0), (0, 0, 4)],
                                                          [(0, 0, 0), (4, 0, 0), (0, 0, -4)], None),
    "point meets point": ((0, 0, 0), (4, 4, 0), POINT, POINT, F(1, 4)),
    "point passes point": ((0, 0, F(1, 10 ** 9)), (4, 4, 0), POINT, POINT, None),
    "point meets segment": ((2, 2, 0), (2, -1, 0), LINE, LINE, F(2, 3)),
    "point passes the end of a segment": ((5, 2, 0), (5, -1, 0), LINE, LINE, None),
    "point goes along a segment": ((8, 0, 0), (-8, 0, 0), LINE, LINE, F(1, 4)),
    "two roots, the first outside": ((6, 1, -1), (2, 1, -1), [(0, 0, 4), (4, 0, 0), (0, 4, 0)],
                                     [(0, 0, -4), (4, 0, 0), (0, 4, 0)], F(1)),
}

EDGE_EDGE = {
    # name: (edges at 0, edges at 1, first time or None)
    "one falls across": ([*EDGE, (1, -1, 1), (1, 1, 1)], [*EDGE, (1, -1, -2), (1, 1, -2)], F(1, 3)),
    "falls beside": ([*EDGE, (5, -1, 1), (5, 1, 1)], [*EDGE, (5, -1, -2), (5, 1, -2)], None),
    "falls onto the end": ([*EDGE, (4, -1, 1), (4, 1, 1)], [*EDGE, (4, -1, -2), (4, 1, -2)], F(1, 3)),
    "ends meet": ([*EDGE, (4, 0, 1), (4, 5, 1)], [*EDGE, (4, 0, -2), (4, 5, -2)], F(1, 3)),
    "parallel, one falls on the other": ([*EDGE, (1, 0, 1), (2, 0, 1)], [*EDGE, (1, 0, -3), (2, 0, -3)], F(1, 4)),
    "parallel, side by side": ([*EDGE, (5, 0, 1), (6, 0, 1)], [*EDGE, (5, 0, -3), (6, 0, -3)], None),
    "in one line, moved together": ([*EDGE, (8, 0, 0), (9, 0, 0)], [*EDGE, (0, 0, 0), (1, 0, 0)], F(1, 2)),
    "in one line, still apart": ([*EDGE, (8, 0, 0), (9, 0, 0)], [*EDGE, (5, 0, 0), (6, 0, 0)], None),
    "in a plane throughout": ([*EDGE, (1, 2, 0), (2, 8, 0)], [*EDGE, (1, -2, 0), (2, 8, 0)], F(1, 2)),
    "in a plane, turned past the end": ([*EDGE, (5, 1, 0), (5, 9, 0)], [*EDGE, (5, -1, 0), (5, 9, 0)], None),
    "at rest across": ([*EDGE, (1, -1, 0), (1, 1, 0)], [*EDGE, (1, -1, 0), (1, 1, 0)], F(0)),
    "at rest apart": ([*EDGE, (1, -1, 1), (1, 1, 1)], [*EDGE, (1, -1, 1), (1, 1, 1)], None),
    "a point falls on an edge": ([*EDGE, (1, 0, 1), (1, 0, 1)], [*EDGE, (1, 0, -1), (1, 0, -1)], F(1, 2)),
    "a point falls beside an edge": ([*EDGE, (1, 1, 1), (1, 1, 1)], [*EDGE, (1, 1, -1), (1, 1, -1)], None),
    "two points meet": ([(0, 0, 0)] * 2 + [(3, 3, 3)] * 2, [(3, 3, 3)] * 2 + [(0, 0, 0)] * 2, F(1, 2)),
    "two points pass": ([(0, 0, 0)] * 2 + [(3, 3, 3)] * 2, [(3, 3, 3)] * 2 + [(0, 0, 1)] * 2, None),
    "an edge shrinks away": ([*EDGE, (1, -1, 0), (1, -9, 0)], [*EDGE, (1, -2, 0), (1, -2, 0)], None),
    "turned over each other": ([*EDGE, (0, 0, 1), (4, 0, 1)], [*EDGE, (0, 4, -1), (4, -4, -1)], F(1, 2)),
}


def by_hand():
    for name, (p0, p1, face_0, face_1, time) in VERTEX_FACE.items():
        yield pytest.param("vertex_face", [p0, *face_0], [p1, *face_1], time, id=f"vertex-face {name}")
    for name, (start, end, time) in EDGE_EDGE.items():
        yield pytest.param("edge_edge", start, end, time, id=f"edge-edge {name}")


def arrangements(kind, X0, X1):
    """The same query with corners and edges in every order."""
    orders = [(0, *order) for order in permutations((1, 2, 3))] if kind == "vertex_face" else [
        (*a, *b) for pair in (((0, 1), (2, 3)), ((2, 3), (0, 1))) for a in permutations(pair[0])
        for b in permutations(pair[1])]
    for order in orders:
        yield [X0[i] for i in order], [X1[i] for i in order]


def turned(X):
    """Axes exchanged and mirrored, doubled, moved: without rounding."""
    return [(-2 * z + 3, 2 * x - 5, 2 * y + 1) for x, y, z in X]


def exact(X):
    return [tuple(map(F, corner)) for corner in X]


@pytest.mark.parametrize("kind, X0, X1, time", list(by_hand()))
def test_cases_worked_out_by_hand(kind, X0, X1, time):
    X0, X1 = exact(X0), exact(X1)
    expected = time if time is None else (time, time)
    for start, end in arrangements(kind, X0, X1):
        assert first_contact(kind, start, end) == expected
        assert first_contact(kind, turned(start), turned(end)) == expected


def meet_at(kind, X0, X1, t) -> bool:
    """A second opinion at one moment: do the hulls share a point?"""
    X = [tuple(a + t * (b - a) for a, b in zip(p, q)) for p, q in zip(X0, X1)]
    if kind == "vertex_face":
        return in_hull(X[1:], X[0])
    return in_hull([tuple(a - b for a, b in zip(X[i], X[j])) for i in (0, 1) for j in (2, 3)], (0, 0, 0))


def lattice(rng, kind, flat):
    """Whole corners 0 … 2: all degenerate cases at once; flat: all in one plane throughout."""
    X0, X1 = rng.integers(0, 3, (2, 4, 3))
    if rng.random() < 0.3:
        X1[rng.random(4) < 0.5] = X0[0] - X1[0]
    if rng.random() < 0.2:
        X0[3], X1[3] = X0[2], X1[2]
    if flat:
        X0[:, 2], X1[:, 2] = X0[:, 0] - X0[:, 1], X1[:, 0] - X1[:, 1]
    return exact(X0.tolist()), exact(X1.tolist())


@pytest.mark.parametrize("flat", [False, True], ids=["in space", "in a plane"])
@pytest.mark.parametrize("kind", ["vertex_face", "edge_edge"])
def test_hulls_at_many_moments_agree(kind, flat):
    rng = np.random.default_rng([7, flat, len(kind)])
    found = {"never": 0, "at once": 0, "later": 0, "irrational": 0}
    for _ in range(150):
        X0, X1 = lattice(rng, kind, flat)
        first = first_contact(kind, X0, X1)
        moments = {F(k, 12) for k in range(13)}
        if first is None:
            found["never"] += 1
            assert not any(meet_at(kind, X0, X1, t) for t in moments), (X0, X1)
            continue
        low, high = first
        found["irrational" if low < high else "at once" if low == 0 else "later"] += 1
        assert 0 <= low <= high <= 1 and high - low <= F(1, 2 ** 80)
        assert low < high or meet_at(kind, X0, X1, low), (X0, X1)
        earlier = {t for t in moments | {low - F(1, 2 ** 30), low * F(9, 10)} if 0 <= t < low}
        assert not any(meet_at(kind, X0, X1, t) for t in earlier), (X0, X1)
    assert min(found[name] for name in ("never", "at once", "later")) > 5


@pytest.mark.parametrize("kind", ["vertex_face", "edge_edge"])
def test_time_without_end_digits_lies_in_the_interval(kind):
    """Corners that turn into each other: the time is a root of a quadratic, (3 - sqrt 5) / 2 of the way."""
    golden = (3 - 5 ** 0.5) / 2
    if kind == "vertex_face":       # height t over a face that tilts: z = x t at x = 1 - t against 1 - 2 t
        X0, X1 = [(1, 0, 1), (0, -1, 0), (0, 1, 0), (4, 0, 0)], [(0, 0, -1), (0, -1, 0), (0, 1, 0), (4, 0, 4)]
    else:
        X0, X1 = [(1, 0, 1), (1, 0, 9), (0, 0, 0), (4, 0, 0)], [(0, 0, -1), (0, 0, 7), (0, 0, 0), (4, 0, 4)]
    low, high = first_contact(kind, exact(X0), exact(X1))
    assert low < high and abs(float(low) - golden) < 1e-15
    assert low * low - 3 * low + 1 > 0 > high * high - 3 * high + 1


@pytest.mark.parametrize("kind", ["vertex_face", "edge_edge"])
def test_size_and_place_do_not_matter(kind):
    rng = np.random.default_rng(9)
    hits = 0
    for _ in range(60):
        X0, X1 = rng.integers(-9, 10, (2, 4, 3)).astype(float)
        expected = first_contact(kind, X0.tolist(), X1.tolist())
        hits += expected is not None
        for scale, shift in ((2.0 ** -1060, 0.0), (2.0 ** 1000, 0.0), (1.0, 2.0 ** 45), (2.0 ** -20, -2.0 ** 20)):
            assert first_contact(kind, (X0 * scale + shift).tolist(), (X1 * scale + shift).tolist()) == expected
    assert hits > 3


def test_a_contact_just_after_a_moment_in_one_plane_is_later_than_it():
    """At t = 0 the corners are in a plane without contact; the contact comes before the interval ends at 2**-80."""
    tiny = F(1, 10 ** 40)
    edge = [(1, 0, -tiny), (-1, 0, -tiny)]
    X0, X1 = [(0, 0, 0), *edge, (0, 0, -1)], [(0, 0, -1), *edge, (0, 1, -1)]
    low, high = first_contact("vertex_face", exact(X0), exact(X1))
    assert low <= tiny < high


def test_roots_of_polynomials():
    x = Polynomial((0, 1))

    def root(n, d):
        return Polynomial((-n, d))

    p = root(1, 3) * root(1, 3) * root(2, 3) * root(1, 1) * root(3, 2) * x
    roots = roots_from_0_to_1(p)
    for found in roots:
        found.refine(40)
    assert [(r.low, r.high) for r in roots] == [(t, t) for t in (F(0), F(1, 3), F(2, 3), F(1))]
    close = root(10 ** 20, 3 * 10 ** 20) * root(10 ** 20 + 1, 3 * 10 ** 20) * Polynomial((1, 0, 1))
    assert len(roots_from_0_to_1(close)) == 2
    closer = root(1, 3 ** 700) * root(2, 3 ** 700)
    for found, n in zip(roots_from_0_to_1(closer), (1, 2)):
        found.refine(2500)
        assert found.low == F(n, 3 ** 700)
    half = Polynomial((-1, 0, 2))                           # sqrt(1/2)
    (r,) = roots_from_0_to_1(half * Polynomial((5, 1)))
    assert r.sign_of(half * root(1, 3)) == 0 and r.sign_of(root(7, 10)) == 1 and r.sign_of(root(71, 100)) == -1
    assert r.sign_of(Polynomial(())) == 0 and roots_from_0_to_1(Polynomial((3,))) == []
    assert common_divisor(half * root(1, 3), half * root(1, 5)).coefficients in ((-1, 0, 2), (1, 0, -2))
    assert simplest_between(F(311, 1000), F(334, 1000)) == F(1, 3) and simplest_between(F(0), F(1, 9)) == 0
