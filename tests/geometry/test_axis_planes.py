# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that a plane across an axis parts: what comparisons say they can share, beside rational arithmetic."""
import numpy as np
import pytest
from naive.triangle_pairs import CLASSES, draw, rotations, whole
from touchpoint.core.contacts import POINT
from touchpoint.core.geometry.axis_planes import ALL_CORNERS, APART, NOT_SEEN, SECOND, corners_that_meet
from touchpoint.core.geometry.orientation import EXPANSION_SIZE
from touchpoint.core.geometry.triangle_triangle import MOST_COMMON_POINTS, contact_of_corners
from touchpoint.core.reference import shared_part
from touchpoint.core.reference.triangle_pair import DISJOINT


def asked(a, b):
    """The bits, and both triangles of their corners alone, others being left out for one that stays."""
    bits = corners_that_meet(np.concatenate([a, b]))
    kept = [[i for i in range(3) if some >> i & 1] for some in (bits & ALL_CORNERS, bits >> SECOND)]
    return bits, *((side[(rows * 3)[:3]] if rows else None) for side, rows in zip((a, b), kept))


def side_by_side(rng, n, limit):
    """Small whole numbers, the one triangle up to the plane 0 along some axis, the other one from there, and two of
    three corners in it."""
    a, b = whole(rng, n, limit), whole(rng, n, limit)
    axis, rows = rng.integers(3, size=n), np.arange(n)
    for side, sign in ((a, -1), (b, 1)):
        along = side[rows, :, axis]
        side[rows, :, axis] = sign * np.abs(along) * (rng.random((n, 3)) < 1 / 3)
    return a, b


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_what_the_corners_span_is_all_that_is_shared(limit):
    said = {"apart": 0, "point": 0, "more": 0}
    for p, q in zip(*side_by_side(np.random.default_rng(limit), 500, limit)):
        bits, of_p, of_q = asked(p, q)
        shared = shared_part(p.tolist(), q.tolist())
        if bits == APART:
            said["apart"] += 1
            assert shared.kind == DISJOINT
        elif bits != NOT_SEEN:
            spanned = shared_part(of_p.tolist(), of_q.tolist())
            assert (spanned.kind, sorted(spanned.corners)) == (shared.kind, sorted(shared.corners))
            assert not shared.proper
            one_each = len(np.unique(of_p, axis=0)) == len(np.unique(of_q, axis=0)) == 1
            assert shared.kind == POINT or not one_each
            said["point" if one_each else "more"] += 1
    assert min(said.values()) > 5


@pytest.mark.parametrize("name", CLASSES)
def test_triangles_that_meet_are_never_called_apart(name):
    for p, q in zip(*draw(name, 100, seed=4)):
        if corners_that_meet(np.concatenate([p, q])) == APART:
            assert shared_part(p.tolist(), q.tolist()).kind == DISJOINT


def test_askew_nothing_is_seen():
    turn = rotations(np.random.default_rng(6), 1)[0]
    a = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]) @ turn
    b = np.array([(0.2, 0.2, -1), (0.3, 0.2, 1), (0.2, 0.3, 1)]) @ turn
    assert corners_that_meet(np.concatenate([a, b])) == NOT_SEEN


@pytest.mark.parametrize("limit", [2, 3, 6])
def test_the_number_of_shared_corners_is_exact(limit):
    scratch = np.empty(6, np.int64), np.empty(6), np.empty((6, 3)), np.empty((MOST_COMMON_POINTS, 3)), np.empty(
        EXPANSION_SIZE)
    kinds = np.zeros(4, int)
    for p, q in zip(*side_by_side(np.random.default_rng(10 + limit), 500, limit)):
        P = np.concatenate([p, q])
        bits = corners_that_meet(P)
        number = contact_of_corners(P, bits, *scratch) if bits not in (APART, NOT_SEEN) else NOT_SEEN
        if number != NOT_SEEN:
            shared = shared_part(p.tolist(), q.tolist())
            assert number == len(shared.corners)
            kinds[shared.kind] += 1
    assert kinds.min() > 3
