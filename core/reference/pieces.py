# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two solids share volume whose surfaces meet without passing through each other?

A triangle that meets the other surface is cut along all sides of what they share. Then each piece meets the other
surface with its border only, or as a whole. So one point in its middle tells where all of it lies: inside the other
solid, outside it or on its surface. Where pieces of both surfaces are the same, it counts whether the solids are on the
same side of them. Two cubes of one size at one position share volume; a cube and the hole that it fills do not.
"""
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..contacts import SEGMENT, Contacts
from .inside import OPEN, is_inside
from .rational import cross, dot, minus
from .triangle_pair import DISJOINT, exact_point, shared_part

INSIDE, ON_SURFACE, OUTSIDE = 1, 0, -1


@dataclass(frozen=True)
class Solid:
    """Triangles in world coordinates (m,3,3) float64 and the closedness of their mesh."""

    corners: np.ndarray
    closed: int


def shared_volume(a: Solid, b: Solid, meeting: Contacts) -> str:
    """ "a in b", "b in a", "overlap", or "" where they share no volume or neither is closed.

    meeting: the contacts of the two, none of them proper.
    """
    of_a, same_a = where_pieces_are(a, b, meeting.triangle_a, meeting.triangle_b)
    of_b, _ = where_pieces_are(b, a, meeting.triangle_b, meeting.triangle_a)
    if INSIDE not in of_a | of_b and not any(on_same_side(middle, normal, a, b) for middle, normal in same_a):
        return ""
    if of_a == of_b == {ON_SURFACE}:
        return "overlap"
    if of_a and OUTSIDE not in of_a and INSIDE not in of_b:
        return "a in b"
    return "b in a" if of_b and OUTSIDE not in of_b and INSIDE not in of_a else "overlap"


def where_pieces_are(a: Solid, b: Solid, rows_a: np.ndarray, rows_b: np.ndarray) -> tuple[set[int], list]:
    """Which of INSIDE, OUTSIDE and ON_SURFACE there are among the pieces of a against b, none where b is not closed;
    and the pieces that are ON_SURFACE, as (point in the middle, normal).

    rows_a, rows_b: the triangles that meet. The search ends when it has found INSIDE and OUTSIDE.
    """
    found: set[int] = set()
    same: list = []
    for row, triangle in enumerate(a.corners if b.closed != OPEN else ()):
        for middle, normal in pieces(triangle, b.corners[rows_b[rows_a == row]]):
            where = where_is(middle, b)
            found.add(where)
            if where == ON_SURFACE:
                same.append((middle, normal))
            if {INSIDE, OUTSIDE} <= found:
                return found, same
    return found, same


def where_is(point, solid: Solid) -> int:
    """INSIDE, ON_SURFACE or OUTSIDE: where a point of exact numbers lies against a closed solid."""
    rounded = np.array([float(value) for value in point])
    low, high = np.nextafter(rounded, -np.inf), np.nextafter(rounded, np.inf)
    near = ((solid.corners.max(axis=1) >= low) & (solid.corners.min(axis=1) <= high)).all(axis=1)
    if any(shared_part((point, point, point), triangle).kind != DISJOINT for triangle in solid.corners[near].tolist()):
        return ON_SURFACE
    if (solid.corners.max(axis=(0, 1)) < low).any() or (solid.corners.min(axis=(0, 1)) > high).any():
        return OUTSIDE
    return INSIDE if is_inside(point, solid.corners, solid.closed) else OUTSIDE


def on_same_side(middle, normal, a: Solid, b: Solid) -> bool:
    """True where a point next to the middle of a common piece, on one side or the other, is inside both solids."""
    if OPEN in (a.closed, b.closed):
        return False
    return any(all(where_is(beside, solid) == INSIDE for solid in (a, b))
               for beside in (next_to(middle, step, a, b) for step in (normal, minus((0, 0, 0), normal))))


def next_to(point, step, a: Solid, b: Solid):
    """A point in the direction of the step, so near that none of the triangles stands between."""
    end = tuple(x + y for x, y in zip(point, step))
    hits = [corner for solid in (a, b) for triangle in solid.corners.tolist()
            for corner in shared_part((point, end, end), triangle).corners]
    nearest = min([dot(minus(hit, point), step) for hit in hits if hit != point], default=dot(step, step))
    return tuple(x + y * nearest / dot(step, step) / 2 for x, y in zip(point, step))


def pieces(triangle: np.ndarray, others: np.ndarray) -> list[tuple]:
    """The triangle (3,3), cut along all sides of what it shares with the others (k,3,3): a point in the middle of each
    piece, and the normal. Nothing for a triangle without area."""
    p, q, r = corners = [exact_point(corner) for corner in triangle]
    normal = cross(minus(q, p), minus(r, p))
    if not any(normal):
        return []
    found = [corners]
    for start, end in {side for other in others.tolist() for side in sides(shared_part(corners, other))}:
        across = cross(normal, minus(end, start))
        halves = [half(piece, start, side) for piece in found for side in (across, minus((0, 0, 0), across))]
        found = [piece for piece in halves if len(piece) > 2]
    return [(tuple(sum(values) / len(piece) for values in zip(*piece)), normal) for piece in found]


def sides(shared):
    """The lines to cut along: pairs of points."""
    if shared.kind < SEGMENT:
        return []
    return zip(shared.corners, (*shared.corners[1:], shared.corners[0]))


def half(polygon, start, normal) -> list[tuple[Fraction, ...]]:
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
