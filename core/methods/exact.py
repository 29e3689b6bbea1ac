# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, plain and exact: rational arithmetic for every pair of triangles whose boxes meet, all pairs of objects.

For tests and for arbitration: it shares no code with the fast methods and needs no compilation. Some ten thousand
pairs of triangles a second.
"""
from dataclasses import dataclass, replace

import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled
from ..method import Method
from ..reference import (
    INSIDE,
    ON,
    OPEN,
    OUTSIDE,
    box_pairs,
    closedness,
    contacts_between,
    crosses,
    has_part_inside,
    placed_vertices,
    places_of_pieces,
    rounded,
    seems_enclosed,
)
from ..report import CANNOT_TELL, CLEAR, CONTAINED, CROSSING, NOT_CLOSED, OK, OVERLAP, TOUCHING


@dataclass(eq=False)
class Surface:
    """One object in world coordinates: (n,3) float64 and (m,3) int32; whether its mesh encloses space."""

    vertices: np.ndarray
    triangles: np.ndarray
    closed: int

    @property
    def corners(self) -> np.ndarray:
        return self.vertices[self.triangles]


def prepare(scene, selection, run) -> list[Surface]:
    surfaces = []
    for index in selection.objects:
        mesh = scene.meshes[scene.objects[index].mesh]
        surfaces.append(Surface(placed_vertices(mesh.vertices, scene.objects[index].pose), mesh.triangles,
                                closedness(mesh.vertices, mesh.triangles)))
    return surfaces


def all_pairs(surfaces: list[Surface], selection, run) -> tuple[np.ndarray, np.ndarray]:
    a, b = (side.astype(np.int32) for side in np.triu_indices(len(surfaces), 1))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(surfaces: list[Surface], a: np.ndarray, b: np.ndarray, run) -> Contacts:
    parts: list[Contacts] = []
    for row, (first, second) in enumerate(zip(a, b)):
        if stopped(run, row / len(a)):
            break
        corners_a, corners_b = surfaces[first].corners, surfaces[second].corners
        candidates = box_pairs(corners_a, corners_b)
        part = rounded(contacts_between(corners_a, corners_b, candidates), corners_b)
        part.pair[:] = row
        parts.append(part)
        run.count(triangle_pairs=len(candidates), exact_decisions=len(candidates))
        run.finished[row] = True
    return Contacts.join(parts)


def verdicts(surfaces: list[Surface], a: np.ndarray, b: np.ndarray, contacts: Contacts, run):
    verdict, status = np.full(len(a), CLEAR, np.int8), np.full(len(a), OK, np.uint8)
    for row, pair in enumerate(zip(a, b)):
        if stopped(run, row / len(a)):
            run.finished[row:] = False
        if not run.finished[row]:
            break
        one, other = (surfaces[index] for index in pair)
        found = contacts.take(contacts.pair == row)
        if len(found):
            through = crosses(one.vertices, one.triangles, other.vertices, other.triangles, found)
            verdict[row] = CROSSING if through else touching(one, other, found)
        else:
            verdict[row], status[row] = apart(one, other)
    return verdict, status


def touching(one: Surface, other: Surface, found: Contacts) -> int:
    """Verdict of two surfaces that meet without passing through each other: do they share volume all the same?"""
    swapped = replace(found, triangle_a=found.triangle_b, triangle_b=found.triangle_a)
    of_one = places_of_pieces(one.corners, other.corners, other.closed, found) if other.closed != OPEN else set()
    of_other = places_of_pieces(other.corners, one.corners, one.closed, swapped) if one.closed != OPEN else set()
    if any(INSIDE in places and OUTSIDE not in places for places in (of_one, of_other)):
        return CONTAINED
    return OVERLAP if INSIDE in of_one | of_other or of_one == of_other == {ON} else TOUCHING


def apart(one: Surface, other: Surface) -> tuple[int, int]:
    """Verdict and status of two surfaces that do not meet."""
    both = ((one, other), (other, one))
    if any(outer.closed != OPEN and has_part_inside(inner.vertices, inner.triangles, outer.vertices, outer.triangles,
                                                    outer.closed) for inner, outer in both):
        return CONTAINED, OK
    if any(outer.closed == OPEN and seems_enclosed(inner.vertices, inner.triangles, outer.vertices, outer.triangles)
           for inner, outer in both):
        return CANNOT_TELL, NOT_CLOSED
    return CLEAR, OK


def stopped(run, fraction: float) -> bool:
    """Report progress; True where the user has just asked to stop. What is finished by then is kept."""
    try:
        run.tick(fraction)
    except Cancelled:
        return True
    return False


METHOD = Method(
    id="exact",
    title="Exact reference",
    document="",
    summary="Rational arithmetic for every pair of triangles: slow, plain, for tests and arbitration",
    answer="exact",
    prepare=prepare,
    broad_phase=all_pairs,
    contacts=contacts,
    verdicts=verdicts,
)
