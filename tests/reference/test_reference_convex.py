# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact convex hulls: cases worked out by hand, and second opinions that do not search."""
from fractions import Fraction as F
from itertools import combinations, product

import numpy as np
import pytest
from naive.basic_solutions import only_solution
from naive.rational_convex import box_corners, boxes_meet, hulls_meet, nearest_points, separating_move

CUBE = list(product((0, 1), repeat=3))
SQUARE = [(x, y, 0) for x, y in product((0, 1), repeat=2)]
TIP = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]


def moved(points, by):
    return [tuple(a + b for a, b in zip(point, by)) for point in points]


BY_HAND = {
    # name: (P, Q, squared distance, squared length of the separating move)
    "cubes face to face": (CUBE, moved(CUBE, (3, 0, 0)), 4, 0),
    "cubes edge to edge": (CUBE, moved(CUBE, (2, 3, 0)), 5, 0),
    "cubes corner to corner": (CUBE, moved(CUBE, (2, 3, 4)), 14, 0),
    "cubes touching": (CUBE, moved(CUBE, (1, 1, 1)), 0, 0),
    "cubes a third into each other": (CUBE, moved(CUBE, (F(1, 3), F(1, 2), F(2, 3))), 0, F(1, 9)),
    "the same cube": (CUBE, CUBE, 0, 1),
    "small cube in a large one": (CUBE, [(F(x + 1, 4), F(y + 1, 4), F(z + 2, 8)) for x, y, z in CUBE], 0, F(9, 64)),
    "point in a cube": (CUBE, [(F(1, 2), F(1, 2), F(3, 4))], 0, F(1, 16)),
    "point on a cube": (CUBE, [(F(1, 2), F(1, 2), 1)], 0, 0),
    "point off a cube": (CUBE, [(F(1, 2), F(1, 2), 3)], 4, 0),
    "corner over the slope of a tip": (TIP, [(1, 1, 1)], F(4, 3), 0),
    "point behind the slope of a tip": (TIP, [(F(3, 10),) * 3], 0, F(1, 300)),
    "segment through a cube": (CUBE, [(F(1, 2), F(1, 4), -9), (F(1, 2), F(1, 4), 9)], 0, F(1, 16)),
    "segments crossing": ([(-1, 0, 0), (1, 0, 0)], [(0, -1, 0), (0, 1, 0)], 0, 0),
    "segments one over the other": ([(-1, 0, 0), (1, 0, 0)], [(0, -1, 3), (0, 1, 3)], 9, 0),
    "segments in one line, overlapping": ([(0, 0, 0), (4, 0, 0)], [(1, 0, 0), (9, 0, 0)], 0, 0),
    "segments in one line, apart": ([(0, 0, 0), (4, 0, 0)], [(6, 0, 0), (9, 0, 0)], 4, 0),
    "points": ([(0, 0, 0)], [(1, 2, 3)], 14, 0),
    "the same point many times": ([(1, 2, 3)] * 5, [(1, 2, 3)] * 3, 0, 0),
    "squares overlapping in a plane": (SQUARE, moved(SQUARE, (F(1, 2), F(1, 2), 0)), 0, 0),
    "squares across each other": (SQUARE, [(F(1, 2), y, z - F(1, 4)) for x, y, z in CUBE], 0, F(1, 16)),
    "edges of two roofs": ([(-1, 0, 0), (1, 0, 0), (-1, 1, -1), (-1, -1, -1), (1, 1, -1), (1, -1, -1)],
                           [(0, -1, 2), (0, 1, 2), (1, -1, 3), (-1, -1, 3), (1, 1, 3), (-1, 1, 3)], 4, 0),
    "edges of two roofs, deep": ([(-9, 0, 0), (9, 0, 0), (-9, 9, -9), (-9, -9, -9), (9, 9, -9), (9, -9, -9)],
                                 [(0, -9, -1), (0, 9, -1), (9, -9, 8), (-9, -9, 8), (9, 9, 8), (-9, 9, 8)], 0, F(1)),
}


def turned(points):
    """Axes exchanged and mirrored, doubled, moved: without rounding."""
    return [(-2 * z + 3, 2 * x - 5, 2 * y + 1) for x, y, z in points]


@pytest.mark.parametrize("name", BY_HAND)
def test_cases_worked_out_by_hand(name):
    P, Q, squared, depth = BY_HAND[name]
    for one, other in ((P, Q), (Q, P), (P[::-1], Q + Q[:1])):
        assert nearest_points(one, other).squared == squared and hulls_meet(one, other) == (squared == 0)
        assert separating_move(one, other)[0] == depth
        assert nearest_points(turned(one), turned(other)).squared == 4 * squared
        assert separating_move(turned(one), turned(other))[0] == 4 * depth


def squared_length(v):
    return sum(value * value for value in v)


def least_norm(points):
    """The squared distance of the origin from a hull without any search: the least over all simplices of up to four
    points whose nearest point of the plane lies inside (Carathéodory)."""
    best = min(map(squared_length, points))
    for size in (2, 3, 4):
        for corners in combinations(points, size):
            # the nearest point of the plane: weights that sum up to 1, equal products with all corners
            gram = [[sum(a * b for a, b in zip(p, q)) for q in corners] + [-1] for p in corners]
            found = only_solution([*gram, [1] * size + [0]], [0] * size + [1])
            if found is not None and min(found[:-1]) >= 0:
                best = min(best, found[-1])
    return best


def some_hulls(rng, count, most):
    """Whole corners 0 … 4, flat and thin ones too, often meeting."""
    for _ in range(count):
        sides = []
        for _ in range(2):
            points = rng.integers(0, 5, (rng.integers(1, most + 1), 3))
            points[:, rng.random(3) < 0.25] = 2
            sides.append([tuple(point) for point in points.tolist()])
        yield sides[0], moved(sides[1], (int(rng.integers(0, 4)), 0, 0))


def test_distance_is_that_of_the_nearest_simplex():
    found = []
    for P, Q in some_hulls(np.random.default_rng(1), 60, 3):
        nearest = nearest_points(P, Q)
        differences = {tuple(F(a - b) for a, b in zip(p, q)) for p, q in product(P, Q)}
        assert nearest.squared == least_norm(sorted(differences)), (P, Q)
        found.append(nearest.squared)
    assert 3 < found.count(0) < 50


def test_nearest_points_prove_the_distance():
    """Both lie in their hulls, and the slab between them separates the hulls."""
    for P, Q in some_hulls(np.random.default_rng(2), 300, 10):
        nearest = nearest_points(P, Q)
        assert nearest_points(P, [nearest.on_p]).squared == nearest_points(Q, [nearest.on_q]).squared == 0
        between = tuple(p - q for p, q in zip(nearest.on_p, nearest.on_q))
        assert squared_length(between) == nearest.squared
        along_p, along_q = ([sum(a * b for a, b in zip(between, point)) for point in side] for side in (P, Q))
        assert min(along_p) - max(along_q) == nearest.squared or nearest.squared == 0


def test_moved_apart_they_touch_and_no_shorter_move_does_it():
    rng = np.random.default_rng(3)
    deep = 0
    for P, Q in some_hulls(rng, 90, 6):
        squared, move = separating_move(P, Q)
        assert squared_length(move) == squared
        away = moved(P, move)
        assert separating_move(away, Q)[0] == 0
        if squared == 0:
            continue
        deep += 1
        assert nearest_points(away, Q).squared == 0
        for direction in [*rng.integers(-9, 10, (12, 3)).tolist(), move]:
            length = squared_length(direction)
            if length:              # as long as 0.999 of the move at most: never enough
                # a number below 0.999 |move| / |direction|
                share = F(999 * int(((squared / length) ** 0.5) * 2 ** 40), 1000 * 2 ** 40)
                assert hulls_meet(moved(P, tuple(share * value for value in direction)), Q)
    assert deep > 8


def test_flat_together_means_no_depth():
    for P, Q in (([(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(1, 1, 0), (9, 1, 0)]), ([(0, 0, 0), (2, 2, 2)], [(1, 1, 1)]),
                 (SQUARE, SQUARE), ([(0, 0, 0)], [(0, 0, 0)])):
        assert hulls_meet(P, Q) and separating_move(P, Q) == separating_move(Q, P) == (0, (0, 0, 0))


UPRIGHT = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
LEANING = [(F(3, 5), F(-4, 5), 0), (F(4, 5), F(3, 5), 0), (0, 0, 1)]

BOXES = {
    # name: (two boxes of centre, axes, half; whether they meet)
    "side by side": (((0, 0, 0), UPRIGHT, (1, 1, 1)), ((2, 1, 1), UPRIGHT, (1, 1, 1)), True),
    "a hair apart": (((0, 0, 0), UPRIGHT, (1, 1, 1)), ((2 + F(1, 10 ** 40), 1, 1), UPRIGHT, (1, 1, 1)), False),
    "corner on corner": (((0, 0, 0), UPRIGHT, (1, 1, 1)), ((2, 2, -2), UPRIGHT, (1, 1, 1)), True),
    "edge on face": (((0, 0, 0), UPRIGHT, (1, 1, 1)), ((F(12, 5), 0, 0), LEANING, (1, 1, 1)), True),
    "edge before face": (((0, 0, 0), UPRIGHT, (1, 1, 1)), ((F(25, 10), 0, 0), LEANING, (1, 1, 1)), False),
    "one in the other": (((0, 0, 0), UPRIGHT, (9, 9, 9)), ((1, 2, 3), LEANING, (1, 1, 1)), True),
    "sheets crossing": (((0, 0, 0), UPRIGHT, (1, 1, 0)), ((0, 0, 0), LEANING, (0, 1, 1)), True),
    "sheets in one plane": (((0, 0, 0), UPRIGHT, (1, 1, 0)), ((F(12, 5), 0, 0), LEANING, (1, 1, 0)), True),
    "sheets in one plane, apart": (((0, 0, 0), UPRIGHT, (1, 1, 0)), ((F(5, 2), 0, 0), LEANING, (1, 1, 0)), False),
    "sheets one over the other": (((0, 0, 0), UPRIGHT, (1, 1, 0)), ((0, 0, F(1, 9)), LEANING, (1, 1, 0)), False),
    "rods in one line": (((0, 0, 0), UPRIGHT, (1, 0, 0)), ((2, 0, 0), UPRIGHT, (1, 0, 0)), True),
    "rods in one line, apart": (((0, 0, 0), UPRIGHT, (1, 0, 0)), ((3, 0, 0), UPRIGHT, (1, 0, 0)), False),
    "rods side by side": (((0, 0, 0), UPRIGHT, (1, 0, 0)), ((0, 1, 0), UPRIGHT, (1, 0, 0)), False),
    "rods across": (((0, 0, 0), UPRIGHT, (1, 0, 0)), ((0, 1, 0), UPRIGHT, (0, 1, 0)), True),
    "a point in a box": (((0, 0, 0), UPRIGHT, (1, 1, 1)), ((1, 1, 1), LEANING, (0, 0, 0)), True),
    "points apart": (((0, 0, 0), UPRIGHT, (0, 0, 0)), ((0, 0, 1), LEANING, (0, 0, 0)), False),
    "the same point": (((0, 0, 1), UPRIGHT, (0, 0, 0)), ((0, 0, 1), LEANING, (0, 0, 0)), True),
}


@pytest.mark.parametrize("name", BOXES)
def test_boxes_by_hand(name):
    one, other, meet = BOXES[name]
    assert boxes_meet(*one, *other) is meet and boxes_meet(*other, *one) is meet
    assert hulls_meet(box_corners(*one), box_corners(*other)) is meet


def test_boxes_meet_where_the_hulls_of_their_corners_do():
    rng = np.random.default_rng(4)
    meeting = 0
    for _ in range(400):
        one, other = ((rng.integers(-3, 4, 3).tolist(), rng.integers(-2, 3, (3, 3)).tolist(),
                       (rng.integers(0, 3, 3) / 2).tolist()) for _ in range(2))
        expected = hulls_meet(box_corners(*one), box_corners(*other))
        assert boxes_meet(*one, *other) is expected is boxes_meet(*other, *one), (one, other)
        meeting += expected
    assert 40 < meeting < 360


def test_columns_of_the_axes_are_the_directions_of_a_box():
    corners = box_corners((1, 2, 3), [(1, 4, 0), (2, 5, 0), (3, 6, 1)], (1, 0.5, 0))
    assert set(corners) == {tuple(c + s * a + t * b / 2 for c, a, b in zip((1, 2, 3), (1, 2, 3), (4, 5, 6)))
                            for s in (-1, 1) for t in (F(-1), F(1))}
