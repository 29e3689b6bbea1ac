# SPDX-License-Identifier: GPL-3.0-or-later
"""Polynomials in one variable with Python integers as coefficients, and their real roots in (0, 1], without rounding.

A polynomial is a list of at most four coefficients, constant first, the last one not zero; [] is zero. A root is
kept as an interval between two dyadic numbers that holds no other root of the polynomial. Roots are isolated by
Descartes' rule of signs on Bernstein coefficients under bisection, after Collins and Akritas 1976, and Lane and
Riesenfeld 1981. The answers do not depend on the size of the numbers; the cost does.
"""
import math

GRID = 60           # a time is found to 2^-GRID: finer than float64 near 1
PRIME = (1 << 61) - 1


def trimmed(p: list[int]) -> list[int]:
    """p without leading zeros."""
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def primitive(p: list[int]) -> list[int]:
    """p without leading zeros, divided by the greatest common divisor of its coefficients."""
    p = trimmed(p)
    divisor = math.gcd(*p)
    return [c // divisor for c in p] if divisor > 1 else p


def derivative(p: list[int]) -> list[int]:
    """The derivative of p."""
    return [i * c for i, c in enumerate(p)][1:]


def common_divisor(p: list[int], q: list[int]) -> list[int]:
    """The greatest common divisor, without a common factor of its coefficients; by primitive pseudo-remainders."""
    p, q = primitive(p), primitive(q)
    while q:
        while len(p) >= len(q):
            shift, top, lead = len(p) - len(q), p[-1], q[-1]
            p = [lead * c for c in p]
            for i, c in enumerate(q):
                p[i + shift] -= top * c
            p = primitive(p[:-1])
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
    return primitive(result)


def surely_coprime(p: list[int], q: list[int]) -> bool:
    """True where p and q certainly have no common root, by Euclid's algorithm modulo a prime, cheap for numbers of any
    size. False may be wrong.

    A common divisor stays one modulo the prime, and keeps its degree when the leading coefficients do not vanish.
    """
    p, q = [c % PRIME for c in p], [c % PRIME for c in q]
    if not (p[-1] and q[-1]):
        return False
    while len(q) > 1:
        while len(p) >= len(q):
            shift, top, lead = len(p) - len(q), p[-1], q[-1]
            p = [lead * c for c in p[:-1]]
            for i, c in enumerate(q[:-1]):
                p[i + shift] -= top * c
            p = [c % PRIME for c in p]
            while p and p[-1] == 0:
                p.pop()
        p, q = q, p
    return len(q) == 1


def square_free(p: list[int]) -> list[int]:
    """The polynomial with the same roots, each of them simple."""
    p = primitive(p)
    if len(p) < 3 or surely_coprime(p, derivative(p)):
        return p
    return quotient(p, common_divisor(p, derivative(p)))


def value_at(p: list[int], k: int, digits: int) -> int:
    """p(k / 2^digits) times 2^(digits · degree)."""
    result, scale = 0, 0
    for c in reversed(p):
        result = result * k + (c << scale)
        scale += digits
    return result


def bernstein(p: list[int], low: int, high: int, digits: int) -> list[int]:
    """Bernstein coefficients over [low, high] / 2^digits of a polynomial of degree 1 to 3, times a positive number."""
    width = high - low
    if len(p) == 2:
        value = (p[0] << digits) + p[1] * low
        return [value, value + p[1] * width]
    if len(p) == 3:
        linear = (p[1] << digits) + p[2] * low
        value = (p[0] << 2 * digits) + linear * low
        linear = (linear + p[2] * low) * width
        return [2 * value, 2 * value + linear, 2 * (value + linear + p[2] * width * width)]
    square = (p[2] << digits) + p[3] * low              # t = low + width·s by Horner's scheme, in rows
    linear = (p[1] << 2 * digits) + square * low
    value = 3 * ((p[0] << 3 * digits) + linear * low)
    step = p[3] * low
    square += step
    linear = (linear + square * low) * width
    square = (square + step) * width * width
    return [value, value + linear, value + 2 * linear + square,
            value + 3 * (linear + square + p[3] * width * width * width)]


def variations(values: list[int]) -> int:
    """The number of changes of sign, zeros left out."""
    signs = [v > 0 for v in values if v]
    return sum(a != b for a, b in zip(signs, signs[1:]))


class Quotient:
    """A rational root: top / bottom, bottom > 0."""

    def __init__(self, top: int, bottom: int):
        self.top, self.bottom = top, bottom

    def sign_of(self, q: list[int]) -> int:
        """Sign of q at the root, exact."""
        value, power = 0, 1
        for c in reversed(q):
            value = value * self.top + c * power
            power *= self.bottom
        return (value > 0) - (value < 0)

    def time(self) -> float:
        """The root rounded down to float64."""
        time = self.top / self.bottom
        top, bottom = time.as_integer_ratio()
        return math.nextafter(time, 0.0) if top * self.bottom > self.top * bottom else time


class Root:
    """One real root t of a square-free polynomial: low/2^digits < t < high/2^digits. The polynomial has no other root
    there, and is not zero at the ends. `exact` is set once narrowing meets the root itself."""

    def __init__(self, p: list[int], low: int, high: int, digits: int):
        self.p, self.low, self.high, self.digits = p, low, high, digits
        self.side = value_at(p, low, digits) > 0
        self.exact: Quotient | None = None
        self.stride = 4

    def narrow(self) -> None:
        """Gain `stride` binary digits where the secant hits nearly enough, then try twice as many; else at least one
        (quadratic refinement, after Abbott 2014)."""
        before, after = (abs(value_at(self.p, k, self.digits)) for k in (self.low, self.high))
        unit = self.high - self.low                 # becomes a 2^stride'th of the width
        self.low <<= self.stride
        self.high <<= self.stride
        self.digits += self.stride
        middle = self.low + (unit << self.stride) * before // (before + after)
        for k in (middle - unit, middle + unit):
            self._cut(k)
        if self.high - self.low <= 2 * unit:
            self.stride *= 2
        else:
            self.stride = max(2, self.stride // 2)
            self._cut(self.low + self.high >> 1)
        common = self.low | self.high
        zeros = min(self.digits, (common & -common).bit_length() - 1)
        self.low >>= zeros
        self.high >>= zeros
        self.digits -= zeros

    def _cut(self, k: int) -> None:
        if self.low < k < self.high:
            value = value_at(self.p, k, self.digits)
            if value == 0:
                self.exact = Quotient(k, 1 << self.digits)
            elif (value > 0) == self.side:
                self.low = k
            else:
                self.high = k

    def sign_of(self, q: list[int]) -> int:
        """Sign of q at the root, exact. The loop ends, as this root and those of q are equal or apart."""
        if len(q) < 2:
            return (q[0] > 0) - (q[0] < 0) if q else 0
        asked = False
        while not self.exact:
            b = bernstein(q, self.low, self.high, self.digits)
            if min(b) > 0 or max(b) < 0:
                return 1 if b[0] > 0 else -1
            if not asked:
                if self._is_root_of(q):
                    return 0
                asked = True
            self.narrow()
        return self.exact.sign_of(q)

    def _is_root_of(self, q: list[int]) -> bool:
        if surely_coprime(self.p, q):
            return False
        shared = common_divisor(self.p, q)
        return len(shared) > 1 and ((value_at(shared, self.low, self.digits) > 0)
                                    != (value_at(shared, self.high, self.digits) > 0))

    def time(self) -> float:
        """The root rounded down to float64, early by at most 2^-GRID or one unit in the last place."""
        while not self.exact and (self.high - self.low) << GRID > 1 << self.digits:
            self.narrow()
        return (self.exact or Quotient(self.low, 1 << self.digits)).time()


def roots(p: list[int]):
    """The real roots of p in (0, 1], in ascending order, each a Quotient or a Root; p must not be zero."""
    while p[0] == 0:
        p = p[1:]
    if len(p) < 2 or sum(p) != 0 and variations(bernstein(p, 0, 1, 0)) == 0:
        return
    p = square_free(p)
    if len(p) == 2:
        yield Quotient(abs(p[0]), abs(p[1]))        # there was a sign change: the root lies in (0, 1]
        return
    for low, high, digits in isolated(p):
        yield Root(p, low, high, digits) if low < high else Quotient(low, 1 << digits)
    if value_at(p, 1, 1) == 0:
        yield Quotient(1, 2)
    mirrored = [sum(math.comb(i, k) * c * (-1) ** k for i, c in enumerate(p)) for k in range(len(p))]
    at_end = mirrored[0] == 0
    for low, high, digits in reversed(list(isolated(mirrored[at_end:]))):
        low, high = (1 << digits) - high, (1 << digits) - low
        yield Root(p, low, high, digits) if low < high else Quotient(low, 1 << digits)
    if at_end:
        yield Quotient(1, 1)


def one_term_outweighs(p: list[int], low: int, high: int, digits: int) -> bool:
    """True where one term of p is larger than all others together on [low, high] / 2^digits, so that there is no root.
    Compares lengths only."""
    most = [c.bit_length() + i * (high.bit_length() - digits) if c else -math.inf for i, c in enumerate(p)]
    first, second = sorted(range(len(p)), key=most.__getitem__)[:-3:-1]
    least = p[first].bit_length() - 1 + first * (low.bit_length() - 1 - digits)
    return least >= most[second] + 2


def isolated(p: list[int]):
    """Intervals (low, high) / 2^digits around each root in (0, 1/2) of a square-free polynomial, not zero at 0.

    Numbers of very different size put roots very near 0 (or 1): where the ends of an interval differ by orders of
    magnitude, it is cut at the middle one of these.
    """
    digits = max(2, sum(map(abs, p)).bit_length() - p[0].bit_length() + 1)          # no root at or before 2^-digits
    pieces = [(1, 1 << digits - 1, digits)]
    while pieces:
        low, high, digits = pieces.pop()
        if low == high:
            yield low, high, digits
            continue
        if one_term_outweighs(p, low, high, digits):
            continue
        b = bernstein(p, low, high, digits)
        changes = variations(b)
        single = changes == 1 and b[0] != 0 != b[-1]
        while single and low < high and high > 4 * low:
            low, high, digits = 2 * low, 2 * high, digits + 1
            middle = between(low, high)
            zeros = (middle & -middle).bit_length() - 1         # mostly a power of two: long, but of one digit
            value = value_at(p, middle >> zeros, digits - zeros)
            if value == 0 or (value > 0) == (b[0] > 0):
                low = middle
            if value == 0 or (value > 0) != (b[0] > 0):
                high = middle
        if single:
            yield low, high, digits
        elif changes:
            low, high, digits = 2 * low, 2 * high, digits + 1
            middle = between(low, high)
            pieces.append((middle, high, digits))
            if value_at(p, middle, digits) == 0:
                pieces.append((middle, middle, digits))
            pieces.append((low, middle, digits))


def between(low: int, high: int) -> int:
    """A number to cut at: the middle order of magnitude where low and high, both even, differ by some, else halfway."""
    return 1 << (low.bit_length() + high.bit_length() - 1 >> 1) if high > 4 * low else (low + high) // 2
