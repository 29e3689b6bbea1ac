# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions that exact kernels leave UNDECIDED, one at a time: the way from the fast stages to rational arithmetic.

Kernels decide by exact signs as long as the numbers of a question span no more than 250 binary orders of magnitude.
What spans more is asked here and nowhere else. docs/decisions/0008 says who asks what, in which order, and how the
report counts it.
"""
import numpy as np

from ..contacts import Contacts
from .contacts import write_contact
from .distance import triangle_gap
from .judge import judge as verdict
from .pieces import Solid, where_is
from .rational import square_root
from .surface import Surface
from .triangle_pair import DISJOINT, beyond_common_vertices, shared_part
from .verdict import crosses

__all__ = ["Surface", "contact", "crosses", "gap", "meet_beyond", "sides", "verdict"]


def contact(contacts: Contacts, row: int, triangle_a: np.ndarray, triangle_b: np.ndarray) -> None:
    """Write kind, proper, point, normal and status of a contact; the kind is 0 where the triangles do not meet.

    triangle_a, triangle_b: (3,3) float64, finite, world coordinates.
    """
    write_contact(contacts, row, shared_part(triangle_a.tolist(), triangle_b.tolist()), triangle_b)


def meet_beyond(triangle_a: np.ndarray, triangle_b: np.ndarray) -> bool:
    """True where two triangles of one mesh share more than their common vertices (docs/self-collision.md).

    triangle_a, triangle_b: as in `contact`.
    """
    return beyond_common_vertices(triangle_a.tolist(), triangle_b.tolist()).kind != DISJOINT


def gap(triangle_a: np.ndarray, triangle_b: np.ndarray) -> tuple[float, np.ndarray]:
    """The distance of two triangles, and the points (2,3) float64 of a and of b where they come nearest.

    triangle_a, triangle_b: as in `contact`.
    """
    found = triangle_gap(triangle_a.tolist(), triangle_b.tolist())
    return square_root(found.squared), np.array([[float(x) for x in point] for point in (found.on_a, found.on_b)])


def sides(points: np.ndarray, corners: np.ndarray, closed: int) -> list[int]:
    """1 for points inside a closed surface, 0 on it, -1 outside. points: (n,3), corners: (m,3,3) float64, finite."""
    solid = Solid(corners, closed)
    return [where_is(point, solid) for point in points.tolist()]
