# SPDX-License-Identifier: GPL-3.0-or-later
"""The float filter for times of impact: nearly every query is answered here, for certain; the rest stays UNDECIDED.

Time is cut into pieces, the earliest first. A piece is dropped when its coplanarity cubic is certainly not zero there
or when a direction separates the two sides. A piece in which the cubic certainly changes sign is cut closely around
its root. A short piece is a hit when the cubic changes sign and the point of contact is inside all the while. The time
reported is the beginning of that piece: nothing before it can be a contact.
"""
import math

from ..geometry.undecided import UNDECIDED
from ..machine_code.jit import kernel
from .cubic import CUBIC_BOUND, SPLIT_BOUND, around_root, coplanarity, split
from .separation import APART, INSIDE, apart_along_axis, probe

MISS, HIT, INVALID = 0, 1, 3        # statuses beside UNDECIDED
LARGEST_MOTION, SMALLEST_MOTION = 1e60, 1e-60   # outside, a product of degree four might over- or underflow unnoticed
SHORTEST_PIECE = 2.0 ** -32 # a shorter piece of time is not cut again
PIECE_TIME_SLACK = 2.0 ** -46   # more than the rounding of the ends of pieces, after MAX_CUTS cuts and 32 bisections
MAX_CUTS = 8                # around roots, per query
MAX_PIECES = 160            # looked at per query; a piece costs some 50 ns
MAX_PIECES_WAITING = 80
PIECE_COLUMNS = 7           # begin, end, four coefficients, bound on their errors


@kernel
def first_contacts(motions, begin, end, rows, face, M, stack, impacts):
    """Fill rows begin … end - 1 of `impacts`: MISS, HIT, UNDECIDED, or INVALID (NaN or infinity). Returns how many are
    UNDECIDED.

    motions: Motions; rows: PointRows. face: 1.0 for vertex and face, 0.0 for two edges. M: (6,3), stack:
    (MAX_PIECES_WAITING, PIECE_COLUMNS) float64, scratch.
    """
    vectors = rows.vectors
    toi = impacts.toi
    status = impacts.status
    e = vectors[0, 0]
    e_from = vectors[0, 1]
    f = vectors[1, 0]
    f_from = vectors[1, 1]
    w = vectors[2, 0]
    w_from = vectors[2, 1]
    undecided = 0
    for i in range(begin, end):
        x0 = motions.start[i]
        x1 = motions.end[i]
        # Straight on and in scalars: most queries end here, and as a loop over the axes this takes twice the time.
        e0 = difference(x0, e, e_from)
        f0 = difference(x0, f, f_from)
        w0 = difference(x0, w, w_from)
        e1 = difference(x1, e, e_from)
        f1 = difference(x1, f, f_from)
        w1 = difference(x1, w, w_from)
        b0, b1, b2, b3 = coplanarity(e0, f0, w0, e1, f1, w1)
        size_e = largest(e0, e1)
        size_f = largest(f0, f1)
        size_w = largest(w0, w1)
        bound = CUBIC_BOUND * size_e * size_f * size_w
        # Comparisons, as min and max may pass over NaN.
        never = (((b0 > bound) & (b1 > bound) & (b2 > bound) & (b3 > bound))
                 | ((b0 < -bound) & (b1 < -bound) & (b2 < -bound) & (b3 < -bound)))
        usual = ((min(size_e, min(size_f, size_w)) > SMALLEST_MOTION)
                 & (max(size_e, max(size_f, size_w)) < LARGEST_MOTION))
        status[i] = MISS
        toi[i] = math.inf
        if never & usual:
            continue
        # NaN and infinity spoil the coefficients at their end of time.
        if not abs(b0) + abs(b3) < math.inf and not finite(x0, x1):
            status[i] = INVALID
        elif not apart_along_axis(x0, x1, rows.sides):
            put(stack, 0, 0.0, 1.0, b0, b1, b2, b3, bound)
            status[i], toi[i] = look_closer(x0, x1, vectors, face, size_e, size_f, size_w, M, stack)
            undecided += status[i] == UNDECIDED
    return undecided


@kernel
def difference(points, i, j):
    """(x, y, z) from point j to point i."""
    return points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]


@kernel
def largest(u, v):
    """The largest absolute value of six numbers."""
    return max(max(max(abs(u[0]), abs(u[1])), max(abs(u[2]), abs(v[0]))), max(abs(v[1]), abs(v[2])))


@kernel
def look_closer(x0, x1, vectors, face, size_e, size_f, size_w, M, stack):
    """(status, time of first contact) of a query whose cubic may be zero somewhere: see `first_contacts`. x0, x1: its
    points, (4,3)."""
    if not (((size_e > SMALLEST_MOTION) | (size_e == 0.0)) & ((size_f > SMALLEST_MOTION) | (size_f == 0.0))
            & ((size_w > SMALLEST_MOTION) | (size_w == 0.0)) & (max(size_e, max(size_f, size_w)) < LARGEST_MOTION)):
        return UNDECIDED, 0.0
    for k in range(3):
        for x in range(3):
            M[k, x] = x0[vectors[k, 0], x] - x0[vectors[k, 1], x]
            M[3 + k, x] = x1[vectors[k, 0], x] - x1[vectors[k, 1], x]
    return search(M, face, size_e, size_f, size_w, stack)


@kernel
def finite(x0, x1):
    """True where no coordinate is NaN or infinite. x0, x1: (4,3)."""
    good = True
    for i in range(4):
        for x in range(3):
            good &= (abs(x0[i, x]) < math.inf) & (abs(x1[i, x]) < math.inf)
    return good


@kernel
def search(M, face, size_e, size_f, size_w, stack):
    """(status, time of first contact) of one query; stack[0] is the whole of its time. Sizes as for `probe`."""
    waiting = 1
    cuts = 0
    for _ in range(MAX_PIECES):
        if waiting == 0:
            return MISS, math.inf
        waiting -= 1
        piece = stack[waiting]
        begin, end, b0, b1, b2, b3, bound = piece[0], piece[1], piece[2], piece[3], piece[4], piece[5], piece[6]
        if (min(min(b0, b1), min(b2, b3)) > bound) | (max(max(b0, b1), max(b2, b3)) < -bound):
            continue
        early = max(0.0, begin - PIECE_TIME_SLACK)
        verdict = probe(M, face, early, min(1.0, end + PIECE_TIME_SLACK), size_e, size_f, size_w)
        if verdict == APART:
            continue
        width = end - begin
        changes = (min(b0, b3) < -bound) & (max(b0, b3) > bound)
        if width <= SHORTEST_PIECE:
            if changes and verdict == INSIDE:
                return HIT, early
            return UNDECIDED, early
        if (waiting + 3 > MAX_PIECES_WAITING) | (cuts == MAX_CUTS):
            return UNDECIDED, early
        bound += 2.0 * SPLIT_BOUND * max(max(abs(b0), abs(b1)), max(abs(b2), abs(b3)))
        x = 0.5
        reach = 1.0
        if changes:
            x, reach = around_root(b0, b1, b2, b3, bound)
        if 4.0 * reach * width < SHORTEST_PIECE:
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
    return UNDECIDED, max(0.0, stack[waiting - 1, 0] - PIECE_TIME_SLACK)


@kernel
def put(stack, row, begin, end, b0, b1, b2, b3, bound):
    """Write a piece of time to a row of the stack."""
    piece = stack[row]
    piece[0], piece[1], piece[2], piece[3], piece[4], piece[5], piece[6] = begin, end, b0, b1, b2, b3, bound
