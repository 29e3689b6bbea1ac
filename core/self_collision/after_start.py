# SPDX-License-Identifier: GPL-3.0-or-later
"""When do two triangles of one mesh collide that are together at the start, and do not collide there? In rational
arithmetic.

Such are slivers that lie along their neighbours, and sheets that tear where corners were at one place. That a corner
and a face, or two sides, meet at the start says nothing of later. They meet again at single times, or they are in one
plane all the while. Whether the triangles share more than an instant can change at such times only: so they are looked
at in the middle between each two of them.
"""
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ..continuous.exact import Motion
from ..reference import last_resort


def first_collision(x0, x1, features) -> float | None:
    """A time in [0, 1) from which on they collide, or at which they do, rounded down to float64, None where they do
    not.

    x0, x1: 6 × 3 finite floats, the corners of both at t = 0 and 1. features: (kind, four corners) of what has nothing
    in common all the while, as `exact.first_contact` takes them.
    """
    changes, meetings = {0.0, 1.0}, []
    for kind, four in features:
        motion = Motion([x0[k] for k in four], [x1[k] for k in four], kind)
        for root in motion.all_roots():
            changes.add(root.time())
            if motion.cubic and motion.touches(root):
                meetings.append(root.time())
    meetings = [time for time in meetings if 0.0 < time < 1.0]
    for begin, end in pairwise(sorted(changes)):
        middle = (Fraction(begin) + Fraction(end)) / 2
        corners = [[(1 - middle) * Fraction(p) + middle * Fraction(q) for p, q in zip(*ends)] for ends in zip(x0, x1)]
        if last_resort.meet_beyond(*np.array(corners, object).reshape(2, 3, 3)):
            return min([begin, *meetings])
    return min(meetings, default=None)
