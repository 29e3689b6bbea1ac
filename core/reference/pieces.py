# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the pieces of a surface lie that meets a closed one without passing through it: inside it, outside it, on it.

A triangle that meets the other surface is cut along all sides of what they share. None of the pieces meets the other
surface then but with its border, or as a whole, so one point in its middle tells where all of it lies.
"""
from fractions import Fraction

import numpy as np

from ..contacts import Contacts
from .inside import is_inside
from .rational import cross, dot, minus
from .triangle_pair import NONE, SEGMENT, exact_point, shared_part

INSIDE, OUTSIDE, ON = "inside", "outside", "on"


def places_of_pieces(corners_a: np.ndarray, corners_b: np.ndarray, closed_b: int, meeting: Contacts) -> set[str]:
    """Which of INSIDE, OUTSIDE, ON occur among the pieces of the triangles a (m,3,3) that have an area: the search
    ends when both of the first two are found.

    corners_b: (k,3,3), of a closed mesh with this closedness; meeting: the contacts of the two.
    """
    found = set()
    for row, corners in enumerate(corners_a):
        others = corners_b[meeting.triangle_b[meeting.triangle_a == row]]
        for middle in middles_of_pieces(corners, others):
            found.add(place(middle, corners_b, closed_b))
            if {INSIDE, OUTSIDE} <= found:
                return found
    return found


def place(point, corners: np.ndarray, closed: int) -> str:
    """Where a point of exact numbers lies against a closed surface (k,3,3)."""
    rounded = np.array([float(value) for value in point])
    low, high = np.nextafter(rounded, -np.inf), np.nextafter(rounded, np.inf)
    if (corners.max(axis=(0, 1)) < low).any() or (corners.min(axis=(0, 1)) > high).any():
        return OUTSIDE
    near = ((corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)).all(axis=1)
    if any(shared_part((point, point, point), triangle).kind != NONE for triangle in corners[near].tolist()):
        return ON
    return INSIDE if is_inside(point, corners, closed) else OUTSIDE


def middles_of_pieces(triangle: np.ndarray, others: np.ndarray) -> list[tuple[Fraction, ...]]:
    """A point in each piece of the triangle (3,3), cut along all sides of what it shares with the others (k,3,3).
    Nothing for a triangle without area."""
    p, q, r = corners = [exact_point(corner) for corner in triangle]
    normal = cross(minus(q, p), minus(r, p))
    if not any(normal):
        return []
    pieces = [corners]
    for start, end in {side for other in others.tolist() for side in sides(shared_part(corners, other))}:
        across = cross(normal, minus(end, start))
        halves = [half(piece, start, side) for piece in pieces for side in (across, minus((0, 0, 0), across))]
        pieces = [piece for piece in halves if len(piece) > 2]
    return [tuple(sum(values) / len(piece) for values in zip(*piece)) for piece in pieces]


def sides(shared):
    """The lines to cut along: pairs of points."""
    if shared.kind < SEGMENT:
        return []
    return zip(shared.corners, (*shared.corners[1:], shared.corners[0]))


def half(polygon, start, normal):
    """The part of a convex polygon in exact numbers where normal·(x − start) ≤ 0."""
    heights = [dot(normal, minus(corner, start)) for corner in polygon]
    kept = []
    for i, (p, h) in enumerate(zip(polygon, heights)):
        q, k = polygon[i - 1], heights[i - 1]
        if h * k < 0:
            kept.append(tuple(x + (y - x) * h / (h - k) for x, y in zip(p, q)))
        if h <= 0:
            kept.append(p)
    return kept
