# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact sums and products of float64, and double-double arithmetic.

After Dekker (1971), Knuth (TAOCP 2) and Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
Geometric Predicates" (1997). An expansion is an array of float64, smallest first, whose exact sum is the number.
Everything is exact while no product underflows. The caller scales its numbers so that none does (`scale_exponent` in
triangle_triangle.py).
"""
from ..machine_code.fused import lost
from ..machine_code.jit import kernel


@kernel
def two_sum(a, b):
    """(s, e) with s + e = a + b exactly, s the rounded sum."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@kernel
def fast_two_sum(a, b):
    """`two_sum`, to the last bit, where |a| >= |b|, or a is 0 or a multiple of the last digit that b can have (Dekker
    1971)."""
    s = a + b
    return s, b - (s - a)


@kernel
def two_product(a, b):
    """(p, e) with p + e = a·b exactly, p the rounded product."""
    p = a * b
    return p, lost(a, b, p)


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
    """The double-double sum. Its error is at most 2^-104 (|a| + |b|).

    a_low and b_low are no more than half a digit of a and b, as everything here returns them. Where the sum s of a and
    b is below half of the larger one, it is exact: a multiple of the last digit of both, so of that of what is added.
    """
    s, e = two_sum(a, b)
    t, f = two_sum(a_low, b_low)
    e += t
    s, e = fast_two_sum(s, e)
    e += f
    return fast_two_sum(s, e)


@kernel
def dd_product(a, a_low, b, b_low):
    """The double-double product. Its error is at most 2^-102 |a·b|."""
    p, e = two_product(a, b)
    e += a * b_low + a_low * b
    return fast_two_sum(p, e)


@kernel
def dd_minor(ax, ax_low, ay, ay_low, bx, bx_low, by, by_low):
    """ax·by − ay·bx in double-double."""
    p, p_low = dd_product(ax, ax_low, by, by_low)
    q, q_low = dd_product(ay, ay_low, bx, bx_low)
    return dd_add(p, p_low, -q, -q_low)
