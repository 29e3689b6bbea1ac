# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of a grid by plain counting: the published neighbours, cells of diagonals, box against cell in rationals."""
from fractions import Fraction
from itertools import product

import numpy as np


def published_neighbours(cell, side, by_distance=True):
    """§2.4.3 to the letter: sums of numbers; those out of range are dropped, and, by_distance, those whose centres are
    farther away than a cell's diagonal."""
    found = set()
    for x, y, z in product((-1, 0, 1), repeat=3):
        other = cell + x + y * side + z * side * side
        if not 0 <= other < side ** 3:
            continue
        apart = [abs(cell // m % side - other // m % side) for m in (1, side, side * side)]
        if not by_distance or sum(d * d for d in apart) <= 3:
            found.add(other)
    return found


def segment_cells(start, end, side):
    """Cells of unit size that the segment has a point in, by formula 6 for every cell."""
    found = set()
    for cell in product(range(side), repeat=3):
        low, high = Fraction(0), Fraction(1)
        for x in range(3):
            e, d = Fraction(float(start[x])), Fraction(float(end[x])) - Fraction(float(start[x]))
            if d == 0:
                if not cell[x] <= e <= cell[x] + 1:
                    low, high = Fraction(1), Fraction(0)
                continue
            ends = sorted([(cell[x] - e) / d, (cell[x] + 1 - e) / d])
            low, high = max(low, ends[0]), min(high, ends[1])
        if low <= high:
            found.add(cell)
    return found


def diagonal_cells(centre, axes, half, side):
    """Numbers of the cells by §2.4.4: the first diagonal in all cells, the others in neighbours of those found."""
    edges = half[:, None] * axes
    ends = [centre + np.array(signs) @ edges for signs in ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (-1, -1, 1))]
    first, *others = (segment_cells(2 * centre - end, end, side) for end in ends)
    near = {cell for cell in product(range(side), repeat=3)
            if any(max(abs(p - q) for p, q in zip(cell, other)) <= 1 for other in first)}
    found = first | (near & set().union(*others))
    return {a + side * (b + side * c) for a, b, c in found}


def box_meets_cell(centre, axes, half, cell):
    """Do the box (all centre + Σ t·half·axis, |t| ≤ 1) and the closed unit cell have a point in common? Rational: the
    directions between the centres that the sum of both bodies does not reach are separated by one of its faces."""
    centre = [Fraction(float(x)) for x in centre]
    edges = [[Fraction(float(h)) * Fraction(float(x)) for x in axis] for h, axis in zip(half, axes)]
    edges += [[Fraction(1, 2) * (x == y) for y in range(3)] for x in range(3)]
    apart = [centre[x] - cell[x] - Fraction(1, 2) for x in range(3)]
    for i in range(6):
        for j in range(i + 1, 6):
            u, v = edges[i], edges[j]
            axis = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            reach = sum(abs(sum(p * q for p, q in zip(axis, edge))) for edge in edges)
            if abs(sum(p * q for p, q in zip(axis, apart))) > reach:
                return False
    return True
