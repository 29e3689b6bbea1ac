# SPDX-License-Identifier: GPL-3.0-or-later
"""On which side of a plane, or of a line in a plane, does a point lie? Exact signs, accurate values.

Three steps, after Shewchuk 1997: float64 with his error bound, double-double, exact expansions. Numbers must lie in the
range that `scale_exponent` of triangle_triangle.py leaves, so that no product underflows.
"""
from ..machine_code.jit import kernel
from .expansion import dd_add, dd_minor, dd_product, grow, grow_product3, total, two_product, two_sum

BOUND_2D = 3.3306690738754716e-16       # (3 + 16·2^-53)·2^-53
BOUND_3D = 7.771561172376103e-16        # (7 + 56·2^-53)·2^-53
BOUND_DD = 2.0 ** -95                   # generous: each of the 11 double-double operations errs by 2^-102 at most
ACCURATE = 2.0 ** -8                    # above this share of the permanent a float64 value is good to 2^-42,
ACCURATE_DD = 2.0 ** -53                # and above this one a double-double value
EXPANSION_SIZE = 256                    # 6 products of three two-term differences: at most 192 terms


@kernel
def _add_products(expansion, n, x, x_low, y, y_low, z, z_low):
    """Add (x + x_low)(y + y_low)(z + z_low) to the expansion, exactly. Returns its number of terms."""
    for i in range(8):
        u = x_low if i & 1 else x
        v = y_low if i & 2 else y
        w = z_low if i & 4 else z
        if u != 0.0 and v != 0.0 and w != 0.0:
            n = grow_product3(expansion, n, u, v, w)
    return n


@kernel
def _short_minor(bx, by, cx, cy):
    """(s, e, True) with s + e = bx·cy − by·cx exactly; (…, False) where two numbers do not hold it."""
    p, p_low = two_product(bx, cy)
    q, q_low = two_product(by, cx)
    s, s_low = two_sum(p, -q)
    t, t_low = two_sum(p_low, -q_low)
    e, e_low = two_sum(s_low, t)
    return s, e, t_low == 0.0 and e_low == 0.0


@kernel
def _add_product(expansion, n, x, y, y_low):
    """Add x(y + y_low) to the expansion, exactly. Returns its number of terms."""
    p, p_low = two_product(x, y)
    if p_low != 0.0:
        n = grow(expansion, n, p_low)
    n = grow(expansion, n, p)
    if y_low != 0.0:
        p, p_low = two_product(x, y_low)
        n = grow(expansion, n, p_low)
        n = grow(expansion, n, p)
    return n


@kernel
def _sign_of_products(factors, minors, lows, permanent, expansion):
    """A number with the sign of the sum of three factors times what they are multiplied with, which two numbers each
    hold. Of whole numbers, and where factors are zero, plain sums are often exact, and mostly zero. So are those of
    other numbers of few digits, as single precision, but not seen to be: double-double tells signs of others, as of
    corners near each other, whose differences are exact, too."""
    value, exact = 0.0, True
    for i in range(3):
        p, p_low = two_product(factors[i], minors[i])
        value, low = two_sum(value, p)
        exact &= (p_low == 0.0) & (low == 0.0) & ((lows[i] == 0.0) | (factors[i] == 0.0))
    if exact:
        return value
    value, low = 0.0, 0.0
    for i in range(3):
        p, p_low = dd_product(factors[i], 0.0, minors[i], lows[i])
        value, low = dd_add(value, low, p, p_low)
    if abs(value) > BOUND_DD * permanent:
        return value
    n = 0
    for i in range(3):
        n = _add_product(expansion, n, factors[i], minors[i], lows[i])
    return total(expansion, n)


@kernel
def orientation3(P, a, b, c, d, accurate, expansion):
    """Six times the signed volume of the tetrahedron of four rows of P (k,3): the determinant of a−d, b−d, c−d.

    The sign is exact. With accurate = 1 the value is good to a relative 2^-40; with 0 only its sign means anything.
    expansion: (EXPANSION_SIZE,) float64, scratch.
    """
    ax, ax_low = two_sum(P[a, 0], -P[d, 0])
    ay, ay_low = two_sum(P[a, 1], -P[d, 1])
    az, az_low = two_sum(P[a, 2], -P[d, 2])
    bx, bx_low = two_sum(P[b, 0], -P[d, 0])
    by, by_low = two_sum(P[b, 1], -P[d, 1])
    bz, bz_low = two_sum(P[b, 2], -P[d, 2])
    cx, cx_low = two_sum(P[c, 0], -P[d, 0])
    cy, cy_low = two_sum(P[c, 1], -P[d, 1])
    cz, cz_low = two_sum(P[c, 2], -P[d, 2])
    permanent = (abs(ax) * (abs(by * cz) + abs(bz * cy)) + abs(ay) * (abs(bz * cx) + abs(bx * cz))
                 + abs(az) * (abs(bx * cy) + abs(by * cx)))
    value = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    if abs(value) > (ACCURATE if accurate else BOUND_3D) * permanent:
        return value
    if permanent == 0.0:        # every term is zero: points in a plane along an axis, as most flat things are
        return 0.0
    # Two equal points are common (shared vertices), and would need all 192 terms to cancel.
    if ((P[a, 0] == P[b, 0] and P[a, 1] == P[b, 1] and P[a, 2] == P[b, 2])
            or (P[b, 0] == P[c, 0] and P[b, 1] == P[c, 1] and P[b, 2] == P[c, 2])
            or (P[a, 0] == P[c, 0] and P[a, 1] == P[c, 1] and P[a, 2] == P[c, 2])):
        return 0.0
    if not accurate and (ax_low == 0.0 and ay_low == 0.0 and az_low == 0.0 and bx_low == 0.0 and by_low == 0.0
                         and bz_low == 0.0 and cx_low == 0.0 and cy_low == 0.0 and cz_low == 0.0):
        u, u_low, exact_u = _short_minor(by, bz, cy, cz)
        v, v_low, exact_v = _short_minor(bz, bx, cz, cx)
        w, w_low, exact_w = _short_minor(bx, by, cx, cy)
        if exact_u and exact_v and exact_w:
            return _sign_of_products((ax, ay, az), (u, v, w), (u_low, v_low, w_low), permanent, expansion)
    u, u_low = dd_minor(by, by_low, bz, bz_low, cy, cy_low, cz, cz_low)
    v, v_low = dd_minor(bz, bz_low, bx, bx_low, cz, cz_low, cx, cx_low)
    w, w_low = dd_minor(bx, bx_low, by, by_low, cx, cx_low, cy, cy_low)
    u, u_low = dd_product(ax, ax_low, u, u_low)
    v, v_low = dd_product(ay, ay_low, v, v_low)
    w, w_low = dd_product(az, az_low, w, w_low)
    u, u_low = dd_add(u, u_low, v, v_low)
    u, u_low = dd_add(u, u_low, w, w_low)
    if abs(u) > (ACCURATE_DD if accurate else BOUND_DD) * permanent:
        return u
    n = _add_products(expansion, 0, ax, ax_low, by, by_low, cz, cz_low)
    n = _add_products(expansion, n, -ax, -ax_low, bz, bz_low, cy, cy_low)
    n = _add_products(expansion, n, ay, ay_low, bz, bz_low, cx, cx_low)
    n = _add_products(expansion, n, -ay, -ay_low, bx, bx_low, cz, cz_low)
    n = _add_products(expansion, n, az, az_low, bx, bx_low, cy, cy_low)
    n = _add_products(expansion, n, -az, -az_low, by, by_low, cx, cx_low)
    return total(expansion, n)


@kernel
def orientation2(P, a, b, c, x, y, accurate, expansion):
    """Twice the signed area of three rows of P seen along an axis: the determinant of a−c, b−c in the columns x and y.

    Sign and accuracy as in `orientation3`.
    """
    ax, ax_low = two_sum(P[a, x], -P[c, x])
    ay, ay_low = two_sum(P[a, y], -P[c, y])
    bx, bx_low = two_sum(P[b, x], -P[c, x])
    by, by_low = two_sum(P[b, y], -P[c, y])
    permanent = abs(ax * by) + abs(ay * bx)
    value = ax * by - ay * bx
    if abs(value) > (ACCURATE if accurate else BOUND_2D) * permanent:
        return value
    if permanent == 0.0:
        return 0.0
    if not accurate and ax_low == 0.0 and ay_low == 0.0 and bx_low == 0.0 and by_low == 0.0:
        p, p_low = two_product(ax, by)
        q, q_low = two_product(ay, bx)
        return p - q if p != q else p_low - q_low       # rounding keeps the order of products
    u, u_low = dd_minor(ax, ax_low, ay, ay_low, bx, bx_low, by, by_low)
    if abs(u) > (ACCURATE_DD if accurate else BOUND_DD) * permanent:
        return u
    n = _add_products(expansion, 0, ax, ax_low, by, by_low, 1.0, 0.0)
    n = _add_products(expansion, n, -ay, -ay_low, bx, bx_low, 1.0, 0.0)
    return total(expansion, n)
