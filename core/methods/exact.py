# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, plain and exact: rational arithmetic for every pair of triangles whose boxes meet, all pairs of objects.

For tests and for arbitration: it shares no code with the fast methods and needs no compilation. Some ten thousand
pairs of triangles a second.
"""
from dataclasses import dataclass

import numpy as np

from ..contacts import Contacts
from ..method import Method
from ..reference import box_pairs, contacts_between, crosses, placed_vertices, rounded
from ..report import CLEAR, CROSSING, TOUCHING


@dataclass(eq=False)
class Surface:
    """One object in world coordinates: (n,3) float64 and (m,3) int32."""

    vertices: np.ndarray
    triangles: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        return self.vertices[self.triangles]


def prepare(scene, selection, run) -> list[Surface]:
    objects = [scene.objects[index] for index in selection.objects]
    meshes = [scene.meshes[obj.mesh] for obj in objects]
    return [Surface(placed_vertices(mesh.vertices, obj.pose), mesh.triangles) for obj, mesh in zip(objects, meshes)]


def all_pairs(surfaces: list[Surface], selection, run) -> tuple[np.ndarray, np.ndarray]:
    a, b = (side.astype(np.int32) for side in np.triu_indices(len(surfaces), 1))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(surfaces: list[Surface], a: np.ndarray, b: np.ndarray, run) -> Contacts:
    parts = []
    for row, (first, second) in enumerate(zip(a, b)):
        run.tick(row / len(a))
        corners_a, corners_b = surfaces[first].corners, surfaces[second].corners
        candidates = box_pairs(corners_a, corners_b)
        part = rounded(contacts_between(corners_a, corners_b, candidates), corners_b)
        part.pair[:] = row
        parts.append(part)
        run.count(triangle_pairs=len(candidates), exact_decisions=len(candidates))
        run.finished[row] = True
    return Contacts.join(parts)


def verdicts(surfaces: list[Surface], a: np.ndarray, b: np.ndarray, contacts: Contacts, run):
    verdict = np.full(len(a), CLEAR, np.int8)
    for row in np.unique(contacts.pair):
        run.tick(row / len(a))
        one, other = surfaces[a[row]], surfaces[b[row]]
        through = crosses(one.vertices, one.triangles, other.vertices, other.triangles,
                          contacts.take(contacts.pair == row))
        verdict[row] = CROSSING if through else TOUCHING
    return verdict, np.zeros(len(a), np.uint8)


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
