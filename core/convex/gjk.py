# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of two convex hulls, and whether they meet, after Gilbert, Johnson and Keerthi (1988).

Everything about the hulls P and Q is asked of the set of differences D = {p − q}: the distance is that of D from the
origin. A simplex of at most four corners of D is led towards the origin, corner after corner; each is the lowest in
the direction of the closest point so far. What is answered is certain (docs/convex.md): the rest is UNDECIDED.
"""
import math

import numpy as np

from ..jit import kernel
from .simplex import certainly_inside, closest, weights
from .support import BLOCK, LANES, farthest, largest, pack

APART, MEET, UNDECIDED = 1, 2, 3
ROUNDS = 64                 # 4 to 12 are usual
HULL_NOISE = 2.0 ** -49     # of |direction|·size: twice what a support may err by rounding
CORNER_NOISE = 2.0 ** -50   # of the terms of a dot product: twice its rounding
CLOSE = 2.0 ** -50          # the gap that ends the search, as a share of the squared distance,
NARROW = 2.0 ** -44         # or as a share of distance · size
TOUCH = 2.0 ** -50          # distances below this share of the size are left to exact arithmetic
WITNESS = 2.0 ** -43     # witnesses whose difference is this far from the closest point are computed anew
RANGE = 2.0 ** 150          # sizes beyond it, or below 1 / it, too


@kernel
def _middle(packed, count, axis):
    """A coordinate of a place within the hull: some of its points on average."""
    third = count // 3
    total = 0.0
    for number in (third, 2 * third, count - 1):
        total += packed[BLOCK * (number // LANES) + LANES * axis + number % LANES]
    return 0.25 * total


@kernel
def approach(P, first_p, count_p, Q, first_q, count_q, A, B, only_apart, warm, row, S, corner, V, other, L):
    """(APART, MEET or UNDECIDED, number of corners) of the hulls P[first_p:first_p + count_p] and Q[…].

    With only_apart the search ends as soon as they are certainly apart; otherwise V, S, corner say where they are
    closest. warm: (…,8) int32, its row has the corners to begin with (pairs of numbers, −1: no more), and gets the
    last ones; without rows no use is made of it. A, B: scratch of `support.pack`; S (4,3), corner (4,2) int64, V (4,),
    other (4,): scratch, results; L (4,): weights of the corners where the result is MEET.
    """
    blocks_p = pack(P, first_p, count_p, A)
    blocks_q = pack(Q, first_q, count_q, B)
    size = largest(A, blocks_p) + largest(B, blocks_q)
    V[0] = P[first_p, 0] - Q[first_q, 0] + _middle(A, count_p, 0) - _middle(B, count_q, 0)
    V[1] = P[first_p, 1] - Q[first_q, 1] + _middle(A, count_p, 1) - _middle(B, count_q, 1)
    V[2] = P[first_p, 2] - Q[first_q, 2] + _middle(A, count_p, 2) - _middle(B, count_q, 2)
    V[3] = math.inf
    extent = size + abs(V[0]) + abs(V[1]) + abs(V[2])
    if not (extent > 1.0 / RANGE and extent < RANGE):
        return UNDECIDED, 0
    narrow = (NARROW * size) ** 2
    touch = (TOUCH * size) ** 2
    given = 4 if warm.shape[0] > 0 else 0
    status = UNDECIDED
    n = 0
    for turn in range(ROUNDS):
        x = V[0]
        y = V[1]
        z = V[2]
        remembered = turn < given
        if remembered:
            i = np.int64(warm[row, 2 * turn])
            j = np.int64(warm[row, 2 * turn + 1])
            if i < 0 or i >= count_p or j < 0 or j >= count_q:
                given = 0
                remembered = False
        if not remembered:
            i = min(farthest(A, blocks_p, -x, -y, -z), count_p - 1)
            j = min(farthest(B, blocks_q, x, y, z), count_q - 1)
        wx = P[first_p + i, 0] - Q[first_q + j, 0]
        wy = P[first_p + i, 1] - Q[first_q + j, 1]
        wz = P[first_p + i, 2] - Q[first_q + j, 2]
        height = x * wx + y * wy + z * wz
        if remembered:
            if n > 0 and height >= V[3]:
                continue
        else:
            noise = (HULL_NOISE * size * (abs(x) + abs(y) + abs(z))
                     + CORNER_NOISE * (abs(x * wx) + abs(y * wy) + abs(z * wz)))
            gap = V[3] - height
            ended = gap <= CLOSE * V[3] or gap * gap <= narrow * V[3]
            if height > noise and (only_apart or (n > 0 and ended)):
                status = APART
                break
            if n > 0 and ended:
                break
        S[n, 0] = wx
        S[n, 1] = wy
        S[n, 2] = wz
        corner[n, 0] = i
        corner[n, 1] = j
        n += 1
        before = V[3]
        if n == 1:
            V[0] = wx
            V[1] = wy
            V[2] = wz
            V[3] = wx * wx + wy * wy + wz * wz
            needed = 1
            if wx == 0.0 and wy == 0.0 and wz == 0.0:
                L[0] = 1.0
                L[1] = 0.0
                L[2] = 0.0
                L[3] = 0.0
                status = MEET
                break
        else:
            needed = closest(S, n, V, other)
        if needed == 15:
            if certainly_inside(S, L):
                status = MEET
            break
        kept = 0
        for k in range(n):
            for axis in range(3):
                S[kept, axis] = S[k, axis]
            corner[kept, 0] = corner[k, 0]
            corner[kept, 1] = corner[k, 1]
            kept += needed >> k & 1
        n = kept
        if V[3] >= before or V[3] <= touch:
            break
    if warm.shape[0] > 0:
        for k in range(4):
            warm[row, 2 * k] = corner[k, 0] if k < n else -1
            warm[row, 2 * k + 1] = corner[k, 1] if k < n else -1
    return status, n


@kernel
def meets(P, first_p, count_p, Q, first_q, count_q, start, stop, warm, A, B, S, corner, V, other, L, answer):
    """answer[k] = APART, MEET or UNDECIDED for the pairs start ≤ k < stop.

    P, Q: (…,3) float64, the points of all hulls; first, count: (N,) int64, those of each pair; the rest: `approach`.
    """
    for k in range(start, stop):
        answer[k], _ = approach(P, first_p[k], count_p[k], Q, first_q[k], count_q[k], A, B, True, warm, k, S, corner,
                                V, other, L)


@kernel
def distances(P, first_p, count_p, Q, first_q, count_q, start, stop, warm, A, B, S, corner, V, other, L, answer,
              distance, p, q):
    """The same with distance (N,) and the closest points p, q (N,3), right where the answer is not UNDECIDED."""
    for k in range(start, stop):
        status, n = approach(P, first_p[k], count_p[k], Q, first_q[k], count_q[k], A, B, False, warm, k, S, corner, V,
                             other, L)
        answer[k] = status
        if status == UNDECIDED:
            continue
        if status == APART:
            weights(S, n, V, L)
            distance[k] = math.sqrt(V[3])
        else:
            distance[k] = 0.0
        rest = 0.0
        size = 0.0
        for axis in range(3):
            at_p = 0.0
            at_q = 0.0
            difference = 0.0 if status == MEET else -V[axis]
            for c in range(n):
                i = corner[c, 0]
                j = corner[c, 1]
                local_p = A[BLOCK * (i // LANES) + LANES * axis + i % LANES]
                local_q = B[BLOCK * (j // LANES) + LANES * axis + j % LANES]
                at_p += L[c] * local_p
                at_q += L[c] * local_q
                difference += L[c] * S[c, axis]
                size = max(size, max(abs(local_p), abs(local_q)))
            p[k, axis] = P[first_p[k], axis] + at_p
            q[k, axis] = p[k, axis] if status == MEET else Q[first_q[k], axis] + at_q
            rest = max(rest, abs(difference))
        if rest > WITNESS * (size + distance[k]):
            answer[k] = UNDECIDED
