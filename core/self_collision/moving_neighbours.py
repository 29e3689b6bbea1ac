# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of triangles of one mesh, each of whose vertices goes straight: do they keep off each other all the while?

`neighbours.py` over time. What a plane that does not turn parts at both ends of a slice of time it parts
all through it, as each side is linear in time; neighbours at an edge are not folded onto each other while what tells
so, a polynomial in time, has Bernstein coefficients of one sign. What has no such proof is decided by exact times of
impact (moving_features.py); where these would take rational arithmetic, halves, quarters and eighths of the time may
have a proof each (docs/moving-meshes.md).
"""
import math

import numpy as np

from ..geometry.float_bounds import UNIT
from ..machine_code.jit import kernel, unsigned
from ..records import PartedScratch

TURNS = 12                      # of the perceptron before a shorter time is tried
SLICES = 8                      # the shortest time is one of so many
# Shares of the sum of terms' sizes that their sum errs by; docs/moving-meshes.md has what suffices.
DOT_BOUND, AREA_BOUND, FLATNESS_BOUND = 8.0 * UNIT, 16.0 * UNIT, 64.0 * UNIT
PLACE_BOUND = 8.0 * UNIT        # of the largest coordinate: the rounding of where a corner is between the ends, twice
SMALLEST_SUM, LARGEST_SUM = 1e-200, 1e250       # between which nothing has overflowed, or underflowed notably
NOTHING_COMMON, COMMON_VERTEX, COMMON_EDGE = 0, 1, 2    # what two triangles have in common all the while


def parted_scratch() -> PartedScratch:
    return PartedScratch(np.empty((6, 3)), np.empty((6, 3)), np.empty((6, 3)), np.empty((6, 3)), np.empty((12, 5)),
                         np.empty(12), np.empty(5))


@kernel
def drop_parted_all_the_while(candidates, count, objects, before, after, spread, scratch):
    """Drop the candidates that certainly share no more than their common vertices at any time, as one plane proves;
    returns how many are left, at the front.

    candidates: (…,3) int32, rows of pair, slot, slot; objects: (pairs,) int32, objects of both Corners, which are where
    the triangles are at first and in the end; spread: (…) bool, see `fans.spread_vertices`; scratch: PartedScratch.
    """
    P = scratch.before
    Q = scratch.after
    kept = 0
    for k in range(unsigned(count)):
        obj = np.int64(objects[unsigned(candidates[k, 0])])
        if _have_spread_vertex(candidates, k, obj, before, spread):
            continue
        put_corners(candidates, k, obj, before, P)
        put_corners(candidates, k, obj, after, Q)
        common, i, j, p, q = common_places(P, Q)
        if common == NOTHING_COMMON and _parted_along_centres(P, Q):
            continue
        if common >= 0 and _parted_in(common, i, j, p, q, P, Q, 0.0, scratch):
            continue
        for x in range(3):
            candidates[kept, x] = candidates[k, x]
        kept += 1
    return kept


@kernel
def _have_spread_vertex(candidates, k, obj, corners, spread):
    """True where both triangles of a candidate have one of the spread vertices."""
    s = unsigned(corners.triangle_start[obj] + candidates[k, 1])
    t = unsigned(corners.triangle_start[obj] + candidates[k, 2])
    a = corners.triangles[t, 0]
    b = corners.triangles[t, 1]
    c = corners.triangles[t, 2]
    for i in range(unsigned(3)):
        v = corners.triangles[s, i]
        if ((v == a) | (v == b) | (v == c)) and spread[unsigned(corners.world_start[obj] + v)]:
            return True
    return False


@kernel
def _parted_along_centres(P, Q):
    """True where rows 0 … 2 are certainly beyond rows 3 … 5 all the while, along the way from the centre of these to
    that of those. P, Q: (6,3), at both ends: in between, how far one corner is beyond another one changes evenly."""
    x = P[0, 0] + P[1, 0] + P[2, 0] + Q[0, 0] + Q[1, 0] + Q[2, 0] - (
        P[3, 0] + P[4, 0] + P[5, 0] + Q[3, 0] + Q[4, 0] + Q[5, 0])
    y = P[0, 1] + P[1, 1] + P[2, 1] + Q[0, 1] + Q[1, 1] + Q[2, 1] - (
        P[3, 1] + P[4, 1] + P[5, 1] + Q[3, 1] + Q[4, 1] + Q[5, 1])
    z = P[0, 2] + P[1, 2] + P[2, 2] + Q[0, 2] + Q[1, 2] + Q[2, 2] - (
        P[3, 2] + P[4, 2] + P[5, 2] + Q[3, 2] + Q[4, 2] + Q[5, 2])
    return _beyond(P, x, y, z) and _beyond(Q, x, y, z)


@kernel
def _beyond(R, x, y, z):
    """True where rows 0 … 2 of R are certainly farther along a direction than rows 3 … 5."""
    low = size = 0.0
    high = -math.inf
    for k in range(1, 6):
        a = x * (R[k, 0] - R[0, 0])
        b = y * (R[k, 1] - R[0, 1])
        c = z * (R[k, 2] - R[0, 2])
        size = max(size, abs(a) + abs(b) + abs(c))
        if k < 3:
            low = min(low, a + b + c)
        else:
            high = max(high, a + b + c)
    return (low - high > 2.0 * DOT_BOUND * size) & (size > SMALLEST_SUM) & (size < LARGEST_SUM)


@kernel
def put_corners(candidates, k, obj, corners, P):
    """P (6,3) becomes where the corners of both triangles of a candidate are."""
    for side in range(2):
        row = unsigned(corners.triangle_start[obj] + candidates[k, 1 + side])
        for i in range(3):
            v = unsigned(corners.world_start[obj] + corners.triangles[row, i])
            for x in range(3):
                P[3 * side + i, x] = corners.world[v, x]


@kernel
def common_places(P, Q):
    """(what is common, i, j, p, q): rows i and j are at one place all the while, and so are p and q, where it is an
    edge. -1: the triangles have more than that in common. P, Q: (6,3), their corners at both ends."""
    matches = 0
    i = j = p = q = 0
    for one in range(3):
        for other in range(3, 6):
            if same(P, one, other) and same(Q, one, other):
                if matches == 0:
                    i, j = one, other
                p, q = one, other
                matches += 1
    if matches == 0:
        return NOTHING_COMMON, i, j, p, q
    if i == p or j == q:                    # one place only, which corners of one of them share, if there are two
        return COMMON_VERTEX if matches <= 2 else -1, i, j, i, j
    return COMMON_EDGE if matches == 2 else -1, i, j, p, q


@kernel
def same(P, one, other):
    return P[one, 0] == P[other, 0] and P[one, 1] == P[other, 1] and P[one, 2] == P[other, 2]


@kernel
def parted_in_slices(common, i, j, p, q, scratch):
    """True where a proof is found for slices of the time that make up the whole. scratch: with the corners at both
    ends."""
    P = scratch.before
    Q = scratch.after
    largest = 0.0
    for row in range(6):
        for x in range(3):
            largest = max(largest, max(abs(P[row, x]), abs(Q[row, x])))
    rounding = PLACE_BOUND * largest
    begin = 0
    length = SLICES // 2
    while begin < SLICES:
        _between(P, Q, begin / SLICES, scratch.begin)
        _between(P, Q, (begin + length) / SLICES, scratch.end)
        if _parted_in(common, i, j, p, q, scratch.begin, scratch.end, rounding, scratch):
            begin += length
            if begin % (2 * length) == 0 and 2 * length < SLICES:
                length *= 2
        elif length == 1:
            return False
        else:
            length //= 2
    return True


@kernel
def _between(P, Q, t, R):
    """R becomes where the corners are at the time t."""
    for row in range(6):
        for x in range(3):
            R[row, x] = (1.0 - t) * P[row, x] + t * Q[row, x]


@kernel
def _parted_in(common, i, j, p, q, P, Q, rounding, scratch):
    """True where float64 proves that two triangles share no more than they have in common, while their corners go from
    P to Q. rounding: what a difference of two of these corners errs by, besides its own rounding."""
    if common == COMMON_EDGE:
        return _unfolded(P, Q, i, p, 3 - i - p, 12 - j - q, rounding)
    rows = scratch.rows
    count = 0
    if common == COMMON_VERTEX:
        for corner in range(6):
            if corner == i or corner == j:
                continue
            here, there = (i, j) if corner < 3 else (j, i)
            if same(scratch.before, corner, there) and same(scratch.after, corner, there):
                continue                    # a corner at the common vertex's place
            sign = 1.0 if corner < 3 else -1.0
            for end in range(2):
                R = P if end == 0 else Q
                size = 0.0
                for x in range(3):
                    rows[count, x] = sign * (R[corner, x] - R[here, x])
                    size = max(size, abs(rows[count, x]))
                if not size > 0.0:
                    return False
                rows[count, 3] = rows[count, 4] = 0.0
                scratch.inverse[count] = 1.0 / size
                count += 1
    else:
        length = 0.0
        for corner in range(6):
            sign = 1.0 if corner < 3 else -1.0
            for end in range(2):
                R = P if end == 0 else Q
                for x in range(3):
                    rows[count, x] = sign * (R[corner, x] - R[0, x])
                    length = max(length, abs(rows[count, x]))
                rows[count, 3 + end], rows[count, 4 - end] = sign, 0.0      # where the plane is may change evenly
                count += 1
        if not length > 0.0:
            return False
        for k in range(count):
            rows[k, 3] *= length
            rows[k, 4] *= length
            scratch.inverse[k] = 1.0 / length
    return _on_one_side(rows, count, rounding, scratch)


@kernel
def _on_one_side(rows, count, rounding, scratch):
    """True where a vector is found that has a certainly positive product with each of the rows (…,5), of which the
    first three numbers err by `rounding`; a perceptron (Rosenblatt, 1958)."""
    n = scratch.plane
    for x in range(5):
        n[x] = 0.0
        for k in range(count):
            n[x] += scratch.inverse[k] * rows[k, x]
    for _ in range(TURNS):
        wrong = 0
        slack = rounding * (abs(n[0]) + abs(n[1]) + abs(n[2]))
        a, b, c, d, e = n[0], n[1], n[2], n[3], n[4]
        for k in range(count):
            one = a * rows[k, 0]
            two = b * rows[k, 1]
            three = c * rows[k, 2]
            four = d * rows[k, 3] + e * rows[k, 4]          # of which one is 0
            size = abs(one) + abs(two) + abs(three) + abs(four)
            if not ((one + two + three + four > DOT_BOUND * size + slack) & (size > SMALLEST_SUM)
                    & (size < LARGEST_SUM)):
                wrong += 1
                for x in range(5):
                    n[x] += scratch.inverse[k] * rows[k, x]
        if wrong == 0:
            return True
    return False


@kernel
def _unfolded(P, Q, v, w, s, t, rounding):
    """True where float64 proves that two triangles with the common edge of rows v and w, and third corners s and t, are
    never folded onto each other, while their corners go from P to Q."""
    for axis in range(3):
        y = axis + 1 if axis < 2 else 0
        z = 3 - axis - y
        one = _side_of(P, Q, v, w, s, y, z, rounding)
        if one != 0 and one == -_side_of(P, Q, v, w, t, y, z, rounding):
            return True
    return _never_flat(P, Q, v, w, s, t, rounding)


@kernel
def _side_of(P, Q, v, w, s, y, z, rounding):
    """On which side of the edge from row v to row w, as seen along an axis, row s is all the while: 1 or -1; 0 where
    nobody knows. The product of edge and corner is quadratic in time: these are its Bernstein coefficients."""
    ey0 = P[w, y] - P[v, y]
    ez0 = P[w, z] - P[v, z]
    ey1 = Q[w, y] - Q[v, y]
    ez1 = Q[w, z] - Q[v, z]
    sy0 = P[s, y] - P[v, y]
    sz0 = P[s, z] - P[v, z]
    sy1 = Q[s, y] - Q[v, y]
    sz1 = Q[s, z] - Q[v, z]
    first = ey0 * sz0 - ez0 * sy0
    middle = (ey0 * sz1 - ez0 * sy1) + (ey1 * sz0 - ez1 * sy0)
    last = ey1 * sz1 - ez1 * sy1
    size_first = abs(ey0 * sz0) + abs(ez0 * sy0)
    size_middle = abs(ey0 * sz1) + abs(ez0 * sy1) + abs(ey1 * sz0) + abs(ez1 * sy0)
    size_last = abs(ey1 * sz1) + abs(ez1 * sy1)
    slack_first = 2.0 * rounding * (abs(ey0) + abs(ez0) + abs(sy0) + abs(sz0))
    slack_last = 2.0 * rounding * (abs(ey1) + abs(ez1) + abs(sy1) + abs(sz1))
    small = min(size_first, min(size_middle, size_last))
    large = max(size_first, max(size_middle, size_last))
    if not ((small > SMALLEST_SUM) & (large < LARGEST_SUM)):
        return 0
    if not ((abs(first) > AREA_BOUND * size_first + slack_first) & (abs(last) > AREA_BOUND * size_last + slack_last)
            & (abs(middle) > AREA_BOUND * size_middle + slack_first + slack_last)):
        return 0
    if first > 0.0 and middle > 0.0 and last > 0.0:
        return 1
    if first < 0.0 and middle < 0.0 and last < 0.0:
        return -1
    return 0


@kernel
def _never_flat(P, Q, v, w, s, t, rounding):
    """True where the two triangles are certainly in no common plane at any time: the determinant of the edge and both
    corners is cubic in time, and its Bernstein coefficients have one sign."""
    sizes = 1.0
    for row in (w, s, t):
        size = 0.0
        for x in range(3):
            size = max(size, max(abs(P[row, x] - P[v, x]), abs(Q[row, x] - Q[v, x])))
        size += rounding
        sizes *= size
        if not size > rounding * 2.0 ** 20:         # below that, what corners err by may be all there is
            return False
    bound = FLATNESS_BOUND * 6.0 * sizes + rounding * 64.0 * _pairs_of_sizes(P, Q, v, w, s, t, rounding)
    if not ((sizes > SMALLEST_SUM) & (sizes < LARGEST_SUM)):
        return False
    first = _determinant(P, P, P, v, w, s, t)
    second = _determinant(Q, P, P, v, w, s, t) + _determinant(P, Q, P, v, w, s, t) + _determinant(P, P, Q, v, w, s, t)
    third = _determinant(P, Q, Q, v, w, s, t) + _determinant(Q, P, Q, v, w, s, t) + _determinant(Q, Q, P, v, w, s, t)
    last = _determinant(Q, Q, Q, v, w, s, t)
    low = min(min(first, last), min(second, third) - 2.0 * bound)
    high = max(max(first, last), max(second, third) + 2.0 * bound)
    return low > bound or high < -bound


@kernel
def _pairs_of_sizes(P, Q, v, w, s, t, rounding):
    """The sum of the products of any two of three sizes: those of the edge and of both corners, seen from row v."""
    a = b = c = rounding
    for x in range(3):
        a = max(a, max(abs(P[w, x] - P[v, x]), abs(Q[w, x] - Q[v, x])))
        b = max(b, max(abs(P[s, x] - P[v, x]), abs(Q[s, x] - Q[v, x])))
        c = max(c, max(abs(P[t, x] - P[v, x]), abs(Q[t, x] - Q[v, x])))
    return a * b + b * c + c * a


@kernel
def _determinant(E, S, T, v, w, s, t):
    """That of the edge from row v to row w in E, of row s in S, and of row t in T, both seen from row v there."""
    ex, ey, ez = E[w, 0] - E[v, 0], E[w, 1] - E[v, 1], E[w, 2] - E[v, 2]
    sx, sy, sz = S[s, 0] - S[v, 0], S[s, 1] - S[v, 1], S[s, 2] - S[v, 2]
    tx, ty, tz = T[t, 0] - T[v, 0], T[t, 1] - T[v, 1], T[t, 2] - T[v, 2]
    return ex * (sy * tz - sz * ty) + ey * (sz * tx - sx * tz) + ez * (sx * ty - sy * tx)
