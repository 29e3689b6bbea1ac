# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving vertices, faces and edges whose first contact is known by design, with no rounding anywhere.

Each case is made of whole-number vectors e(t), f(t), w(t), linear in time: contact is where w = x·e + y·f with (x, y)
in the triangle x, y, 1−x−y ≥ 0 (vertex and face) or in the square 0 ≤ x, y ≤ 1 (two edges). A whole-number matrix of
determinant one, a common motion of all four points, an offset and a power of two as scale change no answer.
"""
import numpy as np

VERTEX_FACE, EDGE_EDGE = "vertex_face", "edge_edge"
KINDS = (VERTEX_FACE, EDGE_EDGE)
N = 1 << 28                 # the size of the features in lattice steps
NEVER = np.inf
SCALES = {"one": 0, "millionth": -20, "million": 20}


def arrangements(kind):
    """Orders of the four points that change no answer."""
    if kind == VERTEX_FACE:
        return [(0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 3, 2), (0, 3, 2, 1), (0, 2, 1, 3)]
    return [(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2), (1, 0, 3, 2),
            (2, 3, 0, 1), (3, 2, 0, 1), (2, 3, 1, 0), (3, 2, 1, 0)]


def draw(name, kind, n, seed, exponent=0):
    """X0, X1 (n,4,3) float64 and the exact time of first contact (n,): inf for never, NaN for a hit of unknown time."""
    rng = np.random.default_rng([seed, sorted(CASES).index(name), KINDS.index(kind)])
    case = [CASES[name](rng, kind) for _ in range(n)]
    vectors = np.array([[start, end] for start, end, _ in case], np.int64)      # (n, 2, 3 vectors, 3)
    return (*placed(rng, kind, vectors, exponent), np.array([time for *_, time in case], float))


def placed(rng, kind, vectors, exponent):
    """The four points at both times, from e, f and w: turned into a general position, moved and scaled, exactly."""
    n = len(vectors)
    vectors = np.einsum("ntvi,nij->ntvj", vectors, unimodular(rng, n))
    size = np.abs(vectors).max() + 1
    origin = rng.integers(-size, size + 1, (n, 2, 3)) * rng.integers(0, 2, (n, 1, 1))
    origin += rng.integers(-(1 << 48), 1 << 48, (n, 1, 3)) * (rng.random((n, 1, 1)) < 0.3)
    e, f, w = (vectors[:, :, i] for i in range(3))
    points = [w, 0 * e, e, f] if kind == VERTEX_FACE else [0 * e, e, w, w - f]
    X = np.stack([origin + point for point in points], 2)
    assert np.abs(X).max() < 1 << 53
    X = np.ldexp(X.astype(float), exponent)
    return np.ascontiguousarray(X[:, 0]), np.ascontiguousarray(X[:, 1])


def unimodular(rng, n):
    """(n,3,3) whole-number matrices of determinant ±1: an exchange of axes and three shears."""
    matrices = np.stack([np.eye(3, dtype=np.int64)[rng.permutation(3)] for _ in range(n)])
    for target, source in ((0, 1), (1, 2), (2, 0)):
        shear = np.tile(np.eye(3, dtype=np.int64), (n, 1, 1))
        shear[:, target, source] = rng.integers(-2, 3, n)
        matrices = matrices @ shear
    return matrices


E, F = (N, 0, 0), (0, N, 0)


def within(rng, kind):
    """Whole numbers x, y strictly inside the triangle (or the square)."""
    x, y = rng.integers(1, N, 2)
    return (x, y) if kind == EDGE_EDGE or x + y < N else (N - x, N - y) if x + y > N else (x, y - 1 or 1)


def on_side(rng, kind):
    x = rng.integers(0, N + 1)
    return [(x, 0), (0, x), (x, N - x) if kind == VERTEX_FACE else (x, N)][rng.integers(3)]


def at_corner(rng, kind):
    return [(0, 0), (N, 0), (0, N)][rng.integers(3)]


def beside(rng, kind):
    """One lattice step outside."""
    x = rng.integers(0, N + 1)
    return [(x, -1), (-1, x), (x, N + 1 - x) if kind == VERTEX_FACE else (x, N + 1)][rng.integers(3)]


def crossing(rng, reach=30):
    """Distances before and after, both positive, and the time: a multiple of 2^-reach."""
    before = int(rng.integers(1, 1 << reach))
    return before, (1 << reach) - before, before / (1 << reach)


def still(e, f, w0, w1, time):
    return (e, f, w0), (e, f, w1), time


def pierces(where, e=E, f=F, reach=30):
    """w falls through the plane at a place."""
    def case(rng, kind):
        (x, y), (before, after, time) = where(rng, kind), crossing(rng, reach)
        sign = rng.choice([-1, 1])
        return still(e, f, (x, y, sign * before), (x, y, -sign * after), NEVER if where is beside else time)
    return case


def lands(start, end, time, where=within):
    """w moves from one height to another at a place; both numbers count lattice steps."""
    def case(rng, kind):
        x, y = where(rng, kind)
        return still(E, F, (x, y, start), (x, y, end), time)
    return case


def slides_in(rng, kind):
    before, after, time = crossing(rng, 27)
    return still(E, F, (-before, N // 3, 0), (after, N // 3, 0), time)


def slides_past(rng, kind):
    return still(E, F, (-1, -int(rng.integers(N)), 0), (-1, int(rng.integers(3 * N)), 0), NEVER)


def slides_along_a_side(rng, kind):
    before, after, time = crossing(rng, 27)
    return still(E, F, (-before, 0, 0), (after, 0, 0), time)


def drifts(height):
    """No motion but the common one."""
    def case(rng, kind):
        x, y = within(rng, kind)
        return still(E, F, (x, y, height), (x, y, height), 0.0 if height == 0 else NEVER)
    return case


def line_top(kind, factor):
    """e = N and f = N·factor/2 on a line: how far x·e + y·f reaches up."""
    f = N * factor // 2
    return max(0, N, f, N + f if kind == EDGE_EDGE else 0)


def falls_on_a_line(factor, excess):
    """f is a multiple of e (half of factor): a face without area, parallel edges, an edge without length."""
    def case(rng, kind):
        x, (before, after, time) = int(rng.integers(0, N + 1)), crossing(rng)
        if excess:
            x = line_top(kind, factor) + excess - 1
        return still(E, (N * factor // 2, 0, 0), (x, 0, before), (x, 0, -after), NEVER if excess > 1 else time)
    return case


def falls_beside_a_line(rng, kind):
    before, after, _ = crossing(rng)
    return still(E, (N // 2, 0, 0), (int(rng.integers(0, N)), 1, before), (int(rng.integers(0, N)), 1, -after), NEVER)


def slides_on_a_line(factor):
    def case(rng, kind):
        (before, after, time), top = crossing(rng, 26), line_top(kind, factor)
        return still(E, (N * factor // 2, 0, 0), (top + before, 0, 0), (top - after, 0, 0), time)
    return case


def points_meet(miss):
    def case(rng, kind):
        before, after, time = crossing(rng)
        zero = (0, 0, 0)
        return still(zero, zero, (before, miss, 2 * before), (-after, miss, -2 * after), NEVER if miss else time)
    return case


def grazes(gap):
    """The cubic is (2t−1)² + gap/N², inside: w comes along a twisting plane and turns away where it meets it."""
    def case(rng, kind):
        x = int(rng.integers(1, N // 2))
        start, end = ((E, (0, N, N * s), (x, N * s + N // 2, gap + N * s // 2)) for s in (-1, 1))
        return start, end, 0.5 if gap == 0 else NEVER if gap < 0 else np.nan
    return case


def parallel_at_the_moment(excess):
    """e and f become parallel just when w reaches their line: double root without a plane."""
    def case(rng, kind):
        top = N if kind == VERTEX_FACE else N + N // 2
        x, height = top + excess if excess else int(rng.integers(0, N)), int(rng.integers(1, N))
        start, end = ((E, (N // 2, s * N, 0), (x, 0, s * height)) for s in (1, -1))
        return start, end, NEVER if excess else 0.5
    return case


def equal_points(rng, kind):
    w1 = rng.integers(-N, N, 3)
    return still(E, F, at_corner(rng, kind) + (0,), tuple(w1), 0.0)


SMALL = 4


def bullet(inside):
    """Features of four lattice steps pass each other at 2^42 times their size."""
    def case(rng, kind):
        before, after, time = crossing(rng, 44)
        x, y = (1, 1) if inside else (-1, 2)
        return still((SMALL, 0, 0), (0, SMALL, 0), (x, y, before), (x, y, -after), time if inside else NEVER)
    return case


CASES = {
    "inside": pierces(within), "on a side": pierces(on_side), "at a corner": pierces(at_corner),
    "just beside": pierces(beside),
    "lands at the end": lands(12345, 0, 1.0), "stops just above": lands(12345, 1, NEVER),
    "starts in contact": lands(0, 999, 0.0), "starts on a side": lands(0, -5, 0.0, on_side),
    "starts just beside": lands(0, 7, NEVER, beside),
    "at rest in contact": lands(0, 0, 0.0), "at rest just beside": lands(0, 0, NEVER, beside),
    "at rest at a corner": lands(0, 0, 0.0, at_corner), "at rest above": lands(1, 1, NEVER),
    "moved together in contact": drifts(0), "moved together apart": drifts(1),
    "slides in": slides_in, "slides past": slides_past, "slides along a side": slides_along_a_side,
    "edge without length": falls_on_a_line(0, 0), "edge without length, at the end": falls_on_a_line(0, 1),
    "edge without length, missed": falls_on_a_line(0, 2),
    "parallel": falls_on_a_line(1, 0), "parallel, at the end": falls_on_a_line(1, 1),
    "parallel, past the end": falls_on_a_line(1, 2), "antiparallel": falls_on_a_line(-1, 0),
    "antiparallel, past the end": falls_on_a_line(-1, 2), "parallel, beside": falls_beside_a_line,
    "slides on a line": slides_on_a_line(1), "slides back on a line": slides_on_a_line(-1),
    "slides to a short edge": slides_on_a_line(0),
    "points meet": points_meet(0), "points pass": points_meet(1),
    "grazes": grazes(0), "nearly grazes": grazes(-1), "grazes a little deeper": grazes(1),
    "parallel at the moment": parallel_at_the_moment(0), "parallel at the moment, missed": parallel_at_the_moment(1),
    "equal points at the start": equal_points,
    "needle": pierces(lambda rng, kind: (int(rng.integers(0, N)), 0), f=(0, 1, 0)),
    "bullet": bullet(True), "bullet just beside": bullet(False),
}
