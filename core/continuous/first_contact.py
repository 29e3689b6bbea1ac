# SPDX-License-Identifier: GPL-3.0-or-later
"""The float filter for times of impact: nearly every query is answered here, for certain; the rest stays UNDECIDED.

Time is cut into pieces, the earliest first. A piece is dropped when its coplanarity cubic is certainly not zero there
or when a direction separates the two sides; a piece in which the cubic certainly changes sign is cut closely around
its root; and a short piece is a hit when the cubic changes sign and the point of contact is inside all the while. The
time reported is the beginning of that piece: nothing before it can be a contact.
"""
import math

from ..jit import kernel
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
        size_e = 0.0
        size_f = 0.0
        size_w = 0.0
        for x in range(3):
            M[0, x] = X0[i, e, x] - X0[i, e_from, x]
            M[1, x] = X0[i, f, x] - X0[i, f_from, x]
            M[2, x] = X0[i, w, x] - X0[i, w_from, x]
            M[3, x] = X1[i, e, x] - X1[i, e_from, x]
            M[4, x] = X1[i, f, x] - X1[i, f_from, x]
            M[5, x] = X1[i, w, x] - X1[i, w_from, x]
            size_e = max(size_e, max(abs(M[0, x]), abs(M[3, x])))
            size_f = max(size_f, max(abs(M[1, x]), abs(M[4, x])))
            size_w = max(size_w, max(abs(M[2, x]), abs(M[5, x])))
        b0, b1, b2, b3 = coplanarity(M)
        bound = CUBIC_BOUND * size_e * size_f * size_w
        toi[i] = math.inf
        status[i] = MISS
        usual = (((size_e > SMALLEST) | (size_e == 0.0)) & ((size_f > SMALLEST) | (size_f == 0.0))
                 & ((size_w > SMALLEST) | (size_w == 0.0)) & (max(size_e, max(size_f, size_w)) < LARGEST)
                 & (abs(b0) + abs(b1) + abs(b2) + abs(b3) < math.inf))      # NaN and infinity always get this far
        never = (min(min(b0, b1), min(b2, b3)) > bound) | (max(max(b0, b1), max(b2, b3)) < -bound)
        if never & usual:
            continue
        if not (usual or finite(X0[i], X1[i])):
            status[i] = INVALID
            continue
        if apart_along_axis(X0, X1, i, rows):
            continue
        if not usual:
            status[i] = UNDECIDED
            toi[i] = 0.0
            continue
        stack[0, 0], stack[0, 1] = 0.0, 1.0
        stack[0, 2], stack[0, 3], stack[0, 4], stack[0, 5], stack[0, 6] = b0, b1, b2, b3, bound
        status[i], toi[i] = search(M, face, size_e, size_f, size_w, stack)


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
