# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two boxes overlap, whose edges may have any directions? A float filter, then exact signs.

The differences of two boxes are a body with six edge directions (a zonotope). Each of its faces lies along two of them:
fifteen pairs, the fifteen axes of Gottschalk, Lin and Manocha, "OBBTree" (1996), who assume right angles. Only axes
that are exactly zero are left out: they belong to parallel edges or to edges of no length (docs/convex.md).
"""
import math

import numpy as np

from ..geometry.expansion import grow_product3, total, two_product, two_sum
from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from ..records import BoxScratch
from .gjk.gjk import APART, MEET

WIDTH_NOISE_RELATIVE = 2.0 ** -49   # of the terms of a width along an axis: twice its rounding (docs/convex.md)
SMALLEST_FACTOR, LARGEST_FACTOR = 2.0 ** -100, 2.0 ** 100       # no product of four of them under- or overflows
BOX_TERMS = 256                 # 60 products of three numbers, four terms each


def box_scratch() -> BoxScratch:
    """Memory for `overlaps`."""
    return BoxScratch(np.empty((6, 3)), np.empty((7, 3)), np.empty((3, 3)), np.empty(BOX_TERMS))


@kernel
def overlaps(first, second, start, stop, scratch, answer):
    """answer[k] = APART, MEET or UNDECIDED for the boxes start ≤ k < stop of two sides, Parallelepipeds. answer: (N,)
    uint8; scratch: BoxScratch."""
    for k in range(start, stop):
        answer[k] = _overlap(k, first, second, scratch)


@kernel
def _overlap(k, first, second, scratch):
    """APART, MEET or UNDECIDED for one pair of boxes."""
    c1, R1, h1 = first.centres, first.axes, first.half_sizes
    c2, R2, h2 = second.centres, second.axes, second.half_sizes
    C = scratch.directions
    G = scratch.half_edges
    T = scratch.offset
    low = math.inf
    high = 0.0
    apart = False
    for x in range(3):
        T[0, x], T[1, x] = two_sum(c2[k, x], -c1[k, x])
        reach = 0.0
        for i in range(3):
            C[i, x] = R1[k, x, i]
            C[3 + i, x] = R2[k, x, i]
            G[i, x] = C[i, x] * h1[k, i]
            G[3 + i, x] = C[3 + i, x] * h2[k, i]
            reach += abs(G[i, x]) + abs(G[3 + i, x])
            for value in (C[i, x], C[3 + i, x], h1[k, i], h2[k, i], c1[k, x], c2[k, x]):
                high = max(high, abs(value))
                low = min(low, abs(value) if value != 0.0 else low)
        G[6, x] = reach
        apart |= abs(T[0, x]) - reach > WIDTH_NOISE_RELATIVE * (abs(T[0, x]) + reach)
    if low < SMALLEST_FACTOR or high > LARGEST_FACTOR:
        return UNDECIDED
    if apart:
        return APART
    open_axes = 0
    solid = False
    for a in range(5):
        if (h1[k, a] if a < 3 else h2[k, a - 3]) == 0.0:
            continue
        for b in range(a + 1, 6):
            if (h1[k, b] if b < 3 else h2[k, b - 3]) == 0.0:
                continue
            width, gap, noise = _axis(C, G, T, a, b)
            if gap > noise:
                return APART
            solid |= width > noise
            if gap >= -noise and not _parallel(C, a, b):
                open_axes |= 1 << (6 * a + b)
    if not solid:
        return UNDECIDED
    for a in range(5):
        for b in range(a + 1, 6):
            if open_axes >> (6 * a + b) & 1 and _exact_gap(C, T, h1, h2, k, a, b, scratch.expansion) > 0.0:
                return APART
    return MEET


@kernel
def _axis(C, G, T, a, b):
    """(half the width of both boxes, the gap beyond it, what both may err by) along the axis across edges a and b."""
    offset = 0.0
    noise = 0.0
    for x in range(3):
        y = (x + 1) % 3
        z = (x + 2) % 3
        p = C[a, y] * C[b, z]
        q = C[a, z] * C[b, y]
        T[2, x] = p - q
        offset += T[2, x] * T[0, x]
        noise += (abs(p) + abs(q)) * (abs(T[0, x]) + G[6, x])
    width = 0.0
    for c in range(6):
        if c != a and c != b:
            width += abs(T[2, 0] * G[c, 0] + T[2, 1] * G[c, 1] + T[2, 2] * G[c, 2])
    return width, abs(offset) - width, WIDTH_NOISE_RELATIVE * noise


@kernel
def _parallel(C, a, b):
    """True for edges that are certainly parallel: equal, opposite, or along the same coordinate axis."""
    equal = True
    opposite = True
    along = True
    for x in range(3):
        y = (x + 1) % 3
        equal &= C[a, x] == C[b, x]
        opposite &= C[a, x] == -C[b, x]
        along &= (C[a, x] == 0.0 or C[b, y] == 0.0) and (C[a, y] == 0.0 or C[b, x] == 0.0)
    return equal or opposite or along


@kernel
def _add_triple(expansion, n, C, a, b, x, y, z, sign):
    """Number of terms after sign·(C[a] × C[b])·(x, y, z) is added, exactly, to an expansion of n terms."""
    for axis in range(3):
        value = sign * (x if axis == 0 else y if axis == 1 else z)
        if value == 0.0:
            continue
        i = (axis + 1) % 3
        j = (axis + 2) % 3
        if C[a, i] != 0.0 and C[b, j] != 0.0:
            n = grow_product3(expansion, n, C[a, i], C[b, j], value)
        if C[a, j] != 0.0 and C[b, i] != 0.0:
            n = grow_product3(expansion, n, C[a, j], -C[b, i], value)
    return n


@kernel
def _exact_gap(C, T, h1, h2, k, a, b, expansion):
    """The gap between the boxes along the axis across edges a and b, with an exact sign."""
    n = _add_triple(expansion, 0, C, a, b, T[0, 0], T[0, 1], T[0, 2], 1.0)
    n = _add_triple(expansion, n, C, a, b, T[1, 0], T[1, 1], T[1, 2], 1.0)
    side = 1.0 if total(expansion, n) >= 0.0 else -1.0
    widths = 0
    for c in range(6):
        n = _add_triple(expansion, 0, C, a, b, C[c, 0], C[c, 1], C[c, 2], 1.0)
        if total(expansion, n) < 0.0:
            widths |= 1 << c
    n = _add_triple(expansion, 0, C, a, b, T[0, 0], T[0, 1], T[0, 2], side)
    n = _add_triple(expansion, n, C, a, b, T[1, 0], T[1, 1], T[1, 2], side)
    for c in range(6):
        if c != a and c != b:
            half = h1[k, c] if c < 3 else h2[k, c - 3]
            sign = 1.0 if widths >> c & 1 else -1.0
            x, x_low = two_product(C[c, 0], half)
            y, y_low = two_product(C[c, 1], half)
            z, z_low = two_product(C[c, 2], half)
            n = _add_triple(expansion, n, C, a, b, x, y, z, sign)
            n = _add_triple(expansion, n, C, a, b, x_low, y_low, z_low, sign)
    return total(expansion, n)
