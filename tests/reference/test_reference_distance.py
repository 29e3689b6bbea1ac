# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact distances of triangles and meshes: cases worked out by hand, and the search in the hull of the differences."""
from fractions import Fraction as F

import numpy as np
import pytest
from naive.rational_convex import nearest_points
from naive.shapes import ball, box, moved
from naive.triangle_pairs import CLASSES, arrangements, draw
from touchpoint.core.reference.distance import mesh_gap, squared_box_gaps, triangle_gap

FLOOR = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]

BY_HAND = {
    # name: (triangle against FLOOR, squared distance, nearest points or None where there are many)
    "corner over the face": ([(1, 1, 3), (1, 2, 9), (2, 1, 9)], 9, ((1, 1, 0), (1, 1, 3))),
    "corner beside an edge": ([(1, -3, 4), (1, -9, 9), (2, -9, 9)], 25, ((1, 0, 0), (1, -3, 4))),
    "corner beyond a corner": ([(6, 0, 1), (9, 0, 9), (9, 1, 9)], 5, ((4, 0, 0), (6, 0, 1))),
    "edge across an edge": ([(1, -1, 1), (1, 1, 1), (1, -9, 9)], 1, ((1, 0, 0), (1, 0, 1))),
    "edge across an edge, outside": ([(2, -2, -1), (2, -2, 2), (9, -9, 0)], 4, ((2, 0, 0), (2, -2, 0))),
    "slanting edge before the slope": ([(3, 3, 5), (3, 3, -5), (9, 9, 0)], 2, ((2, 2, 0), (3, 3, 0))),
    "parallel above": ([(0, 0, 2), (4, 0, 2), (0, 4, 2)], 4, None),
    "in the plane beside it": ([(5, 0, 0), (7, 1, 0), (7, -1, 0)], 1, ((4, 0, 0), (5, 0, 0))),
    "a point over it": ([(1, 1, F(1, 7))] * 3, F(1, 49), ((1, 1, 0), (1, 1, F(1, 7)))),
    "a segment over its border": ([(-1, 1, 2), (-1, 1, 8), (-1, 1, 8)], 5, ((0, 1, 0), (-1, 1, 2))),
    "three on a line over it": ([(1, 1, 5), (1, 1, 1), (1, 1, 9)], 1, ((1, 1, 0), (1, 1, 1))),
    "meets it": ([(1, 1, -1), (1, 1, 1), (9, 9, 9)], 0, None),
    "touches its corner": ([(4, 0, 0), (5, 0, 1), (5, 1, 1)], 0, ((4, 0, 0), (4, 0, 0))),
    "lies in it": ([(1, 1, 0), (2, 1, 0), (1, 2, 0)], 0, None),
}


def squared_length(p, q):
    return sum((a - b) ** 2 for a, b in zip(p, q))


@pytest.mark.parametrize("name", BY_HAND)
def test_cases_worked_out_by_hand(name):
    triangle, squared, points = BY_HAND[name]
    floor, triangle = ([tuple(map(F, corner)) for corner in corners] for corners in (FLOOR, triangle))
    for a, b in arrangements(np.array(floor), np.array(triangle)):
        a, b = [tuple(corner) for corner in a], [tuple(corner) for corner in b]
        gap = triangle_gap(a, b)
        assert gap.squared == squared
        if points:
            swapped = set(a) == set(triangle) and set(b) == set(floor)
            assert (gap.on_a, gap.on_b) == (points[::-1] if swapped else points)


@pytest.mark.parametrize("name", CLASSES)
def test_distance_is_that_of_the_hulls(name):
    """Wolfe's search knows nothing of edges and corners; the points lie on the triangles and are as far apart."""
    for a, b in zip(*(triangles.tolist() for triangles in draw(name, 5, seed=30))):
        gap = triangle_gap(a, b)
        assert gap.squared == nearest_points(a, b).squared == triangle_gap(b, a).squared
        assert squared_length(gap.on_a, gap.on_b) == gap.squared
        assert nearest_points(a, [gap.on_a]).squared == nearest_points(b, [gap.on_b]).squared == 0


def corners_of(mesh):
    return mesh[0][mesh[1]]


def test_meshes_by_hand():
    a = corners_of(box())
    found = mesh_gap(a, corners_of(moved(box(), (3, 4, 0.5))))
    assert found.gap.squared == 13 and found.gap.on_a[:2] == (1, 1) and found.gap.on_b[:2] == (3, 4)
    assert mesh_gap(a, corners_of(moved(box(), (0.25, 0.25, 0.25)))).gap.squared == 0
    assert mesh_gap(a, corners_of(box((1, 1, 1), (2, 2, 2)))).gap.squared == 0
    inside = corners_of(box((0.25, 0.375, 0.375), (0.5, 0.5, 0.5)))
    assert mesh_gap(a, inside).gap.squared == F(1, 16) == mesh_gap(inside, a).gap.squared
    assert mesh_gap(a, a[:0]) is None is mesh_gap(a[:0], a)


def test_limit_is_a_closed_one():
    a, b = corners_of(box()), corners_of(moved(box(), (3, 0, 0)))
    assert mesh_gap(a, b, within=F(4)).gap.squared == 4
    assert mesh_gap(a, b, within=F(4) - F(1, 10 ** 40)) is None


@pytest.mark.parametrize("scale, shift", [(1.0, 0.0), (1e-200, 0.0), (1e200, 0.0), (1.0, 1e6)])
def test_meshes_are_as_near_as_their_nearest_triangles(scale, shift):
    rng = np.random.default_rng(5)
    for _ in range(4):
        a, b = (corners_of(ball(4, 3)) @ np.linalg.qr(rng.normal(size=(3, 3)))[0] * rng.uniform(0.3, 1) +
                side * rng.uniform(0.2, 2, 3) for side in (0, 1))
        a, b = a * scale + shift, b * scale + shift
        found = mesh_gap(a, b)
        gaps = {(i, j): triangle_gap(p, q).squared for i, p in enumerate(a.tolist()) for j, q in enumerate(b.tolist())}
        least = min(gaps.values())
        assert found.gap.squared == least
        assert (found.triangle_a, found.triangle_b) == min(pair for pair, squared in gaps.items() if squared == least)
        bounds, unit = squared_box_gaps(a, b)
        assert all(F(bounds[pair]) * unit <= squared for pair, squared in gaps.items())


@pytest.mark.parametrize("name", ["lattice", "unit lattice", "coplanar lattice", "random", "needle"])
def test_triangles_in_any_order_have_the_same_nearest_points(name):
    """Also where many points are as near, as of parallel edges."""
    for a, b in zip(*draw(name, 12, 4)):
        gap = triangle_gap(a.tolist(), b.tolist())
        if gap.squared:
            for i, (first, second) in enumerate(arrangements(a, b)):
                again = triangle_gap(first.tolist(), second.tolist())
                assert again.squared == gap.squared
                assert (again.on_a, again.on_b) == ((gap.on_a, gap.on_b) if i < 36 else (gap.on_b, gap.on_a))
