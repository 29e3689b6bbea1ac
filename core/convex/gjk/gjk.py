# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of two convex hulls, and whether they meet, after Gilbert, Johnson and Keerthi (1988).

Everything about the hulls P and Q is asked of the set of differences D = {p − q}: the distance is that of D from the
origin. A simplex of at most four corners of D is led towards the origin, corner after corner; each is the lowest in
the direction of the closest point so far. What is answered is certain (docs/convex.md). The rest is UNDECIDED.
"""
import math

import numpy as np

from ...geometry.squares import squared
from ...geometry.undecided import UNDECIDED
from ...machine_code.jit import kernel
from .simplex import CLOSEST, certainly_inside, closest, weights
from .support import LANES, farthest, pack

APART, MEET = 0, 1          # answers beside UNDECIDED
MAX_GJK_ROUNDS = 64         # 4 to 12 are usual
HULL_NOISE = 2.0 ** -49     # of |direction|·size: twice what a support may err by rounding
CORNER_NOISE = 2.0 ** -50   # of the terms of a dot product: twice its rounding
GAP_OF_SQUARE = 2.0 ** -50  # the gap between the bounds that ends the search, as a share of the squared distance,
GAP_OF_SIZE = 2.0 ** -44    # or as a share of distance · size
TOUCH = 2.0 ** -50          # distances below this share of the size are left to exact arithmetic
WITNESS = 2.0 ** -43        # points whose difference is this far from the closest point of D are computed anew
LARGEST_HULL = 2.0 ** 150   # sizes beyond it, or below 1 / it, too


@kernel
def approach(hulls_p, hulls_q, start, stop, only_apart, warm, scratch, nearest, found):
    """Fill rows start … stop - 1 of `found`, HullAnswers: APART, MEET or UNDECIDED, and where the search ended. Returns
    how many are UNDECIDED.

    hulls_p, hulls_q: Hulls; scratch: HullScratch. With only_apart a search ends as soon as the two are certainly apart;
    otherwise nearest (N,3) is the point of D closest to the origin. With warm a search begins with the corners that
    `found` has.
    """
    P, first_p, count_p = hulls_p.points, hulls_p.starts, hulls_p.counts
    Q, first_q, count_q = hulls_q.points, hulls_q.starts, hulls_q.counts
    A = scratch.packed_p
    B = scratch.packed_q
    S = scratch.simplex
    answer = found.answer
    corners = found.corners
    undecided = 0
    for k in range(start, stop):
        p = first_p[k]
        q = first_q[k]
        last_p = count_p[k] - 1
        last_q = count_q[k] - 1
        blocks_p = (last_p + LANES) // LANES
        blocks_q = (last_q + LANES) // LANES
        # Between points in the hulls: halfway from the first point to the last, the centre of a box by its corners.
        x = 0.5 * ((P[p, 0] - Q[q, 0]) + (P[p + last_p, 0] - Q[q + last_q, 0]))
        y = 0.5 * ((P[p, 1] - Q[q, 1]) + (P[p + last_p, 1] - Q[q + last_q, 1]))
        z = 0.5 * ((P[p, 2] - Q[q, 2]) + (P[p + last_p, 2] - Q[q + last_q, 2]))
        i, size_p = pack(P, p, last_p + 1, A, -x, -y, -z)
        j, size_q = pack(Q, q, last_q + 1, B, x, y, z)
        i = min(i, last_p)
        j = min(j, last_q)
        size = size_p + size_q
        square = math.inf
        largest = size + abs(x) + abs(y) + abs(z)
        rounds = MAX_GJK_ROUNDS if (largest > 1.0 / LARGEST_HULL) & (largest < LARGEST_HULL) else 0
        narrow = squared(GAP_OF_SIZE * min(size, LARGEST_HULL))
        touch = squared(TOUCH * min(size, LARGEST_HULL))
        given = 4 if warm else 0
        status = UNDECIDED
        n = 0
        for step in range(rounds):
            if step < given:
                a = np.int64(corners[k, 2 * step])
                b = np.int64(corners[k, 2 * step + 1])
                if (a >= 0) & (a <= last_p) & (b >= 0) & (b <= last_q):
                    i = a
                    j = b
                else:
                    given = 0
            if step >= given and n > 0:
                i = min(farthest(A, blocks_p, -x, -y, -z), last_p)
                j = min(farthest(B, blocks_q, x, y, z), last_q)
            wx = P[p + i, 0] - Q[q + j, 0]
            wy = P[p + i, 1] - Q[q + j, 1]
            wz = P[p + i, 2] - Q[q + j, 2]
            height = x * wx + y * wy + z * wz
            if step < given:
                if n > 0 and height >= square:
                    continue
            else:
                gap = square - height
                ended = (n > 0) & ((gap <= GAP_OF_SQUARE * square) | (gap * gap <= narrow * square))
                if ended or (only_apart and height > 0.0):
                    noise = (HULL_NOISE * size * (abs(x) + abs(y) + abs(z))
                             + CORNER_NOISE * (abs(x * wx) + abs(y * wy) + abs(z * wz)))
                    if height > noise:
                        status = APART
                        break
                    if ended:
                        break
            S[n, 0] = wx
            S[n, 1] = wy
            S[n, 2] = wz
            S[n, 3] = i
            S[n, 4] = j
            n += 1
            before = square
            needed = closest(S, n)
            if needed == 15:
                if certainly_inside(S, scratch.weights):
                    status = MEET
                break
            n = 0
            for row in range(4):
                for column in range(5):
                    S[n, column] = S[row, column]
                n += needed >> row & 1
            x = S[CLOSEST, 0]
            y = S[CLOSEST, 1]
            z = S[CLOSEST, 2]
            square = S[CLOSEST, 3]
            if square >= before or square <= touch:
                if (wx == 0.0) & (wy == 0.0) & (wz == 0.0):
                    status = MEET
                break
        answer[k] = status
        undecided += status == UNDECIDED
        for row in range(4):
            corners[k, 2 * row] = np.int32(S[row, 3]) if row < n else -1
            corners[k, 2 * row + 1] = np.int32(S[row, 4]) if row < n else -1
        if not only_apart:
            nearest[k, 0] = x
            nearest[k, 1] = y
            nearest[k, 2] = z
    return undecided


@kernel
def witnesses(hulls_p, hulls_q, start, stop, scratch, found, distance, p, q):
    """Write distance (N,) and the closest points p, q (N,3) of the pairs start ≤ k < stop that are not UNDECIDED; those
    whose points are not good enough become it.

    p: at first, `nearest` of `approach`; the other arguments as there.
    """
    P, first_p = hulls_p.points, hulls_p.starts
    Q, first_q = hulls_q.points, hulls_q.starts
    S = scratch.simplex
    V = scratch.nearest
    L = scratch.weights
    answer = found.answer
    corners = found.corners
    for k in range(start, stop):
        if answer[k] == UNDECIDED:
            continue
        n = 0
        while n < 4 and corners[k, 2 * n] >= 0:
            for axis in range(3):
                S[n, axis] = P[first_p[k] + corners[k, 2 * n], axis] - Q[first_q[k] + corners[k, 2 * n + 1], axis]
            n += 1
        met = answer[k] == MEET
        for axis in range(3):
            V[axis] = 0.0 if met else p[k, axis]
        distance[k] = math.sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2])
        if n == 4:
            certainly_inside(S, L)
        else:
            weights(S, n, V, L)
        rest = 0.0
        size = distance[k]
        for axis in range(3):
            origin_p = P[first_p[k], axis]
            origin_q = Q[first_q[k], axis]
            at_p = 0.0
            at_q = 0.0
            difference = -V[axis]
            for c in range(n):
                local_p = P[first_p[k] + corners[k, 2 * c], axis] - origin_p
                local_q = Q[first_q[k] + corners[k, 2 * c + 1], axis] - origin_q
                at_p += L[c] * local_p
                at_q += L[c] * local_q
                difference += L[c] * S[c, axis]
                size = max(size, max(abs(local_p), abs(local_q)))
            p[k, axis] = origin_p + at_p
            q[k, axis] = p[k, axis] if met else origin_q + at_q
            rest = max(rest, abs(difference))
        if rest > WITNESS * size:
            answer[k] = UNDECIDED
