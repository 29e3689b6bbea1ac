# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a piece of surface can be from another surface at most, by what its three corners know.

The distance to one triangle is convex. So on a piece with three corners it is at most the linear function that has its
values in the corners. Of several triangles the least such function counts. Its largest value on the piece is the value
of a game of three strategies against n: either player's best mixture is found among those that make up to three
strategies equal (L. Shapley and R. Snow, "Basic solutions of discrete games", 1950).
"""
import math

from ..machine_code.jit import kernel


@kernel
def envelope(D, n, enough, share):
    """The largest value on a piece of the least of n linear functions, rounding aside never too small; or a bound of it
    that is no larger than `enough`.

    D: (≥ n,3) float64, the value of each function in each corner. share: (3,) float64, written unless the result is
    no larger than `enough`: the corners' shares of a point where the least function is about as large as that.
    """
    upper = math.inf
    for i in range(n):
        upper = min(upper, max(D[i, 0], max(D[i, 1], D[i, 2])))
    if upper <= enough:
        return upper
    for i in range(n):
        for j in range(i):
            for k in range(3):
                upper = min(upper, _mixed_pair(D, i, j, k, (k + 1) % 3))
    if upper <= enough:
        return upper
    lower = -math.inf
    for k in range(3):
        lower = _keep_larger(D, n, share, lower, _at(0, k, k, 0.0), _at(1, k, k, 0.0), _at(2, k, k, 0.0))
    if lower >= upper:
        return upper
    for i in range(n):
        for j in range(i):
            for k in range(3):
                m = (k + 1) % 3
                p = D[i, k] - D[j, k]
                q = D[j, m] - D[i, m]
                if (p > 0.0) == (q > 0.0) and p + q != 0.0:
                    t = p / (p + q)
                    lower = _keep_larger(D, n, share, lower, _at(0, k, m, t), _at(1, k, m, t), _at(2, k, m, t))
    if lower >= upper:
        return upper
    for i in range(n):
        for j in range(i):
            for m in range(j):
                upper = min(upper, _mixed_triple(D, i, j, m))
                x = (D[i, 1] - D[j, 1]) * (D[i, 2] - D[m, 2]) - (D[i, 2] - D[j, 2]) * (D[i, 1] - D[m, 1])
                y = (D[i, 2] - D[j, 2]) * (D[i, 0] - D[m, 0]) - (D[i, 0] - D[j, 0]) * (D[i, 2] - D[m, 2])
                z = (D[i, 0] - D[j, 0]) * (D[i, 1] - D[m, 1]) - (D[i, 1] - D[j, 1]) * (D[i, 0] - D[m, 0])
                if _same_signs(x, y, z):
                    whole = x + y + z
                    lower = _keep_larger(D, n, share, lower, x / whole, y / whole, z / whole)
    return upper


@kernel
def _at(corner, k, m, t):
    """The share of a corner at the point t between the corners k and m."""
    return 1.0 - t if corner == k else t if corner == m else 0.0


@kernel
def _same_signs(x, y, z):
    """True where no two of three numbers have different signs, and their sum is not 0."""
    return x + y + z != 0.0 and min(x, min(y, z)) * max(x, max(y, z)) >= 0.0


@kernel
def _keep_larger(D, n, share, lower, x, y, z):
    """The larger of `lower` and the least function's value where the corners have the shares x, y, z, which are then
    written to share (3,)."""
    value = math.inf
    for i in range(n):
        value = min(value, x * D[i, 0] + y * D[i, 1] + z * D[i, 2])
    if value > lower:
        share[0] = x
        share[1] = y
        share[2] = z
        return value
    return lower


@kernel
def _mixed_pair(D, i, j, k, m):
    """The largest corner value of the mixture of the functions i and j that is equal in the corners k and m; infinity
    where there is none. Any mixture is a bound, so its rounding does not matter."""
    p = D[i, k] - D[i, m]
    q = D[j, m] - D[j, k]
    if not ((p > 0.0) == (q > 0.0) and p + q != 0.0):
        return math.inf
    t = p / (p + q)
    largest = 0.0
    for corner in range(3):
        largest = max(largest, (1.0 - t) * D[i, corner] + t * D[j, corner])
    return largest


@kernel
def _mixed_triple(D, i, j, m):
    """The same for the mixture of three functions that is equal in all corners."""
    p0 = D[i, 0] - D[i, 1]
    p1 = D[j, 0] - D[j, 1]
    p2 = D[m, 0] - D[m, 1]
    q0 = D[i, 0] - D[i, 2]
    q1 = D[j, 0] - D[j, 2]
    q2 = D[m, 0] - D[m, 2]
    x = p1 * q2 - p2 * q1
    y = p2 * q0 - p0 * q2
    z = p0 * q1 - p1 * q0
    if not _same_signs(x, y, z):
        return math.inf
    whole = x + y + z
    largest = 0.0
    for corner in range(3):
        largest = max(largest, (x * D[i, corner] + y * D[j, corner] + z * D[m, corner]) / whole)
    return largest
