# SPDX-License-Identifier: GPL-3.0-or-later
"""Polynomials in one variable with Python integers as coefficients, and their real roots in (0, 1], without rounding.

A polynomial is a list of coefficients, constant first, the last one not zero; [] is the zero polynomial. A root is
kept as an interval between two dyadic numbers that holds no other root of the polynomial. Roots are isolated by
Descartes' rule of signs on Bernstein coefficients under bisection: after Collins and Akritas 1976, and Lane and
Riesenfeld 1981. Nothing here depends on the size of the numbers, but the cost does.
"""
import itertools
import math

GRID = 60           # a time is found to 2^-GRID: finer than float64 near 1
STRIDE = 40         # binary digits that a good guess gains at once


def trimmed(p: list[int]) -> list[int]:
    """p without leading zeros, divided by the greatest common divisor of its coefficients."""
    while p and p[-1] == 0:
        p = p[:-1]
    divisor = math.gcd(*p)
    return [c // divisor for c in p] if divisor > 1 else p


def derivative(p: list[int]) -> list[int]:
    return [i * c for i, c in enumerate(p)][1:]


def common_divisor(p: list[int], q: list[int]) -> list[int]:
    """Greatest common divisor, free of a common factor; by primitive pseudo-remainders."""
    p, q = trimmed(p), trimmed(q)
    while q:
        while len(p) >= len(q):
            shift, top, lead = len(p) - len(q), p[-1], q[-1]
            p = [lead * c for c in p]
            for i, c in enumerate(q):
                p[i + shift] -= top * c
            p = trimmed(p[:-1])
        p, q = q, p
    return p


def quotient(p: list[int], q: list[int]) -> list[int]:
    """p / q up to a constant, where q divides p."""
    p, result = p[:], [0] * (len(p) - len(q) + 1)
    for shift in range(len(p) - len(q), -1, -1):
        divisor = math.gcd(p[shift + len(q) - 1], q[-1])
        scale, factor = q[-1] // divisor, p[shift + len(q) - 1] // divisor
        p = [scale * c for c in p]
        result = [scale * c for c in result]
        result[shift] = factor
        for i, c in enumerate(q):
            p[i + shift] -= factor * c
    return trimmed(result)


def square_free(p: list[int]) -> list[int]:
    """The polynomial with the same roots, each of them simple."""
    repeated = common_divisor(p, derivative(p)) if len(p) > 2 else [1]
    return quotient(p, repeated) if len(repeated) > 1 else trimmed(p)


def value_at(p: list[int], k: int, digits: int) -> int:
    """p(k / 2^digits) times a positive number."""
    result, scale = 0, 0
    for c in reversed(p):
        result = result * k + (c << scale)
        scale += digits
    return result


def bernstein(p: list[int], low: int, high: int, digits: int) -> list[int]:
    """Bernstein coefficients of p over [low, high] / 2^digits, times a positive number."""
    n = len(p) - 1
    shifted, width = [c << digits * (n - i) for i, c in enumerate(p)], high - low
    for i in range(n):                          # substitute t = low + width · s, Horner by rows
        for j in range(n - 1, i - 1, -1):
            shifted[j] += low * shifted[j + 1]
    power = 1
    for i in range(1, n + 1):
        power *= width
        shifted[i] *= power
    # b_k = sum over i of C(k,i)/C(n,i) · c_i; n! times that is whole
    whole = math.factorial(n)
    return [sum(math.comb(k, i) * whole // math.comb(n, i) * shifted[i] for i in range(k + 1)) for k in range(n + 1)]


def variations(values: list[int]) -> int:
    """Changes of sign, zeros left out."""
    signs = [v > 0 for v in values if v]
    return sum(a != b for a, b in zip(signs, signs[1:]))


class Root:
    """One real root t of a square-free polynomial: low/2^digits < t < high/2^digits, or t = low/2^digits where low
    equals high. The polynomial has no other root there, and is not zero at the ends of an open interval."""

    def __init__(self, p: list[int], low: int, high: int, digits: int):
        self.p, self.low, self.high, self.digits = p, low, high, digits
        self.side = value_at(p, low, digits) > 0

    def narrow(self) -> None:
        """Gain about STRIDE digits where a guess is right, else one."""
        guess = self._guess()
        self.low <<= STRIDE
        self.high <<= STRIDE
        self.digits += STRIDE
        width = self.high - self.low
        middle = self.low + (width * guess >> STRIDE)
        reach = width >> STRIDE - 2
        for k in (middle - reach, middle + reach, self.low + (width >> 1)):
            if self.low < k < self.high:
                self._cut(k)
        common = self.low | self.high
        zeros = min(self.digits, (common & -common).bit_length() - 1)
        self.low >>= zeros
        self.high >>= zeros
        self.digits -= zeros

    def _cut(self, k: int) -> None:
        value = value_at(self.p, k, self.digits)
        if value == 0:
            self.low = self.high = k
        elif (value > 0) == self.side:
            self.low = k
        else:
            self.high = k

    def _guess(self) -> int:
        """Where in the interval the root lies, in 2^-STRIDE of its width; found with floats, so only a guess."""
        b = bernstein(self.p, self.low, self.high, self.digits)
        size = max(0, max(abs(v).bit_length() for v in b) - 60)
        f = [float(v >> size) for v in b]
        low, high, x = 0.0, 1.0, 0.5
        for _ in range(60):
            value, slope = _value_and_slope(f, x)
            if (value > 0) == self.side:
                low = x
            else:
                high = x
            step = x - value / slope if slope else -1.0
            before, x = x, step if low < step < high else 0.5 * (low + high)
            if abs(x - before) < 2.0 ** -STRIDE:
                break
        return int(math.ldexp(x, STRIDE))

    def sign_of(self, q: list[int]) -> int:
        """Sign of q at the root, exact."""
        if len(q) < 2:
            return (q[0] > 0) - (q[0] < 0) if q else 0
        for attempt in itertools.count():
            if self.low == self.high:
                value = value_at(q, self.low, self.digits)
                return (value > 0) - (value < 0)
            b = bernstein(q, self.low, self.high, self.digits)
            if min(b) > 0 or max(b) < 0:
                return 1 if b[0] > 0 else -1
            if attempt == 1 and self._is_root_of(q):
                return 0
            self.narrow()
        raise AssertionError("the root and q's roots are apart, so that narrowing ends")

    def _is_root_of(self, q: list[int]) -> bool:
        shared = common_divisor(self.p, q)
        return len(shared) > 1 and ((value_at(shared, self.low, self.digits) > 0)
                                    != (value_at(shared, self.high, self.digits) > 0))

    def time(self) -> float:
        """The root rounded down to float64, early by at most 2^-GRID or one unit in the last place."""
        while (self.high - self.low) << GRID > 1 << self.digits:
            self.narrow()
        excess = max(0, self.low.bit_length() - 53)
        exponent = excess - self.digits
        return math.ldexp(self.low >> excess, exponent) if exponent > -1000 else 0.0


def _value_and_slope(b: list[float], x: float) -> tuple[float, float]:
    """Value and a multiple of the slope, by de Casteljau."""
    n = len(b) - 1
    while len(b) > 2:
        b = [(1.0 - x) * u + x * v for u, v in zip(b, b[1:])]
    return (1.0 - x) * b[0] + x * b[1], n * (b[1] - b[0])


def roots(p: list[int]):
    """The real roots of p in (0, 1], in ascending order; p must not be zero."""
    while p[0] == 0:
        p = p[1:]
    if len(p) < 2 or variations(bernstein(p, 0, 1, 0)) == 0 and sum(p) != 0:
        return
    p = square_free(p)
    pieces = [(0, 1, 0)]
    while pieces:
        low, high, digits = pieces.pop()
        if low == high:
            yield Root(p, low, high, digits)
            continue
        b = bernstein(p, low, high, digits)
        changes = variations(b)
        if changes == 1 and b[0] and b[-1]:
            yield Root(p, low, high, digits)
        elif changes:
            middle = low + high
            if not (digits or b[-1]):
                pieces.append((1, 1, 0))
            pieces.append((middle, 2 * high, digits + 1))
            if value_at(p, middle, digits + 1) == 0:
                pieces.append((middle, middle, digits + 1))
            pieces.append((2 * low, middle, digits + 1))
        elif not (digits or b[-1]):
            pieces.append((1, 1, 0))
