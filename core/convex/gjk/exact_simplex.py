# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact signs for hulls that only just meet, such as boxes that stand on each other.

The simplex where the search ended holds the origin or not. Exact signs tell where its corners, differences of given
points, are float64 numbers exactly, as they are for coordinates that share a lattice.
"""
from ...geometry.expansion import grow_product3, total, two_sum
from ...geometry.undecided import UNDECIDED
from ...machine_code.jit import kernel
from .gjk import MEET

SMALLEST_COORDINATE = 2.0 ** -250   # but zero: products of three and their rounding errors do not underflow
SIMPLEX_TERMS = 32                  # six products of three numbers, four terms each


@kernel
def find_touching(hulls_p, hulls_q, start, stop, scratch, found):
    """answer[k] = MEET where it is UNDECIDED and the last simplex certainly holds the origin, start ≤ k < stop.

    hulls_p, hulls_q: Hulls; scratch: HullScratch; found: HullAnswers, as `gjk.approach` leaves it.
    """
    P, first_p = hulls_p.points, hulls_p.starts
    Q, first_q = hulls_q.points, hulls_q.starts
    answer = found.answer
    corners = found.corners
    S = scratch.simplex
    for k in range(start, stop):
        if answer[k] == UNDECIDED:
            n = 0
            exact = True
            while n < 4 and corners[k, 2 * n] >= 0:
                for axis in range(3):
                    S[n, axis], rest = two_sum(P[first_p[k] + corners[k, 2 * n], axis],
                                               -Q[first_q[k] + corners[k, 2 * n + 1], axis])
                    exact &= (rest == 0.0) & ((S[n, axis] == 0.0) | (abs(S[n, axis]) > SMALLEST_COORDINATE))
                n += 1
            if exact and n > 0 and _holds_origin(S, n, scratch.expansion):
                answer[k] = MEET


@kernel
def _holds_origin(S, n, expansion):
    """True where the origin is in the hull of n corners. For a flat simplex the answer may be a wrong False."""
    if n == 1:
        return S[0, 0] == 0.0 and S[0, 1] == 0.0 and S[0, 2] == 0.0
    if n == 2:
        opposite = False
        for axis in range(3):
            if _area(S, 0, 1, axis, expansion) != 0.0:
                return False
            opposite |= (S[0, axis] > 0.0) & (S[1, axis] < 0.0) | (S[0, axis] < 0.0) & (S[1, axis] > 0.0)
        return opposite
    if n == 3:
        if _volume(S, 0, 1, 2, expansion) != 0.0:
            return False
        for axis in range(3):
            a = _area(S, 0, 1, axis, expansion)
            b = _area(S, 1, 2, axis, expansion)
            c = _area(S, 2, 0, axis, expansion)
            if a != 0.0 or b != 0.0 or c != 0.0:
                return (min(a, min(b, c)) >= 0.0) or (max(a, max(b, c)) <= 0.0)
        return False
    a = _volume(S, 1, 2, 3, expansion)
    b = -_volume(S, 0, 2, 3, expansion)
    c = _volume(S, 0, 1, 3, expansion)
    d = -_volume(S, 0, 1, 2, expansion)
    low = min(min(a, b), min(c, d))
    high = max(max(a, b), max(c, d))
    return (low >= 0.0 and high > 0.0) or (high <= 0.0 and low < 0.0)


@kernel
def _area(S, a, b, axis, expansion):
    """A number with the sign of the cross product of two corners along an axis."""
    y = (axis + 1) % 3
    z = (axis + 2) % 3
    n = grow_product3(expansion, 0, S[a, y], S[b, z], 1.0)
    n = grow_product3(expansion, n, S[a, z], -S[b, y], 1.0)
    return total(expansion, n)


@kernel
def _volume(S, a, b, c, expansion):
    """A number with the sign of the determinant of three corners."""
    n = 0
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        n = grow_product3(expansion, n, S[a, x], S[b, y], S[c, z])
        n = grow_product3(expansion, n, S[a, x], S[b, z], -S[c, y])
    return total(expansion, n)
