# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that a plane across an axis of the world parts but for what both have in it, as flush things that stand
straight have many: what of them can meet, by comparisons alone.

Let one triangle reach up to a plane x = c, and the other one begin there. Then all that they share is in that plane, so
it is shared by what each of them has there: a corner, an edge or all of it. What is left of both may be parted again,
along this or another axis. Corners that lie in several such planes span what the triangle has in all of them.
"""
import math

from ..machine_code.jit import kernel
from .common_corners import same_point

ALL_CORNERS = 0b111         # the bits of all corners of a triangle
APART, NOT_SEEN = 0, -1     # answers beside bits of corners
SECOND = 3                  # how far the bits of the second triangle are shifted


@kernel
def corners_that_meet(P):
    """The corners that span all that two triangles can share: bits of those of the first one, and above them those of
    the second one. APART where they share nothing; NOT_SEEN where no plane across an axis parts them.

    P: (6,3) float64, both triangles, finite and of any size. Where the answer has one corner of each, they are the same
    point. Else all that are left lie in one plane across an axis.
    """
    first = ALL_CORNERS
    second = ALL_CORNERS
    seen = False
    for x in range(3):
        low = min(min(P[0, x], P[1, x]), P[2, x])
        high = max(max(P[0, x], P[1, x]), P[2, x])
        other_low = min(min(P[3, x], P[4, x]), P[5, x])
        other_high = max(max(P[3, x], P[4, x]), P[5, x])
        if low > other_high or other_low > high:
            return APART
        if low == other_high or other_low == high:
            plane = low if low == other_high else high
            first &= _in_plane(P, 0, x, plane)
            second &= _in_plane(P, 3, x, plane)
            seen = True
    if not seen:
        return NOT_SEEN
    if first == 0 or second == 0:
        return APART
    if first & (first - 1) == 0 and second & (second - 1) == 0:
        return first | second << SECOND if same_point(P, first >> 1, 3 + (second >> 1)) else APART
    return _narrowed(P, first, second)


@kernel
def _in_plane(P, corner, x, plane):
    """Bits of the corners in the rows corner … corner+2 that lie in a plane across the axis x."""
    return (P[corner, x] == plane) + 2 * (P[corner + 1, x] == plane) + 4 * (P[corner + 2, x] == plane)


@kernel
def _narrowed(P, first, second):
    """The answer of `corners_that_meet`, from corners that lie in one plane."""
    same = 0                # axes one after the other along which nothing was left out
    x = 0
    while same < 3:
        low, high = _range(P, 0, first, x)
        other_low, other_high = _range(P, 3, second, x)
        if low > other_high or other_low > high:
            return APART
        same += 1
        if low == other_high or other_low == high:
            plane = low if low == other_high else high
            in_first = first & _in_plane(P, 0, x, plane)
            in_second = second & _in_plane(P, 3, x, plane)
            if in_first != first or in_second != second:
                same = 1
            first = in_first
            second = in_second
        x = (x + 1) % 3
    return first | second << SECOND


@kernel
def _range(P, corner, bits, x):
    """(low, high) along an axis, of those corners in the rows corner … corner+2 whose bits are set."""
    low = math.inf
    high = -math.inf
    for i in range(3):
        if bits >> i & 1:
            low = min(low, P[corner + i, x])
            high = max(high, P[corner + i, x])
    return low, high
