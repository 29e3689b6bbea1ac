# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of two bodies of cubes by a flood over small rectangles: the oracle of core/depth/regions.py.

A body is the union of cells of a lattice of unit cubes, moved as a whole. The planes of both lattices cut both surfaces
into rectangles, each of them inside or outside the other body as a whole. Rectangles inside that share a corner hang
together. All coordinates are Fractions.
"""
from fractions import Fraction
from itertools import product

import numpy as np


def regions_of_cells(cells_a, cells_b, shift):
    """A list with one (rectangles of a in b, rectangles of b in a) per region, rectangles being four corners the way
    round. cells: sets of (x, y, z) of whole numbers; shift: three Fractions by which b is moved, none of them whole."""
    shift = tuple(map(Fraction, shift))
    bodies = [(set(cells_a), (Fraction(0),) * 3), (set(cells_b), shift)]
    found = [[(side, rectangle) for rectangle in _rectangles(*bodies[side], bodies[1 - side][1])
              if _holds(*bodies[1 - side], _middle(rectangle))] for side in (0, 1)]
    rectangles = found[0] + found[1]
    at: dict = {}
    for number, (_, rectangle) in enumerate(rectangles):
        for corner in rectangle:
            at.setdefault(corner, []).append(number)
    left, regions = set(range(len(rectangles))), []
    while left:
        region = [left.pop()]
        for number in region:
            near = {each for corner in rectangles[number][1] for each in at[corner]} & left
            left -= near
            region += near
        regions.append(tuple([rectangles[each][1] for each in region if rectangles[each][0] == side]
                             for side in (0, 1)))
    return regions


def as_mesh(rectangles):
    """(vertices (n,3), triangles (m,3)) of rectangles, in float64."""
    corners = [corner for rectangle in rectangles for corner in rectangle]
    first = 4 * np.arange(len(rectangles))[:, None]
    return np.array(corners, float).reshape(-1, 3), np.concatenate([first + (0, 1, 2), first + (0, 2, 3)])


def _rectangles(cells, moved, other):
    """The sides of cells that no other cell has, cut by the other lattice."""
    for cell, axis, turn in product(sorted(cells), range(3), (0, 1)):
        beside = list(cell)
        beside[axis] += 2 * turn - 1
        if tuple(beside) in cells:
            continue
        ranges = []
        for x in range(3):
            low = cell[x] + moved[x]
            cut = next(k + other[x] for k in range(-20, 20) if low < k + other[x] < low + 1)
            ranges.append([(low + turn, low + turn)] if x == axis else [(low, cut), (cut, low + 1)])
        y, z = (axis + 1) % 3, (axis + 2) % 3
        for one, two, three in product(*ranges):
            box = (one, two, three)
            corners = []
            for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
                corner = [each[0] for each in box]
                corner[y], corner[z] = box[y][i], box[z][j]
                corners.append(tuple(corner))
            yield tuple(corners)


def _middle(rectangle):
    return tuple(sum(values) / 4 for values in zip(*rectangle))


def _holds(cells, moved, point):
    """True where a point, which is on no side of a cell, is in one."""
    return tuple((x - m).__floor__() for x, m in zip(point, moved)) in cells
