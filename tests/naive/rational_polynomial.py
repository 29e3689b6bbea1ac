# SPDX-License-Identifier: GPL-3.0-or-later
"""Polynomials of one variable with whole coefficients, and their real roots between 0 and 1, without rounding.

Roots are found by bisection and Descartes' rule of signs (Collins and Akritas 1976: a square-free polynomial has no
root in an open interval where the transformed coefficients do not change sign, exactly one where they change it once,
and short enough intervals show one of the two).
"""
from fractions import Fraction
from math import gcd, lcm

from touchpoint.core.reference.rational import sign


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
        shared = common_divisor(self, self.derivative())
        return self.quotient(shared) if shared.degree > 0 else self


def common_divisor(p: Polynomial, q: Polynomial) -> Polynomial:
    """The greatest one, by Euclid's algorithm."""
    while q:
        p, q = q.primitive(), p.remainder(q)
    return p.primitive()


def value_at(p: Polynomial, n: int, bits: int) -> int:
    """A number with the sign of p at n / 2**bits."""
    value, shift = 0, 0
    for coefficient in reversed(p.coefficients):
        value = value * n + (coefficient << shift)
        shift += bits
    return value


def sign_changes(p: Polynomial, n: int, bits: int) -> int:
    """Descartes' bound on the number of roots of p in the open interval n / 2**bits … (n + 1) / 2**bits; exact where it
    is 0 or 1."""
    degree = p.degree
    values = [value << bits * (degree - i) for i, value in enumerate(p.coefficients)]       # roots times 2**bits
    values = shifted(shifted(values, n)[::-1], 1)               # n moves to 0, then x to 1/x - 1: to 0 … infinity
    signs = [value > 0 for value in values if value]
    return sum(a != b for a, b in zip(signs, signs[1:]))


def shifted(coefficients, by: int) -> list[int]:
    """The coefficients of p(x + by)."""
    values = list(coefficients)
    if by:
        for i in range(len(values)):
            for j in range(len(values) - 2, i - 1, -1):
                values[j] += by * values[j + 1]
    return values


class Root:
    """The only root of a square-free polynomial in the open interval n / 2**bits … (n + 1) / 2**bits, or a rational
    number that is known to be one."""

    def __init__(self, of: Polynomial, n: int = 0, bits: int = 0, exact: Fraction | None = None):
        self.of, self.n, self.bits, self.exact = of, n, bits, exact
        self.before = sign_after(of, n, bits) if exact is None else 0       # the sign from the low end up to the root

    @property
    def low(self) -> Fraction:
        return Fraction(self.n, 1 << self.bits) if self.exact is None else self.exact

    @property
    def high(self) -> Fraction:
        return Fraction(self.n + 1, 1 << self.bits) if self.exact is None else self.exact

    def halve(self) -> None:
        """Make the interval half as long."""
        self.n, self.bits = 2 * self.n, self.bits + 1
        middle = sign(value_at(self.of, self.n + 1, self.bits))
        if middle == 0:
            self.exact = Fraction(self.n + 1, 1 << self.bits)
        elif middle == self.before:
            self.n += 1

    def refine(self, bits: int) -> None:
        """Make the interval at most 1 / 2**bits long, or find the root where it is a simple fraction."""
        while self.exact is None and self.bits < bits:
            self.halve()
        if self.exact is None:
            guess = simplest_between(self.low, self.high)
            if self.low < guess < self.high and self.of(guess) == 0:      # an end may be another root
                self.exact = guess

    def sign_of(self, p: Polynomial) -> int:
        """The sign of another polynomial at this root."""
        asked = False
        while p and self.exact is None:
            if sign_changes(p, self.n, self.bits) == 0:
                return sign(value_at(p, 2 * self.n + 1, self.bits + 1))
            if not asked:           # whether the root is one of p too
                shared = common_divisor(self.of, p)
                if sign_after(shared, self.n, self.bits) != sign_before(shared, self.n + 1, self.bits):
                    return 0
                asked = True
            self.halve()
        return sign(p(self.low))


def sign_after(p: Polynomial, n: int, bits: int) -> int:
    """The sign of a square-free polynomial a little to the right of n / 2**bits."""
    return sign(value_at(p, n, bits)) or sign(value_at(p.derivative(), n, bits))


def sign_before(p: Polynomial, n: int, bits: int) -> int:
    """The sign of a square-free polynomial a little to the left of n / 2**bits."""
    return sign(value_at(p, n, bits)) or -sign(value_at(p.derivative(), n, bits))


def roots_from_0_to_1(p: Polynomial) -> list[Root]:
    """The different roots in the closed interval, in order. p must not be 0."""
    if p.degree > 0 and any(p.coefficients[0] * value <= 0 for value in p.coefficients[1:]):
        p = p.square_free()
        ends = [[Root(p, exact=Fraction(end))] if value_at(p, end, 0) == 0 else [] for end in (0, 1)]
        return ends[0] + roots_between(p, 0, 0) + ends[1]
    return []


def roots_between(p: Polynomial, n: int, bits: int) -> list[Root]:
    """The roots of a square-free polynomial in the open interval n / 2**bits … (n + 1) / 2**bits, in order."""
    found, left = [], [(n, bits)]
    while left:
        n, bits = left.pop()
        changes = sign_changes(p, n, bits)
        if changes == 1:
            found.append(Root(p, n, bits))
        elif changes:
            left += [(2 * n + 1, bits + 1), (2 * n, bits + 1)]
            if value_at(p, 2 * n + 1, bits + 1) == 0:
                found.append(Root(p, exact=Fraction(2 * n + 1, 2 << bits)))
    return sorted(found, key=lambda root: (root.low, root.high))


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator in the closed interval, 0 <= low < high (continued fractions)."""
    terms = []
    whole = -(-low.numerator // low.denominator)            # rounded up
    while whole > high:
        terms.append(whole - 1)
        low, high = 1 / (high - whole + 1), 1 / (low - whole + 1)
        whole = -(-low.numerator // low.denominator)
    value = Fraction(whole)
    for term in reversed(terms):
        value = term + 1 / value
    return value
