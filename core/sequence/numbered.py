# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports by the numbers that objects keep over frames, instead of their indices in one scene."""
from dataclasses import replace

import numpy as np

from ..arrays import unit_rows
from ..codes import A_IN_B, B_IN_A, NEITHER
from ..contacts import Contacts
from ..report import Report
from ..search.contact_budget import first_of_each
from .moment import Moment
from .rows import copied

TURNED = np.array([NEITHER, B_IN_A, A_IN_B], np.int8)       # codes of the column `inner`, the pair the other way round


def numbered(report: Report, now: Moment) -> Report:
    """The same with numbers for objects, a < b; pairs stay in their rows."""
    numbers, pairs = now.numbers, copied(report.pairs)
    a, b = numbers[pairs["a"]], numbers[pairs["b"]]
    pairs["a"], pairs["b"] = np.minimum(a, b), np.maximum(a, b)
    turned = (a > b).nonzero()[0]
    if len(turned) == 0:
        return replace(report, pairs=pairs)
    for points in ("gap_points", "depth_points"):
        pairs[points][turned] = pairs[points][turned][:, ::-1]
    pairs["inner"][turned] = TURNED[pairs["inner"][turned]]
    contacts = report.contacts.take(slice(None))
    mine = first_of_each(pairs["contact_start"][turned], pairs["contacts"][turned].astype(np.int64))
    if len(mine):
        _turn(contacts, mine, report.pairs["a"][report.contacts.pair[mine]], now)
    return replace(report, pairs=pairs, contacts=contacts)


def _turn(contacts: Contacts, rows: np.ndarray, was_a: np.ndarray, now: Moment) -> None:
    """Let some contacts speak of b and a instead of a and b. rows: (k,) int64, whole pairs; was_a: (k,) indices of the
    objects that are b then."""
    some = contacts.take(rows)
    some.triangle_a, some.triangle_b = some.triangle_b, some.triangle_a
    some.normal = _normals(now, was_a, some.triangle_b)
    some = some.take(np.lexsort((some.triangle_b, some.triangle_a, some.pair)))
    for name in Contacts.__dataclass_fields__:
        column = getattr(contacts, name).copy()
        column[rows] = getattr(some, name)
        setattr(contacts, name, column)


def _normals(now: Moment, objects: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(k,3) float64: unit normals in the world, zero where a triangle has no area."""
    normals = np.zeros((len(objects), 3))
    for index in np.unique(objects).tolist():
        rows = objects == index
        vertices, corners = now.meshes[now.layout.mesh[index]]
        x, y, z = np.moveaxis(vertices[corners[triangles[rows]]], -1, 0)
        world = np.stack([((m0 * x + m1 * y) + m2 * z) + m3 for m0, m1, m2, m3 in now.poses[index, :3]], axis=-1)
        normals[rows] = np.cross(world[:, 1] - world[:, 0], world[:, 2] - world[:, 0])
    return unit_rows(normals)
