# SPDX-License-Identifier: GPL-3.0-or-later
"""Polynomials of one variable with whole coefficients, and their real roots between 0 and 1, without rounding.

Roots are found by bisection and Descartes' rule of signs (Collins and Akritas 1976: a square-free polynomial has no
root in an open interval where the transformed coefficients do not change sign, exactly one where they change it once,
and short enough intervals show one of the two).
"""
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from .rational import sign


class Polynomial:
    """coefficients: whole numbers, lowest degree first, the last one not 0; none for the polynomial 0."""

    __slots__ = ("coefficients",)

    def __init__(self, coefficients):
        coefficients = tuple(coefficients)
        while coefficients and coefficients[-1] == 0:
            coefficients = coefficients[:-1]
        self.coefficients = coefficients

    def __add__(self, other):
        longer, shorter = sorted((self.coefficients, other.coefficients), key=len, reverse=True)
        return Polynomial([*map(sum, zip(longer, shorter)), *longer[len(shorter):]])

    def __neg__(self):
        return Polynomial(-value for value in self.coefficients)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        product = [0] * (len(self.coefficients) + len(other.coefficients))
        for i, p in enumerate(self.coefficients):
            for j, q in enumerate(other.coefficients):
                product[i + j] += p * q
        return Polynomial(product)

    def __bool__(self):
        return bool(self.coefficients)

    def __call__(self, x: Fraction) -> int:
        """The value at x times the denominator of x to the power of the degree."""
        n, d = x.numerator, x.denominator
        value, power = 0, 1
        for coefficient in reversed(self.coefficients):
            value = value * n + coefficient * power
            power *= d
        return value

    @property
    def degree(self) -> int:
        return len(self.coefficients) - 1

    def derivative(self):
        return Polynomial(i * value for i, value in enumerate(self.coefficients) if i)

    def primitive(self):
        """The same without the common divisor of the coefficients."""
        divisor = gcd(*self.coefficients) or 1
        return Polynomial(value // divisor for value in self.coefficients)

    def remainder(self, divisor):
        """A multiple of the remainder of the division by a polynomial that is not 0."""
        rest, top = list(self.coefficients), divisor.coefficients[-1]
        while len(rest) > divisor.degree:
            factor, shift = rest[-1], len(rest) - len(divisor.coefficients)
            rest = [top * value for value in rest]
            for i, value in enumerate(divisor.coefficients):
                rest[shift + i] -= factor * value
            rest.pop()
        return Polynomial(rest).primitive()

    def quotient(self, divisor):
        """Self / divisor as a primitive polynomial; the division must leave nothing."""
        rest, found = [Fraction(value) for value in self.coefficients], []
        while len(rest) > divisor.degree:
            found.append(rest[-1] / divisor.coefficients[-1])
            for i, value in enumerate(reversed(divisor.coefficients)):
                rest[-1 - i] -= found[-1] * value
            rest.pop()
        assert not any(rest)
        scale = lcm(*(value.denominator for value in found))
        return Polynomial(int(value * scale) for value in reversed(found)).primitive()

    def square_free(self):
        """A polynomial with the same roots, none of them multiple."""
        return self.quotient(common_divisor(self, self.derivative())) if self.degree > 1 else self


def common_divisor(p: Polynomial, q: Polynomial) -> Polynomial:
    """The greatest one, by Euclid's algorithm."""
    while q:
        p, q = q.primitive(), p.remainder(q)
    return p.primitive()


def sign_changes(p: Polynomial, low: Fraction, high: Fraction) -> int:
    """Descartes' bound on the number of roots of p in the open interval; exact where it is 0 or 1."""
    scale = lcm(low.denominator, high.denominator)
    start, width = int(low * scale), int((high - low) * scale)
    degree = p.degree
    values = [value * scale ** (degree - i) for i, value in enumerate(p.coefficients)]      # roots times scale
    values = shifted(values, start)                                                         # low moves to 0
    values = [value * width ** i for i, value in enumerate(values)]                         # and high to 1
    signs = [value > 0 for value in shifted(values[::-1], 1) if value]                      # 1/x - 1: to 0 … infinity
    return sum(a != b for a, b in zip(signs, signs[1:]))


def shifted(coefficients, by: int) -> list[int]:
    """The coefficients of p(x + by)."""
    values = list(coefficients)
    for i in range(len(values)):
        for j in range(len(values) - 2, i - 1, -1):
            values[j] += by * values[j + 1]
    return values


@dataclass
class Root:
    """The only root of a square-free polynomial in the open interval low … high; where low = high, the root itself."""

    of: Polynomial
    low: Fraction
    high: Fraction

    def halve(self) -> None:
        """Make the interval half as long."""
        middle = (self.low + self.high) / 2
        at = sign(self.of(middle))
        if at == 0:
            self.low = self.high = middle
        elif at == sign_after(self.of, self.low):
            self.low = middle
        else:
            self.high = middle

    def refine(self, width: Fraction) -> None:
        """Make the interval at most this long, or find the root where it is a simple fraction."""
        while self.high - self.low > width:
            self.halve()
        if self.low < self.high:
            guess = simplest_between(self.low, self.high)
            if self.of(guess) == 0:
                self.low = self.high = guess

    def sign_of(self, p: Polynomial) -> int:
        """The sign of another polynomial at this root."""
        asked = False
        while p and self.low < self.high:
            if sign_changes(p, self.low, self.high) == 0:
                return sign(p((self.low + self.high) / 2))
            if not asked:           # whether the root is one of p too
                shared = common_divisor(self.of, p)
                if sign_after(shared, self.low) != sign_before(shared, self.high):
                    return 0
                asked = True
            self.halve()
        return sign(p(self.low))


def sign_after(p: Polynomial, x: Fraction) -> int:
    """The sign of a square-free polynomial a little to the right of x."""
    return sign(p(x)) or sign(p.derivative()(x))


def sign_before(p: Polynomial, x: Fraction) -> int:
    """The sign of a square-free polynomial a little to the left of x."""
    return sign(p(x)) or -sign(p.derivative()(x))


def roots_from_0_to_1(p: Polynomial) -> list[Root]:
    """The different roots in the closed interval, in order. p must not be 0."""
    zero, one = Fraction(0), Fraction(1)
    if p.degree > 0 and any(p.coefficients[0] * value <= 0 for value in p.coefficients[1:]):
        p = p.square_free()
        ends = [[Root(p, end, end)] if p(end) == 0 else [] for end in (zero, one)]
        return ends[0] + roots_between(p, zero, one) + ends[1]
    return []


def roots_between(p: Polynomial, low: Fraction, high: Fraction) -> list[Root]:
    """The roots of a square-free polynomial in the open interval, in order."""
    changes = sign_changes(p, low, high)
    if changes < 2:
        return [Root(p, low, high)] * changes
    middle = (low + high) / 2
    here = [Root(p, middle, middle)] if p(middle) == 0 else []
    return roots_between(p, low, middle) + here + roots_between(p, middle, high)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator in the closed interval, 0 <= low < high (continued fractions)."""
    whole = -(-low.numerator // low.denominator)        # rounded up
    if whole <= high:
        return Fraction(whole)
    return whole - 1 + 1 / simplest_between(1 / (high - whole + 1), 1 / (low - whole + 1))
