# SPDX-License-Identifier: GPL-3.0-or-later
"""GJK of swept hulls: a direction that may part two hulls all the while."""
import math

from ...convex.gjk.gjk import MEET, approach
from ...machine_code.jit import kernel
from ..directions import LONGEST_DIRECTION, SHORTEST_DIRECTION


@kernel
def parted_by_gjk(a, b, hulls, scratch):
    """`chosen` = the unit vector from the second to the first hull where the swept ones come nearest; zero
    where they meet.

    The way of the first one is seen from the second one's first corner, which rests then: of two that only glide the
    one swept set is exact. Of its points, both ends of the way, an end wins in each direction.
    """
    points = scratch.swept.points
    first = hulls.starts[a]
    count = hulls.counts[a]
    other = hulls.starts[b]
    for k in range(count):
        for x in range(3):
            points[k, x] = hulls.begin[first + k, x]
            points[count + k, x] = hulls.end[first + k, x] - (hulls.end[other, x] - hulls.begin[other, x])
    scratch.swept.counts[0] = 2 * count
    approach(scratch.swept, scratch.now_q, 0, 1, False, False, scratch.gjk, scratch.nearest, scratch.found)
    answer = scratch.found.answer[0]
    for k in range(8):
        scratch.found.corners[0, k] = -1        # numbers of swept points, which nobody knows later
    x = scratch.nearest[0, 0]
    y = scratch.nearest[0, 1]
    z = scratch.nearest[0, 2]
    length = math.sqrt(x * x + y * y + z * z)
    if answer != MEET and length > SHORTEST_DIRECTION and length < LONGEST_DIRECTION:
        scratch.chosen[0] = x / length
        scratch.chosen[1] = y / length
        scratch.chosen[2] = z / length
