# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors of Python integers, and convex sets of rational points cut by closed half-spaces.

Finite floats are whole numbers after multiplication by a power of two, so a handful of them becomes a handful of
integers and no operation below rounds, overflows or underflows. A rational point is (x, y, z, w) with w > 0 and
greatest common divisor 1: equal points are equal tuples.
"""
from fractions import Fraction
from math import gcd, lcm, ldexp, sqrt


def to_integers(points) -> tuple[list[tuple[int, int, int]], int]:
    """Points of three finite floats or Fractions, all times one whole number, and that number."""
    ratios = [tuple(value.as_integer_ratio() for value in point) for point in points]
    scale = lcm(*(denominator for point in ratios for _, denominator in point))
    return [tuple(n * (scale // d) for n, d in point) for point in ratios], scale


def minus(u, v):
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def sign(value) -> int:
    return (value > 0) - (value < 0)


def rational_point(x, y, z, w):
    """The tuple that stands for (x/w, y/w, z/w), w > 0."""
    divisor = gcd(x, y, z, w)
    return x // divisor, y // divisor, z // divisor, w // divisor


def height(point, normal, offset):
    """A number with the sign of normal·point − offset."""
    return normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - offset * point[3]


def cut(points, normal, offset):
    """The part of a convex set on the side normal·x ≤ offset, its border included.

    points: the corners of a convex polygon in order, or the two ends of a segment, or one point. The answer is of
    the same form, or empty. Each corner that is inside stays; each side whose ends lie strictly on both sides adds
    the point where it meets the border plane.
    """
    heights = [height(point, normal, offset) for point in points]
    kept = []
    for i, (p, h) in enumerate(zip(points, heights)):
        q, k = points[i - 1], heights[i - 1]
        if h * k < 0:
            above, below = abs(h), abs(k)
            kept.append(rational_point(*(above * b + below * a for a, b in zip(p, q))))
        if h <= 0:
            kept.append(p)
    return list(dict.fromkeys(kept))


def square_root(square: Fraction) -> float:
    """Square root of a number that is not negative, right to a unit in the last place however large or small it is."""
    if square == 0:
        return 0.0
    shift = (square.denominator.bit_length() - square.numerator.bit_length()) // 2
    return ldexp(sqrt(square * Fraction(4) ** shift), -shift)
