# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pair of triangles of two surfaces that meet, with what they share."""
from dataclasses import dataclass
from math import hypot

import numpy as np

from ..contacts import EXACT, Contacts
from .rational import cross, minus
from .triangle_pair import DISJOINT, SharedPart, beyond_common_vertices, exact_point, shared_part


@dataclass(frozen=True)
class ReferenceContact:
    """Rows of the two lists of triangles that were given, and what these triangles share."""

    triangle_a: int
    triangle_b: int
    shared: SharedPart


def contacts_between(corners_a: np.ndarray, corners_b: np.ndarray, pairs=None) -> list[ReferenceContact]:
    """The contacts of two lists of triangles, ordered by (triangle_a, triangle_b).

    corners_a, corners_b: (m,3,3) and (k,3,3) finite float64, world coordinates. pairs: what `box_pairs` gave, where the
    caller has it already.
    """
    found = []
    for row, other in box_pairs(corners_a, corners_b) if pairs is None else pairs:
        shared = shared_part(corners_a[row].tolist(), corners_b[other].tolist())
        if shared.kind != DISJOINT:
            found.append(ReferenceContact(row, other, shared))
    return found


def contacts_within(corners: np.ndarray, pairs) -> list[ReferenceContact]:
    """The contacts of triangles of one mesh with each other: those of `pairs`, (i, j) with i < j, that share more than
    common vertices (docs/self-collision.md). corners: (m,3,3) finite float64, world coordinates."""
    found = []
    for one, other in pairs:
        shared = beyond_common_vertices(corners[one].tolist(), corners[other].tolist())
        if shared.kind != DISJOINT:
            found.append(ReferenceContact(one, other, shared))
    return found


def box_pairs(corners_a: np.ndarray, corners_b: np.ndarray) -> list[tuple[int, int]]:
    """The pairs of rows, ordered, of triangles whose closed boxes meet. By comparisons only, so nothing is rounded."""
    pairs: list[tuple[int, int]] = []
    if len(corners_b):
        low, high = corners_b.min(axis=1), corners_b.max(axis=1)
        for row, corners in enumerate(corners_a):
            meet = (low <= corners.max(axis=0)) & (corners.min(axis=0) <= high)
            pairs.extend((row, int(other)) for other in np.flatnonzero(meet.all(axis=1)))
    return pairs


def rounded(found: list[ReferenceContact], corners_b: np.ndarray) -> Contacts:
    """The same as `Contacts` of the pair 0, each coordinate rounded once. corners_b: as in `contacts_between`."""
    contacts = Contacts.empty(len(found))
    for row, contact in enumerate(found):
        contacts.triangle_a[row], contacts.triangle_b[row] = contact.triangle_a, contact.triangle_b
        write_contact(contacts, row, contact.shared, corners_b[contact.triangle_b])
    return contacts


def write_contact(contacts: Contacts, row: int, shared: SharedPart, triangle_b: np.ndarray) -> None:
    """Write kind, proper, point, normal and status of a contact, each coordinate rounded once. shared: what the two
    triangles share, which may be nothing: then only kind and status."""
    contacts.kind[row], contacts.status[row] = shared.kind, EXACT
    if shared.kind != DISJOINT:
        contacts.proper[row] = shared.proper
        contacts.point[row] = [[float(value) for value in end] for end in shared.ends()]
        contacts.normal[row] = unit_normal(triangle_b)


def unit_normal(corners) -> tuple[float, float, float]:
    """The unit normal of a triangle (3,3), zero where it has no area."""
    p, q, r = [exact_point(corner) for corner in corners.tolist()]
    normal = cross(minus(q, p), minus(r, p))
    longest = max(map(abs, normal)) or 1
    x, y, z = (float(value / longest) for value in normal)      # the longest is 1: nothing overflows or underflows
    length = hypot(x, y, z) or 1.0
    return x / length, y / length, z / length
