# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs of triangles, in Fractions: the second oracle of contacts, which the product never calls.

What two triangles share comes from basic_solutions.py. Here it becomes what a row of `Contacts` says, and is compared
with one.
"""
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

import numpy as np
from touchpoint.core.contacts import AREA, EXACT, SEGMENT, Contacts

from .basic_solutions import shared_corners


def differences(a, b, found: Contacts) -> list[str]:
    """What is wrong with the contact that was found of two triangles (3,3) of finite floats: with its row, or with
    having none. Each coordinate must be the exact one, rounded once."""
    corners = shared_corners(*in_small_numbers(a, b))
    if not corners or len(found) != 1:
        return [] if len(found) == (len(corners) > 0) else [f"{len(found)} contacts for {len(corners)} common corners"]
    kind = min(len(corners), AREA)
    proper = kind == SEGMENT and passes_through(a, b) and passes_through(b, a)
    wrong = []
    if (found.kind[0], found.proper[0], found.status[0]) != (kind, proper, EXACT):
        wrong.append(f"kind {found.kind[0]} proper {found.proper[0]}, not {kind} {proper}")
    ends = found.point[0].tolist()
    if ends not in [[list(map(float, end)) for end in pair] for pair in farthest(true_size(corners, a, b))]:
        wrong.append(f"ends {ends}")
    if not np.allclose(found.normal[0], unit_normal(b), rtol=0, atol=1e-15):
        wrong.append(f"normal {found.normal[0].tolist()}, not {unit_normal(b)}")
    return wrong


def units(a, b) -> list[Fraction]:
    """A unit for each axis, a power of two, in which that axis has the smallest whole numbers."""
    found = []
    for values in zip(*a, *b):
        fine = max(Fraction(value).denominator for value in values)
        whole = [int(Fraction(value) * fine) for value in values]
        found.append(Fraction(min([value & -value for value in whole if value], default=1), fine))
    return found


def in_small_numbers(a, b):
    """The same two triangles, each axis in its own unit: what they share is the same, in these units."""
    unit = units(a, b)
    return [[[Fraction(value) / size for value, size in zip(corner, unit)] for corner in side] for side in (a, b)]


def true_size(corners, a, b):
    """Points in these units as they are."""
    unit = units(a, b)
    return [tuple(value * size for value, size in zip(corner, unit)) for corner in corners]


def farthest(corners) -> list[tuple]:
    """All pairs of corners that are as far apart as any, the smaller one first; a single corner with itself."""
    pairs = list(combinations_with_replacement(sorted(corners), 2))
    lengths = [sum((x - y) ** 2 for x, y in zip(*pair)) for pair in pairs]
    return [pair for pair, length in zip(pairs, lengths) if length == max(lengths)]


def passes_through(a, b) -> bool:
    """True where a has corners strictly on both sides of the plane of b."""
    heights = [determinant(*([Fraction(x) - Fraction(y) for x, y in zip(corner, b[0])] for corner in (p, b[1], b[2])))
               for p in a]
    return min(heights) < 0 < max(heights)


def determinant(*rows) -> Fraction:
    """By Leibniz' sum over permutations."""
    total = Fraction(0)
    for order in permutations(range(3)):
        sign = -1 if (order[0] > order[1]) ^ (order[0] > order[2]) ^ (order[1] > order[2]) else 1
        total += sign * rows[0][order[0]] * rows[1][order[1]] * rows[2][order[2]]
    return total


def unit_normal(triangle) -> list[float]:
    """Of length 1; zero where the triangle has no area."""
    p, *others = [[Fraction(value) for value in corner] for corner in triangle]
    sides = [[x - y for x, y in zip(corner, p)] for corner in others]
    axes = [[int(i == j) for j in range(3)] for i in range(3)]
    normal = [determinant(*sides, axis) for axis in axes]
    largest = max(map(abs, normal)) or 1
    shares = [float(value / largest) for value in normal]
    length = sum(share * share for share in shares) ** 0.5 or 1.0
    return [share / length for share in shares]
