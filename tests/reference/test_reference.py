# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference itself: cases worked out by hand, and a second, different algorithm on every class of pairs."""
from fractions import Fraction

import numpy as np
import pytest
from naive.basic_solutions import shared_corners
from naive.triangle_pairs import CLASSES, arrangements, draw
from touchpoint.core.contacts import AREA, POINT, SEGMENT
from touchpoint.core.reference import contacts_between, placed_vertices, shared_part
from touchpoint.core.reference.triangle_pair import DISJOINT

FLOOR = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]

BY_HAND = {
    # name: (triangle met by FLOOR, kind, corners, proper)
    "above": ([(1, 1, 1), (2, 1, 1), (1, 2, 1)], DISJOINT, [], False),
    "in the plane, apart": ([(4, 1, 0), (5, 1, 0), (4, 2, 0)], DISJOINT, [], False),
    "stands on the face": ([(1, 1, 0), (2, 1, 3), (1, 2, 3)], POINT, [(1, 1, 0)], False),
    "stands on the border": ([(2, 2, 0), (3, 3, 3), (3, 3, 4)], POINT, [(2, 2, 0)], False),
    "corner on corner": ([(4, 0, 0), (5, 0, 3), (5, 1, 3)], POINT, [(4, 0, 0)], False),
    "corner to corner in the plane": ([(4, 0, 0), (9, 0, 0), (9, 1, 0)], POINT, [(4, 0, 0)], False),
    "border across border": ([(2, -1, -1), (2, 1, 1), (2, -9, 9)], POINT, [(2, 0, 0)], False),
    "passes through": ([(1, 1, -1), (1, 1, 1), (9, 1, 1)], SEGMENT, [(1, 1, 0), (3, 1, 0)], True),
    "passes through from a corner on": ([(1, 1, 0), (1, 9, -1), (1, 9, 1)], SEGMENT, [(1, 1, 0), (1, 3, 0)], True),
    "stands on its border": ([(1, 1, 0), (2, 1, 0), (1, 1, 5)], SEGMENT, [(1, 1, 0), (2, 1, 0)], False),
    "common border": ([(0, 0, 0), (4, 0, 0), (2, 0, 5)], SEGMENT, [(0, 0, 0), (4, 0, 0)], False),
    "common border in the plane": ([(1, 0, 0), (9, 0, 0), (2, -5, 0)], SEGMENT, [(1, 0, 0), (4, 0, 0)], False),
    "the same": (FLOOR, AREA, FLOOR, False),
    "inside": ([(1, 1, 0), (2, 1, 0), (1, 2, 0)], AREA, [(1, 1, 0), (2, 1, 0), (1, 2, 0)], False),
    "six corners": ([(3, 2, 0), (-1, 2, 0), (1, -1, 0)], AREA, None, False),
    "a point on it": ([(1, 1, 0)] * 3, POINT, [(1, 1, 0)], False),
    "a point above": ([(1, 1, 1)] * 3, DISJOINT, [], False),
    "a segment through it": ([(1, 1, -1), (1, 1, 1), (1, 1, 1)], POINT, [(1, 1, 0)], False),
    "a segment in it": ([(1, 1, 0), (9, 1, 0), (5, 1, 0)], SEGMENT, [(1, 1, 0), (3, 1, 0)], False),
    "three on a line through it": ([(2, 1, 5), (2, 1, -5), (2, 1, 1)], POINT, [(2, 1, 0)], False),
}


def exact(points):
    return {tuple(map(Fraction, point)) for point in points}


@pytest.mark.parametrize("name", BY_HAND)
def test_cases_worked_out_by_hand(name):
    triangle, kind, corners, proper = BY_HAND[name]
    triangle, floor = np.array(triangle, float), np.array(FLOOR, float)
    for a, b in arrangements(floor, triangle):
        shared = shared_part(a.tolist(), b.tolist())
        assert (shared.kind, shared.proper) == (kind, proper)
        if corners is not None:
            assert set(shared.corners) == exact(corners) and len(shared.corners) == len(corners)
        else:
            assert len(shared.corners) == 6


def test_thirds_are_not_rounded():
    """The border x + y = 1/3-ish meets an edge in a point that no float can hold."""
    a = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    b = [(1.0, -1.0, 0.0), (1.0, 2.0, 0.0), (1.0, 2.0, 0.0)]
    assert set(shared_part(a, b).corners) == {(1, 0, 0), (1, Fraction(2, 3), 0)}


def test_farthest_corners_stand_for_an_area():
    shared = shared_part(np.array(FLOOR, float).tolist(), [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)])
    assert set(shared.ends()) == exact([(1, 0, 0), (0, 2, 0)])
    assert shared_part([(1.0, 1.0, 1.0)] * 3, [(1.0, 1.0, 1.0)] * 3).ends() == ((1, 1, 1), (1, 1, 1))


@pytest.mark.parametrize("name", CLASSES)
def test_second_algorithm_finds_the_same_corners(name):
    for a, b in zip(*(triangles.tolist() for triangles in draw(name, 8, seed=20))):
        shared, corners = shared_part(a, b), shared_corners(a, b)
        assert set(shared.corners) == corners and len(shared.corners) == len(corners), (a, b)
        assert shared.kind == min(len(corners), AREA)


def test_every_kind_occurs_in_the_classes():
    """The classes are worth something only if they hit, miss, touch and overlap."""
    kinds = {name: {shared_part(a, b).kind for a, b in zip(*(t.tolist() for t in draw(name, 60, seed=21)))}
             for name in ("random", "lattice", "near 1e-15", "coplanar lattice", "huge and tiny", "subnormal")}
    assert kinds["random"] == kinds["near 1e-15"] == {DISJOINT, SEGMENT}
    assert kinds["lattice"] >= {DISJOINT, POINT, SEGMENT}
    assert kinds["coplanar lattice"] == {DISJOINT, POINT, SEGMENT, AREA}
    assert kinds["huge and tiny"] >= {DISJOINT, POINT, SEGMENT}
    assert kinds["subnormal"] == {DISJOINT, POINT, SEGMENT, AREA}


def test_world_coordinates_are_rounded_in_the_defined_order():
    rng = np.random.default_rng(3)
    vertices, pose = rng.normal(size=(50, 3)), np.vstack([rng.normal(size=(3, 4)), (0, 0, 0, 1)])
    for (x, y, z), world in zip(vertices.tolist(), placed_vertices(vertices, pose).tolist()):
        assert world == [((m0 * x + m1 * y) + m2 * z) + m3 for m0, m1, m2, m3 in pose[:3].tolist()]


def test_contacts_are_those_of_all_pairs_of_triangles():
    """The boxes leave out only triangles that do not meet."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 6, (2, 25, 3, 3)).astype(float)
    a[..., 1:] += rng.integers(0, 3, (25, 1, 2))
    found = contacts_between(a, b)
    everything = [(i, j, shared_part(p, q)) for i, p in enumerate(a.tolist()) for j, q in enumerate(b.tolist())]
    assert [(c.triangle_a, c.triangle_b, c.shared) for c in found] == [row for row in everything if row[2].kind]
    assert len(found) > 50
    assert contacts_between(a, b[:0]) == contacts_between(a[:0], b) == []
