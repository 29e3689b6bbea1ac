# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact sums and products of float64, and double-double arithmetic.

After Dekker (1971), Knuth (TAOCP 2) and Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
Geometric Predicates" (1997). An expansion is an array of float64, smallest first, whose exact sum is the number.
Everything is exact while no product underflows. The caller scales its numbers so that none does (`scale_exponent` in
triangle_triangle.py).
"""
from ..machine_code.jit import kernel

SPLITTER = 134217729.0      # 2^27 + 1


@kernel
def two_sum(a, b):
    """(s, e) with s + e = a + b exactly, s the rounded sum."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@kernel
def two_product(a, b):
    """(p, e) with p + e = a·b exactly, p the rounded product. By Dekker's splitting, which needs no fused
    multiply-add."""
    p = a * b
    c = SPLITTER * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = SPLITTER * b
    b_high = c - (c - b)
    b_low = b - b_high
    return p, a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)


@kernel
def grow(expansion, n, b):
    """Add b to an expansion of n terms in place, dropping zeros. Returns the new number of terms, 0 for the number
    zero."""
    q = b
    m = 0
    for i in range(n):
        q, h = two_sum(q, expansion[i])
        if h != 0.0:
            expansion[m] = h
            m += 1
    if q != 0.0:
        expansion[m] = q
        m += 1
    return m


@kernel
def grow_product3(expansion, n, x, y, z):
    """Add x·y·z exactly. Returns the new number of terms, at most four more."""
    p, q = two_product(x, y)
    if q != 0.0:
        s, t = two_product(q, z)
        n = grow(expansion, n, t)
        n = grow(expansion, n, s)
    s, t = two_product(p, z)
    n = grow(expansion, n, t)
    return grow(expansion, n, s)


@kernel
def total(expansion, n):
    """The nearest float64, to an ulp or so. Its sign is exact, as the last term outweighs all others."""
    result = 0.0
    for i in range(n):
        result += expansion[i]
    return result


@kernel
def dd_add(a, a_low, b, b_low):
    """The double-double sum. Its error is at most 2^-104 (|a| + |b|)."""
    s, e = two_sum(a, b)
    t, f = two_sum(a_low, b_low)
    e += t
    s, e = two_sum(s, e)
    e += f
    return two_sum(s, e)


@kernel
def dd_product(a, a_low, b, b_low):
    """The double-double product. Its error is at most 2^-102 |a·b|."""
    p, e = two_product(a, b)
    e += a * b_low + a_low * b
    return two_sum(p, e)
