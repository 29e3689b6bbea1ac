# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, plain and exact: rational arithmetic for every pair of triangles whose boxes meet, all pairs of objects.

For tests and for arbitration: it shares no code with the fast methods and needs no compilation. Some ten thousand
pairs of triangles a second.
"""
from fractions import Fraction

import numpy as np

from ..codes import CLEAR, OK
from ..contacts import Contacts
from ..errors import Cancelled
from ..method import Method
from ..pair_table import PairTable
from ..reference import Surface, box_pairs, contacts_between, contacts_within, judge, rounded
from ..reference.distance import mesh_gap
from ..reference.rational import square_root
from ..run import Run

TRIANGLES_PER_CHECK = 64    # triangles between two questions whether to stop: some hundredths of a second


def prepare(scene, selection, run: Run) -> list[Surface]:
    return [Surface.of(scene, index) for index in selection.objects]


def all_pairs(surfaces: list[Surface], selection, run: Run) -> tuple[np.ndarray, np.ndarray]:
    a, b = (side.astype(np.int32) for side in np.triu_indices(len(surfaces), 1))
    allowed = selection.allows(a, b)
    return a[allowed], b[allowed]


def contacts(surfaces: list[Surface], table: PairTable, run: Run) -> Contacts:
    parts: list[Contacts] = []
    for row, (first, second) in enumerate(zip(table.a, table.b)):
        corners_a, corners_b = surfaces[first].corners, surfaces[second].corners
        for start in range(0, len(corners_a), TRIANGLES_PER_CHECK):
            if stopped(run, row / len(table)):
                return Contacts.join(parts)
            some = corners_a[start:start + TRIANGLES_PER_CHECK]
            candidates = box_pairs(some, corners_b)
            part = rounded(contacts_between(some, corners_b, candidates), corners_b)
            part.pair[:] = row
            part.triangle_a += start
            parts.append(part)
            run.count(triangle_pairs=len(candidates), exact_decisions=len(candidates))
        table.finished[row] = True
    return Contacts.join(parts)


def within(surfaces: list[Surface], table: PairTable, run: Run) -> Contacts:
    parts: list[Contacts] = []
    for row, index in enumerate(table.a):
        corners = surfaces[index].corners
        for start in range(0, len(corners), TRIANGLES_PER_CHECK):
            if stopped(run, row / len(table)):
                return Contacts.join(parts)
            meeting = box_pairs(corners[start:start + TRIANGLES_PER_CHECK], corners)
            candidates = [(i + start, j) for i, j in meeting if i + start < j]
            part = rounded(contacts_within(corners, candidates), corners)
            part.pair[:] = row
            parts.append(part)
            run.count(triangle_pairs=len(candidates), exact_decisions=len(candidates))
        table.finished[row] = True
    return Contacts.join(parts)


def verdicts(surfaces: list[Surface], table: PairTable, run: Run) -> dict[str, np.ndarray]:
    n, contacts = len(table), table.contacts
    assert contacts is not None
    verdict, status, inner = np.full(n, CLEAR, np.int8), np.full(n, OK, np.uint8), np.zeros(n, np.int8)
    for row, pair in enumerate(zip(table.a, table.b)):
        if stopped(run, row / n):
            table.finished[row:] = False
        if not table.finished[row]:
            break
        one, other = (surfaces[index] for index in pair)
        verdict[row], status[row], inner[row] = judge(one, other, contacts.take(contacts.pair == row))
    return {"verdict": verdict, "status": status, "inner": inner}


def clearances(surfaces: list[Surface], table: PairTable, rows: np.ndarray, run: Run):
    near, gap = np.zeros(len(rows), bool), np.full(len(rows), np.nan)
    points = np.full((len(rows), 2, 3), np.nan)
    for i, row in enumerate(rows):
        if stopped(run, i / len(rows)):
            table.finished[rows[i:]] = False
            break
        one, other = surfaces[table.a[row]], surfaces[table.b[row]]
        found = mesh_gap(one.corners, other.corners, Fraction(table.reach[row]) ** 2)
        if found is not None:
            near[i], gap[i] = True, square_root(found.gap.squared)
            points[i] = [[float(x) for x in place] for place in (found.gap.on_a, found.gap.on_b)]
    return near, gap, points


def stopped(run: Run, fraction: float) -> bool:
    """Report progress; True where the user has just asked to stop. What is finished by then is kept."""
    try:
        run.tick(fraction)
    except Cancelled:
        return True
    return False


METHOD = Method(
    id="exact",
    title="Exact Reference",
    document="",
    summary="Rational arithmetic for every pair of triangles: slow, plain, for tests and arbitration",
    answer="exact",
    prepare=prepare,
    broad_phase=all_pairs,
    contacts=contacts,
    verdicts=verdicts,
    clearances=clearances,
    within=within,
    compiled=False,
    slow=True,
)
