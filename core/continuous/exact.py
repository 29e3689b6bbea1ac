# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of a vertex with a face, or of two edges, without any rounding.

In both, w(t) = x·e(t) + y·f(t) with (x, y) in a triangle (vertex and face) or in a square (two edges), and all three
vectors are linear in time (docs/continuous.md). The signs of polynomials of degree three at most, with integer
coefficients, at their own roots decide everything: no tolerance, and no iteration without an end.
"""
import functools
import math

from .polynomial import common_divisor, roots, trimmed

VERTEX_FACE, EDGE_EDGE = 0, 1


def first_contact(x0, x1, kind: int) -> float | None:
    """Time of first contact, rounded down to float64, or None where there is none.

    x0, x1: 4 × 3 finite floats, the four points at t = 0 and 1, in the order of the batch queries.
    """
    return Motion(x0, x1, kind).first_contact()


class Motion:
    """The polynomials of one query."""

    def __init__(self, x0, x1, kind: int):
        e, f, w = vectors(x0, x1, kind)
        n, x, y = cross(e, f), cross(w, f), cross(e, w)
        if kind == VERTEX_FACE:
            self.weights = [x, y, list(map(minus, map(minus, n, x), y)), n]
            corners = [e, f]
        else:
            self.weights = [x, y, list(map(minus, n, x)), list(map(minus, n, y))]
            corners = [e, f, [[a + c, b + d] for (a, b), (c, d) in zip(e, f)]]
        self.gaps = [w, *(list(map(minus, w, corner)) for corner in corners)]
        cubic = [0, 0, 0, 0]
        for (a, b), normal in zip(w, n):
            for i in range(3):
                cubic[i] += a * normal[i]
                cubic[i + 1] += b * normal[i]
        self.cubic = trimmed(cubic)

    def first_contact(self) -> float | None:
        """As the function of this name."""
        if (not self.cubic or self.cubic[0] == 0) and self.touches(Start()):
            return 0.0
        times = []
        for candidates in self.candidates():
            for root in roots(candidates):
                if self.touches(root):
                    times.append(root.time())
                    break
        return min(times, default=None)

    def candidates(self) -> list[list[int]]:
        """Polynomials whose roots include the time of first contact, if it comes after t = 0."""
        if self.cubic:
            return [self.cubic]
        # In a common plane all the time: a weight vanishes at first contact, and where all weights do all the time
        # (on a common line), a corner of one side meets a corner of the other.
        return in_common_each(self.weights) or in_common_each(self.gaps)

    def all_roots(self):
        """The times in (0, 1] at which one of the candidates is zero, each a Root or a Quotient."""
        for candidates in self.candidates():
            if len(candidates) > 1:
                yield from roots(candidates)

    def touches(self, at) -> bool:
        """True for contact at a time when the four points lie in a plane. at: a Root, Quotient or Start."""
        for axis in range(3):
            signs = [at.sign_of(trimmed(weight[axis])) for weight in self.weights]
            if any(signs):
                return min(signs) >= 0 or max(signs) <= 0
        for axis in range(3):                   # on a line: what overlaps along every axis overlaps
            signs = [at.sign_of(trimmed(gap[axis])) for gap in self.gaps]
            if min(signs) > 0 or max(signs) < 0:
                return False
        return True


class Start:
    """The time 0, where the sign of a polynomial is that of its constant."""

    def sign_of(self, p: list[int]) -> int:
        """Sign of p at this time."""
        return (p[0] > 0) - (p[0] < 0) if p else 0


def vectors(x0, x1, kind: int):
    """The vectors e, f and w: per coordinate [a, b] for a + b·t, integers, all times one positive number."""
    ratios = [[value.as_integer_ratio() for point in points for value in point] for points in (x0, x1)]
    scale = max(denominator for side in ratios for _, denominator in side)      # powers of two
    start, end = ([n * (scale // d) for n, d in side] for side in ratios)

    def between(i, j):
        lines = []
        for axis in range(3):
            a, b = start[3 * j + axis] - start[3 * i + axis], end[3 * j + axis] - end[3 * i + axis]
            lines.append([a, b - a])
        return lines

    found = ((between(1, 2), between(1, 3), between(1, 0)) if kind == VERTEX_FACE
             else (between(0, 1), between(3, 2), between(0, 2)))
    divisor = math.gcd(*(value for vector in found for line in vector for value in line))
    return [[[a // divisor, b // divisor] for a, b in vector] for vector in found] if divisor > 1 else found


def cross(u, v):
    """Cross product of two vectors linear in time: three polynomials of degree two."""
    product = []
    for axis in range(3):
        (a, b), (c, d) = u[axis - 2], u[axis - 1]
        (p, q), (r, s) = v[axis - 2], v[axis - 1]
        product.append([a * r - c * p, a * s + b * r - c * q - d * p, b * s - d * q])
    return product


def minus(p, q):
    """p − q, both of the same length."""
    return [a - b for a, b in zip(p, q)]


def in_common_each(vectors) -> list[list[int]]:
    """For each vector of polynomials that is not zero throughout, the polynomial whose roots are the times when it is
    zero."""
    zero: list[int] = []
    shared = [functools.reduce(common_divisor, vector, zero) for vector in vectors]
    return [list(p) for p in {tuple(p if p[-1] > 0 else [-c for c in p]): None for p in shared if p}]
