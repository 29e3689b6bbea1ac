# SPDX-License-Identifier: GPL-3.0-or-later
"""What two triangles share, a second time and another way: to check the reference, which cuts by half-spaces.

A corner of the common part of two convex hulls is the only common point of a face of the one (a corner, a side or
the triangle) and a face of the other. So it is the only solution of
    sum l_i a_i = sum m_j b_j,  sum l_i = 1,  sum m_j = 1,  l, m >= 0
for some of the corners a_i and some of the b_j. Solve all 49 choices exactly.
"""
from fractions import Fraction
from itertools import combinations, product
from math import lcm

CHOICES = [rows for size in (1, 2, 3) for rows in combinations(range(3), size)]


def only_solution(matrix, right):
    """The only x with matrix·x = right, in Fractions; None where there is none or many.

    By elimination in integers: every number is a minor of the scaled matrix, so that the division by the pivot before
    leaves no rest (Bareiss 1968). In Fractions it takes several times as long.
    """
    rows = [in_integers([*row, value]) for row, value in zip(matrix, right)]
    unknowns, before = len(matrix[0]), 1
    for column in range(unknowns):
        pivot = next((i for i in range(column, len(rows)) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top, head = rows[column], rows[column][column]
        for i, row in enumerate(rows):
            if i != column:
                own = row[column]
                rows[i] = [(value * head - own * above) // before for value, above in zip(row, top)]
        before = head
    if any(row[-1] for row in rows[unknowns:]):
        return None
    return [Fraction(row[-1], row[column]) for column, row in enumerate(rows[:unknowns])]


def in_integers(row) -> list[int]:
    """The row times the least number that makes integers of all in it."""
    ratios = [value.as_integer_ratio() for value in row]
    scale = lcm(*(below for _, below in ratios))
    return [above * (scale // below) for above, below in ratios]


def weights(points, target):
    """Barycentric weights of the target; None where the points are dependent or do not span it."""
    return only_solution([*zip(*points), [1] * len(points)], [*target, 1])


def in_hull(points, target) -> bool:
    """True where the target lies in the hull of at most a plane's worth of points (Carathéodory)."""
    chosen = (subset for size in (1, 2, 3) for subset in combinations(points, size))
    return any(min(found) >= 0 for found in (weights(subset, target) for subset in chosen) if found is not None)


def common_points(a, b) -> set:
    """Points that both triangles have, all corners of the common part among them: empty where they do not meet."""
    a, b = ([tuple(map(Fraction, corner)) for corner in triangle] for triangle in (a, b))
    found = set()
    for some_a, some_b in product(CHOICES, CHOICES):
        matrix = [[a[i][axis] for i in some_a] + [-b[j][axis] for j in some_b] for axis in range(3)]
        matrix += [[1] * len(some_a) + [0] * len(some_b), [0] * len(some_a) + [1] * len(some_b)]
        solution = only_solution(matrix, [0, 0, 0, 1, 1])
        if solution is not None and min(solution) >= 0:
            found.add(tuple(sum(weight * a[i][axis] for weight, i in zip(solution, some_a)) for axis in range(3)))
    return found


def shared_corners(a, b) -> set:
    """The corners of the common part: the common points that do not lie between others."""
    points = common_points(a, b)
    return {point for point in points if not in_hull(points - {point}, point)}
