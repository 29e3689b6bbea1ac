# SPDX-License-Identifier: GPL-3.0-or-later
"""The float filter for times of impact: nearly every query is answered here, for certain; the rest stays UNDECIDED.

Time is cut into pieces, the earliest first. A piece is dropped when its coplanarity cubic is certainly not zero there
or when a direction separates the two sides; a piece in which the cubic certainly changes sign is cut closely around
its root; and a short piece is a hit when the cubic changes sign and the point of contact is inside all the while. The
time reported is the beginning of that piece: nothing before it can be a contact.
"""
import math

from ..machine_code.jit import kernel
from .cubic import CUBIC_BOUND, SPLIT_BOUND, around_root, coplanarity, split
from .separation import APART, INSIDE, apart_along_axis, probe

MISS, HIT, UNDECIDED, INVALID = 0, 1, 2, 3
LARGEST = 1e60              # outside, a product of degree four might overflow or underflow unnoticed
SMALLEST = 1e-60
NARROW = 2.0 ** -32         # a piece of time shorter than this is not cut again
SLACK = 2.0 ** -46          # more than the rounding of the ends of pieces, after CUTS cuts and 32 bisections
CUTS = 8                    # around roots, per query
PIECES = 160                # looked at per query; a piece costs some 50 ns
STACK = 80                  # pieces waiting
COLUMNS = 7                 # of a waiting piece: begin, end, four coefficients, bound on their errors


@kernel
def first_contacts(X0, X1, begin, end, rows, face, M, stack, toi, status):
    """toi[i] and status[i] for the queries begin … end−1: MISS, HIT, UNDECIDED, or INVALID (NaN or infinity).

    The toi of an UNDECIDED query is a time before which there is no contact.

    X0, X1: (N,4,3) float64. rows: (11,) int64, see `apart_along_axis`, then the rows whose differences are e, f, w.
    face: 1.0 vertex and face, 0.0 two edges. M: (6,3), stack: (STACK, COLUMNS) float64, scratch.
    """
    e, e_from, f, f_from, w, w_from = rows[5], rows[6], rows[7], rows[8], rows[9], rows[10]
    for i in range(begin, end):
        x0 = X0[i]
        x1 = X1[i]
        # Straight on and in scalars: most queries end here, and as a loop over the axes this takes twice the time.
        ax = x0[e, 0] - x0[e_from, 0]
        ay = x0[e, 1] - x0[e_from, 1]
        az = x0[e, 2] - x0[e_from, 2]
        bx = x0[f, 0] - x0[f_from, 0]
        by = x0[f, 1] - x0[f_from, 1]
        bz = x0[f, 2] - x0[f_from, 2]
        px = x0[w, 0] - x0[w_from, 0]
        py = x0[w, 1] - x0[w_from, 1]
        pz = x0[w, 2] - x0[w_from, 2]
        cx = x1[e, 0] - x1[e_from, 0]
        cy = x1[e, 1] - x1[e_from, 1]
        cz = x1[e, 2] - x1[e_from, 2]
        dx = x1[f, 0] - x1[f_from, 0]
        dy = x1[f, 1] - x1[f_from, 1]
        dz = x1[f, 2] - x1[f_from, 2]
        qx = x1[w, 0] - x1[w_from, 0]
        qy = x1[w, 1] - x1[w_from, 1]
        qz = x1[w, 2] - x1[w_from, 2]
        b0, b1, b2, b3 = coplanarity(ax, ay, az, bx, by, bz, px, py, pz, cx, cy, cz, dx, dy, dz, qx, qy, qz)
        size_e = largest(ax, ay, az, cx, cy, cz)
        size_f = largest(bx, by, bz, dx, dy, dz)
        size_w = largest(px, py, pz, qx, qy, qz)
        bound = CUBIC_BOUND * size_e * size_f * size_w
        # Comparisons, as min and max may pass over NaN.
        never = (((b0 > bound) & (b1 > bound) & (b2 > bound) & (b3 > bound))
                 | ((b0 < -bound) & (b1 < -bound) & (b2 < -bound) & (b3 < -bound)))
        usual = (min(size_e, min(size_f, size_w)) > SMALLEST) & (max(size_e, max(size_f, size_w)) < LARGEST)
        status[i] = MISS
        toi[i] = math.inf
        if never & usual:
            continue
        # NaN and infinity spoil the coefficients at their end of time.
        if not abs(b0) + abs(b3) < math.inf and not finite(x0, x1):
            status[i] = INVALID
        elif not apart_along_axis(X0, X1, i, rows):
            put(stack, 0, 0.0, 1.0, b0, b1, b2, b3, bound)
            status[i], toi[i] = look_closer(X0, X1, i, rows, face, size_e, size_f, size_w, M, stack)


@kernel
def largest(a, b, c, d, e, f):
    """The largest absolute value."""
    return max(max(max(abs(a), abs(b)), max(abs(c), abs(d))), max(abs(e), abs(f)))


@kernel
def look_closer(X0, X1, i, rows, face, size_e, size_f, size_w, M, stack):
    """Status and time of first contact of a query whose cubic may be zero somewhere: see `first_contacts`."""
    if not (((size_e > SMALLEST) | (size_e == 0.0)) & ((size_f > SMALLEST) | (size_f == 0.0))
            & ((size_w > SMALLEST) | (size_w == 0.0)) & (max(size_e, max(size_f, size_w)) < LARGEST)):
        return UNDECIDED, 0.0
    for k in range(3):
        for x in range(3):
            M[k, x] = X0[i, rows[5 + 2 * k], x] - X0[i, rows[6 + 2 * k], x]
            M[3 + k, x] = X1[i, rows[5 + 2 * k], x] - X1[i, rows[6 + 2 * k], x]
    return search(M, face, size_e, size_f, size_w, stack)


@kernel
def finite(x0, x1):
    """No NaN and no infinity among the coordinates, (4,3) each."""
    good = True
    for i in range(4):
        for x in range(3):
            good &= (abs(x0[i, x]) < math.inf) & (abs(x1[i, x]) < math.inf)
    return good


@kernel
def search(M, face, size_e, size_f, size_w, stack):
    """Status and time of first contact of one query; stack[0] is the whole of its time. Sizes as for `probe`."""
    waiting = 1
    cuts = 0
    for _ in range(PIECES):
        if waiting == 0:
            return MISS, math.inf
        waiting -= 1
        piece = stack[waiting]
        begin, end, b0, b1, b2, b3, bound = piece[0], piece[1], piece[2], piece[3], piece[4], piece[5], piece[6]
        if (min(min(b0, b1), min(b2, b3)) > bound) | (max(max(b0, b1), max(b2, b3)) < -bound):
            continue
        early = max(0.0, begin - SLACK)
        verdict = probe(M, face, early, min(1.0, end + SLACK), size_e, size_f, size_w)
        if verdict == APART:
            continue
        width = end - begin
        changes = (min(b0, b3) < -bound) & (max(b0, b3) > bound)
        if width <= NARROW:
            if changes and verdict == INSIDE:
                return HIT, early
            return UNDECIDED, early
        if (waiting + 3 > STACK) | (cuts == CUTS):
            return UNDECIDED, early
        bound += 2.0 * SPLIT_BOUND * max(max(abs(b0), abs(b1)), max(abs(b2), abs(b3)))
        x = 0.5
        reach = 1.0
        if changes:
            x, reach = around_root(b0, b1, b2, b3, bound)
        if 4.0 * reach * width < NARROW:
            x_low = max(0.0, x - reach)
            y = (min(1.0, x + reach) - x_low) / (1.0 - x_low)
            l1, l2, middle, r1, r2 = split(b0, b1, b2, b3, x_low)
            root_begin = begin + x_low * width
            root_end = root_begin + y * (end - root_begin)
            p1, p2, beyond, q1, q2 = split(middle, r1, r2, b3, y)
            put(stack, waiting, root_end, end, beyond, q1, q2, b3, bound)
            put(stack, waiting + 1, root_begin, root_end, middle, p1, p2, beyond, bound)
            put(stack, waiting + 2, begin, root_begin, b0, l1, l2, middle, bound)
            waiting += 3
            cuts += 1
        else:
            l1, l2, middle, r1, r2 = split(b0, b1, b2, b3, 0.5)
            half = begin + 0.5 * width
            put(stack, waiting, half, end, middle, r1, r2, b3, bound)
            put(stack, waiting + 1, begin, half, b0, l1, l2, middle, bound)
            waiting += 2
    return UNDECIDED, max(0.0, stack[waiting - 1, 0] - SLACK)


@kernel
def put(stack, row, begin, end, b0, b1, b2, b3, bound):
    """Write a piece of time to a row of the stack."""
    piece = stack[row]
    piece[0], piece[1], piece[2], piece[3], piece[4], piece[5], piece[6] = begin, end, b0, b1, b2, b3, bound
