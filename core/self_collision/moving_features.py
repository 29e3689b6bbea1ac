# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of moving triangles of one mesh: when do corners and faces, or two sides, meet that have no common vertex?

What floats decide (continuous/first_contact.py) is decided here, without any call from Python. Of the rest a proof that
the triangles keep off each other (moving_neighbours.py) is looked for in slices of the time, as rational arithmetic
takes longer.
"""
import math

import numpy as np

from ..continuous.first_contact import HIT, MAX_PIECES_WAITING, MISS, PIECE_COLUMNS, first_contacts
from ..machine_code.jit import kernel, unsigned
from ..records import Impacts, Motions
from .moving_neighbours import common_places, parted_in_slices, put_corners, same

MOST_FEATURES = 9               # pairs of sides; of corners and faces there are 6


def feature_scratch() -> tuple[Motions, Impacts, np.ndarray]:
    """Memory of one thread for `drop_decided`."""
    return (Motions(np.empty((MOST_FEATURES, 4, 3)), np.empty((MOST_FEATURES, 4, 3))),
            Impacts(np.empty(MOST_FEATURES), np.empty(MOST_FEATURES, np.uint8)),
            np.empty((MAX_PIECES_WAITING, PIECE_COLUMNS)))


@kernel
def drop_decided(candidates, count, objects, before, after, vertex_face, edge_edge, motions, impacts, stack, scratch,
                 toi):
    """Drop the candidates of which floats decide when they first meet, and lower the times of their rows to that;
    returns how many are left, at the front.

    candidates, objects, before, after, scratch: as for `drop_parted_all_the_while`; vertex_face, edge_edge: PointRows;
    motions, impacts, stack: of `feature_scratch`; toi: (pairs,) float64, of each row.
    """
    P = scratch.before
    Q = scratch.after
    kept = 0
    for k in range(unsigned(count)):
        row = unsigned(candidates[k, 0])
        obj = np.int64(objects[row])
        put_corners(candidates, k, obj, before, P)
        put_corners(candidates, k, obj, after, Q)
        number = _put_corners_and_faces(P, Q, motions)
        first_contacts(motions, 0, number, vertex_face, 1.0, scratch.begin, stack, impacts)
        one, soonest = _soonest(impacts, number)
        toi[row] = min(toi[row], soonest)
        number = _put_sides(P, Q, motions)
        first_contacts(motions, 0, number, edge_edge, 0.0, scratch.begin, stack, impacts)
        other, soonest = _soonest(impacts, number)
        toi[row] = min(toi[row], soonest)
        if one and other:
            continue
        common, i, j, p, q = common_places(P, Q)
        if common >= 0 and parted_in_slices(common, i, j, p, q, scratch):
            continue
        for x in range(3):
            candidates[kept, x] = candidates[k, x]
        kept += 1
    return kept


@kernel
def _soonest(impacts, number):
    """(whether all are decided, time of the first one that is a hit)."""
    decided = True
    soonest = math.inf
    for k in range(number):
        if impacts.status[k] == HIT:
            soonest = min(soonest, impacts.toi[k])
        else:
            decided &= impacts.status[k] == MISS
    return decided, soonest


@kernel
def _put_corners_and_faces(P, Q, motions):
    """Write corners and faces that have no vertex in common all the while; returns how many they are. P, Q: (6,3),
    corners of both triangles at first and in the end."""
    number = 0
    for corner in range(6):
        face = 3 if corner < 3 else 0
        if not (_common(P, Q, corner, face) or _common(P, Q, corner, face + 1) or _common(P, Q, corner, face + 2)):
            _put(P, Q, corner, face, face + 1, face + 2, motions, number)
            number += 1
    return number


@kernel
def _put_sides(P, Q, motions):
    """The same of two sides."""
    number = 0
    for a in range(3):
        b = a + 1 if a < 2 else 0
        for c in range(3, 6):
            d = c + 1 if c < 5 else 3
            if not (_common(P, Q, a, c) or _common(P, Q, a, d) or _common(P, Q, b, c) or _common(P, Q, b, d)):
                _put(P, Q, a, b, c, d, motions, number)
                number += 1
    return number


@kernel
def _common(P, Q, i, j):
    return same(P, i, j) and same(Q, i, j)


@kernel
def _put(P, Q, a, b, c, d, motions, number):
    for x in range(3):
        motions.start[number, 0, x] = P[a, x]
        motions.start[number, 1, x] = P[b, x]
        motions.start[number, 2, x] = P[c, x]
        motions.start[number, 3, x] = P[d, x]
        motions.end[number, 0, x] = Q[a, x]
        motions.end[number, 1, x] = Q[b, x]
        motions.end[number, 2, x] = Q[c, x]
        motions.end[number, 3, x] = Q[d, x]
