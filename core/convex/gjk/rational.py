# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance and meeting in whole numbers, for the few pairs of hulls that float64 leaves undecided. Slow, always right.

Every float64 is a whole number times a power of two. So after one common scaling all is done in Python's integers,
without rounding. Gilbert–Johnson–Keerthi then needs no tolerance: the distance strictly falls with every corner, each
simplex occurs once, and there are finitely many (docs/convex.md).
"""
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import TypeVar

POINTS_PER_PAUSE = 1 << 14      # that take some hundredths of a second
Item = TypeVar("Item")
Point = tuple[int, ...]        # three


def whole_numbers(*hulls, pause: Callable[[], object] = lambda: None) -> tuple[list[list[Point]], int]:
    """The hulls in whole numbers, and e, so that number = whole · 2^-e. The numbers given are floats, or Fractions over
    a power of two. pause(), here and below: called now and then, may raise."""
    ratios = [[[number.as_integer_ratio() for number in point] for point in _paused(hull, pause)] for hull in hulls]
    e = max(below.bit_length() - 1 for hull in ratios for point in _paused(hull, pause) for _, below in point)
    return [[tuple(above << e - below.bit_length() + 1 for above, below in point) for point in _paused(hull, pause)]
            for hull in ratios], e


def _paused(points: Iterable[Item], pause: Callable[[], object]) -> Iterator[Item]:
    """The same, with a pause now and then."""
    for number, point in enumerate(points):
        if number % POINTS_PER_PAUSE == POINTS_PER_PAUSE - 1:
            pause()
        yield point


def dot(a: Point, b: Point) -> int:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@dataclass
class Closest:
    """Closest points of two hulls: Σ weight·P[i] / total, and the same with Q[j]."""

    corners: list[Sequence[int]]
    weights: list[int]
    total: int
    difference: Point           # p − q = difference / total

    @property
    def meet(self) -> bool:
        return not any(self.difference)

    def point(self, hull, side: int, e: int) -> list[float]:
        return [_ratio(sum(weight * hull[corner[side]][axis] for weight, corner in zip(self.weights, self.corners)),
                       self.total << e) for axis in range(3)]

    def distance(self, e: int) -> float:
        return root(Fraction(dot(self.difference, self.difference), self.total ** 2 << 2 * e))


def closest_points(P, Q, start: Sequence[Sequence[int]] = (), lowest=None,
                   pause: Callable[[], object] = lambda: None) -> Closest:
    """Where the hulls of P and Q are closest. P, Q: sequences of Points. start: corners (i, j) to begin with, any.
    lowest: in place of `lowest_corner`."""
    lowest = lowest or partial(lowest_corner, pause=pause)
    corners = [*start] or [(0, 0)]
    i, j = corners[0]
    best = Closest([corners[0]], [1], 1, minus(P[i], Q[j]))
    for corner in corners[1:]:
        best = _with_corner(P, Q, best, corner)
    while not best.meet:
        better = _with_corner(P, Q, best, lowest(P, Q, best.difference))
        if better is best:
            break
        best = better
    return best


def _with_corner(P, Q, best: Closest, corner) -> Closest:
    """The closest points with one more corner; `best` itself where the corner leads no closer."""
    height = best.total * dot(best.difference, minus(P[corner[0]], Q[corner[1]]))
    if height >= dot(best.difference, best.difference):
        return best
    return _closest_of_simplex(P, Q, [*best.corners, corner])


def lowest_corner(P: list[Point], Q: list[Point], direction: Point,
                  pause: Callable[[], object] = lambda: None) -> tuple[int, int]:
    """(i, j) such that P[i] − Q[j] is lowest; of several, an extreme point of the set of differences."""
    i = min(_paused(range(len(P)), pause), key=lambda i: (dot(direction, P[i]), P[i]))
    j = max(_paused(range(len(Q)), pause), key=lambda j: (dot(direction, Q[j]), Q[j]))
    return i, j


def _closest_of_simplex(P, Q, corners) -> Closest:
    """The closest points of a simplex of affinely independent corners: exactly one face has them strictly inside."""
    Y = [minus(P[i], Q[j]) for i, j in corners]
    for size in range(1, 5):
        for face in combinations(range(len(Y)), size):
            weights = _weights([Y[k] for k in face])
            if min(weights) <= 0:
                continue
            total = sum(weights)
            v = tuple(sum(weight * Y[k][axis] for weight, k in zip(weights, face)) for axis in range(3))
            if all(total * dot(v, y) >= dot(v, v) for y in Y):
                return Closest([corners[k] for k in face], weights, total, v)
    raise ArithmeticError("the corners of a simplex are not independent")


def _weights(Y: list[Point]) -> list[int]:
    """Barycentric coordinates, times a positive number, of the point closest to the origin on the flat through Y."""
    if len(Y) == 1:
        return [1]
    if len(Y) == 2:
        u = minus(Y[1], Y[0])
        return [dot(Y[1], u), -dot(Y[0], u)]
    if len(Y) == 3:
        n = cross(minus(Y[1], Y[0]), minus(Y[2], Y[0]))
        return [dot(n, cross(Y[1], Y[2])), dot(n, cross(Y[2], Y[0])), dot(n, cross(Y[0], Y[1]))]
    volumes = [(-1) ** k * dot(a, cross(b, c)) for k in range(4)
               for a, b, c in [[Y[m] for m in range(4) if m != k]]]
    return volumes if sum(volumes) > 0 else [-volume for volume in volumes]


def _ratio(above: int, below: int) -> float:
    try:
        return above / below
    except OverflowError:
        return math.inf if above > 0 else -math.inf


def root(square: Fraction) -> float:
    """The square root, right to a unit in the last place also where the square is beyond the range of floats."""
    shift = max(0, 140 - square.numerator.bit_length() + square.denominator.bit_length())
    shift += shift & 1
    return _ratio(math.isqrt((square.numerator << shift) // square.denominator), 1 << shift // 2)
