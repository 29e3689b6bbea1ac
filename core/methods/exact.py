# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, plain and exact: rational arithmetic for every pair of triangles whose boxes meet, all pairs of objects.

For tests and for arbitration: it shares no code with the fast methods and needs no compilation. Some ten thousand
pairs of triangles a second.
"""
import numpy as np

from ..contacts import Contacts
from ..errors import Cancelled
from ..method import Method
from ..reference import Surface, box_pairs, contacts_between, judge, rounded
from ..report import CLEAR, OK


def prepare(scene, selection, run) -> list[Surface]:
    return [Surface.of(scene, index) for index in selection.objects]


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
    verdict, status, inner = np.full(len(a), CLEAR, np.int8), np.full(len(a), OK, np.uint8), np.zeros(len(a), np.int8)
    for row, pair in enumerate(zip(a, b)):
        if stopped(run, row / len(a)):
            run.finished[row:] = False
        if not run.finished[row]:
            break
        one, other = (surfaces[index] for index in pair)
        verdict[row], status[row], inner[row] = judge(one, other, contacts.take(contacts.pair == row))
    return verdict, status, inner


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
